'use strict';

// The integration tests use the servers that the environment names, or a private stack that lives as long as the run.

const GIVEN = ['ORDER_DB_URL', 'INVENTORY_DB_URL', 'AMQP_URL'];

module.exports = async function setUp() {
  const missing = GIVEN.filter((name) => !process.env[name]);
  if (missing.length === 0) return;
  if (missing.length < GIVEN.length) {
    throw new Error(`Set all of ${GIVEN.join(', ')} or none of them; ${missing.join(', ')} is not set.`);
  }

  const { startStack, stopOnSignals } = require('../../stack/dist/index.js');
  const backend = process.env.STACK_BACKEND;
  const stack = await startStack(backend ? { backend } : {});
  globalThis.counterfoilStack = stack;
  stopOnSignals(stack);
  // Jest hands this environment on to its workers.
  Object.assign(process.env, environmentOf(stack));
};

function environmentOf(stack) {
  const urls = stack.urls();
  return {
    ORDER_DB_URL: urls.orderDb,
    INVENTORY_DB_URL: urls.inventoryDb,
    AMQP_URL: urls.amqp,
    AMQP_MANAGEMENT_URL: urls.amqpManagement,
    RABBITMQ_CTL: stack.broker.ctlProgram,
  };
}

'use strict';

const { writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { brokerEnvironment } = require('../../stack/dist/native/broker-files.js');

/** A program that is rabbitmqctl for the stack's own broker, for tests in other processes than the one that started it. */
exports.ctlProgram = function ctlProgram(stack) {
  const { programs, settings } = stack.broker;
  const environment = Object.entries(brokerEnvironment(settings)).map(([name, value]) => quoted(`${name}=${value}`));
  const file = join(stack.folder, 'rabbitmqctl');
  writeFileSync(file, `#!/bin/sh\nexec env -i ${environment.join(' ')} ${quoted(programs.ctl)} "$@"\n`, {
    mode: 0o755,
  });
  return file;
};

const quoted = (word) => `'${word.replaceAll("'", "'\\''")}'`;

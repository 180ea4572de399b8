import { once } from 'node:events';

import { freePort } from '@counterfoil/message-table/testkit';

import { TracedSystem } from './testing/traced-system.js';

let system: TracedSystem;
beforeEach(async () => (system = await TracedSystem.open()), 60_000);
afterEach(() => system[Symbol.asyncDispose](), 60_000);

const DEDUCT = 'inventory.exchange:inventory.deduct';
const DECIDED = 'order.exchange:order.deduction-decided';

/** Who sends: for the deduction, for the decision. */
const wayOver = (deduct: string, process: string, deductBy: string, decidedBy: string): string[] => [
  'order-service: POST /orders < the client',
  `order-service: create ${deduct} < POST /orders`,
  `${deductBy}: send ${deduct} < create ${deduct}`,
  `inventory-service: process ${process} < create ${deduct}`,
  `inventory-service: create ${DECIDED} < process ${process}`,
  `${decidedBy}: send ${DECIDED} < create ${DECIDED}`,
  `order-service: process ${DECIDED} < create ${DECIDED}`,
];

describe('the way of one order is one trace', () => {
  it.each<[string, Record<string, string>, string[]]>([
    ['the fast path sends', {}, wayOver(DEDUCT, DEDUCT, 'order-service', 'inventory-service')],
    ['relays send', { FAST_PATH: 'off' }, wayOver(DEDUCT, DEDUCT, 'relay', 'relay')],
    [
      'the deduction goes over HTTP',
      { ORDER_CHANNEL: 'http' },
      wayOver('http://inventory', '/deductions', 'order-service', 'inventory-service'),
    ],
  ])(
    'when %s, then it leads from the request of the client to the decision',
    async (_, settings, way) => {
      await system.start(settings);
      expect((await system.placeOrder()).status).toBe(201);
      await system.untilConfirmed();
      expect(await system.tree(way.length)).toEqual([...way].sort());
    },
    90_000,
  );

  it('when the order service is killed between COMMIT and hand-over, then a relay goes on with the same trace', async () => {
    await system.start({});
    const orderService = system.service('order-service');
    const died = once(orderService, 'exit');
    system.failPoints.arm('order-service', { step: 'after-commit-before-hand-over', action: 'crash' });
    // What the client is told is nothing: the connection is cut.
    await expect(system.placeOrder()).rejects.toThrow();
    expect(await died).toMatchObject([{ signal: 'SIGKILL', expected: false }]);
    await orderService.start();
    await system.untilConfirmed();
    const arrived = await system.tree(5);
    expect(arrived).toEqual(
      [
        `relay: send ${DEDUCT} < what did not arrive`,
        `inventory-service: process ${DEDUCT} < what did not arrive`,
        `inventory-service: create ${DECIDED} < process ${DEDUCT}`,
        `inventory-service: send ${DECIDED} < create ${DECIDED}`,
        `order-service: process ${DECIDED} < create ${DECIDED}`,
      ].sort(),
    );
    // Both go on from what is stored with the message.
    const [sent, handled] = ['send', 'process'].map((does) =>
      system.collector.spans.find(({ name }) => name === `${does} ${DEDUCT}`),
    );
    expect(sent?.parentSpanId).toBe(handled?.parentSpanId);
    expect(await system.storedHeaders()).toEqual([
      JSON.stringify({ traceparent: `00-${sent?.traceId ?? ''}-${sent?.parentSpanId ?? ''}-01` }),
    ]);
  }, 120_000);
});

describe('tracing is no burden', () => {
  it('when no collector is named, then nothing of the SDK is loaded, stored or sent', async () => {
    await system.start({}, '');
    await system.placeOrder();
    await system.untilConfirmed();
    expect(await system.storedHeaders()).toEqual([null]);
    for (const name of system.services.keys()) expect(await system.end(name)).toEqual({ code: 0, loaded: ['api'] });
    expect(system.collector.spans).toEqual([]);
  }, 90_000);

  it('when the collector is away, then orders are placed, one line is logged, and the process stops in order', async () => {
    await system.start({}, `http://127.0.0.1:${String(await freePort())}`);
    for (let n = 0; n < 20; n += 1) expect((await system.placeOrder()).status).toBe(201);
    const { code, loaded } = await system.end('order-service');
    expect(code).toBe(0);
    expect(loaded).toEqual(expect.arrayContaining(['api', 'sdk-trace-node', 'exporter-trace-otlp-http']));
    const told = system
      .service('order-service')
      .logs(1_000)
      .split('\n')
      .filter((line) => line.includes('traces do'));
    expect(told).toHaveLength(1);
  }, 90_000);
});

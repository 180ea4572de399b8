import { numbered, type Scenario } from './scenario.js';

export const databaseDeadlocks: Scenario = {
  name: 'database-deadlocks',
  story: 'Somebody locks products in the wrong order: whole transactions are repeated, no attempt is used.',
  inCi: false,
  plan: ({ seconds }) => ({
    world: { inventoryServices: 2 },
    faults: numbered([{ atMs: 2_000, fault: { kind: 'deadlocks', forMs: seconds * 500 } }]),
  }),
};

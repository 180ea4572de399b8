import type { Readiness } from '../service/operations.js';

/** Of a service that accepts messages: none can be accepted while no worker id is leased. */
export const workerIdReadiness =
  (newId: () => string): Readiness =>
  () => {
    try {
      newId();
      return null;
    } catch {
      return 'worker id';
    }
  };

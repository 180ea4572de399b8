import { Registry } from 'prom-client';

import { createEvents, type MessageTableEvents } from '../events.js';

type Tell = (events: MessageTableEvents) => void;

/** @returns the lines of the metrics page of `measure` after what `tell` tells: nothing, as of a process that has just started */
export const pageOf =
  (measure: (events: MessageTableEvents, registry: Registry) => void) =>
  async (tell: Tell = () => undefined): Promise<string[]> => {
    const events = createEvents();
    const registry = new Registry();
    measure(events, registry);
    tell(events);
    return (await registry.metrics()).split('\n');
  };

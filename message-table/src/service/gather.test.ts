import { context, trace } from '@opentelemetry/api';

import { CollectedSpans } from '../testkit/collected-spans.js';
import { Gatherer } from './gather.js';

it('when what several callers ask for is done together, then in the trace of none of them', async () => {
  using spans = new CollectedSpans();
  const seen: unknown[] = [];
  const gatherer = new Gatherer<number, number>({
    ...{ maxItems: 2, maxWaitMs: 1_000, maxRuns: 1 },
    run: async (items) => {
      seen.push(trace.getSpan(context.active()));
      return items;
    },
  });
  expect(await Promise.all([1, 2].map((n) => spans.inside(() => gatherer.add(n))))).toEqual([1, 2]);
  expect(seen).toEqual([undefined]);
});

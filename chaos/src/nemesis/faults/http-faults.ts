import { PASS, type Manner } from '../../recorder/manner.js';
import type { World } from '../../world/world.js';
import type { Inject, Injection } from '../injection.js';

/** The receiver answers every request with one status, and does nothing about it. */
export const httpAnswer: Inject<'http-answer'> = (world, { status }) => behave(world, { kind: 'answer', status });

/** The receiver does its work, and answers after its senders have given up. */
export const httpHold: Inject<'http-hold'> = (world, { holdMs }) => behave(world, { kind: 'hold', holdMs });

function behave({ recorder }: World, manner: Manner): Promise<Injection> {
  if (recorder === null) return Promise.reject(new Error('This run sends nothing over HTTP'));
  recorder.behave(manner);
  return Promise.resolve({ heal: () => Promise.resolve(recorder.behave(PASS)) });
}

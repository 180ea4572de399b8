import { createHash } from 'node:crypto';

const BODIES = [
  '{"a":',
  '',
  'null',
  '[]',
  '{"orderId":"1","productId":1,"quantity":-1}',
  '{"orderId":"1","productId":1,"quantity":"5"}',
];

/** A body that nobody can read. */
export interface PoisonBody {
  readonly body: string;
  /** Null: it is published without one. */
  readonly messageId: string | null;
  /** The id that its note must have: without one of its own it goes by its hash, so that the same body is kept once. */
  readonly notedAs: string;
}

/** Of so many, every second one has no id. */
export const poisonBodies = (count: number): PoisonBody[] =>
  Array.from({ length: count }, (_, index) => {
    const body = BODIES[index % BODIES.length] ?? '';
    const messageId = index % 2 === 0 ? `poison-${String(index)}` : null;
    return { body, messageId, notedAs: messageId ?? `sha256:${createHash('sha256').update(body).digest('base64url')}` };
  });

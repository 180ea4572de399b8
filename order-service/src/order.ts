import type { Trace } from '@counterfoil/message-table';

/** An order never leaves CONFIRMED or REJECTED. */
export type OrderStatus = 'CREATED' | 'CONFIRMED' | 'REJECTED';

export interface Order {
  readonly id: string;
  readonly productId: number;
  readonly quantity: number;
  readonly status: OrderStatus;
  readonly reason: string | null;
  readonly messageId: string;
}

/** What a client asks for. */
export interface OrderRequest {
  readonly productId: number;
  readonly quantity: number;
  readonly idempotencyKey: string | null;
  /** Of the parsed fields, so that another order of keys or other blanks is the same request. */
  readonly requestHash: string;
  /** What the request belongs to, and its message then; undefined while nobody collects traces. */
  readonly trace: Trace | undefined;
}

import { keyOf } from '@counterfoil/loadtest';

import type { MessageRow, NoteRow, OrderRow, PlacedOrder, StockChange, Transition } from '../facts.js';
import type { HistoryRecord } from '../history.js';

/** One order that went well, as every witness tells it. */
export class OrderStory {
  private readonly orderId: string;
  readonly messageId: string;
  readonly decisionId: string;

  constructor(
    private readonly index: number,
    private readonly order: { readonly productId: number; readonly quantity: number },
    readonly sentTwice: boolean,
  ) {
    this.orderId = String(1_000 + index);
    this.messageId = `m${String(index)}`;
    this.decisionId = `d${String(index)}`;
  }

  answered(rate: number): HistoryRecord {
    const { index, orderId } = this;
    return { atMs: (index * 1_000) / rate + 5, kind: 'order', index, outcome: 'ok', orderId, latencyMs: 5 };
  }

  placed(): PlacedOrder {
    return { orderId: this.orderId, index: this.index, ...this.order };
  }

  takeFrom(stock: Map<number, bigint>): StockChange {
    const { productId, quantity } = this.order;
    const before = stock.get(productId) ?? 0n;
    const after = before - BigInt(quantity);
    stock.set(productId, after);
    return { productId, before, after };
  }

  row(): OrderRow {
    const { orderId, messageId, index } = this;
    return { orderId, messageId, idempotencyKey: keyOf('run', index), status: 'CONFIRMED' };
  }

  message(): MessageRow {
    return { ...this.sent(`1${this.orderId}`, this.messageId, null), version: this.sentTwice ? 4 : 2 };
  }

  decision(): MessageRow {
    return { ...this.sent(`2${this.orderId}`, this.decisionId, 'CONFIRMED'), version: 1 };
  }

  note(): NoteRow {
    return { id: String(1 + this.index), messageId: this.messageId, status: 'SUCCESS', errorMsg: null, version: 0 };
  }

  decisionNote(): NoteRow {
    return { id: String(1 + this.index), messageId: this.decisionId, status: 'SUCCESS', errorMsg: null, version: 0 };
  }

  /** The deduction by a relay, and again by another when the first was killed; the decision by the fast path. */
  transitions(): Transition[] {
    const deduction = this.sentTwice
      ? ['PENDING', 'SENDING', 'PENDING', 'SENDING', 'SENT']
      : ['PENDING', 'SENDING', 'SENT'];
    return [
      ...this.moves('order', `1${this.orderId}`, deduction),
      ...this.moves('inventory', `2${this.orderId}`, ['SENDING', 'SENT']),
    ];
  }

  private moves(database: Transition['database'], id: string, states: readonly string[]): Transition[] {
    return states.slice(1).map((to, version) => {
      const from = states[version] ?? '';
      const lostCountRose = from === 'SENDING' && to === 'PENDING';
      const versions = { fromVersion: version, toVersion: version + 1 };
      return { database, table: 'producer_message', id, from, to, ...versions, retryCountRose: false, lostCountRose };
    });
  }

  private sent(id: string, messageId: string, outcome: string | null): Omit<MessageRow, 'version'> {
    return {
      id,
      messageId,
      orderId: this.orderId,
      outcome,
      status: 'SENT',
      retryCount: 0,
      lostCount: 0,
      errorMsg: null,
    };
  }
}

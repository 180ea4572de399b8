import { aRun } from '../testkit/facts-builder.js';
import { broken, double, drop, flip, untold, withBooks, withEnd } from '../testkit/mutate.js';

describe('I3, orders and messages are one to one', () => {
  it('when an order has no message, then it is broken, and the tap saw a stranger', () => {
    const mute = withBooks(aRun(), ({ orderMessages }) => ({ orderMessages: drop(orderMessages, 3) }));
    expect(broken(mute)).toEqual(['I3', 'I4', 'I7', 'I14']);
  });

  it('when a message has no order, then it is broken, and the ledger knows of one', () => {
    const orphan = withBooks(aRun(), ({ orders }) => ({ orders: drop(orders, 3) }));
    expect(broken(orphan)).toEqual(['I3', 'I7', 'I14']);
  });

  it('when an order has two messages, then it is broken', () => {
    const twice = withBooks(aRun(), ({ orderMessages }) => ({
      orderMessages: flip(double(orderMessages, 3), 4, { messageId: 'other', id: '9' }),
    }));
    expect(broken(twice)).toEqual(['I3', 'I4', 'I14']);
  });

  it('when a message names another order, then it is broken', () => {
    const astray = withBooks(aRun(), ({ orderMessages }) => ({
      orderMessages: flip(orderMessages, 3, { orderId: '1004' }),
    }));
    expect(broken(astray)).toEqual(['I3']);
  });

  it('when messages were not read, then it cannot be told', () => {
    expect(untold(withEnd(aRun(), { unread: ['orderMessages: ECONNREFUSED'] }))).toContain('I3');
  });
});

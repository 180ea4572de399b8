import { currentTransaction } from '../database/current-transaction.js';
import type { Database } from '../database/database.js';
import { changeRows, selectRows } from '../database/rows.js';
import { afterCommit, runInTransaction } from '../database/transaction.js';
import type { MessageTable } from '../message-table.js';
import type { TaskCommand } from '../producer/command.js';
import { aCommand, TableWorld } from '../testkit/table-world.js';
import { localTaskMessage } from './local-task-message.js';

interface CreateOrder {
  readonly orderId: number;
  command?: TaskCommand;
}

/** A service as its author would write it. */
class Orders {
  /** How often a method ran. */
  runs = 0;
  before: () => Promise<unknown> = () => Promise.resolve();

  constructor(readonly messageTable: MessageTable) {}

  @localTaskMessage({ command: 'request.command' })
  async create(request: CreateOrder): Promise<string> {
    await this.insert(request.orderId);
    return `created ${String(request.orderId)}`;
  }

  @localTaskMessage({ command: 'request.command' })
  async build(request: CreateOrder): Promise<void> {
    await this.insert(request.orderId);
    request.command = aCommand({ messageId: `ORDER_CREATED:${String(request.orderId)}` });
  }

  @localTaskMessage({ command: (_orderId: number, { command }: { command: TaskCommand }) => command })
  async byFunction(orderId: number, _more: { command: TaskCommand }, _note = ''): Promise<void> {
    await this.insert(orderId);
  }

  @localTaskMessage({ command: 'command' })
  async itself(command: TaskCommand): Promise<void> {
    await this.insert(Number(command.messageId));
  }

  private async insert(orderId: number): Promise<void> {
    this.runs += 1;
    await changeRows(currentTransaction(this.messageTable.db), 'INSERT INTO shop_order VALUES (?)', [orderId]);
    await this.before();
  }
}

let world: TableWorld;
let orders: Orders;
beforeEach(async () => {
  world = await TableWorld.open();
  orders = await ordersOf(world, { fastPathPlaces: 10 });
});
afterEach(() => world[Symbol.asyncDispose]());

async function ordersOf(of: TableWorld, options = {}): Promise<Orders> {
  await of.db.knex.raw('CREATE TABLE shop_order (id INT PRIMARY KEY) ENGINE = InnoDB');
  return new Orders(await of.producer(options));
}

/** Order ids and message ids, as they are committed. */
async function stored(db: Database = world.db): Promise<{ orders: number[]; messages: string[] }> {
  const ids = await selectRows<{ id: number }>(db.knex, 'SELECT id FROM shop_order ORDER BY id');
  const messages = await selectRows<{ id: string }>(
    db.knex,
    'SELECT message_id AS id FROM producer_message ORDER BY 1',
  );
  return { orders: ids.map(({ id }) => id), messages: messages.map(({ id }) => id) };
}

const NOTHING = { orders: [], messages: [] };

describe('a decorated method and its message are kept together', () => {
  it('when it is called outside of a transaction, then one is opened, and its message is sent after COMMIT', async () => {
    const request = { orderId: 1, command: aCommand({ messageId: 'm1' }) };
    expect(await orders.create(request)).toBe('created 1');
    expect(await stored()).toEqual({ orders: [1], messages: ['m1'] });
    await world.until('m1', ({ status }) => status === 'SENT');
  });

  it('when it is called inside of a transaction, then it joins: both are there when that one commits', async () => {
    await runInTransaction(world.db, async () => {
      await orders.create({ orderId: 1, command: aCommand({ messageId: 'm1' }) });
      await orders.create({ orderId: 2, command: aCommand({ messageId: 'm2' }) });
      expect(await stored()).toEqual(NOTHING);
      expect(world.channel.sendings).toEqual([]);
    });
    expect(await stored()).toEqual({ orders: [1, 2], messages: ['m1', 'm2'] });
  });

  it('when the outer transaction fails afterwards, then neither is there', async () => {
    const failing = runInTransaction(world.db, async () => {
      await orders.create({ orderId: 1, command: aCommand() });
      throw new Error('the outer one');
    });
    await expect(failing).rejects.toThrow('the outer one');
    expect(await stored()).toEqual(NOTHING);
  });

  it('when the method fails after it wrote, then neither is there, and its own error is what the caller gets', async () => {
    orders.before = () => Promise.reject(new Error('mock rollback'));
    await expect(orders.create({ orderId: 1, command: aCommand() })).rejects.toThrow('mock rollback');
    expect(await stored()).toEqual(NOTHING);
  });

  it('when the command is refused, then the order is not there either', async () => {
    const creating = orders.create({ orderId: 1, command: aCommand({ messageId: ' blank' }) });
    await expect(creating).rejects.toMatchObject({ code: 'COMMAND_INVALID' });
    expect(await stored()).toEqual(NOTHING);
  });

  it('when it loses a race, then the method is run again, and there is one order and one message', async () => {
    orders.before = async () => {
      if (orders.runs < 3) throw Object.assign(new Error('made by the test'), { errno: 1213 });
    };
    await orders.build({ orderId: 1 });
    expect(orders.runs).toBe(3);
    expect(await stored()).toEqual({ orders: [1], messages: ['ORDER_CREATED:1'] });
  });
});

describe('where the command is', () => {
  it('when the method builds it during the call, then it is found, for it is looked for afterwards', async () => {
    await orders.build({ orderId: 7 });
    expect(await stored()).toEqual({ orders: [7], messages: ['ORDER_CREATED:7'] });
  });

  it('when a function finds it, then no name of a parameter is needed', async () => {
    await orders.byFunction(3, { command: aCommand({ messageId: 'm3' }) });
    expect(await stored()).toEqual({ orders: [3], messages: ['m3'] });
  });

  it('when the argument is the command itself, then its name is the whole path', async () => {
    await orders.itself(aCommand({ messageId: '5' }));
    expect(await stored()).toEqual({ orders: [5], messages: ['5'] });
  });

  it.each([{ orderId: 1 }, { orderId: 1, command: 'not one' as unknown as TaskCommand }])(
    'when the path leads nowhere from %p, then that is an error before COMMIT, and the order is rolled back',
    async (request) => {
      const ran = jest.fn();
      orders.before = async () => afterCommit(currentTransaction(world.db), ran);
      await expect(orders.create(request)).rejects.toMatchObject({ code: 'COMMAND_NOT_FOUND' });
      expect(orders.runs).toBe(1);
      expect(await stored()).toEqual(NOTHING);
      expect(ran).not.toHaveBeenCalled();
    },
  );

  it('when the method was taken from its object, then its promise rejects as that of any async method does', async () => {
    const { create } = orders;
    await expect(create.call(undefined as never, { orderId: 1 })).rejects.toThrow(TypeError);
    expect(await stored()).toEqual(NOTHING);
  });

  it('when the first name is none of the method’s parameters, then the class cannot be defined', () => {
    const define = (): unknown =>
      class {
        constructor(readonly messageTable: MessageTable) {}

        @localTaskMessage({ command: 'order.command' })
        async create(request: CreateOrder): Promise<void> {
          await Promise.resolve(request);
        }
      };
    expect(define).toThrow(expect.objectContaining({ code: 'ARGUMENT_UNKNOWN' }) as Error);
  });

  it('when the class has no message table, or the function asks for other arguments, then it does not compile', () => {
    class Wrong {
      // @ts-expect-error no messageTable
      @localTaskMessage({ command: 'request.command' })
      async create(request: CreateOrder): Promise<void> {
        await Promise.resolve(request);
      }
    }
    class AlsoWrong {
      constructor(readonly messageTable: MessageTable) {}

      // @ts-expect-error the method's first argument is a number
      @localTaskMessage({ command: (request: { command: TaskCommand }) => request.command })
      async create(_id: number): Promise<void> {
        await Promise.resolve();
      }
    }
    expect([Wrong, AlsoWrong]).toHaveLength(2);
  });
});

it('when a process has two tables, then each object’s messages go to its own, also one inside of the other', async () => {
  await using other = await TableWorld.open();
  const theirs = await ordersOf(other);
  orders.before = async () => {
    await theirs.create({ orderId: 2, command: aCommand({ messageId: 'theirs' }) });
  };
  await orders.create({ orderId: 1, command: aCommand({ messageId: 'ours' }) });
  expect(await stored()).toEqual({ orders: [1], messages: ['ours'] });
  expect(await stored(other.db)).toEqual({ orders: [2], messages: ['theirs'] });
});

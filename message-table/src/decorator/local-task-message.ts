import type { Database } from '../database/database.js';
import { runInTransaction } from '../database/transaction.js';
import { MessageTableError } from '../errors.js';
import type { Acceptor } from '../producer/accept.js';
import type { TaskCommand } from '../producer/command.js';
import { findByPath } from './find-argument.js';

/** What an object has whose methods carry the decorator: a table of its own, so that a process can have several. */
export interface UsesMessageTable {
  readonly messageTable: { readonly db: Database; readonly acceptor: Acceptor };
}

type Method<This, Args extends unknown[], Result> = (this: This, ...args: Args) => Promise<Result>;

type Decorator<Begin extends readonly unknown[]> = <
  This extends UsesMessageTable,
  Args extends [...Begin, ...unknown[]],
  Result,
>(
  method: Method<This, Args, Result>,
  context: ClassMethodDecoratorContext<This, Method<This, Args, Result>>,
) => Method<This, Args, Result>;

/**
 * Runs a method in the current transaction of its message table's database, or in a new one, and accepts the command
 * that is among its arguments when it has returned. Whatever fails rolls both back.
 *
 * The method gets its transaction from `currentTransaction(db)`, and is run again, as a whole, when a transaction that
 * was opened for it loses a race; so it must have no effect outside of it.
 *
 * @param options `command`: a parameter's name and properties from there on (`request.command`), or a function of the
 *   method's arguments
 * @throws MessageTableError `ARGUMENT_UNKNOWN` when the class is defined. From the method: what it throws itself,
 *   `COMMAND_NOT_FOUND` when the path leads nowhere, what `accept` and {@link runInTransaction} throw
 */
export function localTaskMessage(options: { readonly command: string }): Decorator<[]>;
export function localTaskMessage<Begin extends readonly unknown[]>(options: {
  readonly command: (...args: Begin) => TaskCommand;
}): Decorator<Begin>;
export function localTaskMessage({ command }: { readonly command: string | ((...args: never) => unknown) }) {
  return <This extends UsesMessageTable, Args extends unknown[], Result>(
    method: Method<This, Args, Result>,
  ): Method<This, Args, Result> => {
    const find = typeof command === 'string' ? findByPath(command, method) : (command as (...args: Args) => unknown);
    return async function (...args) {
      const { db, acceptor } = this.messageTable;
      return runInTransaction(db, async (trx) => {
        const result = await method.apply(this, args);
        await acceptor.accept(trx, commandIn(find(...args), command, method.name));
        return result;
      });
    };
  };
}

/** What else a command has to be is looked at when it is accepted. */
function commandIn(found: unknown, path: unknown, method: string): TaskCommand {
  if (typeof found === 'object' && found !== null) return found as TaskCommand;
  const where = typeof path === 'string' ? `at '${path}'` : 'where the function looked';
  throw new MessageTableError('COMMAND_NOT_FOUND', `After ${method} there was no command ${where}; nothing is kept`);
}

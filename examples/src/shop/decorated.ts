import { currentTransaction, localTaskMessage, type MessageTable, type TaskCommand } from '@counterfoil/message-table';

// #region decorated
export class Purchases {
  constructor(readonly messageTable: MessageTable) {}

  @localTaskMessage({ command: 'message' })
  async add(id: string, item: string, message: TaskCommand): Promise<string> {
    await currentTransaction(this.messageTable.db)('purchase').insert({ id, item });
    return message.taskName;
  }
}
// #endregion decorated

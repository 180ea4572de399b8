import { fromConnection, type MessageTable, type TaskCommand } from '@counterfoil/message-table';

// #region foreign
/** `connection` of mysql2/promise, whose default database is the one with the message tables. */
export async function addWith(
  connection: Parameters<typeof fromConnection>[0],
  { acceptor }: MessageTable,
  message: TaskCommand,
): Promise<void> {
  await connection.beginTransaction();
  try {
    await connection.execute('INSERT INTO purchase (id, item) VALUES (?, ?)', [1, 'kettle']);
    await acceptor.accept(fromConnection(connection), message);
    await connection.commit();
  } catch (error) {
    await connection.rollback();
    throw error;
  }
}
// #endregion foreign

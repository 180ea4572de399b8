import { createConnection } from 'mysql2/promise';

export const DATABASE_USER = 'root';
export const DATABASE_PASSWORD = 'counterfoil';
const ANSWER_MS = 3_000;

export const databaseUrlAt = (port: number, database: string): string =>
  `mysql://${DATABASE_USER}:${DATABASE_PASSWORD}@127.0.0.1:${port}/${database}`;

/** Resolves when the server has answered a query. */
export async function selectOne(url: string): Promise<void> {
  const connection = await createConnection({ uri: url, connectTimeout: ANSWER_MS });
  try {
    await connection.query({ sql: 'SELECT 1', timeout: ANSWER_MS });
  } finally {
    connection.destroy();
  }
}

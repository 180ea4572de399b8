/** Everything the component throws for a caller to fix has one of these codes; see docs/reference/errors.md. */
export type ErrorCode =
  | 'COMMAND_INVALID'
  | 'CONTENT_TOO_LARGE'
  | 'CHANNEL_UNKNOWN'
  | 'CHANNEL_CONFIG_INVALID'
  | 'HEADERS_INVALID'
  | 'DESTINATION_NOT_ALLOWED'
  | 'SECRET_UNKNOWN'
  | 'MESSAGE_ID_TAKEN'
  | 'NO_WORKER_ID'
  | 'PAUSE_INVALID'
  | 'COMMIT_UNKNOWN'
  | 'NO_TRANSACTION'
  | 'TRANSACTION_ENDED'
  | 'TRANSACTION_IN_USE'
  | 'TRANSACTION_ELSEWHERE'
  | 'ROLLBACK_ONLY'
  | 'ARGUMENT_UNKNOWN'
  | 'COMMAND_NOT_FOUND'
  | 'DB_DEADLINE'
  | 'MIGRATION_BUSY'
  | 'MIGRATION_CHANGED'
  | 'MIGRATION_FAILED'
  | 'MIGRATION_NAME_TAKEN'
  | 'SETTINGS_INVALID';

export class MessageTableError extends Error {
  override readonly name = 'MessageTableError';
  constructor(
    readonly code: ErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * Thrown by an effect for a message that can never succeed: unreadable, or its schema is broken.
 * The message ends FAILED at once, without further attempts.
 */
export class PermanentError extends Error {
  override readonly name = 'PermanentError';
}

export const reasonOf = (error: unknown): string => {
  const text = error instanceof Error ? `${codeOf(error)}${error.message}` : String(error);
  return oneLine(text);
};

/** Short enough for any log line; the column holds 64 KiB. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 1000);

function codeOf(error: Error): string {
  const code: unknown = 'code' in error ? error.code : undefined;
  return typeof code === 'string' && !error.message.includes(code) ? `${code}: ` : '';
}

export const toError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

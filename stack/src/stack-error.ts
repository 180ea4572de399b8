export type StackErrorCode =
  | 'programs-missing'
  | 'exited-early'
  | 'not-ready'
  | 'already-running'
  | 'not-running'
  | 'not-in-this-stack'
  | 'command-failed'
  | 'no-free-ports';

export class StackError extends Error {
  override readonly name = 'StackError';

  constructor(
    readonly code: StackErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

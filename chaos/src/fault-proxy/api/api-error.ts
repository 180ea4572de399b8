/** What a client is told when its call cannot be done. `extra` goes into the answer beside the error. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly extra: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}

export const badBody = (reason: string): ApiError => new ApiError(400, `bad request body: ${reason}`);

/** What the OS says goes to the client as it is. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(500, error instanceof Error ? error.message : String(error));
}

/** Why a channel or a connection is gone. */
export interface CloseReason {
  /** The broker's reply code; null when nothing was said (a lost socket, our own close). */
  readonly code: number | null;
  readonly text: string;
  /**
   * The broker closed because of something that it was sent. 320 is an operator, 541 the broker's own
   * accident, and a lost socket says nothing: none of these is a message's fault.
   */
  readonly forItsOwnReason: boolean;
}

const NOBODYS_FAULT = new Set([200, 320, 541]);

export const lost = (text: string): CloseReason => ({ code: null, text, forItsOwnReason: false });

export function closeReason(error: unknown): CloseReason {
  const text = shortText(error);
  const code = replyCode(error);
  if (code === null) return lost(text);
  return { code, text, forItsOwnReason: !NOBODYS_FAULT.has(code) };
}

function replyCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'number' ? error.code : null;
}

/** amqplib writes `Channel closed by server: 404 (NOT-FOUND) with message "NOT_FOUND - no exchange …"`. */
function shortText(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const quoted = /(\d{3}) \([A-Z-]+\) with message "(.*)"$/s.exec(text);
  return quoted ? `${quoted[1]} ${quoted[2]}` : text;
}

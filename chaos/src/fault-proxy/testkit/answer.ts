/** Everything that one answer or another has. */
export interface AnswerJson {
  readonly error: string;
  readonly name: string;
  readonly listen: string;
  readonly enabled: boolean;
  readonly toxics: readonly unknown[];
  readonly proxies: readonly unknown[] | null;
  readonly stream: string;
  readonly pieces: number;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  /** The body as JSON, with whatever of it there is. */
  readonly json: AnswerJson;
}

export function answerOf(status: number, text: string, headers: Headers): Answer {
  try {
    return { status, text, headers, json: JSON.parse(text) as AnswerJson };
  } catch {
    return { status, text, headers, json: {} as AnswerJson };
  }
}

/** How a body is kept: as text where it is text, so that people can read it, else as base64. */

export interface StoredBody {
  readonly content: string;
  readonly encoding: 'utf8' | 'base64';
}

export function storeBody(body: Buffer): StoredBody {
  const text = body.toString('utf8');
  return Buffer.from(text, 'utf8').equals(body)
    ? { content: text, encoding: 'utf8' }
    : { content: body.toString('base64'), encoding: 'base64' };
}

export const restoreBody = ({ content, encoding }: StoredBody): Buffer => Buffer.from(content, encoding);

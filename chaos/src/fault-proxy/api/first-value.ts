import { badBody } from './api-error.js';

/** The first JSON value of a body; what follows it is not looked at. Throws what the client is to be told. */
export function firstValue(text: string): unknown {
  const body = text.trimStart();
  if (body === '') throw badBody('EOF');
  try {
    return JSON.parse(body.slice(0, endOfFirst(body)));
  } catch (error) {
    throw badBody((error as Error).message);
  }
}

/** A scalar ends with the text: nothing that the API takes is one, and `null` alone is read. */
function endOfFirst(body: string): number {
  let depth = 0;
  for (const { 0: token, index } of body.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/gs)) {
    if (token === '{' || token === '[') depth++;
    if (token === '}' || token === ']') depth--;
    if (depth <= 0) return index + token.length;
  }
  return body.length;
}

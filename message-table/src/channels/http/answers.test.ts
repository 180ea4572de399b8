import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { toOutcome, verdictOfError, verdictOfStatus } from './answers.js';

const DOCUMENT = join(__dirname, '../../../../docs/reference/http-answers.md');

/** The rows of the first table that speak of numbers: exact ones first, then classes, then the rest. */
function documented(): (status: number) => string | undefined {
  const [text = ''] = readFileSync(DOCUMENT, 'utf8').split('## What `POST /deductions` answers');
  const rows = [...text.matchAll(/^\| (`\d[\dx]{2}`.*?|any other number) *\| (.+?) *\|$/gm)];
  const said = new Map<string, string>();
  for (const [, answers = '', ending = ''] of rows) {
    for (const answer of answers.split(', ')) {
      const key = answer.replace(/`|^other /g, '');
      if (said.has(key)) throw new Error(`${key} stands in the table twice`);
      said.set(key, ending);
    }
  }
  return (status) =>
    said.get(String(status)) ?? said.get(`${String(status)[0] ?? ''}xx`) ?? said.get('any other number');
}

const failure = (code: string, message = ''): Error => Object.assign(new Error(message), { code });

describe('What an HTTP answer does', () => {
  it('WH-03: when a status is in the table of docs/reference/http-answers.md, then the code says the same', () => {
    const says = documented();
    const all = Array.from({ length: 900 }, (_, index) => index + 100);
    expect(all.map((status) => [status, verdictOfStatus(status)])).toEqual(all.map((status) => [status, says(status)]));
    expect(new Set(all.map(says))).toEqual(new Set(['confirmed', 'trouble', 'refused', 'refused for good']));
  });

  it.each([
    ['ECONNREFUSED', 'trouble'],
    ['ECONNRESET', 'trouble'],
    ['UND_ERR_SOCKET', 'trouble'],
    ['ENOTFOUND', 'trouble'],
    ['EAI_AGAIN', 'trouble'],
    ['CERT_HAS_EXPIRED', 'trouble'],
    ['HPE_INVALID_EOF_STATE', 'trouble'],
    ['HPE_INVALID_CONSTANT', 'refused'],
    ['HTTPParserError', 'refused'],
    ['UND_ERR_HEADERS_OVERFLOW', 'refused'],
    ['UND_ERR_INVALID_ARG', 'refused for good'],
  ])('when an attempt ends with %s, then it is %s', (code, verdict) => {
    expect(verdictOfError(failure(code))).toBe(verdict);
  });

  it('when the host works for others, then trouble uses an attempt; otherwise it is unknown', () => {
    const ending = { verdict: 'trouble', reason: 'r', pauseMs: 0 } as const;
    expect(toOutcome(ending, true)).toEqual({ kind: 'refused', reason: 'r', permanent: false, pauseMs: 0 });
    expect(toOutcome(ending, false)).toEqual({ kind: 'unknown', reason: 'r', suspect: false, pauseMs: 0 });
    expect(toOutcome({ verdict: 'refused for good', reason: 'r', pauseMs: 9 }, true)).toEqual({
      kind: 'refused',
      reason: 'r',
      permanent: true,
    });
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { pick } from './common-settings.js';
import type { Secrets } from './secrets.js';
import { readSettings, type Environment } from './settings.js';

const TABLE = pick('SECRET_*', 'LOG_LEVEL');
const secretsOf = (environment: Environment): Secrets => readSettings(TABLE, [], environment)['SECRET_*'];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('Secrets come from the environment or from files', () => {
  it('when SECRET_<NAME> is there, then it is the value, and others are not', () => {
    const secrets = secretsOf({ SECRET_HOOK: 'Bearer abc', OTHER: 'x' });
    expect([secrets('HOOK'), secrets('OTHER'), secrets('NONE')]).toEqual(['Bearer abc', undefined, undefined]);
  });

  it('when SECRET_<NAME>_FILE names a file, then its content is the value, and a new content the new value', () => {
    const file = join(folder, 'hook');
    const secrets = secretsOf({ SECRET_HOOK_FILE: file });
    expect(secrets('HOOK')).toBeUndefined();
    writeFileSync(file, 'Bearer abc\n');
    expect(secrets('HOOK')).toBe('Bearer abc');
    writeFileSync(file, 'Bearer def');
    expect(secrets('HOOK')).toBe('Bearer def');
  });

  it("when a secret's name reads like the name of another one's file, then it is none, and no path is given away", () => {
    const secrets = secretsOf({ SECRET_HOOK_FILE: join(folder, 'hook'), SECRET_X_FILE_FILE: join(folder, 'x') });
    expect([secrets('HOOK_FILE'), secrets('X_FILE'), secrets('X_FILE_FILE')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('when settings are written down, then no secret is in what is written', () => {
    const settings = readSettings(TABLE, [], { SECRET_HOOK: 's3cr3t' });
    expect(JSON.stringify(settings)).toBe('{"LOG_LEVEL":"info"}');
  });
});

import { createHash } from 'node:crypto';
import { cp, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../run-command.js';
import { initialiseCommand } from './database-arguments.js';
import type { NativePrograms } from './find-programs.js';

/**
 * Fills a data folder. Initialising one takes the server half a second to several, copying one a fraction of that, so each
 * server version is initialised once per user and kept.
 */
export async function createDataFolder(
  database: NativePrograms['database'],
  dataFolder: string,
  workFolder: string,
): Promise<void> {
  const template = await templateFor(database, workFolder);
  await cp(template, dataFolder, { recursive: true, errorOnExist: true, force: false });
}

async function templateFor(database: NativePrograms['database'], workFolder: string): Promise<string> {
  const version = await runCommand(database.server, ['--no-defaults', '--version']);
  const recipe = initialiseCommand(database, '').join(' ');
  const key = createHash('sha256').update(`${version}\n${recipe}`).digest('hex').slice(0, 12);
  const template = join(tmpdir(), `counterfoil-template-${userInfo().uid}-${key}`);
  if (!(await isOurs(template))) await makeTemplate(database, template, workFolder);
  return template;
}

// Made in the stack's own folder and then renamed: stacks that start together each make one, and the first to end wins.
async function makeTemplate(database: NativePrograms['database'], template: string, workFolder: string): Promise<void> {
  const making = await mkdtemp(join(workFolder, 'template-'));
  const temporary = await mkdtemp(join(workFolder, 'template-tmp-'));
  try {
    const [file, ...args] = initialiseCommand(database, making);
    // Its own: a server that starts removes what it takes for its predecessor's temporary tables.
    await runCommand(file, [...args, `--tmpdir=${temporary}`]);
    await rename(making, template);
  } catch (error) {
    await rm(making, { recursive: true, force: true });
    if (!(await isOurs(template))) throw error;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

// Another user of this machine could have put a folder of that name there.
async function isOurs(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(() => undefined);
  return found !== undefined && found.isDirectory() && found.uid === userInfo().uid;
}

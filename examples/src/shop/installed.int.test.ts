import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import * as exported from '@counterfoil/message-table';
import { freshDatabase, servers, TestBroker, type FreshDatabase } from '@counterfoil/message-table/testkit';

import { EmptyProject } from '../testing/empty-project.js';

const ROOT = join(__dirname, '..', '..', '..');
let project: EmptyProject;
let fresh: FreshDatabase;
let broker: TestBroker;

beforeAll(async () => {
  project = await EmptyProject.create();
  fresh = await freshDatabase();
  broker = await TestBroker.open(servers(process.env), 'shop');
}, 240_000);
afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await fresh[Symbol.asyncDispose]();
  await broker.close();
});

const textIn = (path: string): string => readFileSync(join(project.installed, path), 'utf8');

describe('what is packed', () => {
  it('when it is packed, then the papers and the migrations are in it, and nothing that only tests need', () => {
    const { files } = project;
    const others = files.filter((path) => !path.startsWith('dist/'));
    expect(others.filter((path) => !path.startsWith('migrations/')).sort()).toEqual([
      ...['LICENSE', 'README.md', 'package.json'],
    ]);
    expect(others).toContain('migrations/0001-message-tables.sql');
    expect(files.filter((path) => /\.test\.|\/testing\/|\.tsbuildinfo|\.cjs$/.test(path))).toEqual([]);
    const testkit = files.filter((path) => path.startsWith('dist/testkit/') && !path.includes('/conformance/'));
    expect(testkit).toEqual([]);
    expect(textIn('LICENSE')).toBe(readFileSync(join(ROOT, 'LICENSE'), 'utf8'));
  });

  it('when a built file is packed, then its source is still there', () => {
    const sources = project.files
      .filter((path) => /^dist\/.*\.js$/.test(path))
      .map((path) => join('message-table', path.replace(/^dist/, 'src').replace(/js$/, 'ts')));
    expect(sources.length).toBeGreaterThan(50);
    expect(sources.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('when a map is packed, then it carries the source that it points to', () => {
    const maps = project.files.filter((path) => path.endsWith('.map'));
    const empty = maps.filter((path) => {
      const { sources, sourcesContent = [] } = JSON.parse(textIn(path)) as { sources: []; sourcesContent?: string[] };
      return sourcesContent.length !== sources.length || sourcesContent.some((text) => !text);
    });
    expect(empty).toEqual([]);
  });

  it('when package.json exports a file, then it is there', () => {
    const { exports } = JSON.parse(textIn('package.json')) as { exports: Record<string, unknown> };
    const paths = JSON.stringify(exports).match(/\.\/[^"]+\.(?:js|ts)(?=")/g) ?? [];
    expect(paths.length).toBeGreaterThanOrEqual(4);
    expect(paths.filter((path) => !existsSync(join(project.installed, path)))).toEqual([]);
  });
});

describe('what is installed', () => {
  it('when an ES module imports it, then every export has its name there', async () => {
    const program = `import * as all from '@counterfoil/message-table'; console.log(JSON.stringify(Object.keys(all)))`;
    const names = JSON.parse(await project.node(['--input-type=module', '-e', program])) as string[];
    expect(names).toEqual(expect.arrayContaining(Object.keys(exported)));
  });

  it('when helpers for SQL of one’s own are asked for, then they have a place of their own', async () => {
    const program = `console.log(JSON.stringify(Object.keys(require('@counterfoil/message-table/rows')).sort()))`;
    const names = JSON.parse(await project.node(['-e', program])) as string[];
    expect(names).toEqual(['asNumber', 'byId', 'changeRows', 'firstIdAt', 'selectRows']);
    expect(Object.keys(exported).filter((name) => names.includes(name))).toEqual([]);
  });

  it('when the test support is asked for, then only what channels are held to is there', async () => {
    const resolve = (path: string): Promise<string> =>
      project.node(['-p', `require.resolve('@counterfoil/message-table/${path}')`]);
    expect(await resolve('channel-conformance')).toContain('conformance');
    await expect(resolve('testkit')).rejects.toThrow('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });

  it('when a process is to trace and has no SDK, then it says what to install', async () => {
    const definition = `{ name: 'shop', purpose: '', settings: {}, rules: [], build: () => { throw new Error('goes on') } }`;
    const program = `require('@counterfoil/message-table').runMain(${definition}, process)`;
    const started = project.node(['-e', program], { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' });
    await expect(started).rejects.toMatchObject({
      ...{ code: 1, stderr: expect.stringMatching(/needs @opentelemetry\/sdk-trace-node, .*npm install/) },
    });
  });

  it.each(['commonjs', 'module'] as const)(
    'when the example is compiled as %s and run, then its message is sent and takes effect once',
    async (kind) => {
      expect(await project.compile(kind)).toEqual([]);
      const name = `${new URL(fresh.url).pathname.slice(1)}_${kind}`;
      const { knex } = fresh.db;
      await knex.raw(`CREATE DATABASE ${name}`);
      await knex.raw(`CREATE TABLE ${name}.purchase (id BIGINT PRIMARY KEY, item VARCHAR(99))`);
      await knex.raw(`CREATE TABLE ${name}.parcel (id BIGINT PRIMARY KEY, item VARCHAR(99))`);
      const environment = { SHOP_DB_URL: new URL(`/${name}`, fresh.url).href, AMQP_URL: broker.url() };
      const id = (await project.node([`${kind}/out/main.js`], environment)).trim();
      const [sent] = (await knex.raw(`SELECT status, content FROM ${name}.producer_message`)) as unknown[];
      expect(sent).toEqual([{ status: 'SENT', content: JSON.stringify({ id, item: 'kettle' }) }]);
      const [noted] = (await knex.raw(`SELECT status, consumer FROM ${name}.consumer_message`)) as unknown[];
      expect(noted).toEqual([{ status: 'SUCCESS', consumer: 'shop.pack' }]);
      expect(((await knex.raw(`SELECT id, item FROM ${name}.parcel`)) as unknown[])[0]).toEqual([
        { id, item: 'kettle' },
      ]);
      await knex.raw(`DROP DATABASE ${name}`);
    },
    90_000,
  );
});

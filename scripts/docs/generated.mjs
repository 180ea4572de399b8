// Parts of documents that are made from the code: `<!-- generated: states -->` … `<!-- /generated -->`.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { CASE_IDS } from './case-ids.mjs';
import { optionsOf, optionTable } from './options.mjs';
import { arrowsOf, caseIdsOf, testNames } from './test-names.mjs';

const root = dirname(dirname(import.meta.dirname));
const require = createRequire(import.meta.url);
const PART = /(<!-- generated: ([a-z-]+) -->\n)[\s\S]*?(<!-- \/generated -->)/g;

/** @returns the text with every generated part made anew */
export const regenerated = (text) =>
  text.replace(PART, (_, open, name, close) => {
    const make = PARTS[name];
    if (make === undefined) throw new Error(`There is no generated part '${name}'`);
    return `${open}\n${make()}\n\n${close}`;
  });

const PARTS = {
  'producer-arrows': () => arrowTable('PRODUCER_ARROWS'),
  'consumer-arrows': () => arrowTable('CONSUMER_ARROWS'),
  cases: caseTable,
  tour: tourTable,
  settings: settingTable,
  ...optionParts(),
};

function built(path) {
  const file = join(root, path);
  if (!existsSync(file)) throw new Error(`${path} is not there: npm run build`);
  return require(file);
}

const testLink = ({ name, file, line }) =>
  `[${name.replaceAll('|', '\\|').replace(/ \[.*\]$/, '')}](../../${file}#L${line})`;

function arrowTable(which) {
  const tests = testNames(root);
  const arrows = built('message-table/dist/arrows.js')[which];
  const rows = arrows.map(({ from, to, why, note }) => {
    const tag = `${from}→${to} ${why}`;
    const shown = tests.filter(({ name }) => arrowsOf(name).includes(tag));
    if (shown.length === 0) throw new Error(`No test's name has [${tag}]`);
    return `| ${from} → ${to} | ${why} | ${note} | ${shown.map(testLink).join('<br>')} |`;
  });
  return ['| move | why | what else | tests |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function caseTable() {
  const byId = new Map();
  for (const one of testNames(root)) for (const id of caseIdsOf(one.name)) byId.set(id, [...(byId.get(id) ?? []), one]);
  const missing = CASE_IDS.filter((id) => !byId.has(id));
  if (missing.length > 0) throw new Error(`No test's name begins with ${missing.join(', ')}`);
  const rows = [...byId].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }));
  return [
    '| case | tests |',
    '| --- | --- |',
    ...rows.map(([id, tests]) => `| ${id} | ${tests.map(testLink).join('<br>')} |`),
  ].join('\n');
}

function settingTable() {
  const { SETTINGS } = built('message-table/dist/service/common-settings.js');
  const processes = {
    order: built('order-service/dist/order-service.js').orderService,
    inventory: built('inventory-service/dist/inventory-service.js').inventoryService,
    relay: built('relay/dist/relay.js').relay,
  };
  const rows = Object.entries(SETTINGS).map(([name, { help }]) => {
    const readers = Object.keys(processes).filter((one) => name in processes[one].settings);
    const valueFor = (one) => defaultOf(processes[one].settings[name]);
    const alike = new Set(readers.map(valueFor)).size === 1;
    const values = alike ? [valueFor(readers[0])] : readers.map((one) => `${valueFor(one)} (${one})`);
    const readBy = readers.length === Object.keys(processes).length ? 'all' : readers.join(', ');
    return `| \`${name}\` | ${values.join(', ')} | ${readBy} | ${help.replaceAll('|', '\\|')} |`;
  });
  return [
    '| setting | default | read by | what it is, and what moving it costs |',
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

const defaultOf = ({ unit = '', fallback }) =>
  fallback === undefined ? 'required' : fallback === '' ? 'none' : `${fallback} ${unit}`.trim();

/** Part → the file under message-table/src, the interface, and where its defaults are. */
function optionParts() {
  const parts = {
    'message-table-options': ['message-table.ts', 'MessageTableOptions', 'messageTable'],
    'relay-options': ['relay.ts', 'RelayOptions', 'relay'],
    'queue-consuming-options': ['queue-consuming.ts', 'QueueConsumingOptions', 'queueConsuming'],
    'rabbit-connection-options': ['channels/rabbitmq/connection.ts', 'RabbitConnectionOptions', 'rabbitChannel'],
    'rabbit-channel-options': ['channels/rabbitmq/publisher.ts', 'RabbitChannelOptions', 'rabbitChannel'],
    'http-channel-options': ['channels/http/http-channel.ts', 'HttpChannelOptions', 'httpChannel'],
    'database-options': ['database/database.ts', 'DatabaseOptions', 'database'],
    'retry-options': ['producer/store/retry-policy.ts', 'RetryPolicy', 'retry'],
    'breaker-options': ['producer/destinations.ts', 'BreakerOptions', 'breaker'],
    'archive-options': ['maintenance/archive-task.ts', 'ArchivePolicy'],
    'service-parts-options': ['service-parts.ts', 'ServicePartsOptions'],
    'consumption-options': ['service-parts.ts', 'Consumption'],
    'open-channels-options': ['open-channels.ts', 'OpenChannelsOptions'],
    'inbox-options': ['consumer/inbox.ts', 'InboxOptions'],
    'http-intake-options': ['consumer/http-intake.ts', 'HttpIntakeOptions'],
    'redelivery-options': ['consumer/redelivery-task.ts', 'RedeliveryOptions'],
    'effect-options': ['consumer/effect.ts', 'Effect'],
    'command-options': ['producer/command.ts', 'TaskFields'],
    'transaction-options': ['database/transaction.ts', 'TransactionOptions', 'transaction'],
    'migrate-options': ['database/migrate.ts', 'MigrateOptions', 'migrate'],
  };
  return Object.fromEntries(
    Object.entries(parts).map(([part, [file, name, defaults]]) => [
      part,
      () => {
        const source = readFileSync(join(root, 'message-table/src', file), 'utf8');
        const { DEFAULT_OPTIONS } = built('message-table/dist/default-options.js');
        return optionTable(optionsOf(source, name), DEFAULT_OPTIONS[defaults] ?? {});
      },
    ]),
  );
}

const TOUR = [
  'order-service/src/http-app.ts',
  'order-service/src/store-orders.ts',
  'message-table/src/producer/accept.ts',
  'message-table/src/producer/fast-path.ts',
  'message-table/src/producer/sender.ts',
  'message-table/src/producer/decide.ts',
  'message-table/src/producer/store/settle.ts',
  'message-table/src/producer/store/claim.ts',
  'message-table/src/consumer/handle-together.ts',
  'inventory-service/src/deduct-effect.ts',
  'inventory-service/src/decide-stock.ts',
  'order-service/src/decision-effect.ts',
];
const TOUR_LINES = 700;

/** Lines that are neither blank nor comment. If the tour grows past its limit, something is too clever. */
function tourTable() {
  const stops = TOUR.map((file) => ({ file, lines: codeLines(readFileSync(join(root, file), 'utf8')) }));
  const total = stops.reduce((sum, { lines }) => sum + lines, 0);
  if (total >= TOUR_LINES)
    throw new Error(`The code tour has ${total} lines of code; it must stay under ${TOUR_LINES}`);
  const rows = stops.map(({ file, lines }, index) => `| ${index + 1} | [${file}](../${file}) | ${lines} |`);
  return ['| stop | file | lines of code |', '| --- | --- | --- |', ...rows, `| | together | ${total} |`].join('\n');
}

const codeLines = (text) => text.split('\n').filter((line) => !/^\s*($|\/\/|\/\*|\*)/.test(line)).length;

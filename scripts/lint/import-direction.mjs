// Which workspace may import which. Imports point one way, so that a part can be understood, tested and
// thrown away without those above it.

const BASE = ['contracts', 'message-table'];
const SERVICES = ['order-service', 'inventory-service', 'relay', 'console'];
const ON_TOP = ['bench', 'demo', 'labs'];
/** What the how-to guides show: a reader has the component alone. */
const SHOWN = ['examples'];

/** Workspace → the workspaces that it may import. */
export const LAYERS = {
  'message-table': [],
  contracts: ['message-table'],
  ...layer(SERVICES, BASE),
  ...layer(SHOWN, ['message-table']),
  stack: [...BASE, ...SERVICES],
  loadtest: [...BASE, ...SERVICES, 'stack'],
  reconcile: [...BASE, 'stack'],
  chaos: [...BASE, ...SERVICES, 'stack', 'loadtest', 'reconcile'],
  ...layer(ON_TOP, [...BASE, ...SERVICES, 'stack', 'loadtest', 'reconcile', 'chaos']),
};

function layer(workspaces, allowed) {
  return Object.fromEntries(workspaces.map((workspace) => [workspace, allowed]));
}

/** The ESLint rules for one workspace's files of a kind: 'product', 'support' (what tests stand on) or 'test'. */
export function restrictedImports(workspace, kind) {
  const paths = kind === 'test' ? [nodeProcess, ...timers] : [nodeProcess];
  const patterns = [notBelow(workspace), acrossByPath, ...(kind === 'product' ? [testOnly] : [])];
  return { 'no-restricted-imports': ['error', { paths, patterns }] };
}

const nodeProcess = {
  name: 'node:process',
  message: 'Only main.ts and start.ts own the process, and there it is a global.',
};

const timers = ['node:timers', 'node:timers/promises'].map((name) => ({
  name,
  message: 'Wait for an event (testkit), never for time; to end a lease, backdate its row.',
}));

function notBelow(workspace) {
  const allowed = LAYERS[workspace];
  const listed =
    allowed.length === 0 ? '' : `(?!(?:${allowed.join('|')})(?:/testkit|/channel-conformance|/fastify|/rows)?$)`;
  const says = allowed.length === 0 ? 'imports no other workspace' : `may import only ${allowed.join(', ')}`;
  return { regex: `^@counterfoil/${listed}`, message: `Imports point one way: ${workspace} ${says}, by its name.` };
}

const acrossByPath = {
  regex: `^(?:\\.\\./){2,}(?:${Object.keys(LAYERS).join('|')})/(?:src|dist|package\\.json)`,
  message: 'Import another workspace by its name.',
};

const testOnly = {
  regex: '(?:^|/)(?:testkit|testing)(?:/|$)',
  message: 'Test support is for tests.',
};

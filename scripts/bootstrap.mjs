// The first thing every verb of package.json runs: it sets up what is missing, then hands over.
// An old Node must get as far as the version message, so this file keeps to syntax that Node 12 can parse
// and loads the rest only after the check. Node built-ins only: nothing is installed yet.
import { dirname } from 'path';
import { fileURLToPath } from 'url';

// Of those that say with 1 that the books are wrong, or that there is a difference.
const CANNOT_TELL = 2;

const VERBS = {
  start: { run: ['demo/dist/start.js'], servers: true },
  demo: { run: ['demo/dist/main.js'], servers: true, notSetUp: CANNOT_TELL },
  test: { run: ['scripts/test.mjs'], servers: true },
  'test:int': {
    run: ['scripts/test.mjs', '--int'],
    servers: true,
    ownServers: ['ORDER_DB_URL', 'INVENTORY_DB_URL', 'AMQP_URL'],
  },
  stack: { run: ['stack/dist/main.js'], servers: true },
  // Holds every order of a run in memory when it judges: millions after half an hour at 1000/s.
  chaos: { run: ['chaos/dist/main.js'], servers: true, largeHeap: true, notSetUp: CANNOT_TELL },
  reconcile: { run: ['reconcile/dist/main.js'], notSetUp: CANNOT_TELL },
  prove: { run: ['chaos/dist/prove/main.js'], servers: true },
  // With a URL there is a system already.
  loadtest: { run: ['loadtest/dist/run/main.js'], servers: true, serversUnless: '--url' },
};

const asked = VERBS[process.argv[2]];
const notSetUp = (asked && asked.notSetUp) || 1;

const MINIMUM_NODE = [20, 19];

function isOldNode(version) {
  const parts = version.split('.').map(Number);
  return parts[0] < MINIMUM_NODE[0] || (parts[0] === MINIMUM_NODE[0] && parts[1] < MINIMUM_NODE[1]);
}

if (isOldNode(process.versions.node)) {
  console.error(
    'Counterfoil needs Node ' +
      MINIMUM_NODE.join('.') +
      ' or newer; this is Node ' +
      process.versions.node +
      ' (' +
      process.execPath +
      ').\n' +
      'Install a newer one from https://nodejs.org, or with nvm: nvm install 22 && nvm use 22',
  );
  process.exit(notSetUp);
}

const root = dirname(dirname(fileURLToPath(import.meta.url)));
import('./bootstrap/set-up.mjs')
  .then(function (module) {
    return module.setUpAndHandOver(root, VERBS, process.argv[2], process.argv.slice(3));
  })
  .catch(function (error) {
    // A SetUpError says what to do; anything else is a bug of ours and needs its stack.
    console.error(error.name === 'SetUpError' ? error.message : error);
    process.exit(notSetUp);
  });

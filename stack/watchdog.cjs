'use strict';
// Started by src/watchdog.ts, which says what for. Plain JavaScript at a place that is the same for src/ and dist/,
// because tests run on the source and Node 20 cannot start a TypeScript file.
const { rm } = require('node:fs/promises');
const { request } = require('node:http');
const { createInterface } = require('node:readline');
const { setTimeout: rest } = require('node:timers/promises');

const GONE_WITHIN_MS = 10_000;
const LOOK_AGAIN_MS = 20;
const ASK_AGAIN_MS = 2_000;
const foldersToRemove = process.argv.slice(2);
const pids = new Set();
const containers = [];
const networks = [];
let released = false;

// Whoever ends a whole session ends the servers' owner too: that is when this is needed.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const [verb, what, address] = line.split(' ');
  if (verb === 'add') pids.add(Number(what));
  if (verb === 'remove') pids.delete(Number(what));
  if (verb === 'container') containers.push({ path: `/containers/${what}?force=true&v=true`, ...JSON.parse(address) });
  if (verb === 'network') networks.push({ path: `/networks/${what}`, ...JSON.parse(address) });
  if (verb === 'release') released = true;
});
lines.on('close', () => {
  if (!released) void cleanUp();
});

async function cleanUp() {
  const giveUpAtMs = Date.now() + GONE_WITHIN_MS;
  while (killAll() > 0 && Date.now() < giveUpAtMs) await rest(LOOK_AGAIN_MS);
  await Promise.all(containers.map(remove));
  // One that the engine was about to make when its owner died comes a moment later.
  if (containers.length > 0) await rest(ASK_AGAIN_MS);
  await Promise.all(containers.map(remove));
  await Promise.all(networks.map(remove));
  for (const folder of foldersToRemove) await rm(folder, { recursive: true, force: true, maxRetries: 10 });
}

// How many groups were still there.
function killAll() {
  return [...pids].filter((pid) => {
    try {
      process.kill(-pid, 'SIGKILL');
      return true;
    } catch {
      return false;
    }
  }).length;
}

// By the engine's HTTP API. One that is gone already is as good as removed.
function remove(target) {
  return new Promise((resolve) => {
    const sent = request({ ...target, method: 'DELETE' }, (answer) => answer.resume().on('end', resolve));
    sent.on('error', resolve);
    sent.end();
  });
}

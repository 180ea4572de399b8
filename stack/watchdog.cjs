'use strict';
// Started by src/watchdog.ts, which says what for. Plain JavaScript at a place that is the same for src/ and dist/,
// because tests run on the source and Node 20 cannot start a TypeScript file.
const { rm } = require('node:fs/promises');
const { createInterface } = require('node:readline');
const { setTimeout: rest } = require('node:timers/promises');

const GONE_WITHIN_MS = 10_000;
const foldersToRemove = process.argv.slice(2);
const pids = new Set();
let released = false;

// Whoever ends a whole session ends the servers' owner too: that is when this is needed.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const [verb, pid] = line.split(' ');
  if (verb === 'add') pids.add(Number(pid));
  if (verb === 'remove') pids.delete(Number(pid));
  if (verb === 'release') released = true;
});
lines.on('close', () => {
  if (!released) void cleanUp();
});

async function cleanUp() {
  const giveUpAtMs = Date.now() + GONE_WITHIN_MS;
  while (killAll() > 0 && Date.now() < giveUpAtMs) await rest(20);
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

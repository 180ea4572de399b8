import { readFileSync, readdirSync } from 'node:fs';

const NAMES = new Set(['epmd', 'beam.smp']);

/** Pids of the Erlang processes on this machine that are not of a private stack (those carry a port of their own for epmd). */
export function brokerProcesses() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter(
      (pid) => NAMES.has(read(`/proc/${pid}/comm`).trim()) && !read(`/proc/${pid}/environ`).includes('ERL_EPMD_PORT='),
    );
}

/** Ends those that the packages' scripts started although the policy forbids it: they would hold the default ports. */
export function endBrokerProcesses(before) {
  for (const pid of brokerProcesses().filter((each) => !before.includes(each))) {
    try {
      process.kill(pid, 'SIGTERM');
    } catch {
      // It ended by itself.
    }
  }
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

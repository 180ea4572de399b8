import { spawn } from 'node:child_process';
import { seconds } from '../test/seconds.mjs';

/** Runs Node once per part, `atOnce` at a time, and prints a line for each and what the failed ones said. Returns the exit code. */
export async function runAll(parts, { cwd, atOnce, write = (text) => process.stdout.write(`${text}\n`) }) {
  const startedMs = performance.now();
  const waiting = [...parts];
  const failed = [];
  const lane = async () => {
    for (let part = waiting.shift(); part; part = waiting.shift()) {
      const partStartedMs = performance.now();
      const { ok, output } = await run(part.args, cwd);
      write(`${ok ? '✓' : '✗'} ${part.name.padEnd(9)} ${seconds(partStartedMs)}`);
      if (!ok) failed.push(part.name);
      if (!ok || output.trim()) write(output.trimEnd().replace(/^/gm, '  '));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  write(`\ncheck: ${failed.length === 0 ? 'all well' : `${failed.join(', ')} failed`} in ${seconds(startedMs)}`);
  return failed.length === 0 ? 0 : 1;
}

function run(args, cwd) {
  const color = process.stdout.isTTY && !process.env.NO_COLOR ? { FORCE_COLOR: '1' } : {};
  const child = spawn(process.execPath, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...color },
  });
  const chunks = [];
  child.stdout.on('data', (chunk) => chunks.push(chunk));
  child.stderr.on('data', (chunk) => chunks.push(chunk));
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ ok: false, output: String(error) }));
    child.once('close', (code) => resolve({ ok: code === 0, output: Buffer.concat(chunks).toString() }));
  });
}

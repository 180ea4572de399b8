import { spawn } from 'node:child_process';

/**
 * Runs a command without showing it. Resolves with its exit code (128 when a signal ended it) and all it said.
 * `onStart` gets its pid.
 */
export function runQuietly(command, args, { onStart = () => undefined, ...options } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    // When we are told to end, npm must not go on writing into a folder whose lock we have just given back. It outlives SIGTERM.
    const endChild = () => child.kill('SIGKILL');
    if (child.pid !== undefined) onStart(child.pid);
    process.once('exit', endChild);
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => resolve({ code: 127, output: String(error) }));
    child.on('close', (code) => {
      process.off('exit', endChild);
      resolve({ code: code ?? 128, output });
    });
  });
}

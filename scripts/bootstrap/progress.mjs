const FRAMES = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';
const PLAIN_LINE_EVERY_MS = 15_000;

// All of it goes to stderr: stdout belongs to the verb (`stack -- up --json`).
export async function withProgress(label, work) {
  const startedAt = Date.now();
  const seconds = () => `${Math.round((Date.now() - startedAt) / 1000)} s`;
  const isTerminal = process.stderr.isTTY === true;
  let frame = 0;
  const draw = () => {
    if (isTerminal) process.stderr.write(`\r\x1b[2K${FRAMES[frame++ % FRAMES.length]} ${label} … ${seconds()}`);
    else process.stderr.write(`${label} … ${seconds()}\n`);
  };
  if (isTerminal) draw();
  else process.stderr.write(`${label} …\n`);
  const timer = setInterval(draw, isTerminal ? 100 : PLAIN_LINE_EVERY_MS);
  try {
    const result = await work();
    process.stderr.write(`${isTerminal ? '\r\x1b[2K' : ''}✓ ${label} (${seconds()})\n`);
    return result;
  } catch (error) {
    process.stderr.write(`${isTerminal ? '\r\x1b[2K' : ''}✗ ${label} (${seconds()})\n`);
    throw error;
  } finally {
    clearInterval(timer);
  }
}

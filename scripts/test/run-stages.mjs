import { seconds } from './seconds.mjs';

/**
 * Runs the stages in order, a failed one too, and prints the sum as its last line.
 * A stage is a name and a `run` that resolves to its tally `{ passed, failed, skipped }`.
 * Returns the exit code: 0 only when something passed and nothing failed.
 */
export async function runStages(stages, { write = (line) => process.stdout.write(`${line}\n`) } = {}) {
  const closing = [];
  const sum = { passed: 0, failed: 0 };
  for (const stage of stages) {
    write(`\n━━ ${stage.name} ${'━'.repeat(Math.max(4, 76 - stage.name.length))}\n`);
    const startedMs = performance.now();
    const tally = await tallyOf(stage, write);
    closing.push(`${mark(tally)} ${stage.name.padEnd(10)} ${describe(tally)} ${seconds(startedMs)}`);
    sum.passed += tally.passed;
    sum.failed += tally.failed;
  }
  if (sum.passed + sum.failed === 0) {
    closing.push('✗ no test was executed');
    sum.failed = 1;
  }
  write(`\n${closing.join('\n')}\n\n${sum.passed} passed, ${sum.failed} failed`);
  return sum.failed === 0 ? 0 : 1;
}

// A stage that breaks proves nothing, so it counts as failed whatever it had counted before.
async function tallyOf(stage, write) {
  try {
    return await stage.run();
  } catch (error) {
    write(`${stage.name} broke: ${error.message}`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

const mark = (tally) => (tally.failed > 0 ? '✗' : '✓');

function describe({ passed, failed, skipped }) {
  const left = skipped > 0 ? `, ${skipped} skipped` : '';
  return `${passed} passed, ${failed} failed${left}`.padEnd(36);
}

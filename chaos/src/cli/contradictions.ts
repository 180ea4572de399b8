/** What takes a run or a plan as it is, with the only flags that have a say beside it. */
const TASKS: Readonly<Record<string, { readonly does: string; readonly takes: readonly string[] }>> = {
  plan: { does: 'replays the plan of its file as it is', takes: ['stack', 'json', 'again'] },
  shrink: { does: 'replays parts of the plan of its folder', takes: ['shrink-runs', 'stack'] },
  report: { does: 'judges what its folder holds', takes: ['json'] },
  'scenario regressions': { does: 'replays plans as they are', takes: ['stack', 'json', 'again'] },
};

/**
 * A flag that would be ignored is refused: an honest run in answer to `--plan p --sabotage s` looks as if nobody noticed the bug.
 *
 * @param given names of the flags that were given
 * @throws Error that names two that do not go together
 */
export function refuseContradictions(given: readonly string[], scenario: string | undefined): void {
  const replaysAll = scenario === 'regressions';
  const flags = given.map((name) => (name === 'scenario' && replaysAll ? 'scenario regressions' : name));
  const asked = flags.find((name) => name in TASKS);
  const task = TASKS[asked ?? ''];
  const other = flags.find((name) => name !== asked && task?.takes.includes(name) === false);
  if (asked === undefined || task === undefined || other === undefined) return;
  throw new Error(`--${other} does not go with --${asked}, which ${task.does}: leave out one of the two`);
}

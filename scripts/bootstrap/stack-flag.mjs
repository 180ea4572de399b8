/** Takes `--stack NAME` or `--stack=NAME` out of a verb's arguments. Whether there is such a stack is for the verb to say. */
export function takeStack(args) {
  const at = args.findIndex((arg) => arg === '--stack' || arg.startsWith('--stack='));
  if (at < 0) return { stack: undefined, rest: args };
  const joined = args[at] !== '--stack';
  const stack = joined ? args[at].slice('--stack='.length) : args[at + 1];
  return { stack, rest: [...args.slice(0, at), ...args.slice(at + (joined ? 1 : 2))] };
}

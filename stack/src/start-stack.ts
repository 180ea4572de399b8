import { startNativeStack } from './native/native-stack.js';
import { missingPrograms } from './native/find-programs.js';
import type { BackendName, Stack, StackOptions } from './stack.js';

/**
 * Starts the servers on free ports of 127.0.0.1 and resolves when each has done its work once. Any number of stacks run
 * side by side. When this process dies, by whatever signal, nothing of the stack is left.
 */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  if (backendFor(options.backend) === 'native') return startNativeStack(options);
  // Loaded only where it is used: it takes longer than some servers take to start.
  const { startContainerStack } = await import('./containers/container-stack.js');
  return startContainerStack(options);
}

/** Where the servers of a stack run that is asked for so. */
export function backendFor(asked: BackendName | undefined): BackendName {
  return asked ?? (missingPrograms().length === 0 ? 'native' : 'containers');
}

/** For `--stack`. @throws Error for any other word */
export function readBackend(word: string | undefined): BackendName | undefined {
  if (word === undefined || word === 'native' || word === 'containers') return word;
  throw new Error(`--stack must be native or containers, not '${word}'`);
}

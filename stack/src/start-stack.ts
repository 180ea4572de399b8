import { startNativeStack } from './native/native-stack.js';
import type { Stack, StackOptions } from './stack.js';

/**
 * Starts the servers on free ports of 127.0.0.1 and resolves when each has done its work once. Any number of stacks run
 * side by side. When this process dies, by whatever signal, nothing of the stack is left.
 */
export function startStack(options: StackOptions = {}): Promise<Stack> {
  return startNativeStack(options);
}

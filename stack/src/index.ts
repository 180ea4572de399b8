export { endWhenBroken } from './end-when-broken.js';
export { endWhenNobodyReads } from './end-when-nobody-reads.js';
export { announce, runningSystems, type RunningSystem } from './running-systems.js';
export { backendFor, readBackend, startStack } from './start-stack.js';
export { stopOnSignals } from './stop-on-signals.js';
export { StackError, type StackErrorCode } from './stack-error.js';
export type * from './stack.js';

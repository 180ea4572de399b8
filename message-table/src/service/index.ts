export { privateIsAllowed, someChannel } from './channel-rules.js';
export {
  leaseOutlivesAttempts,
  leaseOutlivesBatch,
  pick,
  poolHasRoom,
  prefetchFillsBatch,
  retryGrows,
} from './common-settings.js';
export { runUntilSignal, startInOrder, stopInReverse, type Service } from './lifecycle.js';
export { createLoop, jittered, type Loop } from './loop.js';
export { createHttp, type Http } from './http.js';
export { idempotencyKeyOf } from './idempotency-key.js';
export { createOperations, type OperationsHandler, type Readiness } from './operations.js';
export { answerErrors, Problem, sendProblem, type AnswerError } from './problem.js';
export { migrationService, runMain, type Parts, type ProcessContext, type ProcessDefinition } from './run-main.js';
export type { Secrets } from './secrets.js';
export { integer, oneOf, type IdRange } from './setting-types.js';
export {
  describeSettings,
  readSettings,
  required,
  type Environment,
  type Rule,
  type Setting,
  type Values,
} from './settings.js';
export { Turns } from './turns.js';

export { DEDUCTIONS_PATH } from './http.js';
export { decision, deduction, readBody, SHARD_NAME, type Decision, type Deduction } from './messages.js';
export { DECIDED, decidedRoute, DEDUCT, topology } from './topology.js';

export { decision, deduction, readBody, type Decision, type Deduction } from './messages.js';
export { DECIDED, DEDUCT, topology } from './topology.js';

export { DEDUCTIONS_PATH } from './http.js';
export { decision, deduction, readBody, type Decision, type Deduction } from './messages.js';
export { DECIDED, DEDUCT, topology } from './topology.js';

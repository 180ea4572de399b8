export { aRun } from './facts-builder.js';
export { flip, withBooks, withEnd } from './mutate.js';

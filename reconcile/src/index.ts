export { MEANINGS, type Difference, type DifferenceKind, type Meaning, type Remedy } from './difference.js';
export { reconcile, type Looked } from './reconcile.js';
export { repair, type Repaired, type RepairOptions } from './repair.js';
export type { DatabaseName, Databases, RouteName } from './routes.js';
export type { Walking } from './walks/walk.js';

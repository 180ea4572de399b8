import { dirname, join } from 'node:path';

/** The built main file of a workspace. */
export const mainOf = (workspace: string): string =>
  join(dirname(require.resolve(`@counterfoil/${workspace}/package.json`)), 'dist', 'main.js');

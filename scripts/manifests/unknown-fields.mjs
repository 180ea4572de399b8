import { join } from 'node:path';
import ts from 'typescript';
import { moduleOf } from './kubernetes.mjs';

/**
 * Fields that the API does not know: its schemas let them through, and the server drops them without a word. The types of
 * the same package know every field, so each manifest is checked as a literal of its type.
 */
export function unknownFields(root, objects) {
  const file = join(root, 'manifests.virtual.ts');
  const lines = objects.map(({ object }, index) => {
    const type = `import('${moduleOf(object)}').I${object.kind}`;
    return `export const m${index}: ${type} = ${JSON.stringify(object)};`;
  });
  const program = ts.createProgram([file], OPTIONS, hostWith(file, lines.join('\n')));
  return ts.getPreEmitDiagnostics(program).map(({ file: at, start = 0, messageText }) => {
    const line = at?.getLineAndCharacterOfPosition(start).line ?? 0;
    return `${objects[line]?.at}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}

const OPTIONS = {
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  types: [],
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.Node20,
  moduleResolution: ts.ModuleResolutionKind.Node16,
};

function hostWith(file, text) {
  const host = ts.createCompilerHost(OPTIONS);
  const { fileExists, getSourceFile } = host;
  host.fileExists = (name) => name === file || fileExists.call(host, name);
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, text, OPTIONS.target, true) : getSourceFile.call(host, name, ...rest);
  return host;
}

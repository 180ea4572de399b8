// What the style guide asks and a machine can see. CONTRIBUTING.md says the rest.
import js from '@eslint/js';
import comments from '@eslint-community/eslint-plugin-eslint-comments/configs';
import { defineConfig, globalIgnores } from 'eslint/config';
import globals from 'globals';
import ts from 'typescript-eslint';
import { LAYERS, restrictedImports } from './scripts/lint/import-direction.mjs';

const TS = ['**/*.ts', '**/*.tsx'];
const TESTS = ['**/*.test.ts', '**/*.test.tsx'];
const TEST_SUPPORT = ['**/testkit/**', '**/testing/**'];
const ENTRIES = ['*/src/**/main.ts', '*/src/**/start.ts'];
const RENDERERS = ['**/render.ts', '**/render/**'];

const within = (workspace, globs) => globs.map((glob) => `${workspace}/${glob}`);

const sizes = {
  'max-lines': ['error', { max: 200, skipBlankLines: true, skipComments: true }],
  'max-lines-per-function': ['error', { max: 40, skipBlankLines: true, skipComments: true }],
  'max-depth': ['error', 3],
  'max-params': ['error', 4],
  complexity: ['error', 10],
};

const noSyntax = {
  defaultExport: {
    selector: 'ExportDefaultDeclaration',
    message: 'Export by name, so that a thing has one name everywhere.',
  },
  bareImport: {
    selector:
      ':matches(ImportDeclaration, ExportNamedDeclaration, ExportAllDeclaration)[source.value=/^[.](?!.*[.]js(on)?$)/]',
    message: 'End a relative import with .js: the source stays valid as ES modules (docs/decisions/0001).',
  },
  enumeration: { selector: 'TSEnumDeclaration', message: 'Use a union of string literals.' },
  sleep: {
    selector: 'CallExpression[callee.name=/^(sleep|delay|setTimeout|setInterval)$/]',
    message: 'Wait for an event (testkit), never for time; to end a lease, backdate its row.',
  },
  focus: {
    selector:
      'CallExpression > MemberExpression.callee[object.name=/^(describe|it|test)$/][property.name=/^(only|skip|todo)$/]',
    message: 'A test that is left out proves nothing.',
  },
  should: {
    selector: 'CallExpression[callee.name=/^(it|test)$/] > Literal.arguments:first-child[value=/^should\\b/]',
    message: "A test's name is a promise: 'when …, then …'.",
  },
};

const noProcess = {
  name: 'process',
  message: 'Only main.ts and start.ts own the process: take what is needed as an argument.',
};

const typescript = {
  '@typescript-eslint/consistent-type-imports': 'error',
  '@typescript-eslint/no-import-type-side-effects': 'error',
  '@typescript-eslint/explicit-module-boundary-types': 'error',
  '@typescript-eslint/prefer-readonly': 'error',
  '@typescript-eslint/switch-exhaustiveness-check': ['error', { requireDefaultForNonUnion: true }],
  '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreUsingDeclarations: true }],
  '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
  '@typescript-eslint/no-require-imports': ['error', { allowAsImport: true }],
  // An async interface is kept without an await where the answer is already there.
  '@typescript-eslint/require-await': 'off',
  '@typescript-eslint/no-confusing-void-expression': 'off',
  // It asks for the `!` that no-non-null-assertion forbids.
  '@typescript-eslint/non-nullable-type-assertion-style': 'off',
};

export default defineConfig([
  globalIgnores(['**/dist/', '**/coverage/', 'runs/']),
  { linterOptions: { reportUnusedDisableDirectives: 'error', reportUnusedInlineConfigs: 'error' } },
  js.configs.recommended,
  comments.recommended,
  {
    rules: {
      ...sizes,
      '@eslint-community/eslint-comments/require-description': ['error', { ignore: ['eslint-enable'] }],
      eqeqeq: 'error',
      'no-console': 'error',
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
    },
  },
  {
    files: TS,
    extends: [ts.configs.strictTypeChecked, ts.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      ...typescript,
      'no-restricted-globals': ['error', noProcess],
      'no-restricted-syntax': ['error', noSyntax.defaultExport, noSyntax.bareImport, noSyntax.enumeration],
    },
  },
  ...Object.keys(LAYERS).flatMap((workspace) => [
    { files: within(workspace, TS), rules: restrictedImports(workspace, 'product') },
    { files: within(workspace, TEST_SUPPORT), rules: restrictedImports(workspace, 'support') },
    { files: within(workspace, TESTS), rules: restrictedImports(workspace, 'test') },
  ]),
  {
    files: TESTS,
    rules: {
      'no-restricted-syntax': ['error', ...Object.values(noSyntax)],
      // Jest types expect.any() and its kin as any, and mocks are handed over unbound.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    files: [...TESTS, '**/*.test.mjs'],
    rules: {
      'max-lines-per-function': 'off',
      'max-lines': ['error', { max: 320, skipBlankLines: true, skipComments: true }],
    },
  },
  // Processes are what stack/ is about.
  {
    files: [...ENTRIES, 'stack/src/**', 'chaos/src/{world,fail-points,sabotage}/**', ...TESTS, ...TEST_SUPPORT],
    rules: { 'no-restricted-globals': 'off' },
  },
  // What is preloaded into a process replaces modules by their built files, which only require() can reach.
  { files: ['chaos/src/{fail-points,sabotage}/**'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
  { files: [...ENTRIES, ...RENDERERS, 'scripts/**'], rules: { 'no-console': 'off' } },
  { files: ['**/*.{mjs,cjs,js}'], languageOptions: { globals: globals.node } },
  { files: ['**/*.{cjs,js}'], languageOptions: { sourceType: 'commonjs' } },
  // k6 knows modules only, and what a script exports by default is what each of its users does.
  {
    files: ['loadtest/k6/**/*.js'],
    languageOptions: { sourceType: 'module', globals: { __ENV: 'readonly' } },
  },
]);

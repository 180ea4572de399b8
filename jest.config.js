'use strict';

const { existsSync } = require('node:fs');
const { workspaces } = require('./package.json');

const swc = [
  '@swc/jest',
  {
    jsc: {
      parser: { syntax: 'typescript', tsx: true, decorators: true },
      transform: { decoratorVersion: '2022-03' },
      target: 'es2022',
    },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
  },
];

/** Tests run on the source of every workspace, so that nothing has to be built first and nothing can be stale. */
const onSource = {
  rootDir: __dirname,
  roots: workspaces.map((workspace) => `${__dirname}/${workspace}/src`).filter((folder) => existsSync(folder)),
  testEnvironment: 'node',
  moduleFileExtensions: ['js', 'ts', 'tsx', 'json', 'node'],
  transform: { '^.+\\.tsx?$': swc },
  moduleNameMapper: {
    '^@counterfoil/message-table/channel-conformance$': '<rootDir>/message-table/src/testkit/conformance/index.ts',
    '^@counterfoil/message-table/(fastify|rows)$': '<rootDir>/message-table/src/$1.ts',
    '^@counterfoil/([^/]+)$': '<rootDir>/$1/src/index.ts',
    '^@counterfoil/([^/]+)/testkit$': '<rootDir>/$1/src/testkit/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
};

const onServers = {
  ...onSource,
  globalSetup: '<rootDir>/scripts/jest/int-setup.cjs',
  globalTeardown: '<rootDir>/scripts/jest/int-teardown.cjs',
};

/** @type {import('jest').Config} */
module.exports = {
  testTimeout: 30_000,
  projects: [
    {
      ...onSource,
      displayName: 'unit',
      testMatch: ['**/*.test.ts'],
      testPathIgnorePatterns: ['\\.(int|containers)\\.test\\.ts$', '/node_modules/'],
    },
    {
      ...onServers,
      displayName: 'int',
      testMatch: ['**/*.int.test.ts'],
      testPathIgnorePatterns: ['\\.alone\\.int\\.test\\.ts$', '/node_modules/'],
    },
    // They stop and starve the servers themselves, or set them up otherwise, so no other test may use these meanwhile.
    { ...onServers, displayName: 'int-alone', testMatch: ['**/*.alone.int.test.ts'] },
    // They need a container engine, which not every machine has: run by `npm test -- --stack containers`.
    { ...onSource, displayName: 'containers', testMatch: ['**/*.containers.test.ts'] },
  ],
};

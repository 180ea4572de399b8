'use strict';

// Loaded into a process before its own code: at its end it writes down which packages of OpenTelemetry it has loaded.
const { writeFileSync } = require('node:fs');

process.on('exit', () => {
  const packages = Object.keys(require.cache).flatMap((file) => /@opentelemetry\/([^/]+)\//.exec(file)?.[1] ?? []);
  writeFileSync(process.env.LOADED_FILE, JSON.stringify([...new Set(packages)]));
});

'use strict';
// Whether the process in this container can do its work now. Node alone: the image has no curl.
const { get } = require('node:http');

const ask = get({ host: '127.0.0.1', port: process.env.PORT, path: '/readyz', timeout: 9_000 }, (answer) => {
  answer.pipe(process.stdout);
  answer.on('end', () => {
    process.exitCode = answer.statusCode === 200 ? 0 : 1;
  });
});
ask.on('timeout', () => ask.destroy(new Error('no answer')));
ask.on('error', (error) => {
  process.stdout.write(error.message);
  process.exitCode = 1;
});

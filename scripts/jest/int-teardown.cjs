'use strict';

/** Long enough for Jest to have said what became of the tests, short of the second after which it says that it hangs. */
const LINGER_MS = 500;

module.exports = async function tearDown() {
  await globalThis.counterfoilStack?.stop();
  // Node 20 can spin for ever in its own clean-up after an orderly end of a long run; process.exit() leaves that out.
  // Jest's listener for 'exit' sets the code.
  setTimeout(() => process.exit(), LINGER_MS);
};

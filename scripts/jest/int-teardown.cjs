'use strict';

module.exports = async function tearDown() {
  await globalThis.counterfoilStack?.stop();
};

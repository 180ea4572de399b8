import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { takeStack } from './stack-flag.mjs';

describe('the flag --stack', () => {
  it('when it is among the arguments, then it is taken out, in either spelling', () => {
    assert.deepEqual(takeStack(['a', '--stack', 'containers', 'b']), { stack: 'containers', rest: ['a', 'b'] });
    assert.deepEqual(takeStack(['a', '--stack=native']), { stack: 'native', rest: ['a'] });
  });

  it('when it is not, then nothing changes', () => {
    assert.deepEqual(takeStack(['a', '--stacks']), { stack: undefined, rest: ['a', '--stacks'] });
  });
});

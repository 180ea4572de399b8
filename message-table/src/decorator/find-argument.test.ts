import { MessageTableError } from '../errors.js';
import { findByPath, parameterNames } from './find-argument.js';

const request = { command: { taskName: 't' } };

class Orders {
  plain(request: unknown): unknown {
    return request;
  }
  async second(_first: unknown, request: unknown): Promise<unknown> {
    return request;
  }
  commented(
    /* (the one, */ request: unknown, // not this) one
    _other: unknown,
  ): unknown {
    return request;
  }
  async *generated(request: unknown): AsyncGenerator {
    yield request;
  }
  withDefault(request: unknown = { command: ')' }, _other = 1): unknown {
    return request;
  }
  takenApart({ command }: { command: unknown }, request: unknown): unknown {
    return [command, request];
  }
  rest(...request: unknown[]): unknown {
    return request;
  }
  $größe_1(größe: unknown): unknown {
    return größe;
  }
}

const { plain, second, commented, generated, withDefault, takenApart, rest, $größe_1 } = Orders.prototype;

describe('a parameter is found by its name in the source', () => {
  it.each([
    [plain, ['request']],
    [second, ['_first', 'request']],
    [commented, ['request', '_other']],
    [generated, ['request']],
    [withDefault, ['request']],
    [takenApart, []],
    [rest, []],
    [$größe_1, ['größe']],
    [(request: unknown): unknown => request, ['request']],
  ])('when the method is %p, then its names are %p', (method, names) => {
    expect(parameterNames(method)).toEqual(names);
  });

  it('when a path leads from the second parameter, then the first is not looked at', () => {
    expect(findByPath('request.command', second)({ command: 1 }, request)).toBe(request.command);
  });

  it('when the path is a name alone, then it is the argument itself', () => {
    expect(findByPath('request', plain)(request)).toBe(request);
  });

  it.each([
    ['order.command', plain],
    ['request.command', takenApart],
    ['request.command', rest],
    ['', plain],
    ['request.command', Math.max],
  ])('when %s is no parameter of %p, then that shows when the class is defined, with a way out', (path, method) => {
    const define = (): unknown => findByPath(path, method);
    expect(define).toThrow(MessageTableError);
    expect(define).toThrow(/give a function/);
  });
});

describe('a path is followed at the call', () => {
  it.each([undefined, null, 7, {}, { command: undefined }])(
    'when it leads nowhere from %p, then there is nothing, and nothing is thrown',
    (argument) => {
      expect(findByPath('request.command', plain)(argument)).toBeUndefined();
    },
  );
});

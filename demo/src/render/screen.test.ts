import { Screen } from './screen.js';

function screenOf(output: { isTTY?: boolean; columns?: number; rows?: number }, noColour = false) {
  const written: string[] = [];
  const screen = new Screen({ ...output, write: (text) => written.push(text) }, noColour);
  return { screen, written };
}

describe('the screen', () => {
  it('when the panel is drawn again, then it takes its own place in one write', () => {
    const { screen, written } = screenOf({ isTTY: true, columns: 80, rows: 24 });
    screen.draw(['a', 'b'], '', 0);
    screen.draw(['c'], '', 1);
    expect(written).toEqual(['a\x1b[K\nb\x1b[K\n\x1b[J', '\x1b[2Ac\x1b[K\n\x1b[J']);
  });

  it('when something is said, then it stays above the panel', () => {
    const { screen, written } = screenOf({ isTTY: true, columns: 80, rows: 24 });
    screen.draw(['panel'], '', 0);
    screen.say('said');
    expect(written.at(-1)).toBe('\x1b[1Asaid\x1b[K\npanel\x1b[K\n\x1b[J');
  });

  it('when there is no terminal, then there are no control characters, and a line a second', () => {
    const { screen, written } = screenOf({});
    screen.say('said');
    for (const nowMs of [0, 400, 999, 1_000, 1_500]) screen.draw(['panel'], `line ${String(nowMs)}`, nowMs);
    screen.clear();
    expect(written.join('')).toBe('said\nline 0\nline 1000\n');
  });

  it('when colours are not wanted, or there is no terminal, then there are none', () => {
    expect(screenOf({ isTTY: true }, true).screen.paint.red('x')).toBe('x');
    expect(screenOf({}).screen.paint.red('x')).toBe('x');
    expect(screenOf({ isTTY: true }).screen.paint.red('x')).not.toBe('x');
  });
});

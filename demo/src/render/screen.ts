import { createPaint, fit, type Paint } from './paint.js';

export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

const CLEAR_TO_END = '\x1b[J';
const up = (lines: number): string => (lines === 0 ? '' : `\x1b[${String(lines)}A`);
const WIDEST = 100;
const LIVE_LINE_EVERY_MS = 1_000;

/** A terminal in which a block of lines is drawn in place, or a pipe that gets a line a second. */
export class Screen {
  readonly paint: Paint;
  private drawn = 0;
  private toldAtMs = -Infinity;

  constructor(
    private readonly output: Output,
    noColour: boolean,
  ) {
    this.paint = createPaint(output.isTTY === true && !noColour);
  }

  get width(): number {
    return Math.min(WIDEST, this.output.columns ?? WIDEST);
  }

  /** Lines that stay. */
  say(...lines: readonly string[]): void {
    this.output.write(`${this.erase()}${lines.map((line) => fit(line, this.width)).join('\n')}\n`);
    this.drawn = 0;
  }

  /** Takes the place of what was drawn before; what does not fit on the screen is left out, or the rest would scroll away. */
  draw(lines: readonly string[], line: string, nowMs: number): void {
    if (this.output.isTTY === true) {
      const shown = lines.slice(0, (this.output.rows ?? 24) - 1);
      this.output.write(`${this.erase()}${shown.join('\n')}\n`);
      this.drawn = shown.length;
    } else if (nowMs - this.toldAtMs >= LIVE_LINE_EVERY_MS) {
      this.toldAtMs = nowMs;
      this.output.write(`${line}\n`);
    }
  }

  /** What was drawn stays as it is. */
  keep(): void {
    this.drawn = 0;
  }

  private erase(): string {
    return this.drawn === 0 ? '' : `${up(this.drawn)}${CLEAR_TO_END}`;
  }
}

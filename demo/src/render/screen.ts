import { createPaint, fit, type Paint } from './paint.js';

export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

const up = (lines: number): string => (lines === 0 ? '' : `\x1b[${String(lines)}A`);
const CLEAR_LINE_END = '\x1b[K';
const CLEAR_BELOW = '\x1b[J';
const WIDEST = 80;
const LIVE_LINE_EVERY_MS = 1_000;

/** A terminal in whose last lines a panel is drawn in place, or a pipe that gets a line a second. */
export class Screen {
  readonly paint: Paint;
  private panel: readonly string[] = [];
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

  /** Lines that stay, above the panel. */
  say(...lines: readonly string[]): void {
    this.rewrite(
      lines.map((line) => fit(line, this.width)),
      this.panel,
    );
  }

  /**
   * The panel takes the place of the one before, in one write and line over line, so that nothing flickers; what does
   * not fit on the screen is left out, or the rest would scroll away.
   *
   * @param line what a pipe gets instead
   */
  draw(panel: readonly string[], line: string, nowMs: number): void {
    if (this.output.isTTY === true) this.rewrite([], panel.slice(0, (this.output.rows ?? 24) - 1));
    else if (nowMs - this.toldAtMs >= LIVE_LINE_EVERY_MS) {
      this.toldAtMs = nowMs;
      this.output.write(`${line}\n`);
    }
  }

  /** The panel is gone. */
  clear(): void {
    this.rewrite([], []);
  }

  private rewrite(lines: readonly string[], panel: readonly string[]): void {
    const onTerminal = this.output.isTTY === true;
    const end = onTerminal ? `${CLEAR_LINE_END}\n` : '\n';
    const text = [...lines, ...panel].map((line) => line + end).join('');
    this.output.write(onTerminal ? `${up(this.panel.length)}${text}${CLEAR_BELOW}` : text);
    this.panel = panel;
  }
}

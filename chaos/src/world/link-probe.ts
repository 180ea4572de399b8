import { connect } from 'node:net';

/** What a connection of our own met on its way to a server and back. */
export interface Probe {
  /** Until the server's last word; null: it did not come. */
  readonly tookMs: number | null;
  /** Reads in which its words came. */
  readonly pieces: number;
  /** The connection was ended before that. */
  readonly isCut: boolean;
}

const PATIENCE_MS = 1_000;
/** Pieces of one answer come closer together than this. */
const SILENCE_MS = 100;

/** What to say to a server so that it answers, before anybody has logged in; and how often it speaks. */
const SPEAKING = {
  /** The header of its protocol, which it answers with its first frame. */
  broker: { answers: 1, words: Buffer.from('AMQP\x00\x00\x09\x01', 'latin1') },
  /** It speaks first; and again when it is answered with something that is no login. */
  database: { answers: 2, words: Buffer.from('\x01\x00\x00\x01\x00', 'latin1') },
};

export type Spoken = keyof typeof SPEAKING;

/** Words to a server and its answer: what takes up to a second, uses both directions of a link, and never rejects. */
export function probeLink(address: string, spoken: Spoken): Promise<Probe> {
  const { answers, words } = SPEAKING[spoken];
  const { hostname: host, port } = new URL(`tcp://${address}`);
  return new Promise((resolve) => {
    const startedMs = performance.now();
    let lastMs = startedMs;
    let pieces = 0;
    let missing = answers;
    let silence: NodeJS.Timeout | undefined;
    const socket = connect({ host, port: Number(port), noDelay: true });
    const end = (isCut: boolean): void => {
      clearTimeout(patience);
      clearTimeout(silence);
      socket.destroy();
      const isAnswered = missing === 0 || (missing === 1 && silence !== undefined);
      resolve({ tookMs: isAnswered ? lastMs - startedMs : null, pieces, isCut: isCut && !isAnswered });
    };
    const patience = setTimeout(() => end(false), PATIENCE_MS);
    const speak = (): void => {
      silence = undefined;
      missing -= 1;
      if (missing === 0) end(false);
      else socket.write(words);
    };
    socket.on('error', () => end(true)).on('close', () => end(true));
    if (answers === 1) socket.write(words);
    socket.on('data', () => {
      pieces += 1;
      lastMs = performance.now();
      clearTimeout(silence);
      silence = setTimeout(speak, SILENCE_MS);
    });
  });
}

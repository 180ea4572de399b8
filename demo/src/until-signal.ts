type SignalSource = Pick<NodeJS.EventEmitter, 'on'> & { exit(code: number): never };

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Resolves at the first signal, so that everything can be stopped in order; the second ends the process at once. */
export function untilSignal(source: SignalSource): Promise<'signal'> {
  let seen = 0;
  return new Promise((resolve) => {
    for (const signal of SIGNALS) {
      source.on(signal, () => {
        seen += 1;
        if (seen > 1) source.exit(130);
        resolve('signal');
      });
    }
  });
}

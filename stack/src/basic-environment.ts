const KEPT = ['PATH', 'LANG', 'TZ', 'TMPDIR', 'HOME', 'SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS'];

/** What a process needs to run at all. The rest stays behind: a DB_URL or RABBITMQ_… in somebody's shell must not reach a private stack. */
export function basicEnvironment(): Record<string, string> {
  return Object.fromEntries(
    KEPT.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

/** Where a service's traces go is for whoever starts it to say. */
export function tracesEnvironment(): Record<string, string> {
  const told = Object.entries(process.env).filter(([name]) => name.startsWith('OTEL_'));
  return Object.fromEntries(told.map(([name, value]) => [name, value ?? '']));
}

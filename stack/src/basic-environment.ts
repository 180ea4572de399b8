const KEPT = ['PATH', 'LANG', 'TZ', 'TMPDIR', 'HOME', 'SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS'];

/** What a process needs to run at all. The rest stays behind: a DB_URL or RABBITMQ_… in somebody's shell must not reach a private stack. */
export function basicEnvironment(): Record<string, string> {
  return Object.fromEntries(
    KEPT.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

import { secrets } from './secrets.js';
import { amqpUrls, hostPorts, integer } from './setting-types.js';

/** Which ways out a process has, and where they may lead. */
export const CHANNELS = {
  AMQP_URL: {
    type: amqpUrls,
    fallback: '',
    help: 'the broker, amqp://…; several with commas are tried in turn; without it nothing goes over RabbitMQ',
  },
  HTTP_ALLOW: {
    type: hostPorts,
    fallback: '',
    help: 'host:port that messages may be sent to, exact, with commas; without it nothing goes over HTTP',
  },
  HTTP_ALLOW_PRIVATE: {
    type: hostPorts,
    fallback: '',
    help: 'of these, which may be at private, loopback and other addresses that are not public; each opens what stands there to whoever writes messages',
  },
  HTTP_PER_HOST: {
    type: integer(1, 10_000),
    unit: 'requests',
    fallback: '64',
    help: 'to one host at once, in each process; keep it below RELAY_BATCH and FAST_PATH_QUEUE, or one slow host holds the places of all',
  },
  'SECRET_*': {
    type: secrets,
    fallback: '',
    help: 'SECRET_<NAME> is the whole value of Authorization for messages that say secret:<NAME>; SECRET_<NAME>_FILE names a file that holds it, read at each attempt',
  },
  BREAKER_WINDOW_MS: {
    type: integer(0, 3_600_000),
    unit: 'ms',
    fallback: '10000',
    help: "a host that took another message so recently is not blamed for trouble; longer: an outage that begins uses up more of the messages' attempts",
  },
  BREAKER_PAUSE_MS: {
    type: integer(100, 300_000),
    unit: 'ms',
    fallback: '1000',
    help: 'how long a destination that does not answer is left alone at first; doubles to five minutes until it takes a message; shorter: more attempts in vain; longer: one that is back soon is found late',
  },
  UNKNOWN_MAX_AGE_MS: {
    type: integer(1_000, 31_536_000_000),
    unit: 'ms',
    fallback: '86400000',
    help: 'messages without an answer for longer are named in log and metrics, for a person to decide; shorter: every outage is',
  },
} as const;

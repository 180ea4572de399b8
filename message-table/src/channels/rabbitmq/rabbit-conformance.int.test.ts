import { channelConformance, type Arrived } from '../../testkit/conformance/index.js';
import { servers, testTopology } from './testing/broker.js';
import { RabbitSuite } from './testing/suite.js';

const suite = new RabbitSuite(servers(process.env));
const ATTEMPT_TIMEOUT_MS = 2_000;

channelConformance('rabbitmq', async () => {
  const { broker } = suite;
  const topology = testTopology();
  const { exchange, queue } = topology;
  const line = await suite.proxy();
  const urls = broker.url(line.listeningPort);
  const channel = await suite.upChannel({ topology, urls, attemptTimeoutMs: ATTEMPT_TIMEOUT_MS });
  const all: Arrived[] = [];
  return {
    channel,
    attemptTimeoutMs: ATTEMPT_TIMEOUT_MS,
    taken: { exchange, routingKey: 'key' },
    refused: { exchange, routingKey: 'nobody is bound here' },
    silence: () => line.hold('toServer'),
    arrived: async () => {
      for (
        let got = await broker.channel.get(queue, { noAck: true });
        got;
        got = await broker.channel.get(queue, { noAck: true })
      ) {
        const { messageId, headers } = got.properties;
        all.push({ messageId: String(messageId), content: got.content.toString('utf8'), headers: headers ?? {} });
      }
      return all;
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
});

import { CONFIRMED, refused, unknown } from '../channels/outcome.js';
import { channelConformance } from './conformance/index.js';
import { ScriptedChannel } from './scripted-channel.js';

channelConformance('that tests script', () => {
  const channel = new ScriptedChannel();
  const answer = { of: CONFIRMED };
  channel.automatic = ({ routingKey }) => (routingKey === 'no' ? refused('no') : answer.of);
  return Promise.resolve({
    channel,
    attemptTimeoutMs: 1_000,
    taken: { exchange: 'x', routingKey: 'yes' },
    refused: { exchange: 'x', routingKey: 'no' },
    silence: () => {
      answer.of = unknown('no answer');
    },
    arrived: () => Promise.resolve(channel.sendings.map(({ message }) => message)),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
});

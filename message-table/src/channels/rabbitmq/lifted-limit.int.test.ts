import { eventually, servers, testMessage, testTopology } from './testing/broker.js';
import { RabbitSuite } from './testing/suite.js';

const suite = new RabbitSuite(servers(process.env));

describe('A queue that was full takes messages again when its limit is lifted', () => {
  it('when the broker goes on refusing on the channel that saw it full, then another channel is used, without a hand', async () => {
    const topology = testTopology({ 'x-overflow': 'reject-publish' });
    const rabbit = await suite.upChannel({ topology });
    const send = () => rabbit.send(testMessage({ exchange: topology.exchange }));
    await suite.broker.limitQueue(topology.queue, 1);
    await eventually(async () => (await send()).kind === 'unknown', 'a nack');
    await suite.broker.liftLimit();
    await eventually(async () => (await send()).kind === 'confirmed', 'a confirm');
  });
});

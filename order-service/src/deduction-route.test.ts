import { deductionRoute } from './deduction-route.js';

it('when deductions go through RabbitMQ, then by their exchange and key, whatever the URL says', () => {
  expect(deductionRoute({ ORDER_CHANNEL: 'rabbitmq', INVENTORY_URL: 'http://inventory:3002' })).toEqual({
    channel: 'rabbitmq',
    config: { exchange: 'inventory.exchange', routingKey: 'inventory.deduct' },
  });
});

it.each(['http://inventory:3002', 'http://inventory:3002/'])(
  'when they go over HTTP to %s, then to its door',
  (url) => {
    expect(deductionRoute({ ORDER_CHANNEL: 'http', INVENTORY_URL: url })).toEqual({
      channel: 'http',
      config: { url: 'http://inventory:3002/deductions' },
    });
  },
);

import type { StackUrls } from '@counterfoil/stack';

import type { Services } from '../services.js';
import type { Paint } from './paint.js';

const NAME = 22;

/** Where everything is, and three commands to try. */
export function startLines(urls: StackUrls, services: Services, paint: Paint): string[] {
  const line = (name: string, url: string | null): string => `  ${name.padEnd(NAME)}${url ?? paint.dim('none')}`;
  const orders = services.orderService.url;
  const inventory = services.inventoryService.url;
  const json = `-H 'content-type: application/json'`;
  return [
    '',
    ...services.all.map(({ name, url }) => line(name, url)),
    '',
    line('order database', urls.orderDb),
    line('inventory database', urls.inventoryDb),
    line('broker', urls.amqp),
    line('broker management', urls.amqpManagement),
    '',
    `  ${paint.bold('Try it')}`,
    '',
    paint.dim('  # a product with 100 pieces in stock'),
    `  curl -X PUT ${inventory}/products/1 ${json} -d '{"name":"Tea","stock":100}'`,
    '',
    paint.dim('  # an order of two; the answer has its id and where to look'),
    `  curl -i ${orders}/orders ${json} -H 'idempotency-key: my-first-order' -d '{"productId":1,"quantity":2}'`,
    '',
    paint.dim('  # CONFIRMED by now, and 98 pieces left'),
    `  curl ${orders}/orders/ID; curl ${inventory}/products/1`,
    '',
    paint.dim('  Ctrl-C stops everything.'),
  ];
}

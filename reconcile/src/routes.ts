import { DECIDED, DEDUCT } from '@counterfoil/contracts';
import type { Database } from '@counterfoil/message-table';

export type DatabaseName = 'order' | 'inventory';

/** Both databases of a running system. */
export type Databases = Readonly<Record<DatabaseName, Database>>;

export type RouteName = 'deduction' | 'decision';

/** A way from one database's outbox to the other's inbox. */
export interface Route {
  readonly name: RouteName;
  readonly from: DatabaseName;
  readonly to: DatabaseName;
  /** The task of its messages. */
  readonly taskName: string;
  /** The effect whose notes stand in the inbox. */
  readonly consumer: string;
}

export const DEDUCTIONS: Route = {
  name: 'deduction',
  from: 'order',
  to: 'inventory',
  taskName: DEDUCT.routingKey,
  consumer: 'inventory.deduct',
};

export const DECISIONS: Route = {
  name: 'decision',
  from: 'inventory',
  to: 'order',
  taskName: DECIDED.routingKey,
  consumer: 'order.deduction-decided',
};

export const ROUTES: Readonly<Record<RouteName, Route>> = { deduction: DEDUCTIONS, decision: DECISIONS };

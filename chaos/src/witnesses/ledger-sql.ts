/**
 * The harness's own ledgers, written by triggers in the transaction of what they tell of: what rolled back is not in
 * them, and no code of the services can leave anything out.
 *
 * A ledger is written in the order of its sequence, and so read: rows that share a lock (those of one product, those
 * of one message) get their numbers while it is held. Columns are as narrow as can be and there is no second index:
 * the witnesses must not become the load.
 */
export interface Ledger {
  readonly table: string;
  readonly trigger: string;
  /** The table of the services that it watches. */
  readonly watches: string;
  readonly createTable: string;
  readonly createTrigger: string;
}

const SEQUENCE = 'sequence BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY';
const ASCII = 'CHARACTER SET ascii COLLATE ascii_bin';

const ORDER_LEDGER: Ledger = {
  table: 'chaos_order_ledger',
  trigger: 'chaos_order_placed',
  watches: 'orders',
  createTable: `
    CREATE TABLE IF NOT EXISTS chaos_order_ledger (
      ${SEQUENCE},
      order_id BIGINT NOT NULL, product_id BIGINT NOT NULL, quantity INT NOT NULL, order_key VARCHAR(64) ${ASCII} NULL
    ) ENGINE = InnoDB`,
  createTrigger: `
    CREATE TRIGGER chaos_order_placed AFTER INSERT ON orders FOR EACH ROW
    INSERT INTO chaos_order_ledger (order_id, product_id, quantity, order_key)
    VALUES (NEW.id, NEW.product_id, NEW.quantity, NEW.idempotency_key)`,
};

const STOCK_LEDGER: Ledger = {
  table: 'chaos_stock_ledger',
  trigger: 'chaos_stock_changed',
  watches: 'product',
  createTable: `
    CREATE TABLE IF NOT EXISTS chaos_stock_ledger (
      ${SEQUENCE},
      product_id BIGINT NOT NULL, stock_before BIGINT NOT NULL, stock_after BIGINT NOT NULL
    ) ENGINE = InnoDB`,
  createTrigger: `
    CREATE TRIGGER chaos_stock_changed AFTER UPDATE ON product FOR EACH ROW
    INSERT INTO chaos_stock_ledger (product_id, stock_before, stock_after)
    VALUES (OLD.id, OLD.stock, NEW.stock)`,
};

/** Both message tables of a database write into this one. */
const transitionLedger = (side: 'producer' | 'consumer'): Ledger => ({
  table: 'chaos_transition_ledger',
  trigger: `chaos_${side}_moved`,
  watches: `${side}_message`,
  createTable: `
    CREATE TABLE IF NOT EXISTS chaos_transition_ledger (
      ${SEQUENCE},
      side CHAR(8) ${ASCII} NOT NULL, row_id BIGINT NOT NULL,
      status_before VARCHAR(20) ${ASCII} NOT NULL, version_before INT NOT NULL,
      status_after VARCHAR(20) ${ASCII} NOT NULL, version_after INT NOT NULL,
      retry_count_rose TINYINT NOT NULL, lost_count_rose TINYINT NOT NULL
    ) ENGINE = InnoDB`,
  createTrigger: `
    CREATE TRIGGER chaos_${side}_moved AFTER UPDATE ON ${side}_message FOR EACH ROW
    INSERT INTO chaos_transition_ledger
      (side, row_id, status_before, version_before, status_after, version_after, retry_count_rose, lost_count_rose)
    VALUES ('${side}', OLD.id, OLD.status, OLD.version, NEW.status, NEW.version,
            NEW.retry_count > OLD.retry_count, NEW.lost_count > OLD.lost_count)`,
});

const TRANSITION_LEDGERS = [transitionLedger('producer'), transitionLedger('consumer')];

/** By database. */
export const LEDGERS = {
  order: [ORDER_LEDGER, ...TRANSITION_LEDGERS],
  inventory: [STOCK_LEDGER, ...TRANSITION_LEDGERS],
} as const;

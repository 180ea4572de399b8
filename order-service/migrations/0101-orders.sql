CREATE TABLE IF NOT EXISTS orders (
  id              BIGINT       NOT NULL PRIMARY KEY,
  product_id      BIGINT       NOT NULL,
  quantity        INT          NOT NULL,
  status          VARCHAR(20)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  reason          VARCHAR(200) CHARACTER SET utf8mb4 NULL,
  idempotency_key VARCHAR(64)  CHARACTER SET ascii COLLATE ascii_bin NULL,
  request_hash    CHAR(43)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  message_id      VARCHAR(64)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  create_time     DATETIME(3)  NOT NULL,
  update_time     DATETIME(3)  NOT NULL,
  UNIQUE KEY one_order (idempotency_key),
  CONSTRAINT orders_status CHECK (status IN ('CREATED', 'CONFIRMED', 'REJECTED')),
  CONSTRAINT orders_quantity CHECK (quantity > 0)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;

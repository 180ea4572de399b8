CREATE TABLE IF NOT EXISTS product (
  id          BIGINT       NOT NULL PRIMARY KEY,
  name        VARCHAR(200) CHARACTER SET utf8mb4 NOT NULL,
  stock       BIGINT       NOT NULL,
  update_time DATETIME(3)  NOT NULL,
  CONSTRAINT product_stock CHECK (stock >= 0)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;

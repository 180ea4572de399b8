-- Each statement can be run again: a crash in the middle repeats from the statement it stopped at.

CREATE TABLE IF NOT EXISTS producer_message (
  id              BIGINT           NOT NULL PRIMARY KEY,
  message_id      VARCHAR(64)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  task_name       VARCHAR(128)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  channel         VARCHAR(20)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  exchange        VARCHAR(100)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  routing_key     VARCHAR(100)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  channel_config  TEXT             CHARACTER SET utf8mb4 NULL,
  content         MEDIUMTEXT       CHARACTER SET utf8mb4 NOT NULL,
  headers         TEXT             CHARACTER SET utf8mb4 NULL,
  status          VARCHAR(20)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  house_number    TINYINT UNSIGNED NOT NULL,
  retry_count     INT              NOT NULL DEFAULT 0,
  max_retry_count INT              NOT NULL DEFAULT 5,
  lost_count      INT              NOT NULL DEFAULT 0,
  next_retry_time DATETIME(3)      NULL,
  claimed_by      VARCHAR(64)      CHARACTER SET ascii COLLATE ascii_bin NULL,
  parked_for      VARCHAR(255)     CHARACTER SET ascii COLLATE ascii_bin NULL,
  error_msg       TEXT             CHARACTER SET utf8mb4 NULL,
  create_time     DATETIME(3)      NOT NULL,
  update_time     DATETIME(3)      NOT NULL,
  sent_time       DATETIME(3)      NULL,
  version         INT              NOT NULL DEFAULT 0,
  UNIQUE KEY one_message (message_id),
  KEY for_claim (status, house_number, next_retry_time, id),
  CONSTRAINT producer_message_status CHECK (status IN ('PENDING', 'SENDING', 'SENT', 'FAILED')),
  CONSTRAINT producer_message_due CHECK ((status IN ('PENDING', 'SENDING')) = (next_retry_time IS NOT NULL))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;

CREATE TABLE IF NOT EXISTS producer_message_archive (
  id              BIGINT           NOT NULL,
  message_id      VARCHAR(64)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  task_name       VARCHAR(128)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  channel         VARCHAR(20)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  exchange        VARCHAR(100)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  routing_key     VARCHAR(100)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  channel_config  TEXT             CHARACTER SET utf8mb4 NULL,
  content         MEDIUMTEXT       CHARACTER SET utf8mb4 NOT NULL,
  headers         TEXT             CHARACTER SET utf8mb4 NULL,
  status          VARCHAR(20)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  house_number    TINYINT UNSIGNED NOT NULL,
  retry_count     INT              NOT NULL,
  max_retry_count INT              NOT NULL,
  lost_count      INT              NOT NULL,
  next_retry_time DATETIME(3)      NULL,
  claimed_by      VARCHAR(64)      CHARACTER SET ascii COLLATE ascii_bin NULL,
  parked_for      VARCHAR(255)     CHARACTER SET ascii COLLATE ascii_bin NULL,
  error_msg       TEXT             CHARACTER SET utf8mb4 NULL,
  create_time     DATETIME(3)      NOT NULL,
  update_time     DATETIME(3)      NOT NULL,
  sent_time       DATETIME(3)      NULL,
  version         INT              NOT NULL,
  archive_time    DATETIME(3)      NOT NULL,
  PRIMARY KEY (id, create_time),
  KEY by_message (message_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4
  PARTITION BY RANGE COLUMNS (create_time) (PARTITION p_last VALUES LESS THAN (MAXVALUE));

CREATE TABLE IF NOT EXISTS consumer_message (
  id                 BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
  message_id         VARCHAR(64)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  consumer           VARCHAR(64)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  received_by        VARCHAR(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  exchange           VARCHAR(255) CHARACTER SET utf8mb4 NOT NULL,
  routing_key        VARCHAR(255) CHARACTER SET utf8mb4 NOT NULL,
  headers            MEDIUMTEXT   CHARACTER SET utf8mb4 NULL,
  content            MEDIUMTEXT   CHARACTER SET utf8mb4 NOT NULL,
  content_encoding   VARCHAR(6)   CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'utf8',
  status             VARCHAR(20)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  retry_count        INT          NOT NULL DEFAULT 0,
  max_retry_count    INT          NOT NULL DEFAULT 5,
  lost_count         INT          NOT NULL DEFAULT 0,
  next_retry_time    DATETIME(3)  NULL,
  error_msg          TEXT         CHARACTER SET utf8mb4 NULL,
  first_consume_time DATETIME(3)  NOT NULL,
  last_consume_time  DATETIME(3)  NOT NULL,
  success_time       DATETIME(3)  NULL,
  version            INT          NOT NULL DEFAULT 0,
  UNIQUE KEY one_effect (message_id, consumer),
  KEY for_retry (status, next_retry_time, id),
  CONSTRAINT consumer_message_status CHECK (status IN ('SUCCESS', 'PENDING_RETRY', 'RETRYING', 'FAILED')),
  CONSTRAINT consumer_message_due CHECK ((status IN ('PENDING_RETRY', 'RETRYING')) = (next_retry_time IS NOT NULL))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;

CREATE TABLE IF NOT EXISTS consumer_message_archive (
  id                 BIGINT       NOT NULL,
  message_id         VARCHAR(64)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  consumer           VARCHAR(64)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  received_by        VARCHAR(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  exchange           VARCHAR(255) CHARACTER SET utf8mb4 NOT NULL,
  routing_key        VARCHAR(255) CHARACTER SET utf8mb4 NOT NULL,
  headers            MEDIUMTEXT   CHARACTER SET utf8mb4 NULL,
  content            MEDIUMTEXT   CHARACTER SET utf8mb4 NOT NULL,
  content_encoding   VARCHAR(6)   CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  status             VARCHAR(20)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  retry_count        INT          NOT NULL,
  max_retry_count    INT          NOT NULL,
  lost_count         INT          NOT NULL,
  next_retry_time    DATETIME(3)  NULL,
  error_msg          TEXT         CHARACTER SET utf8mb4 NULL,
  first_consume_time DATETIME(3)  NOT NULL,
  last_consume_time  DATETIME(3)  NOT NULL,
  success_time       DATETIME(3)  NULL,
  version            INT          NOT NULL,
  archive_time       DATETIME(3)  NOT NULL,
  PRIMARY KEY (id, first_consume_time),
  KEY by_message (message_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4
  PARTITION BY RANGE COLUMNS (first_consume_time) (PARTITION p_last VALUES LESS THAN (MAXVALUE));

CREATE TABLE IF NOT EXISTS message_action (
  id          BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
  side        VARCHAR(8)   CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  message_id  VARCHAR(64)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  consumer    VARCHAR(64)  CHARACTER SET ascii COLLATE ascii_bin NULL,
  action      VARCHAR(20)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  who         VARCHAR(100) CHARACTER SET utf8mb4 NOT NULL,
  why         VARCHAR(500) CHARACTER SET utf8mb4 NOT NULL,
  before_row  TEXT         CHARACTER SET utf8mb4 NOT NULL,
  after_row   TEXT         CHARACTER SET utf8mb4 NOT NULL,
  action_time DATETIME(3)  NOT NULL,
  KEY by_message (message_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;

CREATE TABLE IF NOT EXISTS message_pause (
  scope      VARCHAR(20)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  target     VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  who        VARCHAR(100) CHARACTER SET utf8mb4 NOT NULL,
  why        VARCHAR(500) CHARACTER SET utf8mb4 NOT NULL,
  pause_time DATETIME(3)  NOT NULL,
  PRIMARY KEY (scope, target)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;

CREATE TABLE IF NOT EXISTS worker_lease (
  worker_id   SMALLINT UNSIGNED NOT NULL PRIMARY KEY,
  holder      VARCHAR(64)       CHARACTER SET ascii COLLATE ascii_bin NULL,
  lease_until DATETIME(3)       NOT NULL DEFAULT '1970-01-02 00:00:00',
  version     INT               NOT NULL DEFAULT 0
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;

INSERT IGNORE INTO worker_lease (worker_id)
SELECT a.d + 10 * b.d + 100 * c.d + 1000 * k.d AS worker_id
  FROM (SELECT 0 d UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4
        UNION SELECT 5 UNION SELECT 6 UNION SELECT 7 UNION SELECT 8 UNION SELECT 9) a
  JOIN (SELECT 0 d UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4
        UNION SELECT 5 UNION SELECT 6 UNION SELECT 7 UNION SELECT 8 UNION SELECT 9) b
  JOIN (SELECT 0 d UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4
        UNION SELECT 5 UNION SELECT 6 UNION SELECT 7 UNION SELECT 8 UNION SELECT 9) c
  JOIN (SELECT 0 d UNION SELECT 1) k
 WHERE a.d + 10 * b.d + 100 * c.d + 1000 * k.d < 1024;

#!/bin/sh
# Ready means: the service's own account reads its own database over TCP. While the image initialises, its server takes
# no TCP, so this cannot be true before the restart that follows.
client=$(command -v mariadb || command -v mysql)
exec "$client" --no-defaults --protocol=tcp --host=127.0.0.1 --user="$MYSQL_USER" --password="$MYSQL_PASSWORD" \
  --connect-timeout=3 --execute='SELECT 1' "$MYSQL_DATABASE"

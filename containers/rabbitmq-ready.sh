#!/usr/bin/env bash
# Ready means: what is published to a quorum queue, and confirmed, comes out again. An open port says less. Over the
# management's HTTP with what the image has, because each rabbitmq-diagnostics starts a whole Erlang machine.
set -euo pipefail

queue=counterfoil.ready
account=$(printf '%s:%s' "$RABBITMQ_DEFAULT_USER" "$RABBITMQ_DEFAULT_PASS" | base64 --wrap=0)

ask() { # method, path, body
  exec 3<>/dev/tcp/127.0.0.1/15672
  printf '%s %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s' \
    "$1" "$2" "$account" "${#3}" "$3" >&3
  cat <&3
  exec 3<&-
}

made=$(ask PUT "/api/queues/%2F/$queue" '{"durable":true,"arguments":{"x-queue-type":"quorum","x-max-length":10}}')
[[ $made == HTTP/1.1\ 20[14]* ]] || { echo "the queue cannot be declared: ${made%%$'\r'*}"; exit 1; }
sent=$(ask POST /api/exchanges/%2F/amq.default/publish "{\"routing_key\":\"$queue\",\"properties\":{\"delivery_mode\":2},\"payload\":\"ready?\",\"payload_encoding\":\"string\"}")
[[ $sent == *'"routed":true'* ]] || { echo "nothing can be published: ${sent%%$'\r'*}"; exit 1; }
got=$(ask POST "/api/queues/%2F/$queue/get" '{"count":10,"ackmode":"ack_requeue_false","encoding":"auto"}')
[[ $got == *'ready?'* ]] || { echo "nothing can be consumed: ${got%%$'\r'*}"; exit 1; }

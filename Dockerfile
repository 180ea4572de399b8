# One image for every process of ours: the command says which. `docker compose build` makes it.
ARG NODE_IMAGE=node:24-bookworm-slim

# Only what `npm ci` reads, so that a change of the sources does not install anew.
FROM ${NODE_IMAGE} AS manifests
WORKDIR /all
COPY . .
RUN mkdir /manifests && cp --parents package.json package-lock.json .npmrc */package.json /manifests

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY --from=manifests /manifests ./
# Another registry, and the certificate of a proxy in between: see docs/how-to/run-in-containers.md.
ARG npm_config_registry
RUN --mount=type=cache,target=/root/.npm --mount=type=secret,id=extra_ca \
    if [ -s /run/secrets/extra_ca ]; then export NODE_EXTRA_CA_CERTS=/run/secrets/extra_ca; fi \
 && npm ci --no-audit --no-fund --loglevel=error
COPY . .
RUN node_modules/.bin/tsc -b order-service inventory-service relay loadtest \
 && mkdir /out && cp --parents -r */package.json */dist */migrations containers/ready.cjs /out \
 && rm -rf /out/chaos /out/demo /out/stack \
 && find /out \( -name '*.map' -o -name '*.d.ts' -o -name '*.tsbuildinfo' -o -name '*.test.js' \) -delete \
 && find /out -depth -type d \( -name testkit -o -name testing \) -exec rm -r {} +

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY --from=manifests /manifests ./
ARG npm_config_registry
RUN --mount=type=cache,target=/root/.npm --mount=type=secret,id=extra_ca \
    if [ -s /run/secrets/extra_ca ]; then export NODE_EXTRA_CA_CERTS=/run/secrets/extra_ca; fi \
 && npm ci --omit=dev --no-audit --no-fund --loglevel=error \
      -w message-table -w contracts -w order-service -w inventory-service -w relay -w loadtest \
 && rm -f node_modules/@counterfoil/stack \
 && find node_modules \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.md' \) -delete

FROM ${NODE_IMAGE}
ENV NODE_ENV=production LISTEN_HOST=0.0.0.0 PORT=3001
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=build /out .
USER node
# Ready means that it can do its work now, so this asks for that and not for life.
HEALTHCHECK --interval=5s --timeout=10s --start-period=120s --retries=6 CMD ["node", "containers/ready.cjs"]
# As process 1, without a shell in between: it hears SIGTERM itself, and stops in order.
CMD ["node", "order-service/dist/main.js"]

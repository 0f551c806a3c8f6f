# The images of Incipit. One holds both services, since they share all but a few files; the command chooses.
#   docker build --tag incipit .                                    the registry and the renderer
#   docker run incipit node services/renderer/dist/main.js          a renderer instead of the registry
#   docker build --tag incipit-nats --target nats .                 NATS with a folder for an unprivileged user
ARG NODE_IMAGE=node:24-bookworm-slim
ARG NATS_IMAGE=nats:2.14-alpine

# The manifests alone, so that an edit of a source file does not install everything anew.
FROM ${NODE_IMAGE} AS manifests
RUN --mount=type=bind,target=/src \
    mkdir /manifests && cd /src \
    && cp --parents package.json package-lock.json */package.json */*/package.json /manifests

# What the services need when they run. better-sqlite3 is compiled here where no prebuilt binary can be had, which takes
# a compiler; what it was compiled from is left behind.
FROM ${NODE_IMAGE} AS dependencies
RUN apt-get update -qq \
    && apt-get install -y -qq --no-install-recommends python3 make g++ >/dev/null \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=manifests /manifests ./
RUN --mount=type=cache,target=/root/.npm \
    npm ci --omit=dev --no-audit --no-fund --workspace services/registry --workspace services/renderer \
    && cd node_modules/better-sqlite3 \
    && find . -name '*.node' ! -path ./build/Release/better_sqlite3.node -delete \
    && rm -rf deps src build/Release/obj build/Release/obj.target build/Release/.deps build/deps

# The services' JavaScript. Nothing is run here, so no install script is.
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY --from=manifests /manifests ./
RUN --mount=type=cache,target=/root/.npm \
    npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npx tsc -b services/registry services/renderer \
    && mkdir /built \
    && find libs services -path '*/dist/*' -name '*.js' -exec cp --parents -t /built {} +

# NATS as it is, but for a folder that an unprivileged user may write: Docker gives a new volume the owner of the folder
# it is mounted over. The configuration is mounted over the image's own.
FROM ${NATS_IMAGE} AS nats
RUN mkdir /data && chown 10001:10001 /data
USER 10001:10001

FROM ${NODE_IMAGE} AS incipit
ENV NODE_ENV=production \
    INCIPIT_DB=/data/registry.sqlite \
    INCIPIT_HEALTH_PORT=8080
WORKDIR /app
COPY --from=dependencies /app ./
COPY --from=build /built ./
# For the registry's projection; no VOLUME, which would give every renderer an empty one too.
RUN install -d -o 10001 -g 10001 /data
USER 10001:10001
# Node is process 1 and needs no init above it: the services take SIGTERM and SIGINT themselves and start no children.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s --retries=3 \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.INCIPIT_HEALTH_PORT}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "services/registry/dist/main.js"]

# Builds the executable from this clone, and puts it alone into an image without shell, package manager or root.
# How to run it, and what of it was tried: docs/operating/containers.md.

# Pinned on 2026-09-23
FROM node:22.23.3-bookworm-slim@sha256:43ac6c60b8f89723f746e8a92ce91abd5017e627ce1ddfe4238355d3a30b772c AS build
WORKDIR /src
RUN npm install --global --no-audit --no-fund bun@1.4.5
RUN mkdir /empty
COPY package.json bun.lock bunfig.toml ./
COPY src/api/db/patches src/api/db/patches
# Features may be packages of their own.
COPY src/plugins src/plugins
RUN bun install --frozen-lockfile --ignore-scripts --production --omit=peer
COPY . .
RUN bun run build executable

# Debian 12's C library, certificates and time zones, and nothing else.
FROM gcr.io/distroless/base-debian12:nonroot
COPY --from=build /src/dist/atrium /usr/local/bin/atrium
COPY --from=build --chown=65532:65532 /empty /var/lib/atrium
# The server makes the folder below the volume itself, for its own user alone.
ENV DATA_DIR=/var/lib/atrium/data \
    HOST=0.0.0.0 \
    PORT=3000
USER 65532:65532
WORKDIR /var/lib/atrium
VOLUME /var/lib/atrium
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --retries=3 CMD ["/usr/local/bin/atrium", "status", "--live"]
ENTRYPOINT ["/usr/local/bin/atrium"]
CMD ["serve"]
# Last, so that a new revision leaves every layer above in the cache.
ARG VERSION=unknown
ARG REVISION=unknown
ARG CREATED=unknown
LABEL org.opencontainers.image.title="Atrium" \
      org.opencontainers.image.description="Web application with accounts, an admin area and safe plugins" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.base.name="gcr.io/distroless/base-debian12:nonroot" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.created="${CREATED}"

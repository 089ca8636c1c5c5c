# Builds the executable from this clone, and puts it alone into an image without shell, package manager or root.
# How to run it, and what of it was tried: docs/operating/containers.md.

FROM node:22.12.0-bookworm-slim AS build
WORKDIR /src
RUN npm install --global --no-audit --no-fund bun@1.4.5
COPY package.json bun.lock bunfig.toml ./
COPY src/api/db/patches src/api/db/patches
RUN bun install --frozen-lockfile --ignore-scripts --production --omit=peer
COPY . .
RUN bun run build executable && mkdir /empty

# Debian 12's C library, certificates and time zones, and nothing else.
FROM gcr.io/distroless/base-debian12:nonroot
LABEL org.opencontainers.image.title="Atrium" \
      org.opencontainers.image.description="Web application with accounts, an admin area and safe plugins" \
      org.opencontainers.image.licenses="MIT"
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

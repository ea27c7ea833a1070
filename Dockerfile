# syntax=docker/dockerfile:1
# The image of a registry; compose.yaml runs it. For two platforms: docker buildx build --platform linux/amd64,linux/arm64 .

FROM node:24-bookworm-slim AS build
WORKDIR /src
# Packages are installed again only if the lockfile has changed.
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml .pnpmfile.mjs ./
COPY scripts/check-node.js scripts/
COPY apps/api/package.json apps/api/
COPY apps/console/package.json apps/console/
COPY apps/web/package.json apps/web/
COPY packages/client/package.json packages/client/
COPY packages/contracts/package.json packages/contracts/
RUN npx -y pnpm@12.21.0 install --frozen-lockfile
COPY . .
RUN npx -y pnpm@12.21.0 package /app && mkdir /data

# A C++ runtime without a shell or package manager: Node comes with the packed registry.
FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /app /app
# A new volume gets the owner of this folder.
COPY --from=build --chown=65532:65532 /data /data
WORKDIR /app
ENV PATH=/app/bin NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATABASE_URL=file:/data/registry.db
# glibc keeps freed memory in a pool for each thread: two pools, and bodies of responses outside of them.
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=65536
USER 65532:65532
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# SIGTERM reaches Node itself, which shuts down gracefully.
# V8's larger default for new objects costs memory in each thread for a few per cent of speed.
CMD ["node", "--max-semi-space-size=4", "--heap-growing-percent=30", "apps/api/dist/main.js"]

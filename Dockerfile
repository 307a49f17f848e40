# One image for every part. The first argument selects the command: api, worker, console, migrate, key mint, …
# The database is external (DATABASE_URL), so the optional packages with the embedded PostgreSQL are omitted.
# The optional packages also have Node, which the base image has. CONTRIBUTING.md#updates says how its digest is updated.
ARG BASE=node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6

FROM ${BASE} AS built
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY src ./src
# The pages need Vite, which the image does not have. 1000 is the user node.
RUN node src/botstead.js build --user 1000

FROM ${BASE}

ENV NODE_ENV=production MALLOC_ARENA_MAX=2 HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts && npm cache clean --force
# Of what is installed. `npm sbom --omit=dev` would leave out packages that tools need too, and without it miss those tools.
COPY THIRD_PARTY_LICENSES ./
COPY tools/licences ./tools/licences
RUN npm pkg delete devDependencies && npm sbom --sbom-format=cyclonedx --sbom-type=application > sbom.cdx.json && node tools/licences/main.ts sbom.cdx.json
COPY .gmrc ./
COPY migrations ./migrations
COPY sql ./sql
COPY src ./src
# Agents read the pages as resources.
COPY docs ./docs
# Names the packages of `audit prove`, which are not installed.
COPY tools/prove ./tools/prove
COPY --from=built /app/node_modules/.cache ./node_modules/.cache
# /data stores mail if there is no SMTP server.
RUN mkdir -p /data && chown node:node /data

USER node
EXPOSE 3000 3001
ENTRYPOINT ["node", "--max-semi-space-size=4", "--heap-growing-percent=100", "src/botstead.js"]
CMD ["api"]

# One image for every part; what it runs is the first argument: api, worker, console, migrate, key mint, …
# The database is elsewhere (DATABASE_URL), so the embedded PostgreSQL, which comes in optional packages, is left out,
# and so is the Node that comes as a package (its install script is not run): the image has its own.
FROM node:24-bookworm-slim

ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts && npm cache clean --force
COPY .gmrc ./
COPY migrations ./migrations
COPY sql ./sql
COPY src ./src
# Where mail goes without an SMTP server, and where what was compiled once is kept.
RUN mkdir -p /data node_modules/.cache && chown node:node /data node_modules/.cache

USER node
EXPOSE 3000 3001
ENTRYPOINT ["node", "--max-semi-space-size=4", "src/botstead.js"]
CMD ["api"]

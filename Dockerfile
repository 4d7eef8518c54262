# Three images. The last stage, which a plain build creates, is one instance of the reference server. It needs only PORT and
# CONTROL_TOKEN. Without DATABASE_URL, its data is in memory (settings: reference-server/settings.ts). The stage `sandbox` is
# `npm run serve` in one container, as compose.yaml starts it. The stage `runner` is the command line.
ARG BASE=node:26-alpine@sha256:ef24c5053d50fdc3e4e56eb4e7ddb7861874ab0fdc797046ba897581deb8e868

FROM ${BASE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Only the packages that the server imports, in the versions of the lock file.
RUN node -e "const { devDependencies, dependencies } = JSON.parse(fs.readFileSync('package.json')); \
      const known = { ...devDependencies, ...dependencies }; \
      const needed = process.argv.slice(1).map((name) => [name, known[name]]); \
      const manifest = { type: 'module', dependencies: Object.fromEntries(needed) }; \
      fs.writeFileSync('package.json', JSON.stringify(manifest));" \
      @rapideditor/country-coder ajv ajv-formats awesome-phonenumber fastify ioredis ipaddr.js kysely pg \
      rate-limiter-flexible standardwebhooks undici \
 && npm install --omit=dev --ignore-scripts \
 && npm cache clean --force

FROM dependencies AS command-line-dependencies
COPY package.json declared.json
# The other packages of the command line: the package's dependencies, and the optional peer dependency of `mcp`.
RUN npm install --omit=dev --ignore-scripts --save-exact $(node -p "const { dependencies, devDependencies } = \
      JSON.parse(fs.readFileSync('declared.json')); \
      const peer = '@modelcontextprotocol/server'; \
      Object.entries({ ...dependencies, [peer]: devDependencies[peer] }).map((one) => one.join('@')).join(' ')") \
 && npm cache clean --force

FROM ${BASE} AS command-line
WORKDIR /app
COPY --from=command-line-dependencies /app/node_modules node_modules
COPY package.json ./
COPY openapi openapi
COPY reference-server reference-server
COPY sandbox sandbox
COPY suites suites
COPY tools tools
COPY styles styles
COPY bin/source.js bin/source.js

FROM command-line AS runner
COPY bin/runner.js bin/runner.js
# The mounted folder, with settings and reports. The command runs as the folder's owner.
WORKDIR /work
RUN node -e "fs.chownSync('.', 1000, 1000)"
# The image's name, for commands in its output.
ARG IMAGE=courier-conform
ENV HOME=/tmp COURIER_CONFORM_CALLED_BY="docker run --rm --network host -v \"\$PWD:/work\" -e CONFORM_CONTROL_TOKEN -e CONFORM_CLIENT_SECRET ${IMAGE}"
ENTRYPOINT ["node", "/app/bin/runner.js"]
CMD ["--help"]

FROM command-line AS sandbox
# Deliveries, and the key from which credentials are derived. With a persistent volume, each start has the same credentials.
RUN node -e "fs.mkdirSync('/data'); fs.chownSync('/data', 1000, 1000)"
VOLUME /data
ENV PUBLIC_URL=http://localhost:8080
USER 1000:1000
EXPOSE 8080
HEALTHCHECK --interval=2s --timeout=4s --start-period=10s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Accepts flags of `npm run serve`.
ENTRYPOINT ["node", "bin/source.js", "serve", "--host", "0.0.0.0", "--database", "/data/sandbox.db"]

FROM ${BASE} AS server
WORKDIR /app
COPY --from=dependencies /app/package.json ./
COPY --from=dependencies /app/node_modules node_modules
COPY openapi/generated openapi/generated
COPY reference-server reference-server
COPY sandbox sandbox
COPY styles styles
COPY bin/server.js bin/server.js
ENV HOST=0.0.0.0 PORT=3000
USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=2s --timeout=4s --start-period=10s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "bin/server.js"]

# Three images. The last stage, which is what a plain build makes, is the reference server as one instance: it needs only
# PORT and CONTROL_TOKEN, and without a DATABASE_URL all is in memory (settings: reference-server/settings.ts). The stage
# `sandbox` is `npm run serve` in one container, as compose.yaml starts it. The stage `runner` is the command line.
ARG BASE=node:26-alpine@sha256:ef24c5053d50fdc3e4e56eb4e7ddb7861874ab0fdc797046ba897581deb8e868

FROM ${BASE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# What the server imports and nothing else, in the versions of the lock.
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
# What the command line imports besides: what the package depends on, and the optional peer of `mcp`.
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
# Settings are read here and reports written, by the owner of the folder that is mounted.
WORKDIR /work
RUN node -e "fs.chownSync('.', 1000, 1000)"
# How the image is called, for the commands to copy in its output.
ARG IMAGE=courier-conform
ENV HOME=/tmp COURIER_CONFORM_CALLED_BY="docker run --rm --network host -v \"\$PWD:/work\" -e CONFORM_CONTROL_TOKEN -e CONFORM_CLIENT_SECRET ${IMAGE}"
ENTRYPOINT ["node", "/app/bin/runner.js"]
CMD ["--help"]

FROM command-line AS sandbox
# Deliveries, and the key that credentials are derived from. If it is kept, each start has the same credentials.
RUN node -e "fs.mkdirSync('/data'); fs.chownSync('/data', 1000, 1000)"
VOLUME /data
ENV PUBLIC_URL=http://localhost:8080
USER 1000:1000
EXPOSE 8080
HEALTHCHECK --interval=2s --timeout=4s --start-period=10s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Flags of `npm run serve` may follow.
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

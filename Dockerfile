# The reference server alone. It needs nothing but PORT and CONTROL_TOKEN: without a DATABASE_URL all is in memory.
# Settings: reference-server/settings.ts.
ARG BASE=node:26-alpine

FROM ${BASE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# What the server imports and nothing else, in the versions of the lock.
RUN node -e "const { devDependencies, dependencies } = JSON.parse(fs.readFileSync('package.json')); \
      const known = { ...devDependencies, ...dependencies }; \
      const needed = process.argv.slice(1).map((name) => [name, known[name]]); \
      const manifest = { type: 'module', dependencies: Object.fromEntries(needed) }; \
      fs.writeFileSync('package.json', JSON.stringify(manifest));" \
      @rapideditor/country-coder ajv ajv-formats fastify geolib ioredis ipaddr.js kysely libphonenumber-js pg \
      rate-limiter-flexible standardwebhooks undici \
 && npm install --omit=dev --ignore-scripts \
 && npm cache clean --force

FROM ${BASE}
WORKDIR /app
COPY --from=dependencies /app/package.json ./
COPY --from=dependencies /app/node_modules node_modules
COPY openapi/generated openapi/generated
COPY reference-server reference-server
COPY styles styles
COPY bin/server.js bin/server.js
ENV HOST=0.0.0.0 PORT=3000
USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=2s --timeout=4s --start-period=10s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "bin/server.js"]

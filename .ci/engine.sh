# A container engine for CI, sourced by `run`: the running one, or else a new one with its data in $folder.

start_engine() {
  docker info >/dev/null 2>&1 && return 0
  command -v dockerd >/dev/null ||
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends docker.io; } || return 1
  local driver
  export DOCKER_HOST=unix://$folder/docker.sock
  # Without overlay support, layers are copied, which takes longer.
  for driver in overlay2 vfs; do
    dockerd --iptables=false --storage-driver="$driver" --data-root "$folder/docker" --exec-root "$folder/docker-exec" \
      -H "$DOCKER_HOST" --pidfile "$folder/docker.pid" >"$folder/docker.log" 2>&1 &
    processes+=("$!")
    until_true 60 docker info >/dev/null 2>&1 && return 0
  done
  tail -n 5 "$folder/docker.log"
  return 1
}

# Builds, starts, certifies and stops our own image.
certify_image() {
  start_engine || return 1
  export TEST_IMAGE=courier-dispatch:ci TESTCONTAINERS_RYUK_DISABLED=true
  .ci/image "$TEST_IMAGE" && npx --no-install vitest run tools/commands/conform/container.test.ts
}

# Uses the image of the command line, as on a machine without Node.
run_in_container() {
  start_engine || return 1
  .ci/image courier-conform runner &&
    TEST_RUNNER_IMAGE=courier-conform npx --no-install vitest run tools/testing/package/runner-image.test.ts
}

# Starts the sandbox's image with compose.yaml, as in a fresh clone.
serve_sandbox_image() {
  start_engine || return 1
  docker compose version >/dev/null 2>&1 || command -v docker-compose >/dev/null ||
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends docker-compose; } || return 1
  .ci/image courier-conform-sandbox sandbox &&
    TEST_SANDBOX_IMAGE=1 npx --no-install vitest run tools/commands/serve/image.test.ts
}

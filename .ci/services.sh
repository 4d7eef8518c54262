# PostgreSQL, Redis and a load balancer for CI, on free ports of 127.0.0.1, with their data in $folder. Sourced by `run`.
# $processes contains every process that is started here. `end_all` ends them.

processes=()

free_port() {
  local port
  while :; do
    port=$((20000 + RANDOM % 12000))
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
  done
  echo "$port"
}

# Installs missing services as Debian packages.
install_services() {
  local missing=()
  ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || missing+=(postgresql)
  command -v redis-server >/dev/null || missing+=(redis-server)
  command -v nginx >/dev/null || missing+=(nginx-light)
  [ -x /usr/bin/chromium-headless-shell ] || [ -x /usr/bin/chromium ] || missing+=(chromium-headless-shell)
  ruby -e 'require "openssl"' 2>/dev/null || missing+=(ruby)
  [ "${#missing[@]}" -eq 0 ] && return 0
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
}

# until_true SECONDS COMMAND…
until_true() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [ "$SECONDS" -ge "$end" ] && return 1
    sleep 0.1
  done
}

is_gone() { ! kill -0 "$1" 2>/dev/null; }

# end SIGNAL PID: ends a process, waits, and returns its exit code.
end() {
  kill "-$1" "$2" 2>/dev/null
  wait "$2" 2>/dev/null
}

end_all() {
  local index pid
  # In reverse order, because later processes need earlier ones.
  for ((index = ${#processes[@]} - 1; index >= 0; index--)); do
    pid=${processes[index]}
    is_gone "$pid" && continue
    kill -INT "$pid" 2>/dev/null
    until_true 20 is_gone "$pid" || kill -KILL "$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
  done
  processes=()
}

as_postgres() { # PostgreSQL doesn't run as root
  if [ "$(id -u)" -eq 0 ]; then exec setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; else exec "$@"; fi
}

answers_postgres() { "$postgres_bin/psql" -qtA "$TEST_POSTGRES_URL" -c 'select 1' >/dev/null 2>&1; }
answers_redis() { redis-cli -p "$redis_port" ping 2>/dev/null | grep -q PONG; }

start_postgres() {
  postgres_bin=$(dirname "$(ls /usr/lib/postgresql/*/bin/postgres | sort -V | tail -n 1)")
  if [ ! -d "$folder/postgres" ]; then
    postgres_port=$(free_port)
    mkdir "$folder/postgres"
    [ "$(id -u)" -eq 0 ] && chown postgres: "$folder/postgres"
    (as_postgres "$postgres_bin/initdb" -D "$folder/postgres" -A trust -U postgres) >"$folder/initdb.log" || return 1
  fi
  export TEST_POSTGRES_URL=postgres://postgres@127.0.0.1:$postgres_port/postgres
  # Without fsync, because the data need not survive a crash.
  (as_postgres "$postgres_bin/postgres" -D "$folder/postgres" -p "$postgres_port" -k "$folder/postgres" \
    -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=200) >>"$folder/postgres.log" 2>&1 &
  postgres_pid=$!
  processes+=("$postgres_pid")
  until_true 60 answers_postgres
}

start_redis() {
  redis_port=${redis_port:-$(free_port)}
  export TEST_REDIS_URL=redis://127.0.0.1:$redis_port
  redis-server --port "$redis_port" --bind 127.0.0.1 --save '' --appendonly no --dir "$folder" >>"$folder/redis.log" &
  redis_pid=$!
  processes+=("$redis_pid")
  until_true 60 answers_redis
}

start_services() {
  install_services && start_postgres && start_redis
}

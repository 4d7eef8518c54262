# Three instances of the reference server behind nginx, sourced by `run`. They are certified after a restart of PostgreSQL and
# Redis, and while one instance after another is stopped or killed and restarted.
#
# A client can't recover from a changing request whose connection breaks, so an instance gets no more of these before it is
# killed. It still gets reads: if one of their connections breaks, nginx sends the read to another instance. Before an instance
# is stopped, it gets no requests at all, as in a rolling update.

ports=(0 0 0)
pids=(0 0 0)

instance_log() { echo "$folder/instance-$1.log"; }

start_instance() { # INDEX
  local log
  log=$(instance_log "$1")
  : >"$log"
  HOST=127.0.0.1 PORT=${ports[$1]} DATABASE_URL=$instances_database REDIS_URL=$TEST_REDIS_URL \
    WEBHOOK_KEY=$instances_key CONTROL_TOKEN=$control_token PUBLIC_URL=$balancer_url TRUSTED_PROXIES=127.0.0.1 \
    node_modules/.bin/node bin/server.js >"$log" 2>&1 &
  pids[$1]=$!
  processes+=("$!")
  until_true 60 grep -q 'reference server at' "$log"
}

healthy() { curl -fs -m 5 -o "$folder/health.json" "http://127.0.0.1:${ports[$1]}/healthz"; }
ill() { ! healthy "$1"; }

# write_instances FOR_CHANGES FOR_READING: the indices of the instances that get these requests.
write_instances() {
  local pool index
  {
    echo 'map $request_method $instances { default changing; GET reading; HEAD reading; }'
    for pool in changing reading; do
      echo "upstream $pool {"
      for index in 0 1 2; do
        case " $1 " in *" $index "*) echo "server 127.0.0.1:${ports[index]};" ;; esac
      done
      echo '}'
      shift
    done
  } >"$folder/instances.conf"
}

start_balancer() {
  local port
  port=$(free_port)
  balancer_url=http://127.0.0.1:$port
  sed -e "s/listen 8080/listen 127.0.0.1:$port/" -e 's|http://instances|http://$instances|' \
    reference-server/balancer/balancer.conf >"$folder/balancer.conf"
  # Connections to clients are closed after each response. When nginx reloads its configuration, it closes idle ones, which a
  # client may be about to use.
  cat >"$folder/nginx.conf" <<CONF
daemon off;
pid $folder/nginx.pid;
error_log $folder/nginx.log;
worker_processes 2;
events { worker_connections 2048; }
http {
  access_log off;
  keepalive_timeout 0;
  client_body_temp_path $folder/nginx-body;
  proxy_temp_path $folder/nginx-proxy;
  fastcgi_temp_path $folder/nginx-fastcgi;
  uwsgi_temp_path $folder/nginx-uwsgi;
  scgi_temp_path $folder/nginx-scgi;
  include $folder/instances.conf;
  include $folder/balancer.conf;
}
CONF
  write_instances '0 1 2' '0 1 2'
  nginx -c "$folder/nginx.conf" 2>>"$folder/nginx.log" &
  nginx_pid=$!
  processes+=("$nginx_pid")
  until_true 60 test -s "$folder/nginx.pid"
}

# Applies the pools of write_instances. Returns when all requests under the previous pools have ended.
balance() {
  local before worker
  before=$(pgrep -P "$nginx_pid")
  write_instances "$@"
  kill -HUP "$nginx_pid"
  for worker in $before; do until_true 150 is_gone "$worker" || return 1; done
}

start_instances() {
  instances_database=${TEST_POSTGRES_URL%/*}/several
  instances_key=$(head -c 32 /dev/urandom | base64)
  control_token=$(head -c 24 /dev/urandom | base64 | tr '+/' '-_')
  "$postgres_bin/psql" -q "$TEST_POSTGRES_URL" -c 'create database several' || return 1
  local index
  for index in 0 1 2; do ports[index]=$(free_port); done
  start_balancer || return 1
  for index in 0 1 2; do start_instance "$index" || return 1; done
}

conform_through_balancer() { # flags…
  CONFORM_CONTROL_TOKEN=$control_token npm run --silent conform -- --url "$balancer_url" \
    --control-url "$balancer_url/control" "$@"
}

# The instances notice that both services stop and return, without a restart.
services_go_and_come_back() {
  local index
  end INT "$postgres_pid"
  end INT "$redis_pid"
  for index in 0 1 2; do until_true 60 ill "$index" || return 1; done
  start_postgres && start_redis || return 1
  for index in 0 1 2; do until_true 60 healthy "$index" || return 1; done
}

has_no_attempts() { # INSTANCE'S NAME
  local count
  count=$("$postgres_bin/psql" -qtA "$instances_database" -c "select count(*) from outbox where leased_by = '$1'")
  [ "$count" = 0 ]
}

others_than() {
  case $1 in 0) echo '1 2' ;; 1) echo '0 2' ;; 2) echo '0 1' ;; esac
}

kill_instance() { # INDEX
  local name
  balance "$(others_than "$1")" '0 1 2' || return 1
  name=$(sed -n 's/.*instance \([0-9]*\).*/\1/p' "$(instance_log "$1")")
  until_true 60 has_no_attempts "$name" || return 1
  end KILL "${pids[$1]}"
  start_instance "$1" && balance '0 1 2' '0 1 2'
}

stop_instance() { # INDEX
  balance "$(others_than "$1")" "$(others_than "$1")" || return 1
  end TERM "${pids[$1]}" || { echo "an instance exited with $? after SIGTERM"; return 1; }
  start_instance "$1" && balance '0 1 2' '0 1 2'
}

# Certifies while instances are stopped and killed in turn. Each is stopped and killed at least once.
conform_while_instances_come_and_go() {
  local turn=0 index conforming code=0
  conform_through_balancer "$@" >"$folder/rolling.log" 2>&1 &
  conforming=$!
  processes+=("$conforming")
  while ! is_gone "$conforming" || [ "$turn" -lt 6 ]; do
    index=$((turn % 3))
    if [ $((turn % 2)) -eq 0 ]; then kill_instance "$index"; else stop_instance "$index"; fi || { code=1; break; }
    turn=$((turn + 1))
  done
  wait "$conforming" || code=1
  cat "$folder/rolling.log"
  echo "$turn times an instance was killed or stopped, and restarted"
  return "$code"
}

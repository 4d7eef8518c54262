import { shellQuote } from "../../core/exchange.ts";

/** What a script begins with: where it sends to, and the functions that its lines use. */
export interface Prelude {
  readonly baseUrl: string;
  /** Undefined where the run had no control interface. */
  readonly controlUrl: string | undefined;
}

const FUNCTIONS = String.raw`
DIR="$(mktemp -d)"
trap 'rm -rf "$DIR"' EXIT
missing() { printf '%s\n' "$1" >&2; exit 2; }
for tool in curl jq; do command -v "$tool" >/dev/null || missing "This script needs $tool."; done

new_id() { cat /proc/sys/kernel/random/uuid 2>/dev/null || uuidgen | tr 'A-Z' 'a-z'; }
# SECONDS OFFSET SUFFIX [N]: so many seconds from now, or from call N, written at an offset of so many seconds from UTC, with its suffix.
at() {
  local from=null
  [ -z "\${4:-}" ] || from="$(cut -d' ' -f3 "$DIR/$4.status")"
  jq -rn --argjson s "$1" --argjson o "$2" --arg z "$3" --argjson from "$from" '(($from // now) + $s + $o | floor | todate | rtrimstr("Z")) + $z'
}
encoded() { jq -rn --arg text "$1" '$text | @uri'; }
# N PATH: what stands at the path in answer N.
field() { jq -r "$2" "$DIR/$1.body"; }
# Of what a target wrote only what acts on nothing is shown.
shown() { local LC_ALL=C; printf '%s' "\${1//[![:print:]]/?}"; }
# N METHOD PATH: sends standard input, where there is any, and keeps the answer as number N. Further words are curl's.
call() {
  local n="$1" method="$2" path="$3" began status size; shift 3
  : >"$DIR/$n.body"; : >"$DIR/$n.headers"; began="$(date +%s)"
  curl -g -sS --max-time 60 -X "$method" "$BASE$path" -o "$DIR/$n.body" -D "$DIR/$n.headers" -w '%{http_code} %{size_download}\n' "$@" >"$DIR/$n.sent"
  read -r status size <"$DIR/$n.sent"
  printf '%s %s %s\n' "$status" "$size" "$began" >"$DIR/$n.status"
  printf '%s  %s %s\n' "$status" "$method" "$(shown "$path")"
}
# The same, but noted, and sent at once with all others that were noted by "together".
beside() {
  local n="$1" method="$2" path="$3" url="$BASE$3"; shift 3
  : >"$DIR/$n.body"; : >"$DIR/$n.headers"; : >"$DIR/$n.asked"
  [ ! -e "$DIR/together" ] || printf 'next\n' >>"$DIR/together"
  printf '%s %s %s\n' "$n" "$method" "$path" >>"$DIR/beside"
  url="\${url//\\/\\\\}"
  {
    printf 'request = "%s"\nurl = "%s"\ngloboff\nmax-time = 60\n' "$method" "\${url//\"/\\\"}"
    printf 'output = "%s"\ndump-header = "%s"\nwrite-out = "%s %%{http_code} %%{size_download}\\n"\nheader = "@%s"\n' "$DIR/$n.body" "$DIR/$n.headers" "$n" "$DIR/$n.asked"
  } >>"$DIR/together"
  while [ $# -gt 0 ]; do
    case "$1 $2" in
      '-H @'*) cat "\${2#@}" >>"$DIR/$n.asked"; printf '\n' >>"$DIR/$n.asked" ;;
      '-H '*) printf '%s\n' "$2" >>"$DIR/$n.asked" ;;
      *) cat >"$DIR/$n.sent"; printf 'data-binary = "@%s"\n' "$DIR/$n.sent" >>"$DIR/together" ;;
    esac
    shift 2
  done
}
together() {
  local n method path status began; began="$(date +%s)"
  curl -sS --no-progress-meter --parallel --parallel-immediate --parallel-max 300 -K "$DIR/together" >"$DIR/answered"
  while read -r n method path; do
    status="$(sed -n "s/^$n \([0-9]* [0-9]*\)\$/\1/p" "$DIR/answered")"
    printf '%s %s\n' "\${status:-000 0}" "$began" >"$DIR/$n.status"
    printf '%s  %s %s\n' "\${status%% *}" "$method" "$(shown "$path")"
  done <"$DIR/beside"
  rm -f "$DIR/together" "$DIR/beside"
}
# Secrets go through files, so that nobody sees them in the list of processes.
control() { # METHOD PATH [TYPE], with the body on standard input
  [ -n "\${CONTROL:-}" ] && [ -n "\${CONTROL_TOKEN:-}" ] || missing "Put the control interface's address into CONTROL and its token into CONTROL_TOKEN."
  printf 'authorization: Bearer %s\n' "$CONTROL_TOKEN" >"$DIR/control"
  : >"$DIR/controlled"
  CONTROLLED="$(curl -g -sS --max-time 120 -X "$1" "$CONTROL$2" -o "$DIR/controlled" -w '%{http_code}' -H "@$DIR/control" -H "content-type: \${3:-application/json}" --data-binary @-)"
}
# STATUS WHAT: ends where what is needed for the calls was refused.
needed() { case "$1" in 2??) ;; *) missing "This couldn't be tried: $2 was answered $1." ;; esac; }
# N METHOD PATH [TYPE]: a step of the control interface, with its body on standard input.
move() {
  local n="$1"; shift
  control "$@"
  case "$CONTROLLED" in
    2??|404|409|422) ;;
    *) needed "$CONTROLLED" "the control interface's $1 $(shown "$2")" ;;
  esac
  : >"$DIR/$n.body"; : >"$DIR/$n.headers"; printf '%s 0 0\n' "$CONTROLLED" >"$DIR/$n.status"
  printf '%s  control %s %s\n' "$CONTROLLED" "$1" "$(shown "$2")"
}
# N: the credentials of integrator N, from CLIENT_ID_N and CLIENT_SECRET_N or made anew.
credentials() {
  local id="CLIENT_ID_$1" secret="CLIENT_SECRET_$1"
  [ -z "\${!id:-}" ] || return 0
  [ -n "\${CONTROL_TOKEN:-}" ] || missing "Put an integrator's credentials into $id and $secret, or the control interface's token into CONTROL_TOKEN."
  printf '{"kind":"integrator"}' >"$DIR/asked"
  control POST /integrators <"$DIR/asked"
  needed "$CONTROLLED" "making an integrator"
  printf -v "$id" '%s' "$(jq -r .client_id "$DIR/controlled")"
  printf -v "$secret" '%s' "$(jq -r .client_secret "$DIR/controlled")"
}
# N: the credentials of integrator N and a token of theirs.
integrator() {
  local id="CLIENT_ID_$1" secret="CLIENT_SECRET_$1" status
  credentials "$1"
  status="$(printf '{"grant_type":"client_credentials","client_id":"%s","client_secret":"%s"}' "\${!id}" "\${!secret}" |
    curl -sS --max-time 60 "$BASE/oauth/token" -H 'content-type: application/json' --data-binary @- -o "$DIR/token" -w '%{http_code}')"
  needed "$status" "asking for integrator $1's token"
  printf -v "TOKEN_$1" '%s' "$(jq -r '.access_token // empty' "$DIR/token")"
  printf 'authorization: Bearer %s\n' "$(jq -r '.access_token // empty' "$DIR/token")" >"$DIR/bearer_$1"
}
# A pairing code: the next word of PAIRING_CODES, or one that the control interface issues.
pairing_code() {
  if [ -n "\${PAIRING_CODES:-}" ]; then
    CODE="\${PAIRING_CODES%% *}"
    case "$PAIRING_CODES" in *' '*) PAIRING_CODES="\${PAIRING_CODES#* }" ;; *) PAIRING_CODES='' ;; esac
  else
    [ -n "\${CONTROL_TOKEN:-}" ] || missing "Put pairing codes into PAIRING_CODES, or the control interface's token into CONTROL_TOKEN."
    printf '{}' >"$DIR/asked"
    control POST /pairing-codes <"$DIR/asked"
    needed "$CONTROLLED" "asking for a pairing code"
    CODE="$(jq -r .pairing_code "$DIR/controlled")"
  fi
}
# N K STORE: links a store to integrator N, as the JSON says it, and puts its identifier into STORE_K unless one is there.
store() {
  local name="STORE_$2" status
  [ -z "\${!name:-}" ] || return 0
  pairing_code
  printf -v "$name" '%s' "$(new_id)"
  status="$(printf %s "$3" | jq --arg id "\${!name}" --arg code "$CODE" '.external_store_id = $id | .pairing_code = $code' |
    curl -sS --max-time 60 "$BASE/v1/stores" -H "@$DIR/bearer_$1" -H 'content-type: application/json' --data-binary @- -o "$DIR/store" -w '%{http_code}')"
  needed "$status" "linking a store"
}
# TEXT_OF_THE_RUN TEXT_OF_NOW...: puts into VERDICT whether it was as in the run, which stands in the file "run".
verdict() {
  local file n files=()
  for file in "$DIR"/*.status; do
    n="$(basename "$file" .status)"
    files+=(--rawfile "status_$n" "$file" --rawfile "headers_$n" "$DIR/$n.headers" --rawfile "body_$n" "$DIR/$n.body")
  done
  VERDICT="$(jq -rn --slurpfile finding "$DIR/finding" --slurpfile run "$DIR/run" "\${files[@]}" -f "$DIR/judgement" --args "$@")"
}
# What requests that are sent at once come to is chance: makes the calls up to 20 times, for a minute, until the fault shows.
race() {
  local rounds=1
  once; judged
  while case "$VERDICT" in REPEATED*) false ;; esac && [ "$rounds" -lt 20 ] && [ "$SECONDS" -lt 60 ] && [ -n "\${CONTROL_TOKEN:-}\${PAIRING_CODES:-}" ]; do
    rounds=$((rounds + 1))
    once >/dev/null; judged
  done
  case "$VERDICT" in NOT*) VERDICT="CAN'T BE TOLD HERE: the fault didn't show in $rounds rounds of requests sent at once, and whether it does is chance" ;; esac
}
# BLAMED: prints what came now, and the verdict.
judge() {
  printf 'Now         %s %s\n\n' "$(cut -d' ' -f1 "$DIR/$1.status")" "$(jq -Rrs "$HARMLESS" <"$DIR/$1.body")"
  printf '%s\n' "\${VERDICT:-This could not be judged.}"
  case "$VERDICT" in REPEATED*) exit 1 ;; NOT*) exit 0 ;; CAN*) exit 3 ;; *) exit 2 ;; esac
}
`.replaceAll("\\${", "${");

/** An address that can be registered for webhooks, and where nobody takes them. */
const NOBODY = "https://example.com";

const preset = (name: string, value: string) => `[ -n "\${${name}:-}" ] || ${name}=${shellQuote(value)}`;

/** The head of a script. */
export const preludeOf = ({ baseUrl, controlUrl }: Prelude): string =>
  [
    "set -u",
    preset("BASE", baseUrl),
    ...(controlUrl === undefined ? [] : [preset("CONTROL", controlUrl)]),
    preset("HOOKS", NOBODY),
    FUNCTIONS.trim(),
  ].join("\n");

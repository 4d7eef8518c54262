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
# SECONDS OFFSET SUFFIX: so many seconds from now, written at an offset of so many seconds from UTC, with its suffix.
at() { jq -rn --argjson s "$1" --argjson o "$2" --arg z "$3" '(now + $s + $o | floor | todate | rtrimstr("Z")) + $z'; }
encoded() { jq -rn --arg text "$1" '$text | @uri'; }
# N PATH: what stands at the path in answer N.
field() { jq -r "$2" "$DIR/$1.body"; }
# N METHOD PATH: sends standard input, where there is any, and keeps the answer as number N. Further words are curl's.
call() {
  local n="$1" method="$2" path="$3"; shift 3
  curl -g -sS -X "$method" "$BASE$path" -o "$DIR/$n.body" -D "$DIR/$n.headers" -w '%{http_code}' "$@" >"$DIR/$n.status"
  printf '%s  %s %s\n' "$(cat "$DIR/$n.status")" "$method" "$path"
}
# Secrets go through files, so that nobody sees them in the list of processes.
control() { # METHOD PATH [TYPE], with the body on standard input
  [ -n "\${CONTROL:-}" ] && [ -n "\${CONTROL_TOKEN:-}" ] || missing "Put the control interface's address into CONTROL and its token into CONTROL_TOKEN."
  printf 'authorization: Bearer %s\n' "$CONTROL_TOKEN" >"$DIR/control"
  curl -g -sS -X "$1" "$CONTROL$2" -H "@$DIR/control" -H "content-type: \${3:-application/json}" --data-binary @-
}
# N: the credentials of integrator N, from CLIENT_ID_N and CLIENT_SECRET_N or made anew, and a token of theirs.
integrator() {
  local id="CLIENT_ID_$1" secret="CLIENT_SECRET_$1"
  if [ -z "\${!id:-}" ]; then
    [ -n "\${CONTROL_TOKEN:-}" ] || missing "Put an integrator's credentials into $id and $secret, or the control interface's token into CONTROL_TOKEN."
    printf '{"kind":"integrator"}' | control POST /integrators >"$DIR/made"
    printf -v "$id" '%s' "$(jq -r .client_id "$DIR/made")"
    printf -v "$secret" '%s' "$(jq -r .client_secret "$DIR/made")"
  fi
  printf '{"grant_type":"client_credentials","client_id":"%s","client_secret":"%s"}' "\${!id}" "\${!secret}" |
    curl -sS "$BASE/oauth/token" -H 'content-type: application/json' --data-binary @- >"$DIR/token"
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
    CODE="$(printf '{}' | control POST /pairing-codes | jq -r .pairing_code)"
  fi
}
# N K LAT LNG: links a store to integrator N, at the point, and puts its identifier into STORE_K unless one is there.
store() {
  local name="STORE_$2"
  [ -z "\${!name:-}" ] || return 0
  pairing_code
  printf -v "$name" '%s' "$(new_id)"
  jq -n --arg id "\${!name}" --arg code "$CODE" --argjson lat "$3" --argjson lng "$4" \
    '{external_store_id: $id, pairing_code: $code, name: "Köşe Lokantası", phone: "+902125550100", address: {text: "Gülşen Sokak 1, Fatih, İstanbul", lat: $lat, lng: $lng}}' |
    curl -sS "$BASE/v1/stores" -H "@$DIR/bearer_$1" -H 'content-type: application/json' --data-binary @- >"$DIR/store"
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

# Installs the missing languages of the samples as Debian packages. Sourced by `run`.

install_runtimes() {
  local missing=()
  command -v python3 >/dev/null || missing+=(python3)
  php -r 'exit(extension_loaded("curl") && extension_loaded("pdo_sqlite") ? 0 : 1);' 2>/dev/null ||
    missing+=(php-cli php-curl php-sqlite3)
  command -v javac >/dev/null || missing+=(default-jdk-headless)
  [ -e /usr/share/java/gson.jar ] || missing+=(libgoogle-gson-java)
  # Mono: the compiler, the runtime, and the two libraries that the samples use.
  command -v mcs >/dev/null || missing+=(mono-mcs mono-runtime)
  [ -e /usr/lib/mono/4.5/System.Net.Http.dll ] || missing+=(libmono-system-net-http4.0-cil)
  [ -e /usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll ] || missing+=(libnewtonsoft-json5.0-cil)
  [ "${#missing[@]}" -eq 0 ] && return 0
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
}

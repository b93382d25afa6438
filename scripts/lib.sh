# Functions that the scripts of this folder share; sourced, not run. The caller has set -euo pipefail.
# Each function announces its work, and skips what is done already.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

say() { printf '== %s\n' "$*" >&2; }

die() {
  printf '\n%s: %s\n' "$(basename "$0")" "$1" >&2
  shift
  local line
  for line in "$@"; do printf '  %s\n' "$line" >&2; done
  exit 1
}

# --- Debian packages ------------------------------------------------------------------------------------------------

# Whether apt-get may run: as this user, through sudo, or not at all.
as_root=()
may_install() {
  command -v apt-get >/dev/null || return 1
  [ "$(id -u)" != 0 ] || return 0
  command -v sudo >/dev/null || return 1
  as_root=(sudo)
  [ -t 0 ] || sudo -n true 2>/dev/null  # without a terminal sudo cannot ask for a password
}

apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -q -y -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 "$@" </dev/null >&2
}

is_installed() { dpkg-query -W -f '${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed; }

# need_packages PURPOSE PACKAGE...: installs the missing packages.
need_packages() {
  local what_for=$1 missing=() package
  shift
  command -v dpkg-query >/dev/null || die "this machine has no dpkg; these scripts are made for Debian 12." \
    "To $what_for, install the counterparts of: $*"
  for package in "$@"; do is_installed "$package" || missing+=("$package"); done
  [ ${#missing[@]} -gt 0 ] || return 0
  may_install || die "packages are missing, and this user may not install them (neither root nor sudo)." \
    "Have them installed, then run this again:" "apt-get install --no-install-recommends ${missing[*]}"
  say "Installing Debian packages to $what_for: ${missing[*]}"
  # Package lists may be missing on a fresh machine, or name deleted files on an old one: update them then.
  if ! apt-cache show "${missing[@]}" >/dev/null 2>&1 || ! apt install --no-install-recommends "${missing[@]}"; then
    say "Reading the package lists"
    apt update || die "apt-get update failed (see above). Is the Debian mirror within reach?"
    apt install --no-install-recommends "${missing[@]}" ||
      die "apt-get could not install these (see above): ${missing[*]}"
  fi
}

need_build_packages() {
  need_packages "build the server" g++ cmake ninja-build ccache libasio-dev libboost-dev libcli11-dev libcurl4-openssl-dev \
    libgoogle-perftools-dev libicu-dev libmsgpack-cxx-dev librocksdb-dev libspdlog-dev libssl-dev libtomlplusplus-dev liburing-dev libwebsocketpp-dev \
    libavcodec-dev libavformat-dev libseccomp-dev libswscale-dev libvips-dev nlohmann-json3-dev pkg-config prometheus-cpp-dev zlib1g-dev
}

need_test_packages() {
  need_packages "run the tests" awscli chromium clamav-daemon clang-format clang-tidy clang-tidy-19 curl libgmock-dev libgtest-dev python3-boto3
}

node_major() { node --version 2>/dev/null | sed -n 's/^v\([0-9]*\)\..*/\1/p'; }

# Any newer Node.js will do, not only Debian's.
need_node() {
  local wanted=()
  command -v node >/dev/null || wanted+=(nodejs)
  command -v npm >/dev/null || wanted+=(npm)
  [ ${#wanted[@]} -eq 0 ] || need_packages "build the web client" "${wanted[@]}"
  local major
  major=$(node_major)
  [ "${major:-0}" -ge 18 ] || die "Node.js 18 or newer is needed; $(command -v node) is $(node --version)."
}

# --- One at a time --------------------------------------------------------------------------------------------------

# Two builds in one directory would disturb each other. Descriptor 9 holds the lock until end_building.
begin_building() {
  mkdir -p build
  exec 9>build/.lock
  if ! flock -n 9; then
    say "Another script is building here; waiting for it"
    flock 9
  fi
}
end_building() { exec 9>&-; }

# --- The server -----------------------------------------------------------------------------------------------------

# As many compilers at once as there are processors, limited by a gigabyte of memory each. JOBS overrides this.
jobs_at_once() {
  local cores gigabytes
  cores=$(nproc)
  gigabytes=$(awk '/^MemAvailable/ {print int($2 / 1048576)}' /proc/meminfo)
  [ "$gigabytes" -ge 1 ] || gigabytes=1
  echo "${JOBS:-$((gigabytes < cores ? gigabytes : cores))}"
}

# build_server PRESET TARGET...
build_server() {
  local preset=$1 dir=build/$1 log=build/$1.configure.log
  shift
  if [ -f "$dir/CMakeCache.txt" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$dir/CMakeCache.txt"; then
    say "This folder was moved or copied: configuring $dir again"
    rm -rf "$dir"
  fi
  cmake --preset "$preset" >"$log" 2>&1 9>&- || {
    cat "$log" >&2
    die "CMake could not configure the build (see above; also in $log)."
  }
  say "Building ($preset): $*"
  ninja -C "$dir" -j "$(jobs_at_once)" "$@" >&2 9>&- ||
    die "the build failed; read the first error above."
}

# --- The web client -------------------------------------------------------------------------------------------------

# A hash of the sources of packages and build is stored next to the packages. File times do not work: a checkout of an
# older commit gives new times to old files.
packages_stamp=clients/node_modules/.installed-from
web_stamp=clients/node_modules/.built-from

# hash_of PATH...: a hash of the names and contents of all files below.
hash_of() {
  find "$@" \( -name node_modules -o -name dist -o -name '*.tsbuildinfo' \) -prune -o -type f -print0 |
    LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -d ' ' -f 1
}

is_from() { [ -f "$1" ] && [ "$(cat "$1")" = "$2" ]; }

install_web_packages() {
  local wanted
  wanted=$(hash_of clients/package-lock.json)
  ! is_from "$packages_stamp" "$wanted" || return 0
  say "Installing the web client's npm packages"
  (cd clients && npm ci --no-audit --no-fund </dev/null >&2 9>&-) ||
    die "npm ci failed in clients/ (see above). Is the npm registry within reach?"
  echo "$wanted" >"$packages_stamp"
}

build_web() {
  local wanted
  install_web_packages
  wanted=$(hash_of clients)
  [ ! -f clients/web/dist/index.html ] || ! is_from "$web_stamp" "$wanted" || return 0
  say "Building the web client"
  (cd clients && npm run build </dev/null >&2 9>&-) || die "the web client does not build (see above)."
  echo "$wanted" >"$web_stamp"
}

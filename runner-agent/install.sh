#!/bin/sh
# install.sh      installs loomboard-agent from a Loomboard service, and registers the machine; see --help.
set -eu

usage() {
  cat <<'TEXT'
usage: sh install.sh --url URL --sha256 HEX [--to FOLDER] [--token lbr_... and what else loomboard-agent register takes]

Installs one file, loomboard-agent: in /usr/local/bin as root, else in ~/.local/bin. It fetches the agent for this machine
from the service and installs it only if it is what HEX says. With a token it then registers this machine, as
"loomboard-agent register" does. It starts nothing, changes no setting, and installs no JDK and no server to measure.

  --url URL      address of the service
  --sha256 HEX   SHA-256 of the service's downloads/SHA256SUMS, as the page shows it that has the line to paste
  --to FOLDER    where to install
TEXT
}

say() { printf '%s\n' "$*"; }
fail() {
  printf 'install.sh: %s\n' "$*" >&2
  exit 1
}

fetch() { # URL FILE
  if command -v curl >/dev/null; then
    curl -fsSL -o "$2" "$1"
  elif command -v wget >/dev/null; then
    wget -q -O "$2" "$1"
  else
    fail "neither curl nor wget is here: install one of them"
  fi || fail "$1 cannot be downloaded; nothing was installed"
}

digest() { sha256sum "$1" | cut -d' ' -f1; }

expect() { # FILE HEX NAME
  found=$(digest "$1")
  [ "$found" = "$2" ] || fail "$3 has SHA-256 $found, expected was $2; nothing was installed"
}

architecture() {
  [ "$(uname -s)" = Linux ] || fail "the agent runs on Linux only, this is $(uname -s)"
  case $(uname -m) in
    x86_64) say amd64 ;;
    aarch64 | arm64) say arm64 ;;
    *) fail "there is no agent for $(uname -m), only for x86_64 and aarch64" ;;
  esac
}

remove() { rm -rf "$work" ${new:+"$new"}; }

install_agent() { # URL HEX FOLDER
  command -v sha256sum >/dev/null || fail "sha256sum is missing: install coreutils"
  system=linux_$(architecture)
  work=$(mktemp -d) new=
  trap remove EXIT
  trap 'exit 1' HUP INT TERM

  fetch "$1/downloads/SHA256SUMS" "$work/SHA256SUMS"
  expect "$work/SHA256SUMS" "$2" "$1/downloads/SHA256SUMS"
  archive=$(sed -n "s/^[0-9a-f]\{64\}  \(loomboard-agent_[0-9A-Za-z.+_-]*_$system\.tar\.gz\)\$/\1/p" "$work/SHA256SUMS")
  [ -n "$archive" ] || fail "the service has no agent for $system; nothing was installed"
  say "Fetching $1/downloads/$archive"
  fetch "$1/downloads/$archive" "$work/archive"
  expect "$work/archive" "$(sed -n "s/^\([0-9a-f]\{64\}\)  $archive\$/\1/p" "$work/SHA256SUMS")" "$archive"

  tar -xzf "$work/archive" -C "$work" loomboard-agent
  mkdir -p "$3"
  new=$3/.loomboard-agent.$$
  cp "$work/loomboard-agent" "$new"
  chmod 755 "$new"
  version=$("$new" version) || fail "the agent does not run here; nothing was installed"
  mv -f "$new" "$3/loomboard-agent"
  say "Installed $version as $3/loomboard-agent"
}

main() {
  url='' sum='' to=${HOME:-}/.local/bin
  [ "$(id -u)" != 0 ] || to=/usr/local/bin
  left=$#
  while [ "$left" -gt 0 ]; do
    case $1 in
      -h | --help)
        usage
        return
        ;;
      --url | --sha256 | --to)
        [ "$left" -gt 1 ] || fail "$1 needs a value"
        case $1 in
          --url) url=${2%/} ;;
          --sha256) sum=$2 ;;
          --to) to=$2 ;;
        esac
        shift 2
        left=$((left - 2))
        ;;
      *) # it is for register: behind the others
        set -- "$@" "$1"
        shift
        left=$((left - 1))
        ;;
    esac
  done
  case $url in http://?* | https://?*) ;; *) fail "--url must be the service's address, such as https://board.example.org; see --help" ;; esac
  case $sum in *[!0-9a-f]* | '') fail "--sha256 must be the 64 hex digits that the service's page shows; see --help" ;; esac
  case $to in /*) ;; *) to=$PWD/$to ;; esac

  install_agent "$url" "$sum" "$to"
  case ":$PATH:" in
    *":$to:"*) ;;
    *) say "$to is not on the PATH of this script. To call the agent by its name: export PATH=\"\$PATH:$to\"" ;;
  esac
  [ $# -gt 0 ] || return 0
  "$to/loomboard-agent" register --url "$url" "$@" ||
    fail "the agent is installed and stays, but this machine is not registered: mend what is said above, then run loomboard-agent register"
}

main "$@"

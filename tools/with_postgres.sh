#!/usr/bin/env bash
# Run a command with an empty PostgreSQL of its own on loopback: tools/with_postgres.sh pytest tests/server
# The command finds its URL in BIGPEPPER_TEST_POSTGRES. The data folder is temporary; the server is stopped at the end.
set -euo pipefail

binaries() { find /usr/lib/postgresql -maxdepth 2 -name bin 2>/dev/null | sort -V | tail -n 1; }

if [ -z "$(binaries)" ] || [ ! -x "$(binaries)/initdb" ]; then
  if [ "$(id -u)" != 0 ]; then
    echo "PostgreSQL is missing: install your system's package (Debian: apt-get install postgresql)." >&2
    exit 1
  fi
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq postgresql >/dev/null
fi
bin=$(binaries)
data=$(mktemp -d)
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')

# PostgreSQL refuses to run as root.
if [ "$(id -u)" = 0 ]; then
  chown postgres "$data"
  as() { (cd / && runuser -u postgres -- "$@"); }
else
  as() { "$@"; }
fi
as "$bin/initdb" -D "$data/db" -A trust -U bigpepper -E UTF8 --locale=C.UTF-8 >/dev/null
as "$bin/pg_ctl" -D "$data/db" -w -s -l "$data/log" \
  -o "-c listen_addresses=127.0.0.1 -c port=$port -c unix_socket_directories=$data -c fsync=off" start
stop() { as "$bin/pg_ctl" -D "$data/db" -w -s -m immediate stop || true; rm -rf "$data"; }
trap stop EXIT
as "$bin/psql" -h 127.0.0.1 -p "$port" -U bigpepper -d postgres -qc 'CREATE DATABASE bigpepper'
BIGPEPPER_TEST_POSTGRES="postgresql://bigpepper@127.0.0.1:$port/bigpepper" "$@"

#!/usr/bin/env bash
# Make sure that there is a Chromium for the browser tests; Debian's package is installed where it is missing.
set -euo pipefail
if ! command -v chromium >/dev/null; then
  if [ "$(id -u)" != 0 ]; then
    echo "Chromium is missing: install your system's package (Debian: apt-get install chromium)." >&2
    exit 1
  fi
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null
fi

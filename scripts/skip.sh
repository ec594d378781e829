# Sourced by the other scripts: how something that cannot be done here is told.

# skip WHAT WHY: one line; a failure when STRICT=1.
skip() {
    echo "skipped: $1: $2"
    if [[ "${STRICT:-}" == 1 ]]; then
        echo "STRICT=1 lets nothing be skipped: set up what is missing, or run without STRICT." >&2
        exit 1
    fi
}

# install PACKAGE: through the system's package manager, when this user may. Says why it did not.
install() {
    if ! command -v apt-get >/dev/null; then
        echo "it is not installed, and there is no apt-get to install it with"
        return 1
    fi
    if [[ "$(id -u)" != 0 ]]; then
        echo "it is not installed, and only root may: apt-get install $1"
        return 1
    fi
    local log
    log="$(mktemp)"
    if { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$1"; } \
        >"$log" 2>&1; then
        rm -f "$log"
        return 0
    fi
    echo "apt-get install $1 failed ($(grep -m 1 '^E:' "$log" || tail -n 1 "$log"))"
    rm -f "$log"
    return 1
}

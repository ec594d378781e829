# Sourced by the scripts that need a running server: a free port and a temporary data directory, both gone at the end.
# shellcheck shell=bash

# start_server PROGRAM
# Sets `address`, `username` and `password` of the first account, `admin_socket` and `place`, a temporary directory.
start_server() {
    local program="$1" port deadline
    port="$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => {
        console.log(s.address().port); s.close(); })')"
    place="$(mktemp -d)"
    server_log="$place/server.log"
    admin_socket="$place/admin.sock"
    # Apart from the log, which is shown when something fails: the first start prints a password there.
    local first_start="$place/first-start"
    address="http://127.0.0.1:$port"
    server=
    trap stop_server EXIT

    # Scripts log in more often in a minute than people do, and need no protection from guessing.
    SVC_ADMIN_SOCKET="$admin_socket" SVC_BCRYPT_COST=4 SVC_RATE_LIMIT_AUTH=0 \
        "$program" --data "$place/data" --listen "127.0.0.1:$port" >"$first_start" 2>"$server_log" &
    server=$!

    deadline=$((SECONDS + 60))
    until server_answers; do
        if ! kill -0 "$server" 2>/dev/null; then
            echo "the server ended before it was ready" >&2
            exit 1
        fi
        if ((SECONDS > deadline)); then
            echo "the server was not ready within 60 seconds" >&2
            exit 1
        fi
        sleep 0.2
    done

    username="$(sed -n "s/^ *username: //p" "$first_start")"
    password="$(sed -n "s/^ *password: //p" "$first_start")"
    if [[ -z "$username" || -z "$password" ]]; then
        echo "the server did not print the name and password of its first account" >&2
        exit 1
    fi
}

server_answers() {
    node -e 'fetch(process.argv[1]).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))' "$address/readyz"
}

stop_server() {
    local outcome=$?
    if [[ -n "$server" ]] && kill "$server" 2>/dev/null; then
        wait "$server" || true
    fi
    if [[ "$outcome" != 0 ]]; then
        echo "the end of the server's log:" >&2
        tail -n 40 "$server_log" >&2 || true
    fi
    rm -rf "$place"
}

# Sourced by the scripts that do several things: each with a heading before and its time after.

# step WHAT COMMAND...
step() {
    local what="$1" begin="$SECONDS"
    shift
    printf '\n==> %s\n' "$what"
    "$@"
    printf '%s took %d s\n' "$what" "$((SECONDS - begin))"
}

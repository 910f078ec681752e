#!/usr/bin/env bash
# What the GitHub action runs (action.yml): judges what its inputs name, annotates, and writes SARIF and a summary.
# It reads TURNPROOF, SESSIONS, REQUESTS, RECORDINGS, COMMAND, MOCK_OPTIONS, SARIF and GITHUB_STEP_SUMMARY, and ends with
# the worst exit code.
set -uo pipefail
summary=${GITHUB_STEP_SUMMARY:-/dev/null}
worst=0
mkdir -p "$SARIF"

# Keeps the worst exit code so far.
came() { [ "$1" -le "$worst" ] || worst=$1; }

# A part of the summary, from standard input.
part() {
    {
        printf '### %s\n\n```text\n' "$1"
        # A fence in it would end the part.
        sed 's/```/` ` `/g'
        printf '```\n\n'
    } >>"$summary"
}

# Reads paths, one a line, into `paths`; fails where there is none.
read_paths() {
    local path
    paths=()
    while IFS= read -r path; do
        [ -z "$path" ] || paths+=("$path")
    done <<<"$1"
    [ ${#paths[@]} -gt 0 ]
}

# judge NAME [FLAG…]: what `turnproof check` says of `paths`.
judge() {
    local name=$1
    shift
    "$TURNPROOF" check "$@" --format github "${paths[@]}"
    came $?
    "$TURNPROOF" check "$@" --format sarif "${paths[@]}" >"$SARIF/$name.sarif"
    "$TURNPROOF" check "$@" --color never --quiet "${paths[@]}" 2>&1 | tail -n 200 | part "turnproof: $name"
}

if read_paths "$SESSIONS"; then judge sessions; fi
if read_paths "$REQUESTS"; then judge requests --request; fi
if read_paths "$RECORDINGS"; then
    # A table, which is no list of places.
    log=$(mktemp)
    "$TURNPROOF" check --recordings --color never "${paths[@]}" 2>&1 | tee "$log"
    came "${PIPESTATUS[0]}"
    part "turnproof: recordings" <"$log"
fi
if [ -n "$COMMAND" ]; then
    log=$(mktemp)
    # The options are words, as a shell splits them.
    # shellcheck disable=SC2086
    "$TURNPROOF" mock $MOCK_OPTIONS --sarif "$SARIF/mock.sarif" -- bash -c "$COMMAND" 2> >(tee "$log" >&2)
    came $?
    part "turnproof: $COMMAND" <"$log"
fi
exit "$worst"

#!/usr/bin/env bash
# Builds every fuzz target for ClusterFuzzLite, which sets SRC (the sources), OUT (where programs go) and SANITIZER.
# A target becomes OUT/NAME, OUT/NAME_seed_corpus.zip, OUT/NAME.options and, where one fits, OUT/NAME.dict.
# PROGRAMS is a folder of programs that are built already.
set -euo pipefail
cd "$SRC/turnproof"

# What cargo-fuzz calls a build with coverage or without a sanitizer.
case ${SANITIZER:-address} in
address) sanitizer=address ;;
none | coverage) sanitizer=none ;;
*)
    echo "SANITIZER=$SANITIZER: Rust code is built for address, coverage and none" >&2
    exit 2
    ;;
esac

# The dictionary that fits a target's bytes; targets that make plans of bytes have none.
dictionary() {
    case $1 in
    parse | parse_differential | resume) echo transcript ;;
    accumulate) echo stream ;;
    check_request | mock) echo request ;;
    esac
}

programs=${PROGRAMS:-}
if [ -z "$programs" ]; then
    cargo fuzz build -O -s "$sanitizer" --codegen-units 16
    programs=$(cargo metadata --format-version 1 --no-deps | sed -E 's/.*"target_directory":"([^"]*)".*/\1/')
    programs=$programs/$(rustc -vV | sed -n 's/^host: //p')/release
fi
for source in fuzz/fuzz_targets/*.rs; do
    target=$(basename "$source" .rs)
    [ -x "$programs/$target" ] || continue
    cp "$programs/$target" "$OUT/"
    (cd "fuzz/seeds/$target" && zip -q -r - .) >"$OUT/${target}_seed_corpus.zip"
    {
        echo "[libfuzzer]"
        echo "max_len = 4096"
        echo "timeout = 10"
    } >"$OUT/$target.options"
    words=$(dictionary "$target")
    if [ -n "$words" ]; then
        cp "fuzz/dictionaries/$words.dict" "$OUT/$target.dict"
        echo "dict = $target.dict" >>"$OUT/$target.options"
    fi
done

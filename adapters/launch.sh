# What the launchers of adapters share. `run` of an adapter sources this file, then calls the function of its language:
#
#     #!/bin/sh
#     . "${0%/*}/../launch.sh"
#     launch_python "$@"
#
# `run` makes the environment of the adapter when there is none, or when what is pinned has changed, and then becomes
# the adapter. `run --install` only makes it. Environments are kept in $TURNPROOF_ADAPTERS, else in target/adapters of
# the repository. All that is said here goes to standard error: standard output belongs to the adapter. Exit code 69
# says that the adapter cannot be installed here.

set -eu
exec 3>&1 1>&2

folder=$(CDPATH='' cd -- "${0%/*}" && pwd -P)
name=${folder##*/}
adapters=${folder%/*}
environments=${TURNPROOF_ADAPTERS:-${adapters%/*}/target/adapters}
environment=$environments/$name

# Python: adapter.py, with what requirements.txt pins. $PYTHON names another interpreter than python3.
launch_python() {
    python=${PYTHON:-python3}
    has "$python"
    prepare install_python "$("$python" --version 2>&1)" "$folder/requirements.txt"
    only_install "$@"
    export PYTHONPATH="$adapters/kit/python:$adapters/common" PYTHONNOUSERSITE=1 PYTHONDONTWRITEBYTECODE=1
    exec "$environment/bin/python" "$folder/adapter.py" 1>&3 3>&-
}

install_python() {
    "$python" -m venv "$environment"
    "$environment/bin/python" -m pip install -q --disable-pip-version-check --no-deps -r "$folder/requirements.txt"
}

# Node: adapter.mjs, with what package-lock.json pins; a Node among these packages is used. Node looks for packages
# beside the file that imports them. So the environment has links to the adapter, the kit and what adapters share, and
# the adapter is started by its link: `import` finds packages, "../common/…" and "../kit/…" from there.
launch_node() {
    has node
    has npm
    prepare install_node "$(node --version)" "$folder/package.json" "$folder/package-lock.json"
    only_install "$@"
    node=node
    for found in "$environment"/node_modules/node-*/bin/node; do
        [ ! -x "$found" ] || node=$found
    done
    exec "$node" --preserve-symlinks --preserve-symlinks-main "$environment/adapter.mjs" 1>&3 3>&-
}

install_node() {
    cp "$folder/package.json" "$folder/package-lock.json" "$environment/"
    (cd "$environment" && npm ci --silent --no-audit --no-fund)
    for file in "$folder"/*.mjs; do
        ln -sf "$file" "$environment/"
    done
    for shared in common kit; do
        ln -sfn "$adapters/$shared" "$environments/$shared"
    done
}

# Rust: the program of Cargo.toml, which has the name of the folder, with what Cargo.lock pins.
launch_cargo() {
    has cargo
    prepare install_cargo "$(cargo --version)" "$folder/Cargo.toml" "$folder/Cargo.lock" "$folder"/src/*
    only_install "$@"
    exec "$environment/release/$name" 1>&3 3>&-
}

install_cargo() {
    cargo build --quiet --release --locked --manifest-path "$folder/Cargo.toml" --target-dir "$environment"
}

# Makes the environment by a function, unless the stamp says that it was made so: of the same tool and the same files.
# Several processes may be started at once: one makes it, and the others wait.
prepare() {
    install=$1 tool=$2
    shift 2
    wanted=$(cat -- "$@" | cksum) || cannot "a file is missing"
    wanted="$tool $wanted"
    is_made && return
    mkdir -p "$environment" || cannot "$environment cannot be made"
    lock
    if ! is_made; then
        echo "$name: makes its environment in $environment"
        # `set -e` does not hold where the outcome is asked for, and so a shell of its own is started.
        ( set -e; "$install" ) >"$environment/install.log" 2>&1 & wait $! || {
            why=$(grep . "$environment/install.log" | tail -n 1)
            unlock
            cannot "$why (all of it is in $environment/install.log)"
        }
        printf '%s\n' "$wanted" >"$environment/stamp"
    fi
    unlock
}

is_made() { [ "$(cat "$environment/stamp" 2>/dev/null)" = "$wanted" ]; }

lock() {
    until mkdir "$environment/lock" 2>/dev/null; do
        # Whoever made the lock may have been killed. A lock without a number is just being made.
        holder=$(cat "$environment/lock/pid" 2>/dev/null) || holder=
        if [ -n "$holder" ] && ! kill -0 "$holder" 2>/dev/null; then
            unlock
        else
            sleep 1
        fi
    done
    echo $$ >"$environment/lock/pid"
    trap 'unlock; exit 130' INT TERM
}

unlock() {
    rm -rf "$environment/lock"
    trap - INT TERM
}

has() { command -v "$1" >/dev/null 2>&1 || cannot "there is no $1"; }

only_install() { [ "${1:-}" != --install ] || exit 0; }

cannot() {
    echo "$name: it cannot be installed here: $1" >&2
    exit 69
}

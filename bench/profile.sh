#!/usr/bin/env bash
# Compares release profiles: builds `rely` once with each, then runs all of them in turn on the same
# tasks, several rounds, and prints the build's seconds and the sum of user seconds with its ratio to
# the first one. Usage: bench/profile.sh [ROUNDS]
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-3}
tasks=$(ls examples/impara/*.c examples/*.c tests/regression/17-threads/*.c | head -n 60)
# Name, link-time optimisation, codegen units. (Panics must unwind: a panic is answered with UNKNOWN.)
profiles="default:false:16 thin:thin:16 one-unit:false:1 fat:fat:1"

folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
for profile in $profiles; do
    IFS=: read -r name lto units <<<"$profile"
    start=$SECONDS
    CARGO_PROFILE_RELEASE_LTO=$lto CARGO_PROFILE_RELEASE_CODEGEN_UNITS=$units \
        cargo build --quiet --release --locked
    cp target/release/rely "$folder/$name"
    echo "$name: built in $((SECONDS - start)) s, $(stat -c %s "$folder/$name") bytes"
done
TIMEFORMAT=%U
for _ in $(seq "$rounds"); do
    for task in $tasks; do
        for profile in $profiles; do
            name=${profile%%:*}
            args=$(sed -n 's,^// *ARGS: *,,p' "$task" | head -n 1)
            # shellcheck disable=SC2086 # one word for each argument
            { time "$folder/$name" check "$task" --timeout 20 $args >/dev/null 2>&1 || true; } \
                2>>"$folder/$name.times"
        done
    done
done
first=""
for profile in $profiles; do
    name=${profile%%:*}
    sum=$(awk '{ sum += $1 } END { print sum }' "$folder/$name.times")
    first=${first:-$sum}
    awk -v n="$name" -v s="$sum" -v f="$first" 'BEGIN { printf "%s: %.2f s user, ratio %.3f\n", n, s, s / f }'
done

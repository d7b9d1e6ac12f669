#!/bin/sh
# Builds and runs the reproducer of each example whose answer is UNSAFE. For each: how many of 20 runs failed as expected, or why there is none; then how many reproduce.
# Another build: RELY=path bench/reproducers.sh. Another number of runs: RUNS=5. Other programs: bench/reproducers.sh FILE...
cd "$(dirname "$0")/.." || exit 2
rely=${RELY:-target/release/rely}
runs=${RUNS:-20}
[ -x "$rely" ] || cargo build --release --bin rely || exit 2
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
[ $# -gt 0 ] || set -- $(grep -lr --include='*.c' '^//EXPECT: UNSAFE' examples | sort)

for program in "$@"; do
    # shellcheck disable=SC2046
    "$rely" check "$program" $(sed -n 's|^//ARGS: ||p' "$program") --timeout 60 --reproducer "$scratch/out.c" > /dev/null 2> "$scratch/note"
    if [ -e "$scratch/out.c" ]; then
        answer=$("$rely" replay "$scratch/out.c" --runs "$runs" --timeout 60 2>&1 | head -n 1)
        rm "$scratch/out.c"
    else
        answer=$(grep -o 'no reproducer: .*' "$scratch/note" || echo "no reproducer")
    fi
    printf '%-44s %s\n' "$program" "$answer"
    echo "$answer" >> "$scratch/answers"
done
printf '%d of %d reproduce in each of %d runs\n' "$(grep -c '^REPRODUCED' "$scratch/answers")" $# "$runs"

#!/bin/sh
# What it costs to ask for everything: each example in C, asked for assertions alone and for assertions, undefined behaviour, races and deadlocks,
# by turns in one run. For each: both answers, both times in seconds; then the sums and their ratio.
# Another build: RELY=path bench/questions.sh. Other limits: LIMITS="--timeout 10". Other programs: bench/questions.sh FILE...
cd "$(dirname "$0")/.." || exit 2
rely=${RELY:-target/release/rely}
limits=${LIMITS:---timeout 60}
[ -x "$rely" ] || cargo build --release --bin rely || exit 2
results=$(mktemp) && measured=$(mktemp) && printed=$(mktemp) || exit 2
trap 'rm -f "$results" "$measured" "$printed"' EXIT
[ $# -gt 0 ] || set -- examples/*.c examples/impara/*.c examples/threader/*.c examples/thread-modular/*.c examples/memory/*.c examples/races/*.c examples/deadlocks/*.c examples/questions/*.c

# The answer and the seconds that it took.
ask() {
    # shellcheck disable=SC2086
    /usr/bin/time -o "$measured" -f '%e' "$rely" check $limits "$@" > "$printed" 2> /dev/null
    echo "$(head -n 1 "$printed") $(tail -n 1 "$measured")"
}

printf '%-44s %-8s %8s   %-8s %8s\n' program assertions seconds everything seconds
for program in "$@"; do
    # shellcheck disable=SC2046
    set -- $(ask --check assertions "$program") $(ask "$program")
    printf '%-44s %-8s %8s   %-8s %8s\n' "$program" "$1" "$2" "$3" "$4"
    echo "$2 $4" >> "$results"
done
awk '{ one += $1; all += $2 }
     END { printf "%d programs: assertions alone %.1f s, everything %.1f s, ratio %.2f\n", NR, one, all, all / one }' "$results"

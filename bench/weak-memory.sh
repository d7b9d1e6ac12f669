#!/bin/sh
# The rows of Table III of Wachter, Kroening, Ouaknine, "Verifying multi-threaded software with Impact" (FMCAD 2013) for the memory models that programs are decided
# under, beside ours: the answer, our seconds, Impara's seconds (a dash where the table has no such row), and whether the answer is right.
# Another build: RELY=path bench/weak-memory.sh. Other limits: LIMITS="--timeout 10".
cd "$(dirname "$0")/.." || exit 2
rely=${RELY:-target/release/rely}
limits=${LIMITS:---timeout 20 --memory-limit 2000}
[ -x "$rely" ] || cargo build --release --bin rely || exit 2
measured=$(mktemp) && printed=$(mktemp) || exit 2
trap 'rm -f "$measured" "$printed"' EXIT
printf '%-13s %-5s %-8s %8s %8s\n' program model answer seconds Impara
while read -r program question model expected impara; do
    # shellcheck disable=SC2086
    /usr/bin/time -o "$measured" -f '%e' "$rely" check --check "$question" --memory-model "$model" $limits "examples/weak-memory/$program.c" > "$printed" 2> /dev/null
    answer=$(head -n 1 "$printed")
    right=wrong
    [ "$answer" = "$expected" ] && right=right
    printf '%-13s %-5s %-8s %8s %8s %s\n' "$program" "$model" "$answer" "$(tail -n 1 "$measured")" "$impara" "$right"
done <<ROWS
sober deadlocks sc SAFE 0.7
sober deadlocks tso UNSAFE 3.7
sober deadlocks pso UNSAFE 1.7
sober-fixed deadlocks sc SAFE 0.7
sober-fixed deadlocks tso SAFE 1.3
sober-fixed deadlocks pso SAFE 1.4
latch assertions sc SAFE 0.4
latch assertions tso SAFE 0.5
latch assertions pso UNSAFE -
latch-fixed assertions sc SAFE -
latch-fixed assertions tso SAFE -
latch-fixed assertions pso SAFE -
ROWS

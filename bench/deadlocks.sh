#!/bin/sh
# Asks for deadlocks in 30 programs: bench/deadlocks/*.c with 3, 5 and 7 threads, deadlocking and repaired. For each:
# the answer, seconds, megabytes; then how many are right, and the worst of each.
# Another build: RELY=path bench/deadlocks.sh. Other limits: LIMITS="--timeout 10". Other numbers of threads: SIZES="3 4".
cd "$(dirname "$0")/.." || exit 2
rely=${RELY:-target/release/rely}
limits=${LIMITS:---timeout 20 --memory-limit 2000}
[ -x "$rely" ] || cargo build --release --bin rely || exit 2
results=$(mktemp) && measured=$(mktemp) && printed=$(mktemp) || exit 2
trap 'rm -f "$results" "$measured" "$printed"' EXIT
printf '%-14s %2s  %-11s %-8s %8s %6s\n' program N variant answer seconds MB
for program in bench/deadlocks/*.c; do
    name=$(basename "$program" .c)
    for n in ${SIZES:-3 5 7}; do
        for variant in deadlocking repaired; do
            case $variant in
                deadlocking) define='' expected=UNSAFE ;;
                repaired) define='-D REPAIRED' expected=SAFE ;;
            esac
            # shellcheck disable=SC2086
            /usr/bin/time -o "$measured" -f '%e %M' "$rely" check --check deadlocks -D N="$n" $define $limits "$program" > "$printed" 2> /dev/null
            answer=$(head -n 1 "$printed" | sed 's/[^A-Z].*//')
            tail -n 1 "$measured" | {
                read -r seconds kilobytes
                printf '%-14s %2d  %-11s %-8s %8s %6d\n' "$name" "$n" "$variant" "$answer" "$seconds" $((kilobytes / 1024))
                echo "$answer $expected $seconds $((kilobytes / 1024))" >> "$results"
            }
        done
    done
done
awk '{ if ($1 == $2) right++; else if ($1 != "UNKNOWN") wrong++
       if ($1 == $2 && $3 < 3 && $4 < 100) within++
       s += $3; m += $4; if ($3 > ms) ms = $3; if ($4 > mm) mm = $4 }
     END { printf "%d right, %d wrong, of %d; %d in under 3 s and 100 MB; on average %.2f s and %.0f MB, at most %.2f s and %.0f MB\n", right, wrong, NR, within, s / NR, m / NR, ms, mm }' "$results"

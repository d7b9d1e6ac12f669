#!/usr/bin/env bash
# bench/scale.sh [FAMILY...]: programs that are easy and become large (bench/scale/*.c): for each size the answer, seconds of processor
# time and megabytes, until an answer is missing. What counts is how the time grows. The first line of a program says whether threads
# or rounds grow. RELY=path for another build, CHECK=races for another question, LIMITS="--timeout 60" for other limits.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
rely=${RELY:-$root/target/release/rely}
limits=${LIMITS:---timeout 20 --memory-limit 4000}
check=${CHECK:-assertions}
measured=$(mktemp)
trap 'rm -f "$measured"' EXIT

measure() { # program size
    local answer
    # shellcheck disable=SC2086 # one word for each limit
    answer=$(/usr/bin/time -o "$measured" -f '%U %M' "$rely" check --check "$check" -D SIZE="$2" $limits "$1" 2>/dev/null | head -n 1) || true
    tail -n 1 "$measured" | awk -v name="$(basename "$1" .c)" -v size="$2" -v answer="$answer" \
        '{ printf "%-10s %8d  %-8s %8.2f %6d\n", name, size, answer, $1, $2 / 1024 }'
    [ "$answer" != UNKNOWN ]
}

printf '%-10s %8s  %-8s %8s %6s\n' family size answer seconds MB
families=("$@")
[ ${#families[@]} -gt 0 ] || families=(counter limit slots flag workers heap deep)
for family in "${families[@]}"; do
    program=$root/bench/scale/$family.c
    case $(head -n 1 "$program") in
        *"Grows: threads"*) sizes="2 4 8 16 32 64" ;;
        *) sizes="10 100 1000 10000 100000" ;;
    esac
    for size in $sizes; do
        measure "$program" "$size" || break
    done
done

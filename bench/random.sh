#!/usr/bin/env bash
# bench/random.sh KIND PROGRAMS [FIRST]: compares what random programs mean to Rely with what they mean to a judge from outside,
# in parts of 100 programs, each with a seed of its own, from part FIRST (1000) on. KIND is
#   csmith       programs of csmith, against gcc (crates/cfront/tests/meaning/csmith.rs)
#   sequential   our own programs without threads, against gcc and clang at -O0 to -O3, and as many programs with orders of evaluation
#                that C leaves open (crates/cfront/tests/meaning)
#   concurrent   our own programs with threads, against an interpreter written apart (crates/rely/tests/oracle)
# Each part that is over is a line of KIND.tsv in the current folder (part, programs, passed or FAILED), what it printed is in
# KIND.log. A run that was ended goes on behind the last line. At the end it prints how many parts passed, and the sum of what was counted.
# One part again: RELY_SEED as in KIND.log, by the same command.
set -euo pipefail
kind=$1 programs=$2 first=${3:-1000} size=100
root=$(cd "$(dirname "$0")/.." && pwd)

case $kind in
    csmith) package=cfront suite=meaning tests="csmith::csmith_programs_mean_what_gcc_says" ;;
    sequential)
        package=cfront suite=meaning
        tests="random_programs_mean_what_cc_says orders::what_compilers_choose_is_an_order_of_the_model"
        export RELY_COMPILERS=all
        ;;
    concurrent) package=rely suite=oracle tests="random_programs_mean_what_the_oracle_says" ;;
    *) echo "csmith, sequential or concurrent, not $kind" >&2; exit 2 ;;
esac
built=$(cd "$root" && cargo test --release --locked -p "$package" --test "$suite" --no-run 2>&1 | sed -n 's/.*(\(.*\))$/\1/p' | tail -n 1)
# A copy: the next build must not change what is run.
binary=$(mktemp)
trap 'rm -f "$binary"' EXIT
install "$root/$built" "$binary"

touch "$kind.tsv"
begin=$first
if [ -s "$kind.tsv" ]; then begin=$(($(tail -n 1 "$kind.tsv" | cut -f 1) + 1)); fi
for ((part = begin; part < first + (programs + size - 1) / size; part++)); do
    # csmith's seeds are its programs; ours have a seed and a number.
    seed=$part
    if [ "$kind" = csmith ]; then seed=$((part * size)); fi
    answer=passed
    echo "== part $part: RELY_SEED=$seed RELY_PROGRAMS=$size" >> "$kind.log"
    # shellcheck disable=SC2086 # one word for each test
    (cd "$root/crates/$package" && RELY_SEED=$seed RELY_PROGRAMS=$size "$binary" --exact $tests --nocapture) >> "$kind.log" 2>&1 || answer=FAILED
    printf '%d\t%d\t%s\n' "$part" "$size" "$answer" >> "$kind.tsv"
done
cut -f 3 "$kind.tsv" | sort | uniq -c
# What each part counted, as lines of a number and what it counts.
sed -n 's/^ *\([0-9][0-9]*\)  \(.*\)$/\1\t\2/p' "$kind.log" | awk -F '\t' '{ sum[$2] += $1 } END { for (what in sum) printf "%7d  %s\n", sum[what], what }' | sort -k 2

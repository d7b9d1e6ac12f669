#!/usr/bin/env bash
# bench/threader.sh [SECONDS]: the engine `rely-guarantee` on the 17 programs of its paper's table, with the preference
# for modular proofs and without; the paper's answers and seconds stand beside ours. Build first: cargo build --release.
set -euo pipefail
seconds=${1:-60}
root=$(cd "$(dirname "$0")/.." && pwd)

# The answer ("modular", "safe", "cex" or "none") and the seconds it took, with the check of its evidence.
decide() { # file, further options
    local file=$1 start answer
    shift
    start=$(date +%s.%N)
    answer=$("$root/target/release/rely" check --check assertions --engine rely-guarantee --timeout "$seconds" "$@" "$root/examples/threader/$file") || true
    awk -v start="$start" -v now="$(date +%s.%N)" -v answer="$answer" 'BEGIN {
        word = answer ~ /^UNSAFE/ ? "cex" : answer !~ /^SAFE/ ? "none" : answer ~ /a modular proof/ ? "modular" : "safe"
        printf "%-8s %6.2f\n", word, now - start }'
}

printf '%-22s %-9s %-16s %-16s %-16s %s\n' program expected "with bias, s" "the paper's" "no bias, s" "the paper's"
tail -n +2 "$root/bench/threader/programs.tsv" | while IFS=$'\t' read -r program file _ expected modular _ bias bias_s no_bias no_bias_s _; do
    [ "$modular" = yes ] && expected=modular
    printf '%-22s %-9s %-16s %-8s %6s  %-16s %-8s %6s\n' "$program" "$expected" \
        "$(decide "$file")" "$bias" "$bias_s" "$(decide "$file" --no-bias)" "$no_bias" "$no_bias_s"
done

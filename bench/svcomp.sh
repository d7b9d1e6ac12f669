#!/usr/bin/env bash
# bench/svcomp.sh TASKS [SECONDS [FAMILY]]: runs `rely check` on SV-COMP tasks and counts right, wrong and
# unknown answers by family. TASKS is a folder with a table `tasks.tsv` (path, family, property, expected,
# data_model, group; tab-separated, with a header); of each group only one task is run. The answers go to
# `answers.tsv` in the current folder. Build first: cargo build --release.
set -euo pipefail
tasks=$1 seconds=${2:-60} only=${3:-}
rely=$(cd "$(dirname "$0")/.." && pwd)/target/release/rely

decide() { # path family expected
    local answer
    answer=$("$rely" check "$tasks/$1" --check assertions --data-model ilp32 --timeout "$seconds" --memory-limit 4000 2>/dev/null | head -n 1) || true
    printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "${answer:-NONE}"
}
export -f decide
export tasks seconds rely

awk -F'\t' -v only="$only" 'NR > 1 && !seen[$2 "/" $6]++ && (only == "" || only == $2) { print $1, $2, $4 }' "$tasks/tasks.tsv" \
    | xargs -P 2 -L 1 bash -c 'decide "$@"' _ > answers.tsv

awk -F'\t' '
    { right = ($3 == "true") ? "SAFE" : "UNSAFE"; other = ($3 == "true") ? "UNSAFE" : "SAFE"
      kind = ($4 == right) ? "right" : ($4 == other) ? "WRONG" : "unknown"
      count[$2 "\t" kind]++; total[kind]++; families[$2] = 1 }
    END { for (f in families) printf "%-24s right %3d  unknown %3d  WRONG %d\n", f, count[f "\tright"], count[f "\tunknown"], count[f "\tWRONG"]
          printf "%-24s right %3d  unknown %3d  WRONG %d\n", "total", total["right"], total["unknown"], total["WRONG"] }' answers.tsv | sort

#!/usr/bin/env bash
# bench/csuite.sh FOLDER [SECONDS [FUNCTION]]: runs `rely check` on every C program of a folder with the property
# "FUNCTION (abort) is never called", or, if it is `main`, "main returns 0", and counts the answers. For suites whose programs end
# well under a compiler that is right, such as gcc's c-torture (abort) or c-testsuite (main): there UNSAFE is wrong, and so are
# REFUSED (exit code 2, though `cc` takes the program) and CRASH (any other exit code, or no answer in time). Programs
# that `cc` does not take are left out. The answers go to `answers.tsv` in the current folder. RELY names another binary than
# target/release/rely.
set -euo pipefail
folder=$1 seconds=${2:-5} function=${3:-abort}
rely=${RELY:-$(cd "$(dirname "$0")/.." && pwd)/target/release/rely}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
property=$scratch/never.prp
echo "CHECK( init(main()), LTL(G ! call(${function/#main/another_result}())) )" > "$property"

wrapped() { # file: a program that includes it and looks at what its `main` returns
    local call="program()" wrapper=$scratch/${1##*/}
    if grep -q 'main *(.*argc' "$1"; then call="program(1, (char *[]){\"program\", 0})"; fi
    # A `main` that ends without `return` returns 0; another function does not.
    if ! sed -n '/main *(/,$p' "$1" | grep -q return; then call="($call, 0)"; fi
    printf '#define main program\n#include "%s"\n#undef main\nvoid another_result(void);\nint main(void) { if (%s) another_result(); }\n' \
        "$(realpath "$1")" "$call" > "$wrapper"
    echo "$wrapper"
}

decide() { # file
    local program=$1 output code=0 answer
    if [ "$function" = main ]; then program=$(wrapped "$1"); fi
    output=$(timeout -k 5 $((seconds + 30)) "$rely" check "$program" --property "$property" --timeout "$seconds" --memory-limit 4000 2>&1) || code=$?
    case $code in
        0) answer=SAFE ;;
        10) answer=UNSAFE ;;
        20) answer=UNKNOWN ;;
        2) if cc -std=gnu11 -w -fsyntax-only "$program" 2> /dev/null; then answer=REFUSED; else answer=REJECTED; fi ;;
        *) answer=CRASH ;;
    esac
    printf '%s\t%s\t%s\n' "$answer" "$(basename "$1")" "$(head -n 4 <<< "$output" | tr '\n\t' '  ' | cut -c 1-300)"
}
export -f decide wrapped
export seconds rely property function scratch

find "$folder" -maxdepth 1 -name '*.c' -print0 | sort -z | xargs -0 -P "${JOBS:-2}" -n 1 bash -c 'decide "$@"' _ > answers.tsv
cut -f 1 answers.tsv | sort | uniq -c

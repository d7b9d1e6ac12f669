#!/bin/sh
# Runs a solver over all obligations and says how many are unsat, as they must be.
#
#   ./check.sh                 the first of z3, cvc5, bitwuzla, yices-smt2, mathsat that is installed
#   ./check.sh cvc5            this one
#   ./check.sh 'z3 -T:60'      this one, with options; it is given the file's name
#
# Ends with 0 if all are unsat, with 1 if one is not, with 2 if there is no solver.
cd "$(dirname "$0")" || exit 2
solver=${1:-}
for name in z3 cvc5 bitwuzla yices-smt2 mathsat; do
    [ -n "$solver" ] || ! command -v "$name" >/dev/null || solver=$name
done
[ -n "$solver" ] || { echo "no solver is installed; name one: ./check.sh SOLVER" >&2; exit 2; }
all=0
right=0
for file in $(sed -n 's/^\([A-Za-z0-9-]*\/[0-9]*-[A-Za-z-]*\.smt2\): .*/\1/p' obligations.txt); do
    all=$((all + 1))
    answer=$($solver "$file" 2>&1 | head -n 1)
    if [ "$answer" = unsat ]; then
        right=$((right + 1))
    else
        echo "$file: $answer"
    fi
done
missing=$(grep -c '^MISSING: ' obligations.txt)
echo "$solver: $right of $all obligations are unsat; without a script: $missing"
[ "$right" = "$all" ]

#!/usr/bin/env bash
# bench/oracle-mutants.sh [NAME...]: would the concurrent oracle be noticed if it were wrong? Each mutant of its interpreter
# (crates/rely/tests/oracle) is compiled and compared with Rely on random programs until they disagree. Prints for each whether it was
# caught, and fails if one was not. Changes the files in place, one at a time, and puts them back. Programs: RELY_PROGRAMS (600).
set -euo pipefail
cd "$(dirname "$0")/../crates/rely/tests/oracle"
saved=$(mktemp -d)
trap 'cp "$saved"/*.rs .; rm -rf "$saved"' EXIT
cp ./*.rs "$saved"
export RELY_PROGRAMS=${RELY_PROGRAMS:-600} RELY_SEED=${RELY_SEED:-1} RELY_SMALLER=0

# Name, file, line as it is, line as it is in the mutant: `|` in between.
mutants=$(cat <<'LIST'
weak-never-fails|machine.rs|Library::CompareExchange { is_weak: true, .. }) => 2,|Library::CompareExchange { is_weak: true, .. }) => 1,
strong-may-fail|machine.rs|Library::CompareExchange { is_weak: true, .. }) => 2,|Library::CompareExchange { .. }) => 2,
expected-is-not-written|machine.rs|*expects = old;|let _ = expects;
exchange-always-writes|machine.rs|if choice == 0 && *expects == old {|if choice == 0 {
wait-never-goes-on|machine.rs|Library::Wait(_) if *owner == Some(thread) => *owner = None,|Library::Wait(_) if *owner == Some(thread) => return Err(Stopped::Waits),
wait-keeps-the-lock|machine.rs|Library::Wait(_) if *owner == Some(thread) => *owner = None,|Library::Wait(_) if *owner == Some(thread) => return Err(Undefined::WaitNotOwned.into()),
any-is-zero|machine.rs|Library::Any => return Ok(choice as i128),|Library::Any => return Ok(0),
trylock-waits|machine.rs|Library::TryLock(_) if owner.is_some() => return Ok(EBUSY),|Library::TryLock(_) if owner.is_some() => return Err(Stopped::Waits),
lock-does-not-wait|machine.rs|Library::Lock(_) if owner.is_some() => return Err(Stopped::Waits),|Library::Lock(_) if owner == &Some(thread) => return Err(Stopped::Waits),
unlock-of-others|machine.rs|Library::Unlock(_) if *owner == Some(thread) => *owner = None,|Library::Unlock(_) => *owner = None,
join-does-not-wait|machine.rs|Status::Running \| Status::Blocked => return Err(Stopped::Waits),|Status::Running \| Status::Blocked => *status = Status::Joined,
section-does-not-hold|machine.rs|state.section = Some((thread, depth + 1));|let _ = depth;
fetch-gives-the-new-value|machine.rs|state.store(address, target.kind.convert(exact)); // It wraps: 7.17.7.5, paragraph 3.|state.store(address, target.kind.convert(exact)); return Ok(target.kind.convert(exact));
prefix-gives-the-old-value|machine.rs|let value = if *is_prefix { new } else { old };|let value = if *is_prefix { old } else { old };
results-are-not-converted|machine.rs|let value = self.code.routines[frame.routine].result.convert(value);|let _ = self.code.routines[frame.routine].result;
arguments-are-not-converted|machine.rs|cells[number] = kinds[number].convert(*argument);|cells[number] = *argument;
assume-ends-the-program|machine.rs|Instruction::Assume if value == 0 => state.threads[thread].status = Status::Blocked,|Instruction::Assume if value == 0 => { state.threads[thread].status = Status::Blocked; state.section = Some((thread, 1)); }
operands-from-the-left|order.rs|if orders == Orders::PlainFromLeft {|if true {
calls-interleave|order.rs|\&\& !self.is_half_way(code, node)|
comma-is-no-sequence-point|order.rs|Op::Comma => self.is_done(code, of.children[0]),|Op::Comma => true,
unsequenced-is-fine|machine.rs|if conflicts { Err(Undefined::Unsequenced) } else { Ok(()) }|let _ = conflicts; Ok(())
both-operands-of-and|order.rs|Op::Shortcut { is_and } => ((first != 0) == is_and).then_some(node.children[1]),|Op::Shortcut { is_and } => { let _ = (first, is_and); Some(node.children[1]) }
LIST
)

survivors=0
while IFS= read -r line; do
    # `\|` is a bar in the text.
    IFS=$'\001' read -r name file old new <<< "$(sed 's/\\|/\x02/g; s/|/\x01/g; s/\x02/|/g' <<< "$line")"
    if [ $# -gt 0 ] && [[ " $* " != *" $name "* ]]; then continue; fi
    OLD=$old NEW=$new perl -e 'local $/; $_ = <>; my $old = quotemeta $ENV{OLD}; s/$old/$ENV{NEW}/ or die "the line is not there\n"; print' "$saved/$file" > "$file"
    if ! cargo test --quiet --locked -p rely --test oracle --no-run > "$saved/log" 2>&1; then
        echo "$name: does not compile"; tail -n 20 "$saved/log"; survivors=$((survivors + 1))
    elif cargo test --quiet --locked -p rely --test oracle -- --nocapture > "$saved/log" 2>&1; then
        echo "$name: SURVIVED"; survivors=$((survivors + 1))
    else
        echo "$name: caught ($(grep -m 1 -o '^RELY_SEED=.*' "$saved/log" || tail -n 3 "$saved/log" | tr '\n' ' '))"
    fi
    cp "$saved/$file" "$file"
done <<< "$mutants"
[ "$survivors" -eq 0 ]

//! What instructions do: small tests with all their final states, in each language.

use ccfa::{Budget, MemoryModel};

/// The final states of a test, and what is said besides: races and limits.
fn states(model: MemoryModel, text: &str) -> Vec<String> {
    let test = litmus::parse(text).unwrap_or_else(|mistake| panic!("{mistake:?} in\n{text}"));
    let axioms = axioms::axioms(model);
    let decision = litmus::decide(&test, &axioms, &Budget::default()).expect("nobody stops it");
    let mut found = Vec::new();
    for (state, candidate) in &decision.states {
        let parts = test.observed.iter().zip(state).map(|(observable, value)| {
            format!("{}={}", test.observable_name(*observable), test.show(*value))
        });
        found.push(parts.collect::<Vec<_>>().join(" "));
        litmus::verify(&test, &axioms, candidate).expect("what was found can be verified");
    }
    found.extend(decision.race.map(|_| "race".to_string()));
    found.extend(decision.limits.iter().map(|limit| format!("{}: {}", limit.place, limit.what)));
    found
}

fn check(model: MemoryModel, text: &str, expected: &[&str]) {
    assert_eq!(states(model, text), expected, "{model}:\n{text}");
}

/// One thread with these instructions, which are separated by `/`.
fn alone(architecture: &str, initial: &str, instructions: &str, shown: &str) -> String {
    let rows: String = instructions.split('/').map(|row| format!(" {} ;\n", row.trim())).collect();
    let shown: String = shown.split(' ').map(|name| format!("{name};")).collect();
    format!(
        "{architecture} alone\n{{ {initial} }}\n P0 ;\n{rows}locations [{shown}]\nexists (true)\n"
    )
}

#[test]
fn x86_alone() {
    for (instructions, shown, expected) in [
        ("MOV EAX,$3 / MOV [x],EAX / MOV EBX,[x]", "0:EBX x", "0:EBX=3 x=3"),
        ("MOV EAX,$3 / XCHG EAX,[x]", "0:EAX x", "0:EAX=7 x=3"),
        ("MOV EAX,$3 / LOCK XADD [x],EAX", "0:EAX x", "0:EAX=7 x=10"),
        ("MOV EAX,$3 / XADD [x],EAX", "0:EAX x", "0:EAX=7 x=10"),
        ("INC [x] / LOCK DEC [y] / ADD [x],$2 / LOCK SUB [x],$1", "x y", "x=9 y=-1"),
        ("MOV EAX,$6 / AND EAX,[x] / OR EAX,$1 / XOR EAX,$2", "0:EAX x", "0:EAX=5 x=7"),
        (
            "MOV EAX,$7 / MOV EBX,$1 / LOCK CMPXCHG [x],EBX / JE L / MOV EBX,$9 / L:",
            "0:EAX 0:EBX x",
            "0:EAX=7 0:EBX=1 x=1",
        ),
        (
            "MOV EAX,$6 / MOV EBX,$1 / LOCK CMPXCHG [x],EBX / JE L / MOV EBX,$9 / L:",
            "0:EAX 0:EBX x",
            "0:EAX=7 0:EBX=9 x=7",
        ),
        ("CMP [x],$7 / JNE L / MOV EAX,$1 / L:", "0:EAX x", "0:EAX=1 x=7"),
        ("CMP [x],$8 / JGE L / MOV EAX,$1 / L:", "0:EAX x", "0:EAX=1 x=7"),
        ("CMP [x],$7 / JL L / MOV EAX,$1 / L:", "0:EAX x", "0:EAX=1 x=7"),
        ("CMP [x],$7 / JG L / MOV EAX,$1 / L:", "0:EAX x", "0:EAX=1 x=7"),
        ("CMP [x],$6 / JLE L / MOV EAX,$1 / L:", "0:EAX x", "0:EAX=1 x=7"),
        ("MOV EBX,$4 / TEST EBX,[x] / JZ L / MOV EAX,$1 / L:", "0:EAX x", "0:EAX=1 x=7"),
        (
            "MOV EBX,$7 / SUB EBX,[x] / JNZ L / MOV EAX,$1 / L: JMP M / MOV EAX,$2 / M: NOP",
            "0:EAX x",
            "0:EAX=1 x=7",
        ),
        ("mov [ESI],$1 / mov EAX,[x]", "0:EAX", "0:EAX=1"),
    ] {
        check(MemoryModel::Tso, &alone("X86", "x=7; 0:ESI=x;", instructions, shown), &[expected]);
    }
}

#[test]
fn power_alone() {
    let initial = "x=7; 0:r20=x; 0:r21=y; int64_t z; 0:r22=z;";
    for (instructions, shown, expected) in [
        ("li r1,3 / stw r1,0(r20) / lwz r2,0(r20) / mr r3,r2", "0:r3 x", "0:r3=3 x=3"),
        ("lwzx r1,r0,r20 / li r2,0 / stwx r1,r2,r21", "0:r1 y", "0:r1=7 y=7"),
        ("li r1,5 / std r1,0(r22) / ld r2,0(r22)", "0:r2 z", "0:r2=5 z=5"),
        (
            "lwz r1,0(r20) / addi r2,r1,-2 / subf r3,r2,r1 / sub r4,r1,r2",
            "0:r2 0:r3 0:r4",
            "0:r2=5 0:r3=2 0:r4=2",
        ),
        (
            "li r1,6 / andi. r2,r1,3 / ori r3,r1,1 / xori r4,r1,2 / mullw r5,r1,r1",
            "0:r2 0:r3 0:r4 0:r5",
            "0:r2=2 0:r3=7 0:r4=4 0:r5=36",
        ),
        ("li r1,6 / xor. r2,r1,r1 / bne L / li r3,1 / L:", "0:r3", "0:r3=1"),
        ("li r1,6 / cmpwi r1,6 / beq L / li r3,1 / L:", "0:r3", "0:r3=0"),
        ("li r1,6 / cmpwi cr0,r1,7 / bge L / li r3,1 / L:", "0:r3", "0:r3=1"),
        ("li r1,6 / cmpw r1,r0 / blt L / li r3,1 / L: b M / li r3,2 / M: nop", "0:r3", "0:r3=1"),
        ("li r1,6 / li r2,6 / cmpw r1,r2 / bgt L / ble M / L: li r3,1 / M:", "0:r3", "0:r3=0"),
    ] {
        check(MemoryModel::Power, &alone("PPC", initial, instructions, shown), &[expected]);
    }
    let reserved = "lwarx r1,r0,r20 / li r2,9 / stwcx. r2,r0,r20 / bne L / li r3,1 / L:";
    let expected = ["0:r3=0 x=7", "0:r3=1 x=9"];
    check(MemoryModel::Power, &alone("PPC", initial, reserved, "0:r3 x"), &expected);
    let not_reserved = "li r2,9 / stwcx. r2,r0,r20 / bne L / li r3,1 / L:";
    check(MemoryModel::Power, &alone("PPC", initial, not_reserved, "0:r3 x"), &["0:r3=0 x=7"]);
}

#[test]
fn aarch64_alone() {
    let initial = "x=7; 0:X20=x; 0:X21=y; p=x; 0:X22=p;";
    for (instructions, shown, expected) in [
        ("MOV W1,#3 / STR W1,[X20] / LDR W2,[X20,#0] / MOV W3,W2", "0:X3 x", "0:X3=3 x=3"),
        ("LDAR W1,[X20] / STLR W1,[X21] / LDAPR W2,[X21]", "0:X2 y", "0:X2=7 y=7"),
        ("LDR X1,[X22] / LDR W2,[X1]", "0:X1 0:X2", "0:X1=x 0:X2=7"),
        (
            "LDR W1,[X20] / EOR W2,W1,W1 / LDR W3,[X20,W2,SXTW] / STR W1,[X21,X2]",
            "0:X3 y",
            "0:X3=7 y=7",
        ),
        (
            "MOV W1,#6 / ADD W2,W1,#1 / SUB W3,W1,W2 / AND W4,W1,#3 / ORR W5,W1,#1",
            "0:X2 0:X3 0:X4 0:X5",
            "0:X2=7 0:X3=-1 0:X4=2 0:X5=7",
        ),
        ("MOV W1,#6 / SUBS W2,W1,#6 / B.NE L / MOV W3,#1 / L:", "0:X3", "0:X3=1"),
        ("MOV W1,#6 / CMP W1,#7 / B.GE L / MOV W3,#1 / L:", "0:X3", "0:X3=1"),
        ("MOV W1,#6 / CBZ W1,L / MOV W3,#1 / L: B M / MOV W3,#2 / M: NOP", "0:X3", "0:X3=1"),
        ("MOV W1,#6 / CBNZ W1,L / MOV W3,#1 / L: ISB SY", "0:X3", "0:X3=0"),
        ("MOV W1,#3 / SWP W1,W2,[X20]", "0:X2 x", "0:X2=7 x=3"),
        ("MOV W1,#3 / SWPAL W1,WZR,[X20]", "x", "x=3"),
        ("MOV W1,#3 / LDADDA W1,W2,[X20]", "0:X2 x", "0:X2=7 x=10"),
        ("MOV W1,#3 / LDEORL W1,W2,[X20]", "0:X2 x", "0:X2=7 x=4"),
        ("MOV W1,#8 / LDSETAL W1,W2,[X20]", "0:X2 x", "0:X2=7 x=15"),
        ("MOV W1,#3 / LDCLR W1,W2,[X20]", "0:X2 x", "0:X2=7 x=4"),
        ("MOV W1,#3 / STADD W1,[X20] / STADDL W1,[X20]", "x", "x=13"),
        ("MOV W1,#7 / MOV W2,#9 / CAS W1,W2,[X20]", "0:X1 x", "0:X1=7 x=9"),
        ("MOV W1,#6 / MOV W2,#9 / CASAL W1,W2,[X20]", "0:X1 x", "0:X1=7 x=7"),
        ("MOV WZR,#6 / STR WZR,[X20]", "x", "x=0"),
    ] {
        check(MemoryModel::Armv8, &alone("AArch64", initial, instructions, shown), &[expected]);
    }
    for (load, store) in [("LDXR", "STXR"), ("LDAXR", "STLXR")] {
        let reserved = format!("{load} W1,[X20] / MOV W2,#9 / {store} W3,W2,[X20]");
        let expected = ["0:X3=0 x=9", "0:X3=1 x=7"];
        check(MemoryModel::Armv8, &alone("AArch64", initial, &reserved, "0:X3 x"), &expected);
    }
    let elsewhere = "LDXR W1,[X20] / STXR W3,W2,[X21]";
    let what = "5:2: an exclusive store to another location than the last exclusive load";
    check(MemoryModel::Armv8, &alone("AArch64", initial, elsewhere, "x"), &[what]);
}

#[test]
fn c_alone() {
    for (body, shown, expected) in [
        (
            "int r = atomic_load_explicit(x, memory_order_acquire); atomic_store(x, r + 1);",
            "0:r x",
            &["0:r=7 x=8"][..],
        ),
        ("int r = atomic_exchange(x, 3);", "0:r x", &["0:r=7 x=3"]),
        ("int r = atomic_fetch_add(x, 3); r = r - 1;", "0:r x", &["0:r=6 x=10"]),
        ("int r = atomic_fetch_sub_explicit(x, 3, memory_order_release);", "0:r x", &["0:r=7 x=4"]),
        ("atomic_fetch_or(x, 8); atomic_fetch_and(x, 12); atomic_fetch_xor(x, 5);", "x", &["x=9"]),
        (
            "int e = 7; int r = atomic_compare_exchange_strong(x, &e, 9);",
            "0:r 0:e x",
            &["0:r=1 0:e=7 x=9"],
        ),
        (
            "int e = 6; int r = atomic_compare_exchange_strong(x, &e, 9);",
            "0:r 0:e x",
            &["0:r=0 0:e=7 x=7"],
        ),
        (
            "int e = 7; int r = atomic_compare_exchange_weak(x, &e, 9);",
            "0:r 0:e x",
            &["0:r=0 0:e=7 x=7", "0:r=1 0:e=7 x=9"],
        ),
        (
            "*y = 6; int r = atomic_compare_exchange_strong_explicit(x, y, 9, memory_order_acq_rel, memory_order_relaxed);",
            "0:r x y",
            &["0:r=0 x=7 y=7"],
        ),
        ("int r = 0; if (*y == 0 && atomic_load(x) > 6) r = 1; else { r = 2; }", "0:r", &["0:r=1"]),
        ("int r = 0; if (*y || !(2 * 3 - 6 != 0)) r = 1; else r = 2;", "0:r", &["0:r=1"]),
        (
            "int r = -1 + (3 & 6 | 8 ^ 1); int s = r >= 10 && r <= 10; int t = 1 < 2;",
            "0:r 0:s 0:t",
            &["0:r=10 0:s=1 0:t=1"],
        ),
        ("*y = 1; *y = *y + 1; int r = *y;", "0:r y", &["0:r=2 y=2"]),
        ("while (*y) ;", "y", &["y=0"]),
        ("while (!*y) ;", "y", &["3:30: a loop, in a test that asks for races"]),
        ("int r; int s = r;", "0:s", &["3:41: a variable is read that was not set"]),
    ] {
        let shown: String = shown.split(' ').map(|name| format!("{name};")).collect();
        let text = format!(
            "C alone\n{{ x = 7; }}\nP0 (atomic_int* x, int* y) {{ {body} }}\nlocations [{shown}]\nexists (true)\n"
        );
        check(MemoryModel::C11, &text, expected);
    }
}

#[test]
fn two_threads_count() {
    let text = |row: &str| {
        format!("X86 count\n{{ }}\n P0 | P1 ;\n {row} | {row} ;\nlocations [x;]\nexists (true)\n")
    };
    check(MemoryModel::Tso, &text("LOCK INC [x]"), &["x=2"]);
    check(MemoryModel::Tso, &text("INC [x]"), &["x=1", "x=2"]);
}

/// What a thread reads decides where it goes, and what it writes.
#[test]
fn branches_depend_on_values() {
    let text = "PPC branch
{ 0:r20=x; 0:r21=y; 1:r20=x; 1:r21=y; }
 P0           | P1            ;
 li r1,1      | lwz r1,0(r21) ;
 stw r1,0(r20)| cmpwi r1,1    ;
 lwsync       | bne L         ;
 stw r1,0(r21)| isync         ;
              | lwz r2,0(r20) ;
              | b M           ;
              | L: li r2,5    ;
              | M: addi r3,r2,1 ;
exists (1:r1=0 /\\ 1:r2=5 \\/ 1:r1=1 /\\ 1:r2=1 /\\ 1:r3=2)";
    check(MemoryModel::Power, text, &["1:r1=0 1:r2=5 1:r3=6", "1:r1=1 1:r2=1 1:r3=2"]);
}

/// Values that depend on themselves are not made up.
#[test]
fn nothing_comes_out_of_thin_air() {
    let text = "AArch64 thin-air
{ 0:X20=x; 0:X21=y; 1:X20=x; 1:X21=y; }
 P0            | P1            ;
 LDR W1,[X20]  | LDR W1,[X21]  ;
 ADD W2,W1,#1  | STR W1,[X20]  ;
 STR W2,[X21]  |               ;
exists (x=1)";
    check(MemoryModel::Armv8, text, &["x=0", "x=1"]);
}

#[test]
fn races_in_c() {
    let text = |first: &str, second: &str| {
        format!(
            "C race\n{{ }}\nP0 (atomic_int* x, int* y) {{ *y = 1; {first} }}\n\
             P1 (atomic_int* x, int* y) {{ int r = {second}; if (r) {{ int s = *y; }} }}\n\
             locations [1:r;]\nexists (true)\n"
        )
    };
    let store = |order: &str| format!("atomic_store_explicit(x, 1, memory_order_{order});");
    let load = |order: &str| format!("atomic_load_explicit(x, memory_order_{order})");
    let free = ["1:r=0", "1:r=1"];
    let racy = ["1:r=0", "1:r=1", "race"];
    for model in [MemoryModel::C11, MemoryModel::Sc] {
        check(model, &text(&store("release"), &load("acquire")), &free);
        check(model, &text(&store("seq_cst"), &load("seq_cst")), &free);
        check(model, &text(&store("relaxed"), &load("acquire")), &racy);
        check(model, &text(&store("release"), &load("relaxed")), &racy);
        // Only one of two executions with the same final state has a race.
        let nothing_shown = text(&store("release"), &load("acquire")).replace("1:r;", "");
        check(model, &nothing_shown, &[""]);
        check(model, &nothing_shown.replace("if (r)", "if (!r)"), &["", "race"]);
    }
}

#[test]
fn accesses_of_several_sizes_are_a_limit() {
    let text = alone("AArch64", "0:X20=x;", "MOV W1,#1 / STR W1,[X20] / LDR X2,[X20]", "0:X2");
    check(MemoryModel::Armv8, &text, &["0:X2=1", "6:2: `x` is accessed with several sizes"]);
}

#[test]
fn arithmetic_that_is_beyond_us_is_a_limit() {
    let initial = "0:X20=x;";
    for (instructions, expected) in [
        ("ADD X1,X20,#4 / LDR W2,[X1]", "4:2: arithmetic on an address"),
        ("LDR W2,[X1]", "4:2: 0 is used as an address; it is none"),
        ("MOV W1,#2147483647 / ADD W1,W1,W1", "5:2: 4294967294 does not fit a register of 32 bits"),
    ] {
        let text = alone("AArch64", initial, instructions, "x");
        check(MemoryModel::Armv8, &text, &[expected]);
    }
}

#[test]
fn too_many_events_are_a_limit() {
    let rows = "MOV [x],$1 / ".repeat(70) + "NOP";
    let found = states(MemoryModel::Tso, &alone("X86", "", &rows, "x"));
    assert_eq!(found, ["67:2: a thread has more than 64 events"]);
}

/// What a successful compare-and-swap returns orders later writes that use it, as a branch would, and no reads (Arm Architecture Reference
/// Manual, B2.3); what a failed one returns is data.
#[test]
fn results_of_compare_and_swap() {
    let text = |expected: &str, then: &str, shown: &str| {
        format!(
            "AArch64 cas\n{{ 0:X0=x; 0:X1=y; 1:X0=x; 1:X1=y; }}\n P0 | P1 ;\n\
             {shown} ;\n MOV W2,#1 | MOV W2,#{expected} ;\n STLR W2,[X1] | CAS W2,W5,[X1] ;\n\
             | EOR W3,W2,W2 ;\n | MOV W6,#1 ;\n | {then} ;\n"
        )
    };
    let reads = |expected: &str| {
        let test = text(expected, "LDR W4,[X0,W3,SXTW]", " MOV W7,#1 | NOP ;\n STR W7,[X0] | NOP");
        test + "locations [1:X2; 1:X4;]\nexists (true)"
    };
    let weak = "1:X2=1 1:X4=0".to_string();
    assert!(states(MemoryModel::Armv8, &reads("1")).contains(&weak), "it succeeds");
    assert!(!states(MemoryModel::Armv8, &reads("2")).contains(&weak), "it fails");
    let writes = |expected: &str| {
        let test = text(expected, "STR W6,[X0,W3,SXTW]", " LDR W7,[X0] | NOP");
        test + "locations [0:X7; 1:X2;]\nexists (true)"
    };
    for expected in ["1", "2"] {
        let found = states(MemoryModel::Armv8, &writes(expected));
        assert!(!found.contains(&"0:X7=1 1:X2=1".to_string()), "{found:?}");
        assert!(found.contains(&"0:X7=1 1:X2=0".to_string()), "{found:?}");
    }
}

/// A thread that waits: the same final states as without the loop, where the first round may also end the test.
#[test]
fn loops_that_wait() {
    let x86 = |wait: &str| {
        format!(
            "X86 wait\n{{ }}\n P0 | P1 ;\n MOV [x],$1 | L: MOV EAX,[y] ;\n MOV [y],$1 | CMP EAX,$0 ;\n | {wait} ;\n \
             | MOV EBX,[x] ;\n | MOV ECX,$1 ;\n | M: ;\nlocations [1:EAX; 1:EBX; 1:ECX;]\nexists (true)"
        )
    };
    for model in [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso, MemoryModel::Rmo] {
        let mut once = states(model, &x86("JE M"));
        once.retain(|state| state.ends_with("1:ECX=1"));
        assert_eq!(states(model, &x86("JE L")), once, "{model}");
        assert!(!once.is_empty(), "{model}");
    }
    let count = |increment: &str| {
        format!(
            "PPC lock\n{{ 0:r2=x; 1:r2=x; 0:r4=y; 1:r4=y; }}\n P0 | P1 ;\n\
             L: lwarx r1,r0,r2 | M: lwarx r1,r0,r2 ;\n cmpwi r1,0 | cmpwi r1,0 ;\n bne L | bne M ;\n\
             li r3,1 | li r3,1 ;\n stwcx. r3,r0,r2 | stwcx. r3,r0,r2 ;\n bne L | bne M ;\n isync | isync ;\n\
             lwz r5,0(r4) | lwz r5,0(r4) ;\n addi r5,r5,1 | addi r5,r5,1 ;\n stw r5,0(r4) | stw r5,0(r4) ;\n\
             {increment} ;\n li r3,0 | li r3,0 ;\n stw r3,0(r2) | stw r3,0(r2) ;\nlocations [x; y;]\nexists (true)"
        )
    };
    check(MemoryModel::Power, &count("lwsync | lwsync"), &["x=0 y=2"]);
    check(MemoryModel::Power, &count("nop | lwsync"), &["x=0 y=1", "x=0 y=2"]);
}

/// Loops that do more are a limit: they count, write, or take something along.
#[test]
fn loops_that_do_more() {
    let what = "a loop whose rounds change something: only loops that wait are decided";
    for (rows, place) in [
        ("L: ADD W1,W1,#1 / LDR W2,[X20] / CBZ W2,L", "6:2"),
        ("L: STR W1,[X20] / LDR W2,[X20] / CBZ W2,L", "6:2"),
        ("L: LDR W2,[X20] / EOR W3,W3,W2 / CBZ W2,L", "6:2"),
        ("B M / L: LDR W2,[X20] / M: CBZ W2,L", "6:5"),
        ("L: STXR W3,W1,[X20] / LDXR W2,[X20] / CBZ W2,L", "6:2"),
    ] {
        let found = states(MemoryModel::Armv8, &alone("AArch64", "0:X20=x;", rows, "x"));
        assert!(found.contains(&format!("{place}: {what}")), "{rows}: {found:?}");
    }
}

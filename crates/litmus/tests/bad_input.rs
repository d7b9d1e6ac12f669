//! Every message about a bad test, with its place: nothing is guessed.

use ccfa::random::Rng;
use ccfa::{Budget, MemoryModel};
use std::time::Duration;

/// The message about a text, after its place.
fn complaint(text: &str) -> String {
    match litmus::parse(text) {
        Ok(test) => panic!("{} was taken:\n{text}", test.name),
        Err(mistake) => format!("{}: {}", mistake.place, mistake.message),
    }
}

/// One thread of an architecture with one row, from line 3 on.
fn row(architecture: &str, row: &str) -> String {
    format!("{architecture} t\n{{ x=0; }}\nP0 ;\n{row} ;\nexists (x=0)\n")
}

fn body(statements: &str) -> String {
    format!("C t\n{{ }}\nP0 (atomic_int* x, int* y) {{\n{statements}\n}}\nexists (x=0)\n")
}

#[test]
fn headings_and_remarks() {
    for (text, expected) in [
        ("", "1:1: a litmus test begins with its architecture and its name"),
        (
            "MIPS t\n",
            "1:1: `MIPS` is no architecture that rely knows: those that are read are X86, PPC, AArch64 and C",
        ),
        (
            "X86_64 t\n",
            "1:1: `X86_64` is no architecture that rely knows: those that are read are X86, PPC, AArch64 and C",
        ),
        ("X86\n{}", "1:1: a name is expected after the architecture"),
        ("X86 t\nsomething else\n{}", "2:1: initial values are expected here, between `{` and `}`"),
        ("X86 t\nVariant=mixed\n{}", "2:1: variants of a model are not supported"),
        ("X86 t\n\"two\nlines\"\nHash=1\n", "1:1: the test has no initial values: `{` is missing"),
        ("X86 t\n{ } (* no end", "2:5: this comment does not end"),
        ("X86 t\n{ ä }", "2:3: `ä` belongs to no litmus test"),
    ] {
        assert_eq!(complaint(text), expected, "{text}");
    }
}

#[test]
fn initial_values() {
    for (values, expected) in [
        ("x=y z;", "2:7: `;` is expected here, not `z`"),
        ("x=;", "2:5: a number is expected here, not `;`"),
        ("x=1y;", "2:5: `1y` is no number"),
        ("x=4294967296;", "2:5: this number does not fit 32 bits"),
        ("0:EXX=1;", "2:5: `EXX` is no register"),
        ("0:=1;", "2:5: a register is expected here, not `=`"),
        ("A:EAX=1;", "2:3: `A` is no thread"),
        ("99:EAX=1;", "2:3: there are at most 64 threads"),
        ("x[3];", "2:4: arrays are not supported"),
        ("[x=1;", "2:5: `]` is expected here, not `=`"),
        ("=1;", "2:3: a location is expected here, not `=`"),
    ] {
        let text = format!("X86 t\n{{ {values} }}\nP0 ;\nNOP ;\nexists (true)\n");
        assert_eq!(complaint(&text), expected, "{text}");
    }
}

#[test]
fn columns() {
    for (rows, expected) in [
        ("P1 ;", "3:1: the name of a thread, `P0`, is expected"),
        ("P0 | P0 ;", "3:6: the name of a thread, `P1`, is expected"),
        ("P0 | P1 ;\nNOP ;", "4:1: a row has 1 columns; there are 2 threads"),
        ("P0 ;\nNOP", "4:1: a row ends with `;`"),
    ] {
        assert_eq!(complaint(&format!("X86 t\n{{ }}\n{rows}")), expected, "{rows}");
    }
    let text = "X86 t\n{ 1:EAX=1; }\nP0 ;\nNOP ;\nexists (true)\n";
    assert_eq!(complaint(text), "3:1: a register of a thread that is not there has a value");
}

#[test]
fn conditions() {
    for (condition, expected) in [
        ("", "4:13: `exists`, `~exists` or `forall` is expected here"),
        ("~ (x=0)", "5:1: `exists`, `~exists` or `forall` is expected here"),
        ("filter (x=0) exists (x=0)", "5:1: filters are not supported"),
        ("exists (x=0) x", "5:14: the condition ends before `x`"),
        ("exists (x<0)", "5:10: a condition compares: `=` is expected here"),
        ("exists (q=0)", "5:9: there is no location `q`"),
        ("exists (x=q)", "5:11: there is no location `q`"),
        ("exists (x=0", "5:11: `)` is expected here, not the end"),
        ("exists (1:EAX=0)", "5:9: there is no thread 1"),
        ("exists (0:EBX=0)", "5:11: the register `EBX` is not used by this thread"),
        ("exists (0:EXX=0)", "5:11: `EXX` is no register"),
        ("exists (=0)", "5:9: a register or a location is expected here, not `=`"),
        ("locations [x y]\nexists (x=0)", "5:14: `;` is expected here, not `y`"),
    ] {
        let text = format!("X86 t\n{{ }}\nP0 ;\nMOV EAX,[x] ;\n{condition}");
        assert_eq!(complaint(&text), expected, "{text}");
    }
}

#[test]
fn x86() {
    for (instruction, expected) in [
        ("BSWAP EAX", "4:1: `BSWAP` is no instruction that rely knows"),
        ("CMPXCHG [x],EBX", "4:1: `CMPXCHG` is no instruction that rely knows"),
        ("LOCK MOV [x],EBX", "4:6: `MOV` is no instruction that rely knows"),
        ("JA L", "4:1: `JA` is no instruction that rely knows"),
        ("MOV EAX", "4:1: `MOV` has 2 operands here, not 1"),
        ("MFENCE EAX", "4:1: `MFENCE` has 0 operands here, not 1"),
        ("MOV R8,$1", "4:5: `R8` is no operand that rely knows"),
        ("MOV EAX,[x+4]", "4:9: `[x+4]` is no operand that rely knows"),
        ("MOV [x],[y]", "4:9: `[y]` is no operand that rely knows"),
        ("MOV $1,EAX", "4:5: `$1` is no operand that rely knows"),
        ("MOV EAX,$1 2", "4:12: the operand ends before this"),
        ("CMP [x],[y]", "4:9: `[y]` is no operand that rely knows"),
        ("LOCK INC EAX", "4:10: `EAX` is no operand that rely knows"),
        ("XADD EAX,[x]", "4:6: `EAX` is no operand that rely knows"),
        ("LOCK CMPXCHG EAX,[x]", "4:14: `EAX` is no operand that rely knows"),
        ("JE L", "4:4: there is no label `L`"),
        ("JE $1", "4:1: a branch leads to a label"),
        ("L: L: NOP", "4:4: `L` is no new label"),
    ] {
        assert_eq!(complaint(&row("X86", instruction)), expected);
    }
}

#[test]
fn power() {
    for (instruction, expected) in [
        ("lbz r1,0(r2)", "4:1: `lbz` is no instruction that rely knows"),
        ("bltx L", "4:1: `bltx` is no instruction that rely knows"),
        ("li r32,1", "4:4: `r32` is no operand that rely knows"),
        ("li r1,r2", "4:7: `r2` is no operand that rely knows"),
        ("lwz r1,r2", "4:8: `r2` is no operand that rely knows"),
        ("xor r1,r2", "4:1: `xor` has 3 operands here, not 2"),
        ("cmpw cr7,r1,r2", "4:1: `cmpw` has 2 operands here, not 3"),
        ("mr r1,1", "4:7: `1` is no operand that rely knows"),
    ] {
        assert_eq!(complaint(&row("PPC", instruction)), expected);
    }
}

#[test]
fn aarch64() {
    for (instruction, expected) in [
        ("LDRB W0,[X1]", "4:1: `LDRB` is no instruction that rely knows"),
        ("LDADDX W0,W1,[X2]", "4:1: `LDADDX` is no instruction that rely knows"),
        ("STADDA W0,[X2]", "4:1: `STADDA` is no instruction that rely knows"),
        ("B.HI L", "4:1: `B.HI` is no instruction that rely knows"),
        ("DMB NSH", "4:5: `NSH` is no operand that rely knows"),
        ("ISB ISH", "4:5: `ISH` is no operand that rely knows"),
        ("LDR W0,X1", "4:8: `X1` is no operand that rely knows"),
        ("LDR W0,(X1)", "4:8: `(X1)` is no operand that rely knows"),
        ("LDR W0,[X1,X2,LSL]", "4:8: `[X1,X2,LSL]` is no operand that rely knows"),
        ("MOV W31,#1", "4:5: `W31` is no register"),
        ("MOV SP,#1", "4:5: `SP` is no register"),
        ("MOV W0,W1 W2", "4:8: `W1W2` is no operand that rely knows"),
    ] {
        assert_eq!(complaint(&row("AArch64", instruction)), expected);
    }
}

#[test]
fn c() {
    for (statements, expected) in [
        ("for (;;) ;", "4:1: `for` is not supported"),
        ("return;", "4:1: `return` is not supported"),
        ("int r = 1; int r = 2;", "4:16: `r` is declared twice"),
        ("int x = 1;", "4:5: `x` is a parameter"),
        ("atomic_int r = 1;", "4:1: local variables are not atomic"),
        (
            "int r = *x;",
            "4:10: a plain access of an atomic object: write `atomic_load_explicit` or `atomic_store_explicit`",
        ),
        ("*z = 1;", "4:2: `z` is no parameter"),
        ("r = 1;", "4:1: `r` is not declared"),
        ("int r = s;", "4:9: `s` is not declared"),
        ("int r = ;", "4:9: an expression is expected here, not `;`"),
        ("int r = 1", "5:1: `;` is expected here, not `}`"),
        ("int 1;", "4:5: the name of a local variable is expected here, not `1`"),
        ("int r = *y + *y;", "4:12: C leaves the order of the accesses on both sides open"),
        ("int r = READ_ONCE(x);", "4:9: `READ_ONCE` is no function that rely knows here"),
        (
            "int r = atomic_load_explicit(x, memory_order_consume);",
            "4:33: `memory_order_consume` is no memory order that rely knows",
        ),
        (
            "int r = atomic_load_explicit(x, memory_order_release);",
            "4:33: this operation may not have this memory order",
        ),
        (
            "atomic_store_explicit(x, 1, memory_order_acquire);",
            "4:29: this operation may not have this memory order",
        ),
        (
            "int r = atomic_compare_exchange_strong(x, y, *y);",
            "4:9: C leaves the order of the accesses in the arguments open",
        ),
        ("atomic_thread_fence(1);", "4:21: a memory order is expected here, not `1`"),
        ("if (1) {", "6:1: `exists` is no function that rely knows here"),
    ] {
        assert_eq!(complaint(&body(statements)), expected, "{statements}");
    }
    for (text, expected) in [
        ("C t\n{ }\nP1 () { }\nexists (true)", "3:1: `P0` is expected here, not `P1`"),
        ("C t\n{ }\nexists (true)", "3:1: the thread `P0` is expected here"),
        ("C t\n{ 1:r=0; }\nP0 () { }\nexists (true)", "4:1: the thread `P1` is expected here"),
        (
            "C t\n{ }\nP0 (int x) { }\nexists (true)",
            "3:5: a parameter is a pointer to `int` or to an atomic `int`",
        ),
        (
            "C t\n{ }\nP0 (int* 1) { }\nexists (true)",
            "3:10: the name of a parameter is expected here, not `1`",
        ),
        ("C t\n{ }\nP0 () { int r = 1;", "3:18: `}` is expected here, not the end"),
    ] {
        assert_eq!(complaint(text), expected, "{text}");
    }
}

/// Line ends of other systems, and a test in C without a condition.
#[test]
fn what_else_is_fine() {
    let text =
        "X86 t\r\n\"ä\"\r\nHash=1\r\n{ x=1; }\r\n P0 ;\r\n MOV EAX,[x] ;\r\nexists (0:EAX=1)\r\n";
    let test = litmus::parse(text).expect("it is fine");
    assert_eq!((test.name.as_str(), test.threads.len(), test.locations.len()), ("t", 1, 1));
    let test = litmus::parse("C t\n{ }\nP0 (int* x) { *x = 1; }\n").expect("it is fine");
    assert!(!test.condition.is_violated_by(&[]), "nothing is asked");
}

/// Texts with a few letters changed are refused or decided; nothing panics.
#[test]
fn mutants_do_no_harm() {
    let texts = [
        include_str!("../../../examples/litmus/SB.litmus"),
        include_str!("../../../examples/litmus/MP+lwsync+addr.litmus"),
        include_str!("../../../examples/litmus/MP+dmb+ctrl.litmus"),
        include_str!("../../../examples/litmus/publish.litmus"),
    ];
    let letters: Vec<char> = " \n\t{}[]()|;:,=~/\\*&#$%\"'0123456789xyzPrWXEALäé".chars().collect();
    let (mut taken, mut refused) = (0, 0);
    for seed in 0..6000 {
        let mut rng = Rng::new(seed);
        let mut text: Vec<char> = rng.pick(&texts).chars().collect();
        for _ in 0..1 + rng.below(3) {
            let at = rng.below(text.len());
            match rng.below(3) {
                0 => drop(text.remove(at)),
                1 => text.insert(at, *rng.pick(&letters)),
                _ => text[at] = *rng.pick(&letters),
            }
        }
        let text: String = text.into_iter().collect();
        match litmus::parse(&text) {
            Ok(test) => {
                taken += 1;
                let budget = Budget::default().child(Duration::from_secs(2));
                let axioms = axioms::axioms(MemoryModel::Sc);
                // Whatever it says: it says it.
                let _ =
                    litmus::decide(&litmus::compile(&test, MemoryModel::Power), &axioms, &budget);
            }
            Err(mistake) => {
                refused += 1;
                assert!(mistake.place.line >= 1 && mistake.place.column >= 1, "seed {seed}");
            }
        }
    }
    println!("{taken} texts are taken, {refused} are refused");
    assert!(taken > 500 && refused > 500, "{taken} texts are taken, {refused} are refused");
}

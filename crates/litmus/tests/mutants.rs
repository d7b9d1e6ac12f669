//! Defects in the table of models are noticed: each axiom left out, each part of a union, each member of a set. A mutant must give another set of
//! final states for some test. Those that cannot are listed, each with the reason.

mod support;

use axioms::Axioms;
use ccfa::MemoryModel;
use ccfa::random::Rng;
use support::program::{Program, language_of, random};
use support::published::{SHAPES, combinations, named, spelled};
use support::{States, states_with, unpruned_states};

/// Mutants that mean the same as the model: the model, what is left out, and why that makes no difference.
const EQUIVALENT: [(&str, &str, &str); 16] = [
    (
        "tso",
        "co of acyclic po-loc | rf | co | fr as sc-per-location",
        "writes of one location are ordered by `propagation`, and `fr` leads to all later writes",
    ),
    (
        "rmo",
        "co of acyclic same | rf | co | fr as sc-per-location",
        "writes of one location are ordered by `propagation`, and `fr` leads to all later writes",
    ),
    (
        "rmo",
        "po-loc;[W] of let ppo = [R];dependence+ | po-loc;[W]",
        "by `sc-per-location` the write comes later in coherence, so this is part of `co` and `fr`",
    ),
    (
        "armv8",
        "rmw of let aob = rmw | exclusive-write;rfi;[A|Q]",
        "what is ordered before the read is ordered before the write: both are at one location, and every other edge to a read goes to later writes, too",
    ),
    (
        "c11",
        "hb of let psc-fence = [F & SC];(hb | hb;eco;hb);[F & SC]",
        "a fence happens before another by program order and reads-from: that is `hb;eco;hb` or `psc-base`",
    ),
    (
        "power",
        "full of let fences = full | light",
        "`full` is part of `prop`, which is closed under what may come before and after it in `hb`",
    ),
    (
        "power",
        "dp of let cc0 = dp | po-loc | ctrl | addr;po",
        "`dp` is in `ii`, and `ii;ic` is in `ic`",
    ),
    (
        "power",
        "ic;ci of let rec ii = ii0 | ci | ic;ci | ii;ii",
        "`cc;ci` in `ci` stands in for it (see below)",
    ),
    (
        "power",
        "ii of and ic = ii | cc | ic;cc | ii;ic",
        "what of `ii` leads to writes is `dp`, which is in `cc`, or follows a branch",
    ),
    (
        "power",
        "ic;cc of and ic = ii | cc | ic;cc | ii;ic",
        "`cc;cc` in `cc` stands in for it (see below)",
    ),
    (
        "power",
        "ii;ic of and ic = ii | cc | ic;cc | ii;ic",
        "what `ii` begins with is in `cc`, too, or has `rdw` or `rfi`, which are `po-loc`",
    ),
    (
        "power",
        "ci;ii of and ci = ci0 | ci;ii | cc;ci",
        "`ci` and `ii` are in `ii`, which is transitive",
    ),
    (
        "power",
        "cc;ci of and ci = ci0 | ci;ii | cc;ci",
        "`ic;ci` in `ii` stands in for it (see below)",
    ),
    (
        "power",
        "ci of and cc = cc0 | ci | ci;ic | cc;cc",
        "what is after a branch and `isync` is after the branch; a detour is `po-loc`",
    ),
    (
        "power",
        "ci;ic of and cc = cc0 | ci | ci;ic | cc;cc",
        "what is after a branch and `isync` is after the branch; a detour is `po-loc`",
    ),
    (
        "power",
        "cc;cc of and cc = cc0 | ci | ci;ic | cc;cc",
        "`ic;cc` in `ic` stands in for it (see below)",
    ),
];

/// Of programs with more steps, not all candidates are tried: these are too many.
const MAX_UNPRUNED_STEPS: usize = 4;

/// Programs that tell mutants apart.
fn programs(model: MemoryModel) -> Vec<Program> {
    let mut programs = Vec::new();
    let lines = include_str!("spelled.txt").lines();
    for line in lines.filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let (head, text) = line.split_once(": ").expect("a line is `MODELS VERDICT NAME: TEST`");
        let models = head.split(' ').next().unwrap_or_default();
        if models.split(',').any(|name| name == model.name()) {
            programs.push(spelled(model, text).program);
        }
    }
    for (shape, _) in SHAPES {
        let all = combinations(model, shape);
        let few = all.iter().filter(|links| links.len() < 3);
        programs.extend(few.map(|links| named(model, shape, links).program));
    }
    for seed in 0..600 {
        let accesses = 3 + seed as usize % 6;
        programs.push(random(language_of(model), accesses, &mut Rng::new(seed)));
    }
    programs
}

/// Tests that no program of these has, for what it has not.
fn texts_of(model: MemoryModel) -> &'static [&'static str] {
    match model {
        // A locked instruction that writes nothing is a fence, too.
        MemoryModel::Tso | MemoryModel::Pso | MemoryModel::Rmo => &[
            "X86 SB+cmpxchgs
{ 0:EAX=1; 1:EAX=1; }
 P0                    | P1                    ;
 MOV [x],$1            | MOV [y],$1            ;
 LOCK CMPXCHG [z],EBX  | LOCK CMPXCHG [u],EBX  ;
 MOV ECX,[y]           | MOV ECX,[x]           ;
locations [0:ECX; 1:ECX;]
exists (true)",
            "X86 MP+sfence+addr
{ 1:ECX=x; }
 P0         | P1           ;
 MOV [x],$1 | MOV EAX,[y]  ;
 SFENCE     | MOV EBX,EAX  ;
 MOV [y],$1 | XOR EBX,EBX  ;
            | ADD EBX,ECX  ;
            | MOV EDX,[EBX] ;
locations [1:EAX; 1:EDX;]
exists (true)",
        ],
        MemoryModel::Power => &["PPC increments
{ 0:r2=x; 1:r2=x; }
 P0               | P1               ;
 lwarx r1,r0,r2   | lwarx r1,r0,r2   ;
 addi r3,r1,1     | addi r3,r1,1     ;
 stwcx. r3,r0,r2  | stwcx. r3,r0,r2  ;
 bne L0           | bne L1           ;
 li r4,1          | li r4,1          ;
 L0:              | L1:              ;
locations [0:r1; 0:r4; 1:r1; 1:r4; x;]
exists (true)"],
        _ => &[],
    }
}

/// All mutants of a text: what is left out, and what remains.
fn mutants(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let statement = line.trim_end();
        let is_axiom =
            ["acyclic", "irreflexive", "empty"].iter().any(|word| line.starts_with(word));
        if is_axiom {
            let without = format!("{}{}", &text[..start], &text[start + line.len()..]);
            found.push((statement.to_string(), without));
        }
        for (from, to) in operands(statement) {
            let inside_set =
                statement[..from].matches('[').count() > statement[..from].matches(']').count();
            // A set without members: one that the test has not.
            let nothing = if inside_set { "R&W" } else { "0" };
            let changed = format!("{}{nothing}{}", &statement[..from], &statement[to..]);
            let rest = &text[start + statement.len()..];
            let what = format!("{} of {statement}", statement[from..to].trim());
            found.push((what, format!("{}{changed}{rest}", &text[..start])));
        }
        start += line.len();
    }
    found
}

/// Where the parts of unions are, in a statement.
fn operands(statement: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let begin = statement
        .find('=')
        .map_or_else(|| statement.find(' ').map_or(0, |space| space + 1), |equals| equals + 1);
    let end = statement.rfind(" as ").unwrap_or(statement.len());
    if statement.is_empty() {
        return found;
    }
    // Open groups: where the part begins, and the parts so far.
    let mut groups: Vec<(usize, Vec<(usize, usize)>)> = vec![(begin, Vec::new())];
    let close = |group: (usize, Vec<(usize, usize)>), at: usize, found: &mut Vec<_>| {
        let (begin, mut parts) = group;
        parts.push((begin, at));
        // A group with one part is no union.
        if parts.len() > 1 {
            found.extend(parts);
        }
    };
    for (at, letter) in statement.char_indices().filter(|(at, _)| (begin..end).contains(at)) {
        match letter {
            '(' | '[' => groups.push((at + 1, Vec::new())),
            ')' | ']' => {
                let group = groups.pop().expect("groups are closed once");
                close(group, at, &mut found);
            }
            '|' => {
                let group = groups.last_mut().expect("the statement is a group");
                let part = (group.0, at);
                group.1.push(part);
                group.0 = at + 1;
            }
            _ => {}
        }
    }
    let group = groups.pop().expect("the statement is a group");
    close(group, end, &mut found);
    found
}

fn every_defect_is_noticed(model: MemoryModel) {
    let original = axioms::axioms(model);
    let programs = programs(model);
    let texts: Vec<String> = programs.iter().map(Program::text).collect();
    let texts: Vec<&str> =
        texts.iter().map(String::as_str).chain(texts_of(model).iter().copied()).collect();
    let expected: Vec<States> = texts.iter().map(|text| states_with(text, &original)).collect();
    let small: Vec<(&Program, &States)> = programs
        .iter()
        .zip(&expected)
        .filter(|(program, _)| program.threads.iter().flatten().count() <= MAX_UNPRUNED_STEPS)
        .collect();
    let (mut killed, mut wrong) = (0, Vec::new());
    for (what, text) in mutants(axioms::text(model)) {
        let mutant = Axioms::parse(&text).unwrap_or_else(|why| panic!("{what}: {why}\n{text}"));
        let differs = |(text, states): (&&str, &States)| states_with(text, &mutant) != *states;
        let unpruned =
            |(program, states): &(&Program, &States)| unpruned_states(program, &mutant) != **states;
        let is_noticed = texts.iter().zip(&expected).any(differs) || small.iter().any(unpruned);
        let is_listed =
            EQUIVALENT.iter().any(|(name, part, _)| *name == model.name() && *part == what);
        killed += usize::from(is_noticed);
        if is_noticed == is_listed {
            wrong.push(format!("{model}: {what}"));
        }
    }
    println!("{model}: {killed} mutants are noticed");
    assert!(wrong.is_empty(), "not noticed (or listed, and noticed):\n{}", wrong.join("\n"));
}

/// Two parts of Power's recursion that stand in for each other: without both, something changes.
#[test]
fn powers_recursion_without_both() {
    let power = axioms::text(MemoryModel::Power);
    let programs = programs(MemoryModel::Power);
    let texts: Vec<String> = programs.iter().map(Program::text).collect();
    let original = axioms::axioms(MemoryModel::Power);
    for parts in [[" | ic;ci", " | cc;ci"], [" | ic;cc", " | cc;cc"]] {
        let mutant = parts.iter().fold(power.to_string(), |text, part| {
            assert_eq!(text.matches(part).count(), 1, "{part}");
            text.replace(part, "")
        });
        let mutant = Axioms::parse(&mutant).expect("what remains can be read");
        let differs = |text: &String| states_with(text, &mutant) != states_with(text, &original);
        assert!(texts.iter().any(differs), "{parts:?}");
    }
}

#[test]
fn sequential_consistency() {
    every_defect_is_noticed(MemoryModel::Sc);
}

#[test]
fn total_store_order() {
    every_defect_is_noticed(MemoryModel::Tso);
}

#[test]
fn partial_store_order() {
    every_defect_is_noticed(MemoryModel::Pso);
}

#[test]
fn relaxed_memory_order() {
    every_defect_is_noticed(MemoryModel::Rmo);
}

#[test]
fn power() {
    every_defect_is_noticed(MemoryModel::Power);
}

#[test]
fn armv8() {
    every_defect_is_noticed(MemoryModel::Armv8);
}

#[test]
fn c11() {
    every_defect_is_noticed(MemoryModel::C11);
}

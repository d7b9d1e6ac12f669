//! Tests by their published names, as `MP+lwsync+addr`: a shape, and what stands between the two accesses of each thread that has two.

use super::program::{Kind, LOCATIONS, Language, Program, Step, language_of};
use ccfa::MemoryModel;

/// The shapes: the accesses of each thread, with the values that make the cycle; then what memory must hold in the end.
pub const SHAPES: [(&str, &str); 25] = [
    ("SB", "Wx1 Ry0 | Wy1 Rx0"),
    ("MP", "Wx1 Wy1 | Ry1 Rx0"),
    ("LB", "Rx1 Wy1 | Ry1 Wx1"),
    ("S", "Wx2 Wy1 | Ry1 Wx1 / x=2"),
    ("R", "Wx1 Wy1 | Wy2 Rx0 / y=2"),
    ("2+2W", "Wx2 Wy1 | Wy2 Wx1 / x=2 y=2"),
    ("WRC", "Wx1 | Rx1 Wy1 | Ry1 Rx0"),
    ("RWC", "Wx1 | Rx1 Ry0 | Wy1 Rx0"),
    ("WWC", "Wx2 | Rx2 Wy1 | Ry1 Wx1 / x=2"),
    ("WRR+2W", "Wx2 | Rx2 Ry0 | Wy1 Wx1 / x=2"),
    ("WRW+WR", "Wx1 | Rx1 Wy1 | Wy2 Rx0 / y=2"),
    ("WRW+2W", "Wx2 | Rx2 Wy1 | Wy2 Wx1 / x=2 y=2"),
    ("ISA2", "Wx1 Wy1 | Ry1 Wz1 | Rz1 Rx0"),
    ("IRIW", "Wx1 | Rx1 Ry0 | Wy1 | Ry1 Rx0"),
    ("IRRWIW", "Wx2 | Rx2 Ry0 | Wy1 | Ry1 Wx1 / x=2"),
    ("IRWIW", "Wx2 | Rx2 Wy1 | Wy2 | Ry2 Wx1 / x=2 y=2"),
    ("W+RWC", "Wx1 Wy1 | Ry1 Rz0 | Wz1 Rx0"),
    ("3.SB", "Wx1 Ry0 | Wy1 Rz0 | Wz1 Rx0"),
    ("3.LB", "Rx1 Wy1 | Ry1 Wz1 | Rz1 Wx1"),
    ("3.2W", "Wx2 Wy1 | Wy2 Wz1 | Wz2 Wx1 / x=2 y=2 z=2"),
    ("Z6.0", "Wx1 Wy1 | Ry1 Wz1 | Wz2 Rx0 / z=2"),
    ("Z6.1", "Wx2 Wy1 | Wy2 Wz1 | Rz1 Wx1 / x=2 y=2"),
    ("Z6.2", "Wx2 Wy1 | Ry1 Wz1 | Rz1 Wx1 / x=2"),
    ("Z6.3", "Wx1 Wy1 | Wy2 Wz1 | Rz1 Rx0 / y=2"),
    ("Z6.4", "Wx1 Wy1 | Wy2 Rz0 | Wz1 Rx0 / y=2"),
];

/// A program, and the state that is asked for.
pub struct Named {
    pub program: Program,
    /// The value of each read, in order.
    reads: Vec<i64>,
    /// Locations, and what they hold in the end.
    memory: Vec<(usize, i64)>,
}

impl Named {
    /// The state that is asked for, as a condition.
    pub fn condition(&self) -> String {
        let observed = self.program.observed();
        let reads = observed.iter().zip(&self.reads).map(|(name, value)| format!("{name}={value}"));
        let memory =
            self.memory.iter().map(|(location, value)| format!("{}={value}", LOCATIONS[*location]));
        reads.chain(memory).collect::<Vec<_>>().join(" /\\ ")
    }

    /// Is it one of these states?
    pub fn is_in(&self, states: &super::States) -> bool {
        states.iter().any(|state| {
            let (reads, memory) = state.split_at(self.reads.len());
            reads == self.reads
                && self.memory.iter().all(|(location, value)| memory[*location] == *value)
        })
    }
}

/// The accesses of the threads of a shape: `[["Wx1", "Ry0"], …]`.
pub fn threads_of(shape: &str) -> Vec<Vec<&'static str>> {
    let (_, text) = SHAPES.iter().find(|(name, _)| *name == shape).expect("the shape is known");
    let threads = text.split('/').next().unwrap_or_default();
    threads.split('|').map(|thread| thread.split_whitespace().collect()).collect()
}

/// A shape with these links.
pub fn named(model: MemoryModel, shape: &str, links: &[&str]) -> Named {
    let (_, text) = SHAPES.iter().find(|(name, _)| *name == shape).expect("the shape is known");
    let mut links = links.iter();
    let mut threads = Vec::new();
    for accesses in threads_of(shape) {
        let link = if accesses.len() > 1 { links.next().copied().expect("a link") } else { "po" };
        threads.push(accesses.join(&format!(" {link} ")));
    }
    let memory = text.split_once('/').map_or("", |(_, memory)| memory);
    spelled(model, &format!("{} / {memory}", threads.join(" | ")))
}

/// A test that is spelled out: `Wx1 lwsync Wy1 | Ry1 addr Rx0 / x=1`. An access may have a mark: `Wx1.L`.
pub fn spelled(model: MemoryModel, text: &str) -> Named {
    let language = language_of(model);
    let (threads, memory) = text.split_once('/').unwrap_or((text, ""));
    let mut reads = Vec::new();
    let mut parsed = Vec::new();
    for thread in threads.split('|') {
        let mut steps: Vec<Step> = Vec::new();
        let mut link = "po";
        for word in thread.split_whitespace() {
            let Some(mut step) = access(word, language) else {
                link = word;
                continue;
            };
            reads.extend(value_read(word, &step));
            if step.kind == Kind::Read {
                step.value = 0;
            }
            connect(&mut steps, &mut step, link, language);
            steps.push(step);
            link = "po";
        }
        parsed.push(steps);
    }
    let memory = memory.split_whitespace().filter_map(|part| {
        let (name, value) = part.split_once('=')?;
        Some((LOCATIONS.iter().position(|known| *known == name)?, value.parse().ok()?))
    });
    let memory = memory.collect();
    Named { program: Program { language, threads: parsed }, reads, memory }
}

/// What a step of this spelling reads.
fn value_read(word: &str, step: &Step) -> Option<i64> {
    let old = word.split_once('<').map(|(_, old)| old.split('.').next().unwrap_or_default());
    match step.kind {
        Kind::Read => Some(step.value),
        Kind::Swap => Some(old.map_or(0, |old| old.parse().expect("a value"))),
        _ => None,
    }
}

/// `Wx1`, `Ry0.A`, `Xx2`, `Xx2<1`: a write, a read, swaps that read 0 and 1.
fn access(word: &str, language: Language) -> Option<Step> {
    let (access, mark) = word.split_once('.').unwrap_or((word, ""));
    let kind = match access.chars().next()? {
        'W' => Kind::Write,
        'R' => Kind::Read,
        'X' => Kind::Swap,
        _ => return None,
    };
    let location = LOCATIONS.iter().position(|name| access.get(1..2) == Some(name))?;
    let value = access.get(2..)?.split('<').next()?.parse().ok()?;
    let mark = match (mark, language) {
        ("", Language::C) => "relaxed",
        (mark, _) => mark,
    };
    Some(Step::new(kind, location, value, mark))
}

/// Puts a link between the last access and the next one.
fn connect(steps: &mut Vec<Step>, next: &mut Step, link: &str, language: Language) {
    let last = steps.iter().rposition(|step| step.kind != Kind::Fence);
    let fence = |mark: &str| Step::new(Kind::Fence, 0, 0, mark);
    match link {
        "po" => {}
        "addr" => next.addr = last,
        "data" => next.data = last,
        "ctrl" => next.ctrl = last,
        "ctrlisync" | "ctrlisb" => {
            let mark = if link == "ctrlisb" { "ISB" } else { "isync" };
            steps.push(Step { ctrl: last, ..fence(mark) });
        }
        "mfence" | "sfence" | "lfence" => steps.push(fence(&link.to_ascii_uppercase())),
        "isb" => steps.push(fence("ISB")),
        "sync" | "lwsync" | "eieio" | "isync" => steps.push(fence(link)),
        "dmb.sy" | "dmb.ld" | "dmb.st" => {
            steps.push(fence(&link.replace('.', " ").to_ascii_uppercase()));
        }
        _ if language == Language::AArch64 && link.len() == 4 && link.starts_with("po") => {
            let marks: Vec<String> =
                link[2..].to_ascii_uppercase().chars().map(|mark| mark.to_string()).collect();
            let plain = |mark: &String| mark.replace('P', "");
            if let Some(last) = last.filter(|_| marks[0] != "P") {
                steps[last].mark = plain(&marks[0]);
            }
            if marks[1] != "P" {
                next.mark = plain(&marks[1]);
            }
        }
        _ if language == Language::C => match (link.strip_prefix('F'), link.split_once('.')) {
            (Some(order), _) => steps.push(fence(order)),
            (None, Some((first, second))) => {
                if let Some(last) = last {
                    steps[last].mark = first.to_string();
                }
                next.mark = second.to_string();
            }
            _ => panic!("{link} is no link"),
        },
        _ => panic!("{link} is no link"),
    }
}

/// The links that are tried between two accesses (`W` or `R`) under a model.
pub fn links(model: MemoryModel, first: char, second: char) -> &'static [&'static str] {
    match (model, first, second) {
        (MemoryModel::Power, 'W', 'W') => &["po", "eieio", "lwsync", "sync"],
        (MemoryModel::Power, 'W', _) => &["po", "lwsync", "sync"],
        (MemoryModel::Power, 'R', 'W') => {
            &["po", "addr", "data", "ctrl", "isync", "lwsync", "sync"]
        }
        (MemoryModel::Power, ..) => &["po", "addr", "ctrl", "ctrlisync", "lwsync", "sync"],
        (MemoryModel::Armv8, 'W', 'W') => &["po", "dmb.st", "dmb.sy", "popl", "polp"],
        (MemoryModel::Armv8, 'W', _) => &["po", "dmb.st", "dmb.sy", "pola", "polq"],
        (MemoryModel::Armv8, 'R', 'W') => {
            &["po", "addr", "data", "ctrl", "dmb.ld", "dmb.sy", "poap", "popl"]
        }
        (MemoryModel::Armv8, ..) => {
            &["po", "addr", "ctrl", "ctrlisb", "dmb.ld", "dmb.sy", "poap", "poqp"]
        }
        (MemoryModel::C11, 'W', 'W') => {
            &["po", "Frelease", "Fseq_cst", "relaxed.release", "seq_cst.seq_cst"]
        }
        (MemoryModel::C11, 'W', _) => &["po", "Fseq_cst", "release.acquire", "seq_cst.seq_cst"],
        (MemoryModel::C11, 'R', 'W') => {
            &["po", "Facq_rel", "Fseq_cst", "acquire.release", "seq_cst.seq_cst"]
        }
        (MemoryModel::C11, ..) => {
            &["po", "Facquire", "Fseq_cst", "acquire.relaxed", "seq_cst.seq_cst"]
        }
        (_, 'W', 'W') => &["po", "sfence", "mfence"],
        (_, 'W', _) => &["po", "sfence", "mfence"],
        (_, 'R', 'W') => &["po", "data", "ctrl", "mfence"],
        _ => &["po", "ctrl", "lfence", "mfence"],
    }
}

/// All combinations of links of a shape.
pub fn combinations(model: MemoryModel, shape: &str) -> Vec<Vec<&'static str>> {
    let mut found = vec![Vec::new()];
    for accesses in threads_of(shape).iter().filter(|accesses| accesses.len() > 1) {
        let kind = |access: &str| access.chars().next().unwrap_or_default();
        let links = links(model, kind(accesses[0]), kind(accesses[1]));
        let longer = found.iter().flat_map(|chosen: &Vec<&'static str>| {
            links.iter().map(move |link| chosen.iter().copied().chain([*link]).collect())
        });
        found = longer.collect();
    }
    found
}

//! Small programs, and how the four languages write them. Values are constants; dependencies are false ones (`xor r,r`), and branches
//! lead to the next instruction.

use ccfa::MemoryModel;
use ccfa::random::Rng;

pub const LOCATIONS: [&str; 5] = ["x", "y", "z", "u", "v"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    X86,
    Ppc,
    AArch64,
    C,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Read,
    Write,
    /// Reads and writes in one step.
    Swap,
    Fence,
}

/// A step of a thread. Dependencies name an earlier step that reads.
#[derive(Clone, Debug)]
pub struct Step {
    pub kind: Kind,
    pub location: usize,
    pub value: i64,
    /// The order of an access or the kind of a fence.
    pub mark: String,
    pub addr: Option<usize>,
    pub data: Option<usize>,
    pub ctrl: Option<usize>,
}

#[derive(Clone, Debug)]
pub struct Program {
    pub language: Language,
    pub threads: Vec<Vec<Step>>,
}

pub fn language_of(model: MemoryModel) -> Language {
    match model {
        MemoryModel::Power => Language::Ppc,
        MemoryModel::Armv8 => Language::AArch64,
        MemoryModel::C11 => Language::C,
        _ => Language::X86,
    }
}

impl Step {
    pub fn new(kind: Kind, location: usize, value: i64, mark: &str) -> Step {
        let mark = mark.to_string();
        Step { kind, location, value, mark, addr: None, data: None, ctrl: None }
    }

    pub fn reads(&self) -> bool {
        matches!(self.kind, Kind::Read | Kind::Swap)
    }

    pub fn writes(&self) -> bool {
        matches!(self.kind, Kind::Write | Kind::Swap)
    }
}

impl Program {
    pub fn locations(&self) -> usize {
        let steps = self.threads.iter().flatten().filter(|step| step.kind != Kind::Fence);
        steps.map(|step| step.location + 1).max().unwrap_or(0)
    }

    /// The registers of reads, in order, and memory.
    pub fn observed(&self) -> Vec<String> {
        let mut names = Vec::new();
        for (thread, steps) in self.threads.iter().enumerate() {
            for (number, step) in steps.iter().enumerate() {
                if step.reads() {
                    names.push(format!("{thread}:{}", self.register(steps, number)));
                }
            }
        }
        names.extend(LOCATIONS[..self.locations()].iter().map(ToString::to_string));
        names
    }

    /// The program as a litmus test that shows everything.
    pub fn text(&self) -> String {
        let shown: String = self.observed().iter().map(|name| format!("{name};")).collect();
        let ending = format!("locations [{shown}]\nexists (true)\n");
        let initial: String =
            LOCATIONS[..self.locations()].iter().map(|name| format!("{name}=0; ")).collect();
        match self.language {
            Language::C => {
                let threads: String = (0..self.threads.len()).map(|n| self.function(n)).collect();
                format!("C generated\n{{ {initial}}}\n{threads}{ending}")
            }
            _ => self.columns(&initial, &ending),
        }
    }

    fn columns(&self, initial: &str, ending: &str) -> String {
        let head = match self.language {
            Language::X86 => "X86",
            Language::Ppc => "PPC",
            _ => "AArch64",
        };
        let mut start = initial.to_string();
        for thread in 0..self.threads.len() {
            for (location, name) in LOCATIONS[..self.locations()].iter().enumerate() {
                match self.language {
                    Language::Ppc => start += &format!("{thread}:r2{location}={name}; "),
                    Language::AArch64 => start += &format!("{thread}:X2{location}={name}; "),
                    _ => {}
                }
            }
        }
        let columns: Vec<Vec<String>> =
            self.threads.iter().map(|steps| self.column(steps)).collect();
        let names: Vec<String> = (0..columns.len()).map(|n| format!("P{n}")).collect();
        let mut text = format!("{head} generated\n{{ {start}}}\n{} ;\n", names.join(" | "));
        for row in 0..columns.iter().map(Vec::len).max().unwrap_or(0) {
            let cells: Vec<String> =
                columns.iter().map(|column| column.get(row).cloned().unwrap_or_default()).collect();
            text += &format!(" {} ;\n", cells.join(" | "));
        }
        text + ending
    }

    fn register(&self, steps: &[Step], step: usize) -> String {
        let number = steps[..step].iter().filter(|step| step.reads()).count();
        match self.language {
            Language::X86 => ["EAX", "EBX", "ECX", "EDX", "ESI", "EDI"][number].to_string(),
            Language::Ppc => format!("r{}", number + 1),
            Language::AArch64 => format!("X{}", number + 1),
            Language::C => format!("r{number}"),
        }
    }

    fn column(&self, steps: &[Step]) -> Vec<String> {
        let mut lines = Vec::new();
        for (number, step) in steps.iter().enumerate() {
            let of = |read: usize| self.register(steps, read);
            let own = if step.reads() { of(number) } else { String::new() };
            let [addr, data, ctrl] = [step.addr, step.data, step.ctrl].map(|read| read.map(of));
            let label = format!("L{number}");
            match self.language {
                Language::X86 => x86(step, &own, data, ctrl, &label, &mut lines),
                Language::Ppc => power(step, &own, addr, data, ctrl, &label, &mut lines),
                _ => aarch64(step, &own, addr, data, ctrl, &label, &mut lines),
            }
        }
        lines
    }

    fn function(&self, thread: usize) -> String {
        let names: Vec<String> = LOCATIONS[..self.locations()]
            .iter()
            .map(|name| format!("atomic_int* {name}"))
            .collect();
        let mut text = format!("P{thread} ({}) {{\n", names.join(", "));
        let steps = &self.threads[thread];
        for (number, step) in steps.iter().enumerate() {
            let (location, value) = (LOCATIONS[step.location], step.value);
            let order = format!("memory_order_{}", step.mark);
            let call = match step.kind {
                Kind::Read => format!("atomic_load_explicit({location}, {order})"),
                Kind::Write => format!("atomic_store_explicit({location}, {value}, {order})"),
                Kind::Swap => format!("atomic_exchange_explicit({location}, {value}, {order})"),
                Kind::Fence => format!("atomic_thread_fence({order})"),
            };
            match step.reads() {
                true => text += &format!("  int {} = {call};\n", self.register(steps, number)),
                false => text += &format!("  {call};\n"),
            }
        }
        text + "}\n"
    }
}

fn x86(
    step: &Step,
    own: &str,
    data: Option<String>,
    ctrl: Option<String>,
    label: &str,
    lines: &mut Vec<String>,
) {
    let (location, value) = (LOCATIONS[step.location], step.value);
    if let Some(read) = ctrl {
        lines.extend([format!("CMP {read},{read}"), format!("JE {label}"), format!("{label}:")]);
    }
    match (step.kind, data) {
        (Kind::Fence, _) => lines.push(step.mark.clone()),
        (Kind::Read, _) => lines.push(format!("MOV {own},[{location}]")),
        (Kind::Swap, _) => lines.extend([
            format!("MOV EBP,${value}"),
            format!("XCHG [{location}],EBP"),
            format!("MOV {own},EBP"),
        ]),
        (Kind::Write, None) => lines.push(format!("MOV [{location}],${value}")),
        (Kind::Write, Some(read)) => lines.extend([
            format!("MOV EBP,{read}"),
            "XOR EBP,EBP".to_string(),
            format!("ADD EBP,${value}"),
            format!("MOV [{location}],EBP"),
        ]),
    }
}

fn power(
    step: &Step,
    own: &str,
    addr: Option<String>,
    data: Option<String>,
    ctrl: Option<String>,
    label: &str,
    lines: &mut Vec<String>,
) {
    let (base, value) = (format!("r2{}", step.location), step.value);
    if let Some(read) = ctrl {
        lines.extend([format!("cmpw {read},{read}"), format!("beq {label}"), format!("{label}:")]);
    }
    if step.writes() {
        match data {
            Some(read) => {
                lines.extend([format!("xor r10,{read},{read}"), format!("addi r10,r10,{value}")])
            }
            None => lines.push(format!("li r10,{value}")),
        }
    }
    if let Some(read) = &addr {
        lines.push(format!("xor r11,{read},{read}"));
    }
    match (step.kind, addr.is_some()) {
        (Kind::Fence, _) => lines.push(step.mark.clone()),
        (Kind::Read, false) => lines.push(format!("lwz {own},0({base})")),
        (Kind::Read, true) => lines.push(format!("lwzx {own},r11,{base}")),
        (Kind::Write, false) => lines.push(format!("stw r10,0({base})")),
        (Kind::Write, true) => lines.push(format!("stwx r10,r11,{base}")),
        (Kind::Swap, _) => panic!("Power has no instruction that swaps"),
    }
}

fn aarch64(
    step: &Step,
    own: &str,
    addr: Option<String>,
    data: Option<String>,
    ctrl: Option<String>,
    label: &str,
    lines: &mut Vec<String>,
) {
    let narrow = |register: &str| register.replace('X', "W");
    let (own, value) = (narrow(own), step.value);
    if let Some(read) = ctrl {
        lines.extend([format!("CBNZ {},{label}", narrow(&read)), format!("{label}:")]);
    }
    if step.writes() {
        lines.push(match data.map(|read| narrow(&read)) {
            Some(read) => format!("EOR W10,{read},{read}"),
            None => "MOV W10,#0".to_string(),
        });
        lines.push(format!("ADD W10,W10,#{value}"));
    }
    let mut memory = format!("[X2{}]", step.location);
    if let Some(read) = addr.map(|read| narrow(&read)) {
        lines.push(format!("EOR W11,{read},{read}"));
        memory = match step.mark.as_str() {
            "" => format!("[X2{},W11,SXTW]", step.location),
            // Accesses with an order have no index.
            _ => {
                lines.push(format!("ADD X12,X2{},W11,SXTW", step.location));
                "[X12]".to_string()
            }
        };
    }
    lines.push(match (step.kind, step.mark.as_str()) {
        (Kind::Fence, mark) => mark.to_string(),
        (Kind::Read, "A") => format!("LDAR {own},{memory}"),
        (Kind::Read, "Q") => format!("LDAPR {own},{memory}"),
        (Kind::Read, _) => format!("LDR {own},{memory}"),
        (Kind::Write, "L") => format!("STLR W10,{memory}"),
        (Kind::Write, _) => format!("STR W10,{memory}"),
        (Kind::Swap, mark) => format!("SWP{mark} W10,{own},{memory}"),
    });
}

/// What a language has to choose from.
struct Choices {
    read: &'static [&'static str],
    write: &'static [&'static str],
    swap: &'static [&'static str],
    fence: &'static [&'static str],
    dependencies: bool,
    addresses: bool,
}

fn choices(language: Language) -> Choices {
    match language {
        Language::X86 => Choices {
            read: &[""],
            write: &[""],
            swap: &[""],
            fence: &["MFENCE", "SFENCE", "LFENCE"],
            dependencies: true,
            addresses: false,
        },
        Language::Ppc => Choices {
            read: &[""],
            write: &[""],
            swap: &[],
            fence: &["sync", "lwsync", "isync", "eieio"],
            dependencies: true,
            addresses: true,
        },
        Language::AArch64 => Choices {
            read: &["", "", "A", "Q"],
            write: &["", "", "L"],
            swap: &["", "A", "L", "AL"],
            fence: &["DMB SY", "DMB LD", "DMB ST", "ISB"],
            dependencies: true,
            addresses: true,
        },
        Language::C => Choices {
            read: &["relaxed", "acquire", "seq_cst"],
            write: &["relaxed", "release", "seq_cst"],
            swap: &["relaxed", "acquire", "release", "acq_rel", "seq_cst"],
            fence: &["acquire", "release", "acq_rel", "seq_cst"],
            dependencies: false,
            addresses: false,
        },
    }
}

/// A program at random: two to four threads with so many accesses together. Threads take turns and mostly leave the location they were
/// at, so that many programs have cycles.
pub fn random(language: Language, accesses: usize, rng: &mut Rng) -> Program {
    let choices = choices(language);
    let locations = [2, 2, 3][rng.below(3)];
    let count = [2, 2, 3, 3, 4][rng.below(5)];
    let mut threads: Vec<Vec<Step>> = vec![Vec::new(); count];
    let mut value = 0;
    let pick = |list: &[&'static str], rng: &mut Rng| list[rng.below(list.len())];
    for number in 0..accesses {
        let thread = number % threads.len();
        let steps = &mut threads[thread];
        let last = steps.iter().rev().find(|step| step.kind != Kind::Fence);
        let location = match last {
            Some(last) if rng.below(5) > 0 => (last.location + 1) % locations,
            _ => rng.below(locations),
        };
        value += 1;
        let mut step = match rng.below(8) {
            0 if !choices.swap.is_empty() => {
                Step::new(Kind::Swap, location, value, pick(choices.swap, rng))
            }
            1..4 => Step::new(Kind::Write, location, value, pick(choices.write, rng)),
            _ => Step::new(Kind::Read, location, 0, pick(choices.read, rng)),
        };
        if rng.below(4) == 0 && !steps.is_empty() {
            steps.push(Step::new(Kind::Fence, 0, 0, pick(choices.fence, rng)));
        }
        let reads: Vec<usize> =
            (0..steps.len()).filter(|earlier| steps[*earlier].reads()).collect();
        if choices.dependencies && !reads.is_empty() && rng.below(2) == 0 {
            let read = Some(reads[rng.below(reads.len())]);
            match rng.below(3) {
                0 if choices.addresses && step.kind != Kind::Swap => step.addr = read,
                1 if step.kind == Kind::Write => step.data = read,
                _ => step.ctrl = read,
            }
        }
        steps.push(step);
    }
    threads.retain(|steps| !steps.is_empty());
    Program { language, threads }
}

//! A litmus test: what all architectures have in common. Decoders (`decode`, `c`) bring instructions
//! to a few operations; from there on, no architecture is known.

use axioms::{EventTag, EventTags};
use ccfa::MemoryModel;
use std::fmt;

/// A litmus test.
#[derive(Clone, Debug)]
pub struct LitmusTest {
    /// Its name.
    pub name: String,
    /// The language of its threads.
    pub architecture: Architecture,
    /// What is in memory.
    pub locations: Vec<MemoryLocation>,
    /// The threads.
    pub threads: Vec<ThreadCode>,
    /// What is asked.
    pub condition: FinalCondition,
    /// What is seen of a final state: what the condition or the list of locations names.
    pub observed: Vec<Observable>,
}

/// The language of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Architecture {
    /// x86.
    X86,
    /// Power.
    Ppc,
    /// ARMv8.
    AArch64,
    /// C11.
    C,
}

/// A location of memory.
#[derive(Clone, Debug)]
pub struct MemoryLocation {
    /// Its name.
    pub name: String,
    /// Its first value.
    pub initial: Datum,
}

/// What a register or a location holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Datum {
    /// A number.
    Number(i64),
    /// The address of the location of this number.
    Address(usize),
}

/// A thread.
#[derive(Clone, Debug, Default)]
pub struct ThreadCode {
    /// The names of its registers (in C: its local variables).
    pub registers: Vec<String>,
    /// What they hold at first. Nothing: it must be set before it is read.
    pub start: Vec<Option<Datum>>,
    /// Its instructions, in order.
    pub instructions: Vec<Instruction>,
}

/// A register of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Register(pub usize);

/// A line and a column, from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct TextPlace {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// An instruction, or a part of one.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// Where it stands.
    pub place: TextPlace,
    /// What it does.
    pub operation: Operation,
}

/// What an instruction does.
#[derive(Clone, Debug)]
pub enum Operation {
    /// Computes.
    Set {
        /// Gets the value.
        register: Register,
        /// What is computed.
        value: RegisterTerm,
    },
    /// Reads memory.
    Load {
        /// Gets what was read.
        register: Register,
        /// What is accessed, and how.
        access: LitmusAccess,
        /// Is it reserved for an exclusive store?
        exclusive: bool,
    },
    /// Writes memory.
    Store {
        /// What is written.
        value: RegisterTerm,
        /// What is accessed, and how.
        access: LitmusAccess,
    },
    /// Writes memory if the reservation of the last exclusive load holds. It may fail at any time.
    StoreExclusive {
        /// Says whether it was written:
        status: Register,
        /// this if it was,
        success: i64,
        /// and this if not.
        failure: i64,
        /// What is written.
        value: RegisterTerm,
        /// What is accessed, and how.
        access: LitmusAccess,
    },
    /// Reads and writes memory in one step.
    Modify(Box<Modification>),
    /// A fence. (A fence of C that orders nothing has no tags.)
    Fence(EventTags),
    /// Continues elsewhere.
    Branch {
        /// It is taken if this is not zero, or if there is none.
        condition: Option<RegisterTerm>,
        /// The number of the instruction that is next.
        target: usize,
    },
}

/// An instruction that reads and writes memory in one step.
#[derive(Clone, Debug)]
pub struct Modification {
    /// Gets what was read.
    pub old: Register,
    /// What is accessed, and how it is read if it is written, too.
    pub access: LitmusAccess,
    /// How it is written.
    pub write_tags: EventTags,
    /// What is written; it may mention `old`.
    pub new: RegisterTerm,
    /// It is written if this is not zero; it may mention `old`.
    pub when: Option<RegisterTerm>,
    /// How it is read if it is not written.
    pub failure_tags: EventTags,
    /// May it fail though the condition holds (`atomic_compare_exchange_weak`)?
    pub may_fail: bool,
    /// If it is written, does `old` depend on what was read only as if there were a branch?
    pub picks: bool,
    /// Says whether it was written: 1 or 0.
    pub success: Option<Register>,
}

/// How memory is accessed.
#[derive(Clone, Debug)]
pub struct LitmusAccess {
    /// The address.
    pub address: RegisterTerm,
    /// How many bytes. Accesses of one location agree on it.
    pub bytes: u8,
    /// What models distinguish.
    pub tags: EventTags,
}

/// What is computed from registers. Operations are as the source has them, since models count dependencies that
/// make no difference to the value (`xor r,r`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RegisterTerm {
    /// A constant.
    Constant(Datum),
    /// What a register holds.
    Register(Register),
    /// An operation.
    Binary(WordOperator, Box<RegisterTerm>, Box<RegisterTerm>),
}

/// An operation on numbers. Comparisons give 1 or 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordOperator {
    /// Sum.
    Add,
    /// Difference.
    Subtract,
    /// Product.
    Multiply,
    /// Bitwise exclusive or.
    Xor,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// The bits of the first that the second has not.
    AndNot,
    /// Are both the same?
    Equal,
    /// Do they differ?
    Different,
    /// Is the first less, as signed numbers?
    Less,
    /// Is the first less or the same, as signed numbers?
    LessOrEqual,
}

/// What is asked of the final states.
#[derive(Clone, Debug)]
pub struct FinalCondition {
    /// Of which states.
    pub quantifier: Quantifier,
    /// What.
    pub proposition: Proposition,
    /// As the test has it, from the quantifier on.
    pub text: String,
}

/// Of which final states a condition speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// Is there one with this property?
    Exists,
    /// There is none with this property.
    NotExists,
    /// All have this property.
    ForAll,
}

/// A property of a final state.
#[derive(Clone, Debug)]
pub enum Proposition {
    /// The observable of this number has this value.
    Equals(usize, Datum),
    /// Not.
    Not(Box<Proposition>),
    /// All of them.
    All(Vec<Proposition>),
    /// One of them at least.
    Any(Vec<Proposition>),
}

/// What can be seen of a final state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Observable {
    /// A register of a thread.
    Register(usize, Register),
    /// A location.
    Location(usize),
}

impl Architecture {
    /// How herd's files call it.
    pub fn name(self) -> &'static str {
        match self {
            Architecture::X86 => "X86",
            Architecture::Ppc => "PPC",
            Architecture::AArch64 => "AArch64",
            Architecture::C => "C",
        }
    }

    /// The models that say what its instructions do. Sequential consistency says it for all; PSO and RMO are the
    /// relatives of x86's model that have no syntax of their own here. C is compiled for machines; no scheme for RMO is published.
    pub fn models(self) -> &'static [MemoryModel] {
        match self {
            Architecture::X86 => {
                &[MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso, MemoryModel::Rmo]
            }
            Architecture::Ppc => &[MemoryModel::Sc, MemoryModel::Power],
            Architecture::AArch64 => &[MemoryModel::Sc, MemoryModel::Armv8],
            Architecture::C => &[
                MemoryModel::Sc,
                MemoryModel::Tso,
                MemoryModel::Pso,
                MemoryModel::Power,
                MemoryModel::Armv8,
                MemoryModel::C11,
            ],
        }
    }
}

impl ThreadCode {
    /// The register of this name, a new one if there is none. `start` is what a new one holds.
    pub fn register(&mut self, name: &str, start: Option<Datum>) -> Register {
        let known = self.registers.iter().position(|known| known == name);
        Register(known.unwrap_or_else(|| {
            self.registers.push(name.to_string());
            self.start.push(start);
            self.registers.len() - 1
        }))
    }
}

impl RegisterTerm {
    /// A number.
    pub fn number(value: i64) -> RegisterTerm {
        RegisterTerm::Constant(Datum::Number(value))
    }

    /// An operation on two terms.
    pub fn binary(operator: WordOperator, left: RegisterTerm, right: RegisterTerm) -> RegisterTerm {
        RegisterTerm::Binary(operator, Box::new(left), Box::new(right))
    }
}

impl LitmusAccess {
    /// An access of four bytes with these tags.
    pub fn word(address: RegisterTerm, tags: &[EventTag]) -> LitmusAccess {
        LitmusAccess { address, bytes: 4, tags: EventTags::of(tags) }
    }
}

impl Proposition {
    /// Does it hold of a state, given as the values of the observables?
    pub fn holds(&self, state: &[Datum]) -> bool {
        match self {
            Proposition::Equals(observable, value) => state[*observable] == *value,
            Proposition::Not(inner) => !inner.holds(state),
            Proposition::All(parts) => parts.iter().all(|part| part.holds(state)),
            Proposition::Any(parts) => parts.iter().any(|part| part.holds(state)),
        }
    }
}

impl FinalCondition {
    /// Is a state what the condition says no execution ends in? `exists` asks for a state, which litmus tests describe because it is
    /// unwanted: it is taken as `~exists`.
    pub fn is_violated_by(&self, state: &[Datum]) -> bool {
        let holds = self.proposition.holds(state);
        match self.quantifier {
            Quantifier::Exists | Quantifier::NotExists => holds,
            Quantifier::ForAll => !holds,
        }
    }
}

impl LitmusTest {
    /// What a value is called.
    pub fn show(&self, value: Datum) -> String {
        match value {
            Datum::Number(number) => number.to_string(),
            Datum::Address(location) => self.locations[location].name.clone(),
        }
    }

    /// What an observable is called.
    pub fn observable_name(&self, observable: Observable) -> String {
        match observable {
            Observable::Register(thread, register) => {
                format!("{thread}:{}", self.threads[thread].registers[register.0])
            }
            Observable::Location(location) => self.locations[location].name.clone(),
        }
    }
}

impl fmt::Display for TextPlace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}", self.line, self.column)
    }
}

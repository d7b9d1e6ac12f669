//! Tests in C on a machine: atomic operations become instructions by the published compilation schemes (Sewell and Sevcik, "C/C++11
//! mappings to processors"; Batty et al. 2012 for Power; Lahav et al. 2017, Section 5). Plain accesses are the machine's loads and stores, so
//! nothing is undefined. What is in the source stays in its order, with its dependencies: this is no optimising compiler.
//!
//! | | x86, and PSO with its fences | Power (leading sync) | ARMv8 |
//! |---|---|---|---|
//! | load | `MOV` | `lwz` | `LDR` |
//! | load acquire | `MOV` | `lwz`; branch; `isync` | `LDAR` |
//! | load seq_cst | `MOV` | `sync`; `lwz`; branch; `isync` | `LDAR` |
//! | store | `MOV` | `stw` | `STR` |
//! | store release | PSO: `SFENCE`; `MOV` | `lwsync`; `stw` | `STLR` |
//! | store seq_cst | PSO: `SFENCE`; `MOV`; `MFENCE` | `sync`; `stw` | `STLR` |
//! | read-modify-write | locked | `lwarx` … `stwcx.` with the fences of its load and store around | `SWP`, `CAS`, … with `A`, `L` |
//! | fence acquire | nothing | `lwsync` | `DMB LD` |
//! | fence release, acq_rel | PSO: `SFENCE` | `lwsync` | `DMB SY` |
//! | fence seq_cst | `MFENCE` | `sync` | `DMB SY` |
//!
//! Power's loop around `lwarx` and `stwcx.` is its last round: rounds that fail write nothing. The branch at its end and `isync` import
//! (Power ISA, Book II, B.2.1.1), as those behind a load do.

use crate::test::{
    Architecture, Instruction, LitmusAccess, LitmusTest, Modification, Operation, Register,
    RegisterTerm, TextPlace,
};
use axioms::{EventTag, EventTags};
use ccfa::MemoryModel;

/// The test on the machine of a model. A test that is not in C, or a model that is no machine's, changes nothing.
pub fn compile(test: &LitmusTest, model: MemoryModel) -> LitmusTest {
    let mut compiled = test.clone();
    let architecture = match model {
        MemoryModel::Tso | MemoryModel::Pso => Architecture::X86,
        MemoryModel::Power => Architecture::Ppc,
        MemoryModel::Armv8 => Architecture::AArch64,
        MemoryModel::Sc | MemoryModel::Rmo | MemoryModel::C11 => return compiled,
    };
    if test.architecture != Architecture::C {
        return compiled;
    }
    compiled.architecture = architecture;
    for code in &mut compiled.threads {
        let mut compiler = ThreadCompiler { model, place: TextPlace::default(), code: Vec::new() };
        let mut starts = Vec::new();
        for instruction in std::mem::take(&mut code.instructions) {
            starts.push(compiler.code.len());
            compiler.place = instruction.place;
            compiler.operation(instruction.operation);
        }
        starts.push(compiler.code.len());
        code.instructions = compiler.finished(&starts);
    }
    compiled
}

struct ThreadCompiler {
    model: MemoryModel,
    place: TextPlace,
    /// Instructions. Branches of the source lead to instructions of the source; those that were added lead to the next one.
    code: Vec<(Instruction, BranchOrigin)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum BranchOrigin {
    Source,
    Added,
}

/// What C says of an access or a fence.
#[derive(Clone, Copy)]
struct Strength {
    acquires: bool,
    releases: bool,
    seq_cst: bool,
}

impl Strength {
    fn of(tags: EventTags) -> Strength {
        Strength {
            acquires: tags.contains(EventTag::Acquire),
            releases: tags.contains(EventTag::Release),
            seq_cst: tags.contains(EventTag::SeqCst),
        }
    }
}

impl ThreadCompiler {
    fn operation(&mut self, operation: Operation) {
        match operation {
            Operation::Load { register, access, exclusive } => {
                let strength = Strength::of(access.tags);
                self.before_load(strength);
                let access = self.with_tags(access, self.load_tags(strength));
                self.push(Operation::Load { register, access, exclusive });
                self.after_load(strength, register);
            }
            Operation::Store { value, access } => {
                let strength = Strength::of(access.tags);
                self.before_store(strength);
                let access = self.with_tags(access, self.store_tags(strength));
                self.push(Operation::Store { value, access });
                self.after_store(strength);
            }
            Operation::Modify(modification) => self.modify(*modification),
            Operation::Fence(tags) => self.fence_of_c(Strength::of(tags)),
            other => self.push(other),
        }
    }

    fn modify(&mut self, modification: Modification) {
        let (read, write) =
            (Strength::of(modification.access.tags), Strength::of(modification.write_tags));
        let failure = Strength::of(modification.failure_tags);
        let acquires = read.acquires || failure.acquires;
        let read = Strength { acquires, seq_cst: read.seq_cst || failure.seq_cst, ..read };
        let old = modification.old;
        let machine = match self.model {
            MemoryModel::Tso | MemoryModel::Pso => {
                let locked = EventTags::of(&[EventTag::Locked]);
                (locked, locked, locked)
            }
            _ => (self.load_tags(read), self.store_tags(write), self.load_tags(read)),
        };
        if self.model == MemoryModel::Power {
            self.before_store(write);
        }
        let (tags, write_tags, failure_tags) = machine;
        let picks = self.model == MemoryModel::Armv8 && modification.when.is_some();
        let access = self.with_tags(modification.access.clone(), tags);
        let modification = Modification { access, write_tags, failure_tags, picks, ..modification };
        self.push(Operation::Modify(Box::new(modification)));
        if self.model == MemoryModel::Power {
            self.after_load(read, old);
        }
    }

    fn before_load(&mut self, strength: Strength) {
        if strength.seq_cst && self.model == MemoryModel::Power {
            self.fence(EventTag::Sync);
        }
    }

    /// On Power, a branch on what was read and `isync`.
    fn after_load(&mut self, strength: Strength, register: Register) {
        if strength.acquires && self.model == MemoryModel::Power {
            let condition = Some(RegisterTerm::Register(register));
            let operation = Operation::Branch { condition, target: 0 };
            self.code.push((Instruction { place: self.place, operation }, BranchOrigin::Added));
            self.fence(EventTag::Isync);
        }
    }

    fn before_store(&mut self, strength: Strength) {
        match self.model {
            MemoryModel::Power if strength.seq_cst => self.fence(EventTag::Sync),
            MemoryModel::Power if strength.releases => self.fence(EventTag::Lwsync),
            MemoryModel::Pso if strength.releases => self.fence(EventTag::Sfence),
            _ => {}
        }
    }

    fn after_store(&mut self, strength: Strength) {
        let is_x86 = matches!(self.model, MemoryModel::Tso | MemoryModel::Pso);
        if strength.seq_cst && is_x86 {
            self.fence(EventTag::Mfence);
        }
    }

    fn load_tags(&self, strength: Strength) -> EventTags {
        match self.model {
            MemoryModel::Armv8 if strength.acquires => EventTags::of(&[EventTag::LoadAcquire]),
            _ => EventTags::default(),
        }
    }

    fn store_tags(&self, strength: Strength) -> EventTags {
        match self.model {
            MemoryModel::Armv8 if strength.releases => EventTags::of(&[EventTag::StoreRelease]),
            _ => EventTags::default(),
        }
    }

    fn fence_of_c(&mut self, strength: Strength) {
        let Strength { acquires, releases, seq_cst } = strength;
        match self.model {
            MemoryModel::Power if seq_cst => self.fence(EventTag::Sync),
            MemoryModel::Power if acquires || releases => self.fence(EventTag::Lwsync),
            MemoryModel::Armv8 if releases => self.fence(EventTag::DmbFull),
            MemoryModel::Armv8 if acquires => self.fence(EventTag::DmbLoad),
            MemoryModel::Tso | MemoryModel::Pso if seq_cst => self.fence(EventTag::Mfence),
            MemoryModel::Pso if releases => self.fence(EventTag::Sfence),
            _ => {}
        }
    }

    fn with_tags(&self, access: LitmusAccess, tags: EventTags) -> LitmusAccess {
        LitmusAccess { tags, ..access }
    }

    fn fence(&mut self, tag: EventTag) {
        self.push(Operation::Fence(EventTags::of(&[tag])));
    }

    fn push(&mut self, operation: Operation) {
        self.code.push((Instruction { place: self.place, operation }, BranchOrigin::Source));
    }

    /// The instructions, with branches that lead to where they should; `starts` says what became of each instruction of the source.
    fn finished(self, starts: &[usize]) -> Vec<Instruction> {
        let mut finished = Vec::new();
        for (position, (mut instruction, origin)) in self.code.into_iter().enumerate() {
            if let Operation::Branch { target, .. } = &mut instruction.operation {
                *target = match origin {
                    BranchOrigin::Source => starts[*target],
                    BranchOrigin::Added => position + 1,
                };
            }
            finished.push(instruction);
        }
        finished
    }
}

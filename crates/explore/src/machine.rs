//! The program compiled for one layout: who can do what in a packed state.
//!
//! Each instance has its steps grouped by location. A successor is a copy of
//! the packed state in which only the written bits change; what is written with
//! constants (the new location above all) is one mask per word.
//!
//! An arbitrary value of a small type is a *choice*: the step is taken once for
//! each combination of choices, numbered from 0 with the first choice running
//! fastest. The number is enough to find the values again.

use crate::any::Plan;
use crate::code::{Code, Evaluated, Field, Slot};
use crate::compile::{Compiler, TooLarge, field};
use crate::reduce::ThreadSet;
use ccfa::semantics::System;
use ccfa::{Assign, Edge, EdgeId, LocKind, Place, Rhs, VarRef};
use evidence::Layout;

/// All instances, compiled.
pub(crate) struct Machine {
    pub processes: Vec<CompiledInstance>,
    /// Can an instance ever be at an atomic location?
    has_atomic: bool,
}

/// An instance, compiled.
pub(crate) struct CompiledInstance {
    /// `None` if the template has one location only.
    location: Option<Field>,
    /// By location: where its steps begin; one more entry ends the last.
    first: Vec<u32>,
    atomic: Vec<bool>,
    pub steps: Vec<CompiledStep>,
}

/// An edge of an instance, compiled.
pub(crate) struct CompiledStep {
    pub edge: EdgeId,
    reaches: StepTarget,
    tests: Box<[Code]>,
    constants: Box<[Patch]>,
    writes: Box<[Write]>,
    /// The smallest value and the number of values of each choice.
    choices: Box<[(i64, u32)]>,
}

/// What a step leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StepTarget {
    Plain,
    Error,
    ModelEnd,
}

/// Bits of a word that a step sets to constants.
struct Patch {
    word: u32,
    keep: u64,
    set: u64,
}

enum Write {
    Scalar(Slot, Code),
    Element(Box<[Slot]>, Code, Code),
}

/// Successors of one state, one after the other in `words`.
#[derive(Default)]
pub(crate) struct Successors {
    pub words: Vec<u64>,
    pub moves: Vec<Transition>,
    choices: Vec<i64>,
}

/// How a successor came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Transition {
    pub instance: u32,
    /// Index into `CompiledInstance::steps`.
    pub step: u32,
    /// The number of the combination of choices.
    pub choice: u32,
    /// What kind of place it leads to.
    pub reaches: StepTarget,
}

/// A mathematical integer outgrew 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Overflow;

impl Successors {
    pub fn clear(&mut self) {
        self.words.clear();
        self.moves.clear();
    }
}

impl Machine {
    /// Compiles all instances.
    pub fn new(system: &System, layout: &Layout) -> Result<Machine, TooLarge> {
        let compiler = Compiler::new(system, layout)?;
        let process = |instance| process(system, layout, &compiler, instance);
        let processes = (0..system.instances.len()).map(process).collect::<Result<Vec<_>, _>>()?;
        let has_atomic = processes.iter().any(|process| process.atomic.contains(&true));
        Ok(Machine { processes, has_atomic })
    }

    /// Adds the successors by all instances that may move.
    pub fn expand(&self, state: &[u64], into: &mut Successors) -> Result<(), Overflow> {
        match self.atomic_instance(state) {
            Some(only) => self.expand_instance(state, only, into),
            None => (0..self.processes.len())
                .try_for_each(|instance| self.expand_instance(state, instance, into)),
        }
    }

    /// The instance that alone may move, if there is one.
    pub fn atomic_instance(&self, state: &[u64]) -> Option<usize> {
        let at_atomic = |process: &CompiledInstance| process.atomic[process.location(state)];
        if self.has_atomic { self.processes.iter().position(at_atomic) } else { None }
    }

    /// Adds the successors by the instances of a set; none is at an atomic
    /// location.
    pub fn expand_set(
        &self,
        state: &[u64],
        set: ThreadSet,
        into: &mut Successors,
    ) -> Result<(), Overflow> {
        let members = (0..self.processes.len()).filter(|&instance| set >> instance & 1 != 0);
        members.into_iter().try_for_each(|instance| self.expand_instance(state, instance, into))
    }

    /// Finds the successors by one instance, which the caller knows may move.
    pub fn expand_alone(
        &self,
        state: &[u64],
        instance: u32,
        into: &mut Successors,
    ) -> Result<(), Overflow> {
        into.clear();
        self.expand_instance(state, instance as usize, into)
    }

    /// Adds the successors by one instance, which the caller knows may move.
    #[inline]
    fn expand_instance(
        &self,
        state: &[u64],
        instance: usize,
        into: &mut Successors,
    ) -> Result<(), Overflow> {
        let process = &self.processes[instance];
        let location = process.location(state);
        let range = process.first[location] as usize..process.first[location + 1] as usize;
        for (number, step) in process.steps[range.clone()].iter().enumerate() {
            if step.may_hold(state)? {
                step.take(state, instance as u32, (range.start + number) as u32, into)?;
            }
        }
        Ok(())
    }

    /// The step of a move.
    pub fn step(&self, by: Transition) -> &CompiledStep {
        &self.processes[by.instance as usize].steps[by.step as usize]
    }
}

impl CompiledInstance {
    #[inline]
    pub fn location(&self, state: &[u64]) -> usize {
        self.location.map_or(0, |field| field.get(state) as usize)
    }
}

impl CompiledStep {
    /// The values behind the number of a combination of choices.
    pub fn choices(&self, number: u32, values: &mut Vec<i64>) {
        values.clear();
        let mut rest = number;
        for (low, count) in &self.choices {
            values.push(low + i64::from(rest % count));
            rest /= count;
        }
    }

    #[inline]
    fn may_hold(&self, state: &[u64]) -> Result<bool, Overflow> {
        for test in &self.tests {
            match test.eval(state, &[]) {
                Evaluated::Value(0) | Evaluated::Undefined => return Ok(false),
                Evaluated::Beyond => return Err(Overflow),
                Evaluated::Value(_) | Evaluated::Any => {}
            }
        }
        Ok(true)
    }

    /// Adds the successors by this step, one for each combination of choices.
    #[inline]
    fn take(
        &self,
        state: &[u64],
        instance: u32,
        step: u32,
        into: &mut Successors,
    ) -> Result<(), Overflow> {
        let reaches = self.reaches;
        let combinations = self.choices.iter().map(|(_, count)| count).product();
        for choice in 0..combinations {
            self.choices(choice, &mut into.choices);
            let start = into.words.len();
            into.words.extend_from_slice(state);
            if self.write(state, &into.choices, &mut into.words[start..])? {
                into.moves.push(Transition { instance, step, choice, reaches });
            } else {
                into.words.truncate(start);
            }
        }
        Ok(())
    }

    /// Writes the successor over a copy of the state; `false` if something is
    /// undefined.
    #[inline]
    fn write(&self, state: &[u64], choices: &[i64], next: &mut [u64]) -> Result<bool, Overflow> {
        for write in &self.writes {
            let (Write::Scalar(_, value) | Write::Element(_, _, value)) = write;
            let value = match value.eval(state, choices) {
                Evaluated::Value(value) => Some(value),
                Evaluated::Any => None,
                Evaluated::Undefined => return Ok(false),
                Evaluated::Beyond => return Err(Overflow),
            };
            match write {
                Write::Scalar(slot, _) => slot.set(next, value),
                Write::Element(slots, index, _) => match index.eval(state, choices) {
                    Evaluated::Value(index) => match slots.get(index as u64 as usize) {
                        Some(slot) => slot.set(next, value),
                        None => return Ok(false),
                    },
                    Evaluated::Any => write_somewhere(slots, next, value),
                    Evaluated::Undefined => return Ok(false),
                    Evaluated::Beyond => return Err(Overflow),
                },
            }
        }
        for patch in &self.constants {
            let word = &mut next[patch.word as usize];
            *word = *word & patch.keep | patch.set;
        }
        Ok(true)
    }
}

/// An unspecified index may mean any of the elements.
fn write_somewhere(slots: &[Slot], next: &mut [u64], value: Option<i64>) {
    let written = value.map_or(Evaluated::Any, Evaluated::Value);
    for slot in slots {
        if slot.get(next) != written {
            slot.set(next, None);
        }
    }
}

fn process(
    system: &System,
    layout: &Layout,
    compiler: &Compiler,
    instance: usize,
) -> Result<CompiledInstance, TooLarge> {
    let template = system.template(instance);
    let bits = layout.locations[instance];
    let location = (bits.width > 0).then(|| field(bits.word, bits.shift, bits.width, false));
    let (mut first, mut steps) = (vec![0], Vec::new());
    for edges in template.edges_from() {
        for edge in edges {
            let compiling = Compiling { system, compiler, instance, location };
            steps.push(compiling.step(edge, &template.edges[edge.index()])?);
        }
        first.push(steps.len() as u32);
    }
    let atomic = template.locations.iter().map(|location| location.atomic).collect();
    Ok(CompiledInstance { location, first, atomic, steps })
}

struct Compiling<'a> {
    system: &'a System<'a>,
    compiler: &'a Compiler<'a>,
    instance: usize,
    location: Option<Field>,
}

impl Compiling<'_> {
    fn step(&self, id: EdgeId, edge: &Edge) -> Result<CompiledStep, TooLarge> {
        let tests = self.compiler.guard(self.instance, &edge.guard)?;
        let (mut choices, mut writes, mut constants) = (Vec::new(), Vec::new(), Vec::new());
        let mut plan = Plan::new();
        if let Some(location) = self.location {
            patch(&mut constants, location, i64::from(edge.target.0));
        }
        for assign in &edge.assigns {
            for write in self.writes(assign, &mut plan, &mut choices)? {
                match write {
                    Write::Scalar(Slot { value, any: None }, Code::Const(constant))
                        if self.is_written_once(edge, assign) =>
                    {
                        patch(&mut constants, value, constant);
                    }
                    write => writes.push(write),
                }
            }
        }
        Ok(CompiledStep {
            edge: id,
            reaches: match self.system.template(self.instance).locations[edge.target.index()].kind {
                LocKind::Plain => StepTarget::Plain,
                LocKind::Error(_) => StepTarget::Error,
                LocKind::Limit(..) | LocKind::Undefined(_) => StepTarget::ModelEnd,
            },
            tests: tests.into(),
            constants: constants.into(),
            writes: writes.into(),
            choices: choices.into(),
        })
    }

    /// The writes of an assignment, one for each cell of a havocked array.
    fn writes(
        &self,
        assign: &Assign,
        plan: &mut Plan,
        choices: &mut Vec<(i64, u32)>,
    ) -> Result<Vec<Write>, TooLarge> {
        let (Place::Var(var) | Place::Element(var, _)) = &assign.place;
        let slots = self.compiler.slots(self.instance, *var);
        let declared = self.system.var(self.instance, *var);
        let mut value = || match &assign.value {
            Rhs::Expr(value) => self.compiler.expr(self.instance, value),
            Rhs::Havoc => Ok(plan.next(declared).map_or(Code::Any, |(low, high)| {
                choices.push((low, (high - low + 1) as u32));
                Code::Choice(choices.len() - 1)
            })),
        };
        match &assign.place {
            Place::Var(_) => slots.iter().map(|slot| Ok(Write::Scalar(*slot, value()?))).collect(),
            Place::Element(_, index) => {
                let value = value()?;
                Ok(vec![match self.compiler.expr(self.instance, index)? {
                    Code::Const(index) if (index as u64) < slots.len() as u64 => {
                        Write::Scalar(slots[index as usize], value)
                    }
                    index => Write::Element(slots, index, value),
                }])
            }
        }
    }

    /// May this assignment be reordered with the others of its edge?
    fn is_written_once(&self, edge: &Edge, assign: &Assign) -> bool {
        edge.assigns.iter().filter(|other| target(other) == target(assign)).count() == 1
    }
}

fn target(assign: &Assign) -> VarRef {
    let (Place::Var(var) | Place::Element(var, _)) = &assign.place;
    *var
}

fn patch(patches: &mut Vec<Patch>, field: Field, value: i64) {
    let (keep, set) = (!field.mask(), field.place(value));
    match patches.iter_mut().find(|patch| patch.word == field.word) {
        Some(patch) => {
            patch.keep &= keep;
            patch.set |= set;
        }
        None => patches.push(Patch { word: field.word, keep, set }),
    }
}

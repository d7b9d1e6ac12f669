//! From the typed program to the model.
//!
//! Every thread becomes a template: its start routine with all calls inlined
//! (recursion up to a bound). A step contains at most one access to shared
//! memory; `__VERIFIER_atomic_*` sections run through *atomic* locations.
//!
//! How many threads, heap objects and copies of escaping locals there are is
//! only known when everything was lowered, but is needed for lowering a
//! dereference. So lowering goes in rounds, each with the [`Facts`] of the one
//! before, until they are stable. A fact that is too small costs precision (a
//! reported bound), never soundness: what does not fit ends in a model limit.
//!
//! | type | what it knows, and what it cannot change | files |
//! |---|---|---|
//! | `Input` | what the round starts from: program, points-to, options, facts; it never changes | `input`, `constant`, `passing`, `format` |
//! | `TemplateBuilder` | the automaton under construction: locations, edges, locals, join points, inlined calls; no object, no C | `build` |
//! | `Objects` | the objects, their addresses, and the shared variables of the model; no step | `objects` |
//! | `Resolver` | which objects a variable, an allocation or a pointer of C stands for; makes objects, adds no step | `variable`, `place`, `heap` |
//! | `AddressBytes` | which bytes may be those of an address; adds no step | `words` |
//! | `ControlSteps` | steps that touch no memory: choices, sections, assumptions, fences; no object | `control` |
//! | `Lives` | steps by which objects come to life and are gone, and by which locals are noted as written; reads and writes no value of C | `life`, `local_life`, `uninitialised` |
//! | `Observations` | questions about addresses and ids, asked before something is computed of them; they only stop an execution | `observe`, `distance`, `ids` |
//! | `Memory` | steps that read and write cells, and how these fail | `access`, `failed`, `manner`, `fragment`, `memory`, `unwritten_cells` |
//! | `AtomicOperation` | one atomic builtin with its operands: which reads and writes it is | `atomic` |
//! | `Threads` | steps that create, join, detach and end threads | `thread` |
//! | `Lowerer` | C's evaluation: it turns expressions and statements into values, and asks the others for the steps | `expr`, `place`, `stmt`, `call`, `order` |
//! | `Marking` | what leads to allocated memory, when all templates are there; it only reads | `leaks` |
//!
//! Below them is arithmetic that knows no program: `cells` (what an object of a type consists
//! of), `locate` (which cells an address falls into), `alternative` (how a value lies in cells),
//! `arithmetic` and `overflow` (expressions of the model). The other files are about one matter each, as their heads say
//! (which: "How C becomes steps" in ARCHITECTURE.md).

mod access;
mod alternative;
mod arithmetic;
mod atomic;
mod born_unwritten;
mod build;
mod call;
mod cells;
mod constant;
mod control;
mod describe;
mod distance;
mod expr;
mod failed;
mod format;
mod fragment;
mod handles;
mod heap;
mod ids;
mod input;
mod leaks;
mod life;
mod local_life;
mod locate;
mod manner;
mod memory;
mod objects;
mod observe;
mod order;
mod overflow;
mod passing;
mod place;
mod spin_loops;
mod stmt;
mod thread;
mod uninitialised;
mod unwritten_cells;
mod variable;
mod words;

use crate::hir::{FuncId, Unit, VarId};
use crate::points_to::{PointsTo, may_be_retyped};
use crate::source::SourceMap;
use crate::syntax::ast::Range;
use crate::{ABSTRACT_PREFIX, Assumption, LowerOptions, Purpose};
use build::{Frame, TemplateBuilder};
use ccfa::fold;
use ccfa::{Call, Count, Details, Program, TemplateId, Thread};
use input::Input;
use objects::Objects;
use order::Summaries;
use std::collections::{BTreeMap, BTreeSet};
use words::AddressBytes;

/// So many times a program is lowered with what was found before; mostly the second time finds nothing new.
const MAX_ROUNDS: usize = 8;
/// After so many, a number of threads that still grows is not counted: a routine creates threads that run it. Chains of routines that create others are shorter.
const MAX_COUNTING_ROUNDS: usize = 4;
/// A routine that creates threads of its own kind gets so many, for it may well stop soon; in a larger model, it is parameterised.
const MAX_OWN_KIND_THREADS: u64 = 8;
/// Offsets from here on belong to our own library of models.
pub const LIBRARY_OFFSET: u32 = 1 << 31;

const TOO_LARGE: &str = "a program of this size: too many steps after inlining its calls";

/// Lowers a program; it must begin somewhere.
pub fn lower(
    unit: &Unit,
    points_to: &PointsTo,
    map: &SourceMap,
    options: &LowerOptions,
) -> Result<(Program, BTreeSet<Assumption>, Details), String> {
    let main = unit.main.ok_or("there is no function `main`")?;
    let words = fragment::words_at_first(unit);
    let mut facts = Facts { words, ..Facts::default() };
    let summaries = Summaries::new(unit, points_to, options, main);
    for round in 0..MAX_ROUNDS {
        let mut lowerer = Lowerer::new(Input::new(&summaries, map, options, &facts, main));
        let program = lowerer.program(options.purpose);
        let too_large = lowerer.t.steps > call::MAX_STEPS || lowerer.objects.is_full();
        let mut found = lowerer.found;
        if round >= MAX_COUNTING_ROUNDS {
            found.give_up_counting(&facts, u64::from(options.bounds.objects));
        }
        if too_large {
            break;
        }
        if found == facts {
            let mut assumed = lowerer.t.assumed;
            assumed.extend(unit.has_restrict.then_some(Assumption::NoAliases));
            assumed.extend(may_be_retyped(unit, points_to).then_some(Assumption::AnyType));
            assumed.extend(unit.has_promises.then_some(Assumption::PromisesKept));
            assumed.extend(unit.has_other_entry.then_some(Assumption::BeginsAsInitialised));
            return Ok((program, assumed, lowerer.details));
        }
        facts = found;
    }
    // Facts that are not stable would make a wrong model: there is none.
    if options.purpose == Purpose::Conformance {
        return Err(format!("{TOO_LARGE}, so that no thread can be compared"));
    }
    let mut lowerer = Lowerer::new(Input::new(&summaries, map, options, &facts, main));
    Ok((lowerer.no_program(), BTreeSet::new(), Details::default()))
}

/// What is known of the whole program from the round before.
#[derive(Clone, Debug, Default, PartialEq)]
struct Facts {
    /// The start routines of threads and how many threads each needs;
    /// `None` = any number.
    spawned: BTreeMap<FuncId, Option<u64>>,
    /// The allocations found.
    heap: BTreeMap<heap::Site, heap::Allocation>,
    /// Is a thread ever cancelled?
    cancels: bool,
    /// Is a thread ever detached?
    detaches: bool,
    /// Is a condition variable destroyed?
    destroys_conditions: bool,
    /// Does the program look at the ids of its threads?
    observes_ids: bool,
    /// Which threads have the escaping local (at a recursion level).
    owners: BTreeMap<(VarId, u32), BTreeSet<FuncId>>,
    /// Where locals come to life that may be looked at when they are gone (at a recursion level).
    births: BTreeMap<(VarId, u32), local_life::Births>,
    /// The objects whose padding is looked at.
    padded: BTreeSet<objects::Key>,
    /// Can parts of addresses be where their neighbours are not?
    has_strays: bool,
    /// The objects with rows of bytes in which addresses can be.
    words: BTreeSet<objects::Key>,
}

impl Facts {
    /// Routines whose threads were counted differently before have as many as we guess, or any number of them.
    fn give_up_counting(&mut self, before: &Facts, guess: u64) {
        let guess = Some(guess).filter(|guess| *guess <= MAX_OWN_KIND_THREADS);
        for (routine, count) in &mut self.spawned {
            if before.spawned.get(routine).is_some_and(|known| known != count) {
                *count = guess;
            }
        }
    }
}

/// One round of lowering: what it starts from, what it has found, and what it has built.
struct Lowerer<'a> {
    input: Input<'a>,
    /// For the next round.
    found: Facts,
    objects: Objects,
    /// The calls that were inlined.
    calls: Vec<Call>,
    /// What can be said of failures.
    details: Details,
    /// The template under construction.
    t: TemplateBuilder,
}

/// What steps of memory need: which objects there are, how their cells are read, written, created
/// and freed. Values of C expressions come from the `Lowerer`.
struct Memory<'r, 'a> {
    input: &'r Input<'a>,
    found: &'r mut Facts,
    objects: &'r mut Objects,
    t: &'r mut TemplateBuilder,
}

/// What names of C mean in the model: the objects that a variable, an allocation or a pointer stands for, in the frame and the thread
/// at hand. Makes an object when it is met first; adds no step.
struct Resolver<'r, 'a> {
    input: &'r Input<'a>,
    found: &'r mut Facts,
    objects: &'r mut Objects,
    /// The thread at hand, and its calls.
    routine: FuncId,
    frames: &'r [Frame],
    assumed: &'r mut BTreeSet<Assumption>,
}

/// Whether objects are alive, and locals written: steps that begin and end lives, and that ask whether a local has a value.
struct Lives<'r, 'a> {
    input: &'r Input<'a>,
    found: &'r mut Facts,
    objects: &'r mut Objects,
    t: &'r mut TemplateBuilder,
}

/// What a program can see of the numbers of addresses and of threads' ids: asks, before that is computed, that it is the same in
/// every layout, and whether a pointer stays near its object.
struct Observations<'r, 'a> {
    input: &'r Input<'a>,
    found: &'r mut Facts,
    objects: &'r mut Objects,
    t: &'r mut TemplateBuilder,
}

/// Steps that touch no memory: choices, atomic sections, assumptions, fences. Knows no object.
struct ControlSteps<'r, 'a> {
    input: &'r Input<'a>,
    t: &'r mut TemplateBuilder,
}

/// What steps of threads need: creating, joining, detaching, ending. Values of C expressions
/// come from the `Lowerer`.
struct Threads<'r, 'a> {
    input: &'r Input<'a>,
    found: &'r mut Facts,
    objects: &'r mut Objects,
    t: &'r mut TemplateBuilder,
}

impl<'r, 'a> Resolver<'r, 'a> {
    fn new(
        input: &'r Input<'a>,
        found: &'r mut Facts,
        objects: &'r mut Objects,
        t: &'r mut TemplateBuilder,
    ) -> Resolver<'r, 'a> {
        let TemplateBuilder { routine, frames, assumed, .. } = t;
        Resolver { input, found, objects, routine: *routine, frames, assumed }
    }
}

impl<'a> Memory<'_, 'a> {
    fn resolver(&mut self) -> Resolver<'_, 'a> {
        Resolver::new(self.input, self.found, self.objects, self.t)
    }

    fn address_bytes(&mut self) -> AddressBytes<'_, 'a> {
        AddressBytes { resolver: self.resolver() }
    }

    fn lives(&mut self) -> Lives<'_, 'a> {
        Lives { input: self.input, found: self.found, objects: self.objects, t: self.t }
    }
}

impl<'a> Lives<'_, 'a> {
    fn resolver(&mut self) -> Resolver<'_, 'a> {
        Resolver::new(self.input, self.found, self.objects, self.t)
    }
}

impl<'a> Observations<'_, 'a> {
    fn resolver(&mut self) -> Resolver<'_, 'a> {
        Resolver::new(self.input, self.found, self.objects, self.t)
    }
}

impl<'a> Lowerer<'a> {
    fn new(input: Input<'a>) -> Self {
        let main = input.main;
        // What was looked at once has cells, and is not asked for again.
        let Facts { has_strays, padded, words, .. } = input.facts.clone();
        let objects = Objects::new(&input.unit.types);
        Lowerer {
            input,
            found: Facts { padded, has_strays, words, ..Facts::default() },
            objects,
            calls: Vec::new(),
            details: Details::default(),
            t: TemplateBuilder::new("", main, main),
        }
    }

    /// Memory, as the template at hand sees it.
    fn memory(&mut self) -> Memory<'_, 'a> {
        let Lowerer { input, found, objects, t, .. } = self;
        Memory { input, found, objects, t }
    }

    /// What names mean here.
    fn resolver(&mut self) -> Resolver<'_, 'a> {
        Resolver::new(&self.input, &mut self.found, &mut self.objects, &mut self.t)
    }

    fn control(&mut self) -> ControlSteps<'_, 'a> {
        ControlSteps { input: &self.input, t: &mut self.t }
    }

    /// The lives of objects, as the template at hand sees them.
    fn lives(&mut self) -> Lives<'_, 'a> {
        let Lowerer { input, found, objects, t, .. } = self;
        Lives { input, found, objects, t }
    }

    /// What can be seen here of addresses and ids.
    fn observations(&mut self) -> Observations<'_, 'a> {
        let Lowerer { input, found, objects, t, .. } = self;
        Observations { input, found, objects, t }
    }

    /// The threads, as the template at hand sees them.
    fn threads(&mut self) -> Threads<'_, 'a> {
        let Lowerer { input, found, objects, t, .. } = self;
        Threads { input, found, objects, t }
    }

    fn program(&mut self, purpose: Purpose) -> Program {
        let mut routines = vec![self.input.main];
        routines.extend(self.input.facts.spawned.keys().filter(|f| **f != self.input.main));
        let mut program = Program {
            name: self.input.map.files().first().cloned().unwrap_or_default(),
            files: self.input.map.files().to_vec(),
            ..Program::default()
        };
        let mut leak_checks = Vec::new();
        for function in &routines {
            let function = *function;
            let template = self.template(function, function);
            let number = TemplateId(program.templates.len() as u32);
            let failures = std::mem::take(&mut self.t.failures).into_iter();
            self.details.operands.extend(failures.map(|(at, what)| ((number, at), what)));
            let checks = std::mem::take(&mut self.t.leak_checks);
            leak_checks.push((number, checks, std::mem::take(&mut self.t.private)));
            let thread = Thread {
                name: template.name.clone(),
                template: number,
                args: vec![self.input.thread_argument(function)],
                count: match self.input.instances_of(function) {
                    Some(count) => Count::Exactly(count as u32),
                    None => Count::Any,
                },
            };
            program.templates.push(template);
            program.threads.push(thread);
        }
        if purpose == Purpose::Conformance {
            program.templates.extend(self.abstract_threads(&routines));
        }
        self.finish_leak_checks(&mut program, leak_checks);
        describe::name_shared(&self.input, &mut self.objects);
        self.details.lives = self.objects.lives();
        program.objects = describe::source_objects(&self.input, &self.objects);
        program.shared = std::mem::take(&mut self.objects.shared);
        program.calls = std::mem::take(&mut self.calls);
        program
    }

    /// The templates of the routines' abstract threads, as far as there are any.
    fn abstract_threads(&mut self, routines: &[FuncId]) -> Vec<ccfa::Template> {
        let mut templates = Vec::new();
        for routine in routines {
            let name =
                format!("{ABSTRACT_PREFIX}{}", self.input.unit.functions[routine.index()].name);
            let found =
                self.input.unit.functions.iter().position(|f| f.name == name && f.body.is_some());
            templates.extend(found.map(|body| self.template(*routine, FuncId(body as u32))));
        }
        templates
    }

    /// A program that is not supported as a whole.
    fn no_program(&mut self) -> Program {
        self.t = TemplateBuilder::new("main", self.input.main, self.input.main);
        self.at(self.input.unit.functions[self.input.main.index()].range);
        self.t.unsupported(TOO_LARGE);
        let template = std::mem::take(&mut self.t.template);
        let main = Thread {
            name: "main".into(),
            template: TemplateId(0),
            args: vec![],
            count: Count::Exactly(1),
        };
        Program {
            name: self.input.map.files().first().cloned().unwrap_or_default(),
            files: self.input.map.files().to_vec(),
            templates: vec![template],
            threads: vec![main],
            ..Program::default()
        }
    }

    /// The place of a piece of the user's text; within our library, the place
    /// of the call that led there.
    fn at(&mut self, range: Range) {
        self.t.span = self.input.span_of(range).or(self.t.span);
    }
}

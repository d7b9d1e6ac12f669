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
//! - `cells`, `object`: what memory consists of and where it lies
//! - `place`, `access`, `manner`: from lvalues to cells, and what an access to them is in the source
//! - `expr`, `stmt`, `call`: C's evaluation
//! - `thread`, `heap`, `life`, `memory`, `atomic`: what `pthread_create`, `malloc`,
//!   `free`, `memcpy`, `__atomic_*` need
//! - `build`: locations and edges of the template at hand

mod access;
mod alternative;
mod atomic;
mod build;
mod call;
mod cells;
mod expr;
pub(crate) mod fold;
mod heap;
mod life;
mod locate;
mod manner;
mod memory;
mod object;
mod place;
mod stmt;
mod thread;

use crate::hir::{FuncId, Unit, VarId};
use crate::points_to::PointsTo;
use crate::source::SourceMap;
use crate::syntax::ast::Range;
use crate::{ABSTRACT_PREFIX, LowerOptions, Property, Purpose};
use build::TemplateBuilder;
use ccfa::{Call, Count, Program, Span, Thread, Var};
use object::{Key, Object, ObjectId};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Offsets from here on belong to our own library of models.
pub const LIBRARY_OFFSET: u32 = 1 << 31;

const TOO_LARGE: &str = "a program of this size: too many steps after inlining its calls";

/// Lowers a program; `main` must exist.
pub fn lower(
    unit: &Unit,
    points_to: &PointsTo,
    map: &SourceMap,
    options: &LowerOptions,
) -> Result<Program, String> {
    let main = unit
        .functions
        .iter()
        .position(|function| function.name == "main" && function.body.is_some())
        .ok_or("there is no function `main`")?;
    let main = FuncId(main as u32);
    let mut facts = Facts::default();
    const ROUNDS: usize = 8;
    for _ in 0..ROUNDS {
        let mut lowerer = Lowerer::new(unit, points_to, map, options, &facts, main);
        let program = lowerer.program(options.purpose);
        let too_large = lowerer.steps > call::MAX_STEPS;
        let found = lowerer.found;
        if too_large {
            break;
        }
        if found == facts {
            return Ok(program);
        }
        facts = found;
    }
    // Facts that are not stable would make a wrong model: there is none.
    if options.purpose == Purpose::Conformance {
        return Err(format!("{TOO_LARGE}, so that no thread can be compared"));
    }
    let mut lowerer = Lowerer::new(unit, points_to, map, options, &facts, main);
    Ok(lowerer.no_program())
}

/// What is known of the whole program from the round before.
#[derive(Clone, Debug, Default, PartialEq)]
struct Facts {
    /// The start routines of threads and how many threads each needs;
    /// `None` = any number.
    spawned: BTreeMap<FuncId, Option<u64>>,
    /// The allocations met.
    heap: BTreeMap<heap::Site, heap::Allocation>,
    /// Is a thread ever cancelled?
    cancels: bool,
    /// Which threads have the escaping local (at a recursion level).
    owners: BTreeMap<(VarId, u32), BTreeSet<FuncId>>,
}

/// Everything that lowering one round needs.
struct Lowerer<'a> {
    unit: &'a Unit,
    points_to: &'a PointsTo,
    map: &'a SourceMap,
    options: &'a LowerOptions,
    facts: &'a Facts,
    found: Facts,
    main: FuncId,
    /// First thread id of each start routine.
    thread_ids: BTreeMap<FuncId, u64>,
    shared: Vec<Var>,
    shared_names: HashMap<String, u32>,
    objects: Vec<Object>,
    object_ids: HashMap<Key, ObjectId>,
    next_address: u64,
    function_addresses: HashMap<FuncId, u64>,
    steps: usize,
    /// The calls that were inlined.
    calls: Vec<Call>,
    t: TemplateBuilder,
}

impl<'a> Lowerer<'a> {
    fn new(
        unit: &'a Unit,
        points_to: &'a PointsTo,
        map: &'a SourceMap,
        options: &'a LowerOptions,
        facts: &'a Facts,
        main: FuncId,
    ) -> Self {
        let mut thread_ids = BTreeMap::from([(main, thread::MAIN_ID)]);
        let mut next = thread::MAIN_ID + 1;
        let bounded = |count: &Option<u64>| count.is_some();
        let (known, any): (Vec<_>, Vec<_>) =
            facts.spawned.iter().partition(|(_, count)| bounded(count));
        for (function, count) in known.into_iter().chain(any) {
            // `main` as a start routine of other threads has ids of its own.
            thread_ids.entry(*function).or_insert(next);
            next += count.unwrap_or(thread::ID_DISTANCE);
        }
        Lowerer {
            unit,
            points_to,
            map,
            options,
            facts,
            found: Facts::default(),
            main,
            thread_ids,
            shared: Vec::new(),
            shared_names: HashMap::new(),
            objects: Vec::new(),
            object_ids: HashMap::new(),
            next_address: object::FIRST_ADDRESS,
            function_addresses: HashMap::new(),
            steps: 0,
            calls: Vec::new(),
            t: TemplateBuilder::new("", main, main),
        }
    }

    fn program(&mut self, purpose: Purpose) -> Program {
        let mut routines = vec![self.main];
        routines.extend(self.facts.spawned.keys().filter(|f| **f != self.main));
        let mut program = Program {
            name: self.map.files().first().cloned().unwrap_or_default(),
            files: self.map.files().to_vec(),
            ..Program::default()
        };
        for function in &routines {
            let function = *function;
            let template = self.template(function, function);
            let thread = Thread {
                name: template.name.clone(),
                template: ccfa::TemplateId(program.templates.len() as u32),
                args: vec![self.thread_argument(function)],
                count: match self.instances_of(function) {
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
        program.shared = std::mem::take(&mut self.shared);
        program.calls = std::mem::take(&mut self.calls);
        program
    }

    /// The templates of the routines' abstract threads, as far as there are any.
    fn abstract_threads(&mut self, routines: &[FuncId]) -> Vec<ccfa::Template> {
        let mut templates = Vec::new();
        for routine in routines {
            let name = format!("{ABSTRACT_PREFIX}{}", self.unit.functions[routine.index()].name);
            let found = self.unit.functions.iter().position(|f| f.name == name && f.body.is_some());
            templates.extend(found.map(|body| self.template(*routine, FuncId(body as u32))));
        }
        templates
    }

    /// A program that is not supported as a whole.
    fn no_program(&mut self) -> Program {
        self.t = TemplateBuilder::new("main", self.main, self.main);
        self.at(self.unit.functions[self.main.index()].range);
        self.unsupported(TOO_LARGE);
        let template = std::mem::take(&mut self.t.template);
        let main = Thread {
            name: "main".into(),
            template: ccfa::TemplateId(0),
            args: vec![],
            count: Count::Exactly(1),
        };
        Program {
            name: self.map.files().first().cloned().unwrap_or_default(),
            files: self.map.files().to_vec(),
            templates: vec![template],
            threads: vec![main],
            ..Program::default()
        }
    }

    /// The place of a piece of the user's text; within our library, the place
    /// of the call that led there.
    fn at(&mut self, range: Range) {
        self.t.span = self.span_of(range).or(self.t.span);
    }

    /// The place of a piece of the user's text.
    fn span_of(&self, range: Range) -> Option<Span> {
        if range.lo >= LIBRARY_OFFSET {
            return None;
        }
        let (place, end) = (self.map.place(range.lo), self.map.place(range.hi));
        let start = Span::at(place.file, place.line, place.column);
        let has_end =
            place.file == end.file && (place.line, place.column) <= (end.line, end.column);
        Some(match has_end {
            true => Span { end_line: end.line, end_column: end.column, ..start },
            false => start,
        })
    }

    /// Is a call of this function the violation we look for?
    fn is_error_function(&self, name: &str) -> bool {
        match &self.options.property {
            Property::Assertions => matches!(name, "reach_error" | "__VERIFIER_error"),
            Property::Unreachable(function) => function == name,
        }
    }

    /// A shared variable that is not an object of the program.
    fn shared_var(
        &mut self,
        name: &str,
        ty: ccfa::Type,
        len: Option<u32>,
        init: ccfa::Init,
    ) -> ccfa::SharedId {
        let count = self.shared_names.entry(name.to_string()).or_insert(0);
        *count += 1;
        let name = if *count == 1 { name.to_string() } else { format!("{name}#{count}") };
        self.shared.push(Var::new(name, ty, len, init));
        ccfa::SharedId(self.shared.len() as u32 - 1)
    }
}

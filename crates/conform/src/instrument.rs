//! The conformance checker `C(T, T#)` as a sequential program: the thread, with the
//! instrumentation of Section 3.1 of the paper. **Trusted.**
//!
//! The program runs the thread step by step, each from arbitrary values of the
//! shared variables, and keeps in flags `F` which states of the abstract thread are
//! candidates: could have been reached with the same old and new values at each step.
//! The lines of the paper:
//!
//! ```text
//! (1) assert some candidate is left        an edge to an error from every location
//! (2) assume no candidate goes wrong       part of the guard of every step
//! (3) the step itself
//! (4) F := successors of F under T(x, y)   assigned in the same step
//! (5) havoc v                              every shared variable arbitrary again
//! (6) u := v                               see below
//! ```
//!
//! An assertion of the thread that fails stays an error: by (2) no candidate goes
//! wrong with it. So an error of this program is a phased execution that no abstract one
//! matches, and if it has none, the abstract thread is an abstraction (Theorem 2).
//! Line (1) is also asked where the thread ends, unlike in the paper's program text,
//! where the last step would go unchecked; its definition of the checker asks everywhere.
//!
//! What differs beside: the new values in T(x, y) are the expressions that the step
//! assigns, so all of (3) to (5) is one edge and the old values need no copies u. Only
//! where a step is an atomic section of several edges, or assigns an arbitrary value, are
//! they copied when it begins ((2) and (6) stand there), and (4) and (5) follow at its end.
//! Undefined behaviour is going wrong. Variables that are never written keep their values, and
//! those that only this one thread uses are its own. The number of an instance is arbitrary
//! among those there are, so that one check is for all of them.

use crate::effect::Effect;
use crate::formula::{all, any, implies};
use crate::machine::Machine;
use crate::relation::{Cell, StepRelation, cells, place, read};
use crate::total::completed;
use ccfa::fold::refold;
use ccfa::{
    Arg, Assign, BinOp, Count, Edge, EdgeId, ErrorKind, Expr, Init, LocId, LocKind, LocalId,
    Location, Place, Program, Rhs, SharedId, Template, TemplateId, Thread, ThreadId, Type, Var,
    VarRef, set,
};
use std::collections::{BTreeMap, BTreeSet};

/// A conformance checker, and what its parts mean.
#[derive(Clone, Debug)]
pub struct Checker {
    /// The sequential program. It has no error if and only if the abstract thread
    /// is an abstraction of the thread.
    pub program: Program,
    /// The thread it is about.
    pub thread: ThreadId,
    /// What each edge of the program's one template stands for.
    pub origins: Vec<CheckerEdge>,
    /// The flag of each abstract state.
    pub candidates: Vec<LocalId>,
    /// The thread's arguments.
    pub arguments: Vec<LocalId>,
}

/// What an edge of a checker stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckerEdge {
    /// The choice of an instance.
    Instance,
    /// No candidate is left.
    NoCandidate,
    /// A step of the thread, with new candidates and all shared variables arbitrary.
    Whole(EdgeId),
    /// A step of the thread that goes wrong or is part of a larger one.
    Part(EdgeId),
    /// New candidates, and all shared variables arbitrary.
    Havoc,
}

/// Cells of an array that is copied; each is an assignment in every step that compares.
const MAX_CELLS: usize = 1024;

/// The checker for a thread of `program` and its abstract thread. `others` are
/// the abstract threads of all threads, which may write what no thread writes.
pub fn checker(
    program: &Program,
    thread: ThreadId,
    machine: &Machine,
    others: &[&Machine],
) -> Result<Checker, String> {
    let kinds = Kinds::of(program, thread, others);
    let machine = &completed(program, machine)?;
    let mut builder = Instrumenter::new(program, thread, machine, &kinds)?;
    builder.steps();
    builder.ends_of_sections();
    builder.nothing_left();
    let enter = builder.choose_instance();
    Ok(builder.finish(enter))
}

/// What other threads can do to the shared variables.
struct Kinds {
    /// No thread writes them, or only this thread uses them.
    fixed: BTreeSet<SharedId>,
}

impl Kinds {
    fn of(program: &Program, thread: ThreadId, machines: &[&Machine]) -> Kinds {
        let declared = &program.threads[thread.index()];
        let mut written: BTreeSet<SharedId> =
            machines.iter().flat_map(|machine| machine.written()).collect();
        let mut foreign: BTreeSet<SharedId> =
            machines.iter().flat_map(|machine| machine.mentioned()).collect();
        for (number, template) in program.templates.iter().enumerate() {
            let mine = declared.template.index() == number && is_alone(program, declared);
            let running = program.threads.iter().any(|thread| thread.template.index() == number);
            for access in template.edges.iter().filter(|_| running).map(Edge::read_write_sets) {
                written.extend(access.shared_writes());
                if !mine {
                    foreign.extend(access.shared_reads().chain(access.shared_writes()));
                }
            }
        }
        let all = (0..program.shared.len() as u32).map(SharedId);
        Kinds { fixed: all.filter(|id| !written.contains(id) || !foreign.contains(id)).collect() }
    }
}

/// Is it the only instance of its template?
fn is_alone(program: &Program, thread: &Thread) -> bool {
    let same = program.threads.iter().filter(|other| other.template == thread.template);
    thread.count == Count::Exactly(1) && same.count() == 1
}

struct Instrumenter<'p> {
    program: &'p Program,
    thread: &'p Thread,
    template: &'p Template,
    machine: &'p Machine,
    checker: Checker,
    locals: Vec<Var>,
    locations: Vec<Location>,
    edges: Vec<Edge>,
    /// Copies of old values, for steps of several edges.
    old: BTreeMap<SharedId, LocalId>,
    /// Where such a step ends: the candidates of the location are computed there.
    before: BTreeMap<LocId, LocId>,
    fixed: &'p BTreeSet<SharedId>,
}

impl<'p> Instrumenter<'p> {
    fn new(
        program: &'p Program,
        id: ThreadId,
        machine: &'p Machine,
        kinds: &'p Kinds,
    ) -> Result<Self, String> {
        let thread = &program.threads[id.index()];
        let template = program.template_of(id);
        let mut builder = Instrumenter {
            program,
            thread,
            template,
            machine,
            checker: Checker {
                program: Program::default(),
                thread: id,
                origins: Vec::new(),
                candidates: Vec::new(),
                arguments: Vec::new(),
            },
            locals: template.locals.clone(),
            locations: template.locations.iter().map(sequential).collect(),
            edges: Vec::new(),
            old: BTreeMap::new(),
            before: BTreeMap::new(),
            fixed: &kinds.fixed,
        };
        builder.declare()?;
        Ok(builder)
    }

    /// The variables of the instrumentation: arguments, flags, copies.
    fn declare(&mut self) -> Result<(), String> {
        for number in 0..self.locals.len() {
            if let Init::Param(param) = self.locals[number].init {
                self.locals[number].init = self.argument(param);
            }
        }
        for (number, ty) in self.machine.params.iter().enumerate() {
            let number = number as u32;
            let local = self.kept_argument(number).unwrap_or_else(|| {
                self.local(format!("argument {number}"), *ty, None, self.argument(number))
            });
            self.checker.arguments.push(local);
        }
        for (number, node) in self.machine.nodes.iter().enumerate() {
            let init = Init::Value(i128::from(self.machine.initial.contains(&number)));
            let flag = self.local(format!("at {}", node.name), Type::Bool, None, init);
            self.checker.candidates.push(flag);
        }
        let parts = self.template.edges.iter().filter(|edge| self.effect(edge).is_none());
        let written: BTreeSet<SharedId> = parts
            .flat_map(|edge| edge.read_write_sets().shared_writes().collect::<Vec<_>>())
            .filter(|id| !self.fixed.contains(id))
            .collect();
        for id in written {
            let var = &self.program.shared[id.index()];
            if var.cells() > MAX_CELLS {
                return Err(format!(
                    "an atomic section writes the array `{}`, which is too long to compare",
                    var.name
                ));
            }
            let copy = self.local(format!("old {}", var.name), var.ty, var.len, Init::Value(0));
            self.old.insert(id, copy);
        }
        Ok(())
    }

    /// The thread's own variable for an argument, if it is never assigned.
    fn kept_argument(&self, param: u32) -> Option<LocalId> {
        let assigned = self.template.assigned();
        let mut locals = (0..self.template.locals.len() as u32).map(LocalId);
        locals.find(|local| {
            self.template.locals[local.index()].init == Init::Param(param)
                && !assigned.contains(&VarRef::Local(*local))
        })
    }

    /// What an edge does, if it is a whole step.
    fn effect(&self, edge: &Edge) -> Option<Effect> {
        let is_border = |at: LocId| {
            let location = &self.template.locations[at.index()];
            !location.atomic && location.kind == LocKind::Plain
        };
        let whole = is_border(edge.source) && is_border(edge.target);
        Effect::of(self.program, self.template, edge).filter(|_| whole)
    }

    fn local(&mut self, name: String, ty: Type, len: Option<u32>, init: Init) -> LocalId {
        self.locals.push(Var::new(name, ty, len, init));
        LocalId(self.locals.len() as u32 - 1)
    }

    /// The value of an argument, if there is only one instance.
    fn argument(&self, param: u32) -> Init {
        match (self.thread.args[param as usize], self.thread.count) {
            (Arg::Value(value), _) | (Arg::Index(value), Count::Exactly(1)) => Init::Value(value),
            _ => Init::Any,
        }
    }

    fn is_candidate(&self, node: usize) -> Expr {
        Expr::Var(VarRef::Local(self.checker.candidates[node]))
    }

    /// Line (2): no candidate goes wrong.
    fn assumption(&self) -> Expr {
        let now = |id: SharedId, cell: &Cell| read(VarRef::Shared(id), cell);
        let untouched = BTreeMap::new();
        let view = self.view(&untouched, &now, &now);
        let nodes = self.machine.nodes.iter().enumerate();
        all(nodes.map(|(number, node)| {
            implies(self.is_candidate(number), Expr::negate(view.seen(&node.fails())))
        }))
    }

    fn view<'a>(
        &'a self,
        touched: &'a BTreeMap<SharedId, Vec<Cell>>,
        before: &'a dyn Fn(SharedId, &Cell) -> Expr,
        after: &'a dyn Fn(SharedId, &Cell) -> Expr,
    ) -> StepRelation<'a> {
        let arguments = &self.checker.arguments;
        StepRelation {
            program: self.program,
            machine: self.machine,
            arguments,
            touched,
            before,
            after,
        }
    }

    /// Lines (2) to (6): the steps of the thread.
    fn steps(&mut self) {
        let assumption = self.assumption();
        for (number, edge) in self.template.edges.iter().enumerate() {
            let number = EdgeId(number as u32);
            let mut step = edge.clone();
            if !self.template.locations[edge.source.index()].atomic {
                step.guard = Expr::and(assumption.clone(), step.guard);
            }
            match self.effect(edge) {
                Some(effect) => {
                    step.assigns.retain(|assign| self.is_kept(assign));
                    step.assigns.extend(self.after_step(&effect));
                    self.add(step, CheckerEdge::Whole(number));
                }
                None => {
                    if !self.template.locations[edge.source.index()].atomic {
                        step.assigns.extend(self.copies());
                    }
                    step.target = self.arrival(edge.target);
                    self.add(step, CheckerEdge::Part(number));
                }
            }
        }
    }

    /// Is the assigned variable not havocked by the end of the step?
    fn is_kept(&self, assign: &Assign) -> bool {
        match assign.place {
            Place::Var(VarRef::Shared(id)) | Place::Element(VarRef::Shared(id), _) => {
                self.fixed.contains(&id)
            }
            _ => true,
        }
    }

    /// Lines (4) and (5) for a step with this effect.
    fn after_step(&self, effect: &Effect) -> Vec<Assign> {
        let mut touched = effect.touched.clone();
        touched.retain(|id, _| !self.fixed.contains(id));
        let before = |id: SharedId, cell: &Cell| read(VarRef::Shared(id), cell);
        let after = |id: SharedId, cell: &Cell| effect.after(id, cell);
        let view = self.view(&touched, &before, &after);
        self.havoc_shared(&view, |relation| effect.simplified(&relation))
    }

    /// `u := v`
    fn copies(&self) -> Vec<Assign> {
        let copies = self.old.iter().flat_map(|(id, copy)| {
            cells(self.program, *id).into_iter().map(|cell| Assign {
                place: place(VarRef::Local(*copy), &cell),
                value: Rhs::Expr(read(VarRef::Shared(*id), &cell)),
            })
        });
        copies.collect()
    }

    /// Where a step to `target` ends: if others can move there, the candidates are
    /// computed first.
    fn arrival(&mut self, target: LocId) -> LocId {
        let location = &self.template.locations[target.index()];
        if location.atomic || location.kind != LocKind::Plain {
            return target;
        }
        if let Some(before) = self.before.get(&target) {
            return *before;
        }
        let before = self.location(Location { span: location.span, ..Location::default() });
        self.before.insert(target, before);
        before
    }

    fn location(&mut self, location: Location) -> LocId {
        self.locations.push(location);
        LocId(self.locations.len() as u32 - 1)
    }

    fn add(&mut self, edge: Edge, origin: CheckerEdge) {
        self.edges.push(edge);
        self.checker.origins.push(origin);
    }

    /// Lines (4) and (5) at the end of steps of several edges.
    fn ends_of_sections(&mut self) {
        let touched = self.old.keys().map(|id| (*id, cells(self.program, *id))).collect();
        let before = |id: SharedId, cell: &Cell| {
            let copy = self.old.get(&id).map(|copy| VarRef::Local(*copy));
            read(copy.unwrap_or(VarRef::Shared(id)), cell)
        };
        let after = |id: SharedId, cell: &Cell| read(VarRef::Shared(id), cell);
        let view = self.view(&touched, &before, &after);
        let assigns = self.havoc_shared(&view, |relation| relation);
        for (target, source) in self.before.clone() {
            let guard = Expr::TRUE;
            let edge = Edge::new(source, target, guard, assigns.clone());
            self.add(edge, CheckerEdge::Havoc);
        }
    }

    /// New candidates, and the shared variables havocked.
    fn havoc_shared(&self, view: &StepRelation, simplified: impl Fn(Expr) -> Expr) -> Vec<Assign> {
        let mut assigns = Vec::new();
        let idle = simplified(view.idle());
        for (node, flag) in self.checker.candidates.iter().enumerate() {
            let stays = refold(&Expr::and(idle.clone(), self.is_candidate(node)));
            let moves = self.machine.moves.iter().filter(|step| step.to == node);
            let comes = moves.map(|step| {
                let happened = simplified(view.happened(step));
                refold(&Expr::and(happened, self.is_candidate(step.from)))
            });
            let value = any([stays].into_iter().chain(comes));
            assigns.push(set(VarRef::Local(*flag), value));
        }
        let all = (0..self.program.shared.len() as u32).map(SharedId);
        let changing = all.filter(|id| !self.fixed.contains(id));
        assigns.extend(
            changing.map(|id| Assign { place: Place::Var(VarRef::Shared(id)), value: Rhs::Havoc }),
        );
        assigns
    }

    /// Line (1): an error if no candidate is left, wherever others can move.
    fn nothing_left(&mut self) {
        let what = "no state of the abstract thread is left".to_string();
        let error = self.location(Location {
            kind: LocKind::Error(ErrorKind::Assertion(what)),
            ..Location::default()
        });
        let none =
            all((0..self.machine.nodes.len()).map(|node| Expr::negate(self.is_candidate(node))));
        for number in 0..self.template.locations.len() {
            let location = &self.template.locations[number];
            if location.kind == LocKind::Plain && !location.atomic {
                let source = LocId(number as u32);
                let edge =
                    Edge { span: location.span, ..Edge::new(source, error, none.clone(), vec![]) };
                self.add(edge, CheckerEdge::NoCandidate);
            }
        }
    }

    /// The first step: which instance it is. There is none if that is known.
    fn choose_instance(&mut self) -> LocId {
        let unknown = self.locals.iter().enumerate().filter(|(number, local)| {
            let is_argument = match self.template.locals.get(*number) {
                Some(local) => matches!(local.init, Init::Param(_)),
                None => true,
            };
            is_argument && local.init == Init::Any
        });
        let unknown: Vec<LocalId> = unknown.map(|(number, _)| LocalId(number as u32)).collect();
        if unknown.is_empty() {
            return self.template.entry;
        }
        let guard = all(unknown.iter().map(|local| self.is_instance(*local)));
        let source = self.location(Location::default());
        self.add(Edge::new(source, self.template.entry, guard, vec![]), CheckerEdge::Instance);
        source
    }

    /// Is this the argument of an instance, and of the same as the others?
    fn is_instance(&self, local: LocalId) -> Expr {
        let param = self.param(local);
        let Arg::Index(base) = self.thread.args[param as usize] else { return Expr::TRUE };
        let ty = self.locals[local.index()].ty;
        let value = Expr::Var(VarRef::Local(local));
        let mut parts = vec![Expr::binary(BinOp::Le, Expr::constant(base, ty), value.clone())];
        if let Count::Exactly(count) = self.thread.count {
            let last = Expr::constant(base + i128::from(count) - 1, ty);
            parts.push(Expr::binary(BinOp::Le, value.clone(), last));
        }
        let copy = self.checker.arguments[param as usize];
        if copy != local {
            parts.push(Expr::eq(value, Expr::Var(VarRef::Local(copy))));
        }
        all(parts)
    }

    /// The number of the argument that a local holds.
    fn param(&self, local: LocalId) -> u32 {
        match self.template.locals.get(local.index()).map(|local| &local.init) {
            Some(Init::Param(param)) => *param,
            _ => self.checker.arguments.iter().position(|own| *own == local).unwrap_or(0) as u32,
        }
    }

    fn finish(mut self, entry: LocId) -> Checker {
        let mut shared = self.program.shared.clone();
        for (number, var) in shared.iter_mut().enumerate() {
            if !self.fixed.contains(&SharedId(number as u32)) {
                var.init = Init::Any;
            }
        }
        let name = format!("{} against {}", self.thread.name, self.machine.name);
        let template = Template {
            name: self.template.name.clone(),
            params: 0,
            locals: self.locals,
            locations: self.locations,
            edges: self.edges,
            entry,
        };
        let thread = Thread {
            name: self.thread.name.clone(),
            template: TemplateId(0),
            args: vec![],
            count: Count::Exactly(1),
        };
        self.checker.program = Program {
            name,
            files: self.program.files.clone(),
            shared,
            templates: vec![template],
            threads: vec![thread],
            objects: self.program.objects.clone(),
            calls: self.program.calls.clone(),
            ..Program::default()
        };
        self.checker
    }
}

/// A location of the thread, which is alone in its checker.
fn sequential(location: &Location) -> Location {
    let kind = match &location.kind {
        LocKind::Undefined(what) => {
            LocKind::Error(ErrorKind::Assertion(format!("undefined behaviour: {}", what.text())))
        }
        other => other.clone(),
    };
    Location { kind, atomic: false, ..location.clone() }
}

//! The template at hand: locations, edges, locals, and where we are in it.

use super::fold;
use super::leaks::LeakCheck;
use super::manner::Manner;
use super::objects::ObjectId;
use super::order::Evaluated;
use super::place::Target;
use crate::Assumption;
use crate::hir::{FuncId, LabelId, PlaceKind, VarId};
use ccfa::wellformed::MAX_EXPR_LEVELS;
use ccfa::{
    Access, AccessKind, Assign, CallId, Edge, ErrorKind, Expr, FailedOperation, Init, Limit, LocId,
    LocKind, LocalId, Location, LockOperation, Order, Place, Rhs, Span, Template, Type, Undefined,
    Var, VarRef,
};
use std::collections::{BTreeSet, HashMap};

pub use ccfa::set;

/// An edge with more operators than this counts as several steps: what a model costs is its expressions.
const MAX_STEP_OPERATORS: usize = 200;

/// A truth value in a variable.
pub const FLAG: Type = Type::unsigned(1);

/// A template under construction.
pub struct TemplateBuilder {
    pub template: Template,
    /// The start routine it is made of.
    pub routine: FuncId,
    /// The function it runs: the start routine, or its abstract thread.
    pub body: FuncId,
    /// What the model takes for granted, in all templates so far.
    pub assumed: BTreeSet<Assumption>,
    /// Where the next step starts.
    pub here: LocId,
    /// How many steps were made, in all templates so far.
    pub steps: usize,
    /// How many atomic sections are open.
    pub atomic: u32,
    /// Nothing leads here.
    pub dead: bool,
    /// The place in the user's text of what is being lowered.
    pub span: Option<Span>,
    /// The innermost call.
    pub call: Option<CallId>,
    /// What the next access to one of the library's own objects is (`__rely_lock`).
    pub lock: Option<LockOperation>,
    /// The calls we are inside of, outermost first.
    pub frames: Vec<Frame>,
    /// The loops we are inside of, over all frames: how often each runs, if known.
    pub loops: Vec<Option<u64>>,
    /// Model variables of private objects: one for each group.
    pub private: HashMap<ObjectId, Vec<LocalId>>,
    /// For private objects that may be pointed to when they are gone: are they alive?
    pub lives: HashMap<ObjectId, LocalId>,
    /// For those that may be read before they are written: were they?
    pub written: HashMap<ObjectId, LocalId>,
    /// The same for the cells of private objects, by group.
    pub written_cells: HashMap<(ObjectId, usize), LocalId>,
    /// What a step that fails notes for the step behind it, which tells why.
    note: Option<LocalId>,
    /// With what the operation at hand fails, if it does: for people.
    pub operands: Option<FailedOperation>,
    /// Does a function of memory copy bytes at the moment?
    pub copies_bytes: bool,
    /// The same by the locations of failure.
    pub failures: Vec<(LocId, FailedOperation)>,
    /// Where it is asked whether memory is lost.
    pub leak_checks: Vec<LeakCheck>,
    /// For places whose values are copied: whether what was read is a part of an address.
    pub copied_parts: HashMap<usize, VarRef>,
    /// The place whose value is read and not used.
    pub discarded: Option<usize>,
    names: HashMap<String, u32>,
}

/// A join point of the control flow: its location, once a path has come, with the number of
/// atomic sections that are open there.
pub type JoinPoint = Option<(LocId, u32)>;

/// An inlined call.
pub struct Frame {
    pub function: FuncId,
    /// Parameters that are never assigned and got a constant.
    pub bound: HashMap<VarId, Expr>,
    pub labels: HashMap<LabelId, JoinPoint>,
    pub exit: JoinPoint,
    /// Where the result goes.
    pub result: Option<Target>,
    /// Does the caller use it?
    pub result_is_used: bool,
    /// Targets of `break` and `continue`, innermost last.
    pub breaks: Vec<JoinPoint>,
    pub continues: Vec<JoinPoint>,
    /// All locals that are declared in the open blocks, parameters included.
    pub declared: Vec<VarId>,
    /// What has a life in the open blocks, in the order of their declarations.
    pub alive: Vec<Alive>,
    /// How many there were when the targets of `break` and `continue` were set up.
    pub break_lives: Vec<usize>,
    pub continue_lives: Vec<usize>,
    /// Where the call stands, for telling contexts apart.
    pub call_site: u32,
    /// The loops around the call, over all frames.
    pub outer_loops: usize,
    /// How many locals the template had before the call, and before the statement at hand: what came later may be values that
    /// are still needed.
    pub first_local: usize,
    pub statement: usize,
    /// The same for the outermost statement, inside statements that are parts of its expression.
    pub outer_statement: Option<usize>,
    /// What was evaluated ahead of its turn.
    pub evaluated: Evaluated,
    /// What it has allocated for itself.
    pub automatic: Vec<Automatic>,
}

/// What ends with its block.
#[derive(Clone, Copy, Debug)]
pub struct Alive {
    pub var: VarId,
    /// If it is an array of variable length.
    pub array: Option<Automatic>,
}

/// An allocated object that is gone when its function returns.
#[derive(Clone, Copy, Debug)]
pub struct Automatic {
    /// Holds its address; zero before it is created.
    pub address: VarRef,
    pub object: ObjectId,
    /// It is gone with its block.
    pub is_array: bool,
}

impl TemplateBuilder {
    pub fn new(name: &str, routine: FuncId, body: FuncId) -> TemplateBuilder {
        let template = Template {
            name: name.to_string(),
            locations: vec![Location::default()],
            ..Template::default()
        };
        TemplateBuilder {
            template,
            routine,
            body,
            assumed: BTreeSet::new(),
            here: LocId(0),
            steps: 0,
            atomic: 0,
            dead: false,
            span: None,
            call: None,
            lock: None,
            frames: Vec::new(),
            loops: Vec::new(),
            private: HashMap::new(),
            lives: HashMap::new(),
            written: HashMap::new(),
            written_cells: HashMap::new(),
            note: None,
            operands: None,
            copies_bytes: false,
            failures: Vec::new(),
            leak_checks: Vec::new(),
            copied_parts: HashMap::new(),
            discarded: None,
            names: HashMap::new(),
        }
    }

    pub fn location(&mut self, kind: LocKind) -> LocId {
        let atomic = self.atomic > 0 && kind == LocKind::Plain;
        let number = LocId(self.template.locations.len() as u32);
        if let (LocKind::Undefined(_), Some(operands)) = (&kind, &self.operands) {
            self.failures.push((number, operands.clone()));
        }
        let location = Location { kind, atomic, span: self.span, ..Location::default() };
        self.template.locations.push(location);
        number
    }

    pub fn local(&mut self, name: &str, ty: Type, len: Option<u32>, init: Init) -> LocalId {
        let count = self.names.entry(name.to_string()).or_insert(0);
        *count += 1;
        let name = if *count == 1 { name.to_string() } else { format!("{name}#{count}") };
        self.template.locals.push(Var::new(name, ty, len, init));
        LocalId(self.template.locals.len() as u32 - 1)
    }

    /// The type of a variable of the thread's own.
    pub fn local_type(&self, var: VarRef) -> Option<Type> {
        match var {
            VarRef::Local(id) => self.template.locals.get(id.index()).map(|var| var.ty),
            VarRef::Shared(_) => None,
        }
    }

    pub fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("lowering happens inside a function")
    }

    /// An edge from `source` to `target`.
    pub fn edge(&mut self, source: LocId, target: LocId, guard: Expr, assigns: Vec<Assign>) {
        self.access_edge(Edge::new(source, target, guard, assigns));
    }

    /// An edge that accesses memory of the source.
    pub fn access_edge(&mut self, edge: Edge) {
        let size = Size::of(&edge);
        self.steps += size.operators / MAX_STEP_OPERATORS;
        let edge = match size.depth > MAX_EXPR_LEVELS {
            true => Edge::new(edge.source, self.too_deep(), Expr::TRUE, vec![]),
            false => edge,
        };
        if edge.guard != Expr::FALSE {
            self.template.edges.push(Edge { span: self.span, call: self.call, ..edge });
        }
    }

    /// Where a step ends that no part of Rely could walk through.
    fn too_deep(&mut self) -> LocId {
        let what = format!("an expression that is nested more than {MAX_EXPR_LEVELS} deep");
        self.location(LocKind::Limit(Limit::Unsupported, what))
    }

    /// The value of a variable that never changes, if it is known: it has no memory.
    pub fn bound_constant(&self, place: &crate::hir::Place) -> Option<Expr> {
        let PlaceKind::Var(var) = &place.kind else { return None };
        self.frames.last()?.bound.get(var).cloned()
    }

    /// Ends here under a condition, by one of these reasons, of which exactly one holds.
    pub fn end_by(&mut self, condition: Expr, reasons: Vec<(Expr, LocKind)>) {
        let mut possible: Vec<_> =
            reasons.into_iter().filter(|(reason, _)| *reason != Expr::FALSE).collect();
        if let [_] = &possible[..]
            && let Some((_, kind)) = possible.pop()
        {
            return self.end_if(condition, kind);
        }
        let here = self.here;
        let failure = self.location(LocKind::Plain);
        self.edge(here, failure, condition, vec![]);
        self.here = failure;
        for (reason, kind) in possible {
            self.end_if(reason, kind);
        }
        self.here = here;
    }

    /// Ends here under a condition; whether a second one holds in that step decides which kind it is.
    pub fn end_by_note(&mut self, condition: Expr, note: Expr, [yes, no]: [Undefined; 2]) {
        let here = self.here;
        let failure = self.location(LocKind::Plain);
        let flag = self.failure_note();
        self.edge(here, failure, condition, vec![set(flag, fold::number(FLAG, note))]);
        self.here = failure;
        let noted = fold::truth(FLAG, Expr::Var(flag));
        self.end_if(noted.clone(), LocKind::Undefined(yes));
        self.end_if(Expr::negate(noted), LocKind::Undefined(no));
        self.here = here;
    }
}

/// How large the expressions of an edge are.
#[derive(Clone, Copy)]
struct Size {
    /// How deep they are nested: a well-formed program has a limit.
    depth: usize,
    operators: usize,
}

impl Size {
    fn of(edge: &Edge) -> Size {
        let mut all = Size::of_expr(&edge.guard);
        for assign in &edge.assigns {
            if let Rhs::Expr(value) = &assign.value {
                all = all.and(Size::of_expr(value));
            }
            if let Place::Element(_, index) = &assign.place {
                all = all.and(Size::of_expr(index));
            }
        }
        all
    }

    fn of_expr(expr: &Expr) -> Size {
        let below = match expr {
            Expr::Const(..) | Expr::Var(_) => Size { depth: 0, operators: 0 },
            Expr::Index(_, operand) | Expr::Unary(_, operand) | Expr::Cast(_, operand) => {
                Size::of_expr(operand)
            }
            Expr::Binary(_, left, right) => Size::of_expr(left).and(Size::of_expr(right)),
            Expr::Ite(condition, then, otherwise) => {
                let branches = Size::of_expr(then).and(Size::of_expr(otherwise));
                Size::of_expr(condition).and(branches)
            }
        };
        Size { depth: below.depth + 1, operators: below.operators + 1 }
    }

    fn and(self, other: Size) -> Size {
        let operators = self.operators + other.operators;
        Size { depth: self.depth.max(other.depth), operators }
    }
}

/// `var := any value`
pub fn havoc(var: VarRef) -> Assign {
    Assign { place: Place::Var(var), value: Rhs::Havoc }
}

impl TemplateBuilder {
    /// One step from here to a new place.
    pub fn step(&mut self, guard: Expr, assigns: Vec<Assign>) {
        let target = self.location(LocKind::Plain);
        self.steps += 1;
        self.edge(self.here, target, guard, assigns);
        self.here = target;
    }

    /// A step that goes to a given place; what follows is not reached this way.
    pub fn jump(&mut self, target: LocId) {
        self.edge(self.here, target, Expr::TRUE, vec![]);
        self.stop();
    }

    /// Nothing follows here.
    pub fn stop(&mut self) {
        self.here = self.location(LocKind::Plain);
        self.dead = true;
    }

    /// Goes to a join point.
    pub fn join_at(&mut self, point: &mut JoinPoint) {
        if self.dead {
            return;
        }
        let (target, atomic) =
            *point.get_or_insert_with(|| (self.location(LocKind::Plain), self.atomic));
        if atomic == self.atomic {
            self.jump(target);
        } else {
            self.unsupported("an atomic section that begins or ends on some paths only");
        }
    }

    /// Goes on at a join point; nowhere if no path came.
    pub fn resume(&mut self, point: JoinPoint) {
        match point {
            None => self.stop(),
            Some((location, atomic)) => {
                self.here = location;
                self.atomic = atomic;
                self.dead = false;
            }
        }
    }

    /// A join point that is already known to be reached.
    pub fn join_point_here(&mut self) -> JoinPoint {
        let mut point = Some((self.location(LocKind::Plain), self.atomic));
        self.join_at(&mut point);
        point
    }

    /// A fresh local variable for a value.
    pub fn temp(&mut self, ty: Type) -> VarRef {
        VarRef::Local(self.local(".tmp", ty, None, Init::Value(0)))
    }

    /// A copy of a value that later steps cannot change.
    pub fn keep(&mut self, value: Expr, ty: Type) -> Expr {
        let temp = self.temp(ty);
        self.step(Expr::TRUE, vec![set(temp, value)]);
        Expr::Var(temp)
    }

    /// What a step that fails notes, a truth value: one variable for all of them.
    pub fn failure_note(&mut self) -> VarRef {
        let note = self.note.unwrap_or_else(|| self.local(".failure", FLAG, None, Init::Value(0)));
        self.note = Some(note);
        VarRef::Local(note)
    }

    /// Any value of a type.
    pub fn arbitrary(&mut self, ty: Type) -> Expr {
        let temp = self.temp(ty);
        self.step(Expr::TRUE, vec![havoc(temp)]);
        Expr::Var(temp)
    }

    /// Ends in a location of this kind.
    pub fn end(&mut self, kind: LocKind) {
        let location = self.location(kind);
        self.jump(location);
    }

    /// Behaviour is undefined from here on.
    pub fn undefined(&mut self, kind: Undefined) {
        self.end(LocKind::Undefined(kind));
    }

    pub fn unsupported(&mut self, what: impl Into<String>) {
        self.end(LocKind::Limit(Limit::Unsupported, what.into()));
    }

    /// A bound of the model is reached.
    pub fn bound(&mut self, what: impl Into<String>) {
        self.end(LocKind::Limit(Limit::Bound, what.into()));
    }

    /// If `condition` holds here, the end is a location of this kind.
    pub fn end_if(&mut self, condition: Expr, kind: LocKind) {
        let location = self.location(kind);
        self.edge(self.here, location, condition, vec![]);
    }

    /// Goes on only if `condition`; otherwise the end is a location of this kind.
    pub fn require_or(&mut self, condition: Expr, kind: LocKind) {
        if condition == Expr::TRUE {
            return;
        }
        self.end_if(Expr::negate(condition.clone()), kind);
        self.step(condition, vec![]);
    }

    /// Goes on only if `condition`; what is otherwise is not supported.
    pub fn require_supported(&mut self, condition: Expr, what: &str) {
        self.require_or(condition, LocKind::Limit(Limit::Unsupported, what.to_string()));
    }

    /// Goes on only if `condition`; otherwise behaviour is undefined.
    pub fn require(&mut self, condition: Expr, kind: Undefined) {
        self.require_or(condition, LocKind::Undefined(kind));
    }

    /// Goes on only if `condition`; otherwise behaviour is undefined, with these operands.
    pub fn require_of(&mut self, operands: FailedOperation, condition: Expr, kind: Undefined) {
        self.operands = Some(operands);
        self.require(condition, kind);
        self.operands = None;
    }

    pub fn begin_atomic(&mut self) {
        self.begin_atomic_when(Expr::TRUE);
    }

    /// Opens an atomic section with a step that is a fence.
    pub fn begin_atomic_with_fence(&mut self) {
        self.atomic += 1;
        self.fence(AccessKind::Fence(Order::SeqCst));
    }

    /// Waits for `condition` and opens an atomic section in the same step.
    pub fn begin_atomic_when(&mut self, condition: Expr) {
        self.atomic += 1;
        self.step(condition, vec![]);
    }

    /// Closes the innermost atomic section. (Where nothing leads, there may be none.)
    pub fn end_atomic(&mut self) {
        self.atomic = self.atomic.saturating_sub(1);
        self.step(Expr::TRUE, vec![]);
    }

    /// Goes to `yes` or `no` as a truth value says.
    pub fn branch_on(&mut self, truth: Expr, yes: &mut JoinPoint, no: &mut JoinPoint) {
        let here = self.here;
        let was_dead = self.dead;
        for (guard, point) in [(truth.clone(), yes), (Expr::negate(truth), no)] {
            if guard == Expr::FALSE {
                continue;
            }
            self.here = here;
            self.dead = was_dead;
            self.step(guard, vec![]);
            self.join_at(point);
        }
    }

    /// Goes on where a truth value holds; the join point is where it does not.
    pub fn enter_if(&mut self, truth: Expr) -> JoinPoint {
        let (mut yes, mut no) = (None, None);
        self.branch_on(truth, &mut yes, &mut no);
        self.resume(yes);
        no
    }

    /// Waits until the condition holds.
    pub fn wait(&mut self, condition: Expr) {
        self.step(condition, vec![]);
    }

    /// The property is violated here.
    pub fn error(&mut self, kind: ErrorKind) {
        self.end(LocKind::Error(kind));
    }

    /// The whole program ends.
    pub fn halt(&mut self) {
        let end = self.end_of_program();
        self.jump(end);
    }

    /// If `condition` holds here, the whole program ends.
    pub fn halt_if(&mut self, condition: Expr) {
        let end = self.end_of_program();
        self.edge(self.here, end, condition, vec![]);
    }

    /// An atomic location without edges.
    fn end_of_program(&mut self) -> LocId {
        self.atomic += 1;
        let end = self.location(LocKind::Plain);
        self.atomic -= 1;
        end
    }

    /// The operation that a lock's model has announced, if this access is the one.
    pub fn announced(&mut self, manner: Manner) -> Option<LockOperation> {
        match manner {
            Manner::Internal => self.lock.take(),
            Manner::As(_) | Manner::Update(_) => None,
        }
    }

    /// A step that is a fence and nothing else.
    pub fn fence(&mut self, kind: AccessKind) {
        let (source, target) = (self.here, self.location(LocKind::Plain));
        let accesses = vec![Access { kind, span: self.span }];
        let edge = Edge::new(source, target, Expr::TRUE, vec![]);
        self.access_edge(Edge { accesses, ..edge });
        self.here = target;
    }

    /// Are we in the text of an abstract thread? Each of its statements is one step.
    pub fn is_abstract(&self) -> bool {
        self.body != self.routine
            && self.frames.last().is_some_and(|frame| frame.function == self.body)
            && !self.dead
    }

    /// Goes to the innermost target of a kind.
    pub fn leave(&mut self, targets: impl Fn(&mut Frame) -> &mut Vec<JoinPoint>) {
        let Some(mut point) = targets(self.frame()).pop() else { return };
        self.join_at(&mut point);
        targets(self.frame()).push(point);
    }

    pub fn label(&mut self, label: LabelId) {
        let mut point = self.frame().labels.get(&label).copied().flatten();
        self.join_at(&mut point);
        // Only a jump back leads here: it will find the place.
        let place = point.unwrap_or_else(|| (self.location(LocKind::Plain), self.atomic));
        self.frame().labels.insert(label, Some(place));
        self.template.locations[place.0.index()].span = self.span;
        self.resume(Some(place));
    }

    pub fn goto(&mut self, label: LabelId) {
        let mut point = self.frame().labels.get(&label).copied().flatten();
        self.join_at(&mut point);
        self.frame().labels.insert(label, point);
    }
}

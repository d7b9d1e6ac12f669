//! The template at hand: locations, edges, locals, and where we are in it.

use super::Lowerer;
use super::object::ObjectId;
use super::place::Target;
use crate::hir::{FuncId, LabelId, VarId};
use ccfa::{
    Assign, CallId, Edge, Expr, Init, Limit, LocId, LocKind, LocalId, Location, LockOperation,
    Place, Rhs, Span, Template, Type, Undefined, Var, VarRef,
};
use std::collections::HashMap;

/// A template under construction.
pub struct TemplateBuilder {
    pub template: Template,
    /// The start routine it is made of.
    pub routine: FuncId,
    /// The function it runs: the start routine, or its abstract thread.
    pub body: FuncId,
    /// Where the next step starts.
    pub here: LocId,
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
    names: HashMap<String, u32>,
}

/// A location where paths meet, once one has come, with the number of atomic
/// sections that are open there.
pub type Meeting = Option<(LocId, u32)>;

/// An inlined call.
pub struct Frame {
    pub function: FuncId,
    /// Parameters that are never assigned and got a constant.
    pub bound: HashMap<VarId, Expr>,
    pub labels: HashMap<LabelId, Meeting>,
    pub exit: Meeting,
    /// Where the result goes.
    pub result: Option<Target>,
    /// Targets of `break` and `continue`, innermost last.
    pub breaks: Vec<Meeting>,
    pub continues: Vec<Meeting>,
    /// Where the call stands, for telling contexts apart.
    pub call_site: u32,
    /// The loops around the call, over all frames.
    pub outer_loops: usize,
    /// What it has allocated for itself.
    pub automatic: Vec<Automatic>,
}

/// An allocated object that is gone when its function returns.
#[derive(Clone, Copy, Debug)]
pub struct Automatic {
    /// Holds its address; zero before it is created.
    pub address: VarRef,
    pub object: ObjectId,
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
            here: LocId(0),
            atomic: 0,
            dead: false,
            span: None,
            call: None,
            lock: None,
            frames: Vec::new(),
            loops: Vec::new(),
            private: HashMap::new(),
            names: HashMap::new(),
        }
    }

    pub fn location(&mut self, kind: LocKind) -> LocId {
        let atomic = self.atomic > 0 && kind == LocKind::Plain;
        let location = Location { kind, atomic, span: self.span, ..Location::default() };
        self.template.locations.push(location);
        LocId(self.template.locations.len() as u32 - 1)
    }

    pub fn local(&mut self, name: &str, ty: Type, len: Option<u32>, init: Init) -> LocalId {
        let count = self.names.entry(name.to_string()).or_insert(0);
        *count += 1;
        let name = if *count == 1 { name.to_string() } else { format!("{name}#{count}") };
        self.template.locals.push(Var::new(name, ty, len, init));
        LocalId(self.template.locals.len() as u32 - 1)
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
        if edge.guard != Expr::FALSE {
            self.template.edges.push(Edge { span: self.span, call: self.call, ..edge });
        }
    }
}

/// `var := value`
pub fn set(var: VarRef, value: Expr) -> Assign {
    Assign { place: Place::Var(var), value: Rhs::Expr(value) }
}

/// `var := any value`
pub fn havoc(var: VarRef) -> Assign {
    Assign { place: Place::Var(var), value: Rhs::Havoc }
}

impl Lowerer<'_> {
    /// One step from here to a new place.
    pub(super) fn step(&mut self, guard: Expr, assigns: Vec<Assign>) {
        let target = self.t.location(LocKind::Plain);
        self.steps += 1;
        self.t.edge(self.t.here, target, guard, assigns);
        self.t.here = target;
    }

    /// A step that goes to a given place; what follows is not reached this way.
    pub(super) fn jump(&mut self, target: LocId) {
        self.t.edge(self.t.here, target, Expr::TRUE, vec![]);
        self.stop();
    }

    /// Nothing follows here.
    pub(super) fn stop(&mut self) {
        self.t.here = self.t.location(LocKind::Plain);
        self.t.dead = true;
    }

    /// Goes to where paths meet.
    pub(super) fn meet(&mut self, meeting: &mut Meeting) {
        if self.t.dead {
            return;
        }
        let (target, atomic) =
            *meeting.get_or_insert_with(|| (self.t.location(LocKind::Plain), self.t.atomic));
        if atomic == self.t.atomic {
            self.jump(target);
        } else {
            self.unsupported("an atomic section that begins or ends on some paths only");
        }
    }

    /// Goes on where paths met; nowhere if none came.
    pub(super) fn resume(&mut self, meeting: Meeting) {
        match meeting {
            None => self.stop(),
            Some((location, atomic)) => {
                self.t.here = location;
                self.t.atomic = atomic;
                self.t.dead = false;
            }
        }
    }

    /// A place where paths will meet that is already known to be reached.
    pub(super) fn meeting_here(&mut self) -> Meeting {
        let mut meeting = Some((self.t.location(LocKind::Plain), self.t.atomic));
        self.meet(&mut meeting);
        meeting
    }

    /// A fresh local variable for a value.
    pub(super) fn temp(&mut self, ty: Type) -> VarRef {
        VarRef::Local(self.t.local(".tmp", ty, None, Init::Value(0)))
    }

    /// Any value of a type.
    pub(super) fn arbitrary(&mut self, ty: Type) -> Expr {
        let temp = self.temp(ty);
        self.step(Expr::TRUE, vec![havoc(temp)]);
        Expr::Var(temp)
    }

    /// Ends in a location of this kind.
    pub(super) fn end(&mut self, kind: LocKind) {
        let location = self.t.location(kind);
        self.jump(location);
    }

    /// Behaviour is undefined from here on.
    pub(super) fn undefined(&mut self, kind: Undefined) {
        self.end(LocKind::Undefined(kind));
    }

    pub(super) fn unsupported(&mut self, what: impl Into<String>) {
        self.end(LocKind::Limit(Limit::Unsupported, what.into()));
    }

    /// A bound of the model is reached.
    pub(super) fn bound(&mut self, what: impl Into<String>) {
        self.end(LocKind::Limit(Limit::Bound, what.into()));
    }

    /// If `condition` holds here, the end is a location of this kind.
    pub(super) fn end_if(&mut self, condition: Expr, kind: LocKind) {
        let location = self.t.location(kind);
        self.t.edge(self.t.here, location, condition, vec![]);
    }

    /// Goes on only if `condition`; otherwise the end is a location of this kind.
    pub(super) fn require_or(&mut self, condition: Expr, kind: LocKind) {
        if condition == Expr::TRUE {
            return;
        }
        self.end_if(Expr::negate(condition.clone()), kind);
        self.step(condition, vec![]);
    }

    /// Goes on only if `condition`; otherwise behaviour is undefined.
    pub(super) fn require(&mut self, condition: Expr, kind: Undefined) {
        self.require_or(condition, LocKind::Undefined(kind));
    }

    pub(super) fn begin_atomic(&mut self) {
        self.begin_atomic_when(Expr::TRUE);
    }

    /// Waits for `condition` and opens an atomic section in the same step.
    pub(super) fn begin_atomic_when(&mut self, condition: Expr) {
        self.t.atomic += 1;
        self.step(condition, vec![]);
    }

    pub(super) fn end_atomic(&mut self) {
        if self.t.atomic == 0 {
            return;
        }
        self.t.atomic -= 1;
        self.step(Expr::TRUE, vec![]);
    }
}

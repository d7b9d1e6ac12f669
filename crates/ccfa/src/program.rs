//! Programs, templates, locations, edges, threads.
//!
//! A program is immutable once built; who wants another makes a new one.
//! `wellformed::check` says whether it is one; everything else assumes so.

use crate::access::Access;
use crate::expr::{Expr, Type};
use crate::property::Property;
use crate::source::{Call, CallId, Object, Origin, Span};
use crate::undefined::Undefined;

/// A newtype for an index into a table.
#[macro_export]
macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
        pub struct $name(pub u32);
        impl $name {
            /// As an index into its table.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}
id!(
    /// A shared variable: index into `Program::shared`.
    SharedId
);
id!(
    /// A local variable: index into `Template::locals`.
    LocalId
);
id!(
    /// A template: index into `Program::templates`.
    TemplateId
);
id!(
    /// A location: index into `Template::locations`.
    LocId
);
id!(
    /// An edge: index into `Template::edges`.
    EdgeId
);
id!(
    /// A thread declaration: index into `Program::threads`.
    ThreadId
);

/// A concurrent program.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Program {
    /// Its name, for people.
    pub name: String,
    /// Names of the source files that spans speak of.
    pub files: Vec<String>,
    /// The variables all threads see.
    pub shared: Vec<Var>,
    /// What threads can run.
    pub templates: Vec<Template>,
    /// The threads. All of them exist from the start; creation of a thread is
    /// a step that lets it pass its first guard.
    pub threads: Vec<Thread>,
    /// Holds initially, beside the variables' own initial values. Speaks of
    /// shared variables only.
    pub initial: Option<Expr>,
    /// What is asked: which states are bad.
    pub property: Property,
    /// The objects of the source that variables are parts of.
    pub objects: Vec<Object>,
    /// The calls that edges belong to.
    pub calls: Vec<Call>,
}

/// A variable: a scalar, or an array of scalars.
#[derive(Clone, Debug, PartialEq)]
pub struct Var {
    /// Its name, unique in its scope.
    pub name: String,
    /// Type of the scalar, or of each element.
    pub ty: Type,
    /// `None` for a scalar, else the number of elements (at least 1).
    pub len: Option<u32>,
    /// Its value at the start.
    pub init: Init,
    /// What it is in the source, if it is something there.
    pub origin: Option<Origin>,
}

/// What a variable holds at the start.
#[derive(Clone, Debug, PartialEq)]
pub enum Init {
    /// Any value of its type (each element its own).
    Any,
    /// This value (every element of an array).
    Value(i128),
    /// These values, one for each element.
    Values(Vec<i128>),
    /// The thread's argument with this number: locals only, scalars only.
    Param(u32),
}

/// A variable as seen from a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum VarRef {
    /// Shared by all threads.
    Shared(SharedId),
    /// The thread's own.
    Local(LocalId),
}

/// A control-flow automaton.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Template {
    /// Its name, unique in the program.
    pub name: String,
    /// Number of arguments a thread gives.
    pub params: u32,
    /// The variables each thread has for itself.
    pub locals: Vec<Var>,
    /// Its locations.
    pub locations: Vec<Location>,
    /// Its steps.
    pub edges: Vec<Edge>,
    /// Where threads start.
    pub entry: LocId,
}

/// A location.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Location {
    /// A name for people, unique in the template if it is not empty.
    pub name: String,
    /// What it means to be here.
    pub kind: LocKind,
    /// While a thread is here, no other thread moves. (So an atomic location
    /// without edges ends the program.) Entries are not atomic.
    pub atomic: bool,
    /// A thread that waits here for ever is in no deadlock: it has not been created. (Entries of
    /// threads that others create; see [`crate::property`].)
    pub resting: bool,
    /// Where it stands in the source.
    pub span: Option<Span>,
}

/// What it means to reach a location.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum LocKind {
    /// Nothing special.
    #[default]
    Plain,
    /// What the program says must not happen: an assertion fails, or a function is called.
    Error(ErrorKind),
    /// The program's behaviour is not defined from here on.
    Undefined(Undefined),
    /// The model ends here though the program may continue: SAFE is no answer if it is reached.
    /// The text names the construct.
    Limit(Limit, String),
}

/// What is wrong at an error location.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ErrorKind {
    /// An assertion fails; the text says what was asserted.
    Assertion(String),
    /// The function of this name is called.
    Call(String),
}

/// Why the model ends at a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Limit {
    /// A construct that is not modelled.
    Unsupported,
    /// A bound of the model (recursion depth, number of objects or threads).
    Bound,
}

/// One atomic step. Enabled where its guard is true and all its expressions
/// are defined; then all assignments happen at once, with right-hand sides and
/// indices evaluated before.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// From here
    pub source: LocId,
    /// to there
    pub target: LocId,
    /// if this (of type `Bool`) holds.
    pub guard: Expr,
    /// No variable is assigned twice (elements of one array may be, with
    /// indices that differ whenever the guard holds).
    pub assigns: Vec<Assign>,
    /// The memory of the source that it accesses, in order.
    pub accesses: Vec<Access>,
    /// The C code it comes from.
    pub span: Option<Span>,
    /// The call that it belongs to.
    pub call: Option<CallId>,
}

/// One assignment of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Assign {
    /// What is written.
    pub place: Place,
    /// What is written there.
    pub value: Rhs,
}

/// What an assignment writes.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// A scalar variable; or a whole array, if the value is `Havoc`.
    Var(VarRef),
    /// An element of an array.
    Element(VarRef, Expr),
}

/// The right-hand side of an assignment.
#[derive(Clone, Debug, PartialEq)]
pub enum Rhs {
    /// The value of an expression of the variable's type.
    Expr(Expr),
    /// Any value of the variable's type.
    Havoc,
}

/// A thread, or several of the same template.
#[derive(Clone, Debug, PartialEq)]
pub struct Thread {
    /// Its name, unique in the program.
    pub name: String,
    /// What it runs.
    pub template: TemplateId,
    /// The values of the template's parameters.
    pub args: Vec<Arg>,
    /// How many of it there are.
    pub count: Count,
}

/// An argument of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arg {
    /// The same for every instance.
    Value(i128),
    /// This number plus the index (from 0) of the instance.
    Index(i128),
}

/// How many instances of a thread there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Exactly so many.
    Exactly(u32),
    /// Any number: a property holds if it holds for every number.
    Any,
}

/// One running thread of those that a declaration stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Instance {
    /// Which declaration.
    pub thread: ThreadId,
    /// Its index (from 0) among those of its thread.
    pub index: u32,
}

impl Program {
    /// The template a thread runs.
    pub fn template_of(&self, thread: ThreadId) -> &Template {
        &self.templates[self.threads[thread.index()].template.index()]
    }

    /// All instances, in order of declaration, if each `Count::Any` thread has `many` of them.
    pub fn instances(&self, many: u32) -> Vec<Instance> {
        let mut instances = Vec::new();
        for (number, thread) in self.threads.iter().enumerate() {
            let count = match thread.count {
                Count::Exactly(count) => count,
                Count::Any => many,
            };
            let thread = ThreadId(number as u32);
            instances.extend((0..count).map(|index| Instance { thread, index }));
        }
        instances
    }

    /// A new shared variable, whose name has dots at its end if there is one of the name.
    pub fn declare(&mut self, name: &str, ty: Type, init: i128) -> VarRef {
        let mut name = name.to_string();
        while self.shared.iter().any(|var| var.name == name) {
            name.push('.');
        }
        self.shared.push(Var::new(name, ty, None, Init::Value(init)));
        VarRef::Shared(SharedId(self.shared.len() as u32 - 1))
    }

    /// Can there be any number of instances of some thread?
    pub fn is_parameterised(&self) -> bool {
        self.threads.iter().any(|thread| thread.count == Count::Any)
    }

    /// The declaration of a variable as seen from a template.
    pub fn var<'a>(&'a self, template: &'a Template, var: VarRef) -> &'a Var {
        match var {
            VarRef::Shared(id) => &self.shared[id.index()],
            VarRef::Local(id) => &template.locals[id.index()],
        }
    }
}

impl Template {
    /// The edges that leave each location, by index of the location.
    pub fn edges_from(&self) -> Vec<Vec<EdgeId>> {
        let mut from = vec![Vec::new(); self.locations.len()];
        for (number, edge) in self.edges.iter().enumerate() {
            from[edge.source.index()].push(EdgeId(number as u32));
        }
        from
    }
}

impl Edge {
    /// A step of which nothing is known but what it does.
    pub fn new(source: LocId, target: LocId, guard: Expr, assigns: Vec<Assign>) -> Edge {
        Edge { source, target, guard, assigns, accesses: Vec::new(), span: None, call: None }
    }
}

impl Var {
    /// A variable that is nothing in the source.
    pub fn new(name: impl Into<String>, ty: Type, len: Option<u32>, init: Init) -> Var {
        Var { name: name.into(), ty, len, init, origin: None }
    }

    /// How many scalars it holds.
    pub fn cells(&self) -> usize {
        self.len.unwrap_or(1) as usize
    }

    /// Has it, being an array, an element with this index?
    pub fn has_element(&self, index: i128) -> bool {
        (0..self.cells() as i128).contains(&index)
    }
}

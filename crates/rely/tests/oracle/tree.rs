//! The programs: a small part of C with threads, as trees. They are made by `generate`, made smaller by `shrink`,
//! written down as C by `print` and run by `machine`; `cfront` has no part in any of these.

pub use crate::numbers::{BinOp, Kind, UnOp};

/// A program. Function 0 is `main`.
#[derive(Clone, Debug)]
pub struct Program {
    pub globals: Vec<Variable>,
    pub mutexes: usize,
    pub functions: Vec<Function>,
    /// The function that each thread runs.
    pub threads: Vec<usize>,
}

#[derive(Clone, Debug)]
pub struct Function {
    /// A start routine, or `main`; other functions have parameters and a result.
    pub is_thread: bool,
    pub result: Kind,
    /// The first locals are parameters.
    pub parameters: usize,
    pub locals: Vec<Variable>,
    pub body: Vec<Stmt>,
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub ty: Type,
    /// What its cells hold at first; of a local, what it holds is said where it is declared.
    pub initial: Vec<i128>,
    /// Globals only: a `static` variable of this function.
    pub inside: Option<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    Int(Kind),
    Atomic(Kind),
    Array(Kind, usize),
    Struct(Vec<Kind>),
    Pointer(Kind),
}

/// A variable by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Var {
    Global(usize),
    Local(usize),
}

/// What can be assigned to.
#[derive(Clone, Debug)]
pub enum Place {
    Variable(Var),
    Element(Var, Box<Expr>),
    Member(Var, usize),
    /// What a pointer that is a local points to.
    Pointee(usize),
}

#[derive(Clone, Debug)]
pub enum Expr {
    Number(Kind, i128),
    Read(Place),
    Unary(UnOp, Box<Expr>),
    Binary(BinOp, Box<Expr>, Box<Expr>),
    Cast(Kind, Box<Expr>),
    /// `&&`, or `||`.
    Shortcut {
        is_and: bool,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    Choice(Box<Expr>, Box<Expr>, Box<Expr>),
    Comma(Box<Expr>, Box<Expr>),
    Assign(Place, Box<Expr>),
    Update(BinOp, Place, Box<Expr>),
    /// `x++` and its like.
    Step {
        place: Place,
        is_prefix: bool,
        is_plus: bool,
    },
    Call(usize, Vec<Expr>),
    /// For an argument.
    Address(Place),
    /// Any of 0 and 1.
    Any,
    AtomicLoad(Place),
    AtomicStore(Place, Box<Expr>),
    AtomicExchange(Place, Box<Expr>),
    /// `atomic_fetch_add` and its like.
    AtomicFetch(BinOp, Place, Box<Expr>),
    /// What is expected stands in a local of the same type.
    CompareExchange {
        place: Place,
        expected: usize,
        desired: Box<Expr>,
        is_weak: bool,
    },
    Lock(usize),
    TryLock(usize),
    Unlock(usize),
    /// `pthread_cond_wait`; each mutex has a condition variable.
    Wait(usize),
    Signal(usize),
}

#[derive(Clone, Debug)]
pub enum Stmt {
    Expr(Expr),
    /// A local, with a value for each of its cells.
    Declare(usize, Vec<Expr>),
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// A local counts from 0.
    For(usize, i128, Vec<Stmt>),
    While(Expr, Vec<Stmt>),
    DoWhile(Vec<Stmt>, Expr),
    /// Cases without `break` continue in the next one.
    Switch(Expr, Vec<(i128, Vec<Stmt>)>),
    Break,
    Continue,
    Return(Expr),
    Assert(Expr),
    Assume(Expr),
    /// From `__VERIFIER_atomic_begin` to `__VERIFIER_atomic_end`.
    Section(Vec<Stmt>),
    Create(usize),
    Join(usize),
    /// The values of these locals here are what the program is asked about.
    Observe(Vec<usize>),
}

impl Type {
    /// The types of the cells.
    pub fn cells(&self) -> Vec<Kind> {
        match self {
            Type::Int(kind) | Type::Atomic(kind) => vec![*kind],
            Type::Array(kind, length) => vec![*kind; *length],
            Type::Struct(members) => members.clone(),
            Type::Pointer(_) => vec![Kind::U64],
        }
    }
}

impl Program {
    /// A variable, as one function sees it.
    pub fn variable(&self, function: usize, var: Var) -> &Variable {
        match var {
            Var::Global(number) => &self.globals[number],
            Var::Local(number) => &self.functions[function].locals[number],
        }
    }

    /// The type of what is at a place.
    pub fn kind_of_place(&self, function: usize, place: &Place) -> Kind {
        let ty = |var: Var| &self.variable(function, var).ty;
        let (ty, member) = match place {
            Place::Variable(var) | Place::Element(var, _) => (ty(*var), 0),
            Place::Member(var, member) => (ty(*var), *member),
            Place::Pointee(local) => (ty(Var::Local(*local)), 0),
        };
        match ty {
            Type::Int(kind) | Type::Atomic(kind) | Type::Array(kind, _) | Type::Pointer(kind) => {
                *kind
            }
            Type::Struct(members) => members[member],
        }
    }

    /// Is it a place of an atomic type?
    pub fn is_atomic(&self, function: usize, place: &Place) -> bool {
        matches!(place, Place::Variable(var)
            if matches!(self.variable(function, *var).ty, Type::Atomic(_)))
    }

    /// The type of an expression.
    pub fn kind(&self, function: usize, expr: &Expr) -> Kind {
        let kind = |expr: &Expr| self.kind(function, expr);
        match expr {
            Expr::Number(kind, _) | Expr::Cast(kind, _) => *kind,
            Expr::Read(place)
            | Expr::Assign(place, _)
            | Expr::Update(_, place, _)
            | Expr::Step { place, .. }
            | Expr::AtomicLoad(place)
            | Expr::AtomicExchange(place, _)
            | Expr::AtomicFetch(_, place, _) => self.kind_of_place(function, place),
            Expr::Unary(op, operand) => op.kind(kind(operand)),
            Expr::Binary(op, left, right) => op.kind(kind(left), kind(right)),
            Expr::Choice(_, left, right) => BinOp::Add.kind(kind(left), kind(right)),
            Expr::Comma(_, right) => kind(right),
            Expr::Call(callee, _) => self.functions[*callee].result,
            Expr::Address(_) => Kind::U64,
            Expr::Any | Expr::CompareExchange { .. } => Kind::Bool,
            Expr::Shortcut { .. }
            | Expr::AtomicStore(..)
            | Expr::Lock(_)
            | Expr::TryLock(_)
            | Expr::Unlock(_)
            | Expr::Wait(_)
            | Expr::Signal(_) => Kind::I32,
        }
    }
}

impl Place {
    pub fn index_mut(&mut self) -> Option<&mut Expr> {
        match self {
            Place::Element(_, index) => Some(index),
            _ => None,
        }
    }

    pub fn index(&self) -> Option<&Expr> {
        match self {
            Place::Element(_, index) => Some(index),
            _ => None,
        }
    }
}

impl Expr {
    pub fn number(value: i128) -> Expr {
        Expr::Number(Kind::I32, value)
    }

    /// The place that it speaks of, if it does.
    pub fn place(&self) -> Option<&Place> {
        match self {
            Expr::Read(place)
            | Expr::Assign(place, _)
            | Expr::Update(_, place, _)
            | Expr::Step { place, .. }
            | Expr::Address(place)
            | Expr::AtomicLoad(place)
            | Expr::AtomicStore(place, _)
            | Expr::AtomicExchange(place, _)
            | Expr::AtomicFetch(_, place, _)
            | Expr::CompareExchange { place, .. } => Some(place),
            _ => None,
        }
    }

    /// Its parts, from left to right; an index of its place comes first.
    pub fn parts(&self) -> Vec<&Expr> {
        let mut parts: Vec<&Expr> = self.place().and_then(Place::index).into_iter().collect();
        match self {
            Expr::Unary(_, one)
            | Expr::Cast(_, one)
            | Expr::Assign(_, one)
            | Expr::Update(_, _, one)
            | Expr::AtomicStore(_, one)
            | Expr::AtomicExchange(_, one)
            | Expr::AtomicFetch(_, _, one)
            | Expr::CompareExchange { desired: one, .. } => parts.push(one),
            Expr::Binary(_, left, right)
            | Expr::Shortcut { left, right, .. }
            | Expr::Comma(left, right) => parts.extend([&**left, right]),
            Expr::Choice(condition, left, right) => parts.extend([&**condition, left, right]),
            Expr::Call(_, arguments) => parts.extend(arguments),
            _ => {}
        }
        parts
    }

    /// The same, to be changed.
    pub fn parts_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Expr::Unary(_, one) | Expr::Cast(_, one) => vec![one],
            Expr::Assign(place, one)
            | Expr::Update(_, place, one)
            | Expr::AtomicStore(place, one)
            | Expr::AtomicExchange(place, one)
            | Expr::AtomicFetch(_, place, one)
            | Expr::CompareExchange { place, desired: one, .. } => {
                place.index_mut().into_iter().chain([&mut **one]).collect()
            }
            Expr::Read(place)
            | Expr::Step { place, .. }
            | Expr::Address(place)
            | Expr::AtomicLoad(place) => place.index_mut().into_iter().collect(),
            Expr::Binary(_, left, right)
            | Expr::Shortcut { left, right, .. }
            | Expr::Comma(left, right) => vec![left, right],
            Expr::Choice(condition, left, right) => vec![condition, left, right],
            Expr::Call(_, arguments) => arguments.iter_mut().collect(),
            _ => vec![],
        }
    }
}

impl Stmt {
    /// Its own expressions.
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            Stmt::Expr(expr)
            | Stmt::If(expr, ..)
            | Stmt::While(expr, _)
            | Stmt::DoWhile(_, expr)
            | Stmt::Switch(expr, _)
            | Stmt::Return(expr)
            | Stmt::Assert(expr)
            | Stmt::Assume(expr) => vec![expr],
            Stmt::Declare(_, exprs) => exprs.iter().collect(),
            _ => vec![],
        }
    }

    pub fn exprs_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Stmt::Expr(expr)
            | Stmt::If(expr, ..)
            | Stmt::While(expr, _)
            | Stmt::DoWhile(_, expr)
            | Stmt::Switch(expr, _)
            | Stmt::Return(expr)
            | Stmt::Assert(expr)
            | Stmt::Assume(expr) => vec![expr],
            Stmt::Declare(_, exprs) => exprs.iter_mut().collect(),
            _ => vec![],
        }
    }

    /// The lists of statements in it.
    pub fn lists(&self) -> Vec<&Vec<Stmt>> {
        match self {
            Stmt::If(_, then, otherwise) => vec![then, otherwise],
            Stmt::For(_, _, body)
            | Stmt::While(_, body)
            | Stmt::DoWhile(body, _)
            | Stmt::Section(body) => vec![body],
            Stmt::Switch(_, cases) => cases.iter().map(|(_, body)| body).collect(),
            _ => vec![],
        }
    }

    pub fn lists_mut(&mut self) -> Vec<&mut Vec<Stmt>> {
        match self {
            Stmt::If(_, then, otherwise) => vec![then, otherwise],
            Stmt::For(_, _, body)
            | Stmt::While(_, body)
            | Stmt::DoWhile(body, _)
            | Stmt::Section(body) => vec![body],
            Stmt::Switch(_, cases) => cases.iter_mut().map(|(_, body)| body).collect(),
            _ => vec![],
        }
    }
}

/// Calls `see` with every expression of these statements, parts after the whole.
pub fn walk<'t>(body: &'t [Stmt], see: &mut dyn FnMut(&'t Expr)) {
    fn expression<'t>(expr: &'t Expr, see: &mut dyn FnMut(&'t Expr)) {
        see(expr);
        expr.parts().into_iter().for_each(|part| expression(part, see));
    }
    for statement in body {
        statement.exprs().into_iter().for_each(|expr| expression(expr, see));
        statement.lists().into_iter().for_each(|list| walk(list, see));
    }
}

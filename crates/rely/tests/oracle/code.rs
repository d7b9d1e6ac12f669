//! A program made ready to run: statements become instructions with jumps; each full expression becomes nodes, which
//! stand together, operands before operators, and know their parents.

use std::collections::BTreeSet;

use crate::tree::{BinOp, Expr, Kind, Place, Program, Stmt, Type, UnOp, Var, walk};

/// The program, ready to run.
pub struct Code {
    pub nodes: Vec<Node>,
    pub routines: Vec<Routine>,
    pub globals: Vec<i128>,
    pub mutexes: usize,
    /// The routine of each thread.
    pub threads: Vec<usize>,
}

pub struct Routine {
    pub instructions: Vec<Instruction>,
    pub result: Kind,
    /// The types of its cells; parameters come first.
    pub cells: Vec<Kind>,
    /// What it and what it calls accesses of plain globals, if it does nothing else that other threads can see.
    pub touched: Option<Touched>,
}

/// Cells of globals that are accessed, by plain accesses.
#[derive(Clone, Default)]
pub struct Touched {
    reads: BTreeSet<usize>,
    writes: BTreeSet<usize>,
}

pub enum Instruction {
    /// Evaluates a full expression, and remembers its value for the next instructions.
    Evaluate(usize),
    Jump(usize),
    JumpIfZero(usize),
    /// Goes there if the value is this one.
    Case(i128, usize),
    Return,
    Assert,
    Assume,
    Begin,
    End,
    Create(usize),
    Join(usize),
    Observe(Vec<usize>),
}

pub struct Node {
    pub op: Op,
    pub kind: Kind,
    pub children: Vec<usize>,
    /// The first node of its operands, theirs, and so on.
    pub first: usize,
    pub parent: Option<usize>,
}

pub enum Op {
    Number(i128),
    Read(Target),
    Unary(UnOp),
    Binary(BinOp),
    Convert,
    Shortcut {
        is_and: bool,
    },
    Choice,
    Comma,
    Assign(Target),
    Update(BinOp, Target),
    Step {
        target: Target,
        is_prefix: bool,
        is_plus: bool,
    },
    Address(Target),
    /// Cells of a local get their first values.
    Initialise(usize, Vec<Kind>),
    Call(usize),
    Library(Library),
}

/// Calls that are one step.
pub enum Library {
    Any,
    Load(Target),
    Store(Target),
    Exchange(Target),
    Fetch(BinOp, Target),
    CompareExchange {
        target: Target,
        expected: usize,
        is_weak: bool,
    },
    Lock(usize),
    TryLock(usize),
    Unlock(usize),
    /// What waiting for a condition begins with; it goes on with locking, as wake-ups may be spurious.
    Wait(usize),
    Signal,
}

/// What an access accesses.
pub struct Target {
    pub base: Base,
    pub kind: Kind,
    pub is_atomic: bool,
    /// Can another function or thread come to it?
    pub is_visible: bool,
}

/// Where it is; the first child of an element is its index, that of a pointee the pointer.
#[derive(Clone, Copy)]
pub enum Base {
    Global(usize),
    Local(usize),
    Element { array: Cell, length: usize },
    Pointee,
}

/// A cell, of the globals or of the locals of the thread that runs.
#[derive(Clone, Copy)]
pub enum Cell {
    Global(usize),
    Local(usize),
}

impl Target {
    /// Does it take a child?
    fn has_child(&self) -> bool {
        matches!(self.base, Base::Element { .. } | Base::Pointee)
    }
}

impl Node {
    /// The target of an expression that accesses one.
    pub fn target(&self) -> Option<&Target> {
        match &self.op {
            Op::Read(target)
            | Op::Assign(target)
            | Op::Update(_, target)
            | Op::Step { target, .. }
            | Op::Address(target)
            | Op::Library(
                Library::Load(target)
                | Library::Store(target)
                | Library::Exchange(target)
                | Library::Fetch(_, target)
                | Library::CompareExchange { target, .. },
            ) => Some(target),
            _ => None,
        }
    }

    /// The operands beside the place.
    pub fn operands(&self) -> &[usize] {
        let of_place = self.target().is_some_and(Target::has_child);
        &self.children[usize::from(of_place)..]
    }

    /// Does it read and write an atomic object, at once?
    pub fn is_atomic_update(&self) -> bool {
        matches!(&self.op, Op::Update(_, target) | Op::Step { target, .. } if target.is_atomic)
    }

    /// Does it read a plain object and write it in a second step?
    pub fn is_plain_update(&self) -> bool {
        matches!(&self.op, Op::Update(_, target) | Op::Step { target, .. } if !target.is_atomic)
    }
}

/// Makes a program ready to run.
pub fn compile(program: &Program) -> Code {
    let mut nodes = Vec::new();
    let routines = 0..program.functions.len();
    let routines = routines.map(|function| Compiler::new(program, function, &mut nodes).routine());
    let mut routines: Vec<Routine> = routines.collect();
    // Functions call those that come after them.
    for number in (0..routines.len()).rev() {
        routines[number].touched = touched_by(&routines, &nodes, number);
    }
    Code {
        routines,
        globals: program.globals.iter().flat_map(|global| global.initial.clone()).collect(),
        mutexes: program.mutexes,
        threads: program.threads.clone(),
        nodes,
    }
}

/// What a routine accesses; `None` if that is not for sure, or if it synchronises with others.
fn touched_by(routines: &[Routine], nodes: &[Node], number: usize) -> Option<Touched> {
    let mut touched = Touched::default();
    for instruction in &routines[number].instructions {
        match instruction {
            Instruction::Evaluate(root) => {
                for node in &nodes[nodes[*root].first..=*root] {
                    touched.add(routines, node)?;
                }
            }
            Instruction::Begin
            | Instruction::End
            | Instruction::Create(_)
            | Instruction::Join(_) => return None,
            _ => {}
        }
    }
    Some(touched)
}

impl Touched {
    /// Adds what a node accesses; `None` if that is not for sure, or if it synchronises with others.
    pub fn add(&mut self, routines: &[Routine], node: &Node) -> Option<()> {
        match &node.op {
            Op::Call(callee) => {
                let other = routines[*callee].touched.as_ref()?;
                self.reads.extend(&other.reads);
                self.writes.extend(&other.writes);
            }
            Op::Library(Library::Any) | Op::Address(_) => {}
            Op::Library(_) => return None,
            op => {
                let Some(target) = node.target().filter(|target| target.is_visible) else {
                    return Some(());
                };
                let cells = match target.base {
                    _ if target.is_atomic => return None,
                    Base::Global(cell) => cell..cell + 1,
                    Base::Element { array: Cell::Global(cell), length } => cell..cell + length,
                    _ => return None,
                };
                self.reads.extend(cells.clone());
                if !matches!(op, Op::Read(_)) {
                    self.writes.extend(cells);
                }
            }
        }
        Some(())
    }

    pub fn reads_only(mut self) -> Touched {
        self.writes.clear();
        self
    }

    /// Does one of them write what the other accesses?
    pub fn conflicts(&self, other: &Touched) -> bool {
        !self.writes.is_disjoint(&other.reads) || !other.writes.is_disjoint(&self.reads)
    }
}

struct Compiler<'p> {
    program: &'p Program,
    function: usize,
    nodes: &'p mut Vec<Node>,
    instructions: Vec<Instruction>,
    /// The first cell of each global and of each local.
    globals: Vec<usize>,
    locals: Vec<usize>,
    /// Locals whose address is taken.
    exposed: Vec<bool>,
    breaks: Vec<Vec<usize>>,
    continues: Vec<Vec<usize>>,
}

impl<'p> Compiler<'p> {
    fn new(program: &'p Program, function: usize, nodes: &'p mut Vec<Node>) -> Compiler<'p> {
        let of = &program.functions[function];
        let mut exposed = vec![false; of.locals.len()];
        walk(&of.body, &mut |expr| match expr {
            Expr::Address(
                Place::Variable(Var::Local(local))
                | Place::Element(Var::Local(local), _)
                | Place::Member(Var::Local(local), _),
            )
            | Expr::CompareExchange { expected: local, .. } => exposed[*local] = true,
            _ => {}
        });
        Compiler {
            globals: first_cells(program.globals.iter().map(|variable| &variable.ty)),
            locals: first_cells(of.locals.iter().map(|variable| &variable.ty)),
            instructions: vec![],
            breaks: vec![],
            continues: vec![],
            program,
            function,
            nodes,
            exposed,
        }
    }

    fn routine(mut self) -> Routine {
        let function = &self.program.functions[self.function];
        self.list(&function.body);
        self.evaluate(&Expr::number(0));
        self.instructions.push(Instruction::Return);
        Routine {
            instructions: self.instructions,
            result: function.result,
            cells: function.locals.iter().flat_map(|local| local.ty.cells()).collect(),
            touched: None,
        }
    }

    fn list(&mut self, body: &[Stmt]) {
        body.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Expr(expr) => self.evaluate(expr),
            Stmt::Declare(local, values) => self.declare(*local, values),
            Stmt::If(condition, then, otherwise) => self.branch(condition, then, otherwise),
            Stmt::For(local, count, body) => self.count(*local, *count, body),
            Stmt::While(condition, body) => self.iterate(Some(condition), body, None),
            Stmt::DoWhile(body, condition) => self.iterate(None, body, Some(condition)),
            Stmt::Switch(chosen, cases) => self.switch(chosen, cases),
            Stmt::Break => self.leave(true),
            Stmt::Continue => self.leave(false),
            Stmt::Return(value) => {
                self.evaluate(value);
                self.instructions.push(Instruction::Return);
            }
            Stmt::Assert(condition) => {
                self.evaluate(condition);
                self.instructions.push(Instruction::Assert);
            }
            Stmt::Assume(condition) => {
                // It takes an `int`.
                self.evaluate(&Expr::Cast(Kind::I32, Box::new(condition.clone())));
                self.instructions.push(Instruction::Assume);
            }
            Stmt::Section(body) => {
                self.instructions.push(Instruction::Begin);
                self.list(body);
                self.instructions.push(Instruction::End);
            }
            Stmt::Create(thread) => self.instructions.push(Instruction::Create(*thread)),
            Stmt::Join(thread) => self.instructions.push(Instruction::Join(*thread)),
            Stmt::Observe(locals) => {
                let cells = locals.iter().map(|local| self.locals[*local]).collect();
                self.instructions.push(Instruction::Observe(cells));
            }
        }
    }

    fn evaluate(&mut self, expr: &Expr) {
        let root = self.expr(expr);
        self.instructions.push(Instruction::Evaluate(root));
    }

    fn declare(&mut self, local: usize, values: &[Expr]) {
        let kinds = self.program.functions[self.function].locals[local].ty.cells();
        let first = self.nodes.len();
        let children = values.iter().map(|value| self.expr(value)).collect();
        let root = self.node(Op::Initialise(self.locals[local], kinds), Kind::I32, children, first);
        self.instructions.push(Instruction::Evaluate(root));
    }

    fn branch(&mut self, condition: &Expr, then: &[Stmt], otherwise: &[Stmt]) {
        self.evaluate(condition);
        let to_else = self.jump(Instruction::JumpIfZero(0));
        self.list(then);
        let to_end = self.jump(Instruction::Jump(0));
        self.land(to_else);
        self.list(otherwise);
        self.land(to_end);
    }

    /// `for (int i = 0; i < count; i++)`
    fn count(&mut self, local: usize, count: i128, body: &[Stmt]) {
        let counter = Place::Variable(Var::Local(local));
        self.evaluate(&Expr::Assign(counter.clone(), Box::new(Expr::number(0))));
        let read = Expr::Read(counter.clone());
        let condition = Expr::Binary(BinOp::Lt, Box::new(read), Box::new(Expr::number(count)));
        let head = self.instructions.len();
        self.evaluate(&condition);
        let to_end = self.jump(Instruction::JumpIfZero(0));
        self.enter();
        self.list(body);
        self.land_continues();
        self.evaluate(&Expr::Step { place: counter, is_prefix: false, is_plus: true });
        self.instructions.push(Instruction::Jump(head));
        self.land(to_end);
        self.land_breaks();
    }

    /// A loop with a condition before or after its body.
    fn iterate(&mut self, before: Option<&Expr>, body: &[Stmt], after: Option<&Expr>) {
        let head = self.instructions.len();
        let to_end = before.map(|condition| {
            self.evaluate(condition);
            self.jump(Instruction::JumpIfZero(0))
        });
        self.enter();
        self.list(body);
        self.land_continues();
        let done = after.map(|condition| {
            self.evaluate(condition);
            self.jump(Instruction::JumpIfZero(0))
        });
        self.instructions.push(Instruction::Jump(head));
        to_end.into_iter().chain(done).for_each(|jump| self.land(jump));
        self.land_breaks();
    }

    fn switch(&mut self, chosen: &Expr, cases: &[(i128, Vec<Stmt>)]) {
        self.evaluate(chosen);
        let jumps: Vec<usize> =
            cases.iter().map(|(value, _)| self.jump(Instruction::Case(*value, 0))).collect();
        self.breaks.push(vec![]);
        self.leave(true);
        for (jump, (_, body)) in jumps.into_iter().zip(cases) {
            self.land(jump);
            self.list(body);
        }
        self.land_breaks();
    }

    fn enter(&mut self) {
        self.breaks.push(vec![]);
        self.continues.push(vec![]);
    }

    /// A jump to where the innermost `break` or `continue` leads.
    fn leave(&mut self, is_break: bool) {
        let jump = self.jump(Instruction::Jump(0));
        let list = if is_break { &mut self.breaks } else { &mut self.continues };
        list.last_mut().expect("a loop is around it").push(jump);
    }

    fn land_breaks(&mut self) {
        let jumps = self.breaks.pop().expect("it was entered");
        jumps.into_iter().for_each(|jump| self.land(jump));
    }

    fn land_continues(&mut self) {
        let jumps = self.continues.pop().expect("it was entered");
        jumps.into_iter().for_each(|jump| self.land(jump));
    }

    fn jump(&mut self, instruction: Instruction) -> usize {
        self.instructions.push(instruction);
        self.instructions.len() - 1
    }

    /// A jump leads to what comes next.
    fn land(&mut self, jump: usize) {
        let here = self.instructions.len();
        match &mut self.instructions[jump] {
            Instruction::Jump(to) | Instruction::JumpIfZero(to) | Instruction::Case(_, to) => {
                *to = here
            }
            _ => unreachable!("it is a jump"),
        }
    }

    fn node(&mut self, op: Op, kind: Kind, children: Vec<usize>, first: usize) -> usize {
        let number = self.nodes.len();
        for child in &children {
            self.nodes[*child].parent = Some(number);
        }
        self.nodes.push(Node { op, kind, children, first, parent: None });
        number
    }

    /// The nodes of an expression; the last one is its own.
    fn expr(&mut self, expr: &Expr) -> usize {
        let first = self.nodes.len();
        if let Expr::Wait(mutex) = expr {
            let unlock = self.node(Op::Library(Library::Wait(*mutex)), Kind::I32, vec![], first);
            let lock = Op::Library(Library::Lock(*mutex));
            let lock = self.node(lock, Kind::I32, vec![], first + 1);
            return self.node(Op::Comma, Kind::I32, vec![unlock, lock], first);
        }
        let mut children = Vec::new();
        if let Some(Place::Pointee(local)) = expr.place() {
            children.push(self.expr(&Expr::Read(Place::Variable(Var::Local(*local)))));
        }
        children.extend(expr.parts().into_iter().map(|part| self.expr(part)));
        let op = self.op(expr);
        self.node(op, self.program.kind(self.function, expr), children, first)
    }

    fn op(&self, expr: &Expr) -> Op {
        let target = |place: &Place| self.target(place);
        match expr {
            Expr::Number(_, value) => Op::Number(*value),
            Expr::Read(place) => Op::Read(target(place)),
            Expr::Unary(op, _) => Op::Unary(*op),
            Expr::Binary(op, ..) => Op::Binary(*op),
            Expr::Cast(..) => Op::Convert,
            Expr::Shortcut { is_and, .. } => Op::Shortcut { is_and: *is_and },
            Expr::Choice(..) => Op::Choice,
            Expr::Comma(..) => Op::Comma,
            Expr::Assign(place, _) => Op::Assign(target(place)),
            Expr::Update(op, place, _) => Op::Update(*op, target(place)),
            Expr::Step { place, is_prefix, is_plus } => {
                Op::Step { target: target(place), is_prefix: *is_prefix, is_plus: *is_plus }
            }
            Expr::Address(place) => Op::Address(target(place)),
            Expr::Call(callee, _) => Op::Call(*callee),
            library => Op::Library(self.library(library)),
        }
    }

    fn library(&self, expr: &Expr) -> Library {
        let target = |place: &Place| self.target(place);
        match expr {
            Expr::AtomicLoad(place) => Library::Load(target(place)),
            Expr::AtomicStore(place, _) => Library::Store(target(place)),
            Expr::AtomicExchange(place, _) => Library::Exchange(target(place)),
            Expr::AtomicFetch(op, place, _) => Library::Fetch(*op, target(place)),
            Expr::CompareExchange { place, expected, is_weak, .. } => Library::CompareExchange {
                target: target(place),
                expected: self.locals[*expected],
                is_weak: *is_weak,
            },
            Expr::Lock(mutex) => Library::Lock(*mutex),
            Expr::TryLock(mutex) => Library::TryLock(*mutex),
            Expr::Unlock(mutex) => Library::Unlock(*mutex),
            Expr::Signal(_) => Library::Signal,
            _ => Library::Any,
        }
    }

    fn target(&self, place: &Place) -> Target {
        let cell = |var: &Var| match var {
            Var::Global(number) => Cell::Global(self.globals[*number]),
            Var::Local(number) => Cell::Local(self.locals[*number]),
        };
        let is_visible = |var: &Var| match var {
            Var::Global(_) => true,
            Var::Local(number) => self.exposed[*number],
        };
        let (base, is_visible) = match place {
            Place::Variable(var) => (direct(cell(var), 0), is_visible(var)),
            Place::Member(var, member) => (direct(cell(var), *member), is_visible(var)),
            Place::Element(var, _) => {
                let ty = &self.program.variable(self.function, *var).ty;
                let length = ty.cells().len();
                (Base::Element { array: cell(var), length }, is_visible(var))
            }
            Place::Pointee(_) => (Base::Pointee, true),
        };
        Target {
            base,
            kind: self.program.kind_of_place(self.function, place),
            is_atomic: self.program.is_atomic(self.function, place),
            is_visible,
        }
    }
}

fn direct(cell: Cell, offset: usize) -> Base {
    match cell {
        Cell::Global(number) => Base::Global(number + offset),
        Cell::Local(number) => Base::Local(number + offset),
    }
}

fn first_cells<'t>(types: impl Iterator<Item = &'t Type>) -> Vec<usize> {
    let mut next = 0;
    types
        .map(|ty| {
            next += ty.cells().len();
            next - ty.cells().len()
        })
        .collect()
}

//! Random programs for tests: always well-formed, the same for the same seed.
//!
//! [`Shape::default`] gives programs that explicit exploration finishes at
//! once: few locations, types of a few bits. [`Shape::everything`] adds what
//! only printers and checkers like to see: mathematical integers, wide types,
//! odd names, properties, accesses, what is known of the source, model limits, any number of threads.

use crate::access::{Access, AccessKind, Cell, Direction, LockOperation, Mode, Order};
use crate::expr::{BinOp, Expr, Type, UnOp};
use crate::program::{
    Arg, Assign, Count, Edge, ErrorKind, Init, Limit, LocId, LocKind, LocalId, Location, Place,
    Program, Rhs, SharedId, Template, TemplateId, Thread, Var, VarRef,
};
use crate::property::Property;
use crate::source::{Call, CallId, Dim, Object, ObjectId, Origin, Part, PartOf, Span};
use crate::undefined::{Class, Undefined};
use crate::wellformed::typing::{binary_allowed, unary_allowed};
use std::collections::HashSet;

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The sequence of this seed.
    pub fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.number() % bound as u64) as usize
    }

    /// True once in `times`.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// True in so many of a hundred cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of these, which are not empty.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// A value of a type: mostly small, sometimes extreme.
    pub fn value(&mut self, ty: Type) -> i128 {
        let (low, high) = ty.bounds().unwrap_or((-(1 << 100), 1 << 100));
        match self.below(8) {
            0 => low,
            1 => high,
            2 => ty.wrap(i128::from(self.number())),
            _ => (self.below(6) as i128 - 2).clamp(low, high),
        }
    }
}

/// How large programs get, and what occurs in them.
#[derive(Clone, Debug)]
pub struct Shape {
    /// At most so many threads (at least 1).
    pub threads: usize,
    /// At most so many shared variables (at least 1).
    pub shared: usize,
    /// At most so many locals in each template, beside parameters.
    pub locals: usize,
    /// At most so many locations in each template (at least 2).
    pub locations: usize,
    /// At most so many edges in each template, at least one from the entry.
    pub edges: usize,
    /// Expressions are nested at most so deeply.
    pub depth: usize,
    /// The types of variables; not empty.
    pub types: Vec<Type>,
    /// Are there arrays?
    pub arrays: bool,
    /// Are there arbitrary values: initial ones, assigned ones?
    pub havoc: bool,
    /// Are there atomic locations?
    pub atomic: bool,
    /// Are there error locations?
    pub errors: bool,
    /// Is anything asked but error locations?
    pub properties: bool,
    /// Are there odd names, accesses, what is known of the source, model limits,
    /// initial conditions, parameterised threads?
    pub decorated: bool,
}

impl Default for Shape {
    fn default() -> Shape {
        Shape {
            threads: 3,
            shared: 3,
            locals: 2,
            locations: 4,
            edges: 5,
            depth: 2,
            types: vec![Type::Bool, Type::unsigned(2), Type::unsigned(3), Type::signed(4)],
            arrays: true,
            havoc: true,
            atomic: true,
            errors: true,
            properties: false,
            decorated: false,
        }
    }
}

impl Shape {
    /// With everything that can occur in a program.
    pub fn everything() -> Shape {
        let mut types = Shape::default().types;
        let signed = [1, 8, 32, 64].map(Type::signed);
        let unsigned = [1, 8, 32, 64].map(Type::unsigned);
        types.extend(signed.into_iter().chain(unsigned).chain([Type::Int]));
        Shape {
            types,
            locations: 6,
            edges: 9,
            depth: 4,
            properties: true,
            decorated: true,
            ..Shape::default()
        }
    }
}

/// The program of this seed and shape.
pub fn program(seed: u64, shape: &Shape) -> Program {
    let mut maker = Maker { rng: Rng::new(seed), shape };
    let mut program = Program { name: format!("random {seed}"), ..Program::default() };
    if shape.decorated {
        program.files = vec!["a.c".to_string(), "dir/\"b\".h".to_string()];
        program.objects = (0..OBJECTS).map(|number| maker.object(number)).collect();
        program.calls = (0..CALLS).map(|number| maker.call(number)).collect();
    }
    if shape.properties {
        program.property = maker.property();
    }
    let shared = 1 + maker.rng.below(shape.shared);
    program.shared = (0..shared).map(|number| maker.variable("s", number)).collect();
    if shape.decorated && maker.rng.one_in(2) {
        program.initial = Some(expr(&mut maker.rng, shape, &scope(&program, None), Type::Bool));
    }
    let templates = 1 + maker.rng.below(shape.threads);
    for number in 0..templates {
        let template = maker.template(&program, number);
        program.templates.push(template);
    }
    let threads = 1 + maker.rng.below(shape.threads);
    for number in 0..threads {
        let thread = maker.thread(&program, number);
        program.threads.push(thread);
    }
    program
}

/// The variables an expression can speak of, with their declarations.
pub type Variables<'a> = Vec<(VarRef, &'a Var)>;

/// All variables seen from a template.
pub fn scope<'a>(program: &'a Program, template: Option<&'a Template>) -> Variables<'a> {
    let shared = program.shared.iter().enumerate();
    let mut vars: Variables =
        shared.map(|(number, var)| (VarRef::Shared(SharedId(number as u32)), var)).collect();
    let locals = template.map_or(&[][..], |template| &template.locals).iter().enumerate();
    vars.extend(locals.map(|(number, var)| (VarRef::Local(LocalId(number as u32)), var)));
    vars
}

/// A random expression of a type.
pub fn expr(rng: &mut Rng, shape: &Shape, vars: &Variables, ty: Type) -> Expr {
    Exprs { rng, shape, vars }.expr(ty, shape.depth)
}

struct Exprs<'a> {
    rng: &'a mut Rng,
    shape: &'a Shape,
    vars: &'a Variables<'a>,
}

impl Exprs<'_> {
    fn expr(&mut self, ty: Type, depth: usize) -> Expr {
        if depth == 0 || self.rng.one_in(4) {
            return self.leaf(ty, depth);
        }
        let depth = depth - 1;
        match self.rng.below(8) {
            0 => self.unary(ty, depth),
            1 => {
                let from = *self.rng.pick(&self.shape.types);
                Expr::Cast(ty, Box::new(self.expr(from, depth)))
            }
            2 => {
                let condition = Box::new(self.expr(Type::Bool, depth));
                let then = Box::new(self.expr(ty, depth));
                Expr::Ite(condition, then, Box::new(self.expr(ty, depth)))
            }
            3 => self.leaf(ty, depth),
            _ => self.binary(ty, depth),
        }
    }

    /// A constant or a variable.
    fn leaf(&mut self, ty: Type, depth: usize) -> Expr {
        let fitting: Vec<_> = self.vars.iter().filter(|(_, var)| var.ty == ty).collect();
        if fitting.is_empty() || self.rng.one_in(3) {
            return Expr::Const(self.rng.value(ty), ty);
        }
        let (id, var) = *self.rng.pick(&fitting);
        match var.len {
            None => Expr::Var(*id),
            Some(len) => Expr::Index(*id, Box::new(self.index(len, depth))),
        }
    }

    /// An index; a constant one is mostly in bounds.
    fn index(&mut self, len: u32, depth: usize) -> Expr {
        let number = |ty: &Type| *ty != Type::Bool;
        let mut types: Vec<_> = self.shape.types.iter().copied().filter(number).collect();
        types.push(Type::signed(32));
        let ty = *self.rng.pick(&types);
        if depth > 0 && self.rng.one_in(2) {
            return self.expr(ty, depth - 1);
        }
        let (low, high) = ty.bounds().unwrap_or((0, 7));
        Expr::Const((self.rng.below(len as usize) as i128).clamp(low, high), ty)
    }

    fn unary(&mut self, ty: Type, depth: usize) -> Expr {
        let ops = [UnOp::Neg, UnOp::BitNot, UnOp::Not].map(|op| (op, unary_allowed(op, ty)));
        let ops: Vec<_> = ops.into_iter().filter(|(_, allowed)| *allowed).collect();
        let (op, _) = *self.rng.pick(&ops);
        Expr::unary(op, self.expr(ty, depth))
    }

    fn binary(&mut self, ty: Type, depth: usize) -> Expr {
        use BinOp::*;
        if ty == Type::Bool && !self.rng.one_in(4) {
            let operands = *self.rng.pick(&self.shape.types);
            return self.operator(&[Eq, Ne, Lt, Le, And, Or], operands, depth);
        }
        self.operator(&[Add, Sub, Mul, Div, Rem, Shl, Shr, BitAnd, BitOr, BitXor], ty, depth)
    }

    /// One of these operators that goes with operands of this type.
    fn operator(&mut self, ops: &[BinOp], ty: Type, depth: usize) -> Expr {
        let ops: Vec<_> = ops.iter().copied().filter(|op| binary_allowed(*op, ty)).collect();
        let op = *self.rng.pick(&ops);
        let left = self.expr(ty, depth);
        let right = match op {
            BinOp::Shl | BinOp::Shr => *self.rng.pick(&self.shape.types),
            _ => ty,
        };
        Expr::binary(op, left, self.expr(right, depth))
    }
}

struct Maker<'a> {
    rng: Rng,
    shape: &'a Shape,
}

/// The number of objects of decorated programs.
const OBJECTS: usize = 2;
/// The number of calls of decorated programs.
const CALLS: usize = 3;

/// What only decorated programs have.
impl Maker<'_> {
    fn property(&mut self) -> Property {
        let mut coin = || self.rng.one_in(2);
        let (errors, races, deadlocks) = (coin(), coin(), coin());
        let undefined = Class::ALL.iter().copied().filter(|_| coin()).collect();
        let mut place = |least: u32| Span::at(0, least + self.rng.below(4) as u32, 1);
        let known_races = (0..2).map(|_| [place(1), place(5)]).collect();
        Property { errors, undefined, races, deadlocks, known_races }
    }

    fn object(&mut self, number: usize) -> Object {
        let mut small = |least: u64| least + self.rng.below(40) as u64;
        let (base, size, copies, stride) = (small(0) << 40, small(0), small(1) as u32, small(0));
        let part = |path: &str, dims| Part { path: path.into(), offset: 8, size: 4, dims };
        let rows = vec![Dim { count: small(0), stride: small(1) }];
        let parts = vec![part("", vec![]), part(".rows[].next", rows)];
        Object { name: self.name("o", number), base, size, copies, stride, parts }
    }

    fn call(&mut self, number: usize) -> Call {
        let caller = (number > 0).then(|| CallId(self.rng.below(number) as u32));
        Call { function: self.name("f", number), site: self.span(), caller }
    }

    fn origin(&mut self) -> Option<Origin> {
        if !self.shape.decorated || self.rng.one_in(2) {
            return None;
        }
        let object = ObjectId(self.rng.below(OBJECTS) as u32);
        let part = PartOf { object, part: self.rng.below(2) as u32 };
        Some(Origin {
            name: self.name("c", 0),
            function: self.rng.one_in(2).then(|| self.name("f", 1)),
            ty: self.name("int", 2),
            pointer: self.rng.one_in(2),
            part: self.rng.one_in(2).then_some(part),
        })
    }

    fn accesses(&mut self, program: &Program, vars: &Variables) -> Vec<Access> {
        let count = if self.shape.decorated { self.rng.below(3) } else { 0 };
        (0..count).map(|_| Access { kind: self.access(program, vars), span: self.span() }).collect()
    }

    fn access(&mut self, program: &Program, vars: &Variables) -> AccessKind {
        use LockOperation::*;
        use Order::*;
        let order =
            *self.rng.pick(&[Relaxed, Consume, Order::Acquire, Order::Release, AcqRel, SeqCst]);
        let operations = [
            LockOperation::Acquire,
            AcquireShared,
            LockOperation::Release,
            Wait,
            Signal,
            Broadcast,
        ];
        let directions = [Direction::Read, Direction::Write, Direction::Update];
        match self.rng.below(8) {
            0 => AccessKind::Fence(order),
            1 => AccessKind::SignalFence(order),
            2 => AccessKind::Lock(*self.rng.pick(&operations), self.cell(program, vars)),
            _ => {
                let mode = *self.rng.pick(&[Mode::Plain, Mode::Volatile, Mode::Atomic(order)]);
                let direction = *self.rng.pick(&directions);
                AccessKind::Memory(direction, self.cell(program, vars), mode)
            }
        }
    }

    fn cell(&mut self, program: &Program, vars: &Variables) -> Cell {
        let number = self.rng.below(program.shared.len());
        let mut exprs = Exprs { rng: &mut self.rng, shape: self.shape, vars };
        let index = |len| exprs.index(len, exprs.shape.depth);
        let index = program.shared[number].len.map(index);
        Cell { var: SharedId(number as u32), index }
    }
}

impl Maker<'_> {
    /// `prefix` and number, sometimes as odd as C can make it.
    fn name(&mut self, prefix: &str, number: usize) -> String {
        if !self.shape.decorated || self.rng.one_in(2) {
            return format!("{prefix}{number}");
        }
        let pieces =
            ["main::", "a b", "t[2].", "when", "`", "\\", "\n", "é", "$x#", "->", "i8", "::"];
        let piece = *self.rng.pick(&pieces);
        let words = ["any", "true", "error", "location", "index", "ite", "u8", "#1", "_"];
        match self.rng.below(4) {
            0 if number == 0 => self.rng.pick(&words).to_string(),
            1 => format!("{prefix}{number}{piece}"),
            _ => format!("{piece}{prefix}{number}"),
        }
    }

    fn variable(&mut self, prefix: &str, number: usize) -> Var {
        let ty = *self.rng.pick(&self.shape.types);
        let array = self.shape.arrays && self.rng.one_in(3);
        let len = array.then(|| 1 + self.rng.below(3) as u32);
        let init = match (self.rng.below(3), len) {
            (0, _) if self.shape.havoc => Init::Any,
            (1, Some(len)) => Init::Values((0..len).map(|_| self.rng.value(ty)).collect()),
            _ => Init::Value(self.rng.value(ty)),
        };
        let name = self.name(prefix, number);
        Var { name, ty, len, init, origin: self.origin() }
    }

    fn template(&mut self, program: &Program, number: usize) -> Template {
        let mut template = Template { name: self.name("t", number), ..Template::default() };
        template.params = self.rng.below(3) as u32;
        for param in 0..template.params {
            let ty = *self.rng.pick(&self.shape.types);
            let name = self.name("p", param as usize);
            let origin = self.origin();
            let var = Var { origin, ..Var::new(name, ty, None, Init::Param(param)) };
            template.locals.push(var);
        }
        // Locals sometimes hide shared variables.
        let hides = self.shape.decorated && self.rng.one_in(3);
        let prefix = if hides { "s" } else { "x" };
        for number in 0..self.rng.below(self.shape.locals + 1) {
            let local = self.variable(prefix, number);
            template.locals.push(local);
        }
        if self.shape.decorated && self.rng.one_in(3) && !template.locals.is_empty() {
            let last = template.locals.len() - 1;
            let (a, b) = (self.rng.below(last + 1), self.rng.below(last + 1));
            template.locals.swap(a, b);
        }
        let mut names = HashSet::new();
        template.locals.retain(|var| names.insert(var.name.clone()));
        let locations = 2 + self.rng.below(self.shape.locations - 1);
        template.locations = (0..locations).map(|number| self.location(number)).collect();
        if self.shape.decorated && self.rng.one_in(3) {
            template.entry = LocId(self.rng.below(locations) as u32);
        }
        let entry = &mut template.locations[template.entry.index()];
        (entry.atomic, entry.kind) = (false, LocKind::Plain);
        for number in 0..1 + self.rng.below(self.shape.edges) {
            let edge = self.edge(program, &template, number == 0);
            template.edges.push(edge);
        }
        template
    }

    fn location(&mut self, number: usize) -> Location {
        let kind = match self.rng.below(8) {
            0 if self.shape.errors && self.shape.decorated && self.rng.one_in(2) => {
                LocKind::Error(ErrorKind::Call(self.name("f", number)))
            }
            0 if self.shape.errors => LocKind::Error(ErrorKind::Assertion(self.name("e", number))),
            1 if self.shape.decorated && self.rng.one_in(3) => {
                LocKind::Undefined(*self.rng.pick(Undefined::ALL))
            }
            1 if self.shape.decorated => {
                let limit = *self.rng.pick(&[Limit::Unsupported, Limit::Bound]);
                LocKind::Limit(limit, self.name("g", number))
            }
            _ => LocKind::Plain,
        };
        let name = if self.rng.one_in(4) { String::new() } else { self.name("l", number) };
        let atomic = self.shape.atomic && self.rng.one_in(4);
        let may_rest = self.shape.decorated && !atomic && kind == LocKind::Plain;
        let resting = may_rest && self.rng.one_in(4);
        Location { name, kind, atomic, resting, span: self.span() }
    }

    fn span(&mut self) -> Option<Span> {
        if !self.shape.decorated || self.rng.one_in(2) {
            return None;
        }
        let (line, column) = (1 + self.rng.below(99) as u32, 1 + self.rng.below(80) as u32);
        let mut span = Span::at(self.rng.below(2) as u32, line, column);
        if self.rng.one_in(2) {
            span.end_line += self.rng.below(2) as u32;
            span.end_column += self.rng.below(9) as u32;
        }
        Some(span)
    }

    fn edge(&mut self, program: &Program, template: &Template, first: bool) -> Edge {
        let any = |rng: &mut Rng| LocId(rng.below(template.locations.len()) as u32);
        let source = if first { template.entry } else { any(&mut self.rng) };
        let vars = scope(program, Some(template));
        let guard = match self.rng.below(3) {
            0 => Expr::TRUE,
            _ => expr(&mut self.rng, self.shape, &vars, Type::Bool),
        };
        let mut assigns: Vec<Assign> = Vec::new();
        for (id, var) in &vars {
            if self.rng.one_in(3) {
                assigns.extend(self.assigns(&vars, *id, var));
            }
        }
        if !assigns.is_empty() {
            let by = self.rng.below(assigns.len());
            assigns.rotate_left(by);
        }
        let target = any(&mut self.rng);
        let (accesses, span) = (self.accesses(program, &vars), self.span());
        let known = self.shape.decorated && self.rng.one_in(2);
        let call = known.then(|| CallId(self.rng.below(CALLS) as u32));
        Edge { source, target, guard, assigns, accesses, span, call }
    }

    /// Assignments to one variable: two only to different elements.
    fn assigns(&mut self, vars: &Variables, id: VarRef, var: &Var) -> Vec<Assign> {
        let value = |maker: &mut Self| match maker.rng.below(4) {
            0 if maker.shape.havoc => Rhs::Havoc,
            _ => Rhs::Expr(expr(&mut maker.rng, maker.shape, vars, var.ty)),
        };
        let element = |index| Place::Element(id, index);
        match (var.len, self.rng.below(4)) {
            (None, _) => vec![Assign { place: Place::Var(id), value: value(self) }],
            (Some(_), 0) if self.shape.havoc => {
                vec![Assign { place: Place::Var(id), value: Rhs::Havoc }]
            }
            (Some(len), 1) => (0..len.min(2))
                .map(|index| {
                    let index = Expr::Const(i128::from(index), Type::unsigned(2));
                    Assign { place: element(index), value: value(self) }
                })
                .collect(),
            (Some(len), _) => {
                let depth = self.shape.depth;
                let mut exprs = Exprs { rng: &mut self.rng, shape: self.shape, vars };
                let place = element(exprs.index(len, depth));
                vec![Assign { place, value: value(self) }]
            }
        }
    }

    fn thread(&mut self, program: &Program, number: usize) -> Thread {
        let id = TemplateId(self.rng.below(program.templates.len()) as u32);
        let template = &program.templates[id.index()];
        let count = match self.rng.below(8) {
            0 => Count::Exactly(2),
            1 if self.shape.decorated => Count::Any,
            2 if self.shape.decorated => Count::Exactly(0),
            _ => Count::Exactly(1),
        };
        let args = (0..template.params).map(|param| self.arg(template, param, count)).collect();
        Thread { name: self.name("w", number), template: id, args, count }
    }

    /// An argument that fits its parameter.
    fn arg(&mut self, template: &Template, param: u32, count: Count) -> Arg {
        let var = template.locals.iter().find(|var| var.init == Init::Param(param));
        let ty = var.map_or(Type::Int, |var| var.ty);
        match count {
            Count::Exactly(_) if self.rng.one_in(2) => {
                let (low, _) = ty.bounds().unwrap_or((-3, 3));
                Arg::Index(low)
            }
            Count::Any if self.rng.one_in(2) && ty.contains(1 << 32) => Arg::Index(1),
            _ => Arg::Value(self.rng.value(ty)),
        }
    }
}

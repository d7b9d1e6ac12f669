//! Random programs: small, with few threads, and such that most of them have only defined behaviour. `main` ends by looking at
//! some variables (`Stmt::Observe`); [`ask`] then turns what the oracle has seen there into an assertion: that nothing
//! else is seen, that one thing is not seen which is, or that a thing is not seen which is not.

use crate::explore::Meaning;
use crate::tree::{BinOp, Expr, Function, Kind, Place, Program, Stmt, Type, UnOp, Var, Variable};
use ccfa::random::Rng;

/// How deep expressions are.
const DEPTH: usize = 3;
/// An assertion names at most so many of the results that are possible.
const MAX_RESULTS: usize = 5;

/// A random program.
pub fn generate(rng: &mut Rng) -> Program {
    let mut generator = Generator {
        program: skeleton(rng),
        rng,
        function: 0,
        scope: vec![],
        fixed: vec![],
        held: vec![],
        in_section: false,
        in_loop: false,
        waits: vec![],
        shown: vec![],
        handshake: None,
    };
    generator.waits = vec![false; generator.program.functions.len()];
    generator.agree();
    for function in (0..generator.program.functions.len()).rev() {
        generator.fill(function);
    }
    generator.program
}

/// Turns the observation into an assertion.
pub fn ask(rng: &mut Rng, program: &mut Program, all: &Meaning, some: &Meaning) {
    let main = &mut program.functions[0];
    let Some(Stmt::Observe(locals)) = main.body.pop() else { return };
    let equal = |results: &[i128]| {
        let parts = locals.iter().zip(results).map(|(local, value)| {
            let read = Expr::Read(Place::Variable(Var::Local(*local)));
            let Type::Int(kind) = main.locals[*local].ty else { unreachable!("it is a number") };
            let value = Expr::Number(kind.promoted(), *value);
            Expr::Binary(BinOp::Eq, Box::new(read), Box::new(value))
        });
        join(parts.collect(), true)
    };
    let not = |expr: Expr| Expr::Unary(UnOp::Not, Box::new(expr));
    let chosen = if rng.one_in(10) { all } else { some };
    let seen: Vec<&Vec<i128>> = chosen.observed.iter().collect();
    let condition = match rng.below(4) {
        _ if seen.is_empty() => Expr::number(0),
        0 if all.observed.len() <= MAX_RESULTS => {
            join(all.observed.iter().map(|results| equal(results)).collect(), false)
        }
        1 => not(equal(&mixed(rng, all))),
        _ => {
            let one: &Vec<i128> = seen[rng.below(seen.len())];
            not(equal(one))
        }
    };
    main.body.push(Stmt::Assert(condition));
}

/// Each part from a result that is possible, or next to one.
fn mixed(rng: &mut Rng, meaning: &Meaning) -> Vec<i128> {
    let results: Vec<&Vec<i128>> = meaning.observed.iter().collect();
    let parts = 0..results[0].len();
    let mut mixed: Vec<i128> = parts.map(|part| rng.pick(&results)[part]).collect();
    if meaning.observed.contains(&mixed) {
        let part = rng.below(mixed.len());
        mixed[part] = if mixed[part] == 0 { 1 } else { mixed[part] - 1 };
    }
    mixed
}

fn join(parts: Vec<Expr>, is_and: bool) -> Expr {
    let joined = parts.into_iter().reduce(|left, right| Expr::Shortcut {
        is_and,
        left: Box::new(left),
        right: Box::new(right),
    });
    joined.unwrap_or(Expr::number(i128::from(is_and)))
}

/// Everything but the bodies of functions.
fn skeleton(rng: &mut Rng) -> Program {
    let threads = *rng.pick(&[1, 1, 2, 2, 2, 2, 3]);
    let routines = if threads > 1 && rng.one_in(5) { 1 } else { threads };
    let helpers = rng.below(3);
    let function = |is_thread| Function {
        is_thread,
        result: Kind::I32,
        parameters: 0,
        locals: vec![],
        body: vec![],
    };
    let mut functions: Vec<Function> = (0..=routines).map(|_| function(true)).collect();
    functions.extend((0..helpers).map(|_| function(false)));
    let mut globals: Vec<Variable> = (0..2 + rng.below(3)).map(|_| global(rng, None)).collect();
    for (number, function) in
        functions.iter_mut().enumerate().filter(|(_, function)| !function.is_thread)
    {
        function.result = kind(rng);
        function.parameters = rng.below(3);
        function.locals = (0..function.parameters).map(|_| parameter(rng, &globals)).collect();
        if rng.one_in(4) {
            globals.push(global(rng, Some(number)));
        }
    }
    let threads = (0..threads).map(|thread| 1 + thread % routines).collect();
    Program { globals, mutexes: rng.below(3), functions, threads }
}

fn kind(rng: &mut Rng) -> Kind {
    if rng.one_in(2) { Kind::I32 } else { *rng.pick(&Kind::ALL) }
}

fn global(rng: &mut Rng, inside: Option<usize>) -> Variable {
    let of = kind(rng);
    let ty = match rng.below(10) {
        0..3 if of != Kind::Bool => Type::Atomic(of),
        3 => Type::Array(of, 2 + rng.below(2)),
        4 => Type::Struct(vec![of, kind(rng)]),
        _ => Type::Int(of),
    };
    let initial = ty.cells().into_iter().map(|kind| initial(rng, kind)).collect();
    Variable { ty, initial, inside }
}

fn initial(rng: &mut Rng, kind: Kind) -> i128 {
    match rng.below(12) {
        0 => kind.max(),
        1 => kind.min(),
        2 | 3 => 1,
        4 => kind.convert(2),
        _ => 0,
    }
}

/// A number, or a pointer to something that there is.
fn parameter(rng: &mut Rng, globals: &[Variable]) -> Variable {
    let of_all = globals.iter().filter(|global| global.inside.is_none());
    let plain = of_all.filter_map(|global| match &global.ty {
        Type::Int(kind) | Type::Array(kind, _) => Some(*kind),
        _ => None,
    });
    let plain: Vec<Kind> = plain.collect();
    let ty = match plain.is_empty() || !rng.one_in(4) {
        true => Type::Int(kind(rng)),
        false => Type::Pointer(*rng.pick(&plain)),
    };
    Variable { ty, initial: vec![], inside: None }
}

struct Generator<'r> {
    rng: &'r mut Rng,
    program: Program,
    /// What is being written.
    function: usize,
    /// Locals that can be used here.
    scope: Vec<usize>,
    /// Locals that are not to be written: they count loops.
    fixed: Vec<usize>,
    held: Vec<usize>,
    in_section: bool,
    in_loop: bool,
    /// Which functions may wait for a lock.
    waits: Vec<bool>,
    /// Globals that hold what is worth looking at.
    shown: Vec<Place>,
    handshake: Option<Handshake>,
}

/// One thread waits on a condition variable until another, or `main`, has raised a flag.
#[derive(Clone, Copy)]
struct Handshake {
    mutex: usize,
    flag: Var,
    waiter: usize,
    raiser: usize,
}

impl Generator<'_> {
    fn fill(&mut self, function: usize) {
        self.function = function;
        self.scope = (0..self.program.functions[function].parameters).collect();
        self.fixed.clear();
        let body = match function {
            0 => self.main(),
            _ if self.program.functions[function].is_thread => {
                let mut body = self.list(4);
                let at = self.rng.below(body.len() + 1);
                let shaken = self.shake();
                body.splice(at..at, shaken);
                body
            }
            _ => {
                let mut body = self.list(2);
                let result = self.expr(DEPTH - 1);
                body.push(Stmt::Return(result));
                body
            }
        };
        self.program.functions[function].body = body;
    }

    fn main(&mut self) -> Vec<Stmt> {
        let mut body = Vec::new();
        for thread in 0..self.program.threads.len() {
            if self.rng.one_in(4) {
                self.statement(&mut body);
            }
            body.push(Stmt::Create(thread));
        }
        for _ in 0..self.rng.below(3) {
            self.statement(&mut body);
        }
        body.append(&mut self.shake());
        let all = !self.rng.one_in(5);
        for thread in 0..self.program.threads.len() {
            if all || self.rng.one_in(2) {
                body.push(Stmt::Join(thread));
            }
        }
        if self.rng.one_in(4) {
            self.statement(&mut body);
        }
        self.scope.clear();
        let mut observed = Vec::new();
        for _ in 0..1 + self.rng.below(3) {
            let place = match self.shown.is_empty() || self.rng.one_in(3) {
                true => self.place(false),
                false => self.rng.pick(&self.shown).clone(),
            };
            let kind = self.program.kind_of_place(0, &place);
            let local = self.local(Type::Int(kind));
            body.push(Stmt::Declare(local, vec![Expr::Read(place)]));
            observed.push(local);
        }
        body.push(Stmt::Observe(observed));
        body
    }

    /// Sometimes two threads are to meet at a condition variable.
    fn agree(&mut self) {
        if self.program.mutexes == 0 || !self.rng.one_in(4) {
            return;
        }
        let flag = Variable { ty: Type::Int(Kind::I32), initial: vec![0], inside: None };
        self.program.globals.push(flag);
        let waiter = *self.rng.pick(&self.program.threads);
        let raisers = [&[0], &self.program.threads[..]].concat();
        let raisers: Vec<usize> = raisers.into_iter().filter(|other| *other != waiter).collect();
        self.handshake = Some(Handshake {
            mutex: self.rng.below(self.program.mutexes),
            flag: Var::Global(self.program.globals.len() - 1),
            waiter,
            raiser: *self.rng.pick(&raisers),
        });
    }

    /// This function's part of the meeting.
    fn shake(&mut self) -> Vec<Stmt> {
        let Some(Handshake { mutex, flag, waiter, raiser }) = self.handshake else {
            return vec![];
        };
        let flag = Place::Variable(flag);
        let mut inside = if self.function == raiser {
            let raise = Expr::Assign(flag, Box::new(Expr::number(1)));
            vec![Stmt::Expr(raise), Stmt::Expr(Expr::Signal(mutex))]
        } else if self.function == waiter {
            let is_down = Expr::Unary(UnOp::Not, Box::new(Expr::Read(flag)));
            let wait = vec![Stmt::Expr(Expr::Wait(mutex))];
            // Without a loop, a spurious wake-up shows.
            match self.rng.one_in(4) {
                true => vec![Stmt::If(is_down, wait, vec![])],
                false => vec![Stmt::While(is_down, wait)],
            }
        } else {
            return vec![];
        };
        self.waits[self.function] = true;
        self.held.push(mutex);
        if let Some(place) = self.show() {
            let value = Box::new(self.expr(1));
            inside.push(Stmt::Expr(Expr::Assign(place, value)));
        }
        self.held.pop();
        let mut all = vec![Stmt::Expr(Expr::Lock(mutex))];
        all.append(&mut inside);
        all.push(Stmt::Expr(Expr::Unlock(mutex)));
        all
    }

    /// A plain global in which `main` will look at what is written there.
    fn show(&mut self) -> Option<Place> {
        let globals = self.program.globals.iter().enumerate();
        let plain = globals
            .filter(|(_, global)| matches!(global.ty, Type::Int(_)) && global.inside.is_none());
        let plain: Vec<usize> = plain.map(|(number, _)| number).collect();
        let chosen = (!plain.is_empty()).then(|| *self.rng.pick(&plain))?;
        let place = Place::Variable(Var::Global(chosen));
        self.shown.push(place.clone());
        Some(place)
    }

    /// At least one statement, and at most so many, or a few more that belong together.
    fn list(&mut self, most: usize) -> Vec<Stmt> {
        let mut body = Vec::new();
        let scope = self.scope.clone();
        for _ in 0..1 + self.rng.below(most) {
            self.statement(&mut body);
        }
        self.scope = scope;
        body
    }

    fn local(&mut self, ty: Type) -> usize {
        let locals = &mut self.program.functions[self.function].locals;
        locals.push(Variable { ty, initial: vec![], inside: None });
        locals.len() - 1
    }

    fn statement(&mut self, body: &mut Vec<Stmt>) {
        let can_wait = !self.in_section;
        match self.rng.below(40) {
            0..4 => {
                let condition = self.expr(DEPTH - 1);
                let then = self.list(2);
                let otherwise = if self.rng.one_in(2) { self.list(1) } else { vec![] };
                body.push(Stmt::If(condition, then, otherwise));
            }
            4..8 if can_wait && self.program.mutexes > 0 => self.locked(body),
            8..11 if !self.in_section => {
                self.in_section = true;
                let inside = self.list(2);
                self.in_section = false;
                body.push(Stmt::Section(inside));
            }
            11 | 12 => self.repeated(body),
            13 if can_wait && self.held.is_empty() && self.rng.one_in(2) => {
                let condition = self.awaited();
                self.waits[self.function] = true;
                body.push(Stmt::While(condition, vec![]));
            }
            14..18 => self.declare(body),
            18 => {
                let condition = self.expr(DEPTH - 1);
                body.push(if self.rng.one_in(3) {
                    Stmt::Assume(condition)
                } else {
                    Stmt::Assert(condition)
                });
            }
            19 => self.switch(body),
            20..26 => self.compare_exchange(body),
            26 if self.in_loop && self.held.is_empty() && !self.in_section => {
                let condition = self.expr(DEPTH - 1);
                let leave = if self.rng.one_in(2) { Stmt::Break } else { Stmt::Continue };
                body.push(Stmt::If(condition, vec![leave], vec![]));
            }
            27 if self.function != 0 && self.held.is_empty() && !self.in_section => {
                let (condition, value) =
                    (self.expr(DEPTH - 1), Expr::number(self.rng.below(3) as i128));
                body.push(Stmt::If(condition, vec![Stmt::Return(value)], vec![]));
            }
            _ => {
                let expr = self.effect(DEPTH);
                body.push(Stmt::Expr(expr));
            }
        }
    }

    /// Is something zero that another thread may change?
    fn awaited(&mut self) -> Expr {
        let scope = std::mem::take(&mut self.scope);
        let read = Expr::Read(self.place(false));
        self.scope = scope;
        Expr::Unary(UnOp::Not, Box::new(read))
    }

    /// Something with a mutex, mostly as it should be.
    fn locked(&mut self, body: &mut Vec<Stmt>) {
        let mutex = self.rng.below(self.program.mutexes);
        if self.held.contains(&mutex) || self.rng.one_in(30) {
            body.push(Stmt::Expr(if self.rng.one_in(3) {
                Expr::Unlock(mutex)
            } else {
                Expr::Signal(mutex)
            }));
            return;
        }
        self.waits[self.function] = true;
        let tries = self.rng.one_in(4);
        self.held.push(mutex);
        let in_loop = std::mem::replace(&mut self.in_loop, false);
        let mut inside = self.list(2);
        if !tries && self.held.len() == 1 && self.rng.one_in(6) {
            let condition = self.awaited();
            inside.insert(0, Stmt::While(condition, vec![Stmt::Expr(Expr::Wait(mutex))]));
        }
        self.in_loop = in_loop;
        self.held.pop();
        if !self.rng.one_in(30) {
            inside.push(Stmt::Expr(Expr::Unlock(mutex)));
        }
        if tries {
            let failed = Box::new(Expr::TryLock(mutex));
            let otherwise = if self.rng.one_in(2) { self.list(1) } else { vec![] };
            body.push(Stmt::If(Expr::Unary(UnOp::Not, failed), inside, otherwise));
        } else {
            body.push(Stmt::Expr(Expr::Lock(mutex)));
            body.append(&mut inside);
        }
    }

    /// A loop of two or three rounds.
    fn repeated(&mut self, body: &mut Vec<Stmt>) {
        let counter = self.local(Type::Int(Kind::I32));
        let (in_loop, held) = (std::mem::replace(&mut self.in_loop, true), self.held.clone());
        let manner = self.rng.below(3);
        let rounds = 1 + self.rng.below(2) as i128;
        self.fixed.push(counter);
        self.scope.push(counter);
        let inside = self.list(2);
        self.scope.pop();
        self.in_loop = in_loop;
        self.held = held;
        let place = Place::Variable(Var::Local(counter));
        let step = Expr::Step { place, is_prefix: manner == 1, is_plus: true };
        let condition = Expr::Binary(BinOp::Lt, Box::new(step), Box::new(Expr::number(rounds)));
        match manner {
            0 => body.push(Stmt::For(counter, rounds + 1, inside)),
            _ => {
                body.push(Stmt::Declare(counter, vec![Expr::number(0)]));
                let is_while = self.rng.one_in(2);
                body.push(if is_while {
                    Stmt::While(condition, inside)
                } else {
                    Stmt::DoWhile(inside, condition)
                });
            }
        }
    }

    fn declare(&mut self, body: &mut Vec<Stmt>) {
        let of = kind(self.rng);
        let (ty, depth) = match self.rng.below(8) {
            0 => (Type::Array(of, 2), 1),
            1 => (Type::Struct(vec![of, kind(self.rng)]), 1),
            _ => (Type::Int(of), DEPTH - 1),
        };
        let values = ty.cells().iter().map(|_| self.expr(depth)).collect();
        let local = self.local(ty);
        body.push(Stmt::Declare(local, values));
        self.scope.push(local);
    }

    fn switch(&mut self, body: &mut Vec<Stmt>) {
        let chosen = self.expr(DEPTH - 1);
        let in_loop = std::mem::replace(&mut self.in_loop, false);
        let mut cases = Vec::new();
        for value in 0..2 + self.rng.below(2) {
            let mut inside = self.list(1);
            if self.rng.one_in(2) {
                inside.push(Stmt::Break);
            }
            cases.push((value as i128, inside));
        }
        self.in_loop = in_loop;
        body.push(Stmt::Switch(chosen, cases));
    }

    fn compare_exchange(&mut self, body: &mut Vec<Stmt>) {
        let Some(place) = self.atomic() else {
            let expr = self.effect(DEPTH);
            return body.push(Stmt::Expr(expr));
        };
        let kind = self.program.kind_of_place(self.function, &place);
        let (before, expected) = (self.local(Type::Int(kind)), self.local(Type::Int(kind)));
        let first = self.expected(&place);
        let read = |local: usize| Expr::Read(Place::Variable(Var::Local(local)));
        body.push(Stmt::Declare(before, vec![first]));
        body.push(Stmt::Declare(expected, vec![read(before)]));
        let desired = Box::new(self.expr(DEPTH - 1));
        let is_weak = self.rng.one_in(2);
        let exchange = Expr::CompareExchange { place, expected, desired, is_weak };
        self.scope.push(expected);
        let can_repeat = self.held.is_empty() && !self.in_section;
        match (self.rng.below(5), self.show()) {
            // Who fails has seen another value: so it is of a strong one, and a weak one need not.
            (4, _) => {
                let (now, then) = (Box::new(read(expected)), Box::new(read(before)));
                let right = Box::new(Expr::Binary(BinOp::Ne, now, then));
                let left = Box::new(exchange);
                body.push(Stmt::Assert(Expr::Shortcut { is_and: false, left, right }));
            }
            (0, _) => {
                let then = self.list(2);
                body.push(Stmt::If(exchange, then, vec![]));
            }
            (1, _) if can_repeat => {
                let fails = Expr::Unary(UnOp::Not, Box::new(exchange));
                body.push(Stmt::While(fails, vec![]));
            }
            (2 | 3, Some(shown)) => {
                body.push(Stmt::Expr(Expr::Assign(shown, Box::new(exchange))));
            }
            _ => body.push(Stmt::Expr(exchange)),
        }
        if self.rng.one_in(2)
            && let Some(shown) = self.show()
        {
            body.push(Stmt::Expr(Expr::Assign(shown, Box::new(read(expected)))));
        }
    }

    /// What a compare-exchange expects: mostly what may be there.
    fn expected(&mut self, place: &Place) -> Expr {
        let Place::Variable(Var::Global(global)) = place else { return self.expr(1) };
        match self.rng.below(3) {
            0 => self.expr(1),
            1 => {
                let kind = self.program.kind_of_place(self.function, place);
                Expr::Number(kind.promoted(), self.program.globals[*global].initial[0])
            }
            _ => Expr::AtomicLoad(place.clone()),
        }
    }

    /// An expression that does something.
    fn effect(&mut self, depth: usize) -> Expr {
        match self.rng.below(14) {
            0..5 => {
                let place = self.place(true);
                Expr::Assign(place, Box::new(self.expr(depth - 1)))
            }
            5 | 6 => {
                let op = self.operator();
                let place = self.place(true);
                let operand = self.operand(op, depth - 1);
                Expr::Update(op, place, Box::new(operand))
            }
            7 | 8 => {
                let (is_prefix, is_plus) = (self.rng.one_in(2), !self.rng.one_in(3));
                Expr::Step { place: self.place(true), is_prefix, is_plus }
            }
            9..12 => self.atomic_call(depth),
            _ => self.call(depth),
        }
    }

    fn atomic_call(&mut self, depth: usize) -> Expr {
        let Some(place) = self.atomic() else { return self.call(depth) };
        match self.rng.below(4) {
            0 => Expr::AtomicLoad(place),
            1 => Expr::AtomicStore(place, Box::new(self.expr(depth - 1))),
            2 => Expr::AtomicExchange(place, Box::new(self.expr(depth - 1))),
            _ => {
                let op = *self.rng.pick(&[
                    BinOp::Add,
                    BinOp::Add,
                    BinOp::Sub,
                    BinOp::And,
                    BinOp::Or,
                    BinOp::Xor,
                ]);
                Expr::AtomicFetch(op, place, Box::new(self.expr(depth - 1)))
            }
        }
    }

    fn call(&mut self, depth: usize) -> Expr {
        let is_free = self.held.is_empty() && !self.in_section;
        let functions = self.program.functions.iter().enumerate();
        let helpers = functions.filter(|(number, function)| {
            !function.is_thread && *number > self.function && (is_free || !self.waits[*number])
        });
        let helpers: Vec<usize> = helpers.map(|(number, _)| number).collect();
        if helpers.is_empty() {
            let place = self.place(true);
            return Expr::Assign(place, Box::new(self.expr(depth - 1)));
        }
        let callee = *self.rng.pick(&helpers);
        self.waits[self.function] |= self.waits[callee];
        let parameters = self.program.functions[callee].parameters;
        let arguments = (0..parameters).map(|parameter| {
            match self.program.functions[callee].locals[parameter].ty {
                Type::Pointer(kind) => Expr::Address(self.pointee(kind)),
                _ => self.expr(depth - 1),
            }
        });
        let arguments = arguments.collect();
        Expr::Call(callee, arguments)
    }

    /// Something that a pointer to this type can point to; there is a global.
    fn pointee(&mut self, kind: Kind) -> Place {
        let mut places = Vec::new();
        for (number, global) in self.program.globals.iter().enumerate() {
            match &global.ty {
                Type::Int(of) if *of == kind && global.inside.is_none() => {
                    places.push(Place::Variable(Var::Global(number)));
                }
                Type::Array(of, length) if *of == kind && global.inside.is_none() => {
                    let index = Expr::number(self.rng.below(*length) as i128);
                    places.push(Place::Element(Var::Global(number), Box::new(index)));
                }
                _ => {}
            }
        }
        for local in self.scope.iter().filter(|local| !self.fixed.contains(local)) {
            if self.program.functions[self.function].locals[*local].ty == Type::Int(kind) {
                places.push(Place::Variable(Var::Local(*local)));
            }
        }
        self.rng.pick(&places).clone()
    }

    fn atomic(&mut self) -> Option<Place> {
        let globals = self.program.globals.iter().enumerate();
        let atomics = globals.filter(|(_, global)| {
            matches!(global.ty, Type::Atomic(_))
                && global.inside.is_none_or(|inside| inside == self.function)
        });
        let atomics: Vec<usize> = atomics.map(|(number, _)| number).collect();
        let chosen = (!atomics.is_empty()).then(|| *self.rng.pick(&atomics))?;
        Some(Place::Variable(Var::Global(chosen)))
    }

    /// A place to read or to write.
    fn place(&mut self, is_written: bool) -> Place {
        let globals = self.program.globals.iter().enumerate();
        let globals = globals
            .filter(|(_, global)| global.inside.is_none_or(|inside| inside == self.function))
            .map(|(number, _)| Var::Global(number));
        let mut variables: Vec<Var> = globals.collect();
        let locals = self.scope.iter().filter(|local| !is_written || !self.fixed.contains(local));
        variables.extend(locals.map(|local| Var::Local(*local)));
        let var = *self.rng.pick(&variables);
        match (self.program.variable(self.function, var).ty.clone(), var) {
            (Type::Array(_, length), _) => Place::Element(var, Box::new(self.index(length))),
            (Type::Struct(members), _) => Place::Member(var, self.rng.below(members.len())),
            (Type::Pointer(_), Var::Local(local)) => Place::Pointee(local),
            _ => Place::Variable(var),
        }
    }

    fn index(&mut self, length: usize) -> Expr {
        match self.rng.below(12) {
            0..7 => Expr::number(self.rng.below(length) as i128),
            7..11 => {
                let number = Box::new(self.expr(1));
                Expr::Binary(BinOp::And, number, Box::new(Expr::number(1)))
            }
            _ => self.expr(1),
        }
    }

    fn operator(&mut self) -> BinOp {
        use BinOp::{Add, And, Div, Mul, Or, Rem, Shl, Shr, Sub, Xor};
        *self.rng.pick(&[Add, Add, Add, Sub, Sub, Mul, Div, Rem, Shl, Shr, And, Or, Xor, Xor])
    }

    /// The right operand of an operator, mostly one with which the result is defined.
    fn operand(&mut self, op: BinOp, depth: usize) -> Expr {
        match op {
            BinOp::Div | BinOp::Rem | BinOp::Shl | BinOp::Shr if !self.rng.one_in(5) => {
                Expr::number(1 + self.rng.below(3) as i128)
            }
            _ => self.expr(depth),
        }
    }

    fn number(&mut self) -> Expr {
        let kind = *self.rng.pick(&[
            Kind::I32,
            Kind::I32,
            Kind::I32,
            Kind::I32,
            Kind::U32,
            Kind::I64,
            Kind::U64,
        ]);
        let value = match self.rng.below(30) {
            0 => *self.rng.pick(&[kind.min(), kind.max()]),
            1 | 2 if kind.is_signed() => -1,
            3..10 => 1,
            10..13 => 2,
            _ => self.rng.below(4) as i128,
        };
        Expr::Number(kind, value)
    }

    fn expr(&mut self, depth: usize) -> Expr {
        if depth == 0 {
            return if self.rng.one_in(2) { self.number() } else { Expr::Read(self.place(false)) };
        }
        match self.rng.below(40) {
            0..7 => self.number(),
            7..18 => Expr::Read(self.place(false)),
            18..25 => {
                let op = if self.rng.one_in(3) { self.comparison() } else { self.operator() };
                let left = self.part(depth);
                Expr::Binary(op, left, Box::new(self.operand(op, depth - 1)))
            }
            25 | 26 => {
                let op = *self.rng.pick(&[UnOp::Minus, UnOp::Complement, UnOp::Not]);
                Expr::Unary(op, self.part(depth))
            }
            27 => Expr::Cast(*self.rng.pick(&Kind::ALL), self.part(depth)),
            28 | 29 => {
                let (is_and, left, right) =
                    (self.rng.one_in(2), self.part(depth), self.part(depth));
                Expr::Shortcut { is_and, left, right }
            }
            30 | 31 => Expr::Choice(self.part(depth), self.part(depth), self.part(depth)),
            32 => {
                let left = Box::new(self.effect(depth));
                Expr::Comma(left, self.part(depth))
            }
            33 => Expr::Any,
            34 | 35 => self.call(depth),
            36 | 37 => self.atomic_call_with_value(depth),
            _ => self.effect_with_value(depth),
        }
    }

    fn part(&mut self, depth: usize) -> Box<Expr> {
        Box::new(self.expr(depth - 1))
    }

    fn comparison(&mut self) -> BinOp {
        *self.rng.pick(&[BinOp::Eq, BinOp::Ne, BinOp::Lt, BinOp::Le])
    }

    fn atomic_call_with_value(&mut self, depth: usize) -> Expr {
        with_value(self.atomic_call(depth))
    }

    fn effect_with_value(&mut self, depth: usize) -> Expr {
        with_value(self.effect(depth))
    }
}

/// An expression with a value: that of `atomic_store` is void.
fn with_value(expr: Expr) -> Expr {
    match expr {
        Expr::AtomicStore(place, value) => Expr::AtomicExchange(place, value),
        other => other,
    }
}

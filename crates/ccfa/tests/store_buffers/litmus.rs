//! Straight-line programs of a few threads, as litmus tests have them: how they are written, made at random, and become programs of the model.

use ccfa::access::{Access, AccessKind, Cell, Direction, Mode, Order};
use ccfa::random::Rng;
use ccfa::{
    Assign, Count, Edge, Expr, Init, LocId, LocalId, Location, Place, Program, Rhs, SharedId,
    Template, TemplateId, Thread, Type, Var, VarRef,
};

pub const VALUE: Type = Type::unsigned(8);

/// What a thread does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Instruction {
    Write(usize, i128, Mode),
    Read(usize),
    /// Writes a value and gives the old one.
    Exchange(usize, i128),
    Fence(Order),
}

/// By thread. The last two places are elements of one array.
#[derive(Clone, Debug)]
pub struct Litmus {
    pub threads: Vec<Vec<Instruction>>,
    pub places: usize,
}

/// The values of all registers, thread by thread, then those of all places at the end.
pub type Outcome = Vec<i128>;

impl Litmus {
    /// `Wx1 Ry | Fsc Xy2`: writes (`Wx1`, released `Lx1`, `seq_cst` `Sx1`), reads, exchanges, fences (`Fsc`, `Frel`, `Facq`).
    pub fn parse(text: &str) -> Litmus {
        let place = |name: u8| "xyz".find(char::from(name)).expect("a place") + 2;
        let instruction = |word: &str| {
            let bytes = word.as_bytes();
            let value = || i128::from(bytes[2] - b'0');
            match (bytes[0], word) {
                (_, "Fsc") => Instruction::Fence(Order::SeqCst),
                (_, "Frel") => Instruction::Fence(Order::Release),
                (_, "Facq") => Instruction::Fence(Order::Acquire),
                (b'W', _) => Instruction::Write(place(bytes[1]), value(), Mode::Plain),
                (b'L', _) => {
                    Instruction::Write(place(bytes[1]), value(), Mode::Atomic(Order::Release))
                }
                (b'S', _) => {
                    Instruction::Write(place(bytes[1]), value(), Mode::Atomic(Order::SeqCst))
                }
                (b'X', _) => Instruction::Exchange(place(bytes[1]), value()),
                _ => Instruction::Read(place(bytes[1])),
            }
        };
        let thread = |text: &str| text.split_whitespace().map(instruction).collect();
        Litmus { threads: text.split('|').map(thread).collect(), places: 5 }
    }

    /// A program with at most so many instructions.
    pub fn random(rng: &mut Rng, instructions: usize) -> Litmus {
        let places = 2 + rng.below(2);
        let mut threads = vec![Vec::new(); 2 + rng.below(2)];
        let orders = [Order::SeqCst, Order::Release, Order::AcqRel, Order::Acquire];
        for number in 0..instructions {
            let (place, value) = (rng.below(places), number as i128 + 1);
            let instruction = match rng.below(16) {
                0..6 => Instruction::Write(place, value, Mode::Plain),
                6 => Instruction::Write(place, value, Mode::Atomic(Order::Release)),
                7 => Instruction::Write(place, value, Mode::Atomic(Order::SeqCst)),
                8 => Instruction::Exchange(place, value),
                9 => Instruction::Fence(*rng.pick(&orders)),
                _ => Instruction::Read(place),
            };
            let thread = rng.below(threads.len());
            threads[thread].push(instruction);
        }
        Litmus { threads, places }
    }

    /// The same without elements of arrays.
    pub fn of_scalars(mut self) -> Litmus {
        for instruction in self.threads.iter_mut().flatten() {
            match instruction {
                Instruction::Write(place, ..)
                | Instruction::Read(place)
                | Instruction::Exchange(place, _) => *place += 2,
                Instruction::Fence(_) => {}
            }
        }
        Litmus { places: self.places + 2, ..self }
    }

    /// As a program of the model. The places 0 and 1 are elements of an array, the others are variables.
    pub fn program(&self) -> Program {
        let mut program = Program { name: "litmus".into(), ..Program::default() };
        program.shared.push(Var::new("a", VALUE, Some(2), Init::Value(0)));
        for place in 2..self.places {
            program.shared.push(Var::new(format!("v{place}"), VALUE, None, Init::Value(0)));
        }
        for (number, thread) in self.threads.iter().enumerate() {
            program.templates.push(template(number, thread));
            program.threads.push(Thread {
                name: format!("t{number}"),
                template: TemplateId(number as u32),
                args: Vec::new(),
                count: Count::Exactly(1),
            });
        }
        program
    }
}

/// The variable of a place, and its index there.
fn cell(place: usize) -> Cell {
    let index = (place < 2).then_some(Expr::Const(place as i128, VALUE));
    Cell { var: SharedId(place.saturating_sub(1) as u32), index }
}

fn template(number: usize, thread: &[Instruction]) -> Template {
    let mut template = Template { name: format!("T{number}"), ..Template::default() };
    template.locations.push(Location::default());
    for (at, instruction) in thread.iter().enumerate() {
        template.locations.push(Location::default());
        let (place, write) = match *instruction {
            Instruction::Fence(_) => (None, None),
            Instruction::Write(place, value, _) => (Some(place), Some(value)),
            Instruction::Read(place) => (Some(place), None),
            Instruction::Exchange(place, value) => (Some(place), Some(value)),
        };
        let kind = |direction, mode| AccessKind::Memory(direction, cell(place.unwrap_or(0)), mode);
        let kind = match *instruction {
            Instruction::Fence(order) => AccessKind::Fence(order),
            Instruction::Write(_, _, mode) => kind(Direction::Write, mode),
            Instruction::Read(_) => kind(Direction::Read, Mode::Plain),
            Instruction::Exchange(..) => kind(Direction::Update, Mode::Atomic(Order::SeqCst)),
        };
        let mut assigns = Vec::new();
        if let (Some(place), false) = (place, matches!(instruction, Instruction::Write(..))) {
            let name = format!("r{}", template.locals.len());
            template.locals.push(Var::new(name, VALUE, None, Init::Value(0)));
            let register = VarRef::Local(LocalId(template.locals.len() as u32 - 1));
            let Cell { var, index } = cell(place);
            let value = match index {
                None => Expr::Var(VarRef::Shared(var)),
                Some(index) => Expr::Index(VarRef::Shared(var), Box::new(index)),
            };
            assigns.push(Assign { place: Place::Var(register), value: Rhs::Expr(value) });
        }
        if let (Some(place), Some(value)) = (place, write) {
            let Cell { var, index } = cell(place);
            let place = match index {
                None => Place::Var(VarRef::Shared(var)),
                Some(index) => Place::Element(VarRef::Shared(var), index),
            };
            assigns.push(Assign { place, value: Rhs::Expr(Expr::Const(value, VALUE)) });
        }
        let (source, target) = (LocId(at as u32), LocId(at as u32 + 1));
        let accesses = vec![Access { kind, span: None }];
        template.edges.push(Edge { accesses, ..Edge::new(source, target, Expr::TRUE, assigns) });
    }
    template
}

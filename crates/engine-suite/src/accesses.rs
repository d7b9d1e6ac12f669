//! Random accesses to memory for the steps of a program, so that it can be asked for races.

use ccfa::random::Rng;
use ccfa::{
    Access, AccessKind, Cell, Direction, Edge, Expr, LocalId, Mode, Order, Program, SharedId, Type,
    Var, VarRef,
};

/// Gives each step most of what it reads and writes as accesses, and sometimes something else.
pub fn add(program: &mut Program, rng: &mut Rng) {
    let shared = program.shared.clone();
    for template in &mut program.templates {
        let indices = numbers(&shared, |n| VarRef::Shared(SharedId(n)))
            .chain(numbers(&template.locals, |n| VarRef::Local(LocalId(n))))
            .collect::<Vec<Expr>>();
        for edge in &mut template.edges {
            edge.accesses = accesses(edge, &shared, &indices, rng);
        }
    }
}

/// The variables that can be indices.
fn numbers(vars: &[Var], id: impl Fn(u32) -> VarRef) -> impl Iterator<Item = Expr> {
    let numbers = vars.iter().zip(0..).filter(|(var, _)| var.len.is_none() && var.ty != Type::Bool);
    numbers.map(move |(_, number)| Expr::Var(id(number)))
}

fn accesses(edge: &Edge, shared: &[Var], indices: &[Expr], rng: &mut Rng) -> Vec<Access> {
    let sets = edge.read_write_sets();
    let reads = sets.shared_reads().map(|id| (id, Direction::Read));
    let writes = sets.shared_writes().map(|id| (id, Direction::Write));
    let mut touched: Vec<(SharedId, Direction)> = reads.chain(writes).collect();
    touched.retain(|_| !rng.one_in(3));
    if rng.one_in(6) {
        let other = SharedId(rng.below(shared.len()) as u32);
        let directions = [Direction::Read, Direction::Write, Direction::Update];
        touched.push((other, *rng.pick(&directions)));
    }
    let access = |(var, direction): (SharedId, Direction)| {
        let mode = *rng.pick(&[Mode::Plain, Mode::Plain, Mode::Atomic(Order::SeqCst)]);
        let index = shared[var.index()].len.and_then(|len| {
            let constant = Expr::constant(rng.below(len as usize + 1) as i128, Type::signed(32));
            let fixed = [None, Some(constant)].into_iter();
            let choices: Vec<_> = indices.iter().cloned().map(Some).chain(fixed).collect();
            rng.pick(&choices).clone()
        });
        Access { kind: AccessKind::Memory(direction, Cell { var, index }, mode), span: None }
    };
    touched.into_iter().map(access).collect()
}

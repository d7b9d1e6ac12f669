//! Every tiny program: two threads over two bits, with at most four steps.
//!
//! Thread `a` ends with an assertion on the first bit; thread `b` has up to three
//! steps, and together they have up to three before the assertion. The steps are
//! all of: assign a constant, copy the other bit, negate, wait for a value,
//! assign any value. Each program comes in several variants: with a loop, an
//! atomic section, a model limit. The bits are named so that the assertion is on `x`;
//! that leaves out only mirror images.

use ccfa::{
    Assign, Count, Edge, ErrorKind, Expr, Init, Limit, LocId, LocKind, Location, Place, Program,
    Rhs, SharedId, Template, TemplateId, Thread, Type, Var, VarRef,
};

/// What is special about a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Variant {
    /// Nothing.
    Plain,
    /// Thread `b` starts again at its end; and so does `a`.
    Loops,
    /// Between the first two steps of `a` no other thread moves.
    AtomicA,
    /// Between the first two steps of `b` no other thread moves.
    AtomicB,
    /// The model ends at the end of `b`.
    Limit,
}

const VARIANTS: [Variant; 5] =
    [Variant::Plain, Variant::Loops, Variant::AtomicA, Variant::AtomicB, Variant::Limit];

/// Steps of both threads together, beside the assertion: with four, the programs would be too many.
const MAX_STEPS: usize = 3;

/// All of them, one after the other.
pub fn programs() -> impl Iterator<Item = Program> {
    let words = (0..=MAX_STEPS).flat_map(words);
    words.flat_map(|steps| {
        let splits = 0..=steps.len();
        splits.flat_map(move |split| {
            let (a, b) = steps.split_at(split);
            let (a, b) = (a.to_vec(), b.to_vec());
            VARIANTS.into_iter().filter_map(move |variant| build(&a, &b, variant)).flatten()
        })
    })
}

/// All sequences of steps of this length.
fn words(length: usize) -> Vec<Vec<Step>> {
    let mut words = vec![vec![]];
    for _ in 0..length {
        let longer = |word: &Vec<Step>| {
            let word = word.clone();
            alphabet().into_iter().map(move |step| [word.as_slice(), &[step]].concat())
        };
        words = words.iter().flat_map(longer).collect();
    }
    words
}

/// A step: a guard, and perhaps an assignment.
type Step = (Expr, Option<(VarRef, Rhs)>);

fn alphabet() -> Vec<Step> {
    let mut steps = Vec::new();
    for (bit, other) in [(0, 1), (1, 0)].map(|(bit, other)| (shared(bit), shared(other))) {
        let values = [Expr::TRUE, Expr::FALSE, Expr::Var(other), Expr::negate(Expr::Var(bit))];
        let assign = |value| (Expr::TRUE, Some((bit, value)));
        steps.extend(values.into_iter().map(|value| assign(Rhs::Expr(value))));
        steps.push(assign(Rhs::Havoc));
        steps.push((Expr::Var(bit), None));
        steps.push((Expr::negate(Expr::Var(bit)), None));
    }
    steps
}

fn shared(number: u32) -> VarRef {
    VarRef::Shared(SharedId(number))
}

/// Both programs (assert `x`, assert `!x`) of this variant, if it applies.
fn build(a: &[Step], b: &[Step], variant: Variant) -> Option<[Program; 2]> {
    let applies = match variant {
        Variant::Plain => true,
        Variant::Loops | Variant::Limit => !b.is_empty(),
        Variant::AtomicA => !a.is_empty(),
        Variant::AtomicB => b.len() >= 2,
    };
    let x = || Expr::Var(shared(0));
    applies.then(|| {
        [(x(), Expr::negate(x())), (Expr::negate(x()), x())].map(|(holds, fails)| {
            let mut a = template("a", a);
            assertion(&mut a, holds, fails);
            let mut b = template("b", b);
            adorn(&mut a, &mut b, variant);
            let bit = |name: &str| Var::new(name, Type::Bool, None, Init::Value(0));
            let threads = vec![thread("a", 0), thread("b", 1)];
            Program {
                name: "tiny".into(),
                shared: vec![bit("x"), bit("y")],
                templates: vec![a, b],
                threads,
                ..Program::default()
            }
        })
    })
}

fn thread(name: &str, template: u32) -> Thread {
    let template = TemplateId(template);
    Thread { name: name.into(), template, args: vec![], count: Count::Exactly(1) }
}

fn template(name: &str, steps: &[Step]) -> Template {
    let edge = |(number, (guard, assigns)): (usize, &Step)| {
        let assign =
            |(var, value): &(_, Rhs)| Assign { place: Place::Var(*var), value: value.clone() };
        let assigns = assigns.iter().map(assign).collect();
        Edge::new(LocId(number as u32), LocId(number as u32 + 1), guard.clone(), assigns)
    };
    Template {
        name: name.into(),
        locations: (0..=steps.len()).map(|_| Location::default()).collect(),
        edges: steps.iter().enumerate().map(edge).collect(),
        ..Template::default()
    }
}

/// At the end of the template: continue if `holds`, to an error if `fails`.
fn assertion(template: &mut Template, holds: Expr, fails: Expr) {
    let source = LocId(template.locations.len() as u32 - 1);
    let error = LocKind::Error(ErrorKind::Assertion("the assertion".into()));
    template.locations.push(Location { kind: error, ..Location::default() });
    template.locations.push(Location::default());
    for (target, guard) in [(source.0 + 1, fails), (source.0 + 2, holds)] {
        let target = LocId(target);
        template.edges.push(Edge::new(source, target, guard, vec![]));
    }
}

fn adorn(a: &mut Template, b: &mut Template, variant: Variant) {
    match variant {
        Variant::Plain => {}
        Variant::Loops => [a, b].into_iter().for_each(repeat),
        Variant::AtomicA => a.locations[1].atomic = true,
        Variant::AtomicB => b.locations[1].atomic = true,
        Variant::Limit => {
            let end = b.locations.len() - 1;
            b.locations[end].kind = LocKind::Limit(Limit::Bound, "the end".into());
        }
    }
}

/// The last edge leads back to the start.
fn repeat(template: &mut Template) {
    let entry = template.entry;
    if let Some(last) = template.edges.last_mut() {
        last.target = entry;
    }
}

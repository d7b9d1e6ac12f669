//! The argument that a thread is created with (`void *` in C).
//!
//! An abstract thread has finitely many states, and an argument may be any number. But
//! it is the same as long as the thread runs, and mostly known when one looks at how threads are
//! created: one value, one of few, or one that grows with the number of the thread. So
//! we look (we run the program for a while), and let the abstract thread *assert* that its argument
//! is what was seen, before it takes it. From then on it is known.
//!
//! If we have not seen everything, the assertion fails in the composition, and
//! nothing wrong is claimed: what is seen here is a guess, and need not be trusted.

use ccfa::semantics::{State, System};
use ccfa::{
    Assign, BinOp, Edge, ErrorKind, Expr, LocId, LocKind, Location, Place, Program, Rhs, SharedId,
    Template, Type, VarRef,
};
use std::collections::{BTreeSet, HashSet};

/// States of the program that are looked at: the arguments of threads are found in the first few, or
/// not at all.
const MAX_STATES: usize = 5000;
/// Values of an argument that are told apart; each becomes an abstract thread of its own.
const MAX_VALUES: usize = 16;

/// Is this where a thread finds its argument? (C programs are modelled like that.)
pub(crate) fn is_argument(program: &Program, var: VarRef) -> bool {
    match var {
        VarRef::Shared(id) => {
            let name = program.shared.get(id.index()).map(|var| var.name.as_str());
            name.is_some_and(|name| name.starts_with('.') && name.ends_with(".argument"))
        }
        VarRef::Local(_) => false,
    }
}

/// The template with an argument that it asserts to be one of those that were seen;
/// unchanged if it uses none, or if they are too many.
pub(crate) fn with_known(program: &Program, template: &Template) -> Template {
    let mut result = template.clone();
    let read = |edge: &Edge| edge.read_write_sets().shared_reads().collect::<Vec<_>>();
    let used: BTreeSet<SharedId> = template
        .edges
        .iter()
        .flat_map(read)
        .filter(|id| is_argument(program, VarRef::Shared(*id)))
        .collect();
    for id in used {
        if let Some(values) = ArgumentValues::seen(program, id) {
            result = values.asserted(program, &result);
        }
    }
    result
}

/// What was seen of an argument.
struct ArgumentValues {
    var: SharedId,
    ty: Type,
    known: Known,
}

enum Known {
    /// One of these.
    Few(Vec<i128>),
    /// This for the first thread, and so much more for each that follows.
    Growing(i128, i128),
}

impl ArgumentValues {
    fn seen(program: &Program, var: SharedId) -> Option<ArgumentValues> {
        let pairs = Walk { program, var, system: System::new(program, 1) }.pairs()?;
        let distinct: BTreeSet<i128> = pairs.iter().map(|(_, value)| *value).collect();
        let known = match growing(&pairs) {
            Some((first, more)) if distinct.len() > 1 => Known::Growing(first, more),
            _ if distinct.is_empty() || distinct.len() > MAX_VALUES => return None,
            _ => Known::Few(distinct.into_iter().collect()),
        };
        Some(ArgumentValues { var, ty: program.shared[var.index()].ty, known })
    }

    /// The template in which every step that takes the argument knows it.
    fn asserted(&self, program: &Program, template: &Template) -> Template {
        let mut result = Template { edges: Vec::new(), ..template.clone() };
        let wrong = LocId(result.locations.len() as u32);
        let name = &program.shared[self.var.index()].name;
        let what = format!("`{name}` is not what it was seen to be");
        result.locations.push(Location {
            kind: LocKind::Error(ErrorKind::Assertion(what)),
            ..Location::default()
        });
        for edge in &template.edges {
            let places = self.places(edge);
            match &places[..] {
                [] => result.edges.push(edge.clone()),
                [place] => result.edges.extend(self.split(edge, place, wrong)),
                _ => return template.clone(),
            }
        }
        result
    }

    /// Where an edge reads the argument.
    fn places(&self, edge: &Edge) -> Vec<Expr> {
        let mut found = Vec::new();
        let values = edge.assigns.iter().flat_map(|Assign { place, value }| {
            let index = if let Place::Element(_, index) = place { Some(index) } else { None };
            let value = if let Rhs::Expr(value) = value { Some(value) } else { None };
            index.into_iter().chain(value)
        });
        for expr in [&edge.guard].into_iter().chain(values) {
            expr.walk(&mut |part| {
                if self.is_read(part) && !found.contains(part) {
                    found.push(part.clone());
                }
            });
        }
        found
    }

    fn is_read(&self, part: &Expr) -> bool {
        let var = VarRef::Shared(self.var);
        matches!(part, Expr::Var(read) | Expr::Index(read, _) if *read == var)
    }

    /// The edge for each value that the argument may have, and one to an error if it has
    /// none of them.
    fn split(&self, edge: &Edge, place: &Expr, wrong: LocId) -> Vec<Edge> {
        let values = self.values(place);
        let is = |value: &Expr| Expr::eq(place.clone(), value.clone());
        let is_other = |part: &&Expr| {
            let mut reads = false;
            part.walk(&mut |part| reads |= self.is_read(part));
            !reads
        };
        let others = edge.guard.conjuncts().into_iter().filter(is_other).cloned();
        let none = values.iter().map(|value| Expr::negate(is(value)));
        let guard = others.chain(none).fold(Expr::TRUE, Expr::and);
        let error = Edge { target: wrong, guard, assigns: Vec::new(), ..edge.clone() };
        let known = values.iter().map(|value| {
            let mut known = self.knowing(edge, value);
            known.guard = Expr::and(is(value), known.guard);
            known
        });
        known.chain([error]).collect()
    }

    fn values(&self, place: &Expr) -> Vec<Expr> {
        match (&self.known, place) {
            (Known::Growing(first, more), Expr::Index(_, index)) => {
                let number = Expr::Cast(self.ty, index.clone());
                let grown = match more {
                    1 => number,
                    more => Expr::binary(BinOp::Mul, number, Expr::constant(*more, self.ty)),
                };
                vec![match first {
                    0 => grown,
                    first => Expr::binary(BinOp::Add, grown, Expr::constant(*first, self.ty)),
                }]
            }
            (Known::Growing(..), _) => Vec::new(),
            (Known::Few(values), _) => {
                values.iter().map(|value| Expr::Const(*value, self.ty)).collect()
            }
        }
    }

    /// The edge with this value for the argument.
    fn knowing(&self, edge: &Edge, value: &Expr) -> Edge {
        let seen = |expr: &Expr| {
            expr.map_reads(&mut |read| if self.is_read(&read) { value.clone() } else { read })
        };
        let assign = |Assign { place, value }: &Assign| Assign {
            place: match place {
                Place::Element(var, index) => Place::Element(*var, seen(index)),
                place => place.clone(),
            },
            value: match value {
                Rhs::Expr(value) => Rhs::Expr(seen(value)),
                Rhs::Havoc => Rhs::Havoc,
            },
        };
        Edge {
            guard: seen(&edge.guard),
            assigns: edge.assigns.iter().map(assign).collect(),
            ..edge.clone()
        }
    }
}

/// The first value and how much it grows from one thread to the next, if it does so
/// evenly.
fn growing(pairs: &BTreeSet<(i128, i128)>) -> Option<(i128, i128)> {
    let mut pairs = pairs.iter();
    let (first, second) = (pairs.next()?, pairs.next()?);
    let more = (second.1 - first.1).checked_div(second.0 - first.0)?;
    let start = first.1 - first.0 * more;
    let even = |(index, value): &(i128, i128)| *value == start + index * more;
    ([first, second].into_iter().chain(pairs).all(even) && more > 0).then_some((start, more))
}

/// Runs the program for a while, one thread as long as it can move.
struct Walk<'p> {
    program: &'p Program,
    var: SharedId,
    system: System<'p>,
}

impl Walk<'_> {
    /// Which threads (by number) were given which argument; nothing if that depends on
    /// what is not known.
    fn pairs(&self) -> Option<BTreeSet<(i128, i128)>> {
        let mut pairs = BTreeSet::new();
        let mut seen = HashSet::new();
        let mut waiting = vec![self.system.initial()];
        while let Some(state) = waiting.pop() {
            if seen.len() == MAX_STATES || !seen.insert(state.clone()) {
                continue;
            }
            // The first thread last: it is on top of the stack then.
            for instance in (0..self.system.instances.len()).rev() {
                for edge in self.edges(&state, instance) {
                    let Some(next) = self.system.step(&state, instance, edge, &mut |_| None) else {
                        continue;
                    };
                    self.note(&state, instance, edge, &mut pairs)?;
                    waiting.push(next);
                }
            }
        }
        Some(pairs)
    }

    fn edges(&self, state: &State, instance: usize) -> Vec<&Edge> {
        let here = state.locations[instance];
        let all = self.program.template_of(self.system.instances[instance].thread).edges.iter();
        all.filter(|edge| edge.source == here && self.system.may_move(state, instance)).collect()
    }

    /// Notes an argument that a step hands over.
    fn note(
        &self,
        state: &State,
        instance: usize,
        edge: &Edge,
        pairs: &mut BTreeSet<(i128, i128)>,
    ) -> Option<()> {
        let var = VarRef::Shared(self.var);
        for Assign { place, value } in &edge.assigns {
            let index = match place {
                Place::Var(written) if *written == var => 0,
                Place::Element(written, index) if *written == var => {
                    self.system.eval(state, instance, index).ok().flatten()?
                }
                _ => continue,
            };
            let Rhs::Expr(value) = value else { return None };
            pairs.insert((index, self.system.eval(state, instance, value).ok().flatten()?));
        }
        Some(())
    }
}

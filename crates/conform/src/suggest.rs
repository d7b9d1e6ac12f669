//! Proposes an abstract thread: the thread itself, read as a state machine.
//!
//! That merges what does not touch shared variables and keeps the shared effects.
//! Of local variables that a machine cannot remember it remembers what they are compared
//! with (`classes.rs`), and if that does not help either, nothing: conditions on them
//! go, and what is computed from them is arbitrary. Each step of the
//! thread is then still a step of the suggestion, so it conforms by construction; it is
//! checked nevertheless, like any other. In the end states that do the same are merged.

use crate::classes::with_class;
use crate::machine::{Machine, MachineState, Move};
use crate::read::{Unreadable, read_machine};
use crate::tidy::tidy;
use ccfa::{Assign, Edge, Expr, Init, LocalId, Place, Program, Rhs, Template, VarRef};
use std::collections::{BTreeMap, BTreeSet};

/// An abstract thread for a template of the program.
pub fn suggest(program: &Program, template: &Template) -> Result<Machine, Unreadable> {
    let mut known = Knowledge { template: template.clone(), dropped: BTreeSet::new() };
    let machine = loop {
        match read_machine(program, &without(&known.template, &known.dropped)) {
            Ok(machine) => break machine,
            Err(error) if !known.lessen(template, &error) => return Err(error),
            Err(_) => {}
        }
    };
    Ok(merged(tidy(program, Machine { name: format!("{}#", template.name), ..machine })))
}

/// What a suggestion knows of the local variables.
struct Knowledge {
    /// The thread, with classes for some variables.
    template: Template,
    /// The variables it does not know.
    dropped: BTreeSet<VarRef>,
}

impl Knowledge {
    /// Knows less, because of what was in the way: of one variable the class instead of
    /// the value; if there are too many states for that, no variable that it knew by its
    /// class; in the end none at all. Nothing is left to abstract if this is false.
    fn lessen(&mut self, original: &Template, error: &Unreadable) -> bool {
        let before = (self.dropped.len(), self.template.locals.len());
        match error.variable {
            Some(variable) => {
                self.dropped.insert(VarRef::Local(variable));
                if let Some(better) = with_class(&self.template, variable) {
                    self.template = better;
                }
            }
            None if self.template.locals.len() > original.locals.len() => {
                self.template = original.clone();
            }
            None => self.dropped.extend(locals(original)),
        }
        before != (self.dropped.len(), self.template.locals.len())
    }
}

/// All local variables but the thread's arguments.
fn locals(template: &Template) -> impl Iterator<Item = VarRef> {
    let numbered = template.locals.iter().enumerate();
    let own = numbered.filter(|(_, local)| !matches!(local.init, Init::Param(_)));
    own.map(|(number, _)| VarRef::Local(LocalId(number as u32)))
}

/// The template without these variables: it can do all that it could with them.
fn without(template: &Template, dropped: &BTreeSet<VarRef>) -> Template {
    let mut template = template.clone();
    for edge in &mut template.edges {
        *edge = abstracted(edge, dropped);
    }
    for (number, local) in template.locals.iter_mut().enumerate() {
        if dropped.contains(&VarRef::Local(LocalId(number as u32))) {
            (local.len, local.init) = (None, Init::Value(0));
        }
    }
    template
}

fn abstracted(edge: &Edge, dropped: &BTreeSet<VarRef>) -> Edge {
    let depends = |expr: &Expr| {
        let mut found = false;
        expr.walk(&mut |part| {
            found |= matches!(part, Expr::Var(var) | Expr::Index(var, _) if dropped.contains(var));
        });
        found
    };
    let mut assigns = Vec::new();
    for Assign { place, value } in &edge.assigns {
        let place = match place {
            Place::Var(var) | Place::Element(var, _) if dropped.contains(var) => continue,
            Place::Element(var, index) if depends(index) => Place::Var(*var),
            place => place.clone(),
        };
        let whole = matches!((&place, value), (Place::Var(var), _) if matches!(edge_place(edge, *var), Some(Place::Element(..))));
        let value = match value {
            Rhs::Expr(value) if !depends(value) && !whole => Rhs::Expr(value.clone()),
            _ => Rhs::Havoc,
        };
        assigns.push(Assign { place, value });
    }
    let guard = weakened(&edge.guard, &depends);
    Edge { guard, assigns, ..edge.clone() }
}

/// Where an edge assigns this variable.
fn edge_place(edge: &Edge, var: VarRef) -> Option<&Place> {
    edge.assigns.iter().map(|assign| &assign.place).find(
        |place| matches!(place, Place::Var(other) | Place::Element(other, _) if *other == var),
    )
}

/// The conjuncts of a guard that do not depend on what is dropped.
fn weakened(guard: &Expr, depends: &impl Fn(&Expr) -> bool) -> Expr {
    let parts = guard.conjuncts().into_iter().filter(|part| !depends(part));
    parts.cloned().fold(Expr::TRUE, Expr::and)
}

/// The machine in which states that do the same are one.
fn merged(machine: Machine) -> Machine {
    let count = machine.nodes.len();
    let mut class = vec![0; count];
    loop {
        let mut known: BTreeMap<String, usize> = BTreeMap::new();
        let next: Vec<usize> = (0..count)
            .map(|node| {
                let fresh = known.len();
                *known.entry(behaviour(&machine, node, &class)).or_insert(fresh)
            })
            .collect();
        if next == class {
            return quotient(machine, &class);
        }
        class = next;
    }
}

/// What a state does, if states of one class are the same; for comparison only.
fn behaviour(machine: &Machine, node: usize, class: &[usize]) -> String {
    let moves = machine.moves.iter().filter(|step| step.from == node);
    let moves: BTreeSet<String> = moves
        .map(|step| {
            format!("{} {:?} {:?} {:?}", class[step.to], step.guard, step.effects, step.ensure)
        })
        .collect();
    let failures: BTreeSet<String> = machine.nodes[node]
        .failures
        .iter()
        .map(|failure| format!("{:?}", failure.condition))
        .collect();
    format!("{} {failures:?} {moves:?}", class[node])
}

fn quotient(machine: Machine, class: &[usize]) -> Machine {
    let mut nodes: Vec<MachineState> = Vec::new();
    for (node, class) in machine.nodes.into_iter().zip(class) {
        if *class == nodes.len() {
            nodes.push(node);
        }
    }
    let mut moves: Vec<Move> = Vec::new();
    for step in machine.moves {
        let step = Move { from: class[step.from], to: class[step.to], ..step };
        let same = |other: &Move| {
            (other.from, other.to) == (step.from, step.to)
                && (&other.guard, &other.effects, &other.ensure)
                    == (&step.guard, &step.effects, &step.ensure)
        };
        if !moves.iter().any(same) {
            moves.push(step);
        }
    }
    let initial: BTreeSet<usize> = machine.initial.iter().map(|node| class[*node]).collect();
    Machine { nodes, moves, initial: initial.into_iter().collect(), ..machine }
}

//! A variable that no step assigns, or only its initial value, keeps it; a parameter of a
//! template that one thread runs is that thread's argument.

use super::{Scope, refold};
use ccfa::{Arg, Count, Edge, Expr, Init, Place, Program, Rhs, VarRef};
use std::collections::HashSet;

/// Replaces constant variables by their values. Was there anything to do?
pub fn substitute(program: &mut Program) -> bool {
    let assigned: HashSet<(usize, VarRef)> = assignments(program);
    let is_shared_constant = |number: usize| {
        let var = VarRef::Shared(ccfa::SharedId(number as u32));
        (0..program.templates.len()).all(|template| !assigned.contains(&(template, var)))
    };
    let shared: Vec<Option<Init>> = program
        .shared
        .iter()
        .enumerate()
        .map(|(number, var)| is_shared_constant(number).then(|| var.init.clone()))
        .collect();
    let locals: Vec<Vec<Option<Init>>> = (0..program.templates.len())
        .map(|template| {
            let constant = |number: usize| {
                let var = VarRef::Local(ccfa::LocalId(number as u32));
                let declared = &program.templates[template].locals[number];
                let fixed = !assigned.contains(&(template, var));
                fixed.then(|| argument(program, template, &declared.init)).flatten()
            };
            (0..program.templates[template].locals.len()).map(constant).collect()
        })
        .collect();
    let mut changed = false;
    let vars = program.shared.clone();
    for (template, locals) in program.templates.iter_mut().zip(&locals) {
        let mut edges = std::mem::take(&mut template.edges);
        let declared = template.clone();
        let scope = Scope { shared: &vars, template: &declared };
        let type_of = scope.types();
        let init = |var: VarRef| match var {
            VarRef::Shared(id) => shared[id.index()].as_ref(),
            VarRef::Local(id) => locals[id.index()].as_ref(),
        };
        let mut value = |read: Expr| {
            let (known, element) = match &read {
                Expr::Var(var) => (init(*var).map(|init| (init, *var)), 0),
                Expr::Index(var, index) => match **index {
                    Expr::Const(index, _) if scope.var(*var).has_element(index) => {
                        (init(*var).map(|init| (init, *var)), index as usize)
                    }
                    _ => (None, 0),
                },
                _ => (None, 0),
            };
            let Some((init, var)) = known else { return read };
            let constant = match init {
                Init::Value(value) => Some(*value),
                Init::Values(values) => values.get(element).copied(),
                Init::Any | Init::Param(_) => None,
            };
            match constant {
                Some(value) => {
                    changed = true;
                    Expr::Const(value, type_of(var))
                }
                None => read,
            }
        };
        for edge in &mut edges {
            map_edge(edge, &mut |expr| refold(&expr.map_reads(&mut value), &type_of));
        }
        template.edges = edges;
    }
    changed
}

/// Applies a function to every expression of an edge.
fn map_edge(edge: &mut Edge, map: &mut impl FnMut(&Expr) -> Expr) {
    edge.guard = map(&edge.guard);
    for access in &mut edge.accesses {
        *access = access.map_index(&mut |index| Some(map(index)));
    }
    for assign in &mut edge.assigns {
        if let Place::Element(_, index) = &mut assign.place {
            *index = map(index);
        }
        if let Rhs::Expr(value) = &mut assign.value {
            *value = map(value);
        }
    }
}

fn assignments(program: &Program) -> HashSet<(usize, VarRef)> {
    let mut assigned = HashSet::new();
    for (number, template) in program.templates.iter().enumerate() {
        for assign in template.edges.iter().flat_map(|edge| &edge.assigns) {
            let (Place::Var(var) | Place::Element(var, _)) = &assign.place;
            let initial = &program.var(template, *var).init;
            let same = matches!((&assign.value, initial),
                (Rhs::Expr(Expr::Const(value, _)), Init::Value(initial)) if value == initial);
            if !same {
                assigned.insert((number, *var));
            }
        }
    }
    assigned
}

/// The initial value of a local, with the argument of the one thread that runs it.
fn argument(program: &Program, template: usize, init: &Init) -> Option<Init> {
    let Init::Param(param) = init else { return Some(init.clone()) };
    let mut threads = program.threads.iter().filter(|thread| thread.template.index() == template);
    match (threads.next(), threads.next()) {
        (Some(thread), None) if thread.count == Count::Exactly(1) => {
            match thread.args[*param as usize] {
                Arg::Value(value) | Arg::Index(value) => Some(Init::Value(value)),
            }
        }
        _ => None,
    }
}

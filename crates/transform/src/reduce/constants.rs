//! A variable that no step assigns, or only its initial value, keeps it; a parameter of a
//! template that one thread runs is that thread's argument.

use super::TemplateScope;
use super::prune::each_read;
use ccfa::fold::refold;
use ccfa::{
    Access, Arg, Count, Edge, Expr, Init, LocalId, Place, Program, Rhs, SharedId, Template, VarRef,
};
use evidence::Reduction;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashSet};

/// Replaces constant variables by their values. Was there anything to do?
pub(super) fn substitute(reduction: &mut Reduction) -> bool {
    let program = &mut reduction.program;
    let assigned: HashSet<(usize, VarRef)> = assignments(program);
    let is_shared_constant = |number: usize| {
        let var = VarRef::Shared(SharedId(number as u32));
        (0..program.templates.len()).all(|template| !assigned.contains(&(template, var)))
    };
    let shared: Vec<Option<Init>> = program
        .shared
        .iter()
        .enumerate()
        .map(|(number, var)| is_shared_constant(number).then(|| var.init.clone()))
        .collect();
    let mut used = BTreeSet::new();
    for number in 0..program.templates.len() {
        let locals = constant_locals(program, &assigned, number);
        let template = &program.templates[number];
        let init = |var: VarRef| match var {
            VarRef::Shared(id) => shared[id.index()].as_ref(),
            VarRef::Local(id) => locals[id.index()].as_ref(),
        };
        let scope = TemplateScope { shared: &program.shared, template };
        let mut use_var = |var| {
            used.insert((number, var));
        };
        let put_in =
            |edge: &Edge| mentions(edge, &init).then(|| put_in(scope, edge, &init, &mut use_var));
        let changed: Vec<Option<Edge>> = template.edges.iter().map(put_in).collect();
        for (edge, changed) in program.templates[number].edges.iter_mut().zip(changed) {
            if let Some(changed) = changed {
                *edge = changed;
            }
        }
    }
    note(reduction, &used);
    !used.is_empty()
}

/// Does an edge read a constant, or access it?
fn mentions<'i>(edge: &Edge, init: &dyn Fn(VarRef) -> Option<&'i Init>) -> bool {
    let mut found = false;
    each_read(edge, &mut |var| found |= init(var).is_some());
    let mut accessed = edge.accesses.iter().flat_map(Access::variables);
    found || accessed.any(|var| init(var).is_some())
}

/// An edge in which constants are replaced by their values; says of which variables.
fn put_in<'i>(
    scope: TemplateScope,
    edge: &Edge,
    init: &dyn Fn(VarRef) -> Option<&'i Init>,
    used: &mut dyn FnMut(VarRef),
) -> Edge {
    let type_of = scope.types();
    let used = RefCell::new(used);
    let value = |read: Expr| {
        let (var, element) = match &read {
            Expr::Var(var) => (*var, 0),
            Expr::Index(var, index) => match **index {
                Expr::Const(index, _) if scope.var(*var).has_element(index) => {
                    (*var, index as usize)
                }
                _ => return read,
            },
            _ => return read,
        };
        let constant = match init(var) {
            Some(Init::Value(value)) => Some(*value),
            Some(Init::Values(values)) => values.get(element).copied(),
            _ => None,
        };
        match constant {
            Some(value) => {
                (used.borrow_mut())(var);
                Expr::Const(value, type_of(var))
            }
            None => read,
        }
    };
    edge.map_exprs(&|expr| refold(&expr.map_reads(&mut |read| value(read))))
}

/// Says in the certificate which variables were taken for constants.
fn note(reduction: &mut Reduction, used: &BTreeSet<(usize, VarRef)>) {
    for (template, var) in used {
        match var {
            VarRef::Shared(id) => {
                let before = reduction.shared[id.index()];
                if !reduction.constants.contains(&before) {
                    reduction.constants.push(before);
                }
            }
            VarRef::Local(id) => {
                let template = &mut reduction.templates[*template];
                let before = template.locals[id.index()];
                if !template.constants.contains(&before) {
                    template.constants.push(before);
                }
            }
        }
    }
}

/// By local of a template: its value, if it is constant.
fn constant_locals(
    program: &Program,
    assigned: &HashSet<(usize, VarRef)>,
    number: usize,
) -> Vec<Option<Init>> {
    let template: &Template = &program.templates[number];
    let locals = template.locals.iter().zip((0..).map(|id| VarRef::Local(LocalId(id))));
    locals
        .map(|(declared, var)| {
            let fixed = !assigned.contains(&(number, var));
            fixed.then(|| argument(program, number, &declared.init)).flatten()
        })
        .collect()
}

/// The variables that are assigned, by template. (Unlike `Template::assigned`: another value than the initial one.)
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

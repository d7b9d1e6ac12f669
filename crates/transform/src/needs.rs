//! Which variables the property needs, and which ones may be left out.
//!
//! Needed is what a guard reads, since it decides where threads can come, or the initial condition;
//! what decides whether a step is defined, for the same reason; what is read to compute a
//! needed variable; and indices, which say what a step touches. All else that is assigned may be left out, if
//! it can be held at one value: not arrays whose elements start with different values, nor arguments of
//! threads, nor shared arrays of which a step writes all elements at once. (This is asked of templates, before any
//! engine; `thread-modular::relevant` asks it again of each thread, with the values that its variables can have.)

use crate::rewrite::is_closed;
use ccfa::definedness::may_be_undefined;
use ccfa::read_write::collect_reads;
use ccfa::{
    Assign, Edge, Expr, Init, LocalId, Place, Program, Rhs, SharedId, Template, Var, VarRef,
};
use std::collections::{BTreeMap, BTreeSet};

/// The variables that are left out, each with the value it is held at.
#[derive(Clone, Debug, Default)]
pub(crate) struct LeftOut {
    /// Shared ones.
    pub shared: BTreeMap<SharedId, i128>,
    /// By template.
    pub locals: Vec<BTreeMap<LocalId, i128>>,
}

impl LeftOut {
    /// Those of a program.
    pub fn of(program: &Program) -> LeftOut {
        let needs = Needs::of(program);
        let needed = needs.needed();
        let mut left_out = LeftOut {
            shared: BTreeMap::new(),
            locals: vec![BTreeMap::new(); program.templates.len()],
        };
        for (owner, var) in needs.assigned.difference(&needed) {
            let value = |declared: &Var| match declared.init {
                Init::Value(value) => value,
                _ => 0,
            };
            match var {
                VarRef::Shared(id) => {
                    left_out.shared.insert(*id, value(&program.shared[id.index()]));
                }
                VarRef::Local(id) => {
                    let declared = &program.templates[*owner].locals[id.index()];
                    left_out.locals[*owner].insert(*id, value(declared));
                }
            }
        }
        left_out
    }

    /// Is there nothing to leave out?
    pub fn is_empty(&self) -> bool {
        self.shared.is_empty() && self.locals.iter().all(BTreeMap::is_empty)
    }

    /// The value at which a variable of a template is held, if it is left out.
    pub fn value(&self, template: usize, var: VarRef) -> Option<i128> {
        match var {
            VarRef::Shared(id) => self.shared.get(&id).copied(),
            VarRef::Local(id) => self.locals[template].get(&id).copied(),
        }
    }
}

/// A variable with the number of its template; shared ones are with number 0.
type Variable = (usize, VarRef);

fn variable(template: usize, var: VarRef) -> Variable {
    match var {
        VarRef::Shared(_) => (0, var),
        VarRef::Local(_) => (template, var),
    }
}

/// Who needs whom.
#[derive(Default)]
struct Needs {
    assigned: BTreeSet<Variable>,
    /// Needed whatever else is.
    roots: Vec<Variable>,
    /// Needed if that one is.
    sources: BTreeMap<Variable, Vec<Variable>>,
}

impl Needs {
    fn of(program: &Program) -> Needs {
        let mut needs = Needs::default();
        if let Some(condition) = &program.initial {
            needs.roots.extend(reads(0, condition));
        }
        for (number, template) in program.templates.iter().enumerate() {
            for edge in template.edges.iter().filter(|edge| !is_closed(edge)) {
                needs.edge(program, number, template, edge);
            }
        }
        needs
    }

    fn edge(&mut self, program: &Program, number: usize, template: &Template, edge: &Edge) {
        self.roots.extend(reads(number, &edge.guard));
        for Assign { place, value } in &edge.assigns {
            let (Place::Var(var) | Place::Element(var, _)) = place;
            let (target, declared) = (variable(number, *var), program.var(template, *var));
            self.assigned.insert(target);
            let is_array = declared.len.is_some();
            let writes_all = matches!(place, Place::Var(VarRef::Shared(_))) && is_array;
            if writes_all || !matches!(declared.init, Init::Any | Init::Value(_)) {
                self.roots.push(target);
            }
            if let Place::Element(_, index) = place {
                self.roots.extend(reads(number, index));
            }
            if let Rhs::Expr(value) = value {
                match may_be_undefined(value, &|var| program.var(template, var)) {
                    true => self.roots.extend(reads(number, value)),
                    false => self.sources.entry(target).or_default().extend(reads(number, value)),
                }
            }
        }
    }

    fn needed(&self) -> BTreeSet<Variable> {
        let mut needed = BTreeSet::new();
        let mut new = self.roots.clone();
        while let Some(variable) = new.pop() {
            if needed.insert(variable) {
                new.extend(self.sources.get(&variable).into_iter().flatten());
            }
        }
        needed
    }
}

fn reads(template: usize, expr: &Expr) -> impl Iterator<Item = Variable> {
    let mut reads = BTreeSet::new();
    collect_reads(expr, &mut reads);
    reads.into_iter().map(move |var| variable(template, var))
}

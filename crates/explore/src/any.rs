//! What is enumerated and what becomes `ANY`.
//!
//! An arbitrary value of a type with at most 256 values is enumerated; of a
//! larger type it is `ANY`, and so is a byte in an array. Where one step (or the initial state) takes many
//! small ones at once, they are enumerated in the order in which they are written
//! until there are too many combinations; the rest is `ANY`. `check` tries `ANY` first, and
//! then value by value.
//!
//! Which cells may ever be `ANY` decides the layout of packed states. It is the
//! least solution of: large types that start or are made arbitrary; what is
//! assigned from an expression that reads such a variable; arrays written at an
//! index that reads one. Whole variables and all instances of a template are
//! treated alike. (A mathematical integer beyond 128 bits is `ANY`, too, but
//! the search gives up long before.)

use ccfa::semantics::System;
use ccfa::{Assign, Expr, Init, Place, Program, Rhs, Template, Var, VarRef};

/// Combinations of values that are enumerated at once: with more, the states they lead to would fill
/// the memory.
const MAX_COMBINATIONS: u64 = 1 << 12;

/// Types with at most so many values are enumerated: all values of larger ones would be too many states.
const MAX_VALUES: i128 = 256;
/// Of elements of arrays, types with at most so many: bytes that were not written yet are many, and few programs look at them.
const MAX_ELEMENT_VALUES: i128 = 16;

/// Decides, one by one, about the arbitrary values taken at once.
pub(crate) struct Plan {
    combinations: u64,
}

impl Plan {
    pub fn new() -> Plan {
        Plan { combinations: 1 }
    }

    /// The smallest and the largest value, if the next value (of a cell of this variable) is
    /// enumerated.
    pub fn next(&mut self, var: &Var) -> Option<(i64, i64)> {
        let most = if var.len.is_some() { MAX_ELEMENT_VALUES } else { MAX_VALUES };
        let (low, high) = var.ty.bounds().filter(|(low, high)| high - low < most)?;
        self.combinations = self.combinations.saturating_mul((high - low + 1) as u64);
        if self.combinations > MAX_COMBINATIONS {
            self.combinations = u64::MAX;
            return None;
        }
        Some((low as i64, high as i64))
    }
}

/// For each cell of the system: may it be `ANY` in some reachable state?
pub(crate) fn any_cells(system: &System) -> Vec<bool> {
    let flags = Flags::solve(system);
    let program = system.program;
    let shared = program.shared.iter().zip(&flags.shared);
    let locals = system.instances.iter().flat_map(|instance| {
        let template = program.threads[instance.thread.index()].template.index();
        program.templates[template].locals.iter().zip(&flags.locals[template])
    });
    shared.chain(locals).flat_map(|(var, flag)| std::iter::repeat_n(*flag, var.cells())).collect()
}

/// Whether each variable may be `ANY`.
struct Flags {
    shared: Vec<bool>,
    locals: Vec<Vec<bool>>,
}

impl Flags {
    fn solve(system: &System) -> Flags {
        let program = system.program;
        let locals = |template: &Template| vec![false; template.locals.len()];
        let mut flags = Flags {
            shared: vec![false; program.shared.len()],
            locals: program.templates.iter().map(locals).collect(),
        };
        flags.start(system);
        while flags.spread(program) {}
        flags
    }

    /// What starts as `ANY`.
    fn start(&mut self, system: &System) {
        let mut plan = Plan::new();
        let mut starts = |var: &Var| {
            let any = |_| var.init == Init::Any && plan.next(var).is_none();
            (0..var.cells()).map(any).fold(false, |found, any| found | any)
        };
        for (var, flag) in system.program.shared.iter().zip(&mut self.shared) {
            *flag |= starts(var);
        }
        for instance in &system.instances {
            let template = system.program.threads[instance.thread.index()].template.index();
            let locals = &system.program.templates[template].locals;
            for (var, flag) in locals.iter().zip(&mut self.locals[template]) {
                *flag |= starts(var);
            }
        }
    }

    /// One round over all assignments: has anything changed?
    fn spread(&mut self, program: &Program) -> bool {
        let mut changed = false;
        for (number, template) in program.templates.iter().enumerate() {
            for edge in &template.edges {
                let mut plan = Plan::new();
                for assign in &edge.assigns {
                    let (Place::Var(var) | Place::Element(var, _)) = &assign.place;
                    let any =
                        self.gives_any(number, assign, program.var(template, *var), &mut plan);
                    let flag = self.entry(number, *var);
                    changed |= any && !*flag;
                    *flag |= any;
                }
            }
        }
        changed
    }

    fn gives_any(&self, template: usize, assign: &Assign, var: &Var, plan: &mut Plan) -> bool {
        let cells = if matches!(assign.place, Place::Var(_)) { var.cells() } else { 1 };
        let value = match &assign.value {
            Rhs::Havoc => (0..cells).fold(false, |any, _| any | plan.next(var).is_none()),
            Rhs::Expr(value) => self.reads_any(template, value),
        };
        let index = match &assign.place {
            Place::Var(_) => false,
            Place::Element(_, index) => self.reads_any(template, index),
        };
        value || index
    }

    fn reads_any(&self, template: usize, expr: &Expr) -> bool {
        let mut found = false;
        expr.walk(&mut |part| {
            if let Expr::Var(var) | Expr::Index(var, _) = part {
                found |= self.get(template, *var);
            }
        });
        found
    }

    fn get(&self, template: usize, var: VarRef) -> bool {
        match var {
            VarRef::Shared(id) => self.shared[id.index()],
            VarRef::Local(id) => self.locals[template][id.index()],
        }
    }

    fn entry(&mut self, template: usize, var: VarRef) -> &mut bool {
        match var {
            VarRef::Shared(id) => &mut self.shared[id.index()],
            VarRef::Local(id) => &mut self.locals[template][id.index()],
        }
    }
}

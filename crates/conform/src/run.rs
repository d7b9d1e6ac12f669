//! Runs edges of an abstract thread symbolically: what variables hold, in terms of
//! what shared variables held at the start of the step, the thread's arguments and
//! arbitrary values, each with a symbol of its own.

use crate::casts::without_casts;
use crate::formula::Symbols;
use ccfa::fold::refold;
use ccfa::{Assign, Edge, Expr, LocalId, Place, Program, Rhs, SharedId, Template, Type, VarRef};
use std::collections::BTreeMap;

/// What variables hold.
#[derive(Clone, Debug, PartialEq)]
pub struct SymbolicStore {
    locals: Vec<Expr>,
    /// Shared scalars that were assigned.
    scalars: BTreeMap<SharedId, Expr>,
    /// Elements that were assigned, by array: index and value.
    elements: BTreeMap<SharedId, Vec<(Expr, Expr)>>,
}

/// A symbolic run.
#[derive(Clone)]
pub struct Run<'p> {
    program: &'p Program,
    template: &'p Template,
    /// Types of the symbols: the arguments, then the arbitrary values.
    symbols: Vec<Type>,
    params: usize,
    values: SymbolicStore,
}

impl<'p> Run<'p> {
    /// Starts with these values of the locals.
    pub fn new(
        program: &'p Program,
        template: &'p Template,
        params: &[Type],
        locals: Vec<Expr>,
    ) -> Run<'p> {
        let values = SymbolicStore { locals, scalars: BTreeMap::new(), elements: BTreeMap::new() };
        Run { program, template, symbols: params.to_vec(), params: params.len(), values }
    }

    /// What variables hold now.
    pub fn values(&self) -> &SymbolicStore {
        &self.values
    }

    /// What the locals hold now.
    pub fn locals(&self) -> &[Expr] {
        &self.values.locals
    }

    /// The variables its expressions speak of.
    pub fn symbols(&self) -> Symbols<'_> {
        Symbols { program: self.program, locals: &self.symbols }
    }

    /// The types of the arbitrary values.
    pub fn fresh(&self) -> &[Type] {
        &self.symbols[self.params..]
    }

    /// The value of an expression of the template.
    pub fn value(&self, expr: &Expr) -> Result<Expr, String> {
        let mut trouble = None;
        let seen = expr.map_reads(&mut |read| match self.read(&read) {
            Ok(value) => value,
            Err(why) => {
                trouble = Some(why);
                read
            }
        });
        match trouble {
            None => Ok(without_casts(&refold(&seen), &self.symbols())),
            Some(why) => Err(why),
        }
    }

    fn read(&self, read: &Expr) -> Result<Expr, String> {
        Ok(match read {
            Expr::Var(VarRef::Local(id)) => self.values.locals[id.index()].clone(),
            Expr::Var(VarRef::Shared(id)) => {
                self.values.scalars.get(id).cloned().unwrap_or_else(|| read.clone())
            }
            Expr::Index(VarRef::Local(_), _) => return Err("it uses an array of its own".into()),
            Expr::Index(VarRef::Shared(id), index) => {
                let writes = self.values.elements.get(id).into_iter().flatten();
                writes.fold(read.clone(), |before, (at, value)| {
                    let hit = refold(&Expr::eq((**index).clone(), at.clone()));
                    Expr::ite(hit, value.clone(), before)
                })
            }
            other => other.clone(),
        })
    }

    /// Everything that a step computes beside its guard.
    pub fn computed(&self, edge: &Edge) -> Result<Vec<Expr>, String> {
        let mut values = Vec::new();
        for assign in &edge.assigns {
            if let Place::Element(var, index) = &assign.place {
                values.push(Expr::Index(*var, Box::new(self.value(index)?)));
            }
            if let Rhs::Expr(value) = &assign.value {
                values.push(self.value(value)?);
            }
        }
        Ok(values)
    }

    /// Takes a step.
    pub fn step(&mut self, edge: &Edge) -> Result<(), String> {
        let before = self.clone();
        for assign in &edge.assigns {
            match &assign.place {
                Place::Var(var) => {
                    let value = self.assigned(&before, assign, *var)?;
                    match var {
                        VarRef::Local(id) => self.values.locals[id.index()] = value,
                        VarRef::Shared(id) => {
                            self.values.scalars.insert(*id, value);
                        }
                    }
                }
                Place::Element(VarRef::Local(_), _) => {
                    return Err("it uses an array of its own".into());
                }
                Place::Element(var @ VarRef::Shared(id), index) => {
                    let index = before.value(index)?;
                    let value = self.assigned(&before, assign, *var)?;
                    let writes = self.values.elements.entry(*id).or_default();
                    writes.retain(|(at, _)| *at != index);
                    writes.push((index, value));
                }
            }
        }
        Ok(())
    }

    fn assigned(&mut self, before: &Run, assign: &Assign, var: VarRef) -> Result<Expr, String> {
        match &assign.value {
            Rhs::Expr(value) => before.value(value),
            Rhs::Havoc => {
                let declared = self.program.var(self.template, var);
                if declared.len.is_some() && matches!(assign.place, Place::Var(_)) {
                    return Err(format!("it makes all of the array `{}` arbitrary", declared.name));
                }
                self.symbols.push(declared.ty);
                Ok(Expr::Var(VarRef::Local(LocalId(self.symbols.len() as u32 - 1))))
            }
        }
    }

    /// What it has assigned to shared variables.
    pub fn effects(&self) -> Result<Vec<Assign>, String> {
        let scalars = self.values.scalars.iter().map(|(id, value)| Assign {
            place: Place::Var(VarRef::Shared(*id)),
            value: Rhs::Expr(value.clone()),
        });
        let mut effects: Vec<Assign> = scalars.collect();
        for (id, writes) in &self.values.elements {
            let constant = |(index, _): &(Expr, Expr)| matches!(index, Expr::Const(..));
            if writes.len() > 1 && !writes.iter().all(constant) {
                let name = &self.program.shared[id.index()].name;
                return Err(format!("one step writes several elements of the array `{name}`"));
            }
            effects.extend(writes.iter().map(|(index, value)| Assign {
                place: Place::Element(VarRef::Shared(*id), index.clone()),
                value: Rhs::Expr(value.clone()),
            }));
        }
        Ok(effects)
    }
}

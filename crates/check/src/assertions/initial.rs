//! What holds in initial states.
//!
//! Beside the variables' own values, that is what an instance's index gives it: where an argument is
//! `index + base`, instance number i has i + base, which fits the type (the program is
//! well-formed, for every number that an instance can have). Of an instance that is not named, the
//! index is any below the number of instances, and different from that of the others.

use super::finite_instance::FiniteInstance;
use crate::obligations::Obligations;
use ccfa::semantics::System;
use ccfa::{Arg, Count, Init, LocalId, Program, Type, VarRef};
use logic::{ArithOp, Sort, Term};

/// The initial states of the finite instance.
pub(super) struct InitialStates {
    /// What stands for each variable.
    values: Vec<Term>,
    /// All of these hold.
    pub known: Vec<Term>,
}

/// Instances are counted with these.
const INDEX: Type = Type::unsigned(32);

impl InitialStates {
    pub fn new(
        program: &Program,
        finite: &FiniteInstance,
        system: &System,
        obligations: &mut Obligations,
    ) -> InitialStates {
        let (values, condition) = obligations.initial(system);
        let known = vec![obligations.with_values(condition, &values)];
        let mut initial = InitialStates { values, known };
        let mut indices: Vec<Vec<Term>> = vec![Vec::new(); program.threads.len()];
        for (number, instance) in system.instances.iter().enumerate() {
            let thread = instance.thread.index();
            if !finite.named[thread] {
                let index =
                    initial.index(obligations, program.threads[thread].count, &indices[thread]);
                initial.arguments(system, obligations, number, index);
                indices[thread].push(index);
            }
        }
        initial
    }

    /// These formulas, of an initial state.
    pub fn of_initial_state(&self, obligations: &mut Obligations, formulas: &[Term]) -> Vec<Term> {
        let mut all = Vec::new();
        for formula in formulas {
            let formula = obligations.with_values(*formula, &self.values);
            all.extend(obligations.terms().conjuncts(formula));
        }
        all
    }

    /// The index of an instance that is none of these others.
    fn index(&mut self, obligations: &mut Obligations, count: Count, others: &[Term]) -> Term {
        let terms = obligations.terms();
        let index = terms.declare("index", Sort::Scalar(INDEX));
        let index = terms.symbol(index);
        if let Count::Exactly(count) = count {
            let count = terms.constant(i128::from(count), INDEX);
            self.known.push(terms.lt(index, count));
        }
        self.known.extend(others.iter().map(|other| terms.ne(index, *other)));
        index
    }

    /// Gives an instance the arguments that depend on its index.
    fn arguments(
        &mut self,
        system: &System,
        obligations: &mut Obligations,
        instance: usize,
        index: Term,
    ) {
        let thread = system.instances[instance].thread;
        for (number, local) in system.template(instance).locals.iter().enumerate() {
            let Init::Param(param) = local.init else { continue };
            let arg = system.program.threads[thread.index()].args[param as usize];
            let Arg::Index(base) = arg else { continue };
            let symbol =
                obligations.vocabulary().symbol(instance, VarRef::Local(LocalId(number as u32)));
            let place = obligations.vocabulary().index(symbol);
            let terms = obligations.terms();
            let (index, base) = (terms.cast(Type::Int, index), terms.constant(base, Type::Int));
            let value = terms.arith(ArithOp::Add, index, base);
            if let Some(place) = place {
                self.values[place] = terms.cast(local.ty, value);
            }
        }
    }
}

//! Finite instances: a parameterised program with a certain number of instances of each of its parameterised threads.
//!
//! Engines for a fixed number of threads look for errors of a parameterised program in its finite instances. An
//! error of one is an error of the program; that one has no error says nothing of the others.

use crate::{Transformation, WayBack};
use ccfa::{Count, Program};
use evidence::{Reason, Verdict};

/// So many instances of each parameterised thread.
#[derive(Clone, Copy, Debug)]
pub struct Instances(pub u32);

/// A finite instance, and how it was made.
struct WithInstances {
    instances: u32,
    program: Program,
}

impl Transformation for Instances {
    fn apply(&self, program: &Program) -> Vec<Box<dyn WayBack>> {
        if !program.is_parameterised() {
            return Vec::new();
        }
        let mut finite = program.clone();
        for thread in finite.threads.iter_mut().filter(|thread| thread.count == Count::Any) {
            thread.count = Count::Exactly(self.0);
        }
        vec![Box::new(WithInstances { instances: self.0, program: finite })]
    }
}

impl WayBack for WithInstances {
    fn program(&self) -> &Program {
        &self.program
    }

    fn back(&self, _: &Program, verdict: Verdict) -> Verdict {
        match verdict {
            Verdict::Unsafe(mut witness) => {
                witness.instances = self.instances;
                Verdict::Unsafe(witness)
            }
            Verdict::Safe(_) => {
                let count = self.instances;
                let why = format!("arbitrarily many threads: no error with {count} of each kind");
                Verdict::Unknown(Reason::Beyond(why))
            }
            unknown => unknown,
        }
    }
}

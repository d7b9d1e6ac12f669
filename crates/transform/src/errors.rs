//! Every location at which the property is violated becomes an error location: engines look for these alone.
//!
//! Undefined behaviour that is asked for is such a location (`ccfa::property`). Threads, edges and
//! variables stay as they are, so evidence about the program after is evidence about the program before, word for
//! word: a witness takes the same steps to the same location, and a proof that keeps all threads from error
//! locations keeps them from where the property was violated. Races and deadlocks are not about
//! locations, and errors that are not asked for end the program: such properties stay as they are.

use crate::pipeline::{Transformation, WayBack};
use ccfa::{ErrorKind, LocKind, Program, Property};
use evidence::Verdict;

/// Makes undefined behaviour that is asked for an error.
pub struct Errors;

struct WithErrors(Program);

impl Transformation for Errors {
    fn apply(&self, program: &Program) -> Vec<Box<dyn WayBack>> {
        let Property { errors, undefined, races, deadlocks, known_races: _ } = &program.property;
        if undefined.is_empty() || !errors || *races || *deadlocks {
            return Vec::new();
        }
        let mut after = program.clone();
        after.property = Property::default();
        for location in after.templates.iter_mut().flat_map(|template| &mut template.locations) {
            if let LocKind::Undefined(kind) = location.kind
                && program.property.is_violated_at(&location.kind)
            {
                location.kind = LocKind::Error(ErrorKind::Assertion(kind.text().to_string()));
            }
        }
        vec![Box::new(WithErrors(after))]
    }
}

impl WayBack for WithErrors {
    fn program(&self) -> &Program {
        &self.0
    }

    fn back(&self, _: &Program, verdict: Verdict) -> Verdict {
        verdict
    }
}

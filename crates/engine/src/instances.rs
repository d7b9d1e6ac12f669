//! Parameterised programs, for engines that need a number of threads: finite instances are searched for errors one after
//! the other, small ones first.

use crate::{Event, Observer};
use ccfa::Program;
use evidence::{Reason, Verdict};
use std::ops::RangeInclusive;
use transform::{Instances, Pipeline};

/// The verdict of `decide` on the program, if it is not parameterised. Otherwise the first error that `decide` finds in one of
/// these finite instances, or the first reason for which it gives up. `Err` is a reason why there is no
/// proof though the search is complete: larger instances may still have errors.
pub fn by_instances(
    program: &Program,
    instances: RangeInclusive<u32>,
    observer: &mut dyn Observer,
    mut decide: impl FnMut(&Program, &mut dyn Observer) -> Result<Verdict, Reason>,
) -> Verdict {
    if !program.is_parameterised() {
        return decide(program, observer).unwrap_or_else(Verdict::Unknown);
    }
    let most = *instances.end();
    let mut obstacle: Option<Reason> = None;
    for count in instances {
        observer.event(Event::Instances(count));
        let finite = Pipeline::run(program.clone(), &[Box::new(Instances(count))]);
        match decide(finite.program(), observer) {
            Ok(Verdict::Safe(_)) => {}
            Ok(verdict) => return finite.back(verdict),
            Err(reason) => {
                // Where the model ends says more than that values are open.
                let says_more = |known: &Reason| is_model_limit(known) || !is_model_limit(&reason);
                obstacle = obstacle.filter(says_more).or(Some(reason));
            }
        }
    }
    Verdict::Unknown(obstacle.unwrap_or_else(|| {
        let why = format!("arbitrarily many threads: no error with up to {most} of each kind");
        Reason::Beyond(why)
    }))
}

fn is_model_limit(reason: &Reason) -> bool {
    matches!(reason, Reason::Limit { .. } | Reason::Undefined { .. })
}

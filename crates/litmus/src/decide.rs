//! The answer: which final states can be reached under a model, each with an execution, and whether there is a data race.
//! Every candidate execution is looked at, but not every one is asked for: of the candidates with a final state that is known to be reachable
//! nothing more is wanted (except that in C each may have a race).

use crate::candidate::{Candidate, CandidateGraph, add_coherence};
use crate::enumerate::{CandidateJudge, enumerate};
use crate::run::LitmusLimit;
use crate::test::{Datum, LitmusTest, TextPlace};
use crate::traces::{all_traces, asks_for_races};
use axioms::{Axioms, EventRelation, MAX_EVENTS, Violation, no_race};
use ccfa::{Budget, Stop};
use std::collections::{BTreeMap, BTreeSet};

/// What was found out.
#[derive(Debug, Default)]
pub struct Decision {
    /// The final states that can be reached, each with an execution.
    pub states: BTreeMap<Vec<Datum>, Candidate>,
    /// An execution with a data race, and the accesses that race.
    pub race: Option<(Candidate, Violation)>,
    /// What the test does that is beyond us: then there may be more states.
    pub limits: BTreeSet<LitmusLimit>,
    /// Were rounds of loops left out that change nothing? Then executions may wait for ever, and are not among the candidates.
    pub waits: bool,
    /// Candidate executions, incoherent ones not counted.
    pub candidates: usize,
    /// Candidates that violate the condition and the axioms: by axiom how many, and one of them.
    pub forbidden: BTreeMap<String, (usize, Candidate, Violation)>,
}

/// Decides a test.
pub fn decide(test: &LitmusTest, axioms: &Axioms, budget: &Budget) -> Result<Decision, Stop> {
    let traces = all_traces(test, budget)?;
    let (limits, waits) = (traces.limits, traces.waits);
    let decision = Decision { limits, waits, ..Decision::default() };
    let races = asks_for_races(test).then(no_race);
    let mut decider = LitmusDecider { test, axioms, races, decision };
    enumerate(test, &traces.threads, budget, &mut decider)?;
    Ok(decider.decision)
}

struct LitmusDecider<'d> {
    test: &'d LitmusTest,
    axioms: &'d Axioms,
    /// What C demands besides.
    races: Option<Axioms>,
    decision: Decision,
}

impl CandidateJudge for LitmusDecider<'_> {
    fn judge(&mut self, graph: &mut CandidateGraph, candidate: &Candidate) {
        self.decision.candidates += 1;
        let state = graph.final_state(self.test, &candidate.coherence);
        let is_known = self.decision.states.contains_key(&state);
        let asks_for_race = self.races.is_some() && self.decision.race.is_none();
        if is_known && !asks_for_race {
            return;
        }
        communicate(graph, candidate);
        match self.axioms.violated(&graph.execution) {
            None => {
                let race = self.races.as_ref().and_then(|races| races.violated(&graph.execution));
                if let (Some(race), true) = (race, asks_for_race) {
                    self.decision.race = Some((candidate.clone(), race));
                }
                self.decision.states.entry(state).or_insert_with(|| candidate.clone());
            }
            Some(violation) if self.test.condition.is_violated_by(&state) => {
                let forbidden = &mut self.decision.forbidden;
                let entry = forbidden.entry(violation.axiom.clone());
                entry.or_insert_with(|| (0, candidate.clone(), violation)).0 += 1;
            }
            Some(_) => {}
        }
    }

    fn too_many_events(&mut self) {
        let what = format!("executions with more than {MAX_EVENTS} events");
        self.decision.limits.insert(LitmusLimit { place: TextPlace { line: 1, column: 1 }, what });
    }
}

/// Adds the communication of a candidate to the graph of its events.
fn communicate(graph: &mut CandidateGraph, candidate: &Candidate) {
    let events = graph.execution.events.len();
    let mut rf = EventRelation::empty(events);
    candidate.reads_from.iter().for_each(|(write, read)| rf.add(*write, *read));
    let mut co = EventRelation::empty(events);
    candidate.coherence.iter().for_each(|order| add_coherence(&mut co, order));
    (graph.execution.rf, graph.execution.co) = (rf, co);
}

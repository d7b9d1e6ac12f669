//! Reports as data for the formats: names in the place of types.

use super::{Answers, Cause, Report};
use crate::question::Question;
use formats::{AnswerData, Assumed};

impl Answers {
    /// As data, the worst first.
    pub fn data(&self) -> Vec<AnswerData<'_>> {
        self.reports().iter().map(Report::data).collect()
    }
}

impl Report {
    fn data(&self) -> AnswerData<'_> {
        let cause = match self.verdict {
            super::Verdict::Unknown(cause) => Some(cause.name()),
            _ => None,
        };
        let assumed = self.assumptions.iter();
        AnswerData {
            questions: self.questions.iter().copied().map(Question::name).collect(),
            is_rest: self.is_rest,
            verdict: self.verdict.to_string(),
            cause,
            engine: self.engine,
            evidence: &self.evidence,
            interleaving: self.interleaving.as_ref(),
            violation: self.violation.as_ref(),
            reproducer: self.reproducer.as_ref().and_then(|made| made.as_ref().ok()),
            subproperty: self.subproperty,
            limits: &self.limits,
            assumptions: assumed.map(|it| Assumed { id: it.name(), text: it.text() }).collect(),
            never_reached: &self.never_reached,
            notes: &self.notes,
        }
    }
}

impl Cause {
    /// All of them.
    pub const ALL: [Cause; 6] = [
        Cause::Timeout,
        Cause::Memory,
        Cause::Interrupt,
        Cause::ModelLimit,
        Cause::Undecided,
        Cause::Defect,
    ];

    /// Its short name: stable, one word.
    pub fn name(self) -> &'static str {
        match self {
            Cause::Timeout => "timeout",
            Cause::Memory => "out_of_memory",
            Cause::Interrupt => "interrupt",
            Cause::ModelLimit => "model_limit",
            Cause::Undecided => "undecided",
            Cause::Defect => "defect",
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::report::failure::{ASSERTION, CALL, DEADLOCK, RACE};
    use crate::report::{BOUND, Cause, UNSUPPORTED};
    use ccfa::Undefined;
    use cfront::Assumption;
    use formats::explanations::explanations;
    use std::collections::BTreeSet;

    #[test]
    fn every_identifier_is_explained_and_nothing_else() {
        let own = [ASSERTION, CALL, RACE, DEADLOCK, UNSUPPORTED, BOUND];
        let undefined = Undefined::ALL.iter().map(|kind| kind.name());
        let causes = Cause::ALL.map(Cause::name);
        let assumptions = Assumption::ALL.iter().map(|one| one.name());
        let all = own.into_iter().chain(undefined).chain(causes).chain(assumptions);
        let explained: BTreeSet<&str> = explanations().map(|one| one.id).collect();
        assert_eq!(explained, all.collect::<BTreeSet<&str>>(), "explained (left) and used (right)");
    }
}

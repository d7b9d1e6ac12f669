//! Reports that follow the first (`--all`): what else can happen, and that nothing else can.

use super::{Report, Verdict, write};
use crate::control::Control;
use crate::decided::DecidedTask;
use crate::question::Question;
use crate::vacuity;

/// Of what else can happen, interleavings with so many rows at most are shown: a list is to be read, and the first has shown how it comes to that.
const MAX_ROWS: usize = 24;

impl DecidedTask {
    /// What is told of it; with the whole proof or interleaving, if that is wanted.
    pub fn report(&self, answered: &[Question], whole: bool, control: &mut Control) -> Report {
        let asks_for_assertions = answered.contains(&Question::Assertions);
        let reached = match self.verdict() {
            evidence::Verdict::Safe(_) if asks_for_assertions => vacuity::ask(self.task(), control),
            _ => None,
        };
        write(self.task(), self.engine(), self.verdict(), answered, whole, reached.as_ref())
    }

    /// The same of what else can happen. (Which assertions can be reached was told before, or they are not asked for any more.)
    pub fn report_of_rest(&self, answered: &[Question], whole: bool) -> Report {
        write(self.task(), self.engine(), self.verdict(), answered, whole, None)
    }
}

impl Report {
    /// Without the rows of a long interleaving.
    pub(crate) fn shorten(&mut self, every_row: bool) {
        let rows = self.interleaving.as_ref().map_or(0, |interleaving| interleaving.rows.len());
        if let Some((before, _)) = self.evidence.split_once(super::LEADS_THERE)
            && rows > MAX_ROWS
            && !every_row
        {
            let all = super::grouped(rows as u64);
            self.evidence = format!(
                "{before}, which has {all} steps, leads there (it was replayed; --proof shows it).\n"
            );
        }
    }

    /// It is about anything else than what happens at these places.
    pub(crate) fn of_the_rest(self, known: &[String]) -> Report {
        let evidence = match self.verdict {
            Verdict::Safe => self
                .evidence
                .replacen("No ", "No other ", 1)
                .replace(", and no ", ", and no other ")
                .replace(super::HAS_NONE, ""),
            _ => format!("Whether anything else can happen is not known: {}", self.evidence),
        };
        let evidence = format!("{evidence}Not asked for: {}.\n", known.join("; "));
        Report { is_rest: true, evidence, ..self }
    }
}

//! Reports that follow the first (`--all`): what else can happen, and that nothing else can.

use super::{Replayed, Report, Verdict, write};
use crate::control::Control;
use crate::decided::DecidedTask;
use crate::question::Question;
use crate::{protection, vacuity};
use ccfa::Bad;
use ccfa::property::Racing;
use ccfa::semantics::System;
use evidence::Witness;

/// Of what else can happen, interleavings with so many rows at most are shown: a list is to be read, and the first has shown how it comes to that.
const MAX_ROWS: usize = 24;

impl DecidedTask {
    /// What is told of it; with the whole proof or interleaving, or with what protects what, if that is wanted.
    pub fn report(
        &self,
        answered: &[Question],
        (whole, explain): (bool, bool),
        control: &mut Control,
    ) -> Report {
        // What a program reaches that may do more than the one that was read says nothing.
        let is_exact = !self.task().delays.is_abstract;
        let asks = is_exact && answered.contains(&Question::Assertions);
        let reached = match self.verdict() {
            evidence::Verdict::Safe(_) if asks => vacuity::ask(self.task(), control),
            _ => None,
        };
        let remarks = self.remarks(answered, explain || whole, control);
        let verdict = self.verdict();
        write(self.task(), self.engine(), verdict, answered, whole, reached.as_ref(), &remarks)
    }

    /// The same of what else can happen. (Which assertions can be reached was told before, or they are not asked for any more.)
    pub fn report_of_rest(
        &self,
        answered: &[Question],
        whole: bool,
        control: &mut Control,
    ) -> Report {
        let remarks = self.remarks(answered, false, control);
        write(self.task(), self.engine(), self.verdict(), answered, whole, None, &remarks)
    }

    /// Of races: what protects what, or which lock is held elsewhere.
    fn remarks(&self, answered: &[Question], explain: bool, control: &mut Control) -> Vec<String> {
        match self.verdict() {
            _ if !answered.contains(&Question::Races) => Vec::new(),
            evidence::Verdict::Safe(_) if explain => protection::lines(self.task(), control),
            evidence::Verdict::Unsafe(witness) => {
                self.agreed_lock(witness, control).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    /// The lock that all other accesses of what is raced for hold.
    fn agreed_lock(&self, witness: &Witness, control: &mut Control) -> Option<String> {
        let program = self.task().as_read();
        let replay = check::replay(program, witness).ok()?;
        let Bad::Race(sides) = replay.bad else { return None };
        let system = System::new(program, witness.instances);
        let details = &self.task().details;
        let run = Replayed { system: &system, witness, states: &replay.states, details };
        let held = run.held();
        let access = |side: &Racing| {
            &system.template(side.instance).edges[side.edge.index()].accesses[side.access]
        };
        let var = access(&sides[0]).cell()?.var;
        let without = |lock: &str| {
            let lacks = |side: &&Racing| !held[side.instance].iter().any(|own| own == lock);
            sides.iter().filter(lacks).map(|side| access(side).span).collect()
        };
        let lock = protection::agreed_lock(program, var, without, control)?;
        let name = program.source_name(&program.shared[var.index()]);
        Some(format!("All other accesses of {name} are made with {lock} held."))
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

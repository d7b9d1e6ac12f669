//! The answers to all questions that were asked of a program.

use super::{Report, Verdict};
use crate::question::Question;
use engine::Stop;
use std::collections::BTreeSet;
use std::fmt;

/// The answers. `Display` gives what the command line prints: if there is one, to one question, it alone; else the worst verdict in the
/// first line, then a line for each question, then each report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answers {
    reports: Vec<Report>,
}

impl Answers {
    /// The worst first; there is at least one.
    pub(crate) fn new(mut reports: Vec<Report>) -> Answers {
        reports.sort_by_key(|report| {
            let question = report.questions.first().copied();
            (report.is_rest, std::cmp::Reverse(badness(report.verdict)), question)
        });
        match reports.is_empty() {
            true => Answers::of(Report::defect("nothing was asked")),
            false => Answers { reports },
        }
    }

    /// The only one.
    pub fn of(report: Report) -> Answers {
        Answers { reports: vec![report] }
    }

    /// What was answered before all had to end. (Which questions are open, who asked knows.)
    pub fn cut_short(mut answered: Vec<Report>, why: Stop) -> Answers {
        answered.push(Report::gave_up(why));
        Answers::new(answered)
    }

    /// All of them, the worst first. One may answer several questions.
    pub fn reports(&self) -> &[Report] {
        &self.reports
    }

    /// The worst: UNSAFE, else UNKNOWN, else SAFE.
    pub fn worst(&self) -> &Report {
        &self.reports[0]
    }

    /// The answer to a question, if it was asked.
    pub fn answer(&self, question: Question) -> Option<&Report> {
        self.reports.iter().find(|report| report.questions.contains(&question))
    }

    /// If everything is looked for: how often a question is answered with UNSAFE, and whether that is all.
    fn how_many(&self, question: Question) -> String {
        let of_it = || self.reports.iter().filter(|report| report.questions.contains(&question));
        let count = of_it().filter(|report| report.verdict == Verdict::Unsafe).count();
        let others = of_it().find(|report| report.is_rest).map(|report| report.verdict);
        match others {
            Some(_) if count == 0 => String::new(),
            Some(Verdict::Safe) => format!(" ({count}, and no other)"),
            Some(_) => format!(" ({count}; whether there are others is not known)"),
            None => String::new(),
        }
    }
}

fn badness(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Safe => 0,
        Verdict::Unknown(_) => 1,
        Verdict::Refused => 2,
        Verdict::Unsafe => 3,
    }
}

impl fmt::Display for Answers {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let [only] = &self.reports[..]
            && only.questions.len() < 2
        {
            return only.fmt(out);
        }
        writeln!(out, "{}", self.worst().verdict)?;
        let questions = self.reports.iter().flat_map(|report| &report.questions);
        for question in questions.collect::<BTreeSet<_>>() {
            if let Some(report) = self.answer(*question) {
                writeln!(out, "{question}: {}{}", report.verdict, self.how_many(*question))?;
            }
        }
        for report in &self.reports {
            let name = |question: &Question| match report.is_rest {
                true => format!("other {question}"),
                false => question.to_string(),
            };
            let names: Vec<String> = report.questions.iter().map(name).collect();
            let names = if names.is_empty() { "the rest".to_string() } else { names.join(", ") };
            write!(out, "\n== {names}: {}\n{}", report.verdict, report.evidence)?;
        }
        Ok(())
    }
}

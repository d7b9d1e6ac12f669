//! A list of transformations, run once for a program.

use ccfa::Program;
use evidence::{Reduction, Verdict};

/// Makes of a program a simpler one.
pub trait Transformation {
    /// Simpler programs with their ways back, each made of the one before it; none if nothing would change.
    fn apply(&self, program: &Program) -> Vec<Box<dyn WayBack>>;
}

/// A simpler program, and the way back from it.
pub trait WayBack: Send + Sync {
    /// The simpler program.
    fn program(&self) -> &Program;

    /// What was found out about the simpler program, as evidence about the program `before`.
    fn back(&self, before: &Program, verdict: Verdict) -> Verdict;

    /// The certificate, if proofs are carried back by one.
    fn certificate(&self) -> Option<&Reduction> {
        None
    }
}

/// A program, and what a list of transformations made of it.
pub struct Pipeline {
    before: Program,
    passed: Vec<Box<dyn WayBack>>,
}

impl Pipeline {
    /// Applies the transformations one after the other. Panics if they make of a program something that is none.
    pub fn run(before: Program, list: &[Box<dyn Transformation>]) -> Pipeline {
        let mut pipeline = Pipeline { before, passed: Vec::new() };
        for transformation in list {
            let passed = transformation.apply(pipeline.program());
            pipeline.passed.extend(passed);
        }
        if !pipeline.passed.is_empty() {
            let problems = ccfa::wellformed::check(pipeline.program());
            assert_eq!(problems, Ok(()), "a transformed program should be well-formed");
        }
        pipeline
    }

    /// The program before all transformations.
    pub fn before(&self) -> &Program {
        &self.before
    }

    /// The simplest program.
    pub fn program(&self) -> &Program {
        self.passed.last().map_or(&self.before, |passed| passed.program())
    }

    /// The programs before and after each transformation, with the certificate if proofs are carried back by one.
    pub fn certificates(&self) -> impl Iterator<Item = (&Program, Option<&Reduction>)> {
        let after = self.passed.iter().map(|passed| passed.program());
        let before = std::iter::once(&self.before).chain(after);
        before.zip(self.passed.iter().map(|passed| passed.certificate()))
    }

    /// What was found out about the simplest program, as evidence about the program before.
    pub fn back(&self, mut verdict: Verdict) -> Verdict {
        for (number, passed) in self.passed.iter().enumerate().rev() {
            let before = match number.checked_sub(1) {
                Some(previous) => self.passed[previous].program(),
                None => &self.before,
            };
            verdict = passed.back(before, verdict);
        }
        verdict
    }
}

//! Known values: where a variable has one value at a location, the value stands in its place.
//!
//! Where the value of a variable is known at a location, whatever the other threads do, its
//! reads on the edges from there are replaced by the value, and edges whose guard has become
//! false are closed. C programs are full of this: numbers of created threads, states of locks
//! only one thread takes, flags of loops that were inlined. An engine that abstracts finds each
//! such value out again on every path; here it is found once.
//!
//! # Why the evidence holds for the program before
//!
//! Both programs have the same variables, locations, edges (by number) and threads. A *fact* says
//! that at a location of a template a variable has a value. Facts are about variables that belong
//! to the thread: its locals, and the shared variables that no other instance writes
//! (`own`). So they hold wherever a thread comes to the location (`facts`), and where they hold,
//! an edge does the same in both programs: it is enabled in both or in none, and writes the same
//! (`fold`, `rewrite`). In particular the two programs have the same executions, and
//!
//! - a **witness** of one is a witness of the other;
//! - a **closed set** of one that `explore` finds is one of the other: its states hold the very
//!   values of the facts, since these come from initial values and from assignments;
//! - a **tree** is one of the other once each label says the facts about the locations of its
//!   node: `back` adds them. They follow from the facts at the parent, and nodes that cover each
//!   other have the same;
//! - **assertions** are proof for the other once their regions, or a view for each thread, say its facts.
//!
//! What proofs leave out by partial-order reduction must be left out rightly in the program
//! before, too. So an edge touches the same shared variables in both, except that it may not
//! read one that no other instance writes: steps that conflict here conflict there. And steps
//! that touch any shared variable do so in both, since trees take these first.
//!
//! All this is argument, not trust: `check` confirms what comes back against the program before.
//!
//! Reading order: `facts`, `rewrite`, `back`.

use crate::facts::{self, Facts};
use crate::{Transformation, WayBack, rewrite};
use ccfa::sharing::Sharing;
use ccfa::{Program, TemplateId, VarRef};
use evidence::{Proof, Verdict};

/// Puts known values into the steps of a program.
pub struct KnownValues;

/// A program with known values put in, and what is known.
#[derive(Clone, Debug)]
pub(crate) struct Simplified {
    /// The simpler program.
    pub program: Program,
    /// What is known, by template.
    pub facts: Vec<Facts>,
}

impl Transformation for KnownValues {
    fn apply(&self, program: &Program) -> Vec<Box<dyn WayBack>> {
        let sharing = Sharing::of(program, &|_, _| true);
        let mut simpler = program.clone();
        let mut facts = Vec::new();
        for (number, template) in program.templates.iter().enumerate() {
            let owns = |var: VarRef| match var {
                VarRef::Local(_) => true,
                VarRef::Shared(id) => !sharing.others_write(TemplateId(number as u32), id),
            };
            let known = facts::facts(program, template, &owns);
            simpler.templates[number].edges = rewrite::edges(program, template, &known, &owns);
            facts.push(known);
        }
        vec![Box::new(Simplified { program: simpler, facts })]
    }
}

impl WayBack for Simplified {
    fn program(&self) -> &Program {
        &self.program
    }

    fn back(&self, _: &Program, verdict: Verdict) -> Verdict {
        match verdict {
            Verdict::Safe(Proof::Tree(tree)) => Verdict::Safe(Proof::Tree(self.tree(tree))),
            Verdict::Safe(Proof::Assertions(proof)) => {
                Verdict::Safe(Proof::Assertions(self.assertions(proof)))
            }
            same => same,
        }
    }
}

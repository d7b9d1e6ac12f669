//! Which shared variables the *other* instances read and write. **Trusted.**
//!
//! Templates stand for their instances: beside an instance of a template there are those of the
//! other templates, and those of its own if more than one instance runs it. Arrays count as a whole.

use crate::program::{Count, EdgeId, Program, SharedId, TemplateId};

/// Who reads and who writes which shared variable.
#[derive(Clone, Debug)]
pub struct Sharing {
    /// By shared variable: the templates that read it.
    readers: Vec<Vec<TemplateId>>,
    /// By shared variable: the templates that write it.
    writers: Vec<Vec<TemplateId>>,
    /// By template: is there at most one instance of it?
    single: Vec<bool>,
}

impl Sharing {
    /// Of those edges of a program that `counts` says are taken at all.
    pub fn of(program: &Program, counts: &dyn Fn(TemplateId, EdgeId) -> bool) -> Sharing {
        let mut readers = vec![Vec::new(); program.shared.len()];
        let mut writers = readers.clone();
        for (template, id) in program.templates.iter().zip((0..).map(TemplateId)) {
            for (edge, number) in template.edges.iter().zip((0..).map(EdgeId)) {
                if counts(id, number) {
                    let access = edge.read_write_sets();
                    access.shared_reads().for_each(|var| readers[var.index()].push(id));
                    access.shared_writes().for_each(|var| writers[var.index()].push(id));
                }
            }
        }
        readers.iter_mut().chain(&mut writers).for_each(Vec::dedup);
        let templates = (0..program.templates.len() as u32).map(TemplateId);
        let single = templates.map(|template| instances(program, template) <= 1).collect();
        Sharing { readers, writers, single }
    }

    /// Does an instance beside one of this template read the variable?
    pub fn others_read(&self, template: TemplateId, var: SharedId) -> bool {
        self.has_other(template, &self.readers[var.index()])
    }

    /// Does an instance beside one of this template write the variable?
    pub fn others_write(&self, template: TemplateId, var: SharedId) -> bool {
        self.has_other(template, &self.writers[var.index()])
    }

    fn has_other(&self, template: TemplateId, users: &[TemplateId]) -> bool {
        users.iter().any(|user| *user != template || !self.single[template.index()])
    }
}

/// How many instances run a template; two stand for all numbers of a parameterised thread.
pub fn instances(program: &Program, template: TemplateId) -> u64 {
    let runs = program.threads.iter().filter(|thread| thread.template == template);
    let counts = runs.map(|thread| match thread.count {
        Count::Exactly(count) => u64::from(count),
        Count::Any => 2,
    });
    counts.sum()
}

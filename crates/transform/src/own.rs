//! Which variables belong to a thread: no other instance writes them.
//!
//! Locals do. A shared variable belongs to the threads of a template if no other template
//! writes it, and this one only if there is at most one instance of it. (One that nobody writes
//! belongs to all.) What a variable of its own holds, a thread knows from what it did itself.

use ccfa::{Count, Program, SharedId, TemplateId, VarRef};

/// Who writes which shared variable.
pub(crate) struct Ownership {
    /// By shared variable: the templates that write it.
    writers: Vec<Vec<TemplateId>>,
    /// By template: is there at most one instance of it?
    single: Vec<bool>,
}

/// The ownership as one template sees it.
pub(crate) struct Owner<'a> {
    ownership: &'a Ownership,
    template: TemplateId,
}

impl Ownership {
    pub fn of(program: &Program) -> Ownership {
        let mut writers = vec![Vec::new(); program.shared.len()];
        for (number, template) in program.templates.iter().enumerate() {
            for edge in &template.edges {
                let note = |id: SharedId| writers[id.index()].push(TemplateId(number as u32));
                edge.read_write_sets().shared_writes().for_each(note);
            }
        }
        writers.iter_mut().for_each(Vec::dedup);
        let single = (0..program.templates.len()).map(|template| {
            let runs = program.threads.iter().filter(|thread| thread.template.index() == template);
            let counts = runs.map(|thread| match thread.count {
                Count::Exactly(count) => u64::from(count),
                Count::Any => 2,
            });
            counts.sum::<u64>() <= 1
        });
        Ownership { writers, single: single.collect() }
    }

    pub fn of_template(&self, template: TemplateId) -> Owner<'_> {
        Owner { ownership: self, template }
    }
}

impl Owner<'_> {
    /// Does no instance but the one that looks write this variable?
    pub fn owns(&self, var: VarRef) -> bool {
        let VarRef::Shared(id) = var else { return true };
        let is_mine =
            |writer: &TemplateId| *writer == self.template && self.ownership.single[writer.index()];
        self.ownership.writers[id.index()].iter().all(is_mine)
    }
}

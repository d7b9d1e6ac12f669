//! Finite instances: a parameterised program with a certain number of instances of each of its parameterised threads.
//!
//! Engines for a fixed number of threads look for errors of a parameterised program in its finite instances. An
//! error of one is an error of the program; that one has no error says nothing of the others.
//!
//! Where deadlocks are asked for, there is one more instance of each such thread, a *spare*, which rests at its entry and ends the program if it begins: with all others blocked, it is no deadlock if one more
//! could begin (`ccfa::property`).

use crate::{Transformation, WayBack};
use ccfa::{
    Arg, Count, Init, Instance, LocId, LocKind, Location, Program, TemplateId, Thread, ThreadId,
    Var,
};
use evidence::{Reason, Verdict, Witness};

/// So many instances of each parameterised thread.
#[derive(Clone, Copy, Debug)]
pub struct Instances(pub u32);

/// A finite instance, and how it was made.
struct WithInstances {
    instances: u32,
    program: Program,
}

impl Transformation for Instances {
    fn apply(&self, program: &Program) -> Vec<Box<dyn WayBack>> {
        if !program.is_parameterised() {
            return Vec::new();
        }
        let mut finite = program.clone();
        for thread in finite.threads.iter_mut().filter(|thread| thread.count == Count::Any) {
            thread.count = Count::Exactly(self.0);
        }
        if program.property.deadlocks {
            for thread in program.threads.iter().filter(|thread| thread.count == Count::Any) {
                add_spare(&mut finite, thread, self.0);
            }
        }
        vec![Box::new(WithInstances { instances: self.0, program: finite })]
    }
}

/// Adds the instance of a thread with this index, as far as its first step, which ends the program.
fn add_spare(finite: &mut Program, thread: &Thread, index: u32) {
    let mut template = finite.templates[thread.template.index()].clone();
    let end = LocId(template.locations.len() as u32);
    template.locations.push(Location { atomic: true, ..Location::default() });
    template.edges.retain(|edge| edge.source == template.entry);
    template.edges.iter_mut().for_each(|edge| edge.target = end);
    let is_plain = template.locations[template.entry.index()].kind == LocKind::Plain;
    template.locations[template.entry.index()].resting = is_plain;
    template.name = unused(&template.name, &|name| finite.templates.iter().any(|t| t.name == name));
    let name = unused(&thread.name, &|name| finite.threads.iter().any(|t| t.name == name));
    let args = thread.args.iter().map(|arg| match arg {
        Arg::Index(base) => Arg::Value(base + i128::from(index)),
        Arg::Value(value) => Arg::Value(*value),
    });
    let args = args.collect();
    finite.templates.push(template);
    let template = TemplateId(finite.templates.len() as u32 - 1);
    finite.threads.push(Thread { name, template, args, count: Count::Exactly(1) });
}

/// The name with dots behind it, so many that nothing is called so.
fn unused(name: &str, is_used: &dyn Fn(&str) -> bool) -> String {
    let mut name = name.to_string();
    while is_used(&name) {
        name.push('.');
    }
    name
}

impl WithInstances {
    /// Gives the instances of a witness their places in the program before, where spares stand behind the others of their threads.
    fn rename(&self, before: &Program, witness: &mut Witness) {
        let places = before.instances(witness.instances);
        let many = before.threads.iter().zip((0..).map(ThreadId));
        let many = many.filter(|(thread, _)| thread.count == Count::Any).map(|(_, thread)| thread);
        let spares = many.map(|thread| Instance { thread, index: self.instances });
        let old = before.threads.len();
        let found = self.program.instances(0).into_iter();
        let found: Vec<Instance> =
            found.filter(|one| one.thread.index() < old).chain(spares).collect();
        let place = |number: usize| {
            let same = |one: &Instance| found.get(number) == Some(one);
            places.iter().position(same).unwrap_or(number)
        };
        witness.steps.iter_mut().for_each(|step| step.instance = place(step.instance));
        let cells = |vars: &[Var]| {
            let any = vars.iter().filter(|var| var.init == Init::Any);
            any.map(Var::cells).sum::<usize>()
        };
        let mut rest = witness.initial.split_off(cells(&before.shared).min(witness.initial.len()));
        let mut own = vec![Vec::new(); places.len()];
        for (number, one) in found.iter().enumerate() {
            let after =
                rest.split_off(cells(&before.template_of(one.thread).locals).min(rest.len()));
            own[place(number).min(places.len() - 1)] = std::mem::replace(&mut rest, after);
        }
        witness.initial.extend(own.into_iter().flatten());
    }
}

impl WayBack for WithInstances {
    fn program(&self) -> &Program {
        &self.program
    }

    fn back(&self, before: &Program, verdict: Verdict) -> Verdict {
        match verdict {
            Verdict::Unsafe(mut witness) => {
                witness.instances = self.instances + u32::from(before.property.deadlocks);
                self.rename(before, &mut witness);
                Verdict::Unsafe(witness)
            }
            Verdict::Safe(_) => {
                let count = self.instances;
                let why = format!("arbitrarily many threads: no error with {count} of each kind");
                Verdict::Unknown(Reason::Beyond(why))
            }
            unknown => unknown,
        }
    }
}

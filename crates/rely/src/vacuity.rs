//! Does SAFE say anything? An assertion that no execution reaches cannot fail, and a `main` that waits for ever may
//! never come to it. So after SAFE the program is asked again, with another question: *can its assertions be reached?*
//!
//! Mostly a few executions at random come to all of them. For the rest the place where an assertion is decided becomes
//! an error, and the assertions themselves go. Where control flow does not lead there, the answer is known; else
//! `explore` looks for a way, for a short time.
//!
//! `check` runs every execution again, and confirms what `explore` finds like any other verdict: what is reported is
//! certain. Where nothing is found in time, nothing is said.

use crate::control::Control;
use crate::input::{Task, Texts};
use crate::plan::Turn;
use crate::report::{SourcePlace, covers};
use crate::strategy;
use crate::work_clock::processor_time;
use ccfa::{Edge, ErrorKind, Expr, LocId, LocKind, Location, Program, Span, Template, TemplateId};
use evidence::{Verdict, Witness};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// How long is looked at most, in milliseconds: a remark should not cost more than the answer.
const MAX_MILLISECONDS: u64 = 1_000;
/// Executions at random: what none of them reaches is hard to reach, or cannot be.
const MAX_EXECUTIONS: u64 = 32;
/// Steps of each of them: a thread that loops for ever should not keep others from being tried.
const MAX_EXECUTION_STEPS: usize = 1_000;
/// Steps of all of them: they should not take longer than to ask.
const MAX_STEPS: usize = 4_000;
/// Instances of each thread of a parameterised program in them: two can wait for each other.
const INSTANCES: u32 = 2;
/// Programs with more edges are not looked at: to make the question would already take too long.
const MAX_EDGES: usize = 4_000;

/// What can be reached of a program that is safe.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reachability {
    /// How many places with assertions there are.
    pub assertions: usize,
    /// How many of them some execution reaches.
    pub reached: usize,
    /// Those that no execution reaches.
    pub never: Vec<SourcePlace>,
    /// `main` never returns and never calls `exit`, however the program runs.
    pub main_never_ends: bool,
}

/// Asks what can be reached; `None` if it was not asked.
pub(crate) fn ask(task: &Task, control: &mut Control) -> Option<Reachability> {
    let program = task.as_read();
    let edges: usize = program.templates.iter().map(|template| template.edges.len()).sum();
    if edges > MAX_EDGES || program.property.races || program.property.deadlocks {
        return None;
    }
    let sites = sites(program);
    let time = control.budget.slice(Duration::from_millis(MAX_MILLISECONDS), processor_time);
    let whole = std::mem::replace(&mut control.budget, time);
    let answers = answers(program, &sites, control);
    control.budget = whole;
    let mut sum = Reachability::default();
    for (site, answer) in sites.iter().zip(&answers) {
        match (site.what, answer) {
            (What::End, answer) => sum.main_never_ends = *answer == SiteAnswer::Never,
            (What::Assertion(_), SiteAnswer::Reached) => sum.reached += 1,
            (What::Assertion(Some(span)), SiteAnswer::Never) if site.is_whole => {
                sum.never.push(SourcePlace::of(program, span))
            }
            (What::Assertion(_), _) => {}
        }
        sum.assertions += usize::from(site.what != What::End);
    }
    Some(sum)
}

impl Reachability {
    /// In words: whole lines.
    pub(crate) fn lines(&self) -> Vec<String> {
        let (all, reached, never) = (self.assertions, self.reached, self.never.len());
        let mut lines = Vec::new();
        match all.saturating_sub(reached + never) {
            _ if all == 0 => {}
            0 if never == 0 && all == 1 => lines.push("The assertion can be reached.".to_string()),
            0 if never == 0 => lines.push(format!("All {all} assertions can be reached.")),
            0 => lines.push(format!("Of {all} assertions, {reached} can be reached.")),
            open => lines.push(format!(
                "Of {all} assertions, {reached} can be reached; of {open} this is not known."
            )),
        }
        lines.extend(self.never.iter().map(|place| format!("Never reached: {place}")));
        if self.main_never_ends {
            lines.push("Note: main never ends.".to_string());
        }
        lines
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SiteAnswer {
    Reached,
    Never,
    NotKnown,
}

/// What is asked about: an assertion at a place of the source, in all copies that inlining has made of it; or that `main` ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Assertion(Option<Span>),
    End,
}

/// Something to be reached, and the locations any of which will do.
struct Site {
    what: What,
    /// The locations are all at which it may have begun. (Where a function is called if a condition fails, a part of the condition
    /// may decide before the last one is asked.)
    is_whole: bool,
    locations: BTreeSet<(TemplateId, LocId)>,
}

fn sites(program: &Program) -> Vec<Site> {
    let mut assertions: BTreeMap<Option<Span>, BTreeSet<(TemplateId, LocId)>> = BTreeMap::new();
    let mut calls = BTreeSet::new();
    for thread in &program.threads {
        let template = &program.templates[thread.template.index()];
        for (number, location) in template.locations.iter().enumerate() {
            if let LocKind::Error(kind) = &location.kind {
                if let ErrorKind::Call(_) = kind {
                    calls.insert(location.span);
                }
                let error = LocId(number as u32);
                let mut places = decided_at(template, error);
                if !places.is_empty() {
                    places.extend(begun_at(template, error));
                }
                let places = places.into_iter().map(|place| (thread.template, place));
                assertions.entry(location.span).or_default().extend(places);
            }
        }
    }
    // What is decided nowhere holds by itself: the front end has left out that it fails.
    assertions.retain(|_, locations| !locations.is_empty());
    let site = |(span, locations)| Site {
        what: What::Assertion(span),
        is_whole: !calls.contains(&span),
        locations,
    };
    let mut sites: Vec<Site> = assertions.into_iter().map(site).collect();
    sites.extend(main_ends(program));
    sites
}

/// Where an assertion begins, or is under way: its steps lie in its text.
fn begun_at(template: &Template, error: LocId) -> BTreeSet<LocId> {
    let text = template.locations[error.index()].span;
    let (mut found, mut waiting) = (BTreeSet::new(), vec![error]);
    while let Some(location) = waiting.pop() {
        let into = template.edges.iter().filter(|edge| edge.target == location);
        for edge in into.filter(|edge| covers(text, edge.span)) {
            if found.insert(edge.source) {
                waiting.push(edge.source);
            }
        }
    }
    found
}

/// Where it is decided that a thread comes to `error`: the last locations before it with another way to go, or behind which a
/// thread may have to wait.
fn decided_at(template: &Template, error: LocId) -> BTreeSet<LocId> {
    let edges_from = template.edges_from();
    let (mut found, mut seen, mut waiting) = (BTreeSet::new(), BTreeSet::new(), vec![error]);
    while let Some(location) = waiting.pop() {
        if !seen.insert(location) {
            continue;
        }
        if location == template.entry {
            found.insert(location);
        }
        for edge in template.edges.iter().filter(|edge| edge.target == location) {
            match edges_from[edge.source.index()].len() {
                1 if edge.guard == Expr::TRUE => waiting.push(edge.source),
                1 if location != error => drop(found.insert(location)),
                _ => drop(found.insert(edge.source)),
            }
        }
    }
    found
}

/// `main` ends by the step behind all its calls, or within a call of a function that ends it or the program. (To `abort` is no
/// end: what is assumed is often written so.)
fn main_ends(program: &Program) -> Option<Site> {
    const ENDS: [&str; 6] = ["exit", "_exit", "_Exit", "quick_exit", "pthread_exit", "thrd_exit"];
    let main = program.threads.iter().find(|thread| thread.name == "main")?.template;
    let template = &program.templates[main.index()];
    program.calls.first()?;
    let edges_from = template.edges_from();
    let ends = |edge: &&Edge| {
        let mut call = edge.call;
        let mut callers = std::iter::from_fn(|| {
            let found = &program.calls[call?.index()];
            call = found.caller;
            Some(found.function.as_str())
        });
        edges_from[edge.target.index()].is_empty()
            && template.locations[edge.target.index()].kind == LocKind::Plain
            && (edge.call.is_none() || callers.any(|caller| ENDS.contains(&caller)))
    };
    let locations = template.edges.iter().filter(ends).map(|edge| (main, edge.source)).collect();
    Some(Site { what: What::End, is_whole: true, locations })
}

/// The question as a program: a site is an error of its own; other errors are gone.
fn question<'s>(program: &Program, sites: impl Iterator<Item = (usize, &'s Site)>) -> Program {
    let mut asked = program.clone();
    for template in &mut asked.templates {
        let locations = &template.locations;
        template
            .edges
            .retain(|edge| !matches!(locations[edge.target.index()].kind, LocKind::Error(_)));
    }
    for (number, site) in sites {
        for (template, location) in &site.locations {
            let template = &mut asked.templates[template.index()];
            let target = LocId(template.locations.len() as u32);
            let kind = LocKind::Error(ErrorKind::Assertion(number.to_string()));
            template.locations.push(Location { kind, ..Location::default() });
            template.edges.push(Edge::new(*location, target, Expr::TRUE, vec![]));
        }
    }
    asked
}

fn answers(program: &Program, sites: &[Site], control: &mut Control) -> Vec<SiteAnswer> {
    let mut answers = vec![SiteAnswer::NotKnown; sites.len()];
    execute(program, sites, &mut answers);
    while answers.contains(&SiteAnswer::NotKnown) {
        let open =
            sites.iter().enumerate().filter(|(number, _)| answers[*number] == SiteAnswer::NotKnown);
        let asked = question(program, open);
        let left = within_control_flow(&asked);
        for (number, answer) in answers.iter_mut().enumerate() {
            if *answer == SiteAnswer::NotKnown && !left.contains(&number) {
                *answer = SiteAnswer::Never;
            }
        }
        if left.is_empty() {
            break;
        }
        let task = Task::reduced(asked, &transform::reductions(), Texts::new());
        let plan = vec![Turn { engine: explorer(), time: None, why: "can assertions be reached?" }];
        match strategy::decide(&task, plan, control).0.verdict() {
            Verdict::Safe(_) => answers.iter_mut().for_each(|answer| {
                if *answer == SiteAnswer::NotKnown {
                    *answer = SiteAnswer::Never;
                }
            }),
            Verdict::Unsafe(witness) => match reached(task.as_read(), witness) {
                Some(number) => answers[number] = SiteAnswer::Reached,
                None => break,
            },
            Verdict::Unknown(_) => break,
        }
    }
    answers
}

/// Finds out which sites a few executions at random come to.
fn execute(program: &Program, sites: &[Site], answers: &mut [SiteAnswer]) {
    let executions = explore::RandomExecutions::new(program, INSTANCES);
    let mut steps_left = MAX_STEPS;
    for seed in 0..MAX_EXECUTIONS {
        let execution = executions.run(seed, steps_left.min(MAX_EXECUTION_STEPS));
        steps_left -= execution.steps.len();
        let Ok((system, states)) = check::execute(program, &execution) else { continue };
        let template =
            |instance: usize| program.threads[system.instances[instance].thread.index()].template;
        let at = states.iter().flat_map(|state| state.locations.iter().enumerate());
        let visited: BTreeSet<_> = at.map(|(instance, at)| (template(instance), *at)).collect();
        for (site, answer) in sites.iter().zip(&mut *answers) {
            if !site.locations.is_disjoint(&visited) {
                *answer = SiteAnswer::Reached;
            }
        }
        if steps_left == 0 || !answers.contains(&SiteAnswer::NotKnown) {
            break;
        }
    }
}

fn explorer() -> Box<dyn engine::Engine> {
    (explore::EXPLORE.make)(&engine::Settings::default())
}

/// The sites that control flow leads to.
fn within_control_flow(program: &Program) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for thread in &program.threads {
        let template = &program.templates[thread.template.index()];
        let locations = template.locations.iter().zip(template.reachable([template.entry]));
        let connected = locations.filter(|(_, is_reachable)| *is_reachable);
        found.extend(connected.filter_map(|(location, _)| number_of(&location.kind)));
    }
    found
}

/// The site that a witness reaches.
fn reached(program: &Program, witness: &Witness) -> Option<usize> {
    let replay = check::replay(program, witness).ok()?;
    let last = replay.states.last()?;
    last.locations.iter().zip(&replay.instances).find_map(|(location, instance)| {
        let template = program.template_of(instance.thread);
        number_of(&template.locations[location.index()].kind)
    })
}

fn number_of(kind: &LocKind) -> Option<usize> {
    match kind {
        LocKind::Error(ErrorKind::Assertion(number)) => number.parse().ok(),
        _ => None,
    }
}

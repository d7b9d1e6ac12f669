//! Litmus tests: `rely check test.litmus`. The test says itself what is asked: `~exists` and `forall` are properties, and `exists` describes
//! a state that is unwanted, so all three are answered with SAFE or UNSAFE; beside it stands what herd says, Never, Sometimes or Always.
//! A data race in C is undefined behaviour, whatever the condition says.

mod graph;
mod words;

use crate::bad_input::{self, BadInput, refuse};
use crate::control::{Control, Phase};
use crate::excerpt::marked_line;
use crate::input::{Content, Input, read_text};
use crate::options::{CheckOptions, ReadOptions};
use crate::question::Question;
use crate::report::{
    Answers, Cause, ReachedLimit, Report, SourcePlace, UNSUPPORTED, Verdict, grouped,
};
use crate::show::{Format, Shown};
use axioms::{Axioms, EventTag};
use ccfa::{Budget, MemoryModel};
use cfront::Complaint;
use engine::Stop;
use litmus::test::{Architecture, LitmusTest, Operation, Quantifier, TextPlace};
use litmus::{Candidate, Decision, LitmusLimit};
use std::collections::BTreeSet;

/// Litmus tests are decided and shown, and nothing else.
pub(crate) const NO_PROGRAM: &str =
    "this is a litmus test; only `rely check` and `rely show` read it";

impl Input {
    /// A litmus test in memory, in herd's format.
    pub fn litmus(name: impl Into<String>, text: impl Into<String>) -> Input {
        Input { name: name.into(), content: Content::Litmus(text.into()) }
    }
}

/// A test to decide.
struct LitmusTask<'t> {
    /// The name of its file.
    file: &'t str,
    text: &'t str,
    test: LitmusTest,
    model: MemoryModel,
    axioms: Axioms,
    /// Was it compiled from C for the machine of the model?
    is_compiled: bool,
}

/// The text, if it is a litmus test: a file whose name ends with `.litmus`, or one in memory.
pub(crate) fn text_of(input: &Input) -> Result<Option<String>, BadInput> {
    match &input.content {
        Content::Litmus(text) => Ok(Some(text.clone())),
        Content::Files(paths) => match &paths[..] {
            [path] if path.extension().is_some_and(|end| end == "litmus") => {
                read_text(path).map(Some)
            }
            _ => Ok(None),
        },
        _ => Ok(None),
    }
}

/// Decides a litmus test.
pub(crate) fn check(
    input: &Input,
    text: &str,
    options: &CheckOptions,
    control: &mut Control,
) -> Result<Answers, BadInput> {
    only_what_a_test_can_be_asked(input.name(), options)?;
    let task = control.phase(Phase::Reading, |_| read(input, text, &options.read))?;
    let decided = control.phase(Phase::Exploring, |control| {
        litmus::decide(&task.test, &task.axioms, &control.budget)
    });
    Ok(Answers::of(match decided {
        Ok(decision) => control.phase(Phase::Checking, |_| task.report(&decision)),
        Err(why) => Report::gave_up(why),
    }))
}

/// Shows the final states of a litmus test, each with an execution; or, as a graph, the execution that matters most.
pub(crate) fn show(
    input: &Input,
    text: &str,
    options: &ReadOptions,
    format: Format,
) -> Result<Shown, BadInput> {
    let task = read(input, text, options)?;
    let decision = litmus::decide(&task.test, &task.axioms, &Budget::default());
    let decision =
        decision.map_err(|_: Stop| refuse(task.file, "there was no time to decide it"))?;
    let limit = |limit: &LitmusLimit| {
        format!("{}:{}: not supported: {}\n", task.file, limit.place, limit.what)
    };
    let unsupported = decision.limits.iter().map(limit).collect();
    let text = match format {
        Format::Text => task.all_states(&decision),
        Format::Dot => task.graph(&decision),
    };
    let text = text.map_err(|why| refuse(task.file, why))?;
    Ok(Shown { text, unsupported })
}

/// A test states its question and needs no engine.
fn only_what_a_test_can_be_asked(file: &str, options: &CheckOptions) -> Result<(), BadInput> {
    let message = if options.questions != BTreeSet::from(Question::EVERYTHING) {
        "a litmus test says itself what is asked; leave out --check and --property"
    } else if options.engine.is_some() {
        "litmus tests are decided by axioms; leave out --engine"
    } else if options.all || options.explain {
        "--all and --explain are for programs; `rely show` has all final states of a litmus test"
    } else {
        return Ok(());
    };
    Err(refuse(file, message))
}

fn read<'t>(
    input: &'t Input,
    text: &'t str,
    options: &ReadOptions,
) -> Result<LitmusTask<'t>, BadInput> {
    let (file, model) = (input.name(), options.memory_model);
    bad_input::must_begin_by_itself(file, options.entry.as_ref())?;
    let test = litmus::parse(text)
        .map_err(|mistake| at_place(file, text, mistake.place, mistake.message))?;
    let models = test.architecture.models();
    if !models.contains(&model) {
        let names: Vec<&str> = models.iter().map(|model| model.name()).collect();
        let names = names.join(", ");
        let message = format!(
            "a test for {} is not decided under {model}; its models are {names} (--memory-model)",
            test.architecture.name()
        );
        return Err(at_place(file, text, TextPlace { line: 1, column: 1 }, message));
    }
    let compiled = litmus::compile(&test, model);
    let is_compiled = compiled.architecture != test.architecture;
    if is_compiled && test.condition.text == litmus::NO_CONDITION {
        let message = format!("the test has no condition, and there are no races under {model}");
        return Err(at_place(file, text, TextPlace { line: 1, column: 1 }, message));
    }
    let (test, axioms) = (compiled, axioms::axioms(model));
    Ok(LitmusTask { file, text, test, model, axioms, is_compiled })
}

fn at_place(file: &str, text: &str, place: TextPlace, message: String) -> BadInput {
    let excerpt = text.lines().nth(place.line as usize - 1).map(str::to_string);
    let (file, place) = (file.to_string(), Some((place.line, place.column, 1)));
    BadInput { complaints: vec![Complaint { message, file, place, excerpt }] }
}

impl LitmusTask<'_> {
    fn report(&self, decision: &Decision) -> Report {
        if decision.states.is_empty() && decision.limits.is_empty() {
            return match decision.waits {
                true => {
                    Report::unknown(Cause::ModelLimit, "no execution ends: a thread always waits")
                }
                false => Report::defect("the test has no execution"),
            };
        }
        if let Some((candidate, race)) = &decision.race {
            return self.confirmed(decision, candidate, &self.race(&race.events));
        }
        let mut violations = decision.states.iter();
        let violation =
            violations.find(|(state, _)| self.test.condition.is_violated_by(state.as_slice()));
        match (violation, decision.limits.first()) {
            (Some((_, candidate)), _) => {
                let condition = &self.test.condition;
                let sentence = match condition.quantifier {
                    Quantifier::Exists => format!("This can happen: {}", condition.text),
                    _ => format!("This does not hold: {}", condition.text),
                };
                self.confirmed(decision, candidate, &sentence)
            }
            (None, Some(limit)) => self.limit(limit),
            (None, None) => Report::new(Verdict::Safe, &self.proved(decision)),
        }
    }

    /// An execution that the checker confirms.
    fn confirmed(&self, decision: &Decision, candidate: &Candidate, sentence: &str) -> Report {
        let (graph, state) = match litmus::verify(&self.test, &self.axioms, candidate) {
            Ok(verified) => verified,
            Err(why) => return Report::defect(&format!("an execution was refuted: {why}")),
        };
        let shows_it = match decision.race {
            Some(_) => axioms::no_race().violated(&graph.execution).is_some(),
            None => self.test.condition.is_violated_by(&state),
        };
        if !shows_it {
            return Report::defect("an execution does not show what it should");
        }
        let lines = [
            format!("{sentence}\n{}\n", self.observation(decision)),
            "This execution shows it (it was verified):\n".to_string(),
            words::execution(&self.test, &graph, candidate),
            words::why_not_sequential(&self.test, &graph),
        ];
        Report::new(Verdict::Unsafe, &lines.join("\n"))
    }

    fn race(&self, events: &[usize]) -> String {
        let names: Vec<String> = events
            .iter()
            .map(|event| words::event_name(*event, self.test.locations.len()))
            .collect();
        format!(
            "There can be a data race, which is undefined behaviour in C, between the accesses {}.",
            names.join(" and ")
        )
    }

    /// What the proof rests on: all candidates, and the axioms against those that would violate the condition.
    fn proved(&self, decision: &Decision) -> String {
        let condition = &self.test.condition;
        let sentence = match condition.quantifier {
            Quantifier::Exists => format!("This cannot happen: {}", condition.text),
            _ => format!("This holds: {}", condition.text),
        };
        let looked_at = format!(
            "All candidate executions were looked at: {}, besides incoherent ones.",
            grouped(decision.candidates as u64)
        );
        let mut lines = vec![sentence, self.observation(decision), looked_at];
        for (axiom, (count, candidate, violation)) in &decision.forbidden {
            let candidates = match count {
                1 => "1 candidate that is against it violates".to_string(),
                _ => format!("{} candidates that are against it violate", grouped(*count as u64)),
            };
            lines.push(format!("{candidates} the axiom `{axiom}`, for example this one:\n"));
            lines.push(match words::candidate(&self.test, candidate) {
                Some(text) => text,
                None => continue,
            });
            lines.push(words::violation(&self.test, violation));
        }
        lines.join("\n")
    }

    /// `SB: Sometimes. 4 final states can be reached under tso, 1 of them with this property.`
    fn observation(&self, decision: &Decision) -> String {
        let holds = |state: &&Vec<litmus::test::Datum>| {
            self.test.condition.proposition.holds(state.as_slice())
        };
        let (all, with) = (decision.states.len(), decision.states.keys().filter(holds).count());
        let word = match with {
            0 => "Never",
            _ if with == all => "Always",
            _ => "Sometimes",
        };
        let states = if all == 1 { "final state" } else { "final states" };
        let compiled = match self.is_compiled {
            true => {
                "\nAtomic operations were compiled by the published scheme; plain accesses are the machine's."
            }
            false => "",
        };
        let lines = self.weaker_orders();
        let assumed = match lines.is_empty() {
            true => String::new(),
            false => format!(
                "\nAssumed: memory is sequentially consistent; there are weaker orders at lines {}.",
                lines.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
            ),
        };
        let waits = match decision.waits {
            true => "\nExecutions that wait for ever have no final state, and are not looked at.",
            false => "",
        };
        let least = if decision.limits.is_empty() { "" } else { "At least " };
        format!(
            "{}: {word}. {least}{all} {states} can be reached under {}, {with} of them with the property.{compiled}{assumed}{waits}",
            self.test.name, self.model
        )
    }

    /// The lines with atomic operations that are not `seq_cst`, of a test in C that is decided under `sc`.
    fn weaker_orders(&self) -> BTreeSet<u32> {
        let is_weaker = |operation: &Operation| match operation {
            Operation::Load { access, .. } | Operation::Store { access, .. } => {
                access.tags.contains(EventTag::Relaxed) && !access.tags.contains(EventTag::SeqCst)
            }
            Operation::Modify(modification) => {
                let tags = [modification.access.tags, modification.failure_tags];
                tags.iter().any(|tags| !tags.contains(EventTag::SeqCst))
            }
            Operation::Fence(tags) => !tags.contains(EventTag::SeqCst),
            _ => false,
        };
        if self.model != MemoryModel::Sc || self.test.architecture != Architecture::C {
            return BTreeSet::new();
        }
        let instructions = self.test.threads.iter().flat_map(|code| &code.instructions);
        let weaker = instructions.filter(|instruction| is_weaker(&instruction.operation));
        weaker.map(|instruction| instruction.place.line).collect()
    }

    fn limit(&self, limit: &LitmusLimit) -> Report {
        let LitmusLimit { place, what } = limit;
        let line = self.text.lines().nth(place.line as usize - 1).unwrap_or_default();
        let marked = marked_line(place.line, line, place.column, 1);
        let text = format!("not supported: {what}\n{}:{place}\n{marked}", self.file);
        let (line, column) = (place.line, place.column);
        let place = Some(SourcePlace { file: self.file.to_string(), line, column });
        let limit = ReachedLimit { id: UNSUPPORTED, what: what.clone(), place: place.clone() };
        Report { place, limits: vec![limit], ..Report::unknown(Cause::ModelLimit, &text) }
    }

    /// Every final state, and how it is reached.
    fn all_states(&self, decision: &Decision) -> Result<String, String> {
        let mut text = format!("{}\n", self.observation(decision));
        for (state, candidate) in &decision.states {
            let (graph, _) = litmus::verify(&self.test, &self.axioms, candidate)?;
            let has = self.test.condition.proposition.holds(state);
            let mark = if has { " (with the property)" } else { "" };
            text += &format!("\n{}{mark}\n", words::state(&self.test, state));
            text += &words::execution(&self.test, &graph, candidate);
            text += &words::why_not_sequential(&self.test, &graph);
        }
        Ok(text)
    }

    /// The graph of a race, of an execution that violates the condition, of a candidate that would, or of any execution.
    fn graph(&self, decision: &Decision) -> Result<String, String> {
        let race = decision.race.iter().map(|(candidate, _)| candidate);
        let violated = |(state, candidate)| {
            let state: &Vec<litmus::test::Datum> = state;
            self.test.condition.is_violated_by(state).then_some(candidate)
        };
        let violations = decision.states.iter().filter_map(violated);
        let forbidden = decision.forbidden.values().map(|(_, candidate, _)| candidate);
        let any = decision.states.values();
        let candidate = race.chain(violations).chain(forbidden).chain(any).next();
        let candidate = candidate.ok_or("the test has no execution")?;
        let graph = words::graph_of(&self.test, candidate).ok_or("the test has no execution")?;
        Ok(graph::write(&self.test, &graph))
    }
}

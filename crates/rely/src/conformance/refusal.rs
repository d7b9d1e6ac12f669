//! A thread does not conform: the phased execution that no abstract one matches, step
//! by step, with the states the abstract thread could be in, and why none of them
//! can follow.

use super::pairs::Pair;
use crate::input::Task;
use crate::report::{Report, SourcePlace, Verdict};
use ::conform::explain::{Blame, End, Explanation, Phase, Seen, describe};
use ::conform::{Checker, explain};
use ccfa::{Span, Template};
use evidence::Witness;

/// More reasons than this are only counted: a screen has no more lines.
const MAX_REASONS: usize = 24;

/// What is most often forgotten.
const HINT: &str = "
If other threads never do what they do here before a step (because of a lock, perhaps), then let the
abstract thread assert, in the state where it matters, what the thread relies on.
";

/// The report on a thread that does not conform.
pub fn report(task: &Task, pair: &Pair, checker: &Checker, witness: &Witness) -> Report {
    let replay = match check::replay(&checker.program, witness) {
        Ok(replay) => replay,
        Err(why) => return Report::defect(&format!("a confirmed witness does not replay: {why}")),
    };
    let edges: Vec<ccfa::EdgeId> = witness.steps.iter().map(|step| step.edge).collect();
    let explanation = explain(&task.program, &pair.machine, checker, &replay.states, &edges);
    let story = Story { task, pair };
    Report::new(Verdict::Refused, &story.tell(&explanation))
}

struct Story<'a> {
    task: &'a Task,
    pair: &'a Pair,
}

impl Story<'_> {
    fn tell(&self, explanation: &Explanation) -> String {
        let thread = &self.task.program.threads[self.pair.thread.index()].name;
        let mut text = format!(
            "Thread {thread} does not conform to its abstract thread {}.\n\n\
             It can take these steps (they were replayed; before each, other threads may have done\n\
             anything), and the abstract thread could be in these states:\n\n",
            self.pair.machine.name,
        );
        if let Some(first) = explanation.phases.first() {
            text += &format!("  at first: {}\n", self.states(&first.before));
        }
        for (number, phase) in explanation.phases.iter().enumerate() {
            let last = number + 1 == explanation.phases.len();
            text += &self.phase(number + 1, phase, last, &explanation.end);
        }
        text + &self.end(&explanation.end) + HINT
    }

    fn phase(&self, number: usize, phase: &Phase, last: bool, end: &End) -> String {
        let mut line = format!("\n  {number}. {}\n", self.step(phase));
        let values: Vec<String> = phase.values.iter().map(value).collect();
        if !values.is_empty() {
            line += &format!("     with {}\n", values.join(", "));
        }
        match (last, end) {
            (true, End::Wrong(what)) => line + &format!("     goes wrong: {what}\n"),
            _ => line + &format!("     then: {}\n", self.states(&phase.after)),
        }
    }

    fn states(&self, nodes: &[usize]) -> String {
        match nodes {
            [] => "no state".into(),
            _ => nodes.iter().map(|node| self.name(*node)).collect::<Vec<_>>().join(", "),
        }
    }

    fn name(&self, node: usize) -> String {
        self.pair.machine.nodes[node].name.clone()
    }

    /// What the thread does, as it stands in the source.
    fn step(&self, phase: &Phase) -> String {
        let template: &Template = self.task.program.template_of(self.pair.thread);
        let spans: Vec<Span> =
            phase.edges.iter().filter_map(|edge| template.edges[edge.index()].span).collect();
        let Some(span) = spans.first() else {
            let first = phase.edges.first().map(|edge| &template.edges[edge.index()]);
            let step = first.map(|edge| ccfa::text::print_step(&self.task.program, template, edge));
            return step.filter(|step| !step.is_empty()).unwrap_or_else(|| "a step".into());
        };
        let line = crate::report::source_line(self.task, &self.task.program, *span).map(str::trim);
        format!("{}: {}", SourcePlace::of(&self.task.program, *span), line.unwrap_or("a step"))
    }

    fn end(&self, end: &End) -> String {
        match end {
            End::Wrong(_) => "\nIn none of these states does the abstract thread go wrong with it: its assertions hold.\n".into(),
            End::NoMatch(blames) => {
                let shown = blames.iter().take(MAX_REASONS);
                let lines: Vec<String> = shown.map(|blame| self.blame(blame)).collect();
                let left = blames.len().saturating_sub(MAX_REASONS);
                let more = if left > 0 { format!("  and {left} more\n") } else { String::new() };
                format!("\nNo abstract step fits the last one:\n{}{more}", lines.concat())
            }
        }
    }

    fn blame(&self, blame: &Blame) -> String {
        let machine = &self.pair.machine;
        let node = self.name(blame.node);
        match blame.step {
            None => format!("  in {node}, staying there: {}\n", blame.why),
            Some(number) => {
                let step = &machine.moves[number];
                let line =
                    step.span.map(|span| format!(", line {}", span.line)).unwrap_or_default();
                let demand = describe(&self.task.program, machine, step);
                format!("  {node} -> {} ({demand}{line}): {}\n", self.name(step.to), blame.why)
            }
        }
    }
}

fn value(seen: &Seen) -> String {
    match seen.old == seen.new {
        true => format!("{} = {}", seen.name, seen.old),
        false => format!("{}: {} becomes {}", seen.name, seen.old, seen.new),
    }
}

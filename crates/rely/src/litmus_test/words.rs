//! Executions in words: what each thread does, who reads from whom, and the cycle that sequential consistency would forbid.

use axioms::{Axioms, EventAction, EventTag, EventTags, Violation};
use litmus::test::{Datum, LitmusTest};
use litmus::{Candidate, CandidateGraph};

/// The letter of an event; initial writes have none. After `z` comes `a1`.
pub(super) fn event_name(event: usize, initial: usize) -> String {
    let Some(number) = event.checked_sub(initial) else {
        return "the initial value".to_string();
    };
    let letter = char::from(b'a' + (number % 26) as u8);
    match number / 26 {
        0 => letter.to_string(),
        round => format!("{letter}{round}"),
    }
}

/// The graph of a candidate, which no axiom needs to allow.
pub(super) fn graph_of(test: &LitmusTest, candidate: &Candidate) -> Option<CandidateGraph> {
    let nothing = Axioms::parse("").expect("a model without axioms can be read");
    litmus::verify(test, &nothing, candidate).ok().map(|(graph, _)| graph)
}

/// A candidate in words.
pub(super) fn candidate(test: &LitmusTest, candidate: &Candidate) -> Option<String> {
    graph_of(test, candidate).map(|graph| execution(test, &graph, candidate))
}

/// A final state: `0:EAX=0, x=1`.
pub(super) fn state(test: &LitmusTest, state: &[Datum]) -> String {
    let parts = test.observed.iter().zip(state).map(|(observable, value)| {
        format!("{}={}", test.observable_name(*observable), test.show(*value))
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// What the threads do, a line for each event; then the order of writes where there is more than one.
pub(super) fn execution(
    test: &LitmusTest,
    graph: &CandidateGraph,
    candidate: &Candidate,
) -> String {
    let initial = test.locations.len();
    let name = |event: usize| event_name(event, initial);
    let mut text = String::new();
    for thread in 0..test.threads.len() {
        text += &format!("  P{thread}\n");
        for event in 0..graph.values.len() {
            let Some((_, instruction)) = graph.origins[event].filter(|(of, _)| *of == thread)
            else {
                continue;
            };
            let line = test.threads[thread].instructions[instruction].place.line;
            let source = candidate.reads_from.iter().find(|(_, read)| *read == event);
            let source = source.map(|(write, _)| format!(", from {}", name(*write)));
            let what = does(test, graph, event);
            let source = source.unwrap_or_default();
            text += &format!("    {:<3} {what:<24} line {line}{source}\n", name(event));
        }
    }
    for order in candidate.coherence.iter().filter(|order| order.len() > 2) {
        let names: Vec<String> = order[1..].iter().map(|write| name(*write)).collect();
        let location = &test.locations[order[0]].name;
        text += &format!("  {location} is written in this order: {}\n", names.join(", "));
    }
    text
}

/// `write x = 1 (release)`
pub(super) fn does(test: &LitmusTest, graph: &CandidateGraph, event: usize) -> String {
    let known = &graph.execution.events[event];
    let location = known.location.map_or("", |location| test.locations[location].name.as_str());
    let value = test.show(graph.values[event]);
    let tags = tag_words(known.tags);
    match known.action {
        EventAction::Read => format!("read {location} = {value}{tags}"),
        EventAction::Write => format!("write {location} = {value}{tags}"),
        EventAction::Fence => format!("fence{tags}"),
    }
}

fn tag_words(tags: EventTags) -> String {
    let strongest = [
        (EventTag::SeqCst, "seq_cst"),
        (EventTag::NonAtomic, "not atomic"),
        (EventTag::Locked, "locked"),
        (EventTag::Mfence, "mfence"),
        (EventTag::Sfence, "sfence"),
        (EventTag::Lfence, "lfence"),
        (EventTag::Sync, "sync"),
        (EventTag::Lwsync, "lwsync"),
        (EventTag::Eieio, "eieio"),
        (EventTag::Isync, "isync"),
        (EventTag::DmbFull, "dmb sy"),
        (EventTag::DmbLoad, "dmb ld"),
        (EventTag::DmbStore, "dmb st"),
        (EventTag::Isb, "isb"),
        (EventTag::LoadAcquire, "acquire"),
        (EventTag::LoadAcquirePc, "acquire-pc"),
        (EventTag::StoreRelease, "release"),
    ];
    let both = tags.contains(EventTag::Acquire) && tags.contains(EventTag::Release);
    let of_c = match (both, tags.contains(EventTag::Acquire), tags.contains(EventTag::Release)) {
        (true, ..) => Some("acq_rel"),
        (_, true, _) => Some("acquire"),
        (_, _, true) => Some("release"),
        _ => tags.contains(EventTag::Relaxed).then_some("relaxed"),
    };
    let found = strongest.iter().find(|(tag, _)| tags.contains(*tag)).map(|(_, word)| *word);
    found.or(of_c).map_or(String::new(), |word| format!(" ({word})"))
}

/// Why no interleaving does this, or an interleaving that does.
pub(super) fn why_not_sequential(test: &LitmusTest, graph: &CandidateGraph) -> String {
    let execution = &graph.execution;
    let fr = execution.from_reads();
    let order = execution.po.union(&execution.rf).union(&execution.co).union(&fr);
    let name = |event: usize| event_name(event, test.locations.len());
    let Some(cycle) = order.cycle() else {
        let names: Vec<String> = interleaving(graph).map(name).collect();
        return format!("Sequential consistency allows it, too: {}\n", names.join(", "));
    };
    let mut text =
        "Sequential consistency forbids it: each would come before the next, in a circle\n"
            .to_string();
    for (position, &from) in cycle.iter().enumerate() {
        let to = cycle[(position + 1) % cycle.len()];
        let (first, second) = (name(from), name(to));
        let thread = |event: usize| execution.events[event].thread.unwrap_or_default();
        let why = if execution.po.contains(from, to) {
            format!("program order of P{}", thread(from))
        } else if execution.rf.contains(from, to) {
            format!("{second} reads what {first} has written")
        } else if fr.contains(from, to) {
            let what = does(test, graph, to);
            format!("the {what} of P{} is not yet visible to P{}", thread(to), thread(from))
        } else {
            format!("{second} overwrites what {first} has written")
        };
        text += &format!("    {first} before {second}: {why}\n");
    }
    text
}

/// The events of the threads in an order that respects all relations.
fn interleaving(graph: &CandidateGraph) -> impl Iterator<Item = usize> {
    let execution = &graph.execution;
    let order = execution.po.union(&execution.rf).union(&execution.co);
    let order = order.union(&execution.from_reads()).transitive_closure();
    let mut events: Vec<usize> = (0..graph.values.len()).collect();
    events.sort_by_key(|event| order.pairs().filter(|(_, to)| to == event).count());
    let of_thread = events.into_iter().filter(|event| graph.origins[*event].is_some());
    of_thread.collect::<Vec<_>>().into_iter()
}

/// Which events show that an axiom does not hold.
pub(super) fn violation(test: &LitmusTest, violation: &Violation) -> String {
    let names: Vec<String> =
        violation.events.iter().map(|event| event_name(*event, test.locations.len())).collect();
    format!("  against `{}`: {}\n", violation.axiom, names.join(", "))
}

//! Tidies the places that a lowered program speaks of.

use ccfa::{Call, CallId, Program, Span};

/// Keeps only the files that some span names; the first stays in any case.
pub fn keep_used_files(program: &mut Program) {
    let mut used = vec![false; program.files.len()];
    if let Some(first) = used.first_mut() {
        *first = true;
    }
    each_span(program, |span| used[span.file as usize] = true);
    let mut numbers = vec![0; used.len()];
    let mut kept = Vec::new();
    for (number, file) in std::mem::take(&mut program.files).into_iter().enumerate() {
        if used[number] {
            numbers[number] = kept.len() as u32;
            kept.push(file);
        }
    }
    program.files = kept;
    each_span(program, |span| span.file = numbers[span.file as usize]);
}

/// Keeps only the calls that some edge is in, and the calls around these.
pub fn keep_used_calls(program: &mut Program) {
    let mut used = vec![false; program.calls.len()];
    for call in program.templates.iter().flat_map(|t| &t.edges).filter_map(|edge| edge.call) {
        used[call.index()] = true;
    }
    for number in (0..used.len()).rev() {
        if let Some(caller) = program.calls[number].caller.filter(|_| used[number]) {
            used[caller.index()] = true;
        }
    }
    let before = |call: CallId| used[..call.index()].iter().filter(|used| **used).count() as u32;
    let renumber = |call: Option<CallId>| call.map(|call| CallId(before(call)));
    for edge in program.templates.iter_mut().flat_map(|template| &mut template.edges) {
        edge.call = renumber(edge.call);
    }
    let calls = std::mem::take(&mut program.calls).into_iter().zip(&used);
    program.calls = calls
        .filter(|(_, used)| **used)
        .map(|(call, _)| Call { caller: renumber(call.caller), ..call })
        .collect();
}

fn each_span(program: &mut Program, mut visit: impl FnMut(&mut Span)) {
    for template in &mut program.templates {
        template
            .locations
            .iter_mut()
            .filter_map(|location| location.span.as_mut())
            .for_each(&mut visit);
        for edge in &mut template.edges {
            let accesses = edge.accesses.iter_mut().filter_map(|access| access.span.as_mut());
            edge.span.as_mut().into_iter().chain(accesses).for_each(&mut visit);
        }
    }
    program.calls.iter_mut().filter_map(|call| call.site.as_mut()).for_each(visit);
}

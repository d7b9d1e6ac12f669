//! Tidies the places that a lowered program speaks of.

use crate::ABSTRACT_PREFIX;
use ccfa::{Call, CallId, Program, Span};
use std::collections::HashSet;

/// Keeps only the files that some span names; the first stays in any case. By file: is it kept?
pub fn keep_used_files(program: &mut Program) -> Vec<bool> {
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
    used
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

/// Macros make lines longer: a column behind the end of the user's line becomes
/// that of its first word.
pub fn clamp_columns(program: &mut Program, texts: &[Option<String>]) {
    let lines: Vec<Option<Vec<&str>>> =
        texts.iter().map(|text| text.as_ref().map(|text| text.lines().collect())).collect();
    each_span(program, |span| {
        let line =
            lines[span.file as usize].as_ref().and_then(|lines| lines.get(span.line as usize - 1));
        if let Some(line) = line
            && span.column as usize > line.chars().count()
        {
            let blanks = line.chars().take_while(|c| c.is_whitespace()).count();
            *span = Span::at(span.file, span.line, blanks as u32 + 1);
        }
        let last =
            lines[span.file as usize].as_ref().and_then(|l| l.get(span.end_line as usize - 1));
        if last.is_some_and(|line| span.end_column as usize > line.chars().count() + 1) {
            *span = Span::at(span.file, span.line, span.column);
        }
    });
}

/// The states of abstract threads have the names of the labels that stand there.
pub fn name_labels(program: &mut Program, texts: &[Option<String>]) {
    for template in &mut program.templates {
        if !template.name.starts_with(ABSTRACT_PREFIX) {
            continue;
        }
        let mut used = HashSet::new();
        for location in &mut template.locations {
            let label = location.span.and_then(|span| label_at(span, texts));
            location.name = label.filter(|label| used.insert(label.clone())).unwrap_or_default();
        }
    }
}

/// The label that stands at a place, if one does.
fn label_at(span: Span, texts: &[Option<String>]) -> Option<String> {
    let line = texts[span.file as usize].as_ref()?.lines().nth(span.line as usize - 1)?;
    let rest: String = line.chars().skip(span.column as usize - 1).collect();
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    let (name, after) = rest.split_at(end);
    let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let is_label = after.trim_start().starts_with(':') && name != "default";
    (is_name && is_label).then(|| name.to_string())
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

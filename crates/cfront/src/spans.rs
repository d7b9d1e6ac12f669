//! Tidies the places that a lowered program speaks of.

use ccfa::{Program, Span};

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
            span.column = blanks as u32 + 1;
        }
    });
}

fn each_span(program: &mut Program, mut visit: impl FnMut(&mut Span)) {
    for template in &mut program.templates {
        template
            .locations
            .iter_mut()
            .filter_map(|location| location.span.as_mut())
            .for_each(&mut visit);
        template.edges.iter_mut().filter_map(|edge| edge.span.as_mut()).for_each(&mut visit);
    }
}

//! Points at places in source text: file, line and column, the line itself and
//! a caret under the place.

use crate::bad_input::BadInput;
use cfront::Complaint;

/// More complaints than these are not shown: later ones mostly follow from earlier ones.
const MAX_COMPLAINTS: usize = 20;
/// Longer lines are cut around the caret: a line of generated code can be very long.
const MAX_COLUMNS: usize = 100;
/// Longer messages are cut: a program can have a name of a million letters.
const MAX_MESSAGE_CHARACTERS: usize = 20_000;

/// All complaints about an input.
pub fn complaints(bad: &BadInput) -> String {
    let mut text = String::new();
    for complaint in bad.complaints.iter().take(MAX_COMPLAINTS) {
        text += &describe(complaint);
    }
    if let Some(more @ 1..) = bad.complaints.len().checked_sub(MAX_COMPLAINTS) {
        text += &format!("error: … and {more} more\n");
    }
    text
}

fn describe(complaint: &Complaint) -> String {
    let Complaint { message, file, place, excerpt } = complaint;
    let message = match message.char_indices().nth(MAX_MESSAGE_CHARACTERS) {
        Some((end, _)) => format!("{}…", &message[..end]),
        None => message.clone(),
    };
    match (place, excerpt) {
        (None, _) => format!("error: {file}: {message}\n"),
        (Some((line, column, _)), None) => format!("error: {file}:{line}:{column}: {message}\n"),
        (Some((line, column, width)), Some(excerpt)) => {
            let marked = marked_line(*line, excerpt, *column, *width);
            format!("error: {file}:{line}:{column}: {message}\n{marked}")
        }
    }
}

/// A line of source with carets under `width` characters from `column` (from
/// 1); under all of it, if the line has no such column.
pub fn marked_line(number: u32, line: &str, column: u32, width: u32) -> String {
    let line: Vec<char> = line.trim_end().chars().map(visible).collect();
    let (column, width) = match column as usize {
        column if (1..=line.len() + 1).contains(&column) => (column - 1, width.max(1) as usize),
        _ => (line.iter().take_while(|c| **c == ' ').count(), line.len()),
    };
    let first = if column < MAX_COLUMNS * 3 / 4 { 0 } else { column - MAX_COLUMNS / 2 };
    let last = line.len().min(first + MAX_COLUMNS);
    let shown: String = line[first..last].iter().collect();
    let carets = "^".repeat(width.min(last.saturating_sub(column)).max(1));
    let indent = " ".repeat(column - first);
    let gutter = " ".repeat(number.to_string().len());
    format!(" {number} | {shown}\n {gutter} | {indent}{carets}\n")
}

/// One column for every character, so that carets stand where they belong.
fn visible(character: char) -> char {
    if character.is_control() { ' ' } else { character }
}

#[cfg(test)]
mod tests {
    use super::marked_line;

    #[test]
    fn the_caret_stands_under_its_place() {
        assert_eq!(marked_line(7, "\tx = y;", 6, 1), " 7 |  x = y;\n   |      ^\n");
        assert_eq!(marked_line(12, "abc", 2, 9), " 12 | abc\n    |  ^^\n");
    }

    #[test]
    fn places_outside_the_line_are_survived() {
        assert_eq!(marked_line(1, "", 1, 1), " 1 | \n   | ^\n");
        assert_eq!(marked_line(1, "  ab", 99, 3), " 1 |   ab\n   |   ^^\n");
        assert_eq!(marked_line(1, "ab", 0, 1), " 1 | ab\n   | ^^\n");
    }

    #[test]
    fn long_lines_are_cut() {
        let line = format!("{}x{}", "a".repeat(500), "b".repeat(500));
        let marked = marked_line(1, &line, 501, 1);
        let (text, carets) = marked.split_once('\n').expect("two lines");
        assert!(text.chars().count() < 110);
        assert_eq!(text.find('x'), carets.find('^'));
    }
}

//! Rows of a place and a statement, set in two columns and kept to a page.

/// A line of text is broken if it gets longer than this: a terminal would break it anywhere.
const MAX_COLUMNS: usize = 100;
/// The first column is not wider than this: the second needs the space.
const MAX_FIRST_COLUMNS: usize = 24;

/// Where, and what.
pub struct Row {
    place: String,
    text: String,
    cases: usize,
}

impl Row {
    /// A row.
    pub fn new(place: String, text: String) -> Row {
        Row { place, text, cases: 0 }
    }

    /// It sums up so many cases, if not 0.
    pub fn with_cases(self, cases: usize) -> Row {
        Row { cases, ..self }
    }
}

/// The rows below a heading; nothing if there are none. Beyond `most`, they are only counted.
pub fn section(heading: &str, rows: &[Row], most: usize) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let length = |row: &Row| row.place.chars().count();
    let width = rows.iter().take(most).map(length).max().unwrap_or(0).min(MAX_FIRST_COLUMNS);
    let mut text = format!("  {heading}\n");
    for row in rows.iter().take(most) {
        text += &lines(row, width);
    }
    if rows.len() > most {
        text += &format!("    ({} more left out)\n", rows.len() - most);
    }
    text
}

fn lines(row: &Row, width: usize) -> String {
    let mut statement = row.text.clone();
    if row.cases > 0 {
        statement += &format!("  ({} cases, summed up)", row.cases);
    }
    let indent = width + 6;
    let first = match row.place.chars().count() <= width {
        true => format!("    {:<width$}  ", row.place),
        false => format!("    {}\n{}", row.place, " ".repeat(indent)),
    };
    let broken = wrapped(&statement, MAX_COLUMNS - indent);
    format!("{first}{}\n", broken.join(&format!("\n{}", " ".repeat(indent + 2))))
}

/// Broken at `&&` and `||`.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for piece in pieces(text) {
        let line = lines.last_mut().expect("there is a line");
        if line.is_empty() || line.chars().count() + piece.chars().count() <= width {
            line.push_str(piece);
        } else {
            lines.push(piece.trim_start().to_string());
        }
    }
    lines
}

/// The text in pieces that begin with an operator.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let operators = text.match_indices(" && ").chain(text.match_indices(" || "));
    let mut breaks: Vec<usize> = operators.map(|(at, _)| at).collect();
    breaks.sort_unstable();
    for at in breaks {
        pieces.push(&text[start..at]);
        start = at;
    }
    pieces.push(&text[start..]);
    pieces
}

#[cfg(test)]
mod tests {
    use super::{Row, section, wrapped};

    #[test]
    fn two_columns_and_a_count() {
        let row = |place: &str, text: &str| Row::new(place.into(), text.into());
        let rows = [row("line 3", "x"), row("line 12", "y").with_cases(7), row("line 13", "z")];
        let expected = "  Heading\n    line 3   x\n    line 12  y  (7 cases, summed up)\n    (1 more left out)\n";
        assert_eq!(section("Heading", &rows, 2), expected);
        assert_eq!(section("Heading", &[], 2), "");
    }

    #[test]
    fn long_statements_are_broken_at_operators() {
        assert_eq!(wrapped("a == 1 && b == 2 || c", 17), ["a == 1 && b == 2", "|| c"]);
        assert_eq!(wrapped("much too long", 3), ["much too long"]);
    }
}

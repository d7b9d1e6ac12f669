//! A line of preprocessed text beside the line that the user wrote.
//!
//! Spaces and comments may be gone, macros replaced. From both ends, the two say the same for a
//! while; what differs lies between: there, a column means the whole of what was replaced.

/// From columns of the changed line to columns of the written one; all from 0.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    /// Characters that both have: column in the changed line, in the written one; ascending.
    same: Vec<(u32, u32)>,
    /// What was replaced, in the written line: the first column, and behind the last.
    replaced: (u32, u32),
}

impl Columns {
    pub(super) fn new(changed: &str, written: &str) -> Columns {
        let (changed, written) = (characters(changed), characters(written));
        let first = common(&changed, &written);
        let reversed = |side: &[Character]| side[first..].iter().rev().copied().collect::<Vec<_>>();
        let last = common(&reversed(&changed), &reversed(&written));
        let columns = |side: &[Character]| -> Vec<u32> {
            let both = side[..first].iter().chain(&side[side.len() - last..]);
            both.map(|(column, _)| *column).collect()
        };
        let same = columns(&changed).into_iter().zip(columns(&written)).collect();
        let replaced = match &written[first..written.len() - last] {
            [] => written[..first].last().map_or((0, 0), |(column, _)| (column + 1, column + 1)),
            replaced => (replaced[0].0, replaced[replaced.len() - 1].0 + 1),
        };
        Columns { same, replaced }
    }

    /// Where a text starts in the written line that starts at this column of the changed one.
    pub(super) fn start(&self, column: u32) -> u32 {
        self.find(column).unwrap_or(self.replaced.0)
    }

    /// Behind which column a text ends that ends with the character at this column of the changed one.
    pub(super) fn end(&self, last: u32) -> u32 {
        self.find(last).map_or(self.replaced.1, |column| column + 1)
    }

    fn find(&self, column: u32) -> Option<u32> {
        let found = self.same.binary_search_by_key(&column, |(changed, _)| *changed);
        found.ok().map(|position| self.same[position].1)
    }
}

/// A character and its column.
type Character = (u32, char);

/// The characters that are no spaces.
fn characters(line: &str) -> Vec<Character> {
    (0..).zip(line.chars()).filter(|(_, character)| !character.is_whitespace()).collect()
}

/// With how many same characters two lines begin, as whole words.
fn common(a: &[Character], b: &[Character]) -> usize {
    let mut count = a.iter().zip(b).take_while(|(a, b)| a.1 == b.1).count();
    while is_within_word(a, count) || is_within_word(b, count) {
        count -= 1;
    }
    count
}

fn is_within_word(line: &[Character], position: usize) -> bool {
    let around = position.checked_sub(1).and_then(|before| line.get(before..=position));
    around.is_some_and(|pair| {
        pair[0].0.abs_diff(pair[1].0) == 1 && pair.iter().all(|(_, c)| is_of_word(*c))
    })
}

fn is_of_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

#[cfg(test)]
mod tests {
    use super::Columns;

    /// `^` marks a text in the changed line; the text that it is in the written one.
    #[test]
    fn what_was_written() {
        for (changed, marks, written, expected) in [
            ("x = 4 + y;", "^^^^^^^^^ ", "x = N + y;", "x = N + y"),
            ("x = 4 + y;", "    ^     ", "x = N + y;", "N"),
            ("x = 4 + y;", "        ^ ", "x = N + y;", "y"),
            ("x = r + 1;", "    ^     ", "\tx  =  r   +   1;  // one", "r"),
            ("a = 1; b = 2;", "       ^^^^^ ", "a = 1; /* b = 1 */ b = 2;", "b = 2"),
            ("((x) ? 0 : fail());", "  ^                ", "assert(x);", "assert(x"),
            ("max2 = 1;", "^^^^     ", "max = 1;", "max"),
            ("f(1, 2);", "     ^  ", "f(1,", ""),
        ] {
            let columns = Columns::new(changed, written);
            let first = marks.find('^').expect("a mark") as u32;
            let last = marks.rfind('^').expect("a mark") as u32;
            let (start, end) = (columns.start(first) as usize, columns.end(last) as usize);
            let text: String = written.chars().take(end).skip(start).collect();
            assert_eq!(text, expected, "{changed} {marks}");
        }
    }
}

//! Lays out an interleaving: a table with one column for each thread that
//! moves, or, where there are too many of them, a list.

use super::{Change, Interleaving, Row};

/// The table is not wider than this: it would be wrapped by a terminal.
const MAX_COLUMNS: usize = 110;
/// A column does not become narrower than this: it would say nothing.
const MIN_COLUMN_CHARACTERS: usize = 14;
/// Before the values that the program starts with.
const INITIALLY: &str = "initially: ";
/// Space between columns.
const GAP: &str = "  ";

/// In a table with more rows than this, those are folded in which a thread is by itself: the rest is read.
const MAX_ROWS: usize = 60;
/// So many rows of a thread by itself stay as they are: a fold of fewer saves nothing.
const MAX_OWN_ROWS: usize = 3;

/// The interleaving as text: every row, or only those that matter to others if there are many.
pub fn write(interleaving: &Interleaving, every_row: bool) -> String {
    if every_row || interleaving.rows.len() <= MAX_ROWS {
        return write_rows(interleaving);
    }
    let rows = folded(&interleaving.rows);
    let is_folded = rows.len() < interleaving.rows.len();
    let mut text = write_rows(&Interleaving { rows, ..interleaving.clone() });
    if is_folded {
        let all = super::grouped(interleaving.rows.len() as u64);
        text += &format!("\nSteps of a thread by itself are folded; --proof shows all {all}.\n");
    }
    text
}

/// Long runs of rows of one thread that no other thread can see become one row each, with the last
/// value of each variable. The last row stays: the error is there.
fn folded(rows: &[Row]) -> Vec<Row> {
    let Some((last, before)) = rows.split_last() else { return Vec::new() };
    let by_itself = |a: &Row, b: &Row| a.thread == b.thread && !a.is_shared && !b.is_shared;
    let mut folded = Vec::new();
    for run in before.chunk_by(by_itself) {
        match run {
            [first, ..] if run.len() > MAX_OWN_ROWS => folded.push(Row {
                text: format!("… {} steps by itself", super::grouped(run.len() as u64)),
                changes: last_changes(run),
                ..first.clone()
            }),
            _ => folded.extend_from_slice(run),
        }
    }
    folded.push(last.clone());
    folded
}

/// What some rows change, all together.
fn last_changes(rows: &[Row]) -> Vec<Change> {
    let mut all: Vec<Change> = Vec::new();
    for change in rows.iter().flat_map(|row| &row.changes) {
        match all.iter_mut().find(|earlier| earlier.name == change.name) {
            Some(earlier) => earlier.new = change.new.clone(),
            None => all.push(change.clone()),
        }
    }
    all
}

fn write_rows(interleaving: &Interleaving) -> String {
    let mut text = String::new();
    if !interleaving.initially.is_empty() {
        let values = wrapped(&interleaving.initially, MAX_COLUMNS - INITIALLY.len());
        let indent = format!("\n{}", " ".repeat(INITIALLY.len()));
        text += &format!("{INITIALLY}{}\n\n", values.join(&indent));
    }
    text += &match Table::fit(interleaving) {
        Some(table) => table.write(interleaving),
        None => list(interleaving),
    };
    text
}

/// A table: step number, line (if any is known), one column for each thread
/// that moves, changes.
struct Table {
    movers: Vec<usize>,
    /// Of the columns before those of the threads, and aligned to the right.
    numbers: usize,
    widths: Vec<usize>,
}

impl Table {
    /// The table, if its columns fit.
    fn fit(interleaving: &Interleaving) -> Option<Table> {
        let movers = movers(interleaving);
        let lines = interleaving.rows.iter().any(|row| !row.line.is_empty());
        let mut table = Table { movers, numbers: 1 + usize::from(lines), widths: Vec::new() };
        table.widths = table.natural_widths(interleaving);
        let room = MAX_COLUMNS.checked_sub(GAP.len() * (table.widths.len() - 1))?;
        while table.widths.iter().sum::<usize>() > room {
            let texts = table.widths[table.numbers..].iter_mut();
            *texts.max().filter(|width| **width > MIN_COLUMN_CHARACTERS)? -= 1;
        }
        Some(table)
    }

    fn natural_widths(&self, interleaving: &Interleaving) -> Vec<usize> {
        let mut widths: Vec<usize> = self.header(interleaving).iter().map(|t| length(t)).collect();
        for (number, row) in interleaving.rows.iter().enumerate() {
            let cells = self.cells(number + 1, row, wrapped(&row.changes, usize::MAX).concat());
            for (width, cell) in widths.iter_mut().zip(cells) {
                *width = length(&cell).max(*width);
            }
        }
        widths
    }

    fn write(&self, interleaving: &Interleaving) -> String {
        let rule: Vec<String> = self.widths.iter().map(|&width| "-".repeat(width)).collect();
        let mut text = self.line(&self.header(interleaving)) + &self.line(&rule);
        for (number, row) in interleaving.rows.iter().enumerate() {
            text += &self.row(number + 1, row);
        }
        text
    }

    fn header(&self, interleaving: &Interleaving) -> Vec<String> {
        let mut header = vec!["step".to_string(), "line".to_string()];
        header.truncate(self.numbers);
        header.extend(self.movers.iter().map(|&mover| interleaving.threads[mover].clone()));
        header.push("values".to_string());
        header
    }

    fn cells(&self, number: usize, row: &Row, changes: String) -> Vec<String> {
        let mut cells = vec![number.to_string(), row.line.clone()];
        cells.truncate(self.numbers);
        let own =
            |&mover: &usize| if mover == row.thread { row.text.clone() } else { String::new() };
        cells.extend(self.movers.iter().map(own));
        cells.push(changes);
        cells
    }

    /// A row; changes that do not fit in one line continue in the next.
    fn row(&self, number: usize, row: &Row) -> String {
        let last = self.widths.len() - 1;
        let mut changes = wrapped(&row.changes, self.widths[last]).into_iter();
        let mut cells = self.cells(number, row, changes.next().unwrap_or_default());
        let mut text = self.line(&cells);
        for more in changes {
            cells.fill(String::new());
            cells[last] = more;
            text += &self.line(&cells);
        }
        text
    }

    fn line(&self, cells: &[String]) -> String {
        let pad = |(number, (cell, &width)): (usize, (&String, &usize))| {
            let cell = cut(cell, width);
            let space = " ".repeat(width - length(&cell));
            if number < self.numbers { space + &cell } else { cell + &space }
        };
        let cells: Vec<String> = cells.iter().zip(&self.widths).enumerate().map(pad).collect();
        format!("{}\n", cells.join(GAP).trim_end())
    }
}

/// The threads that move, in order.
fn movers(interleaving: &Interleaving) -> Vec<usize> {
    let moves = |&thread: &usize| interleaving.rows.iter().any(|row| row.thread == thread);
    (0..interleaving.threads.len()).filter(moves).collect()
}

/// One line for each step: who, where, what, and what it changes.
fn list(interleaving: &Interleaving) -> String {
    let rows = &interleaving.rows;
    let names = rows.iter().map(|row| length(&interleaving.threads[row.thread]));
    let name_width = names.max().unwrap_or(0);
    let places: Vec<String> = rows.iter().map(|row| place(&row.line)).collect();
    let place_width = places.iter().map(|place| length(place)).max().unwrap_or(0);
    let number_width = rows.len().to_string().len();
    let widest = rows.iter().map(|row| length(&row.text)).max().unwrap_or(0);
    let room = widest.min((MAX_COLUMNS - 10).saturating_sub(name_width + place_width) / 2);
    let mut text = String::new();
    for ((number, row), place) in (1..).zip(rows).zip(places) {
        let name = &interleaving.threads[row.thread];
        let (what, changes) = (cut(&row.text, room), transitions(&row.changes));
        let line = format!(
            "{number:>number_width$}  {name:<name_width$}  {place:<place_width$}  {what:<room$}  {changes}",
        );
        text += line.trim_end();
        text.push('\n');
    }
    text
}

fn place(line: &str) -> String {
    if line.is_empty() { String::new() } else { format!("line {line}") }
}

/// "[x: 0 → 1, y: 2 → 3]", or nothing.
fn transitions(changes: &[Change]) -> String {
    let one = |change: &Change| format!("{}: {} → {}", change.name, change.old, change.new);
    match changes {
        [] => String::new(),
        changes => format!("[{}]", changes.iter().map(one).collect::<Vec<_>>().join(", ")),
    }
}

fn value(change: &Change) -> String {
    format!("{} = {}", change.name, change.new)
}

/// The values, in lines of at most `width`; at least one line.
fn wrapped(changes: &[Change], width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for value in changes.iter().map(|change| without_start(&value(change), width)) {
        let line = lines.last_mut().expect("there is a line");
        if line.is_empty() {
            *line = value;
        } else if length(line) + 2 + length(&value) < width {
            *line += &format!(", {value}");
        } else {
            line.push(',');
            lines.push(value);
        }
    }
    lines
}

/// The text, shortened to `width` with an ellipsis.
pub fn cut(text: &str, width: usize) -> String {
    match length(text) <= width {
        true => text.to_string(),
        false => text.chars().take(width.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// The text, shortened to `width` at its start if it is longer: the end of `a.long.name = 1` is what matters. A comma
/// may follow.
fn without_start(text: &str, width: usize) -> String {
    match length(text).checked_sub(width) {
        None | Some(0) => text.to_string(),
        Some(more) => ['…'].into_iter().chain(text.chars().skip(more + 2)).collect(),
    }
}

fn length(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests;

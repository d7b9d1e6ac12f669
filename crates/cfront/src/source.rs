//! From byte offsets back to what the user wrote: file, line and column.
//!
//! The parser speaks of byte offsets only. A `SourceMap` turns them into
//! places, with two binary searches: one for the line of the text, one for the
//! last line marker (`# 12 "file.h"`) before it, where markers are honoured.
//! The map does not keep the text: columns count characters, so it notes
//! where the rare bytes stand that continue a character.
//!
//! The preprocessor replaces macros and takes out spaces and comments, so columns of its lines are not
//! those that the user wrote: `compare` puts the two side by side, once.

mod columns;

use std::collections::HashMap;

use crate::syntax::ast::Range;
use columns::Columns;

/// What is wrong with the input, in plain words, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The message, without file and line.
    pub message: String,
    /// The offending text.
    pub range: Range,
    /// What it does not agree with.
    pub other: Option<Range>,
}

impl Diagnostic {
    /// Something is wrong at one place.
    pub fn new(message: impl Into<String>, range: Range) -> Diagnostic {
        Diagnostic { message: message.into(), range, other: None }
    }
}

/// A place in a file, as an editor shows it: line and column start with 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Index into `SourceMap::files`.
    pub file: u32,
    /// The line.
    pub line: u32,
    /// The column, counted in characters.
    pub column: u32,
}

/// Translates offsets of one text to places.
#[derive(Clone, Debug)]
pub struct SourceMap {
    files: Vec<String>,
    /// Offset of the first byte of each line of the text; ascending, begins with 0.
    line_starts: Vec<u32>,
    /// Ascending in `from_line`; the first one starts at line 0.
    segments: Vec<Segment>,
    /// Offsets of bytes that are not the first of their character; ascending.
    continuation_bytes: Vec<u32>,
    /// The columns of lines of the text that differ from what the user wrote.
    columns: HashMap<u32, Columns>,
}

/// The lines of the text from `from_line` (0-based) to the next segment stand
/// in `file` from `line` (1-based).
#[derive(Clone, Copy, Debug)]
struct Segment {
    from_line: u32,
    file: u32,
    line: u32,
    /// In a header of the system.
    is_system: bool,
}

impl SourceMap {
    /// Maps `text`, which was read from `file_name`. With `honour_linemarkers`,
    /// lines such as `# 12 "file.h" 1 3` and `#line 12` say where the following
    /// lines come from; otherwise the text's own lines count.
    ///
    /// Requires a text shorter than 4 GiB.
    pub fn new(file_name: &str, text: &str, honour_linemarkers: bool) -> Self {
        let mut line_starts = vec![0];
        let mut continuation_bytes = Vec::new();
        for (offset, byte) in text.bytes().enumerate() {
            if byte == b'\n' {
                line_starts.push(offset as u32 + 1);
            } else if is_continuation(byte) {
                continuation_bytes.push(offset as u32);
            }
        }
        let mut map = SourceMap {
            files: vec![file_name.to_string()],
            line_starts,
            segments: vec![Segment { from_line: 0, file: 0, line: 1, is_system: false }],
            continuation_bytes,
            columns: HashMap::new(),
        };
        if honour_linemarkers {
            map.read_linemarkers(text);
        }
        map
    }

    /// Behind the text that is mapped, which ends with a line, another text follows.
    pub fn append(&mut self, other: SourceMap) {
        let start = self.line_starts.pop().unwrap_or(0);
        let lines = self.line_starts.len() as u32;
        let files: Vec<u32> = other.files.into_iter().map(|file| self.file_number(file)).collect();
        self.line_starts.extend(other.line_starts.iter().map(|at| at + start));
        self.segments.extend(other.segments.into_iter().map(|segment| Segment {
            from_line: segment.from_line + lines,
            file: files[segment.file as usize],
            ..segment
        }));
        self.continuation_bytes.extend(other.continuation_bytes.iter().map(|at| at + start));
        self.columns.extend(other.columns.into_iter().map(|(line, of)| (line + lines, of)));
    }

    /// Gives the files other names; several may get the same.
    pub fn rename(&mut self, name: impl Fn(&str) -> String) {
        let old = std::mem::take(&mut self.files);
        let numbers: Vec<u32> = old.iter().map(|file| self.file_number(name(file))).collect();
        for segment in &mut self.segments {
            segment.file = numbers[segment.file as usize];
        }
    }

    fn file_number(&mut self, file: String) -> u32 {
        let known = self.files.iter().position(|known| *known == file);
        known.unwrap_or_else(|| {
            self.files.push(file);
            self.files.len() - 1
        }) as u32
    }

    /// The files that places speak of; the first is the one that was read.
    pub fn files(&self) -> &[String] {
        &self.files
    }

    /// Where the byte at `offset` stands. An offset past the end belongs to the last line.
    pub fn place(&self, offset: u32) -> Position {
        let line = self.line_starts.partition_point(|&start| start <= offset) - 1;
        let start = self.line_starts[line];
        let column = offset - start - self.continuations_before(offset, start);
        let line = line as u32;
        let column = self.columns.get(&line).map_or(column, |columns| columns.start(column));
        let segment = self.segment(line);
        Position { file: segment.file, line: segment.written(line), column: column + 1 }
    }

    /// Where a text ends whose last byte is the one before `offset`.
    pub fn end(&self, offset: u32) -> Position {
        let last = offset.saturating_sub(1);
        let line = self.line_starts.partition_point(|&start| start <= last) as u32 - 1;
        let start = self.line_starts[line as usize];
        let column = last - start - self.continuations_before(last, start);
        let column = self.columns.get(&line).map_or(column + 1, |columns| columns.end(column));
        let segment = self.segment(line);
        Position { file: segment.file, line: segment.written(line), column: column + 1 }
    }

    /// Notes where the lines of the text differ from what the user wrote, file by file.
    pub fn compare(&mut self, text: &str, written: impl Fn(&str) -> Option<String>) {
        let used = |number: usize| {
            self.segments
                .iter()
                .any(|segment| !segment.is_system && segment.file as usize == number)
        };
        let of_file = |(number, file): (usize, &String)| written(file).filter(|_| used(number));
        let files: Vec<Option<String>> = self.files.iter().enumerate().map(of_file).collect();
        let files: Vec<Option<Vec<&str>>> =
            files.iter().map(|text| text.as_ref().map(|text| text.lines().collect())).collect();
        for (line, changed) in (0..).zip(text.split('\n')) {
            let segment = self.segment(line);
            let number = segment.written(line) as usize;
            let lines = files[segment.file as usize].as_ref();
            let written = lines.and_then(|lines| lines.get(number.checked_sub(1)?));
            if let Some(written) =
                written.filter(|written| written.trim_end() != changed.trim_end())
            {
                self.columns.insert(line, Columns::new(changed, written));
            }
        }
    }

    fn segment(&self, line: u32) -> Segment {
        self.segments[self.segments.partition_point(|s| s.from_line <= line) - 1]
    }

    /// How many bytes from `start` up to and including `offset` continue a character.
    fn continuations_before(&self, offset: u32, start: u32) -> u32 {
        let index_of = |limit: u32| self.continuation_bytes.partition_point(|&at| at < limit);
        (index_of(offset.saturating_add(1)) - index_of(start)) as u32
    }

    fn read_linemarkers(&mut self, text: &str) {
        let mut indices = HashMap::from([(self.files[0].clone(), 0)]);
        let mut file = 0;
        for (number, line) in text.split('\n').enumerate() {
            let Some((next_line, name)) = linemarker(line) else {
                continue;
            };
            // Behind the name stand flags; 3 is for headers of the system.
            let flags = line.rsplit('"').next().filter(|_| name.is_some()).unwrap_or_default();
            let is_system = flags.split_whitespace().any(|flag| flag == "3");
            if let Some(name) = name {
                file = *indices.entry(name).or_insert_with_key(|name| {
                    self.files.push(name.clone());
                    self.files.len() as u32 - 1
                });
            }
            let from_line = number as u32 + 1;
            self.segments.push(Segment { from_line, file, line: next_line, is_system });
        }
    }
}

impl Segment {
    /// The line of its file that a line of the text is.
    fn written(&self, line: u32) -> u32 {
        self.line.saturating_add(line - self.from_line)
    }
}

/// Whether `byte` is a second or later byte of a character in UTF-8.
fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

/// Reads `# 12 "file" flags` or `#line 12 "file"`: the number of the next line
/// and, if given, the file it stands in.
fn linemarker(line: &str) -> Option<(u32, Option<String>)> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = match rest.strip_prefix("line") {
        Some(after) => after.strip_prefix([' ', '\t'])?.trim_start(),
        None => rest,
    };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let number = rest[..digits].parse().ok()?;
    let name = rest[digits..].trim_start().strip_prefix('"');
    Some((number, name.map(quoted_name)))
}

/// The file name that ends at the next unescaped quote.
fn quoted_name(text: &str) -> String {
    let mut name = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => break,
            '\\' => name.extend(characters.next()),
            other => name.push(other),
        }
    }
    name
}

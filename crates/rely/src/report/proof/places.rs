//! Where a thread is, for a reader: the source line it does next; or, in a model that has no
//! source, the location by its name.

use ccfa::text::location_name;
use ccfa::{LocId, Program, Template};

/// Before a line, or at a location.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProofPlace {
    /// The next step is of this line: number of the file, line.
    Line(u32, u32),
    /// A location without a source: its number, for order, and its name.
    Location(u32, String),
    /// There is no next step.
    End,
}

/// The places of a template.
pub struct Places {
    of: Vec<ProofPlace>,
    begins: Vec<bool>,
}

impl Places {
    /// Of each location: where it is, and whether one comes there from elsewhere.
    pub fn new(program: &Program, template: &Template) -> Places {
        let of: Vec<ProofPlace> = (0..template.locations.len())
            .map(|number| place(program, template, LocId(number as u32)))
            .collect();
        let mut begins = vec![false; of.len()];
        begins[template.entry.index()] = true;
        for edge in &template.edges {
            begins[edge.target.index()] |= of[edge.source.index()] != of[edge.target.index()];
        }
        Places { of, begins }
    }

    /// Where one is at this location.
    pub fn of(&self, location: LocId) -> &ProofPlace {
        &self.of[location.index()]
    }

    /// Is it the beginning of its line, not within?
    pub fn begins(&self, location: LocId) -> bool {
        self.begins[location.index()]
    }
}

fn place(program: &Program, template: &Template, location: LocId) -> ProofPlace {
    let mut steps = template.edges.iter().filter(|edge| edge.source == location).peekable();
    let declared = &template.locations[location.index()];
    if steps.peek().is_none() && !program.files.is_empty() {
        return ProofPlace::End;
    }
    let span = steps.find_map(|edge| edge.span).or(declared.span);
    match span {
        Some(span) => ProofPlace::Line(span.file, span.line),
        None => ProofPlace::Location(location.0, location_name(template, location)),
    }
}

/// "line 3", "lines 3, 5-7", "b, c", "a.c:3, b.h:5", "the end": ranges are of lines in `all`.
pub fn list(program: &Program, places: &[ProofPlace], all: &[ProofPlace]) -> String {
    let mut texts: Vec<String> = Vec::new();
    let mut rest = places;
    while let Some(first) = rest.first() {
        let position = all.iter().position(|place| place == first).unwrap_or(all.len());
        let run = rest.iter().zip(all.get(position..).unwrap_or_default());
        let length =
            run.take_while(|(a, b)| a == b && matches!(a, ProofPlace::Line(..))).count().max(1);
        match length {
            1 | 2 => texts.extend(rest[..length].iter().map(|place| name(program, place))),
            _ => texts.push(format!(
                "{}-{}",
                name(program, first),
                name(program, &rest[length - 1]).rsplit(':').next().unwrap_or_default(),
            )),
        }
        rest = &rest[length..];
    }
    let lines = places.iter().filter(|place| matches!(place, ProofPlace::Line(..))).count();
    let word = match lines {
        0 => "",
        _ if program.files.len() > 1 => "",
        1 => "line ",
        _ => "lines ",
    };
    format!("{word}{}", texts.join(", "))
}

fn name(program: &Program, place: &ProofPlace) -> String {
    match place {
        ProofPlace::Line(_, line) if program.files.len() <= 1 => line.to_string(),
        ProofPlace::Line(file, line) => {
            let path = program.files.get(*file as usize).map_or("?", String::as_str);
            format!("{}:{line}", path.rsplit('/').next().unwrap_or(path))
        }
        ProofPlace::Location(_, name) => name.clone(),
        ProofPlace::End => "the end".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::{ProofPlace, list};
    use ccfa::Program;

    #[test]
    fn lines_of_one_file_and_of_several() {
        let line = |line| ProofPlace::Line(0, line);
        let all = [line(3), line(5), line(6), line(9), line(12), ProofPlace::End];
        let mut program = Program { files: vec!["dir/a.c".into()], ..Program::default() };
        assert_eq!(list(&program, &all[..1], &all), "line 3");
        assert_eq!(list(&program, &[line(3), line(6), line(9), line(12)], &all), "lines 3, 6-12");
        assert_eq!(list(&program, &all[4..], &all), "line 12, the end");
        program.files.push("b.h".into());
        assert_eq!(list(&program, &[line(3), ProofPlace::Line(1, 7)], &all), "a.c:3, b.h:7");
        assert_eq!(list(&program, &all[..3], &all), "a.c:3-6");
    }

    #[test]
    fn locations_have_names() {
        let places = [ProofPlace::Location(0, "a".into()), ProofPlace::Location(4, "b".into())];
        assert_eq!(list(&Program::default(), &places, &places), "a, b");
    }
}

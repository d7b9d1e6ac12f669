//! Reads a litmus test in herd's format: the architecture and a name, remarks, initial values between braces, the threads (columns of
//! instructions, or functions in C), a list of locations to show, the condition. What is not understood is a mistake with its place; nothing
//! is skipped but remarks.

use crate::c;
use crate::decode::{Decoder, decoder};
use crate::test::{
    Architecture, Datum, FinalCondition, LitmusTest, MemoryLocation, Observable, Proposition,
    Quantifier, Register, TextPlace, ThreadCode,
};
use crate::token::{LitmusMistake, LitmusToken, TokenStream, mistake, tokens, without_comments};

/// Reads a test.
pub fn parse(text: &str) -> Result<LitmusTest, LitmusMistake> {
    let (architecture, name) = heading(text)?;
    let clean = without_comments(text, architecture == Architecture::C)?;
    let start = remarks(&clean)?;
    let tokens = tokens(&clean, start)?;
    let end = tokens.last().map_or(TextPlace { line: 1, column: 1 }, |token| token.place);
    let mut reader = TestReader {
        stream: TokenStream::new(&tokens, end),
        text: &clean,
        test: LitmusTest {
            name,
            architecture,
            locations: Vec::new(),
            threads: Vec::new(),
            condition: FinalCondition {
                quantifier: Quantifier::Exists,
                proposition: Proposition::All(Vec::new()),
                text: String::new(),
            },
            observed: Vec::new(),
        },
    };
    reader.initial_values()?;
    match architecture {
        Architecture::C => c::threads(&mut reader.stream, &mut reader.test)?,
        _ => reader.columns()?,
    }
    reader.shown_locations()?;
    reader.condition()?;
    Ok(reader.test)
}

/// The first line: architecture and name.
fn heading(text: &str) -> Result<(Architecture, String), LitmusMistake> {
    let place = TextPlace { line: 1, column: 1 };
    let line = text.lines().next().unwrap_or_default();
    let (word, name) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
    let architecture = match word {
        "X86" => Architecture::X86,
        "PPC" => Architecture::Ppc,
        "AArch64" => Architecture::AArch64,
        "C" => Architecture::C,
        "" => return mistake(place, "a litmus test begins with its architecture and its name"),
        _ => {
            let known = "those that are read are X86, PPC, AArch64 and C";
            return mistake(place, format!("`{word}` is no architecture that rely knows: {known}"));
        }
    };
    match name.trim() {
        "" => mistake(place, "a name is expected after the architecture"),
        name => Ok((architecture, name.to_string())),
    }
}

/// Lines before the initial values: `"…"` and `Key=…`. Returns where the values begin.
fn remarks(text: &str) -> Result<usize, LitmusMistake> {
    let mut start = 0;
    let mut is_quoted = false;
    for (line, number) in text.split_inclusive('\n').zip(1..) {
        let place = TextPlace { line: number, column: 1 };
        let trimmed = line.trim();
        let key = trimmed.split('=').next().unwrap_or_default();
        let is_key = trimmed.contains('=') && key.chars().all(|letter| letter.is_alphanumeric());
        let was_quoted = is_quoted;
        let is_remark = number > 1 && (trimmed.starts_with('"') || trimmed.is_empty());
        is_quoted ^= number > 1 && line.matches('"').count() % 2 == 1;
        if number > 1 && !was_quoted && !is_remark {
            if trimmed.starts_with('{') {
                return Ok(start);
            }
            if trimmed.starts_with("Variant") {
                return mistake(place, "variants of a model are not supported");
            }
            if !is_key {
                return mistake(place, "initial values are expected here, between `{` and `}`");
            }
        }
        start += line.len();
    }
    mistake(TextPlace { line: 1, column: 1 }, "the test has no initial values: `{` is missing")
}

/// Stands for the condition of a test in C that asks for races alone.
pub const NO_CONDITION: &str = "nothing (the test has no condition)";

/// Types that initial values are declared with. All are taken for numbers of 32 bits or addresses.
const TYPES: [&str; 9] = [
    "int",
    "int32_t",
    "uint32_t",
    "int64_t",
    "uint64_t",
    "atomic_int",
    "_Atomic",
    "volatile",
    "const",
];

struct TestReader<'t> {
    stream: TokenStream<'t>,
    text: &'t str,
    test: LitmusTest,
}

impl TestReader<'_> {
    fn initial_values(&mut self) -> Result<(), LitmusMistake> {
        self.stream.expect("{")?;
        while !self.stream.accept("}") {
            if self.stream.accept(";") {
                continue;
            }
            while TYPES.contains(&self.stream.peek()) || self.stream.peek() == "*" {
                self.stream.next += 1;
            }
            self.initial_value()?;
            if self.stream.peek() != "}" {
                self.stream.expect(";")?;
            }
        }
        self.stream.accept(";");
        Ok(())
    }

    /// `x=1`, `[x]=1`, `0:EAX=1`, `0:r2=x`; `x` is zero.
    fn initial_value(&mut self) -> Result<(), LitmusMistake> {
        let place = self.stream.place();
        if let Some(thread) = self.thread()? {
            let token = self.stream.name("a register")?;
            let decoder = decoder(self.test.architecture);
            let Some(name) = decoder.map_or(Some(token.text.clone()), |d| d.register(&token.text))
            else {
                return mistake(token.place, format!("`{}` is no register", token.text));
            };
            let value = if self.stream.accept("=") { self.value()? } else { Datum::Number(0) };
            if thread >= MAX_THREADS {
                return mistake(place, format!("there are at most {MAX_THREADS} threads"));
            }
            if self.test.threads.len() <= thread {
                self.test.threads.resize_with(thread + 1, ThreadCode::default);
            }
            let code = &mut self.test.threads[thread];
            let register = code.register(&name, None);
            code.start[register.0] = Some(value);
            return Ok(());
        }
        let bracket = self.stream.accept("[");
        let name = self.stream.name("a location")?;
        let location = self.test.location(&name.text);
        if bracket {
            self.stream.expect("]")?;
        } else if self.stream.peek() == "[" {
            return mistake(self.stream.place(), "arrays are not supported");
        }
        if self.stream.accept("=") {
            self.test.locations[location].initial = self.value()?;
        }
        Ok(())
    }

    /// The thread before a register, if there is one: `0:` or `P0:`.
    fn thread(&mut self) -> Result<Option<usize>, LitmusMistake> {
        let Some(token) = self.stream.tokens.get(self.stream.next) else { return Ok(None) };
        let digits = token.text.strip_prefix('P').unwrap_or(&token.text);
        if self.stream.peek_at(1) != ":" && !token.is_number() {
            return Ok(None);
        }
        self.stream.next += 1;
        self.stream.expect(":")?;
        match digits.parse() {
            Ok(thread) => Ok(Some(thread)),
            Err(_) => mistake(token.place, format!("`{}` is no thread", token.text)),
        }
    }

    /// A number, or a location, whose address it is.
    fn value(&mut self) -> Result<Datum, LitmusMistake> {
        let is_name = self.stream.tokens.get(self.stream.next).is_some_and(LitmusToken::is_name);
        if !is_name && !self.stream.accept("&") {
            return Ok(Datum::Number(self.stream.number()?));
        }
        let name = self.stream.name("a value")?;
        Ok(Datum::Address(self.test.location(&name.text)))
    }

    /// The threads as columns.
    fn columns(&mut self) -> Result<(), LitmusMistake> {
        let heads = self.row()?;
        let place =
            heads.first().and_then(|head| head.first()).map_or(self.stream.end, |t| t.place);
        for (number, head) in heads.iter().enumerate() {
            let expected = format!("P{number}");
            if head.len() != 1 || head[0].text != expected {
                let place = head.first().map_or(place, |token| token.place);
                return mistake(place, format!("the name of a thread, `{expected}`, is expected"));
            }
        }
        if self.test.threads.len() > heads.len() {
            return mistake(place, "a register of a thread that is not there has a value");
        }
        self.test.threads.resize_with(heads.len(), ThreadCode::default);
        let mut decoders: Vec<Decoder> =
            heads.iter().filter_map(|_| decoder(self.test.architecture)).collect();
        while !self.is_at_condition() {
            let place = self.stream.place();
            let row = self.row()?;
            if row.len() != heads.len() {
                let (found, wanted) = (row.len(), heads.len());
                return mistake(
                    place,
                    format!("a row has {found} columns; there are {wanted} threads"),
                );
            }
            for (thread, cell) in row.iter().enumerate() {
                decoders[thread].cell(cell, &mut self.test, thread)?;
            }
        }
        for (thread, decoder) in decoders.into_iter().enumerate() {
            decoder.finish(&mut self.test.threads[thread])?;
        }
        Ok(())
    }

    /// The cells of a row, up to its semicolon.
    fn row(&mut self) -> Result<Vec<Vec<LitmusToken>>, LitmusMistake> {
        let mut cells = vec![Vec::new()];
        loop {
            let place = self.stream.place();
            let Some(token) = self.stream.take() else {
                return mistake(place, "a row ends with `;`");
            };
            match (token.text.as_str(), cells.last_mut()) {
                (";", _) => return Ok(cells),
                ("|", _) => cells.push(Vec::new()),
                // Two empty cells.
                ("||", _) => cells.extend([Vec::new(), Vec::new()]),
                (_, Some(cell)) => cell.push(token.clone()),
                (_, None) => cells.push(vec![token.clone()]),
            }
        }
    }

    fn is_at_condition(&self) -> bool {
        let words = ["exists", "~", "forall", "locations", "filter", ""];
        words.contains(&self.stream.peek())
    }

    /// `locations [x; 0:EAX;]`
    fn shown_locations(&mut self) -> Result<(), LitmusMistake> {
        if !self.stream.accept("locations") {
            return Ok(());
        }
        self.stream.expect("[")?;
        while !self.stream.accept("]") {
            self.observable()?;
            if self.stream.peek() != "]" {
                self.stream.expect(";")?;
            }
        }
        Ok(())
    }

    /// The condition. A test in C may have none: then it asks for races alone.
    fn condition(&mut self) -> Result<(), LitmusMistake> {
        let place = self.stream.place();
        if self.stream.is_at_end() && self.test.architecture == Architecture::C {
            let (quantifier, proposition) = (Quantifier::ForAll, Proposition::All(Vec::new()));
            let text = NO_CONDITION.to_string();
            self.test.condition = FinalCondition { quantifier, proposition, text };
            return Ok(());
        }
        let start = self.stream.tokens.get(self.stream.next).map_or(0, |token| token.start);
        let quantifier = match self.stream.take().map(|token| token.text.as_str()) {
            Some("exists") => Quantifier::Exists,
            Some("forall") => Quantifier::ForAll,
            Some("~") if self.stream.accept("exists") => Quantifier::NotExists,
            Some("filter") => return mistake(place, "filters are not supported"),
            _ => return mistake(place, "`exists`, `~exists` or `forall` is expected here"),
        };
        let proposition = self.implication()?;
        let end = self.stream.tokens.get(self.stream.next).map_or(self.text.len(), |t| t.start);
        self.stream.accept(";");
        if !self.stream.is_at_end() {
            let found = self.stream.peek();
            return mistake(self.stream.place(), format!("the condition ends before `{found}`"));
        }
        let text = self.text[start..end].split_whitespace().collect::<Vec<_>>().join(" ");
        self.test.condition = FinalCondition { quantifier, proposition, text };
        Ok(())
    }

    fn implication(&mut self) -> Result<Proposition, LitmusMistake> {
        let premise = self.disjunction()?;
        if !self.stream.accept("=>") {
            return Ok(premise);
        }
        let conclusion = self.implication()?;
        Ok(Proposition::Any(vec![Proposition::Not(Box::new(premise)), conclusion]))
    }

    fn disjunction(&mut self) -> Result<Proposition, LitmusMistake> {
        let mut parts = vec![self.conjunction()?];
        while self.stream.accept("\\/") {
            parts.push(self.conjunction()?);
        }
        Ok(Proposition::Any(parts))
    }

    fn conjunction(&mut self) -> Result<Proposition, LitmusMistake> {
        let mut parts = vec![self.atom()?];
        while self.stream.accept("/\\") {
            parts.push(self.atom()?);
        }
        Ok(Proposition::All(parts))
    }

    fn atom(&mut self) -> Result<Proposition, LitmusMistake> {
        if self.stream.accept("(") {
            let inner = self.implication()?;
            self.stream.expect(")")?;
            return Ok(inner);
        }
        if self.stream.accept("~") || self.stream.accept("not") {
            return Ok(Proposition::Not(Box::new(self.atom()?)));
        }
        if self.stream.accept("true") {
            return Ok(Proposition::All(Vec::new()));
        }
        if self.stream.accept("false") {
            return Ok(Proposition::Any(Vec::new()));
        }
        let observable = self.observable()?;
        let place = self.stream.place();
        let differs = self.stream.accept("!=");
        if !differs && !self.stream.accept("=") && !self.stream.accept("==") {
            return mistake(place, "a condition compares: `=` is expected here");
        }
        let equals = Proposition::Equals(observable, self.known_value()?);
        Ok(if differs { Proposition::Not(Box::new(equals)) } else { equals })
    }

    /// A number, or the address of a location that the test has.
    fn known_value(&mut self) -> Result<Datum, LitmusMistake> {
        let token = self.stream.tokens.get(self.stream.next);
        if let Some(token) = token.filter(|token| token.is_name()) {
            self.stream.next += 1;
            let known = self.test.locations.iter().position(|place| place.name == token.text);
            return match known {
                Some(location) => Ok(Datum::Address(location)),
                None => mistake(token.place, format!("there is no location `{}`", token.text)),
            };
        }
        Ok(Datum::Number(self.stream.number()?))
    }

    /// `0:EAX`, `x` or `[x]`: its number among the observables.
    fn observable(&mut self) -> Result<usize, LitmusMistake> {
        let place = self.stream.place();
        let observable = match self.thread()? {
            Some(thread) => self.observed_register(thread, place)?,
            None => {
                let bracket = self.stream.accept("[");
                let name = self.stream.name("a register or a location")?.text.clone();
                if bracket {
                    self.stream.expect("]")?;
                }
                let known = self.test.locations.iter().position(|known| known.name == name);
                let Some(location) = known else {
                    return mistake(place, format!("there is no location `{name}`"));
                };
                Observable::Location(location)
            }
        };
        let observed = &mut self.test.observed;
        Ok(observed.iter().position(|known| *known == observable).unwrap_or_else(|| {
            observed.push(observable);
            observed.len() - 1
        }))
    }

    fn observed_register(
        &mut self,
        thread: usize,
        place: TextPlace,
    ) -> Result<Observable, LitmusMistake> {
        let token = self.stream.name("a register")?;
        let name = match decoder(self.test.architecture) {
            Some(decoder) => decoder.register(&token.text),
            None => Some(token.text.clone()),
        };
        let Some(code) = self.test.threads.get_mut(thread) else {
            return mistake(place, format!("there is no thread {thread}"));
        };
        let used = |name: &String| code.registers.iter().position(|known| known == name);
        match name.as_ref().and_then(used) {
            Some(register) => Ok(Observable::Register(thread, Register(register))),
            None if name.is_none() => {
                mistake(token.place, format!("`{}` is no register", token.text))
            }
            None => {
                let used = "is not used by this thread";
                mistake(token.place, format!("the register `{}` {used}", token.text))
            }
        }
    }
}

/// Threads that a test has at most: a larger number is a slip, and there are never so many events.
const MAX_THREADS: usize = 64;

impl LitmusTest {
    /// The location of this name, a new one if there is none.
    pub(crate) fn location(&mut self, name: &str) -> usize {
        let known = self.locations.iter().position(|place| place.name == name);
        known.unwrap_or_else(|| {
            let initial = Datum::Number(0);
            self.locations.push(MemoryLocation { name: name.to_string(), initial });
            self.locations.len() - 1
        })
    }
}

//! State machines as text, close to the figures of the paper:
//!
//! ```text
//! // What others see of the thread A.
//! abstract A {
//!   initial X1
//!   X1: assert g > 0
//!   X1 -> X2: when g > 0 then g := any with g' > 0
//! }
//! ```
//!
//! A line `X: assert e` says what must hold whenever the thread is in state X. A line
//! `X -> Y` is a move: `when` a condition on the old values holds, `then` shared
//! variables are assigned, all at once, `with` a condition on old and new values (with
//! primes) that restricts arbitrary ones. All parts may be missing; what is not assigned
//! stays unchanged, and every state has the hidden idle step. Expressions are those of
//! the model's text form; `` `argument 0` `` is the first argument of the thread. What is
//! not defined in a condition makes it false.
//!
//! A thread-modular specification (see [`crate::modular`]) can be given instead. Its steps
//! are written like moves; what is left out is `true`:
//!
//! ```text
//! modular A {
//!   pre g == 0
//!   invariant g <= 2
//!   environment g' >= g
//!   step when g < 2 then g := g + 1
//! }
//! ```

use crate::explain::{names, primed};
use crate::formula::{Symbols, defined, total};
use crate::machine::{Machine, MachineFailure, MachineState, Move};
use crate::modular::Modular;
use crate::read::params;
use ccfa::fold::refold;
use ccfa::{
    Assign, ErrorKind, Expr, LocKind, Place, Program, Rhs, SharedId, Template, Type, VarRef, text,
};
use std::collections::HashMap;

/// Why a text has no machines, and in which line (from 1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// From 1.
    pub line: u32,
    /// In plain words.
    pub message: String,
}

/// What is said of a thread.
#[derive(Clone, Debug, PartialEq)]
pub enum Spec {
    /// Its abstract thread.
    Machine(Machine),
    /// A thread-modular specification.
    Modular(Modular),
}

/// Reads specifications for the templates of `program`, each with the name of its
/// template.
pub fn parse(program: &Program, text: &str) -> Result<Vec<(String, Spec)>, TextError> {
    let mut specs = Vec::new();
    let mut open: Option<SpecificationReader> = None;
    for (number, line) in text.lines().enumerate() {
        let at = |message: String| TextError { line: number as u32 + 1, message };
        let line = line.split("//").next().unwrap_or("").trim();
        match (&mut open, line) {
            (_, "") => {}
            (Some(_), "}") => specs.extend(open.take().map(SpecificationReader::finish)),
            (Some(reader), line) => reader.line(line).map_err(at)?,
            (None, line) => {
                let reader = SpecificationReader::begin(program, line).map_err(at)?;
                if specs.iter().any(|(name, _)| *name == reader.target) {
                    let name = &reader.target;
                    return Err(at(format!("this is the second abstract thread of `{name}`")));
                }
                open = Some(reader);
            }
        }
    }
    match open {
        None => Ok(specs),
        Some(_) => Err(TextError {
            line: text.lines().count() as u32,
            message: "the last abstract thread does not end with `}`".into(),
        }),
    }
}

struct SpecificationReader<'p> {
    program: &'p Program,
    /// The program with names for new values, and a template with the arguments.
    scope: (Program, Template),
    target: String,
    machine: Machine,
    /// The conditions of a thread-modular specification, by their words.
    modular: Option<HashMap<&'static str, Expr>>,
}

/// The conditions of a thread-modular specification.
const CONDITIONS: [&str; 3] = ["pre", "invariant", "environment"];

impl<'p> SpecificationReader<'p> {
    /// `abstract NAME {` or `modular NAME {`
    fn begin(program: &'p Program, line: &str) -> Result<SpecificationReader<'p>, String> {
        let modular = line.starts_with("modular ").then(HashMap::new);
        let rest = line.strip_prefix("abstract ").or_else(|| line.strip_prefix("modular "));
        let Some(name) = rest.and_then(|rest| rest.strip_suffix('{')) else {
            return Err("expected `abstract NAME {` or `modular NAME {`".into());
        };
        let name = plain(name.trim());
        let templates = program.threads.iter().map(|thread| thread.template.index());
        let mut running = templates.map(|number| &program.templates[number]);
        let Some(template) = running.find(|template| template.name == name) else {
            return Err(format!("no thread runs `{name}`"));
        };
        let machine = Machine {
            name: format!("{name}#"),
            shared: program.shared.len() as u32,
            params: params(template),
            nodes: Vec::new(),
            initial: Vec::new(),
            moves: Vec::new(),
        };
        let scope = (primed(program), names(&machine));
        Ok(SpecificationReader { program, scope, target: name, machine, modular })
    }

    fn line(&mut self, line: &str) -> Result<(), String> {
        if self.modular.is_some() {
            return self.modular_line(line);
        }
        if let Some(rest) = line.strip_prefix("initial ") {
            for name in rest.split(',') {
                let node = self.node(name.trim());
                self.machine.initial.push(node);
            }
            return Ok(());
        }
        let (head, rest) = line.split_once(':').unwrap_or((line, ""));
        match head.split_once("->") {
            Some((from, to)) => {
                // `a := b` also has a colon; the head ends before the first one.
                let (from, to) = (self.node(from.trim()), self.node(to.trim()));
                self.step(from, to, rest.trim())
            }
            None => {
                let node = self.node(head.trim());
                let condition = rest.trim().strip_prefix("assert ");
                let condition = condition.ok_or("expected `assert` and a condition")?;
                self.assertion(node, condition)
            }
        }
    }

    /// A line of a thread-modular specification.
    fn modular_line(&mut self, line: &str) -> Result<(), String> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        if word == "step" {
            return self.step(0, 0, rest.trim());
        }
        let known = CONDITIONS.into_iter().find(|known| *known == word);
        let word = known.ok_or("expected `pre`, `invariant`, `environment` or `step`")?;
        let condition = self.condition(rest)?;
        self.modular.iter_mut().for_each(|all| drop(all.insert(word, condition.clone())));
        Ok(())
    }

    /// The state with this name; a new one if there is none.
    fn node(&mut self, name: &str) -> usize {
        let name = plain(name);
        let known = self.machine.nodes.iter().position(|node| node.name == name);
        known.unwrap_or_else(|| {
            self.machine.nodes.push(MachineState { name, span: None, failures: Vec::new() });
            self.machine.nodes.len() - 1
        })
    }

    fn expr(&self, ty: Type, text: &str) -> Result<Expr, String> {
        let parsed = text::parse_expr(&self.scope.0, Some(&self.scope.1), ty, &quoted(text));
        parsed.map_err(|error| format!("`{}`: {}", text.trim(), error.message))
    }

    fn symbols(&self) -> Symbols<'_> {
        Symbols { program: self.program, locals: &self.machine.params }
    }

    fn condition(&self, text: &str) -> Result<Expr, String> {
        Ok(refold(&total(&self.expr(Type::Bool, text)?, &self.symbols())?))
    }

    fn assertion(&mut self, node: usize, text: &str) -> Result<(), String> {
        let condition = self.expr(Type::Bool, text)?;
        let fails = total(&Expr::negate(condition), &self.symbols())?;
        let kind = LocKind::Error(ErrorKind::Assertion(format!("assert {}", text.trim())));
        self.machine.nodes[node].failures.push(MachineFailure {
            condition: fails,
            kind,
            span: None,
        });
        Ok(())
    }

    /// `when CONDITION then ASSIGNMENTS with CONDITION`
    fn step(&mut self, from: usize, to: usize, text: &str) -> Result<(), String> {
        let (rest, ensure) = cut(text, "with ");
        let (rest, effects) = cut(rest, "then ");
        let (rest, guard) = cut(rest, "when ");
        if !rest.is_empty() {
            return Err(format!("expected `when`, `then` or `with`, found `{rest}`"));
        }
        let mut guard = guard.map_or(Ok(Expr::TRUE), |text| self.condition(text))?;
        let mut assigns = Vec::new();
        for effect in effects.into_iter().flat_map(|list| split(list, ',')) {
            let assign = self.assignment(effect)?;
            guard = Expr::and(guard, definedness(&assign, &self.symbols())?);
            assigns.push(assign);
        }
        let ensure = ensure.map_or(Ok(Expr::TRUE), |text| self.condition(text))?;
        self.machine.moves.push(Move { from, to, guard, effects: assigns, ensure, span: None });
        Ok(())
    }

    /// `x := e`, `a[i] := e`, `x := any`
    fn assignment(&self, text: &str) -> Result<Assign, String> {
        let (place, value) = text.split_once(":=").ok_or("expected `variable := value`")?;
        let (name, index) = match place.trim().strip_suffix(']').and_then(|p| p.split_once('[')) {
            Some((name, index)) => (name, Some(index)),
            None => (place.trim(), None),
        };
        let name = plain(name.trim());
        let known = self.program.shared.iter().position(|var| var.name == name);
        let number = known.ok_or_else(|| format!("there is no shared variable `{name}`"))?;
        let var = VarRef::Shared(SharedId(number as u32));
        let place = match index {
            None => Place::Var(var),
            Some(index) => Place::Element(var, refold(&self.index(index)?)),
        };
        let value = match value.trim() {
            "any" => Rhs::Havoc,
            value => Rhs::Expr(refold(&self.expr(self.program.shared[number].ty, value)?)),
        };
        Ok(Assign { place, value })
    }

    /// An index has the type its variables have, or that of numbers.
    fn index(&self, text: &str) -> Result<Expr, String> {
        let types = [Type::signed(32), Type::unsigned(32), Type::unsigned(64), Type::signed(64)];
        let first = self.expr(types[0], text);
        types[1..].iter().fold(first, |found, ty| found.or_else(|_| self.expr(*ty, text)))
    }

    fn finish(mut self) -> (String, Spec) {
        if let Some(mut conditions) = self.modular.take() {
            let mut take = |word| conditions.remove(word).unwrap_or(Expr::TRUE);
            let [pre, invariant, environment] = CONDITIONS.map(&mut take);
            let modular = Modular { steps: self.machine, pre, invariant, environment };
            return (self.target, Spec::Modular(modular));
        }
        if self.machine.initial.is_empty() && !self.machine.nodes.is_empty() {
            self.machine.initial.push(0);
        }
        (self.target, Spec::Machine(self.machine))
    }
}

/// Is what an assignment computes defined?
fn definedness(assign: &Assign, symbols: &Symbols) -> Result<Expr, String> {
    let place = match &assign.place {
        Place::Element(var, index) => {
            defined(&Expr::Index(*var, Box::new(index.clone())), symbols)?
        }
        Place::Var(_) => Expr::TRUE,
    };
    let value = match &assign.value {
        Rhs::Expr(value) => defined(value, symbols)?,
        Rhs::Havoc => Expr::TRUE,
    };
    Ok(refold(&Expr::and(place, value)))
}

/// A name without its backticks.
fn plain(name: &str) -> String {
    name.trim_matches('`').to_string()
}

/// What stands before a word, and what behind it.
fn cut<'t>(text: &'t str, word: &str) -> (&'t str, Option<&'t str>) {
    if let Some(rest) = text.strip_prefix(word) {
        return ("", Some(rest));
    }
    match text.find(&format!(" {word}")) {
        Some(at) => (text[..at].trim(), Some(text[at + 1 + word.len()..].trim())),
        None => (text, None),
    }
}

/// The parts of a list, separated outside of brackets.
fn split(text: &str, separator: char) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, character) in text.char_indices() {
        match character {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            other if other == separator && depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// Names with a prime in backticks, as the model's text form has them.
fn quoted(text: &str) -> String {
    let mut out = String::new();
    let mut word = String::new();
    let mut inside = false;
    for character in text.chars().chain(['\n']) {
        match character {
            '`' => inside = !inside,
            '\'' if !inside => {
                out += &format!("`{word}'`");
                word.clear();
                continue;
            }
            other if !inside && (other.is_alphanumeric() || other == '_') => {
                word.push(other);
                continue;
            }
            _ => {}
        }
        out += &word;
        word.clear();
        out.push(character);
    }
    out
}

/// The text of a machine for a template of this name; [`parse`] reads it.
pub fn print(program: &Program, machine: &Machine, target: &str) -> String {
    let (whole, template) = (primed(program), names(machine));
    let show = |expr: &Expr| text::print_expr(&whole, Some(&template), expr);
    let node = |number: &usize| quote(&machine.nodes[*number].name);
    let initial: Vec<String> = machine.initial.iter().map(node).collect();
    let mut lines = vec![format!("abstract {} {{", quote(target))];
    lines.push(format!("  initial {}", initial.join(", ")));
    for node in &machine.nodes {
        for failure in &node.failures {
            let holds = show(&Expr::negate(failure.condition.clone()));
            lines.push(format!("  {}: assert {holds}", quote(&node.name)));
        }
    }
    for step in &machine.moves {
        let mut parts = Vec::new();
        let guard = said(program, machine, step);
        if guard != Expr::TRUE {
            parts.push(format!("when {}", show(&guard)));
        }
        let effects: Vec<String> =
            step.effects.iter().map(|effect| assignment(effect, &show)).collect();
        if !effects.is_empty() {
            parts.push(format!("then {}", effects.join(", ")));
        }
        if step.ensure != Expr::TRUE {
            parts.push(format!("with {}", show(&step.ensure)));
        }
        let (from, to) = (node(&step.from), node(&step.to));
        lines.push(format!("  {from} -> {to}: {}", parts.join(" ")).trim_end().to_string());
    }
    lines.push("}\n".into());
    lines.join("\n")
}

/// The guard of a move without what [`parse`] adds to it: that the rest of the move is
/// defined.
fn said(program: &Program, machine: &Machine, step: &Move) -> Expr {
    let symbols = Symbols { program, locals: &machine.params };
    let parts = step.guard.conjuncts();
    let of_parts = parts.iter().filter_map(|part| defined(part, &symbols).ok());
    let of_effects = step.effects.iter().filter_map(|effect| definedness(effect, &symbols).ok());
    let added: Vec<Expr> = of_parts.chain(of_effects).map(|needed| refold(&needed)).collect();
    let is_added = |part: &&Expr| added.iter().any(|needed| needed.conjuncts().contains(part));
    parts
        .iter()
        .filter(|part| !is_added(part))
        .map(|part| (*part).clone())
        .fold(Expr::TRUE, Expr::and)
}

fn assignment(effect: &Assign, show: &impl Fn(&Expr) -> String) -> String {
    let place = match &effect.place {
        Place::Var(var) => show(&Expr::Var(*var)),
        Place::Element(var, index) => show(&Expr::Index(*var, Box::new(index.clone()))),
    };
    match &effect.value {
        Rhs::Havoc => format!("{place} := any"),
        // The variable says which type the number has.
        Rhs::Expr(Expr::Const(number, Type::Bits { .. })) => format!("{place} := {number}"),
        Rhs::Expr(value) => format!("{place} := {}", show(value)),
    }
}

fn quote(name: &str) -> String {
    let is_plain = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if is_plain { name.to_string() } else { format!("`{name}`") }
}

//! Another solver as a process: it reads SMT-LIB 2 and answers on a pipe.
//!
//! Any solver will do that knows `(reset)`: `z3 -in`, `cvc5 --incremental`, `bitwuzla`, …
//! One process answers many questions. It is killed when it is interrupted or takes too
//! long, and started again for the next question. Whatever goes wrong gives `Unknown`, and
//! [`External::trouble`] says what it was.

use crate::smtlib;
use crate::solver::{Models, Solver};
use ccfa::{Budget, Stop};
use logic::Answer;
use logic::{Node, Term, Terms};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// Time between two looks at the budget.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// A solver in a process of its own.
pub struct External {
    command: Vec<String>,
    limit: Duration,
    budget: Budget,
    process: Option<SolverProcess>,
    trouble: Option<String>,
}

impl External {
    /// The program and its arguments, how long it may think about a question, and when to kill it.
    pub fn new(command: &[&str], limit: Duration, budget: &Budget) -> External {
        let command = command.iter().map(|word| word.to_string()).collect();
        External { command, limit, budget: budget.clone(), process: None, trouble: None }
    }

    /// Why the last answer is `Unknown`, if the solver is to blame.
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    fn ask(&mut self, terms: &Terms, formulas: &[Term]) -> Result<Answer, String> {
        let body = smtlib::assertions(terms, formulas)?;
        let question = format!(
            "(reset)\n(set-option :produce-models true)\n(set-logic ALL)\n{body}(check-sat)\n"
        );
        match self.talk(&question)?.as_str() {
            "sat" => Ok(Answer::Sat),
            "unsat" => Ok(Answer::Unsat),
            "unknown" => Err("it does not know".into()),
            other => Err(format!("it answers {other:?}")),
        }
    }

    /// Says something; gives the line that is answered.
    fn talk(&mut self, text: &str) -> Result<String, String> {
        let mut process = match self.process.take() {
            Some(process) => process,
            None => SolverProcess::start(&self.command)?,
        };
        let answer = process.talk(text, &self.budget.child(self.limit))?;
        // Only one that has answered is asked again; any other is killed when dropped.
        self.process = Some(process);
        Ok(answer)
    }
}

impl Solver for External {
    fn check(&mut self, terms: &Terms, formulas: &[Term]) -> Answer {
        self.trouble = None;
        match self.ask(terms, formulas) {
            Ok(answer) => answer,
            Err(trouble) => {
                self.process = None;
                self.trouble = Some(format!("{}: {trouble}", self.command.join(" ")));
                Answer::Unknown
            }
        }
    }
}

impl Models for External {
    fn value(&mut self, terms: &Terms, term: Term) -> i128 {
        let expression = match terms.node(term) {
            Node::Symbol(symbol) => smtlib::name(terms, *symbol),
            Node::Select(array, index) => {
                match (terms.node(*array), terms.constant_value(*index)) {
                    (Node::Symbol(symbol), Some(place)) => {
                        smtlib::element(terms, *symbol, place as u32)
                    }
                    _ => unreachable!("an element should be of a symbol, at a constant index"),
                }
            }
            _ => unreachable!("a symbol or an element should be given"),
        };
        let answer = self.talk(&format!("(get-value ({expression}))\n"));
        // What was not declared was not asked about.
        let value = answer.ok().and_then(|line| parse_value(&line)).unwrap_or(0);
        terms.ty(term).wrap(value)
    }
}

struct SolverProcess {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl SolverProcess {
    fn start(command: &[String]) -> Result<SolverProcess, String> {
        let (program, arguments) = command.split_first().ok_or("no command is given")?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("it cannot be started: {error}"))?;
        let input = child.stdin.take().expect("the input should be a pipe");
        let output = child.stdout.take().expect("the output should be a pipe");
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(SolverProcess { child, input, lines })
    }

    fn talk(&mut self, text: &str, budget: &Budget) -> Result<String, String> {
        let written = self.input.write_all(text.as_bytes()).and_then(|()| self.input.flush());
        written.map_err(|error| format!("it does not listen: {error}"))?;
        loop {
            match self.lines.recv_timeout(POLL_INTERVAL) {
                Ok(line) if line.trim().is_empty() => {}
                Ok(line) => return Ok(line.trim().to_string()),
                Err(RecvTimeoutError::Disconnected) => return Err("it has ended".into()),
                Err(RecvTimeoutError::Timeout) => match budget.check() {
                    Ok(()) => {}
                    Err(Stop::Timeout) => return Err("it takes too long".into()),
                    Err(_) => return Err("interrupted".into()),
                },
            }
        }
    }
}

impl Drop for SolverProcess {
    fn drop(&mut self) {
        // It may have ended already; then there is nothing to kill.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The value in `((expression value))`.
fn parse_value(line: &str) -> Option<i128> {
    let inner = line.strip_suffix("))")?;
    if let Some(digits) = inner.strip_suffix(')') {
        let magnitude: i128 = digits.rsplit("(- ").next()?.parse().ok()?;
        return Some(-magnitude);
    }
    let value = inner.rsplit(' ').next()?;
    match (value.strip_prefix("#b"), value.strip_prefix("#x"), value) {
        (Some(digits), ..) => i128::from_str_radix(digits, 2).ok(),
        (_, Some(digits), _) => i128::from_str_radix(digits, 16).ok(),
        (_, _, "true") => Some(1),
        (_, _, "false") => Some(0),
        (_, _, number) => number.parse().ok(),
    }
}

//! All orders of evaluation of small expressions over three variables, by the letter of C11, 6.5: an expression is rewritten
//! step by step, each step reads, writes or calls, and every step that is possible is taken.
//!
//! A value is known before the writes that come with it, which may happen until the next sequence point. Two
//! steps that are possible at once and of which one writes what the other reads or writes are not sequenced:
//! undefined, unless one of them is a call. While `x op= y` has read and not written, no call runs, also none of `y`.

use ccfa::random::Rng;
use std::collections::{BTreeSet, HashSet};
use std::fmt;

/// The functions and variables that expressions speak of.
pub const FUNCTIONS: &str = "
    int out, a = 1, b = 2, c = 3;
    int inca(void) { return a++; }
    int twice(int v) { int old = b; b = b * 2 + 1; return old + v; }
    int mix(int v, int w) { b = a + b; return v - w; }
    int look(void) { return c; }
    int set(int v) { c = v; return 3; }
    int pure(int v) { return v + 1; }
";
const NAMES: [(&str, usize); 6] =
    [("inca", 0), ("twice", 1), ("mix", 2), ("look", 0), ("set", 1), ("pure", 1)];
const VARIABLES: [&str; 3] = ["a", "b", "c"];
const START: Memory = [1, 2, 3];
/// Expressions with more states than this are left out: a second or so.
const MAX_STATES: usize = 20_000;

type Memory = [i32; 3];

/// What an expression can end with.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcomes {
    /// The value of the expression and those of the variables.
    Results(BTreeSet<Vec<i32>>),
    Undefined,
}

/// A write that is still to come; no call comes before one that belongs to `x op= y`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Write {
    variable: usize,
    value: i32,
    of_update: bool,
}

/// An expression, evaluated in part.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    Value(i32, Vec<Write>),
    Read(usize),
    Increment(usize),
    Sum(Box<Node>, Box<Node>),
    Difference(Box<Node>, Box<Node>),
    Assign(usize, Box<Node>),
    Update(usize, Box<Node>),
    /// An update that has read this.
    HalfUpdate(usize, i32, Box<Node>),
    Call(usize, Vec<Node>),
    Comma(Box<Node>, Box<Node>),
    And(Box<Node>, Box<Node>),
    Or(Box<Node>, Box<Node>),
    Truth(Box<Node>),
    Choice(Box<Node>, Box<Node>, Box<Node>),
}

use Node::{
    And, Assign, Call, Choice, Comma, Difference, HalfUpdate, Increment, Or, Read, Sum, Truth,
    Update, Value,
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Read(usize),
    Write(usize),
    Call,
}

struct Step {
    access: Access,
    memory: Memory,
    node: Node,
}

/// What an expression can end with; `None` if that is too much to enumerate.
pub fn outcomes(expression: Node) -> Option<Outcomes> {
    let (mut results, mut seen) = (BTreeSet::new(), HashSet::new());
    let mut pending = vec![(START, expression.settled())];
    while let Some((memory, node)) = pending.pop() {
        if seen.len() > MAX_STATES {
            return None;
        }
        if !seen.insert((memory, node.clone())) {
            continue;
        }
        if let Some(value) = node.complete() {
            results.insert([&[value], &memory[..]].concat());
            continue;
        }
        let steps = node.steps(memory);
        let clash = |(number, one): (usize, &Step)| {
            steps[..number].iter().any(|other| one.access.clashes(other.access))
        };
        if steps.iter().enumerate().any(clash) {
            return Some(Outcomes::Undefined);
        }
        let is_half_way = node.half_updates() > 0;
        let may_run = |step: &Step| step.access != Access::Call || !is_half_way;
        let next = steps.into_iter().filter(may_run);
        pending.extend(next.map(|step| (step.memory, step.node.settled())));
    }
    Some(Outcomes::Results(results))
}

impl Access {
    fn clashes(self, other: Access) -> bool {
        match (self, other) {
            (Access::Write(a), Access::Write(b) | Access::Read(b))
            | (Access::Read(a), Access::Write(b)) => a == b,
            _ => false,
        }
    }
}

fn boxed(node: Node) -> Box<Node> {
    Box::new(node)
}

impl Node {
    pub fn random(random: &mut Rng, depth: u32) -> Node {
        let variable = *random.pick(&[0, 1, 2]);
        let function = random.below(NAMES.len());
        let choice = random.below(100);
        if depth == 0 || choice < 8 {
            return if random.chance(30) { Value(variable as i32, vec![]) } else { Read(variable) };
        }
        let mut operand = || boxed(Node::random(random, depth - 1));
        match choice {
            8..26 => Sum(operand(), operand()),
            26..40 => Difference(operand(), operand()),
            40..62 => Call(function, (0..NAMES[function].1).map(|_| *operand()).collect()),
            62..70 => Assign(variable, operand()),
            70..78 => Update(variable, operand()),
            78..84 => Increment(variable),
            84..88 => Comma(operand(), operand()),
            88..92 => And(operand(), operand()),
            92..95 => Or(operand(), operand()),
            _ => Choice(operand(), operand(), operand()),
        }
    }

    /// Its value, if nothing is left to be done.
    fn complete(&self) -> Option<i32> {
        match self {
            Value(value, writes) if writes.is_empty() => Some(*value),
            _ => None,
        }
    }

    /// As far as it can be evaluated without an access.
    fn settled(self) -> Node {
        let both = |a: Box<Node>, b: Box<Node>| (a.settled(), b.settled());
        match self {
            Sum(a, b) => match both(a, b) {
                (Value(a, first), Value(b, second)) => Value(a + b, [first, second].concat()),
                (a, b) => Sum(boxed(a), boxed(b)),
            },
            Difference(a, b) => match both(a, b) {
                (Value(a, first), Value(b, second)) => Value(a - b, [first, second].concat()),
                (a, b) => Difference(boxed(a), boxed(b)),
            },
            Assign(variable, value) => match value.settled() {
                Value(value, writes) => written(variable, value, writes, false),
                value => Assign(variable, boxed(value)),
            },
            Update(variable, operand) => Update(variable, boxed(operand.settled())),
            HalfUpdate(variable, old, operand) => match operand.settled() {
                Value(value, writes) => written(variable, old + value, writes, true),
                operand => HalfUpdate(variable, old, boxed(operand)),
            },
            Call(function, arguments) => {
                Call(function, arguments.into_iter().map(Node::settled).collect())
            }
            Truth(operand) => match operand.settled() {
                Value(value, writes) => Value(i32::from(value != 0), writes),
                operand => Truth(boxed(operand)),
            },
            Comma(..) | And(..) | Or(..) | Choice(..) => self.past_sequence_point(),
            Value(..) | Read(_) | Increment(_) => self,
        }
    }

    /// What stands behind a sequence point, if what stands before it is complete.
    fn past_sequence_point(self) -> Node {
        let (first, rest): (Box<Node>, Box<dyn FnOnce(Node) -> Node>) = match self {
            Comma(a, b) => (a, Box::new(|a| Comma(boxed(a), b))),
            And(a, b) => (a, Box::new(|a| And(boxed(a), b))),
            Or(a, b) => (a, Box::new(|a| Or(boxed(a), b))),
            Choice(a, b, c) => (a, Box::new(|a| Choice(boxed(a), b, c))),
            other => return other,
        };
        let first = first.settled();
        let Some(value) = first.complete() else { return rest(first) };
        match rest(first) {
            Comma(_, b) => b.settled(),
            And(..) if value == 0 => Value(0, vec![]),
            Or(..) if value != 0 => Value(1, vec![]),
            And(_, b) | Or(_, b) => Truth(b).settled(),
            Choice(_, b, c) => {
                if value != 0 {
                    b.settled()
                } else {
                    c.settled()
                }
            }
            other => other,
        }
    }

    /// All that may happen next.
    fn steps(&self, memory: Memory) -> Vec<Step> {
        let step = |access, memory, node| vec![Step { access, memory, node }];
        match self {
            Value(value, writes) => (0..writes.len())
                .flat_map(|number| {
                    let (mut rest, mut memory) = (writes.clone(), memory);
                    let write = rest.remove(number);
                    memory[write.variable] = write.value;
                    step(Access::Write(write.variable), memory, Value(*value, rest))
                })
                .collect(),
            Read(variable) => {
                step(Access::Read(*variable), memory, Value(memory[*variable], vec![]))
            }
            Increment(variable) => {
                let old = memory[*variable];
                let write = Write { variable: *variable, value: old + 1, of_update: true };
                step(Access::Read(*variable), memory, Value(old, vec![write]))
            }
            Sum(a, b) => {
                let mut all = within(a, memory, |a| Sum(a, b.clone()));
                all.extend(within(b, memory, |b| Sum(a.clone(), b)));
                all
            }
            Difference(a, b) => {
                let mut all = within(a, memory, |a| Difference(a, b.clone()));
                all.extend(within(b, memory, |b| Difference(a.clone(), b)));
                all
            }
            Assign(variable, value) => within(value, memory, |value| Assign(*variable, value)),
            Update(variable, operand) => {
                let half = HalfUpdate(*variable, memory[*variable], operand.clone());
                let mut all = step(Access::Read(*variable), memory, half);
                all.extend(within(operand, memory, |operand| Update(*variable, operand)));
                all
            }
            HalfUpdate(variable, old, operand) => {
                within(operand, memory, |node| HalfUpdate(*variable, *old, node))
            }
            Truth(a) => within(a, memory, Truth),
            Comma(a, b) => within(a, memory, |a| Comma(a, b.clone())),
            And(a, b) => within(a, memory, |a| And(a, b.clone())),
            Or(a, b) => within(a, memory, |a| Or(a, b.clone())),
            Choice(a, b, c) => within(a, memory, |a| Choice(a, b.clone(), c.clone())),
            Call(function, arguments) => self.call(*function, arguments, memory),
        }
    }

    fn call(&self, function: usize, arguments: &[Node], memory: Memory) -> Vec<Step> {
        let values: Option<Vec<i32>> = arguments.iter().map(Node::complete).collect();
        if let Some(values) = values {
            let (memory, value) = called(function, &values, memory);
            let node = Value(value, vec![]);
            return vec![Step { access: Access::Call, memory, node }];
        }
        let one = |number: usize| {
            within(&arguments[number], memory, |argument| {
                let mut arguments = arguments.to_vec();
                arguments[number] = *argument;
                Call(function, arguments)
            })
        };
        (0..arguments.len()).flat_map(one).collect()
    }

    /// How many updates have read and not written.
    fn half_updates(&self) -> usize {
        match self {
            Value(_, writes) => writes.iter().filter(|write| write.of_update).count(),
            HalfUpdate(_, _, operand) => 1 + operand.half_updates(),
            Sum(a, b) | Difference(a, b) => a.half_updates() + b.half_updates(),
            Call(_, arguments) => arguments.iter().map(Node::half_updates).sum(),
            Assign(_, a) | Update(_, a) | Truth(a) => a.half_updates(),
            // What stands behind the sequence point has not begun.
            Comma(a, _) | And(a, _) | Or(a, _) | Choice(a, ..) => a.half_updates(),
            Read(_) | Increment(_) => 0,
        }
    }
}

fn written(variable: usize, value: i32, mut writes: Vec<Write>, of_update: bool) -> Node {
    writes.push(Write { variable, value, of_update });
    Value(value, writes)
}

fn within(part: &Node, memory: Memory, whole: impl Fn(Box<Node>) -> Node) -> Vec<Step> {
    let steps = part.steps(memory).into_iter();
    steps.map(|step| Step { node: whole(boxed(step.node)), ..step }).collect()
}

/// What a call does: memory afterwards, and its value.
fn called(function: usize, arguments: &[i32], [a, b, c]: Memory) -> (Memory, i32) {
    match (NAMES[function].0, arguments) {
        ("inca", _) => ([a + 1, b, c], a),
        ("twice", [v]) => ([a, b * 2 + 1, c], b + v),
        ("mix", [v, w]) => ([a, a + b, c], v - w),
        ("look", _) => ([a, b, c], c),
        ("set", [v]) => ([a, b, *v], 3),
        ("pure", [v]) => ([a, b, c], v + 1),
        (name, _) => panic!("`{name}` has other arguments"),
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Value(value, _) => write!(f, "{value}"),
            Read(variable) => write!(f, "{}", VARIABLES[*variable]),
            Increment(variable) => write!(f, "{}++", VARIABLES[*variable]),
            Sum(a, b) => write!(f, "({a} + {b})"),
            Difference(a, b) => write!(f, "({a} - {b})"),
            Assign(variable, value) => write!(f, "({} = {value})", VARIABLES[*variable]),
            Update(variable, operand) | HalfUpdate(variable, _, operand) => {
                write!(f, "({} += {operand})", VARIABLES[*variable])
            }
            Call(function, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(Node::to_string).collect();
                write!(f, "{}({})", NAMES[*function].0, arguments.join(", "))
            }
            Comma(a, b) => write!(f, "({a}, {b})"),
            And(a, b) => write!(f, "({a} && {b})"),
            Or(a, b) => write!(f, "({a} || {b})"),
            Truth(a) => write!(f, "({a} != 0)"),
            Choice(a, b, c) => write!(f, "({a} ? {b} : {c})"),
        }
    }
}

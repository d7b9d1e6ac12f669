//! Programs whose result depends on an order of evaluation that C leaves open, but whose behaviour is always defined: what
//! functions do to globals is never unsequenced (C11, 6.5.2.2, paragraph 10). Compilers choose, each in its own way, and
//! whatever one of them has chosen must be an execution of the model. That the model has no others is shown by the test `order`.

use crate::interpret::{self, Ending};
use crate::native::{self, Compiler, JUDGE};
use crate::tree::{Part, Role, Tree, expr, fixed, stmt};
use crate::{number_from, tools};
use ccfa::random::Rng;
use cfront::DataModel;
use std::collections::BTreeMap;

/// Programs of every run.
const PROGRAMS: usize = 60;
/// How deep expressions are.
const DEPTH: u32 = 2;
/// So often a smaller program is tried.
const ATTEMPTS: usize = 400;
/// So many of a hundred must be decided: the others have too many orders.
const MIN_DECIDED_PERCENT: usize = 80;

/// What the programs work with; `_K` ends all names.
const HEAD: &str = "
struct pair_K { unsigned x; unsigned char y; unsigned z : 5; };
static unsigned a_K = 1, b_K = 2, n_K, c_K[4] = { 7, 5, 3, 2 };
static struct pair_K s_K = { 4, 5, 6 };
static unsigned next_K(void) { return ++n_K; }
static unsigned grow_K(unsigned by) { a_K = a_K * 3 + by; return a_K & 15; }
static unsigned swap_K(void) { unsigned t = a_K; a_K = b_K; b_K = t; return t - a_K; }
static unsigned *where_K(unsigned k) { n_K += k & 3; return &c_K[n_K & 3]; }
static unsigned turn_K(unsigned k) { s_K.z = s_K.z * 2 + (k & 1); c_K[k & 3] += s_K.z; return c_K[s_K.z & 3]; }
static struct pair_K make_K(unsigned k) { struct pair_K p = { n_K + k, a_K, b_K + k }; n_K++; return p; }
static unsigned two_K(unsigned p, unsigned q) { return p * 5 - q + (b_K += 1); }
static unsigned of_K(struct pair_K p, unsigned q) { return p.x * 7 + p.y * 3 + p.z - q; }
static unsigned read_K(unsigned const *p) { return *p + b_K; }
static unsigned (*table_K[2])(unsigned) = { grow_K, turn_K };
";

#[test]
fn what_compilers_choose_is_an_order_of_the_model() {
    if !native::is_available(DataModel::Lp64) {
        return tools::skip("`cc`", "orders of evaluation are not compared");
    }
    let mut compilers = vec![JUDGE];
    compilers.extend(native::others());
    let seed = number_from("RELY_SEED").unwrap_or(1);
    let count = number_from("RELY_PROGRAMS").map_or(PROGRAMS, |number| number as usize);
    let programs: Vec<Tree> = (0..count).map(|number| program(seed, number)).collect();
    let chosen = choices(&compilers, &programs).unwrap_or_else(|problem| panic!("{problem}"));
    let (mut several, mut decided, mut failures) = (0, 0, Vec::new());
    for (number, program) in programs.iter().enumerate() {
        let of_program = of_program(&chosen, number);
        several += usize::from(of_program.len() > 1);
        match missing(program, number, &of_program) {
            None => decided += 1,
            Some(what) if is_too_large(&what) => {}
            Some(what) => {
                let smaller = shrunk(&compilers, program, number, &what);
                failures.push(format!("seed {seed}, program {number}: {what}\n{smaller}"));
            }
        }
    }
    eprintln!("orders of evaluation, seed {seed}:");
    eprintln!(
        "{decided:7}  have the compilers' orders\n{several:7}  mean several things to compilers"
    );
    eprintln!("{:7}  are too large for the model", count - decided - failures.len());
    eprintln!("{:7}  DISAGREE", failures.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(decided * 100 >= count * MIN_DECIDED_PERCENT, "only {decided} of {count} are decided");
    // Else there was nothing to be right or wrong about.
    let has_clang = compilers.contains(&Compiler("clang", "-O0"));
    assert!(!has_clang || several * 8 >= count, "compilers differ on {several} of {count} only");
}

/// What each compiler says of each program.
type Choices = Vec<(Compiler, Vec<u64>)>;

fn choices(compilers: &[Compiler], programs: &[Tree]) -> Result<Choices, String> {
    let text: String = programs.iter().map(Tree::text).collect();
    let functions: Vec<String> = (0..programs.len()).map(|number| format!("f_{number}")).collect();
    let of = |compiler: &Compiler| {
        let values = native::run_by(*compiler, &text, &functions, DataModel::Lp64, false)?;
        Ok((*compiler, values))
    };
    compilers.iter().map(of).collect()
}

/// The values of one program, each with a compiler that has chosen it.
fn of_program(chosen: &Choices, number: usize) -> BTreeMap<u64, Compiler> {
    chosen.iter().rev().map(|(compiler, values)| (values[number], *compiler)).collect()
}

/// What a compiler has chosen and the model has not, or why the model cannot tell.
fn missing(program: &Tree, number: usize, chosen: &BTreeMap<u64, Compiler>) -> Option<String> {
    for (value, Compiler(name, level)) in chosen {
        let whole = format!(
            "{}{}int main(void) {{ if (f_{number}() == {value}ULL) reach_error(); return 0; }}\n",
            native::prelude(DataModel::Lp64),
            program.text()
        );
        match interpret::can_differ(&whole, DataModel::Lp64) {
            Ok(true) => {}
            Ok(false) => return Some(format!("no order gives what {name} {level} says, {value}")),
            Err(Ending::Trouble(what)) => return Some(what),
            Err(other) => return Some(format!("{other:?}")),
        }
    }
    None
}

fn is_too_large(what: &str) -> bool {
    what == "too many steps"
        || what.starts_with("model limit") && what.contains("order of evaluation")
}

/// A smaller program with the same kind of failure.
fn shrunk(compilers: &[Compiler], program: &Tree, number: usize, what: &str) -> String {
    let kind = |what: &str| what.split(',').next().unwrap_or_default().to_string();
    let renamed = |tree: &Tree| {
        Tree::new(Role::Fixed, vec![Part::from(tree.text().replace(&format!("_{number}"), "_0"))])
    };
    let mut fails = |candidate: &Tree| {
        let candidate = renamed(candidate);
        choices(compilers, std::slice::from_ref(&candidate)).is_ok_and(|chosen| {
            let found = missing(&candidate, 0, &of_program(&chosen, 0));
            found.is_some_and(|found| kind(&found) == kind(what))
        })
    };
    renamed(&program.shrink(ATTEMPTS, &mut fails)).text()
}

/// The program with a number, of a seed.
fn program(seed: u64, number: usize) -> Tree {
    let mut random = Rng::new(seed << 32 | number as u64);
    let mut maker = Maker { random: &mut random };
    let statements: Vec<Tree> = (0..1 + maker.random.below(2)).map(|_| maker.statement()).collect();
    let tree = fixed!(
        HEAD,
        "unsigned long long f_K(void)\n{\nunsigned d = 3;\n",
        statements,
        "unsigned long long h = d;\n",
        "h = h * 31 + a_K; h = h * 31 + b_K; h = h * 31 + n_K;\n",
        "h = h * 31 + c_K[0]; h = h * 31 + c_K[1]; h = h * 31 + c_K[2]; h = h * 31 + c_K[3];\n",
        "h = h * 31 + s_K.x; h = h * 31 + s_K.y; h = h * 31 + s_K.z;\nreturn h;\n}\n"
    );
    tree.with_text(&|text| text.replace("_K", &format!("_{number}")))
}

struct Maker<'r> {
    random: &'r mut Rng,
}

impl Maker<'_> {
    fn statement(&mut self) -> Tree {
        let (place, value, other) = (self.place(), self.expr(DEPTH), self.expr(1));
        match self.random.below(8) {
            0 | 1 => stmt!(place, " = ", value, ";\n"),
            2 => {
                let operator = *self.random.pick(&["+=", "-=", "*=", "^=", "|="]);
                stmt!(place, format!(" {operator} "), value, ";\n")
            }
            3 => stmt!("{ unsigned l[2] = { ", value, ", ", other, " }; d += l[0] * 9 + l[1]; }\n"),
            4 => stmt!(
                "{ struct pair_K l = { .z = ",
                value,
                ", .x = ",
                other,
                " }; d += of_K(l, 1); }\n"
            ),
            5 => stmt!("s_K = make_K(", value, ");\n"),
            6 => stmt!("d = ", value, " - ", other, ";\n"),
            _ => stmt!("d = two_K(", value, ", ", other, ");\n"),
        }
    }

    /// What is assigned to; its address may take a call.
    fn place(&mut self) -> Tree {
        match self.random.below(8) {
            0 | 1 => fixed!("a_K"),
            2 => fixed!("s_K.z"),
            3 => fixed!("c_K[n_K & 3]"),
            4 => fixed!("c_K[", self.call(0), " & 3]"),
            5 | 6 => fixed!("*where_K(", self.expr(0), ")"),
            _ => fixed!("s_K.y"),
        }
    }

    fn expr(&mut self, depth: u32) -> Tree {
        if depth == 0 {
            return match self.random.below(3) {
                0 => expr!(self.random.below(6).to_string(), "u"),
                _ => expr!(*self.random.pick(&[
                    "a_K",
                    "b_K",
                    "n_K",
                    "c_K[1]",
                    "s_K.z",
                    "c_K[b_K & 3]"
                ])),
            };
        }
        let (left, right) = (self.expr(depth - 1), self.expr(depth - 1));
        match self.random.below(12) {
            0..3 => {
                let operator = *self.random.pick(&["+", "-", "*", "^", "<", "=="]);
                expr!("(", left, format!(" {operator} "), right, ")")
            }
            3 => expr!("(", left, *self.random.pick(&[" && ", " || "]), right, ")"),
            4 => expr!("(", left, " ? ", right, " : ", self.call(0), ")"),
            5 => expr!("(", left, ", ", right, ")"),
            _ => self.call(depth - 1),
        }
    }

    fn call(&mut self, depth: u32) -> Tree {
        match self.random.below(13) {
            0 | 1 => expr!("next_K()"),
            2 => expr!("swap_K()"),
            3 => expr!("grow_K(", self.expr(depth), ")"),
            4 => expr!("turn_K(", self.expr(depth), ")"),
            5 | 6 => expr!("two_K(", self.expr(depth), ", ", self.expr(depth), ")"),
            7 => expr!("two_K(", self.call(0), ", ", self.call(0), ")"),
            8 => expr!("of_K(make_K(", self.expr(depth), "), ", self.expr(depth), ")"),
            9 => expr!("of_K(make_K(", self.expr(0), "), ", self.call(0), ")"),
            10 => expr!("make_K(", self.expr(depth), ").x"),
            11 => expr!("read_K(where_K(", self.expr(depth), "))"),
            _ => expr!("table_K[", self.expr(0), " & 1](", self.expr(depth), ")"),
        }
    }
}

//! The five systems of the paper, for any number of processes, as texts of programs.
//!
//! MUX-SEM and its variants are those under `examples/thread-modular` with another number; there is
//! also said how the property is written down. The others depend on the number in more places.

/// The systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// A semaphore.
    MuxSem,
    /// A variable names the last who entered.
    MuxSemLast,
    /// Each process counts.
    MuxSemCount,
    /// Tickets.
    Bakery,
    /// Forks.
    Philosophers,
}

impl Model {
    /// The name in the paper's tables.
    pub fn name(self) -> &'static str {
        match self {
            Model::MuxSem => "MUX-SEM",
            Model::MuxSemLast => "MUX-SEM-LAST",
            Model::MuxSemCount => "MUX-SEM-COUNT",
            Model::Bakery => "Bakery",
            Model::Philosophers => "Dining Philosophers",
        }
    }

    /// The program with `n` processes.
    pub fn text(self, n: usize) -> String {
        let mux_sem = include_str!("../../examples/thread-modular/mux-sem.rely");
        let last = include_str!("../../examples/thread-modular/mux-sem-last.rely");
        let count = include_str!("../../examples/thread-modular/mux-sem-count.rely");
        match self {
            Model::MuxSem => mux_sem.replace("p[20]", &format!("p[{n}]")),
            Model::MuxSemLast => last.replace("p[50]", &format!("p[{n}]")),
            Model::MuxSemCount => count.replace("p[10]", &format!("p[{n}]")),
            Model::Bakery => bakery(n),
            Model::Philosophers => philosophers(n),
        }
    }
}

/// A process that wants to enter takes a ticket with a larger number than all others, if there is one,
/// and waits until no smaller one is left (of equal numbers the lower process counts as
/// smaller). It is an error to be inside with a ticket that is not the smallest.
fn bakery(n: usize) -> String {
    let each = |formula: &dyn Fn(usize) -> String, operator: &str| {
        (0..n).map(formula).collect::<Vec<String>>().join(operator)
    };
    let largest = (1..n).fold("number[0]".to_string(), |largest, j| {
        format!("ite({largest} < number[{j}], number[{j}], {largest})")
    });
    let left = each(&|j| format!("number[{j}] < {n}"), " && ");
    let first = each(
        &|j| {
            format!(
                "(number[{j}] == 0 || number[me] < number[{j}] \
                 || number[me] == number[{j}] && me <= {j})"
            )
        },
        " && ",
    );
    let late = each(
        &|j| {
            format!(
                "number[{j}] != 0 && (number[{j}] < number[me] \
                 || number[{j}] == number[me] && {j} < me)"
            )
        },
        " || ",
    );
    format!(
        r#"program "Bakery"
shared number: u8[{n}] = 0
template process(me: u8) {{
  idle -> waiting: when {left} then number[me] := {largest} + 1
  waiting -> critical: when {first}
  critical -> bad: when {late}
  critical -> idle: number[me] := 0
  error bad: "who is inside has the smallest ticket"
}}
thread p[{n}] = process(index + 0)
"#
    )
}

/// Each takes the left fork, then the right one, and puts them back. While it eats, a philosopher
/// marks its forks as used; it is an error to eat with a fork that is used.
fn philosophers(n: usize) -> String {
    let (others, last) = (n - 1, n - 1);
    format!(
        r#"program "Dining Philosophers"
shared fork: bool[{n}] = false
shared used: bool[{n}] = false
template philosopher(left: u16, right: u16) {{
  thinking -> hungry: when !fork[left] then fork[left] := true
  hungry -> eating: when !fork[right] then fork[right] := true
  eating -> bad: when used[left] || used[right]
  eating -> full: when !used[left] && !used[right] then used[left] := true, used[right] := true
  full -> leaving: used[left] := false, used[right] := false, fork[right] := false
  leaving -> thinking: fork[left] := false
  error bad: "neighbours do not eat at the same time"
}}
thread p[{others}] = philosopher(index + 0, index + 1)
thread last = philosopher({last}, 0)
"#
    )
}

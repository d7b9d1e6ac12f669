//! Goldens: whole reports on models with their source.

use super::write;
use crate::input::Task;
use engine::{Budget, Engine, Silent};
use explore::Explorer;

const SOURCE: &str = "\
#include <pthread.h>
int x;
void *adder(void *unused) {
\tint r = x;
\tx = r   +   1;
}
int main(void) {
  while (x < 2) ;
  assert(x == 3);
  longjmp(buffer, 1);
}
";

fn check(model: &str, code: u8, expected: &str) {
    let program = ccfa::text::parse(model).expect("a model");
    let texts = [("counter.c".to_string(), SOURCE.to_string())].into();
    let task = Task::new(program, texts);
    let mut engine = Explorer { reduce: false, ..Explorer::default() };
    let verdict = engine.verify(&task.program, &Budget::default(), &mut Silent);
    let verdict = check::confirm(&task.program, verdict, solve::integers, &Budget::default());
    let report = write(&task, engine.name(), &verdict, &[], false, None, &[]);
    let text = report.to_string();
    assert!(text == expected, "got:\n{text}\nexpected:\n{expected}");
    assert_eq!(report.verdict.exit_code(), code);
}

#[test]
fn steps_at_one_line_are_one_row() {
    check(
        "program \"counter\"
        file 0 \"counter.c\"
        shared x: i32 = 0 source \"x\" \"int\"
        shared `.created`: bool = false
        template adder() {
          local r: i32 = any source \"r\" \"int\"
          local `.t`: i32 = 0
          start -> a: when `.created`
          a -> b: `.t` := x @0:4:10
          b -> c: r := `.t` @0:4:6
          c -> d: `.t` := r + 1 @0:5:6
          d -> e: x := `.t` @0:5:2
        }
        template judge() {
          local i: i32 = 0 source \"i\" \"int\"
          start -> loop: `.created` := true
          loop -> loop: when x < 2 then i := i + 1 @0:8:3
          loop -> out: when i == 2 && x == 1 @0:8:3
          error bad: \"x == 3\" @0:9:3
          out -> bad: when x != 3 @0:9:3
        }
        thread adder = adder()
        thread main = judge()",
        10,
        "\
UNSAFE
An error can be reached: x == 3, in thread main at counter.c:9:3
 9 |   assert(x == 3);
   |   ^

This interleaving leads there (it was replayed):

step  line  adder       main             values
----  ----  ----------  ---------------  ------
   1     4  int r = x;                   r = 0
   2     5  x = r + 1;                   x = 1
   3     8              while (x < 2) ;  i = 1
   4     8              while (x < 2) ;  i = 2
   5     9              assert(x == 3);
",
    );
}

#[test]
fn limits_are_pointed_at() {
    check(
        "program \"jump\"
        file 0 \"counter.c\"
        template jumper() {
          start -> away @0:10:3
          limit unsupported away: \"longjmp\" @0:10:3
        }
        thread main = jumper()",
        20,
        "\
UNKNOWN
not supported: longjmp at counter.c:10:3
 10 |   longjmp(buffer, 1);
    |   ^
",
    );
}

#[test]
fn any_number_of_threads() {
    check(
        "program \"many\"
        shared x: u8 = 0
        template adder() {
          start -> end: x := x + 1
        }
        template judge() {
          error bad: \"x < 3\"
          entry start
          start -> bad: when 3 <= x
        }
        thread w[*] = adder()
        thread main = judge()",
        10,
        "\
UNSAFE
An error can be reached: x < 3, in thread main

This interleaving, with 3 of w, leads there (it was replayed):

step  w[0]        w[1]        w[2]        main         values
----  ----------  ----------  ----------  -----------  ------
   1  x := x + 1                                       x = 1
   2              x := x + 1                           x = 2
   3                          x := x + 1               x = 3
   4                                      when 3 <= x
",
    );
}

#[test]
fn thousands() {
    for (number, text) in [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567")] {
        assert_eq!(super::grouped(number), text);
    }
}

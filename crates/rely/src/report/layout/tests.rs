//! Goldens: interleavings as they are shown.

use super::super::{Change, Failure, Interleaving, Row};
use super::{MAX_COLUMNS, write};

/// Rows are written "thread | line | text | x: 0 > 1; y: 2 > 3".
fn check(threads: &[&str], rows: &[&str], expected: &str) {
    let interleaving = interleaving(threads, rows);
    let text = write(&interleaving, true);
    assert!(text.lines().all(|line| line.chars().count() <= MAX_COLUMNS), "too wide:\n{text}");
    assert!(text == expected, "got:\n{text}\nexpected:\n{expected}");
}

fn interleaving(threads: &[&str], rows: &[&str]) -> Interleaving {
    let failure = Failure {
        id: "assertion",
        what: String::new(),
        thread: String::new(),
        place: None,
        related: Vec::new(),
    };
    let threads: Vec<String> = threads.iter().map(ToString::to_string).collect();
    let row = |text: &&str| {
        let parts: Vec<&str> = text.split(" | ").collect();
        let thread = threads.iter().position(|name| name == parts[0]).expect("a known thread");
        let changes =
            parts.get(3).map_or(Vec::new(), |text| text.split("; ").map(change).collect());
        let (line, text) = (parts[1].to_string(), parts[2].to_string());
        Row { thread, function: None, line, place: None, text, changes, is_shared: true }
    };
    let rows = rows.iter().map(row).collect();
    Interleaving { initially: Vec::new(), threads, rows, failure }
}

fn change(text: &str) -> Change {
    let (name, values) = text.split_once(": ").expect("a name");
    let (old, new) = values.split_once(" > ").expect("two values");
    Change { name: name.to_string(), old: old.to_string(), new: new.to_string() }
}

#[test]
fn one_column_for_each_thread_that_moves() {
    check(
        &["main", "a", "b", "idle"],
        &[
            "main | 20 | pthread_create(&t1, 0, a, 0);",
            "a | 7 | int r = x; | r: 0 > 5",
            "b | 7 | int r = x; | r: 0 > 5",
            "a | 8 | x = r + 1; | x: 5 > 6",
            "main | 24 | assert(x == 7);",
        ],
        "\
step  line  main                           a           b           values
----  ----  -----------------------------  ----------  ----------  ------
   1    20  pthread_create(&t1, 0, a, 0);
   2     7                                 int r = x;              r = 5
   3     7                                             int r = x;  r = 5
   4     8                                 x = r + 1;              x = 6
   5    24  assert(x == 7);
",
    );
}

#[test]
fn without_lines_there_is_no_column_for_them() {
    check(
        &["p"],
        &["p |  | x := 1 | x: 0 > 1"],
        "\
step  p       values
----  ------  ------
   1  x := 1  x = 1
",
    );
}

#[test]
fn long_lines_are_cut_and_many_changes_wrapped() {
    let long = format!("a | 9 | {} | x: 0 > 1; y: 0 > 2; z: 0 > 3", "f(x) + ".repeat(30));
    let other = format!(
        "b | common.h:10 | {} | {}",
        "g(y) + ".repeat(30),
        "flag[12]: 0 > 100; ".repeat(5) + "x: 1 > 2"
    );
    check(&["a", "b"], &[&long, &other], GOLDEN_LONG);
}

const GOLDEN_LONG: &str = "\
step         line  a                              b                              values
----  -----------  -----------------------------  -----------------------------  -----------------------------
   1            9  f(x) + f(x) + f(x) + f(x) + …                                 x = 1, y = 2, z = 3
   2  common.h:10                                 g(y) + g(y) + g(y) + g(y) + …  flag[12] = 100,
                                                                                 flag[12] = 100,
                                                                                 flag[12] = 100,
                                                                                 flag[12] = 100,
                                                                                 flag[12] = 100, x = 2
";

#[test]
fn many_threads_are_listed() {
    let threads = ["main", "w[0]", "w[1]", "w[2]", "w[3]", "w[4]", "w[5]", "w[6]"];
    let mut rows = vec!["main | 30 | start();".to_string()];
    for number in 0..7 {
        rows.push(format!("w[{number}] | 9 | x = x + 1; | x: {number} > {}", number + 1));
    }
    rows.push("main | 101 | assert(x != 7);".to_string());
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    check(&threads, &rows, GOLDEN_LIST);
}

const GOLDEN_LIST: &str = "\
1  main  line 30   start();
2  w[0]  line 9    x = x + 1;       [x: 0 → 1]
3  w[1]  line 9    x = x + 1;       [x: 1 → 2]
4  w[2]  line 9    x = x + 1;       [x: 2 → 3]
5  w[3]  line 9    x = x + 1;       [x: 3 → 4]
6  w[4]  line 9    x = x + 1;       [x: 4 → 5]
7  w[5]  line 9    x = x + 1;       [x: 5 → 6]
8  w[6]  line 9    x = x + 1;       [x: 6 → 7]
9  main  line 101  assert(x != 7);
";

/// Long tables leave out what a thread does by itself, and say so; never the last row.
#[test]
fn long_runs_of_own_steps_are_folded() {
    let mut long = interleaving(&["main", "a"], &["main | 1 | x = 1 | x: 0 > 1"]);
    let shared = long.rows[0].clone();
    let own = |number: usize| Row {
        thread: 1,
        line: "7".to_string(),
        text: "i++".to_string(),
        changes: vec![change(&format!("i: {number} > {}", number + 1))],
        is_shared: false,
        ..shared.clone()
    };
    long.rows.extend((0..70).map(own));
    long.rows.push(shared.clone());
    long.rows.extend((0..3).map(own));
    long.rows.push(shared.clone());
    long.rows.extend((0..5).map(own));
    let text = write(&long, false);
    let expected = "\
step  line  main   a                     values
----  ----  -----  --------------------  ------
   1     1  x = 1                        x = 1
   2     7         … 70 steps by itself  i = 70
   3     1  x = 1                        x = 1
   4     7         i++                   i = 1
   5     7         i++                   i = 2
   6     7         i++                   i = 3
   7     1  x = 1                        x = 1
   8     7         … 4 steps by itself   i = 4
   9     7         i++                   i = 5

Steps of a thread by itself are folded; --proof shows all 81.
";
    assert!(text == expected, "got:\n{text}\nexpected:\n{expected}");
    assert_eq!(write(&long, true).lines().count(), long.rows.len() + 2);
    long.rows.truncate(60);
    assert_eq!(write(&long, false).lines().count(), 62);
}

/// A name that is too long loses its beginning, not its value.
#[test]
fn values_are_not_cut_off() {
    let name = format!("heap@106.{}.owner", "very.".repeat(30));
    let row = format!("main | 1 | pthread_mutex_lock(&p->lock) | {name}: 0 > 77");
    let text = write(&interleaving(&["main"], &[&row]), true);
    assert!(text.contains(".owner = 77"), "{text}");
}

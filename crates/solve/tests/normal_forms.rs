//! What the constructors make of expressions: one row, one rule (or a slip that random
//! tests once found).

use ccfa::semantics::System;
use ccfa::{Type, text};
use logic::{Sort, Term, Terms, Vocabulary};

const VARIABLES: &str = "
    shared p: bool = any shared q: bool = any shared r: bool = any
    shared x: i32 = any shared y: i32 = any
    shared u: u8 = any shared v: u8 = any
    shared b: i8 = any shared t: u2 = any shared o: i1 = any
    shared i: int = any shared j: int = any
    shared a: i32[4] = any shared f: bool[2] = any";

fn check(ty: &str, table: &[(&str, &str)]) {
    let program = text::parse(VARIABLES).expect("the variables should be well-formed");
    let system = System::new(&program, 0);
    let ty = text::type_named(ty).expect("the type should exist");
    let mut wrong = String::new();
    for (input, expected) in table {
        let mut terms = solve::terms();
        let vocabulary = Vocabulary::new(&mut terms, &system);
        for symbol in &vocabulary.symbols {
            terms.symbol(*symbol);
        }
        let expr = text::parse_expr(&program, None, ty, input)
            .unwrap_or_else(|error| panic!("{input}: {error}"));
        let term = vocabulary.value(&mut terms, 0, &expr);
        let found = solve::show(&terms, term);
        if found != *expected {
            wrong += &format!("{input}\n    gives    {found}\n    expected {expected}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn bounds() {
    check(
        "bool",
        &[
            ("!(x <= 3)", "4 <= x"),
            ("!(3 <= x)", "x <= 2"),
            ("x < 3", "x <= 2"),
            ("u < 0", "false"),
            ("u <= 255", "true"),
            ("u < 1", "u == 0"),
            ("u != 0", "1 <= u"),
            ("!(1 <= u)", "u == 0"),
            ("u != 255", "u <= 254"),
            ("x != 3", "x != 3"),
            ("o != 0", "o == -1"),
            ("x <= -2147483648", "x == -2147483648"),
            ("3 <= x && x <= 3", "x == 3"),
            ("x <= 3 && x <= 5", "x <= 3"),
            ("x <= 3 && 5 <= x", "false"),
            ("x == 3 && x == 4", "false"),
            ("x == 3 && x <= 5", "x == 3"),
            ("x == 3 && x <= 2", "false"),
            ("x != 3 && x <= 3", "x <= 2"),
            ("x != 3 && x <= 2", "x <= 2"),
            ("x != 3 && x <= 5", "x != 3 && x <= 5"),
            ("t != 1 && t != 2 && t != 3", "t == 0"),
            ("t != 0 && t != 3 && t != 1", "t == 2"),
            ("x <= 3 || x <= 5", "x <= 5"),
            ("x <= 3 || 4 <= x", "true"),
            ("x <= 3 || x == 4", "x <= 4"),
            ("x < 3 || x > 3", "x != 3"),
            ("t == 0 || t == 3 || t == 1", "t != 2"),
            ("i <= 3 && 3 <= i", "i == 3"),
            ("!(i <= 3)", "4 <= i"),
        ],
    );
}

#[test]
fn comparisons_with_constants() {
    check(
        "bool",
        &[
            ("x + 3 == 5", "x == 2"),
            ("5 - x == 3", "x == 2"),
            ("u + 3 == 1", "u == 254"),
            ("(u ^ 3) == 1", "u == 2"),
            ("u + 3 <= 5", "u + 3 <= 5"),
            ("i + 3 <= 5", "i <= 2"),
            ("5 - i <= 3", "2 <= i"),
            ("2 * i <= 5", "i <= 2"),
            ("-(2) * i <= 5", "-2 <= i"),
            ("2 * i == 5", "false"),
            ("2 * i == 6", "i == 3"),
            ("int(x) + 1 <= 2147483647int", "x <= 2147483646"),
            ("int(x) <= 2147483647int", "true"),
            ("int(u) <= 7int", "u <= 7"),
            ("i32(u) <= 300", "true"),
            ("i32(u) == 300", "false"),
            ("i32(u) == 30", "u == 30"),
            ("u8(b) == 255", "b == -1"),
            ("u32(b) == 4294967295", "b == -1"),
            ("u32(b) == 255", "false"),
            ("i32(u) + 1 <= 255", "u <= 254"),
            ("i32(u) * 2 <= 255", "u <= 127"),
            ("u8(i32(u)) <= 3", "u <= 3"),
            ("i32(x == 3) == 1", "x == 3"),
            ("i32(x == 3) == 0", "x != 3"),
            ("i32(x == 3) == 2", "false"),
            ("i32(x == 3) < 1", "x != 3"),
            ("bool(i32(p))", "p"),
            ("!bool(x)", "x == 0"),
            ("ite(p, 1, 0) != 0i32", "p"),
            ("ite(p, x, 7) == 7", "x == 7 || !p"),
            ("ite(p, x, 7) == 8", "p && x == 8"),
            ("ite(p, 3, 4) <= 3i32", "p"),
            ("(u & 3) <= 3", "true"),
            ("u % 4 == 4", "false"),
            ("1 <= u / 128 && u / 128 <= 1", "u >> 7 == 1"),
        ],
    );
}

#[test]
fn comparisons_of_terms() {
    check(
        "bool",
        &[
            ("x == y", "x == y"),
            ("y == x", "x == y"),
            ("x + 1 == y + 3", "x == y + 2"),
            ("y + 3 == x + 1", "x == y + 2"),
            ("x + 1 == x", "false"),
            ("x <= x", "true"),
            ("x < y", "x < y"),
            ("x < y && y <= x", "false"),
            ("i < j", "i <= j - 1"),
            ("!(i < j)", "j <= i"),
            ("i + 2 <= j + 5", "i <= j + 3"),
            ("i < j && j <= i", "false"),
            ("int(x) <= int(y)", "x <= y"),
            ("int(x) < int(y)", "x < y"),
            ("i64(x) == i64(y)", "x == y"),
            ("u32(x) == u32(y)", "x == y"),
            ("u32(x) <= u32(y)", "(u32)x <= (u32)y"),
            ("a[0] == a[1]", "a[0] == a[1]"),
            ("p == !p", "false"),
            ("p == !q", "p != q"),
            ("p == true", "p"),
            ("(p ^ q) == false", "p == q"),
        ],
    );
}

#[test]
fn formulas() {
    check(
        "bool",
        &[
            ("p && !p", "false"),
            ("p || !p", "true"),
            ("p && (!p || q)", "p && q"),
            ("p && (p || q)", "p"),
            ("p || (!p && q)", "p || q"),
            ("p || (p && q)", "p"),
            ("x <= 3 && (x <= 5 || p)", "x <= 3"),
            ("x <= 3 && (6 <= x || p)", "p && x <= 3"),
            ("x <= 3 || (6 <= x && p)", "x <= 3 || p && 6 <= x"),
            ("x <= 3 || (4 <= x && p)", "p || x <= 3"),
            ("!(p && (q || r))", "!p || !q && !r"),
            ("(p | q) & r", "r && (p || q)"),
            ("ite(p, true, q)", "p || q"),
            ("ite(p, q, false)", "p && q"),
            ("ite(p, false, q)", "q && !p"),
            ("ite(p, q, !q)", "p == q"),
            ("ite(p, p, q)", "p || q"),
            ("ite(!p, q, r)", "p ? r : q"),
        ],
    );
}

#[test]
fn arithmetic() {
    check(
        "i32",
        &[
            ("x + 1 + 2", "x + 3"),
            ("x + 1 - 1", "x"),
            ("x - 3", "x - 3"),
            ("3 + x", "x + 3"),
            ("y + x", "x + y"),
            ("(x + 1) + (y + 2)", "x + y + 3"),
            ("(x + 1) - (y + 2)", "x - y - 1"),
            ("5 - (x + 2)", "3 - x"),
            ("5 - (2 - x)", "x + 3"),
            ("x - x", "0"),
            ("x + y - y", "x"),
            ("x - y + y", "x"),
            ("-(-(x))", "x"),
            ("x * 1", "x"),
            ("x * 0", "0"),
            ("2 * x * 3", "x * 6"),
            ("x / 1", "x"),
            ("x / -1", "0 - x"),
            ("x % 1", "0"),
            ("x % x", "0"),
            ("0 / x", "0"),
            ("i32(u) % 256", "(i32)u"),
            ("i32(u) / 256", "0"),
            ("i32(u % 8)", "(i32)(u & 7)"),
            ("i32(u / 8)", "(i32)(u >> 3)"),
            ("x & 0", "0"),
            ("x & -1", "x"),
            ("x | 0", "x"),
            ("x | -1", "-1"),
            ("x ^ x", "0"),
            ("x & 12 & 6", "x & 4"),
            ("i32(u) & 255", "(i32)u"),
            ("x << 0", "x"),
            ("x << 3 << 4", "x << 7"),
            ("x << 30 << 4", "0"),
            ("x >> 30 >> 4", "x >> 31"),
            ("i32(u) >> 8", "0"),
            ("i32(i64(x))", "x"),
            ("i32(u32(x))", "x"),
            ("i32(u8(i64(x)))", "(i32)(u8)x"),
            ("i32(ite(p, 1u8, 0u8)) + 1", "p ? 2 : 1"),
            ("ite(p, x, x)", "x"),
            ("ite(p, ite(p, x, y), y)", "p ? x : y"),
            ("ite(p, x, ite(q, x, y))", "p || q ? x : y"),
            ("ite(p, ite(q, x, y), y)", "p && q ? x : y"),
            ("ite(x == y, x, y)", "y"),
            ("a[u8(i)]", "a[(u8)i]"),
            ("a[i64(u)]", "a[u]"),
            ("a[1u8] - a[1i64]", "0"),
        ],
    );
}

type Writes = [(i128, i128)];

/// An array after writes `index := value`, where an index below 0 is the symbol `k`.
fn written(terms: &mut Terms, array: Term, writes: &Writes) -> Term {
    let symbol = terms.declare("k", Sort::Scalar(Type::unsigned(8)));
    let k = terms.symbol(symbol);
    writes.iter().fold(array, |array, (index, value)| {
        let index = if *index < 0 { k } else { terms.constant(*index, Type::signed(64)) };
        let value = terms.constant(*value, Type::signed(32));
        terms.store(array, index, value)
    })
}

#[test]
fn arrays() {
    let ty = Type::signed(32);
    let table: &[(&Writes, &str, &str)] = &[
        (&[], "a", "a[2]"),
        (&[(2, 7)], "a{2 := 7}", "7"),
        (&[(3, 1), (2, 7)], "a{2 := 7}{3 := 1}", "7"),
        (&[(2, 7), (3, 1), (2, 8)], "a{2 := 8}{3 := 1}", "8"),
        (&[(4, 1)], "a", "a[2]"),
        (&[(2, 7), (-1, 5)], "a{2 := 7}{k := 5}", "k == 2 ? 5 : 7"),
        (&[(-1, 5), (2, 7)], "a{k := 5}{2 := 7}", "7"),
        (&[(-1, 5), (-1, 6)], "a{k := 6}", "k == 2 ? 6 : a[2]"),
    ];
    for (writes, chain, read) in table {
        let mut terms = solve::terms();
        let symbol = terms.declare("a", Sort::Array { element: ty, len: 4 });
        let array = terms.symbol(symbol);
        let array = written(&mut terms, array, writes);
        assert_eq!(solve::show(&terms, array), *chain, "{writes:?}");
        let two = terms.constant(2, Type::unsigned(8));
        let element = terms.select(array, two);
        assert_eq!(solve::show(&terms, element), *read, "{writes:?}");
        if writes.is_empty() {
            assert_eq!(terms.store(array, two, element), array, "what was there is written");
        }
    }
    let mut terms = solve::terms();
    let zeros = terms.constant_array(&[0], ty, 4);
    let array = written(&mut terms, zeros, &[(1, 5)]);
    assert_eq!(solve::show(&terms, array), "{0, 5, 0, 0}");
    let array = written(&mut terms, array, &[(1, 0)]);
    assert_eq!(array, zeros);
}

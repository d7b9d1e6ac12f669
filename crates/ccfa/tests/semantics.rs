//! What operators and steps compute on concrete states.

use ccfa::semantics::{ANY, NoValue, State, System, Value, binary, unary};
use ccfa::{BinOp, Expr, LocId, Program, Type, UnOp, text};

const I4: Type = Type::signed(4);
const U4: Type = Type::unsigned(4);
const I64: Type = Type::signed(64);
const U64: Type = Type::unsigned(64);
const INT: Type = Type::Int;
const BOOL: Type = Type::Bool;

type Answer = Result<Value, NoValue>;
const UNDEFINED: Answer = Err(NoValue);

fn is(value: i128) -> Answer {
    Ok(Some(value))
}

#[test]
fn binary_operators() {
    use BinOp::*;
    let (min, max, top) = (i64::MIN as i128, i64::MAX as i128, u64::MAX as i128);
    for (op, ty, left, right, expected) in [
        (Add, I64, max, 1, UNDEFINED),
        (Add, I64, max, -1, is(max - 1)),
        (Add, U64, top, 1, is(0)),
        (Add, INT, top, 1, is(1 << 64)),
        (Add, INT, i128::MAX, 1, Ok(ANY)),
        (Sub, I64, min, 1, UNDEFINED),
        (Sub, U64, 0, 1, is(top)),
        (Sub, INT, i128::MIN, 1, Ok(ANY)),
        (Mul, I64, min, -1, UNDEFINED),
        (Mul, U64, top, top, is(1)),
        (Mul, INT, i128::MAX, 2, Ok(ANY)),
        (Div, I64, -7, 2, is(-3)),
        (Div, I64, 7, -2, is(-3)),
        (Div, I64, min, -1, UNDEFINED),
        (Div, U64, 7, 0, UNDEFINED),
        (Div, INT, 7, 0, UNDEFINED),
        (Div, INT, i128::MIN, -1, Ok(ANY)),
        (Rem, I64, -7, 2, is(-1)),
        (Rem, I64, 7, -2, is(1)),
        (Rem, I64, min, -1, UNDEFINED),
        (Rem, INT, 7, 0, UNDEFINED),
        (Rem, INT, i128::MIN, -1, Ok(ANY)),
        (Shl, I64, 1, 63, is(min)),
        (Shl, I64, 1, 64, UNDEFINED),
        (Shl, I64, 1, -1, UNDEFINED),
        (Shl, U64, top, 63, is(1 << 63)),
        (Shl, U64, top, i128::MAX, UNDEFINED),
        (Shr, I64, -1, 63, is(-1)),
        (Shr, U64, top, 63, is(1)),
        (Shr, U64, top, 64, UNDEFINED),
        (BitAnd, I64, -1, min, is(min)),
        (BitOr, I64, min, max, is(-1)),
        (BitXor, I64, -1, max, is(min)),
        (BitXor, BOOL, 1, 1, is(0)),
        (BitAnd, BOOL, 1, 0, is(0)),
        (Eq, BOOL, 1, 1, is(1)),
        (Ne, U64, top, top, is(0)),
        (Lt, I64, -1, 0, is(1)),
        (Le, INT, i128::MIN, i128::MAX, is(1)),
        (And, BOOL, 1, 0, is(0)),
        (Or, BOOL, 0, 1, is(1)),
    ] {
        assert_eq!(binary(op, ty, left, right), expected, "{left} {op:?} {right} in {ty:?}");
    }
}

#[test]
fn unary_operators() {
    let (min, top) = (i64::MIN as i128, u64::MAX as i128);
    for (op, ty, value, expected) in [
        (UnOp::Neg, I64, min, UNDEFINED),
        (UnOp::Neg, I64, 5, is(-5)),
        (UnOp::Neg, U64, 1, is(top)),
        (UnOp::Neg, U64, 0, is(0)),
        (UnOp::Neg, INT, i128::MIN, Ok(ANY)),
        (UnOp::Neg, Type::signed(1), -1, UNDEFINED),
        (UnOp::BitNot, I64, 0, is(-1)),
        (UnOp::BitNot, U64, 0, is(top)),
        (UnOp::BitNot, Type::unsigned(1), 1, is(0)),
        (UnOp::Not, BOOL, 0, is(1)),
        (UnOp::Not, BOOL, 1, is(0)),
    ] {
        assert_eq!(unary(op, ty, value), expected, "{op:?} {value} in {ty:?}");
    }
}

/// The four bits of a value, lowest first.
fn bits(value: i128) -> [bool; 4] {
    [0, 1, 2, 3].map(|bit| value.rem_euclid(16) / (1 << bit) % 2 == 1)
}

/// The value of these bits.
fn from_bits(bits: [bool; 4], signed: bool) -> i128 {
    let weights = [1, 2, 4, if signed { -8 } else { 8 }];
    bits.iter().zip(weights).map(|(bit, weight)| if *bit { weight } else { 0 }).sum()
}

/// What `left op right` should be, from the mathematics.
fn naive(op: BinOp, signed: bool, left: i128, right: i128) -> Answer {
    use BinOp::*;
    let fit = |value: i128| match signed {
        true if (-8..8).contains(&value) => is(value),
        true => UNDEFINED,
        false => is(value.rem_euclid(16)),
    };
    let bitwise = |combine: fn(bool, bool) -> bool| {
        let (left, right) = (bits(left), bits(right));
        is(from_bits([0, 1, 2, 3].map(|bit| combine(left[bit], right[bit])), signed))
    };
    let truncated = |left: i128, right: i128| {
        let magnitude = (0..=left.abs()).rev().find(|q| q * right.abs() <= left.abs()).unwrap();
        magnitude * left.signum() * right.signum()
    };
    let amount = |bit: usize| usize::try_from(right).ok().filter(|_| right < 4).map(|by| (bit, by));
    match op {
        Add => fit(left + right),
        Sub => fit(left - right),
        Mul => fit(left * right),
        Div | Rem if right == 0 => UNDEFINED,
        Div => fit(truncated(left, right)),
        Rem => fit(truncated(left, right)).and(fit(left - truncated(left, right) * right)),
        Shl | Shr if amount(0).is_none() => UNDEFINED,
        Shl => is(from_bits(
            [0, 1, 2, 3].map(|bit| bit as i128 >= right && bits(left)[bit - right as usize]),
            signed,
        )),
        Shr => is(left.div_euclid(1 << right)),
        BitAnd => bitwise(|a, b| a && b),
        BitOr => bitwise(|a, b| a || b),
        BitXor => bitwise(|a, b| a != b),
        Eq => is((left - right == 0) as i128),
        Ne => is((left - right != 0) as i128),
        Lt => is((left - right).is_negative() as i128),
        Le => is(!(right - left).is_negative() as i128),
        And | Or => unreachable!("not on integers"),
    }
}

#[test]
fn all_operators_on_all_four_bit_operands() {
    use BinOp::*;
    for (ty, signed) in [(I4, true), (U4, false)] {
        let (low, high) = ty.bounds().expect("four bits");
        for left in low..=high {
            for right in low..=high {
                for op in [Add, Sub, Mul, Div, Rem, Shl, Shr, BitAnd, BitOr, BitXor, Eq, Ne, Lt, Le]
                {
                    let expected = naive(op, signed, left, right);
                    assert_eq!(binary(op, ty, left, right), expected, "{left} {op:?} {right}");
                }
            }
            let negated = naive(Sub, signed, 0, left);
            assert_eq!(unary(UnOp::Neg, ty, left), negated, "-{left}");
            let inverted = is(from_bits(bits(left).map(|bit| !bit), signed));
            assert_eq!(unary(UnOp::BitNot, ty, left), inverted, "~{left}");
        }
    }
}

#[test]
fn casts_keep_the_value_modulo_the_width() {
    for width in 1..=64 {
        for value in [-200, -129, -8, -1, 0, 1, 7, 8, 255, 1 << 40, 1 << 64, i128::MAX, i128::MIN] {
            for signed in [true, false] {
                let ty = Type::Bits { width, signed };
                let wrapped = ty.wrap(value);
                assert!(ty.contains(wrapped), "{value} in {ty:?}");
                assert_eq!((wrapped ^ value) & ((1 << width) - 1), 0, "{value} in {ty:?}");
            }
        }
    }
    assert_eq!([Type::Bool.wrap(-4), Type::Bool.wrap(0), Type::Int.wrap(-4)], [1, 0, -4]);
}

/// A program with the variables that the expressions of the tests below speak of.
fn program(body: &str) -> Program {
    let source = format!(
        "shared t: bool = true shared f: bool = false shared p: bool = any shared z: i8 = 0 \
         shared k: i8 = any shared v: i8[3] = {{10, 20, 30}} shared w: i8[2] = any \
         template m() {{ local x: i8 = 5 a -> a {body} }} thread m = m()"
    );
    text::parse(&source).unwrap_or_else(|error| panic!("{body}: {error}"))
}

#[test]
fn evaluation_looks_only_where_it_must() {
    for (written, expected) in [
        ("f && 1 / z == 0", is(0)),
        ("t && 1 / z == 0", UNDEFINED),
        ("t || 1 / z == 0", is(1)),
        ("f || 1 / z == 0", UNDEFINED),
        ("1 / z == 0 && f", UNDEFINED),
        ("1 / z == 0 || t", UNDEFINED),
        ("(f & 1 / z == 0)", UNDEFINED),
        ("ite(t, x, 1 / z) == 5", is(1)),
        ("ite(f, 1 / z, x) == 5", is(1)),
        ("ite(t, 1 / z, x) == 5", UNDEFINED),
        ("v[2] == 30", is(1)),
        ("v[3] == 30", UNDEFINED),
        ("v[-1] == 30", UNDEFINED),
        ("v[v[0] - 9] == 20", is(1)),
        ("p", Ok(ANY)),
        ("p && f", is(0)),
        ("p && t", Ok(ANY)),
        ("p || t", is(1)),
        ("p || f", Ok(ANY)),
        ("p && 1 / z == 0", is(0)),
        ("ite(p, x, 5) == 5", is(1)),
        ("ite(p, 1 / z, 2 / z) == 5", UNDEFINED),
        ("k == k", Ok(ANY)),
        ("v[k] == 10", Ok(ANY)),
        ("w[0] == 10", Ok(ANY)),
        ("1 / z + k == 0", UNDEFINED),
    ] {
        let program = program("");
        let system = System::new(&program, 0);
        let template = Some(&program.templates[0]);
        let expr = text::parse_expr(&program, template, BOOL, written)
            .unwrap_or_else(|error| panic!("{written}: {error}"));
        assert_eq!(system.eval(&system.initial(), 0, &expr), expected, "{written}");
    }
}

/// The state after `step` from the initial one, with 7 for every arbitrary value.
fn after(step: &str) -> Option<Vec<Value>> {
    let program = program(&format!("a -> b: {step}"));
    let system = System::new(&program, 0);
    let edge = &program.templates[0].edges[1];
    let next = system.step(&system.initial(), 0, edge, &mut |_| Some(7))?;
    assert_eq!(next.locations, [LocId(1)]);
    Some(next.cells)
}

#[test]
fn steps_assign_at_once() {
    let cells = |v: [Value; 3], w: [Value; 2], x: Value| {
        let mut cells = vec![Some(1), Some(0), ANY, Some(0), ANY];
        cells.extend(v.into_iter().chain(w));
        cells.push(x);
        Some(cells)
    };
    let v = [Some(10), Some(20), Some(30)];
    let w = [ANY; 2];
    let x = Some(5);
    for (step, expected) in [
        ("when t", cells(v, w, x)),
        ("when f", None),
        ("when p", cells(v, w, x)),
        ("when v[3] == 0", None),
        ("x := x + v[1]", cells(v, w, Some(25))),
        ("x := v[0], v[x - 5] := x", cells([Some(5), v[1], v[2]], w, Some(10))),
        ("v[0] := v[1], v[1] := v[0]", cells([v[1], v[0], v[2]], w, x)),
        ("v[3] := 0", None),
        ("v[3] := any", None),
        ("x := 1 / z", None),
        ("x := any", cells(v, w, Some(7))),
        ("v := any", cells([Some(7); 3], w, x)),
        ("v[1] := any, w[1] := 1", cells([v[0], Some(7), v[2]], [ANY, Some(1)], x)),
        ("v[k] := 20", cells([ANY, Some(20), ANY], w, x)),
        ("w[k] := 1", cells(v, w, x)),
        ("v[k] := any", cells([ANY; 3], w, x)),
        ("x := k", cells(v, w, ANY)),
    ] {
        assert_eq!(after(step), expected, "{step}");
    }
    let swapped = after("x := z, z := x").expect("a step");
    assert_eq!((swapped[3], swapped.last()), (Some(5), Some(&Some(0))));
}

#[test]
fn arguments_and_indices_of_instances() {
    let source = "template t(a: i8, b: i8) { local c: i8 = param 0 location l } \
                  thread x = t(1, 2) thread y[2] = t(index - 1, 9) thread z[*] = t(3, 4)";
    let program = text::parse(source).expect("a program");
    let system = System::new(&program, 1);
    let names = system.instances.iter().map(|instance| program.instance_name(*instance));
    assert_eq!(names.collect::<Vec<_>>(), ["x", "y[0]", "y[1]", "z[0]"]);
    let cells = [1, 2, 1, -1, 9, -1, 0, 9, 0, 3, 4, 3].map(Some);
    let locations = vec![LocId(0); 4];
    assert_eq!(system.initial(), State { locations, cells: cells.to_vec() });
}

/// A condition on shared variables needs no thread to be evaluated.
#[test]
fn initial_conditions_without_threads() {
    for (value, expected) in [("1", true), ("2", false), ("any", true)] {
        let source = format!("shared v: u8[2] = {value} initial v[0] + v[1] == 2");
        let program = text::parse(&source).expect("a program");
        let system = System::new(&program, 0);
        assert_eq!(system.may_be_initial(&system.initial()), expected, "{value}");
    }
}

#[test]
fn only_the_atomic_instance_moves() {
    let source = "template t() { a -> b atomic location b b -> a } thread x = t() thread y = t()";
    let program = text::parse(source).expect("a program");
    let system = System::new(&program, 0);
    let start = system.initial();
    assert!(system.may_move(&start, 0) && system.may_move(&start, 1));
    let edge = &program.templates[0].edges[0];
    let next = system.step(&start, 1, edge, &mut |_| ANY).expect("a step");
    assert!(!system.may_move(&next, 0) && system.may_move(&next, 1));
}

/// Simplifying constructors keep the value, also where it is undefined.
#[test]
fn constructors_keep_meaning() {
    let program = program("");
    let system = System::new(&program, 0);
    let template = Some(&program.templates[0]);
    let parse = |written| text::parse_expr(&program, template, BOOL, written).expect(written);
    let exprs = ["true", "false", "t", "f", "1 / z == 0", "x < 5", "x <= 5", "x != 4", "!f"];
    let eval = |expr: &Expr| system.eval(&system.initial(), 0, expr);
    for a in exprs.map(parse) {
        let not = Expr::unary(UnOp::Not, a.clone());
        assert_eq!(eval(&Expr::negate(a.clone())), eval(&not));
        for b in exprs.map(parse) {
            let pair = |op| Expr::binary(op, a.clone(), b.clone());
            assert_eq!(eval(&Expr::and(a.clone(), b.clone())), eval(&pair(BinOp::And)));
            assert_eq!(eval(&Expr::or(a.clone(), b.clone())), eval(&pair(BinOp::Or)));
        }
    }
}

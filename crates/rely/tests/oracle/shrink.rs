//! Makes a program smaller while it stays as interesting as it was: statements are left out or replaced by what is inside them, expressions by
//! their parts or by numbers.

use crate::tree::{Expr, Program, Stmt};

/// The smallest program that is found with few attempts.
pub fn shrink(program: &Program, is_interesting: &dyn Fn(&Program) -> bool) -> Program {
    let mut smallest = program.clone();
    loop {
        let smaller = candidates(&smallest).find(|candidate| is_interesting(candidate));
        match smaller {
            Some(smaller) => smallest = smaller,
            None => return smallest,
        }
    }
}

/// Programs that are a little smaller.
fn candidates(program: &Program) -> impl Iterator<Item = Program> {
    let functions = 0..program.functions.len();
    let removed = functions.clone().flat_map(move |function| {
        let count = count_statements(&program.functions[function].body);
        (0..count).flat_map(move |statement| {
            WAYS.iter().filter_map(move |way| edit_statement(program, function, statement, *way))
        })
    });
    let simplified = functions.flat_map(move |function| {
        let count = count_expressions(&program.functions[function].body);
        (0..count).flat_map(move |expression| {
            (0..4).filter_map(move |way| edit_expression(program, function, expression, way))
        })
    });
    removed.chain(simplified).filter(|program| {
        program.functions.iter().all(|function| has_loops_for_jumps(&function.body, false, false))
    })
}

/// Is there a loop around every `continue`, and a loop or a `switch` around every `break`?
fn has_loops_for_jumps(body: &[Stmt], in_loop: bool, in_switch: bool) -> bool {
    body.iter().all(|statement| match statement {
        Stmt::Break => in_loop || in_switch,
        Stmt::Continue => in_loop,
        _ => {
            let is_loop = matches!(statement, Stmt::For(..) | Stmt::While(..) | Stmt::DoWhile(..));
            let is_switch = matches!(statement, Stmt::Switch(..));
            let lists = statement.lists();
            lists
                .into_iter()
                .all(|list| has_loops_for_jumps(list, in_loop || is_loop, in_switch || is_switch))
        }
    })
}

/// What becomes of a statement; `None`: that is no way for it.
type Way = fn(&Stmt) -> Option<Vec<Stmt>>;

const WAYS: [Way; 3] = [
    |_| Some(vec![]),
    |statement| statement.lists().first().map(|list| (*list).clone()),
    |statement| statement.lists().get(1).map(|list| (*list).clone()),
];

fn count_statements(body: &[Stmt]) -> usize {
    let inside = |statement: &Stmt| {
        statement.lists().into_iter().map(|list| count_statements(list)).sum::<usize>()
    };
    body.iter().map(|statement| 1 + inside(statement)).sum()
}

fn edit_statement(
    program: &Program,
    function: usize,
    statement: usize,
    way: Way,
) -> Option<Program> {
    let mut program = program.clone();
    let mut left = statement;
    let is_edited = edit_list(&mut program.functions[function].body, &mut left, way)?;
    is_edited.then_some(program)
}

/// `None`: it was not in this list.
fn edit_list(list: &mut Vec<Stmt>, left: &mut usize, way: Way) -> Option<bool> {
    for position in 0..list.len() {
        if *left == 0 {
            let Some(new) = way(&list[position]) else { return Some(false) };
            list.splice(position..=position, new);
            return Some(true);
        }
        *left -= 1;
        for inside in list[position].lists_mut() {
            if let Some(edited) = edit_list(inside, left, way) {
                return Some(edited);
            }
        }
    }
    None
}

fn count_expressions(body: &[Stmt]) -> usize {
    let mut count = 0;
    crate::tree::walk(body, &mut |_| count += 1);
    count
}

fn edit_expression(
    program: &Program,
    function: usize,
    expression: usize,
    way: usize,
) -> Option<Program> {
    let mut program = program.clone();
    let mut left = expression;
    let body = &mut program.functions[function].body;
    let found = find_in_list(body, &mut left)?;
    let new = match way {
        0 if matches!(found, Expr::Number(_, 0) | Expr::Address(_)) => return None,
        0 => Expr::number(0),
        1 if matches!(found, Expr::Number(..) | Expr::Address(_)) => return None,
        1 => Expr::number(1),
        _ => (*found.parts().get(way - 2)?).clone(),
    };
    *found = new;
    Some(program)
}

fn find_in_list<'t>(list: &'t mut [Stmt], left: &mut usize) -> Option<&'t mut Expr> {
    for statement in list {
        let number = statement.exprs().len();
        for expr in 0..number {
            let size = size(statement.exprs()[expr]);
            if *left < size {
                return find(statement.exprs_mut().swap_remove(expr), left);
            }
            *left -= size;
        }
        let inside: usize = statement.lists().into_iter().map(|list| count_expressions(list)).sum();
        if *left < inside {
            return statement.lists_mut().into_iter().find_map(|list| find_in_list(list, left));
        }
        *left -= inside;
    }
    None
}

fn size(expr: &Expr) -> usize {
    1 + expr.parts().into_iter().map(size).sum::<usize>()
}

fn find<'t>(expr: &'t mut Expr, left: &mut usize) -> Option<&'t mut Expr> {
    if *left == 0 {
        return Some(expr);
    }
    *left -= 1;
    for part in expr.parts_mut() {
        let size = size(part);
        if *left < size {
            return find(part, left);
        }
        *left -= size;
    }
    None
}

//! The facts that a proof by a tree rests on, those it uses most. All of them
//! would be too many to read.

use super::grouped;
use super::layout::cut;
use ccfa::semantics::System;
use ccfa::text::print_expr;
use ccfa::{Expr, Program, Template};
use evidence::Tree;
use std::collections::HashMap;

/// So many are shown: the first are the strongest.
const MAX_FACTS: usize = 5;
/// A fact is not longer than this: it stands in one line.
const MAX_FACT_CHARACTERS: usize = 90;

/// A line for each fact, with a heading; nothing if there are none.
pub fn most_used(program: &Program, tree: &Tree) -> Vec<String> {
    let scope = Tree::scope(&System::new(program, 0));
    let mut uses: HashMap<&Expr, u64> = HashMap::new();
    for fact in tree.nodes.iter().flat_map(|node| &node.label) {
        if says_something(program, &scope, fact) {
            *uses.entry(fact).or_default() += 1;
        }
    }
    let show = |(fact, count): (&Expr, u64)| (count, print_expr(program, Some(&scope), fact));
    let mut facts: Vec<(u64, String)> = uses.into_iter().map(show).collect();
    facts.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    let heading = match facts.len() {
        0 => return Vec::new(),
        all if all <= MAX_FACTS => "It rests on these facts:".to_string(),
        all => format!("It rests on {} facts; used most:", grouped(all as u64)),
    };
    let nodes =
        |count| if count == 1 { "1 node".into() } else { format!("{} nodes", grouped(count)) };
    let line = |(count, fact): &(u64, String)| {
        format!("  {} (at {})", cut(fact, MAX_FACT_CHARACTERS), nodes(*count))
    };
    std::iter::once(heading).chain(facts.iter().take(MAX_FACTS).map(line)).collect()
}

/// Is it about variables, and those of the user's alone?
fn says_something(program: &Program, scope: &Template, fact: &Expr) -> bool {
    let (mut some, mut all) = (false, true);
    fact.walk(&mut |part| {
        if let Expr::Var(var) | Expr::Index(var, _) = part {
            let declared = program.var(scope, *var);
            some = true;
            all &= program.is_of_source(declared);
        }
    });
    some && all
}

#[cfg(test)]
mod tests {
    use super::most_used;
    use ccfa::Type;
    use ccfa::semantics::System;
    use ccfa::text::parse_expr;
    use evidence::{Tree, TreeNode};

    #[test]
    fn most_used_first_and_only_the_users() {
        let model = "program \"facts\"
            file 0 \"facts.c\"
            shared x: u8 = 0 source \"x\" \"unsigned char\"
            shared `.created`: bool = false
            template t() { local r: u8 = 0 source \"r\" \"unsigned char\"   local `.t`: u8 = 0   start -> end: r := x }
            thread main = t()";
        let program = ccfa::text::parse(model).expect("a model");
        let scope = Tree::scope(&System::new(&program, 0));
        let node = |labels: &[&str]| {
            let formula = |text: &&str| parse_expr(&program, Some(&scope), Type::Bool, text);
            let label = labels.iter().map(|text| formula(text).expect("a formula")).collect();
            TreeNode { reached: None, label, cover: None }
        };
        let hidden = ["`.created`", "`main..t` == 0", "false"];
        let tree =
            |nodes: &[&[&str]]| Tree { nodes: nodes.iter().map(|labels| node(labels)).collect() };
        assert_eq!(most_used(&program, &tree(&[&hidden])), [""; 0]);
        let few: [&[&str]; 3] = [&["x == 1", "`main.r` < 3"], &["`main.r` < 3"], &hidden];
        assert_eq!(
            most_used(&program, &tree(&few)),
            ["It rests on these facts:", "  main.r < 3 (at 2 nodes)", "  x == 1 (at 1 node)"],
        );
        let many = ["x < 1", "x < 2", "x < 3", "x < 4", "x < 5", "x < 6"];
        let lines = most_used(&program, &tree(&[&many]));
        assert_eq!((lines.len(), lines[0].as_str()), (6, "It rests on 6 facts; used most:"));
    }
}

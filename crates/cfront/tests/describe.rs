//! What the model is told of the source: what its variables are there, and where steps stand.

use ccfa::{Edge, Program, Span, Var};
use cfront::preprocess::Source;
use cfront::{Bounds, CProgram, DataModel, LowerOptions, Property, Purpose};

fn lowered(text: &str) -> Program {
    let program = CProgram::from_source(Source::from_text("t.c", text), DataModel::Lp64);
    let options = LowerOptions {
        purpose: Purpose::Verification,
        choices: cfront::Choices::default(),
        property: Property::Assertions,
        bounds: Bounds { recursion: 3, objects: 3, delayed_writes: 0 },
    };
    program.and_then(|program| program.lower(&options)).expect("a program").program
}

/// "function::name: type", with the name of the first cell; pointers have a star behind.
fn described(program: &Program, var: &Var) -> Option<String> {
    let origin = var.origin.as_ref()?;
    let function = origin.function.as_ref().map_or(String::new(), |f| format!("{f}::"));
    let star = if origin.pointer { " (address)" } else { "" };
    Some(format!("{function}{}: {}{star}", program.cell_name(var, 0), origin.ty))
}

#[test]
fn variables_know_what_they_are() {
    let program = lowered(
        "struct node { int key; struct node *next; };
         struct node items[2]; int grid[2][3]; _Atomic(char *) name;
         void *malloc(unsigned long);
         static int twice(int x) { int y = x + grid[1][1]; return y * 2; }
         int main(void) {
           struct node *n = malloc(sizeof(struct node));
           n->key = twice(items[1].key); items[0].next = n; name = 0;
           return n->key;
         }",
    );
    let locals = program.templates.iter().flat_map(|template| &template.locals);
    let all = program.shared.iter().chain(locals);
    let mut found: Vec<String> = all.filter_map(|var| described(&program, var)).collect();
    found.sort();
    let expected = [
        "grid[0][0]: int",
        "heap@6.key: int",
        "heap@6.next: struct node * (address)",
        "items[0].key: int",
        "items[0].next: struct node * (address)",
        "main::n: struct node * (address)",
        "name: char * (address)",
        "twice::x: int",
        "twice::y: int",
    ];
    assert_eq!(found, expected);
    let nodes = program.objects.iter().filter(|object| object.name == "items");
    assert_eq!(
        nodes.map(|object| (object.size, object.parts.len())).collect::<Vec<_>>(),
        [(32, 2)]
    );
}

/// What stands at the spans of the steps of `main` that do something, each once.
fn steps(text: &str) -> Vec<String> {
    let program = lowered(text);
    let does = |edge: &&Edge| !edge.assigns.is_empty() || edge.guard != ccfa::Expr::TRUE;
    let edges = program.templates[0].edges.iter().filter(does);
    let mut texts: Vec<String> = edges.filter_map(|edge| Some(at(text, edge.span?))).collect();
    texts.sort();
    texts.dedup();
    texts
}

fn at(text: &str, span: Span) -> String {
    assert_eq!(span.line, span.end_line, "a step of one line");
    let line = text.lines().nth(span.line as usize - 1).expect("a line");
    let last = span.end_column as usize - 1;
    line.chars().take(last).skip(span.column as usize - 1).collect()
}

/// A step has the place of what it does: not of the last thing that was evaluated for it, nor of the statement
/// that stands on the same line.
#[test]
fn steps_stand_where_they_are_done() {
    for (body, expected) in [
        ("x = y + 1;", vec!["main", "x = y + 1", "y", "y + 1"]),
        ("if (x == 1) return -1; y = 2;", vec!["if (x == 1)", "main", "return -1;", "x", "y = 2"]),
        ("while (x) y++;", vec!["main", "while (x)", "x", "y++"]),
        ("for (x = 0; x < 3; x++) y = x;", vec!["main", "x", "x < 3", "x = 0", "x++", "y = x"]),
        ("do y = 1; while (x < 2);", vec!["main", "x", "x < 2", "y = 1"]),
        ("switch (x) { case 1: y = 1; }", vec!["main", "switch (x)", "x", "y = 1"]),
        (
            "x = y; int z = x, w = 3 / z; y = w;",
            vec!["3 / z", "main", "w = 3 / z", "x", "x = y", "y", "y = w", "z = x"],
        ),
    ] {
        let text = format!("int x, y;\nint main(void) {{ {body}\nreturn 0; }}");
        let mut found = steps(&text);
        found.retain(|step| step != "return 0;");
        assert_eq!(found, expected, "{body}");
    }
}

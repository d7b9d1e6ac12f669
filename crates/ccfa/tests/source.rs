//! Addresses and calls, as the source would write them.

use ccfa::{CallId, Program, Undefined, text};
use std::collections::HashSet;

fn program() -> Program {
    let source = r#"
        template t() { location l }
        object 0 "x" at 4096 size 4 { "" at 0 size 4 }
        object 1 "items" at 8192 size 48 { "[].key" at 0 size 4 [3 by 16] "[].next" at 8 size 8 [3 by 16] }
        object 2 "node" at 12288 size 8 copies 2 stride 32 { "" at 0 size 8 }
        object 3 "grid" at 16384 size 24 { ".rows[].cells[]" at 0 size 4 [2 by 12] [3 by 4] }
        call 0 "main" call 1 "f" from 0 call 2 "g" from 1
    "#;
    text::parse(source).expect("a program")
}

#[test]
fn addresses_are_paths() {
    let program = program();
    for (address, expected) in [
        (0, None),
        (4095, None),
        (4096, Some(("x", 0))),
        (4100, None),
        (8192, Some(("items[0].key", 0))),
        (8192 + 24, Some(("items[1].next", 0))),
        (8192 + 47, None),
        (12288, Some(("node", 0))),
        (12288 + 8, None),
        (12288 + 32, Some(("node", 1))),
        (12288 + 64, None),
        (16384 + 20, Some(("grid.rows[1].cells[2]", 0))),
    ] {
        let found = program
            .object_at(address)
            .and_then(|(id, copy, offset)| Some((program.objects[id.index()].path(offset)?, copy)));
        let found = found.as_ref().map(|(path, copy)| (path.as_str(), *copy));
        assert_eq!(found, expected, "{address}");
    }
}

/// Addresses in pointers: by the largest thing that starts there, unless the pointer is one to scalars.
#[test]
fn values_of_pointers_are_places() {
    let program = text::parse(
        r#"
        file 0 "t.c"
        shared x: i32 = 0 source "x" "int" part 0 of 0
        shared key: i32[3] = 0 source "items" "int" part 0 of 1
        shared next: u64[3] = 0 source "items" "struct node *" pointer part 1 of 1
        shared cells: i32[6] = 0 source "grid" "int" part 0 of 3
        shared heap: u64[2] = 0 source "node" "struct node *" pointer part 0 of 2
        shared p: u64 = 0 source "p" "struct node *" pointer
        shared q: u64 = 0 source "q" "int *" pointer
        shared own: u64 = 0
        template t() { location l }
        object 0 "x" at 4096 size 4 { "" at 0 size 4 }
        object 1 "items" at 8192 size 48 { "[].key" at 0 size 4 [3 by 16] "[].next" at 8 size 8 [3 by 16] }
        object 2 "node" at 12288 size 8 copies 2 stride 32 { "" at 0 size 8 }
        object 3 "grid" at 16384 size 24 { ".rows[].cells[]" at 0 size 4 [2 by 12] [3 by 4] }
        object 4 "worker" at 256 size 1 { }
        object 5 "\"text\"" at 20480 size 5 { "[]" at 0 size 1 [5 by 1] }
    "#,
    )
    .expect("a program");
    let var = |name: &str| program.shared.iter().find(|var| var.name == name).expect("a variable");
    for (pointer, address, expected) in [
        ("p", 0, "NULL"),
        ("p", 4096, "&x"),
        ("p", 8192 + 16, "&items[1]"),
        ("q", 8192 + 16, "&items[1].key"),
        ("p", 8192 + 24, "&items[1].next"),
        ("p", 8192 + 17, "(char *)&items + 17"),
        ("p", 8192 + 48, "(char *)&items + 48"),
        ("p", 12288, "&node#1"),
        ("p", 12288 + 32, "&node#2"),
        ("q", 16384 + 20, "&grid.rows[1].cells[2]"),
        ("p", 256, "worker"),
        ("p", 20480, "\"text\""),
        ("p", 20482, "&\"text\"[2]"),
        ("p", 77, "0x4d"),
        ("x", 4096, "4096"),
        ("own", 4096, "4096"),
    ] {
        assert_eq!(program.value_text(var(pointer), address), expected, "{address} in {pointer}");
    }
    for (name, number, expected) in [
        ("x", 0, "x"),
        ("next", 2, "items[2].next"),
        ("cells", 5, "grid.rows[1].cells[2]"),
        ("heap", 1, "node#2"),
        ("p", 0, "p"),
        ("own", 0, "own"),
    ] {
        assert_eq!(program.cell_name(var(name), number), expected);
    }
    assert_eq!(program.source_name(var("next")), "items.next");
    assert!(program.is_of_source(var("x")) && !program.is_of_source(var("own")));
}

#[test]
fn calls_have_paths() {
    let program = program();
    let path = |id| program.call_path(CallId(id)).map(|call| call.function.as_str()).collect();
    let paths: Vec<Vec<&str>> = (0..4).map(path).collect();
    assert_eq!(paths, [vec!["main"], vec!["f", "main"], vec!["g", "f", "main"], vec![]]);
}

/// Short names are stable: they stand in models and in the library. Names and texts tell kinds apart.
#[test]
fn kinds_of_undefined_behaviour_are_told_apart() {
    let names: HashSet<&str> = Undefined::ALL.iter().map(|kind| kind.name()).collect();
    let texts: HashSet<&str> = Undefined::ALL.iter().map(|kind| kind.text()).collect();
    assert_eq!((names.len(), texts.len()), (Undefined::ALL.len(), Undefined::ALL.len()));
    for kind in Undefined::ALL {
        assert_eq!(Undefined::named(kind.name()), Some(*kind));
        assert!(kind.name().chars().all(|c| c.is_ascii_lowercase() || c == '_'), "{kind:?}");
    }
    assert_eq!(Undefined::named("strange"), None);
}

//! Where it is noted of the cells of objects whether they were written: nowhere, if the text shows that it need not be.

use cfront::preprocess::Source;
use cfront::{Assumption, Bounds, CProgram, Choices, DataModel, LowerOptions, Property, Purpose};

/// How many cells have a flag, and whether it is assumed of others that they have values.
fn noted(body: &str, choices: Choices) -> (u32, bool) {
    let text = format!(
        "struct pair {{ int x, y; }}; union both {{ int number; char bytes[4]; }};
         void *malloc(unsigned long); void *calloc(unsigned long, unsigned long);
         void *memset(void *, int, unsigned long); extern int choice(void);
         static int sum(struct pair *p) {{ return p->x + p->y; }}
         static void set(int *where) {{ *where = 1; }}
         int main(void) {{ {body} }}"
    );
    let program = CProgram::from_source(Source::from_text("t.i", &text), DataModel::Lp64);
    let options = LowerOptions {
        purpose: Purpose::Verification,
        choices,
        property: Property::Assertions,
        bounds: Bounds { recursion: 2, objects: 2, delayed_writes: 0 },
    };
    let loaded = program.and_then(|program| program.lower(&options));
    let loaded = loaded.unwrap_or_else(|bad| panic!("{:?}\n{body}", bad.complaints));
    let locals = loaded.program.templates.iter().flat_map(|template| &template.locals);
    let all = loaded.program.shared.iter().chain(locals);
    let flags = all.filter(|var| var.name.ends_with(".written"));
    let cells = flags.map(|var| var.len.unwrap_or(1)).sum();
    (cells, loaded.assumptions.contains(&Assumption::UnwrittenGivesValue))
}

const ASKED: Choices = Choices { uninitialised: true, ..NOT_ASKED };
const NOT_ASKED: Choices = Choices {
    signed_overflow: cfront::SignedOverflow::Undefined,
    allocation_may_fail: false,
    creation_may_fail: false,
    deadlocks: false,
    attempts_fail: false,
    shifts_overflow: false,
    uninitialised: false,
    weak_memory: false,
    leaks: None,
    missing: cfront::MissingFunctions::Unknown,
};

#[test]
fn what_the_text_shows_to_be_written_is_not_noted() {
    let bodies = [
        "struct pair p = {1}; return sum(&p);",
        "struct pair p; p.x = 1; p.y = choice(); return sum(&p);",
        "struct pair p[2]; p[1].y = p[1].x = 0; return 0;",
        "struct pair p; int k = choice(); memset(&p, 0, sizeof p); return sum(&p) + k;",
        "int n; n = 2; int *q = &n; return *q;",
        "struct pair *p = malloc(sizeof *p); p->y = 1; p->x = 2; return sum(p);",
        "struct pair *p = malloc(sizeof *p); if (!p) return 1; p->y = 1; p->x = 2; return sum(p);",
        "struct pair *p; p = malloc(8); (*p).y = 1; p->x = 2; return sum(p);",
        "struct pair *p = calloc(1, 8); return sum(p);",
    ];
    for body in bodies {
        assert_eq!(noted(body, ASKED), (0, false), "{body}");
    }
}

#[test]
fn what_may_be_read_before_is_noted() {
    let bodies = [
        ("struct pair p; p.x = 1; return sum(&p);", 2),
        ("struct pair p; p.x = 1; p.y = p.x; return sum(&p);", 2),
        ("struct pair p; p.x = sum(&p); p.y = 2; return 0;", 2),
        ("struct pair p; p.x = 1; if (choice()) p.y = 2; return sum(&p);", 2),
        ("struct pair p; p.x = 1; if (choice()) return sum(&p); p.y = 2; return 0;", 2),
        ("struct pair p; goto out; p.x = 1; p.y = 2; out: return sum(&p);", 2),
        ("struct pair p; p.x = ({ if (choice()) goto out; 1; }); p.y = 2; out: return sum(&p);", 2),
        ("struct pair p; p.x = 1; memset(&p, 0, 4); return sum(&p);", 2),
        ("int n; set(&n); return n;", 1),
        ("int v[3]; v[0] = 1; return v[choice() & 1];", 3),
        ("struct pair *p = malloc(sizeof *p); p->x = 1; return sum(p);", 2),
        ("struct pair *p = malloc(sizeof *p), *q; q = p; p->x = 1; p->y = 2; return sum(q);", 2),
        ("struct pair *p = malloc(16); p->x = 1; p->y = 2; return sum(p + 1);", 4),
        ("static struct pair *p; p = malloc(8); p->x = 1; p->y = 2; return sum(p);", 2),
    ];
    for (body, cells) in bodies {
        assert_eq!(noted(body, ASKED), (cells, false), "{body}");
        assert_eq!(noted(body, NOT_ASKED), (0, false), "not asked: {body}");
        let weak = Choices { weak_memory: true, ..ASKED };
        assert_eq!(noted(body, weak).0, 0, "other memory models: {body}");
    }
}

#[test]
fn what_is_not_followed_is_said() {
    let bodies = [
        "int v[100]; v[1] = 1; return v[choice() & 1];",
        "union both b; b.bytes[0] = 1; return b.number;",
        "void *p = malloc(8); int *q = p; q[0] = 1; return q[0];",
    ];
    for body in bodies {
        assert_eq!(noted(body, ASKED), (0, true), "{body}");
    }
    let copied = "struct pair p, q; p.x = 1; q = p; return sum(&q);";
    assert!(noted(copied, ASKED).1, "{copied}");
}

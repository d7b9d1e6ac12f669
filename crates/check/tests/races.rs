//! Races as errors (`ccfa::races`), by brute force on many small programs: wherever the program before has a race, the one
//! after has its error; and the other way round where nothing can keep a thread from the access before which it
//! has stopped. Defects put into the program after are caught.

mod asked;

use ccfa::definedness::may_be_undefined;
use ccfa::random::{Rng, Shape};
use ccfa::read_write::collect_reads;
use ccfa::sharing::instances;
use ccfa::{
    Access, Assign, Bad, BinOp, Count, Edge, Expr, LocId, Place, Program, Property, Rhs, Span,
    Template, TemplateId, Type, VarRef,
};
use std::collections::BTreeSet;

/// So many of the tiny programs are left out after each one that is taken.
const STRIDE: usize = 97;
const SEEDS: std::ops::Range<u64> = 0..800;

/// Only while a section runs is a step of another enabled, or is its element the one that the section accesses.
const SECTIONS: [&str; 2] = [
    "shared x: bool = false   shared open: bool = false
     template a() { s -> e: when open then x := true { write x @0:1:1 } }
     template b() {
       atomic location t   atomic location u   atomic location v
       s -> t   t -> u: open := true   u -> v { read x @0:2:1 }   v -> e: open := false
     }
     thread a = a()   thread b = b()",
    "shared x: bool[2] = false   shared i: u1 = 0
     template a() { s -> e: x[i] := true { write x[i] @0:1:1 } }
     template b() {
       atomic location t   atomic location u   atomic location v
       s -> t   t -> u: i := 1   u -> v { read x[1] @0:2:1 }   v -> e: i := 0
     }
     thread a = a()   thread b = b()",
];

/// Small programs that are asked for races: some threads twice or any number of times, some steps in atomic sections.
fn programs() -> impl Iterator<Item = (String, Program)> {
    let tiny = engine_suite::tiny::programs().enumerate().step_by(STRIDE);
    let tiny = tiny.map(|(number, program)| (format!("tiny program {number}"), program));
    let shape = Shape {
        locations: 4,
        edges: 4,
        depth: 1,
        errors: false,
        types: vec![Type::Bool, Type::unsigned(1), Type::unsigned(2)],
        ..Shape::default()
    };
    let random =
        SEEDS.map(move |seed| (format!("seed {seed}"), ccfa::random::program(seed, &shape)));
    let made = tiny.chain(random).enumerate().map(|(number, (name, mut program))| {
        let mut rng = Rng::new(number as u64);
        engine_suite::accesses::add(&mut program, &mut rng);
        place_accesses(&mut program);
        for thread in &mut program.threads {
            if thread.args.iter().all(|arg| matches!(arg, ccfa::Arg::Value(_))) {
                let once = thread.count;
                thread.count = *rng.pick(&[once, once, Count::Exactly(2), Count::Any]);
            }
        }
        (name, program)
    });
    let written = SECTIONS.iter().map(|text| {
        let text = format!("program \"sections\" file 0 \"accesses\" {text}");
        let program = ccfa::text::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        (program.name.clone(), program)
    });
    made.chain(written).map(|(name, mut program)| {
        program.property = Property { errors: false, races: true, ..Property::default() };
        (name, program)
    })
}

/// The numbers of instances of threads of which there may be any number.
const INSTANCES: u32 = 2;

/// Can the program race?
fn races(program: &Program) -> Option<bool> {
    let mut found = false;
    asked::visit(program, INSTANCES, |system, state| {
        found |= matches!(system.bad(state), Some(Bad::Race(_)));
    })?;
    Some(found)
}

/// Can a thread come to the error that is new in the program after?
fn errs(before: &Program, after: &Program) -> Option<bool> {
    let mut found = false;
    asked::visit(after, INSTANCES, |system, state| {
        let is_at_it = |instance: usize| {
            let template =
                system.program.threads[system.instances[instance].thread.index()].template;
            state.locations[instance] == error(&before.templates[template.index()])
        };
        found |= (0..state.locations.len()).any(is_at_it);
    })?;
    Some(found)
}

/// The locations that are new in a template.
fn stopped(before: &Template) -> LocId {
    LocId(before.locations.len() as u32)
}

fn error(before: &Template) -> LocId {
    LocId(before.locations.len() as u32 + 1)
}

/// Is an error after a race before? Nobody else, and no section, writes what decides whether a step with accesses can be taken,
/// and which elements it accesses; and its assignments have values.
fn is_exact(program: &Program) -> bool {
    let templates = || program.templates.iter().zip((0..).map(TemplateId));
    let is_atomic = |template: &Template, at: LocId| template.locations[at.index()].atomic;
    let written = |own: TemplateId| {
        let mut written = BTreeSet::new();
        for (template, id) in templates().filter(|(_, id)| instances(program, *id) > 0) {
            let is_other = id != own || instances(program, id) > 1;
            for edge in &template.edges {
                let in_section =
                    is_atomic(template, edge.source) || is_atomic(template, edge.target);
                if is_other || in_section {
                    written.extend(edge.read_write_sets().shared_writes().map(VarRef::Shared));
                }
            }
        }
        written
    };
    templates().all(|(template, id)| {
        let written = written(id);
        let var = |id: VarRef| match id {
            VarRef::Shared(id) => &program.shared[id.index()],
            VarRef::Local(id) => &template.locals[id.index()],
        };
        let has_value = |assign: &Assign| {
            matches!(assign.place, Place::Var(_))
                && match &assign.value {
                    Rhs::Expr(value) => !may_be_undefined(value, &var),
                    Rhs::Havoc => true,
                }
        };
        template.edges.iter().filter(|edge| !edge.accesses.is_empty()).all(|edge| {
            let mut reads = BTreeSet::new();
            let indices = edge.accesses.iter().filter_map(|access| access.cell()?.index.as_ref());
            indices.chain([&edge.guard]).for_each(|expr| collect_reads(expr, &mut reads));
            reads.is_disjoint(&written) && edge.assigns.iter().all(has_value)
        })
    })
}

/// A defect of the program after.
type Defect = fn(&Program, &mut Program);

const DEFECTS: [(&str, Defect); 8] = [
    ("reads never stop", |before, after| {
        edges(before, after, |new| !new.is_stop() || new.kind() & 2 != 0);
    }),
    ("nobody stops before an atomic access", |before, after| {
        edges(before, after, |new| !new.is_stop() || new.kind() & 1 == 0);
    }),
    ("nobody is met in an atomic section", |before, after| {
        edges(before, after, |new| {
            new.is_stop() || !new.template.locations[new.edge.source.index()].atomic
        });
    }),
    ("instances of one template do not meet", |before, after| {
        edges(before, after, |new| {
            let others = before.templates.iter().zip(0..).filter(|(_, id)| *id != new.id);
            let mut accesses = others.flat_map(|(t, _)| t.edges.iter()).flat_map(|e| &e.accesses);
            accesses.any(|other| new.access.conflicts(other))
        });
    }),
    ("stops only where the step is enabled", |before, after| {
        edges(before, after, |new| {
            if new.is_stop() {
                let guard = std::mem::replace(&mut new.edge.guard, Expr::TRUE);
                new.edge.guard = Expr::and(new.step.guard.clone(), guard);
            }
            true
        });
    }),
    ("stops before the element that it is now", |before, after| {
        edges(before, after, |new| {
            if let Some(index) = new.access.cell().and_then(|cell| cell.index.clone()) {
                let element = Expr::Cast(Type::signed(64), Box::new(index));
                new.edge.assigns.iter_mut().skip(1).for_each(|assign| {
                    assign.value = Rhs::Expr(element.clone());
                });
            }
            true
        });
    }),
    ("any element is no element", |before, after| {
        edges(before, after, |new| {
            if !new.is_stop() {
                let guard = std::mem::replace(&mut new.edge.guard, Expr::TRUE);
                new.edge.guard = without_any(guard);
            }
            true
        });
    }),
    ("a step meets others with its first access only", |before, after| {
        edges(before, after, |new| new.is_stop() || new.number == 0);
    }),
];

/// `element == -1` is false.
fn without_any(guard: Expr) -> Expr {
    let is_any = |expr: &Expr| matches!(expr, Expr::Const(-1, Type::Bits { width: 64, .. }));
    match guard {
        Expr::Binary(BinOp::Eq, _, right) if is_any(&right) => Expr::FALSE,
        Expr::Binary(op @ (BinOp::And | BinOp::Or), left, right) => {
            Expr::binary(op, without_any(*left), without_any(*right))
        }
        other => other,
    }
}

/// An edge that is new, and what it was made of.
struct New<'a> {
    id: usize,
    template: &'a Template,
    step: &'a Edge,
    access: &'a Access,
    /// Which of the step's accesses that is.
    number: usize,
    edge: &'a mut Edge,
}

impl New<'_> {
    fn is_stop(&self) -> bool {
        self.edge.target == stopped(self.template)
    }

    /// 2: it writes, 1: it is atomic.
    fn kind(&self) -> u32 {
        2 * u32::from(self.access.writes()) + u32::from(self.access.is_atomic())
    }
}

/// Changes the edges that are new, and keeps some. They are in the order of the steps and accesses that they were made of.
fn edges(before: &Program, after: &mut Program, mut keep: impl FnMut(&mut New) -> bool) {
    for (id, (template, changed)) in before.templates.iter().zip(&mut after.templates).enumerate() {
        let mut new = changed.edges.split_off(template.edges.len()).into_iter().peekable();
        for step in &template.edges {
            for (number, access) in step.accesses.iter().enumerate() {
                let targets = [stopped(template), error(template)];
                let mut made_of_it = |target| {
                    new.next_if(|edge: &Edge| edge.target == target && edge.span == access.span)
                };
                for mut edge in targets.map(&mut made_of_it).into_iter().flatten() {
                    let mut this = New { id, template, step, access, number, edge: &mut edge };
                    if keep(&mut this) {
                        changed.edges.push(edge);
                    }
                }
            }
        }
        assert!(new.next().is_none(), "an edge of unknown origin");
    }
}

fn show(name: &str, program: &Program) -> String {
    let after = ccfa::races::as_errors(program);
    format!("{name}\n{}\n{}", ccfa::text::print(program), ccfa::text::print(&after))
}

#[test]
fn a_race_before_is_an_error_after() {
    // Both, neither, only after; and of these, where it must not be.
    let (mut both, mut neither, mut only_after, mut exact) = (0, 0, 0, [0, 0]);
    for (name, program) in programs() {
        let after = ccfa::races::as_errors(&program);
        ccfa::wellformed::check(&after).unwrap_or_else(|why| panic!("{why:?}\n{name}"));
        let (Some(race), Some(error)) = (races(&program), errs(&program, &after)) else { continue };
        assert!(error || !race, "a race is lost: {}", show(&name, &program));
        if is_exact(&program) {
            assert!(race || !error, "an error without a race: {}", show(&name, &program));
            exact[usize::from(race)] += 1;
        }
        *(if race {
            &mut both
        } else if error {
            &mut only_after
        } else {
            &mut neither
        }) += 1;
    }
    println!("{both} both, {neither} neither, {only_after} only after; exact {exact:?}");
    assert!(both > 300 && neither > 300 && only_after > 10);
    assert!(exact.iter().all(|count| *count > 100), "{exact:?}");
}

/// The places at which two threads can race.
fn racing_pairs(program: &Program) -> Option<BTreeSet<[Span; 2]>> {
    let accesses = program.templates.iter().flat_map(|template| &template.edges);
    let places: Vec<Span> =
        accesses.flat_map(|edge| &edge.accesses).filter_map(|access| access.span).collect();
    let pairs = || places.iter().flat_map(|one| places.iter().map(|other| [*one, *other]));
    let mut racing = BTreeSet::new();
    for pair in pairs().filter(|[one, other]| one <= other) {
        let mut asked = program.clone();
        asked.property.known_races = pairs().filter(|other| *other != pair).collect();
        if races(&asked)? {
            racing.insert(pair);
        }
    }
    Some(racing)
}

/// What is known is not asked for, and hides nothing else: asked again and again, a program tells every pair once, before and after.
#[test]
fn races_that_are_known_hide_no_other() {
    let mut counts = [0; 4];
    for (name, mut program) in programs().step_by(5) {
        let Some(racing) = racing_pairs(&program) else { continue };
        let mut found: BTreeSet<[Span; 2]> = BTreeSet::new();
        loop {
            program.property.known_races = found.clone();
            let after = ccfa::races::as_errors(&program);
            let error = errs(&program, &after);
            let mut new = None;
            asked::visit(&program, INSTANCES, |system, state| {
                if let Some(Bad::Race(sides)) = system.bad(state) {
                    let [one, other] = sides.map(|side| {
                        let edge = &system.template(side.instance).edges[side.edge.index()];
                        edge.accesses[side.access].span.expect("each has a place")
                    });
                    new = Some([one.min(other), one.max(other)]);
                }
            });
            let is_lost = error == Some(false) && new.is_some();
            assert!(!is_lost, "a race is lost: {}", show(&name, &program));
            let exact = is_exact(&program) && error == Some(true) && new.is_none();
            assert!(!exact, "an error without a race: {}", show(&name, &program));
            let Some(new) = new else { break };
            assert!(found.insert(new), "it is known: {}", show(&name, &program));
        }
        assert_eq!(found, racing, "{}", show(&name, &program));
        counts[found.len().min(3)] += 1;
    }
    println!("by the number of racing pairs: {counts:?}");
    assert!(counts.iter().all(|count| *count > 5), "{counts:?}");
}

#[test]
fn defects_lose_races() {
    let mut lost = DEFECTS.map(|(name, _)| (name, 0));
    for (number, (_, program)) in programs().enumerate() {
        if races(&program) != Some(true) {
            continue;
        }
        for ((_, defect), (_, lost)) in DEFECTS.iter().zip(&mut lost) {
            if *lost >= 5 && number % 16 != 0 {
                continue;
            }
            let mut after = ccfa::races::as_errors(&program);
            defect(&program, &mut after);
            *lost += usize::from(errs(&program, &after) == Some(false));
        }
    }
    println!("{lost:?}");
    assert!(lost.iter().all(|(_, lost)| *lost > 0), "{lost:?}");
}

/// Each access has a place of its own, by which the edges that are made of it are known.
fn place_accesses(program: &mut Program) {
    program.files = vec!["accesses".to_string()];
    let steps = program.templates.iter_mut().flat_map(|template| &mut template.edges);
    for (number, access) in steps.flat_map(|edge| &mut edge.accesses).enumerate() {
        access.span = Some(Span::at(0, number as u32 + 1, 1));
    }
}

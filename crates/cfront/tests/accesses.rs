//! Which accesses to memory the steps of C programs have: every kind, with its memory order.

use ccfa::text;
use cfront::preprocess::Source;
use cfront::{BadInput, Bounds, CProgram, DataModel, Loaded, LowerOptions, Property, Purpose};

/// What the snippets speak of.
const DECLARATIONS: &str = "
    typedef unsigned long pthread_t;
    typedef struct __rely_type_pthread_mutex_t pthread_mutex_t;
    typedef struct __rely_type_pthread_rwlock_t pthread_rwlock_t;
    typedef struct __rely_type_pthread_spinlock_t pthread_spinlock_t;
    typedef struct __rely_type_pthread_cond_t pthread_cond_t;
    typedef struct __rely_type_pthread_barrier_t pthread_barrier_t;
    typedef struct __rely_type_sem_t sem_t;
    int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
    int pthread_mutex_lock(pthread_mutex_t *); int pthread_mutex_trylock(pthread_mutex_t *);
    int pthread_mutex_unlock(pthread_mutex_t *);
    int pthread_rwlock_rdlock(pthread_rwlock_t *); int pthread_rwlock_wrlock(pthread_rwlock_t *);
    int pthread_rwlock_unlock(pthread_rwlock_t *);
    int pthread_spin_lock(pthread_spinlock_t *); int pthread_spin_unlock(pthread_spinlock_t *);
    int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *); int pthread_cond_signal(pthread_cond_t *);
    int pthread_cond_broadcast(pthread_cond_t *); int pthread_cond_destroy(pthread_cond_t *);
    int pthread_barrier_init(pthread_barrier_t *, const void *, unsigned); int pthread_barrier_wait(pthread_barrier_t *);
    int sem_wait(sem_t *); int sem_post(sem_t *);
    void atomic_thread_fence(int); void atomic_signal_fence(int);
    void *memset(void *, int, unsigned long);
    struct pair { int left, right; };
    int x, y, v[3]; struct pair p, q; struct { int low : 4, high : 4; } b;
    _Atomic int a; pthread_mutex_t m; pthread_rwlock_t l; pthread_spinlock_t s; pthread_cond_t c;
    pthread_barrier_t w; sem_t n;
";

/// The accesses of the steps of a thread that runs `body`, beside another that does what keeps all
/// variables in use: one string for each step with accesses, sorted, each once.
fn accesses(body: &str) -> Vec<String> {
    let keep =
        "x + y + v[0] + v[1] + v[2] + p.left + p.right + q.left + q.right + b.low + b.high + a";
    let source = format!(
        "{DECLARATIONS}
         void *other(void *i) {{ int k = (int)(long)i; if ({keep} == k) x = y = v[0] = v[1] = v[2] = a = p.left = p.right = q.left = q.right = b.low = k; pthread_cond_destroy(&c); pthread_barrier_init(&w, 0, 2); return 0; }}
         void *worker(void *argument) {{ int i = (int)(long)argument & 1, old = 0; {body}; return (void *)(long)(old); }}
         int main(void) {{ pthread_t t, u, r; pthread_create(&t, 0, worker, (void *)(long)x); pthread_create(&u, 0, other, (void *)(long)x);
           pthread_create(&r, 0, worker, (void *)1); return 0; }}"
    );
    let loaded = lowered(&source);
    let program = loaded.unwrap_or_else(|bad| panic!("{:?}\n{body}", bad.complaints)).program;
    let printed = text::print(&program);
    let start = printed.find("template worker").expect("the worker");
    let end = start + printed[start..].find("\n}\n").expect("its end");
    let of_step = |line: &str| {
        let (_, rest) = line.split_once(" { ")?;
        let (inside, _) = rest.split_once(" }")?;
        let plain = |access: &str| access.split(" @").next().unwrap_or_default().to_string();
        Some(inside.split("; ").map(plain).collect::<Vec<_>>().join("; "))
    };
    let mut steps: Vec<String> = printed[start..end].lines().filter_map(of_step).collect();
    steps.sort();
    steps.dedup();
    steps
}

fn lowered(source: &str) -> Result<Loaded, BadInput> {
    let options = LowerOptions {
        purpose: Purpose::Verification,
        choices: cfront::Choices::default(),
        property: Property::Assertions,
        bounds: Bounds { recursion: 2, objects: 2, delayed_writes: 0 },
    };
    let source = Source::from_text("test.i", source);
    CProgram::from_source(source, DataModel::Lp64).and_then(|program| program.lower(&options))
}

#[test]
fn every_kind() {
    let mut wrong = Vec::new();
    for (body, expected) in [
        // Plain.
        ("x = 1", &["write x"][..]),
        ("old = x", &["read x"]),
        ("x++", &["read x", "write x"]),
        ("x = y", &["read y", "write x"]),
        ("v[1] = 1", &["write v[1u32]"]),
        ("v[i] = 1", &["write v[u32(worker::i)]"]),
        ("p.left = 1", &["write p.left"]),
        ("p = q", &["read q.left", "read q.right", "write p.left", "write p.right"]),
        ("b.low = 1", &["write b.low"]),
        ("memset(&p, 0, sizeof p)", &["write p.left", "write p.right"]),
        ("int *k = i ? &x : &y; *k = 1", &["write x", "write y"]),
        ("old = i", &[]),
        // Atomic.
        ("a = 1", &["write a atomic seq_cst"]),
        ("old = a", &["read a atomic seq_cst"]),
        ("a++", &["update a atomic seq_cst"]),
        ("a += 2", &["update a atomic seq_cst"]),
        ("old = __atomic_load_n(&x, 0)", &["read x atomic relaxed"]),
        ("old = __atomic_load_n(&x, 1)", &["read x atomic consume"]),
        ("old = __atomic_load_n(&x, 2)", &["read x atomic acquire"]),
        ("__atomic_store_n(&x, 1, 3)", &["write x atomic release"]),
        ("__atomic_store_n(&x, 1, i)", &["write x atomic relaxed"]),
        ("old = __atomic_exchange_n(&x, 1, 4)", &["update x atomic acq_rel"]),
        ("old = __atomic_fetch_add(&x, 1, 0)", &["update x atomic relaxed"]),
        ("old = __sync_fetch_and_add(&x, 1)", &["update x atomic seq_cst"]),
        ("old = __sync_lock_test_and_set(&x, 1)", &["update x atomic acquire"]),
        ("__sync_lock_release(&x)", &["write x atomic release"]),
        (
            "old = 1; __atomic_compare_exchange_n(&x, &old, 2, 0, 4, 2)",
            &["read x atomic acquire", "update x atomic acq_rel"],
        ),
        (
            "old = __sync_bool_compare_and_swap(&x, 0, 1)",
            &["read x atomic seq_cst", "update x atomic seq_cst"],
        ),
        // Fences.
        ("__sync_synchronize()", &["fence seq_cst"]),
        ("__atomic_thread_fence(2)", &["fence acquire"]),
        ("atomic_thread_fence(3)", &["fence release"]),
        ("atomic_signal_fence(5)", &["signal_fence seq_cst"]),
        // Locks.
        ("pthread_mutex_lock(&m)", &["acquire m.owner"]),
        ("pthread_mutex_trylock(&m)", &["acquire m.owner"]),
        (
            "pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m)",
            &["acquire m.owner", "release m.owner", "write x"],
        ),
        ("pthread_rwlock_rdlock(&l)", &["acquire_shared l.readers"]),
        (
            "pthread_rwlock_wrlock(&l); pthread_rwlock_unlock(&l)",
            &["acquire l.writer", "release l.readers", "release l.writer"],
        ),
        ("pthread_spin_lock(&s); pthread_spin_unlock(&s)", &["acquire s.owner", "release s.owner"]),
        (
            "pthread_mutex_lock(&m); pthread_cond_wait(&c, &m)",
            &["acquire m.owner", "release m.owner", "wait c.kind"],
        ),
        ("pthread_cond_signal(&c)", &["signal c.kind"]),
        ("pthread_cond_broadcast(&c)", &["broadcast c.kind"]),
        ("pthread_barrier_wait(&w)", &["wait w.arrived"]),
        ("sem_wait(&n); sem_post(&n)", &["acquire n.value", "release n.value"]),
    ] {
        let found = accesses(body);
        if found != expected {
            wrong.push(format!("{body}: {found:?} and not {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Each access knows a range of the source, each step the calls it is in.
#[test]
fn places_and_calls() {
    let source = "typedef unsigned long pthread_t;\n\
                  int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);\n\
                  int x, y;\n\
                  void set(int v) { x = v + y; }\n\
                  void twice(void) { set(1); set(2); }\n\
                  void *worker(void *p) { twice(); return 0; }\n\
                  int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); y = x; twice(); }\n";
    let program = lowered(source).expect("it is C").program;
    let lines: Vec<&str> = source.lines().collect();
    let mut found = std::collections::BTreeSet::new();
    for edge in program.templates.iter().flat_map(|template| &template.edges) {
        if edge.accesses.is_empty() {
            continue;
        }
        let call = edge.call.expect("every access is in a call");
        let path: Vec<&str> = program.call_path(call).map(|call| call.function.as_str()).collect();
        for span in edge.accesses.iter().filter_map(|access| access.span) {
            assert_eq!(span.line, span.end_line, "{span:?}");
            let text = &lines[span.line as usize - 1][span.column as usize - 1..];
            let length = (span.end_column - span.column) as usize;
            found.insert(format!("{} in {}", &text[..length], path.join(" < ")));
        }
    }
    for expected in ["y in set < twice < worker", "x in main"] {
        assert!(found.contains(expected), "{expected}: {found:#?}");
    }
    let sites = program.calls.iter().filter(|call| call.function == "set").map(|call| call.site);
    let columns: Vec<u32> = sites.map(|site| site.map_or(0, |site| site.column)).collect();
    assert!(columns.contains(&20) && columns.contains(&28), "{columns:?}");
}

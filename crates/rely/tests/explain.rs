//! `rely check --explain`: what protects which object. What is said is certain, so what does not hold must not be said.

mod support;

use support::rely;

/// A program without races, and the lines that say why.
const CASES: [(&str, &[&str]); 16] = [
    // Through a queue: the lock was released by who put it in, and acquired by who takes it out.
    (
        "pthread_mutex_t l; int a, *queue;
        void *t(void *u) { pthread_mutex_lock(&l); int *p = queue; pthread_mutex_unlock(&l); if (p) *p = 2; return 0; }
        int main(void) { pthread_t x; pthread_create(&x, 0, t, 0); a = 1;
          pthread_mutex_lock(&l); queue = &a; pthread_mutex_unlock(&l); return 0; }",
        &["`a` is handed over by `l`: who accesses it has acquired that since the thread before released it", "`queue` is protected by `l`"],
    ),
    // There and back again, by two semaphores.
    (
        "sem_t e, f; int a;
        void *t(void *u) { sem_wait(&f); a++; sem_post(&e); return 0; }
        int main(void) { pthread_t x; sem_init(&e, 0, 0); sem_init(&f, 0, 0); pthread_create(&x, 0, t, 0);
          a = 1; sem_post(&f); sem_wait(&e); a = 2; return 0; }",
        &["`a` is handed over by semaphores: who accesses it has passed one since the thread before posted it"],
    ),
    // The lock is released and acquired, but before the last access: what hands over is the flag.
    (
        "pthread_mutex_t l; int a; _Atomic int go;
        void *t(void *u) { pthread_mutex_lock(&l); pthread_mutex_unlock(&l); if (go) a = 2; return 0; }
        int main(void) { pthread_t x; pthread_create(&x, 0, t, 0); a = 1;
          pthread_mutex_lock(&l); pthread_mutex_unlock(&l); a = 3; go = 1; return 0; }",
        &["`a`: no single reason was found; that no two threads access it at the same time was proved",
          "`go` is only accessed atomically"],
    ),
    // The second thread is given it by the first semaphore, the third one by a flag.
    (
        "sem_t f; int a; _Atomic int go;
        void *t(void *u) { sem_wait(&f); a++; go = 1; return 0; }
        void *v(void *u) { if (go) a = 3; return 0; }
        int main(void) { pthread_t x, y; sem_init(&f, 0, 0); pthread_create(&x, 0, t, 0); pthread_create(&y, 0, v, 0);
          a = 1; sem_post(&f); return 0; }",
        &["`a`: no single reason was found; that no two threads access it at the same time was proved",
          "`go` is only accessed atomically"],
    ),
    // Two locks, two objects; and one that both locks protect by turns is protected by none.
    (
        "pthread_mutex_t l, m; int a, b;
        void *t(void *u) { pthread_mutex_lock(&l); a++; pthread_mutex_unlock(&l);
          pthread_mutex_lock(&m); b++; pthread_mutex_unlock(&m); return 0; }
        int main(void) { pthread_t x, y; pthread_create(&x, 0, t, 0); pthread_create(&y, 0, t, 0); return 0; }",
        &["`a` is protected by `l`", "`b` is protected by `m`"],
    ),
    // Without the lock before the thread is there and after it was joined: no other thread runs.
    (
        "pthread_mutex_t l; int a;
        void *t(void *u) { pthread_mutex_lock(&l); a++; pthread_mutex_unlock(&l); return 0; }
        int main(void) { pthread_t x, y; a = 1; pthread_create(&x, 0, t, 0); pthread_create(&y, 0, t, 0);
          pthread_join(x, 0); pthread_join(y, 0); return a; }",
        &["`a` is protected by `l`"],
    ),
    // Without the lock while another runs: what keeps them apart is the flag.
    (
        "pthread_mutex_t l; int a; _Atomic int done;
        void *t(void *u) { pthread_mutex_lock(&l); a++; pthread_mutex_unlock(&l); done = 1; return 0; }
        int main(void) { pthread_t x; pthread_create(&x, 0, t, 0); if (done) a = 7; return 0; }",
        &["`a`: no single reason was found; that no two threads access it at the same time was proved",
          "`done` is only accessed atomically"],
    ),
    // One of two workers was joined: the other one runs.
    (
        "int a; int *p = &a;
        void *t(void *u) { a = 1; return 0; }
        void *v(void *u) { return 0; }
        int main(void) { pthread_t x, y; pthread_create(&y, 0, v, 0); pthread_create(&x, 0, t, 0);
          pthread_join(x, 0); a = 2; return 0; }",
        &["`a`: no single reason was found; that no two threads access it at the same time was proved"],
    ),
    // A write while nobody runs, and a write that is none of these.
    (
        "int a; void *t(void *u) { return a ? u : 0; }
        int main(void) { pthread_t x, y; a = 3; pthread_create(&x, 0, t, 0); pthread_create(&y, 0, t, 0); return a; }",
        &["`a` is only read; it is written before they begin or after they have ended"],
    ),
    (
        "int a = 3; void *t(void *u) { return a ? u : 0; }
        int main(void) { pthread_t x; pthread_create(&x, 0, t, 0); return a; }",
        &["`a` is only read"],
    ),
    // The lock is taken for reading by those who read; who writes with it so is no reader.
    (
        "pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; int a;
        void *t(void *u) { pthread_rwlock_rdlock(&l); int r = a; pthread_rwlock_unlock(&l); return r ? u : 0; }
        int main(void) { pthread_t x, y; pthread_create(&x, 0, t, 0); pthread_create(&y, 0, t, 0);
          pthread_rwlock_wrlock(&l); a = 1; pthread_rwlock_unlock(&l); return 0; }",
        &["`a` is protected by `l`"],
    ),
    // Locks of the same name are not the same lock.
    (
        "int a; void t1(void) { static pthread_mutex_t l; pthread_mutex_lock(&l); a++; pthread_mutex_unlock(&l); }
        _Atomic int go; void t2(void) { static pthread_mutex_t l; pthread_mutex_lock(&l); if (go) a++; pthread_mutex_unlock(&l); }
        void *t(void *u) { t1(); go = 1; return 0; }
        int main(void) { pthread_t x; pthread_create(&x, 0, t, 0); t2(); return 0; }",
        &["`a`: no single reason was found; that no two threads access it at the same time was proved",
          "`go` is only accessed atomically"],
    ),
    // Slots by number; of the second array both use the first element, one after the other.
    (
        "int a[2]; sem_t s;
        void *t(void *u) { a[(long)u] = 1; sem_wait(&s); a[(long)u] = 2; sem_post(&s); return 0; }
        int main(void) { pthread_t x, y; sem_init(&s, 0, 1); pthread_create(&x, 0, t, (void *)0); pthread_create(&y, 0, t, (void *)1);
          return 0; }",
        &["`a` is used by one thread only, element by element"],
    ),
    // Published by a flag; and written again behind a second flag, which is another reason.
    (
        "int a; _Atomic int ready;
        void *t(void *u) { a = 1; ready = 1; return 0; }
        int main(void) { pthread_t x; pthread_create(&x, 0, t, 0); return ready ? a : 0; }",
        &[
            "`a` is written by one thread only, and not once another one has read it",
            "`ready` is only accessed atomically",
        ],
    ),
    (
        "int a; _Atomic int ready, back;
        void *t(void *u) { a = 1; ready = 1; if (back) a = 2; return 0; }
        int main(void) { pthread_t x; pthread_create(&x, 0, t, 0); int r = ready ? a : 0; back = 1; return r; }",
        &[
            "`a`: no single reason was found; that no two threads access it at the same time was proved",
            "`back` is only accessed atomically",
            "`ready` is only accessed atomically",
        ],
    ),
    // Nothing is shared.
    (
        "void *t(void *u) { int a = 1; return a ? u : 0; }
        int main(void) { pthread_t x; pthread_create(&x, 0, t, 0); return 0; }",
        &[],
    ),
];

const HEAD: &str = "#include <pthread.h>\n#include <semaphore.h>\n";

#[test]
fn reasons_are_the_right_ones() {
    let folder = std::env::temp_dir().join(format!("rely-explain-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    for (text, expected) in CASES {
        std::fs::write(folder.join("prog.c"), format!("{HEAD}{text}"))
            .expect("a file can be written");
        for option in ["--explain", "--proof"] {
            let run = rely(&folder, &["check", "prog.c", "--check", "races", option]);
            assert!(run.stdout.starts_with("SAFE\n"), "{text}\n{}", run.all());
            let lines: Vec<&str> = run.stdout.lines().collect();
            let heading = lines.iter().position(|line| line.starts_with("What protects what, "));
            let reasons = lines[heading.unwrap_or(lines.len() - 1) + 1..].iter();
            let reasons: Vec<&str> = reasons
                .map_while(|line| line.strip_prefix("  `"))
                .filter(|_| heading.is_some())
                .collect();
            let mut found: Vec<String> = reasons.iter().map(|line| format!("`{line}")).collect();
            found.sort();
            assert_eq!(found, expected, "{text}\n{}", run.all());
            let nothing = run.stdout.contains("No object is accessed by several threads.");
            assert_eq!(nothing, expected.is_empty(), "{text}\n{}", run.all());
        }
        let run = rely(&folder, &["check", "prog.c", "--check", "races"]);
        assert!(!run.stdout.contains("What protects what"), "{}", run.all());
    }
    std::fs::remove_dir_all(&folder).expect("a folder can be removed");
}

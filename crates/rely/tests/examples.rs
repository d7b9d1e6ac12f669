//! What the examples show beyond the verdict that each expects (see `regression.rs`).

mod support;

/// The systems of thread-modular checking as C programs, by the engine that is for them: variables
/// of C have small domains in fact. `rely` confirms each proof and replays each interleaving.
#[test]
fn c_programs_are_checked_thread_modularly() {
    let folder = support::root().join("examples/thread-modular");
    let check = |file: &str, method: &str| {
        let args = [
            "check",
            file,
            "--check",
            "assertions",
            "--engine",
            "thread-modular",
            "--method",
            method,
        ];
        let run = support::rely(&folder, &[&args[..], &["--timeout", "60"]].concat());
        let verdict = run.stdout.lines().next().unwrap_or_default().to_string();
        (verdict, format!("{file}, {method}: {}", run.all()))
    };
    let broken = std::env::temp_dir().join(format!("rely-mux-sem-{}.c", std::process::id()));
    let text = std::fs::read_to_string(folder.join("mux-sem.c")).expect("the example exists");
    let two_may_enter = text.replace("sem_init(&x, 0, 1)", "sem_init(&x, 0, 2)");
    assert_ne!(text, two_may_enter);
    std::fs::write(&broken, two_may_enter).expect("a file can be written");
    for method in ["auto", "tmmcir", "afr"] {
        for name in ["mux-sem", "mux-sem-last", "mux-sem-count", "bakery", "philosophers"] {
            let (verdict, all) = check(&format!("{name}.c"), method);
            assert_eq!(verdict, "SAFE", "{all}");
        }
        let (verdict, all) = check(&broken.display().to_string(), method);
        assert_eq!(verdict, "UNSAFE", "{all}");
    }
    std::fs::remove_file(&broken).expect("a file can be removed");
}

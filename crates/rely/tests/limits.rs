//! What must hold whatever the engine does: limits, signals, closed pipes.

mod support;

use std::io::Read;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use support::{Run, command, here, rely, root, without_reader};

fn gave_up(run: &Run, why: &str, within: f64) {
    assert_eq!(run.code, 20, "{}", run.all());
    assert_eq!(run.stdout, format!("UNKNOWN\n{why}\n"), "{}", run.stderr);
    assert!(run.time < Duration::from_secs_f64(within), "{:?}", run.time);
}

#[test]
fn the_time_limit_holds() {
    let models = here().join("models");
    let run = rely(&models, &["check", "endless.rely", "--timeout", "1"]);
    gave_up(&run, "the time limit was reached", 2.0);
    assert!(run.time > Duration::from_millis(700), "{:?}", run.time);
    let run = rely(&models, &["check", "endless.rely", "--timeout", "0.001"]);
    gave_up(&run, "the time limit was reached", 2.0);
}

/// While engines work with formulas, too. (That of `thread-modular` is a test of its crate.)
#[test]
fn the_time_limit_holds_whatever_the_engine_does() {
    let (models, examples) = (here().join("models"), root().join("examples/threader"));
    for (folder, program, engine) in [
        (&models, "endless.rely", "impact"),
        (&examples, "qrcu.c", "rely-guarantee"),
        (&examples, "scull.c", "rely-guarantee"),
    ] {
        let args = [
            "check",
            program,
            "--check",
            "assertions",
            "--engine",
            engine,
            "--no-bias",
            "--timeout",
            "1",
        ];
        gave_up(&rely(folder, &args), "the time limit was reached", 2.0);
    }
}

#[test]
fn the_memory_limit_holds() {
    let models = here().join("models");
    let args = ["check", "endless.rely", "--engine", "explore", "--memory-limit", "100"];
    let run = rely(&models, &[&args[..], &["--timeout", "60"]].concat());
    gave_up(&run, "the memory limit was reached", 50.0);
    let run = rely(&models, &["check", "endless.rely", "--memory-limit", "1"]);
    gave_up(&run, "the memory limit was reached", 2.0);
}

#[test]
fn a_reader_who_goes_away_is_no_reason_to_panic() {
    for args in [["show", "lock.rely"], ["check", "lost_update.rely"]] {
        let output = without_reader(&here().join("models"), &args);
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args:?}");
        assert!(matches!(output.status.code(), Some(0 | 10)), "{args:?}: {}", output.status);
    }
}

/// A run that takes long, after it has got going.
fn start_long_run() -> Child {
    let mut command = command(&here().join("models"));
    let child = command
        .args(["check", "endless.rely", "--timeout", "60"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("rely starts");
    std::thread::sleep(Duration::from_millis(300));
    child
}

fn signal(child: &Child, name: &str) {
    let kill = std::process::Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(kill.expect("`kill` is there").success());
}

fn end(mut child: Child) -> (Option<i32>, String) {
    let mut stdout = String::new();
    child.stdout.take().expect("a pipe").read_to_string(&mut stdout).expect("text");
    (child.wait().expect("rely ends").code(), stdout)
}

#[cfg(unix)]
#[test]
fn an_interrupt_is_answered() {
    for name in ["-INT", "-TERM"] {
        let child = start_long_run();
        let start = Instant::now();
        signal(&child, name);
        assert_eq!(end(child), (Some(20), "UNKNOWN\ninterrupted\n".to_string()));
        assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    }
}

#[cfg(unix)]
#[test]
fn two_interrupts_are_answered_once() {
    let child = start_long_run();
    signal(&child, "-INT");
    std::thread::sleep(Duration::from_millis(20));
    let _ = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert_eq!(end(child), (Some(20), "UNKNOWN\ninterrupted\n".to_string()));
}

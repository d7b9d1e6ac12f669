//! `rely replay`: a reproducer is built and run, and it is told whether it fails as it says of itself. Only what the user names is run, and only then.

use crate::console::Output;
use crate::export::refuse;
use crate::options::ReplayOptions;
use formats::reproducer::{ReproducerHead, read_head};
use rely::{BadInput, Cause, Verdict};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// So many bytes of a file are read: a program with all its headers has less.
const MAX_BYTES: u64 = 256 << 20;

/// So many bytes of what a run says are read: a program in a loop can write without end.
const MAX_SAID_BYTES: u64 = 1 << 20;

/// So many lines of it are shown: reports of sanitizers begin with what matters.
const MAX_SHOWN_LINES: usize = 12;

/// Time between two looks at a run.
const TICK: Duration = Duration::from_millis(5);

/// Who is to wait for ever must still wait after this time.
const FOR_EVER: Duration = Duration::from_millis(500);

/// What a compiler may be told: a file that says more of itself is not ours.
const FLAGS: [&str; 3] =
    ["-fsanitize=", "-fno-sanitize-recover=", "-fsanitize-undefined-trap-on-error"];

/// Builds the program, runs it as often as is wanted, and tells what happened.
pub fn replay(options: &ReplayOptions) -> Result<Output, BadInput> {
    let head = head_of(&options.file)?;
    let folder = Folder::new(&options.file)?;
    let program = build(&options.file, &head, &folder)?;
    for number in 1..=options.runs {
        let end = run(&program, &head, &folder, options.timeout).map_err(|error| {
            refuse(&options.file.display().to_string(), &format!("cannot run it: {error}"))
        })?;
        if let Some(why) = end.differs(&head) {
            let text = format!(
                "NOT REPRODUCED\nRun {number} of {}: {why}.\n{}",
                options.runs,
                shown(&end.said)
            );
            let code = Verdict::Unknown(Cause::Undecided).exit_code();
            return Ok(Output::of_text(text, String::new(), code));
        }
    }
    let said = std::fs::read_to_string(folder.said()).unwrap_or_default();
    let runs = match options.runs {
        1 => "It has failed as expected".to_string(),
        runs => format!("It has failed as expected in each of {runs} runs"),
    };
    Ok(Output::of_text(format!("REPRODUCED\n{runs}:\n{}", shown(&said)), String::new(), 0))
}

/// What the file says of itself.
fn head_of(path: &Path) -> Result<ReproducerHead, BadInput> {
    let name = path.display().to_string();
    let unreadable = |error: std::io::Error| refuse(&name, &format!("cannot read it: {error}"));
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unreadable)?;
    file.take(MAX_BYTES).read_to_end(&mut bytes).map_err(unreadable)?;
    let why = "it is no reproducer; `rely check --reproducer FILE.c` writes one";
    let head = read_head(&String::from_utf8_lossy(&bytes)).ok_or_else(|| refuse(&name, why))?;
    let is_known = |flag: &&String| FLAGS.iter().any(|known| flag.starts_with(known));
    match head.flags.iter().find(|flag| !is_known(flag)) {
        Some(flag) => Err(refuse(&name, &format!("no reproducer needs the flag {flag}"))),
        None => Ok(head),
    }
}

/// Where the program is built; removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(of: &Path) -> Result<Folder, BadInput> {
        let folder = std::env::temp_dir().join(format!("rely-replay-{}", std::process::id()));
        let made = std::fs::create_dir(&folder);
        let why = |error| refuse(&of.display().to_string(), &format!("no place to build: {error}"));
        made.map(|()| Folder(folder)).map_err(why)
    }

    /// What a run says.
    fn said(&self) -> PathBuf {
        self.0.join("said")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed is left to the system.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The program, built with the system's compiler.
fn build(path: &Path, head: &ReproducerHead, folder: &Folder) -> Result<PathBuf, BadInput> {
    let name = path.display().to_string();
    let chosen = std::env::var("CC").unwrap_or_default();
    let mut words = chosen.split_whitespace();
    let compiler = words.next().unwrap_or("cc");
    let program = folder.0.join("program");
    let path = std::path::absolute(path).unwrap_or(path.to_path_buf());
    let made = Command::new(compiler)
        .args(words)
        .args(["-g", "-w", "-pthread"])
        .args(&head.flags)
        .args(["-x", "c"])
        .arg(path)
        .arg("-o")
        .arg(&program)
        .stdin(Stdio::null())
        .output();
    let made = made.map_err(|error| refuse(&name, &format!("cannot start {compiler}: {error}")))?;
    let said = String::from_utf8_lossy(&made.stderr);
    match made.status.success() {
        true => Ok(program),
        false => {
            Err(refuse(&name, &format!("{compiler} rejects it:\n{}", shown(&said).trim_end())))
        }
    }
}

/// How a run ended.
struct RunEnd {
    /// None, if it was ended.
    status: Option<ExitStatus>,
    said: String,
}

impl RunEnd {
    /// In which way it is not what is expected.
    fn differs(&self, head: &ReproducerHead) -> Option<String> {
        let words = head.says.iter().any(|words| self.said.contains(words));
        match self.status {
            None if head.hangs && words => None,
            None => Some("it did not end in time".to_string()),
            Some(status) if head.hangs => {
                Some(format!("it should wait for ever, and ended ({status})"))
            }
            Some(status) if status.success() => Some("it has not failed".to_string()),
            Some(_) if words => None,
            Some(status) => Some(format!("it ended otherwise than expected ({status})")),
        }
    }
}

fn run(
    program: &Path,
    head: &ReproducerHead,
    folder: &Folder,
    limit: Duration,
) -> std::io::Result<RunEnd> {
    let said = File::create(folder.said())?;
    let mut child =
        Command::new(program).stdin(Stdio::null()).stdout(Stdio::null()).stderr(said).spawn()?;
    let status = wait(&mut child, head, folder, limit);
    if status.is_none() {
        // It may have ended just now.
        let _ = child.kill();
        child.wait()?;
    }
    Ok(RunEnd { status, said: said_so_far(folder) })
}

/// Waits until the run ends, or long enough.
fn wait(
    child: &mut Child,
    head: &ReproducerHead,
    folder: &Folder,
    limit: Duration,
) -> Option<ExitStatus> {
    let start = Instant::now();
    let mut hangs_since = None;
    while start.elapsed() < limit {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status);
        }
        if head.hangs {
            let said = said_so_far(folder);
            if head.says.iter().any(|words| said.contains(words)) {
                let since: &mut Instant = hangs_since.get_or_insert_with(Instant::now);
                if since.elapsed() > FOR_EVER {
                    return None;
                }
            }
        }
        sleep(TICK);
    }
    None
}

fn said_so_far(folder: &Folder) -> String {
    let mut bytes = Vec::new();
    let file = File::open(folder.said());
    let read = file.and_then(|file| file.take(MAX_SAID_BYTES).read_to_end(&mut bytes));
    // What cannot be read was not said.
    read.map(|_| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

/// The first lines of what was said.
fn shown(said: &str) -> String {
    let lines = said.lines().filter(|line| !line.trim().is_empty()).take(MAX_SHOWN_LINES);
    lines.map(|line| format!("  {line}\n")).collect()
}

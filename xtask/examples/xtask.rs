//! `cargo xtask COMMAND`. An example and not a binary, so that `cargo run` runs `rely`.

use std::process::ExitCode;
use xtask::ratchet::tighten;
use xtask::rules::RULES;
use xtask::trusted::Trusted;

const USAGE: &str = "\
cargo xtask trusted            prints how many lines of each part are trusted
cargo xtask trusted --write    puts that into ARCHITECTURE.md
cargo xtask tighten            allows no more of what breaks a rule than there is (xtask/ratchets)";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["trusted"] => print!("{}", Trusted::count().table()),
        ["trusted", "--write"] => Trusted::count().write(),
        ["tighten"] => RULES.iter().for_each(|rule| tighten(rule.name, &(rule.broken)())),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

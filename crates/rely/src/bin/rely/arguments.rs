//! Arguments before the table of options reads them: those in files (`@FILE`) come to their place, and a flag of the compiler that stands by itself is given to
//! the option that takes such flags.

use crate::options::Cli;
use clap::CommandFactory;
use clap::error::ErrorKind;
use rely::{CompilerOptions, expand_argument_files};
use std::ffi::OsString;
use std::path::Path;

/// The short options of our own; every other word with one dash is a flag of the compiler.
const OWN: [&str; 4] = ["-", "-h", "-v", "-V"];

/// The option that takes flags of the compiler.
const OPTION: &str = "--compiler-flag";

/// What the table of options is given.
pub fn prepared(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut waiting = arguments.flat_map(expanded);
    let mut prepared: Vec<OsString> = waiting.next().into_iter().collect();
    while let Some(argument) = waiting.next() {
        let word = argument.to_str().unwrap_or_default();
        if word == "--" {
            prepared.push(argument);
            prepared.extend(waiting);
            break;
        }
        if !word.starts_with('-') || word.starts_with("--") || OWN.contains(&word) {
            let has_flag = word == OPTION;
            prepared.push(argument);
            prepared.extend(if has_flag { waiting.next() } else { None });
            continue;
        }
        let takes_next = CompilerOptions::takes_next_word(word);
        prepared.push(as_option(&argument));
        prepared.extend(if takes_next { waiting.next().as_ref().map(as_option) } else { None });
    }
    prepared
}

fn as_option(flag: &OsString) -> OsString {
    let mut option = OsString::from(OPTION);
    option.push("=");
    option.push(flag);
    option
}

/// An argument, or those of the file that it names.
fn expanded(argument: OsString) -> Vec<OsString> {
    let Some(word) = argument.to_str().filter(|word| word.starts_with('@')) else {
        return vec![argument];
    };
    match expand_argument_files(&[word.to_string()], Path::new("")) {
        Ok(words) => words.into_iter().map(|(_, word)| word.into()).collect(),
        Err((_, message)) => Cli::command().error(ErrorKind::Io, message).exit(),
    }
}

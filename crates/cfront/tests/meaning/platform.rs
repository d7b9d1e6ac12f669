//! The types of the platform's libraries have the sizes and alignments that the compiler gives them, though our models
//! stand in their place.

use crate::{interpret, native, tools};
use cfront::DataModel;
use generate::Settings;
use interpret::Ending;
use std::io::Write;
use std::process::{Command, Stdio};

use crate::generate;

const TYPES: &[&str] = &[
    "pthread_t",
    "pthread_key_t",
    "pthread_mutex_t",
    "pthread_mutexattr_t",
    "pthread_cond_t",
    "pthread_condattr_t",
    "pthread_rwlock_t",
    "pthread_rwlockattr_t",
    "pthread_barrier_t",
    "pthread_barrierattr_t",
    "pthread_once_t",
    "pthread_attr_t",
    "sem_t",
    "mtx_t",
    "cnd_t",
    "once_flag",
    "struct { char c; pthread_mutex_t m; char d; sem_t s[3]; }",
];

#[test]
fn library_types_have_the_compilers_sizes() {
    let model = DataModel::Lp64;
    if !native::is_available(model) {
        return tools::skip("`cc`", "sizes of library types are not compared");
    }
    let mut text =
        String::from("#include <pthread.h>\n#include <semaphore.h>\n#include <threads.h>\n");
    for (number, ty) in TYPES.iter().enumerate() {
        text.push_str(&format!(
            "unsigned long long f_{number}(void) {{ return sizeof({ty}) * 1000 + _Alignof({ty}); }}\n"
        ));
    }
    let text = preprocessed(&text);
    let functions: Vec<String> = (0..TYPES.len()).map(|number| format!("f_{number}")).collect();
    let values = native::run(&text, &functions, model, false).expect("cc takes its own headers");
    for (number, (ty, value)) in TYPES.iter().zip(values).enumerate() {
        let settings = Settings { model, signed_wraps: false };
        let ending = crate::interpret(&text, number, value, settings);
        assert_eq!(ending, Ending::Finished, "{ty}: cc says {value} (size * 1000 + alignment)");
    }
}

fn preprocessed(text: &str) -> String {
    let mut command = Command::new("cc");
    command
        .args(["-E", "-P", "-std=gnu11", "-x", "c", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = command.spawn().expect("cc starts");
    child.stdin.take().expect("piped").write_all(text.as_bytes()).expect("cc reads");
    let output = child.wait_with_output().expect("cc ends");
    String::from_utf8(output.stdout).expect("headers are UTF-8")
}

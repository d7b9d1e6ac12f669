//! Work on a large stack: trees as deep as the input are walked, and dropped, by recursion.

use std::any::Any;
use std::sync::Mutex;
use std::thread::{self, Builder, ScopedJoinHandle};

/// Bytes of stack; the next size is tried where the system refuses one.
const STACK_BYTES: [usize; 3] = [512 << 20, 64 << 20, 8 << 20];

/// Does the work on a thread of its own and waits for it; if it panics, this is what the panic said.
pub fn run<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, String> {
    let work = Mutex::new(Some(work));
    let take_and_do = || {
        let work = work.lock().expect("no thread panics while it takes the work").take();
        work.expect("one thread is started")()
    };
    thread::scope(|scope| {
        let on_stack =
            |&size: &usize| Builder::new().stack_size(size).spawn_scoped(scope, take_and_do).ok();
        match STACK_BYTES.iter().find_map(on_stack).map(ScopedJoinHandle::join) {
            Some(Ok(result)) => Ok(result),
            Some(Err(panic)) => Err(message(panic.as_ref())),
            None => Err("the system gives no thread to work on".into()),
        }
    })
}

/// What a panic said.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message").to_string()
}

#[cfg(test)]
mod tests {
    use super::run;

    #[test]
    fn results_and_panics_come_back() {
        assert_eq!(run(|| 6 * 7), Ok(42));
        let number = 3;
        let panics: Result<(), String> = run(|| panic!("number {number}"));
        assert_eq!(panics, Err("number 3".to_string()));
    }
}

//! In which order threads take locks, if that is why there is no deadlock.

use super::failure::lock_name;
use ccfa::resource_order::Resource;
use ccfa::{Count, Program};
use evidence::Proof;

/// "Nobody waits in a circle: who holds one of these waits only for later ones: a, b." The program is the one as it was read.
pub fn taken_in_order(program: &Program, proof: &Proof) -> Option<String> {
    let order = proof.order()?;
    let awaited = |rank: &usize| order.waits.iter().flatten().any(|wait| wait.resource == *rank);
    let name = |rank: usize| match &order.resources[rank] {
        Resource::Lock(lock) => {
            let var = &program.shared[lock.index()];
            let name = lock_name(&program.source_name(var));
            if var.len.is_some() { format!("{name} by index") } else { name }
        }
        Resource::Thread { thread, .. } => {
            let thread = &program.threads[thread.index()];
            match thread.count {
                Count::Exactly(1) => format!("the end of {}", thread.name),
                _ => format!("the end of each {}", thread.name),
            }
        }
    };
    let names: Vec<String> = (0..order.resources.len()).filter(awaited).map(name).collect();
    let names = names.join(", ");
    (!names.is_empty()).then(|| {
        format!(
            "Nobody waits in a circle: who holds one of these waits only for later ones: {names}."
        )
    })
}

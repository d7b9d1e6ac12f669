//! What the paper reports: Tables 1 to 5 of Meng, He, Wang and Liu, "Thread-modular model checking
//! with iterative refinement" (NFM 2012), on a 2 GHz machine with 2 GB; for the three methods
//! that we have, too. After them, sizes that the paper does not have.

use crate::models::Model;
use thread_modular::Method;

/// A system, a method and what the paper reports for it.
pub struct Row {
    /// The system,
    pub model: Model,
    /// with so many processes,
    pub processes: usize,
    /// checked so.
    pub method: Method,
    /// The paper's figures, if it has any.
    pub paper: Option<Figures>,
}

/// The figures of one run.
#[derive(Clone, Copy)]
pub struct Figures {
    /// Seconds; `None` for more than an hour.
    pub seconds: Option<f64>,
    /// Peak number of nodes.
    pub nodes: Option<u64>,
    /// Refinements and predicates, if the method refines.
    pub refined: Option<(u64, u64)>,
    /// Did it decide?
    pub conclusive: bool,
}

const fn row(
    model: Model,
    processes: usize,
    method: Method,
    seconds: Option<f64>,
    nodes: Option<u64>,
    refined: Option<(u64, u64)>,
    conclusive: bool,
) -> Row {
    let paper = Some(Figures { seconds, nodes, refined, conclusive });
    Row { model, processes, method, paper }
}

const fn ours(model: Model, processes: usize, method: Method) -> Row {
    Row { model, processes, method, paper: None }
}

/// All rows.
pub const TABLE: [Row; 42] = [
    row(Model::MuxSem, 20, Method::Tmmcir, Some(0.064), Some(45990), Some((1, 40)), true),
    row(Model::MuxSem, 20, Method::Afr, Some(0.064), Some(45990), None, true),
    row(Model::MuxSem, 20, Method::Tmmc, Some(0.032), Some(20440), None, false),
    row(Model::MuxSem, 50, Method::Tmmcir, Some(0.580), Some(401646), Some((1, 100)), true),
    row(Model::MuxSem, 50, Method::Afr, Some(3.320), Some(1242752), None, true),
    row(Model::MuxSem, 50, Method::Tmmc, Some(0.228), Some(203378), None, false),
    row(Model::MuxSem, 100, Method::Tmmcir, Some(5.536), Some(1510344), Some((1, 200)), true),
    row(Model::MuxSem, 100, Method::Afr, Some(208.561), Some(3059868), None, true),
    row(Model::MuxSem, 100, Method::Tmmc, Some(4.200), Some(2057907), None, false),
    row(Model::MuxSem, 200, Method::Tmmcir, Some(27.966), Some(2439514), Some((1, 400)), true),
    row(Model::MuxSem, 300, Method::Tmmcir, Some(145.093), Some(5767146), Some((1, 600)), true),
    row(Model::MuxSemLast, 50, Method::Tmmcir, Some(1.548), Some(1263192), Some((1, 100)), true),
    row(Model::MuxSemLast, 50, Method::Afr, Some(87.297), Some(2480394), None, true),
    row(Model::MuxSemLast, 50, Method::Tmmc, Some(0.624), Some(488516), None, false),
    row(Model::MuxSemLast, 100, Method::Tmmcir, Some(12.945), Some(4143188), Some((1, 200)), true),
    row(Model::MuxSemLast, 100, Method::Afr, None, None, None, false),
    row(Model::MuxSemLast, 100, Method::Tmmc, Some(6.636), Some(2454844), None, false),
    row(Model::MuxSemCount, 10, Method::Tmmcir, Some(0.020), Some(14308), Some((1, 20)), true),
    row(Model::MuxSemCount, 10, Method::Afr, Some(5.996), Some(617288), None, true),
    row(Model::MuxSemCount, 10, Method::Tmmc, Some(0.016), Some(10220), None, false),
    row(Model::MuxSemCount, 20, Method::Tmmcir, Some(0.104), Some(122640), Some((1, 40)), true),
    row(Model::MuxSemCount, 20, Method::Afr, Some(1584.179), Some(2634716), None, true),
    row(Model::MuxSemCount, 20, Method::Tmmc, Some(0.044), Some(47012), None, false),
    row(Model::Bakery, 4, Method::Tmmcir, Some(0.100), Some(96068), Some((0, 0)), true),
    row(Model::Bakery, 4, Method::Afr, Some(0.084), Some(91980), None, true),
    row(Model::Bakery, 4, Method::Tmmc, Some(0.100), Some(96068), None, true),
    row(Model::Bakery, 8, Method::Tmmcir, Some(26.246), Some(2389436), Some((0, 0)), true),
    row(Model::Bakery, 8, Method::Afr, Some(240.555), Some(4258674), None, true),
    row(Model::Bakery, 8, Method::Tmmc, Some(25.780), Some(2389436), None, true),
    row(Model::Philosophers, 6, Method::Tmmcir, Some(0.104), Some(85848), Some((3, 12)), true),
    row(Model::Philosophers, 6, Method::Afr, Some(0.016), Some(14308), None, true),
    row(Model::Philosophers, 6, Method::Tmmc, Some(0.008), Some(7154), None, false),
    row(Model::Philosophers, 8, Method::Tmmcir, Some(1.028), Some(367920), Some((3, 16)), true),
    row(Model::Philosophers, 8, Method::Afr, Some(0.236), Some(243236), None, true),
    row(Model::Philosophers, 8, Method::Tmmc, Some(0.020), Some(24528), None, false),
    row(Model::Philosophers, 10, Method::Tmmcir, Some(15.981), Some(1475768), Some((3, 20)), true),
    row(Model::Philosophers, 10, Method::Afr, Some(2.592), Some(1815434), None, true),
    row(Model::Philosophers, 10, Method::Tmmc, Some(0.052), Some(48034), None, false),
    ours(Model::MuxSem, 1000, Method::Tmmcir),
    ours(Model::MuxSemCount, 100, Method::Tmmcir),
    ours(Model::Philosophers, 20, Method::Tmmcir),
    ours(Model::Philosophers, 50, Method::Tmmcir),
];

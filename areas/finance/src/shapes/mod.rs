//! The shapes of bodies and answers that are no records, and the routes that have them. Tests compare
//! every body and answer with its shape; the program only describes them.

use octavo_platform::Module;

macro_rules! shapes {
    ($($name:literal: $file:literal),* $(,)?) => {
        &[$((concat!("finance.", $name), include_str!($file))),*]
    };
}

const SHAPES: &[(&str, &str)] = shapes![
    "batch": "bodies/batch.shape",
    "job-number": "answers/job-number.shape",
    "rollover-log": "answers/rollover-log.shape",
    "rollover-logs": "answers/rollover-logs.shape",
    "transaction-totals": "answers/transaction-totals.shape",
];

/// The modules with their contents.
pub(crate) fn declared(modules: Vec<Module>) -> Vec<Module> {
    let with_contents = |module: Module| match module.name {
        "mod-finance-storage" => module
            .shapes(SHAPES)
            .contents(include_str!("mod-finance-storage.tsv")),
        _ => module,
    };
    modules.into_iter().map(with_contents).collect()
}

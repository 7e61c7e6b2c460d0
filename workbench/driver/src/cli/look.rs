//! Shows workloads without running them: the list, the text of one, a description of one.

use std::fmt::Write;

use super::known::ServerRoutes;
use crate::session::Target;
use crate::workload::{self, BUILT_IN, Workload};

/// The built-in workloads with their sizes; with a server, how many of their requests it supports.
pub(super) fn list(target: Option<&Target>) -> Result<String, String> {
    let known = target.map(ServerRoutes::ask).transpose()?;
    let mut text = format!("{:22} {:>8} {:>8}", "workload", "branches", "requests");
    if known.is_some() {
        text.push_str("     known");
    }
    text.push_str("  what it does\n");
    for built_in in BUILT_IN {
        let workload = workload::load(built_in.name).map_err(|error| error.to_string())?;
        let requests = requests(&workload);
        // Writing into a string cannot fail, here and below.
        let _ = write!(
            text,
            "{:22} {:8} {requests:8}",
            workload.name,
            workload.branches.len()
        );
        if let Some(known) = &known {
            let share = format!("{}/{requests}", requests - known.missing(&workload).count());
            let _ = write!(text, " {share:>9}");
        }
        let _ = writeln!(text, "  {}", workload.title);
    }
    Ok(text)
}

/// The text of a built-in workload.
pub(super) fn show(name: &str) -> Result<String, String> {
    match BUILT_IN.iter().find(|one| one.name == name) {
        Some(built_in) => Ok(built_in.text.to_owned()),
        None => {
            let known = BUILT_IN.map(|one| one.name).join(", ");
            Err(format!(
                "there is no built-in workload `{name}`; there are {known}"
            ))
        }
    }
}

/// What a workload does, possible mistakes in it, and with a server, the requests that it does not
/// support.
pub(super) fn check(name: &str, target: Option<&Target>) -> Result<String, String> {
    let workload = workload::load(name).map_err(|error| error.to_string())?;
    let mut text = format!(
        "{}: {}\n{}\n\n",
        workload.name,
        workload.title,
        workload.description.trim()
    );
    let review = workload::review(&workload);
    for line in review.description {
        let _ = writeln!(text, "{line}");
    }
    for line in review.warnings {
        let _ = writeln!(text, "warning: {line}");
    }
    if let Some(target) = target {
        let known = ServerRoutes::ask(target)?;
        let mut missing: Vec<_> = known.missing(&workload).collect();
        missing.sort();
        missing.dedup();
        for request in &missing {
            let _ = writeln!(text, "not known at {}: {request}", target.url);
        }
        if missing.is_empty() {
            let _ = writeln!(text, "{} knows all its requests", target.url);
        }
    }
    Ok(text)
}

fn requests(workload: &Workload) -> usize {
    workload
        .transactions
        .iter()
        .map(|one| one.requests.len())
        .sum()
}

//! Reads the test data of a run before it begins, from files or from the tenant.

use super::options::{RunError, RunOptions};
use crate::feeder::{Feeders, Row, fill, joined, read_rows};
use crate::session::Session;
use crate::workload::{FeederSpec, Sharing};

pub(super) async fn fill_feeders(
    options: &RunOptions,
    session: &mut Session,
) -> Result<Feeders, RunError> {
    let mut contents = Vec::new();
    for spec in &options.workload.feeders {
        let rows = feeder_rows(options, spec, session).await?;
        let rows = match &spec.together {
            Some(together) => joined(&rows, together),
            None => rows,
        };
        contents.push((spec.sharing, dealt(rows, spec.sharing, options.share)));
    }
    Ok(Feeders::new(contents))
}

async fn feeder_rows(
    options: &RunOptions,
    spec: &FeederSpec,
    session: &mut Session,
) -> Result<Vec<Row>, RunError> {
    if let Some((_, file)) = options.files.iter().find(|(name, _)| *name == spec.name) {
        return Ok(read_rows(file, &spec.columns)?);
    }
    match &spec.tenant {
        Some(source) => Ok(fill(session, spec, source, options.rows_from_tenant).await?),
        None if spec.starts_empty => Ok(Vec::new()),
        None => Err(RunError::Options(format!(
            "the feeder {name} has no source in the tenant; give --feeder {name}=FILE",
            name = spec.name
        ))),
    }
}

/// The weights to use, after checking that at least one branch has test data.
pub(super) fn weights(options: &RunOptions, feeders: &Feeders) -> Result<Vec<u32>, RunError> {
    let branches = &options.workload.branches;
    let own = || branches.iter().map(|branch| branch.weight).collect();
    let weights: Vec<u32> = options.weights.clone().unwrap_or_else(own);
    let has_rows = |feeder: &usize| feeders.len(*feeder) > 0;
    let mut weighted = branches
        .iter()
        .zip(&weights)
        .filter(|(_, weight)| **weight > 0);
    if weighted.any(|(branch, _)| branch.draws.iter().all(has_rows)) {
        return Ok(weights);
    }
    let feeders = options.workload.feeders.iter().enumerate();
    let empty = feeders.filter(|(number, _)| !has_rows(number));
    let names: Vec<_> = empty.map(|(_, spec)| spec.name.as_str()).collect();
    Err(RunError::Options(format!(
        "no branch of {} has test data: the tenant {} has nothing for {}. \
         Load records into it, or give --feeder NAME=FILE.",
        options.workload.name,
        options.target.tenant,
        names.join(", ")
    )))
}

/// A generator's part of the rows: exclusive rows are distributed among the generators.
fn dealt(rows: Vec<Row>, sharing: Sharing, (number, generators): (usize, usize)) -> Vec<Row> {
    match sharing {
        Sharing::Shared => rows,
        Sharing::Exclusive => rows
            .into_iter()
            .skip(number)
            .step_by(generators.max(1))
            .collect(),
    }
}

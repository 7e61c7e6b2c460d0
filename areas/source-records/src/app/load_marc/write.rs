//! Storing a batch: all of it in one transaction or, when something in it is refused, in halves
//! until the records that are refused stand alone.

use octavo_records::store::insert_many;
use octavo_records::{StoreError, instant};

use super::LoadProblem;
use super::build::{Documents, Draft, documents};
use super::settings::Settings;
use crate::app::Context;
use crate::store::reserve_instance_hrids;

/// What became of a batch.
#[derive(Debug, Default)]
pub(super) struct Written {
    pub instances: u64,
    pub holdings: u64,
    pub items: u64,
    pub problems: Vec<LoadProblem>,
}

/// Stores a batch.
pub(super) async fn write(
    context: &Context<'_>,
    settings: &Settings,
    drafts: Vec<Draft>,
) -> Result<Written, StoreError> {
    // Needed before storing, for field 001.
    let (database, tenant) = (&context.store.database, context.tenant);
    let hrids = reserve_instance_hrids(database, tenant, drafts.len()).await?;
    let now = instant::format(context.stamp.at);
    let mut written = Written::default();
    let mut batch = Vec::with_capacity(drafts.len());
    for (draft, hrid) in drafts.into_iter().zip(&hrids) {
        let documents = documents(draft, hrid, settings, &now);
        match checked(context, documents) {
            Ok(documents) => batch.push(documents),
            Err(problem) => written.problems.push(problem),
        }
    }
    let mut waiting: Vec<&[Documents]> = vec![&batch];
    while let Some(part) = waiting.pop() {
        match store(context, part).await {
            Ok(()) => {
                written.instances += part.len() as u64;
                written.holdings += part
                    .iter()
                    .map(|one| one.holdings.len() as u64)
                    .sum::<u64>();
                written.items += part.iter().map(|one| one.items.len() as u64).sum::<u64>();
            }
            Err(error) if !is_refusal(&error) => return Err(error),
            Err(error) => match part {
                [alone] => written.problems.push(problem(alone.position, &error)),
                _ => {
                    let (first, second) = part.split_at(part.len() / 2);
                    waiting.extend([second, first]);
                }
            },
        }
    }
    written.problems.sort_by_key(|problem| problem.position);
    Ok(written)
}

/// Checks what came from outside against the instance's record type.
fn checked(context: &Context<'_>, documents: Documents) -> Result<Documents, LoadProblem> {
    let mut instance = serde_json::Value::Object(documents.instance.clone());
    let shape = &context.collection("instance").shape;
    shape.check(&mut instance).map_err(|violations| {
        let found: Vec<String> = violations
            .iter()
            .map(|one| format!("{}: {}", one.path, one.message))
            .collect();
        LoadProblem {
            position: documents.position,
            reason: found.join("; "),
        }
    })?;
    Ok(documents)
}

async fn store(context: &Context<'_>, batch: &[Documents]) -> Result<(), StoreError> {
    let transaction = context.store.database.transaction().await?;
    let (tenant, stamp) = (context.tenant, &context.stamp);
    let instances = batch.iter().map(|one| one.instance.clone()).collect();
    let holdings = batch
        .iter()
        .flat_map(|one| one.holdings.iter().cloned())
        .collect();
    let items = batch
        .iter()
        .flat_map(|one| one.items.iter().cloned())
        .collect();
    let sources = batch.iter().map(|one| one.source_record.clone()).collect();
    // One after the other: each refers to the one before.
    for (table, documents) in [
        ("instance", instances),
        ("holdings_record", holdings),
        ("item", items),
        ("source_record", sources),
    ] {
        insert_many(
            &transaction,
            tenant,
            context.collection(table),
            documents,
            stamp,
        )
        .await?;
    }
    transaction.commit().await?;
    Ok(())
}

/// Whether it is a record's fault, and not the database's.
fn is_refusal(error: &StoreError) -> bool {
    matches!(
        error,
        StoreError::Duplicate { .. }
            | StoreError::MissingReference { .. }
            | StoreError::Invalid(_)
            | StoreError::Query(_)
            | StoreError::TooLarge(_)
    )
}

fn problem(position: u64, error: &StoreError) -> LoadProblem {
    LoadProblem {
        position,
        reason: error.to_string(),
    }
}

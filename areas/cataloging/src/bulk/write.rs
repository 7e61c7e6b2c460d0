//! Stores the documents. When some are refused, the batch is rolled back to a savepoint and halved until
//! the refused ones are single.

use octavo_boxed::boxed;
use octavo_library::SourceRecordId;
use octavo_postgres::Transaction;
use octavo_records::Context;
use octavo_records::StoreError;
use octavo_records::store::{Ready, insert_many, insert_ready};
use octavo_source_records::store::{keep_bytes, reserve_instance_hrids};

use super::draft::{Completing, Documents, Draft};
use super::{Creating, Problem, Written};

const PART: &str = "part";

/// Reserves HRIDs for new instances, ascending. They stay reserved when a transaction is rolled back.
pub async fn reserve_hrids(
    context: &Context<'_>,
    executor: &dyn octavo_records::Executor,
    count: usize,
) -> Result<Vec<String>, StoreError> {
    reserve_instance_hrids(executor, context.tenant, count).await
}

/// Completes and stores drafts inside a transaction, with HRIDs from `hrids`.
///
/// # Errors
/// On a database error; the caller must then roll back.
#[boxed]
pub async fn write(
    context: &Context<'_>,
    transaction: &Transaction,
    creating: &Creating,
    drafts: Vec<Draft>,
    hrids: &[String],
) -> Result<Written, StoreError> {
    let instances = context.collection("instance");
    let titles = context.collection("preceding_succeeding_title");
    let completing = Completing::new(creating, instances, titles, &context.stamp);
    let mut written = Written::default();
    let mut batch = Vec::with_capacity(drafts.len());
    for (draft, hrid) in drafts.into_iter().zip(hrids) {
        match completing.documents(draft, hrid) {
            Ok(documents) => batch.push(documents),
            Err(problem) => written.problems.push(problem),
        }
    }
    if batch.is_empty() {
        return Ok(written);
    }
    transaction.savepoint(PART).await?;
    let mut waiting: Vec<&[Documents]> = vec![&batch];
    while let Some(part) = waiting.pop() {
        match store(context, transaction, part).await {
            Ok(()) => {
                for one in part {
                    written.created.push(one.created.clone());
                    written.holdings += one.holdings.len() as u64;
                    written.items += one.items.len() as u64;
                }
                // Released, so that a later part's rollback does not undo it and savepoints do not
                // accumulate.
                transaction.release(PART).await?;
                if !waiting.is_empty() {
                    transaction.savepoint(PART).await?;
                }
            }
            Err(error) if !is_refusal(&error) => return Err(error),
            Err(error) => {
                transaction.rollback_to(PART).await?;
                match part {
                    [alone] => written.problems.push(problem(alone, &error)),
                    _ => {
                        let (first, second) = part.split_at(part.len() / 2);
                        waiting.extend([second, first]);
                    }
                }
            }
        }
    }
    written.problems.sort_by_key(|problem| problem.position);
    Ok(written)
}

async fn store(
    context: &Context<'_>,
    transaction: &Transaction,
    batch: &[Documents],
) -> Result<(), StoreError> {
    let (tenant, stamp) = (context.tenant, &context.stamp);
    // Not pipelined: each statement's rows refer to those of the one before.
    let instances: Vec<&Ready> = batch.iter().map(|one| &one.instance).collect();
    let table = context.collection("instance");
    insert_ready(transaction, tenant, table, &instances).await?;
    for (table, documents) in [
        (
            "preceding_succeeding_title",
            all(batch, |one| one.titles.iter().cloned()),
        ),
        (
            "holdings_record",
            all(batch, |one| one.holdings.iter().cloned()),
        ),
        ("item", all(batch, |one| one.items.iter().cloned())),
    ] {
        let table = context.collection(table);
        insert_many(transaction, tenant, table, documents, stamp).await?;
    }
    let sources: Vec<&Ready> = batch.iter().map(|one| &one.source).collect();
    let table = context.collection("source_record");
    insert_ready(transaction, tenant, table, &sources).await?;
    let bytes: Vec<(SourceRecordId, &[u8])> = batch
        .iter()
        .filter_map(|one| Some((one.source.id.into(), one.bytes.as_deref()?)))
        .collect();
    keep_bytes(transaction, tenant, &bytes).await
}

fn all<'a, T, I: Iterator<Item = T>>(
    batch: &'a [Documents],
    of: impl Fn(&'a Documents) -> I,
) -> Vec<T> {
    batch.iter().flat_map(of).collect()
}

/// Whether the error is caused by a record and not by the database.
#[must_use]
pub fn is_refusal(error: &StoreError) -> bool {
    matches!(
        error,
        StoreError::Duplicate { .. }
            | StoreError::MissingReference { .. }
            | StoreError::Invalid(_)
            | StoreError::Query(_)
            | StoreError::TooLarge(_)
    )
}

fn problem(documents: &Documents, error: &StoreError) -> Problem {
    let reason = match error {
        StoreError::Invalid(violations) => violations
            .iter()
            .map(|one| format!("{}: {}", one.path, one.message))
            .collect::<Vec<_>>()
            .join("; "),
        other => other.to_string(),
    };
    Problem {
        position: documents.created.position,
        reason,
    }
}

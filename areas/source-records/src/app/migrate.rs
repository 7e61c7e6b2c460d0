//! Jobs that rebuild the search terms of all records.

use octavo_boxed::boxed;
use octavo_records::instant;
use octavo_records::store::insert;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{Context, Refusal};
use crate::store::marc_terms;

/// The one migration that there is, by FOLIO's name.
const KNOWN: &str = "marcIndexersVersionMigration";

/// Submits a job; returns its document.
///
/// # Errors
/// When a migration is unknown, or another job is running.
#[boxed]
pub async fn begin_migration(
    context: &Context<'_>,
    migrations: Vec<String>,
) -> Result<Value, Refusal> {
    let unknown: Vec<&str> = migrations
        .iter()
        .map(String::as_str)
        .filter(|name| *name != KNOWN)
        .take(10)
        .collect();
    if !unknown.is_empty() {
        return Err(Refusal::UnknownMigrations(unknown.join(", ")));
    }
    let transaction = context.store.database.transaction().await?;
    let tenant = context.tenant;
    if let Some(job) = marc_terms::migration_under_way(&transaction, tenant).await? {
        return Err(Refusal::MigrationUnderWay(job));
    }
    let id = Uuid::new_v4();
    let job = json!({
        "id": id,
        "migrations": migrations,
        "status": "IN_PROGRESS",
        "startedDate": instant::format(context.stamp.at),
    });
    let document: Map<String, Value> = job.as_object().cloned().unwrap_or_default();
    let collection = context.collection("marc_migration_job");
    insert(&transaction, tenant, collection, document, &context.stamp).await?;
    let up_to = marc_terms::line_up_all(&transaction, tenant).await?;
    marc_terms::note_migration(&transaction, tenant, id, up_to).await?;
    transaction.commit().await?;
    Ok(job)
}

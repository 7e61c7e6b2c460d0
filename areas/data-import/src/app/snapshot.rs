//! The snapshot of a job, to which its source records belong.

use octavo_library::JobExecutionId;
use octavo_postgres::Transaction;
use octavo_records::StoreError;
use octavo_records::instant;
use octavo_records::store::{fetch_locked, insert, replace};
use serde_json::{Map, Value, json};

use super::Context;

const TABLE: &str = "snapshot";

/// Sets the state of a job's snapshot.
pub(crate) async fn set_snapshot(
    context: &Context<'_>,
    transaction: &Transaction,
    job: JobExecutionId,
    status: &str,
) -> Result<(), StoreError> {
    let collection = context.collection(TABLE);
    let old = fetch_locked(transaction, context.tenant, collection, job.uuid()).await?;
    let is_new = old.is_none();
    let mut document = match old {
        Some(Value::Object(document)) => document,
        _ => Map::new(),
    };
    document.insert("id".to_owned(), json!(job));
    document.insert("jobExecutionId".to_owned(), json!(job));
    if document.insert("status".to_owned(), json!(status)) == Some(json!(status)) {
        return Ok(());
    }
    if status == "PARSING_IN_PROGRESS" {
        let now = json!(instant::format(context.stamp.at));
        document.entry("processingStartedDate").or_insert(now);
    }
    let (tenant, stamp) = (context.tenant, &context.stamp);
    if is_new {
        insert(transaction, tenant, collection, document, stamp).await?;
    } else {
        replace(
            transaction,
            tenant,
            collection,
            job.uuid(),
            &document,
            stamp,
        )
        .await?;
    }
    Ok(())
}

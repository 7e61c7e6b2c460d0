//! The contents of documents.

use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError};
use serde_json::Value;
use uuid::Uuid;

use super::Tables;

/// Stores the contents of a document.
#[boxed]
pub async fn keep_contents(
    executor: &dyn Executor,
    tables: Tables<'_>,
    document: Uuid,
    data: &str,
) -> Result<(), StoreError> {
    let sql = format!(
        "INSERT INTO {} (id, data) VALUES ($1, $2)",
        tables.table("document_contents")
    );
    executor.rows(&sql, &[&document, &data]).await?;
    Ok(())
}

/// A document of an invoice with its contents, if it has any.
#[boxed]
pub async fn whole(
    executor: &dyn Executor,
    tables: Tables<'_>,
    invoice: Uuid,
    document: Uuid,
) -> Result<Option<(Value, Option<String>)>, StoreError> {
    let sql = format!(
        "SELECT document.jsonb, contents.data FROM {} AS document \
         LEFT JOIN {} AS contents USING (id) WHERE document.id = $1 AND invoiceid = $2",
        tables.table("documents"),
        tables.table("document_contents")
    );
    let rows = executor.rows(&sql, &[&document, &invoice]).await?;
    Ok(rows.first().map(|row| (row.get("jsonb"), row.get("data"))))
}

/// Deletes a document of an invoice; whether there was one.
#[boxed]
pub async fn delete(
    executor: &dyn Executor,
    tables: Tables<'_>,
    invoice: Uuid,
    document: Uuid,
) -> Result<bool, StoreError> {
    let sql = format!(
        "DELETE FROM {} WHERE id = $1 AND invoiceid = $2 RETURNING id",
        tables.table("documents")
    );
    let rows = executor.rows(&sql, &[&document, &invoice]).await?;
    Ok(!rows.is_empty())
}

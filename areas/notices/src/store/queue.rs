//! The queue of notices to render, from which one worker takes each.

use octavo_records::{Executor, StoreError, Tenant};
use serde_json::Value;
use uuid::Uuid;

use crate::queue::Notice;

pub async fn put(
    executor: &dyn Executor,
    tenant: &Tenant,
    notices: &[Notice],
) -> Result<(), StoreError> {
    let ids: Vec<Uuid> = notices.iter().map(|one| one.id).collect();
    let recipients: Vec<Uuid> = notices.iter().map(|one| one.recipient).collect();
    let templates: Vec<Uuid> = notices.iter().map(|one| one.template).collect();
    let channels: Vec<&str> = notices.iter().map(|one| one.channel.name()).collect();
    let formats: Vec<&str> = notices
        .iter()
        .map(|one| one.output_format.as_str())
        .collect();
    let languages: Vec<&str> = notices.iter().map(|one| one.language.as_str()).collect();
    let contexts: Vec<&Value> = notices.iter().map(|one| &one.context).collect();
    let sql = format!(
        "INSERT INTO {}.outgoing_notice \
         (id, recipient_id, template_id, channel, output_format, language, context) \
         SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], \
         $6::text[], $7::jsonb[])",
        tenant.schema()
    );
    let values: octavo_records::Values<'_> = &[
        &ids,
        &recipients,
        &templates,
        &channels,
        &formats,
        &languages,
        &contexts,
    ];
    executor.rows(&sql, values).await?;
    Ok(())
}

/// A queued notice.
#[derive(Clone)]
pub struct Queued {
    pub id: Uuid,
    /// The user.
    pub recipient: Uuid,
    pub template: Uuid,
    /// The channel.
    pub channel: String,
    /// `text/html` or `text/plain`.
    pub output_format: String,
    /// `en`.
    pub language: String,
    /// The template's context.
    pub context: Value,
}

impl std::fmt::Debug for Queued {
    /// Without the context, which has patron data.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Queued")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

/// Removes and returns notices, oldest first, skipping locked ones. A rollback restores them.
pub async fn take(
    executor: &dyn Executor,
    tenant: &Tenant,
    at_most: i64,
) -> Result<Vec<Queued>, StoreError> {
    let schema = tenant.schema();
    let sql = format!(
        "WITH first AS MATERIALIZED (SELECT id FROM {schema}.outgoing_notice ORDER BY place \
         LIMIT $1 FOR UPDATE SKIP LOCKED) \
         DELETE FROM {schema}.outgoing_notice AS notice USING first WHERE notice.id = first.id \
         RETURNING notice.id, recipient_id, template_id, channel, output_format, language, context"
    );
    let rows = executor.rows(&sql, &[&at_most]).await?;
    let taken = rows.iter().map(|row| Queued {
        id: row.get("id"),
        recipient: row.get("recipient_id"),
        template: row.get("template_id"),
        channel: row.get("channel"),
        output_format: row.get("output_format"),
        language: row.get("language"),
        context: row.get("context"),
    });
    Ok(taken.collect())
}

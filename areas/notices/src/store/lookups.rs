//! Look-ups for notices: templates, users, the mail server.

use std::collections::HashMap;

use octavo_records::{Executor, StoreError, Tables, Tenant};
use serde_json::{Value, json};
use uuid::Uuid;

/// Configuration entries about the mail server that are read at most.
const ENTRIES_MAX: i64 = 100;

pub async fn templates(
    executor: &dyn Executor,
    tenant: &Tenant,
    ids: &[Uuid],
) -> Result<HashMap<Uuid, Value>, StoreError> {
    by_id(executor, tenant, "template", "jsonb", ids).await
}

/// Users by their ids: id and personal data.
pub async fn users(
    executor: &dyn Executor,
    tenant: &Tenant,
    ids: &[Uuid],
) -> Result<HashMap<Uuid, Value>, StoreError> {
    let document = "jsonb_build_object('id', jsonb->'id', 'personal', jsonb->'personal')";
    by_id(executor, tenant, "users", document, ids).await
}

async fn by_id(
    executor: &dyn Executor,
    tenant: &Tenant,
    table: &str,
    document: &str,
    ids: &[Uuid],
) -> Result<HashMap<Uuid, Value>, StoreError> {
    let schema = tenant.schema();
    let sql = format!("SELECT id, {document} AS document FROM {schema}.{table} WHERE id = ANY($1)");
    let rows = executor.rows(&sql, &[&ids]).await?;
    Ok(rows
        .iter()
        .map(|row| (row.get("id"), row.get("document")))
        .collect())
}

/// The id of the user of this name.
pub async fn user_named(
    executor: &dyn Executor,
    tables: Tables<'_>,
    name: &str,
) -> Result<Option<Uuid>, StoreError> {
    let sql = format!(
        "SELECT id FROM {} WHERE {} LIMIT 1",
        tables.table("users"),
        tables.equals("users", "username", "$1::text")
    );
    let rows = executor.rows(&sql, &[&name]).await?;
    Ok(rows.first().map(|row| row.get("id")))
}

/// The event configuration of a name.
pub async fn event_configuration(
    executor: &dyn Executor,
    tables: Tables<'_>,
    name: &str,
) -> Result<Option<Value>, StoreError> {
    let table = "event_configurations";
    let sql = format!(
        "SELECT jsonb FROM {} WHERE {} LIMIT 1",
        tables.table(table),
        tables.equals(table, "name", "$1::text")
    );
    let rows = executor.rows(&sql, &[&name]).await?;
    Ok(rows.first().map(|row| row.get("jsonb")))
}

/// Whether a patron notice policy uses a template. Policies are few, so all are scanned.
pub async fn is_in_use(
    executor: &dyn Executor,
    tenant: &Tenant,
    template: Uuid,
) -> Result<bool, StoreError> {
    let sql = format!(
        "SELECT EXISTS (SELECT 1 FROM {}.patron_notice_policy WHERE jsonb->'loanNotices' @> $1 \
         OR jsonb->'requestNotices' @> $1 OR jsonb->'feeFineNotices' @> $1) AS found",
        tenant.schema()
    );
    let notice = json!([{"templateId": template}]);
    let rows = executor.rows(&sql, &[&notice]).await?;
    Ok(rows.first().is_some_and(|row| row.get("found")))
}

/// The stored settings of the mail server by precedence: the settings, `/smtp-configuration`,
/// mod-configuration.
pub async fn mail_server(
    executor: &dyn Executor,
    tables: Tables<'_>,
) -> Result<(Option<Value>, Vec<Value>), StoreError> {
    let sql = format!(
        "SELECT coalesce((SELECT jsonb->'value' FROM {} WHERE {} LIMIT 1), \
         (SELECT jsonb FROM {} LIMIT 1)) AS server, \
         coalesce((SELECT jsonb_agg(entry.jsonb) FROM (SELECT jsonb FROM {} WHERE {} \
         AND coalesce((jsonb->>'enabled')::boolean, true) LIMIT {ENTRIES_MAX}) AS entry), '[]') \
         AS entries",
        tables.table("email_settings"),
        tables.equals("email_settings", "key", "'smtp-configuration'"),
        tables.table("smtp_configuration"),
        tables.table("config_data"),
        tables.equals("config_data", "module", "'SMTP_SERVER'"),
    );
    let rows = executor.rows(&sql, &[]).await?;
    let Some(row) = rows.first() else {
        return Ok((None, Vec::new()));
    };
    let entries: Value = row.get("entries");
    let entries = entries.as_array().cloned().unwrap_or_default();
    Ok((row.get("server"), entries))
}

//! Source files: codes and prefixes in use, the authorities of a file, and its HRID sequence.

use octavo_postgres::Transaction;
use octavo_records::{Executor, StoreError, Tenant};
use serde_json::Value;
use uuid::Uuid;

/// Lets one client at a time make or change source files.
pub async fn hold_all(transaction: &Transaction, tenant: &Tenant) -> Result<(), StoreError> {
    let key = format!("{} authority source files", tenant.id());
    let sql = "SELECT 1 FROM pg_advisory_xact_lock(hashtextextended($1, 0))";
    transaction.query(sql, &[&key]).await?;
    Ok(())
}

/// Whether there is a file of this id.
pub async fn exists(
    executor: &dyn Executor,
    tenant: &Tenant,
    id: Uuid,
) -> Result<bool, StoreError> {
    let sql = format!(
        "SELECT 1 FROM {}.authority_source_file WHERE id = $1",
        tenant.schema()
    );
    Ok(!executor.rows(&sql, &[&id]).await?.is_empty())
}

/// What of a file others have already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TakenValues {
    pub id: bool,
    pub name: bool,
    /// The address, whatever its protocol.
    pub base_url: bool,
    pub code: bool,
}

/// Asks what of a file others than `except` have.
pub async fn taken(
    executor: &dyn Executor,
    tenant: &Tenant,
    file: &Value,
    codes: &[&str],
    except: Option<Uuid>,
) -> Result<TakenValues, StoreError> {
    let schema = tenant.schema();
    let text = |name: &str| file[name].as_str();
    let url = text("baseUrl").map(crate::rules::source_file::without_protocol);
    let sql = format!(
        "SELECT EXISTS (SELECT FROM {schema}.authority_source_file WHERE id = $1::text::uuid \
         AND id IS DISTINCT FROM $5) AS id, \
         EXISTS (SELECT FROM {schema}.authority_source_file WHERE jsonb->>'name' = $2 \
         AND id IS DISTINCT FROM $5) AS name, \
         EXISTS (SELECT FROM {schema}.authority_source_file \
         WHERE regexp_replace(jsonb->>'baseUrl', '^[a-z]+://', '') = $3 \
         AND id IS DISTINCT FROM $5) AS base_url, \
         EXISTS (SELECT FROM {schema}.authority_source_file_code WHERE code = ANY($4) \
         AND source_file_id IS DISTINCT FROM $5) AS code"
    );
    let rows = executor
        .rows(&sql, &[&text("id"), &text("name"), &url, &codes, &except])
        .await?;
    let is = |column| rows.first().is_some_and(|row| row.get(column));
    Ok(TakenValues {
        id: is("id"),
        name: is("name"),
        base_url: is("base_url"),
        code: is("code"),
    })
}

/// Whether authorities are of this file, deleted ones too.
pub async fn is_used(
    executor: &dyn Executor,
    tenant: &Tenant,
    id: Uuid,
) -> Result<bool, StoreError> {
    let (is_used, is_archived) = uses(executor, tenant, id).await?;
    Ok(is_used || is_archived)
}

/// Whether authorities belong to a file, and whether archived ones do.
pub async fn uses(
    executor: &dyn Executor,
    tenant: &Tenant,
    id: Uuid,
) -> Result<(bool, bool), StoreError> {
    let schema = tenant.schema();
    let sql = format!(
        "SELECT EXISTS (SELECT FROM {schema}.authority WHERE sourcefileid = $1) AS by_authorities, \
         EXISTS (SELECT FROM {schema}.authority_archive WHERE sourcefileid = $1) AS by_archive"
    );
    let rows = executor.rows(&sql, &[&id]).await?;
    let uses = rows
        .first()
        .map(|row| (row.get("by_authorities"), row.get("by_archive")));
    Ok(uses.unwrap_or_default())
}

/// Sets the next number of a file.
pub async fn number_from(
    executor: &dyn Executor,
    tenant: &Tenant,
    id: Uuid,
    start: i64,
) -> Result<(), StoreError> {
    let sql = format!(
        "INSERT INTO {}.authority_source_file_number (source_file_id, next) VALUES ($1, $2) \
         ON CONFLICT (source_file_id) DO UPDATE SET next = EXCLUDED.next",
        tenant.schema()
    );
    executor.rows(&sql, &[&id, &start]).await?;
    Ok(())
}

/// Takes the next number of a file; `None` when its records are not numbered.
pub async fn next_number(
    executor: &dyn Executor,
    tenant: &Tenant,
    id: Uuid,
) -> Result<Option<i64>, StoreError> {
    let sql = format!(
        "UPDATE {}.authority_source_file_number SET next = next + 1 WHERE source_file_id = $1 \
         RETURNING next - 1 AS number",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&id]).await?;
    Ok(rows.first().map(|row| row.get("number")))
}

/// The file that one of these codes belongs to: id, code and document.
pub async fn of_codes(
    executor: &dyn Executor,
    tenant: &Tenant,
    codes: &[&str],
) -> Result<Option<(Uuid, String, Value)>, StoreError> {
    let schema = tenant.schema();
    let sql = format!(
        "SELECT file.id, code.code, file.jsonb FROM {schema}.authority_source_file_code AS code \
         JOIN {schema}.authority_source_file AS file ON file.id = code.source_file_id \
         WHERE code.code = ANY($1) LIMIT 1"
    );
    let rows = executor.rows(&sql, &[&codes]).await?;
    Ok(rows
        .first()
        .map(|row| (row.get("id"), row.get("code"), row.get("jsonb"))))
}

/// Tells that the address of a file that is used has changed, on FOLIO's topic of source files.
pub async fn emit_address_change(
    executor: &dyn Executor,
    tenant: &Tenant,
    id: Uuid,
    old: &Value,
    new: &Value,
) -> Result<(), StoreError> {
    let sql = format!(
        "INSERT INTO {}.outbox (topic, key, type, old, new) \
         VALUES ('authority.authority-source-file', $1, 'UPDATE', $2, $3)",
        tenant.schema()
    );
    executor.rows(&sql, &[&id, old, new]).await?;
    Ok(())
}

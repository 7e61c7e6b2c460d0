//! Exports of vouchers.

use std::time::Duration;

use octavo_boxed::boxed;
use octavo_postgres::Transaction;
use octavo_records::{Executor, StoreError};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::Tables;
use super::invoices::Stored;

/// The keys of servers.
const KEYS: &str = "export_config_server_key";

/// The credentials of a configuration, locked.
#[boxed]
pub async fn credentials_of(
    executor: &dyn Executor,
    tables: Tables<'_>,
    configuration: Uuid,
) -> Result<Option<Stored>, StoreError> {
    let sql = format!(
        "SELECT id, jsonb FROM {} WHERE exportconfigid = $1 ORDER BY id LIMIT 1 FOR NO KEY UPDATE",
        tables.table("export_config_credentials")
    );
    let rows = executor.rows(&sql, &[&configuration]).await?;
    Ok(rows.first().and_then(|row| match row.get("jsonb") {
        Value::Object(document) => Some((row.get("id"), document)),
        _ => None,
    }))
}

/// The credentials of a configuration, as they are.
#[boxed]
pub async fn credentials_read(
    executor: &dyn Executor,
    tables: Tables<'_>,
    configuration: Uuid,
) -> Result<Option<Map<String, Value>>, StoreError> {
    let sql = format!(
        "SELECT id, jsonb FROM {} WHERE exportconfigid = $1 ORDER BY id LIMIT 1",
        tables.table("export_config_credentials")
    );
    let found = documents(executor.rows(&sql, &[&configuration]).await?)?;
    Ok(found.into_iter().next().map(|(_, document)| document))
}

/// The fingerprint of the key that a configuration's server had, if it was this server.
#[boxed]
pub async fn server_key(
    executor: &dyn Executor,
    tables: Tables<'_>,
    configuration: Uuid,
    server: &str,
) -> Result<Option<String>, StoreError> {
    let sql = format!(
        "SELECT fingerprint FROM {} WHERE exportconfigid = $1 AND server = $2",
        tables.table(KEYS)
    );
    let rows = executor.rows(&sql, &[&configuration, &server]).await?;
    Ok(rows.first().map(|row| row.get("fingerprint")))
}

/// Keeps the fingerprint of a server's key.
#[boxed]
pub async fn keep_server_key(
    executor: &dyn Executor,
    tables: Tables<'_>,
    configuration: Uuid,
    server: &str,
    fingerprint: &str,
) -> Result<(), StoreError> {
    let sql = format!(
        "INSERT INTO {} (exportconfigid, server, fingerprint) VALUES ($1, $2, $3) \
         ON CONFLICT (exportconfigid) DO UPDATE SET server = $2, fingerprint = $3, seen_at = now()",
        tables.table(KEYS)
    );
    executor
        .rows(&sql, &[&configuration, &server, &fingerprint])
        .await?;
    Ok(())
}

/// Forgets the key of a configuration's server.
#[boxed]
pub async fn forget_server_key(
    executor: &dyn Executor,
    tables: Tables<'_>,
    configuration: Uuid,
) -> Result<(), StoreError> {
    let sql = format!(
        "DELETE FROM {} WHERE exportconfigid = $1",
        tables.table(KEYS)
    );
    executor.rows(&sql, &[&configuration]).await?;
    Ok(())
}

/// Lets a transaction wait for something else than the database.
#[boxed]
pub async fn stay_idle(transaction: &Transaction, longest: Duration) -> Result<(), StoreError> {
    // With some time for the statement that follows.
    let seconds = longest.as_secs() + 10;
    let sql = format!("SET LOCAL idle_in_transaction_session_timeout = '{seconds}s'");
    transaction.batch_execute(&sql).await?;
    Ok(())
}

/// Vouchers of one export at most.
const VOUCHERS_MAX: i64 = 10_000;

/// The vouchers of a batch group that go to accounting, by their dates, both ends included.
#[boxed]
pub async fn vouchers_of(
    executor: &dyn Executor,
    tables: Tables<'_>,
    group: Uuid,
    start: &str,
    end: &str,
) -> Result<Vec<Stored>, StoreError> {
    // Days beside the period narrow it by the index, whatever the time zones of the dates are.
    let sql = format!(
        "SELECT id, jsonb FROM {} WHERE batchgroupid = $1 \
         AND {date} >= ($2::text::timestamptz - interval '2 days')::date::text \
         AND {date} <= ($3::text::timestamptz + interval '2 days')::date::text \
         AND (jsonb->>'exportToAccounting')::boolean \
         AND (jsonb->>'voucherDate')::timestamptz BETWEEN $2::text::timestamptz AND $3::text::timestamptz \
         ORDER BY jsonb->>'voucherDate', id LIMIT {VOUCHERS_MAX}",
        tables.table("vouchers"),
        date = octavo_records::expression::key(tables.index("vouchers", "voucherDate")),
    );
    documents(executor.rows(&sql, &[&group, &start, &end]).await?)
}

/// The records of a table that belong to one of these.
#[boxed]
pub async fn belonging(
    executor: &dyn Executor,
    tables: Tables<'_>,
    part: Part,
    owners: &[Uuid],
) -> Result<Vec<Stored>, StoreError> {
    let (table, column) = match part {
        Part::VoucherLines => ("voucher_lines", "voucherid"),
        Part::InvoiceLines => ("invoice_lines", "invoiceid"),
        Part::Invoices => ("invoices", "id"),
    };
    let sql = format!(
        "SELECT {column} AS id, jsonb FROM {} AS record WHERE {column} = ANY($1) ORDER BY record.id",
        tables.table(table)
    );
    documents(executor.rows(&sql, &[&owners]).await?)
}

/// What belongs to vouchers and invoices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    VoucherLines,
    InvoiceLines,
    /// The invoices themselves.
    Invoices,
}

fn documents(rows: Vec<octavo_postgres::Row>) -> Result<Vec<Stored>, StoreError> {
    let read = |row: &octavo_postgres::Row| match row.get::<_, Value>("jsonb") {
        Value::Object(document) => Some((row.get("id"), document)),
        _ => None,
    };
    Ok(rows.iter().filter_map(read).collect())
}

/// The configuration of a batch group.
#[boxed]
pub async fn configuration_of(
    executor: &dyn Executor,
    tables: Tables<'_>,
    group: Uuid,
) -> Result<Option<Stored>, StoreError> {
    let sql = format!(
        "SELECT id, jsonb FROM {} WHERE batchgroupid = $1 ORDER BY id LIMIT 1",
        tables.table("batch_voucher_export_configs")
    );
    Ok(documents(executor.rows(&sql, &[&group]).await?)?.pop())
}

/// The configurations that are exported by the clock, with the end of the last export of their group.
#[boxed]
pub async fn scheduled(
    executor: &dyn Executor,
    tables: Tables<'_>,
) -> Result<Vec<(Map<String, Value>, Option<String>)>, StoreError> {
    let sql = format!(
        "SELECT config.jsonb, (SELECT max(export.jsonb->>'end') FROM {} AS export \
         WHERE export.batchgroupid = config.batchgroupid) AS last FROM {} AS config \
         WHERE (config.jsonb->>'enableScheduledExport')::boolean ORDER BY config.id",
        tables.table("batch_voucher_exports"),
        tables.table("batch_voucher_export_configs")
    );
    let rows = executor.rows(&sql, &[]).await?;
    let read = |row: &octavo_postgres::Row| match row.get::<_, Value>("jsonb") {
        Value::Object(document) => Some((document, row.get("last"))),
        _ => None,
    };
    Ok(rows.iter().filter_map(read).collect())
}

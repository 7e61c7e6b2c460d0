//! The table of search terms of MARC records, and its queue.

use octavo_postgres::Transaction;
use octavo_records::{Executor, StoreError, Tenant};
use serde_json::Value;
use uuid::Uuid;

use crate::terms::Entry;

/// Arrays are filled up to this length. PostgreSQL moves values out of line (TOAST) only from rows above
/// 2 kB; shorter arrays would stay in the row, four rows to a page, and counting ten thousand matches
/// would read as many pages.
const APART: usize = 250;
/// The filler: not a valid term.
const FILLER: i64 = 0;

/// Takes the lock on the queue until the transaction ends: two workers on one record at once could leave
/// outdated terms.
pub async fn lock_queue(transaction: &Transaction, tenant: &Tenant) -> Result<(), StoreError> {
    let key = queue_key(tenant);
    let sql = "SELECT 1 FROM pg_advisory_xact_lock(hashtextextended($1, 0))";
    transaction.query(sql, &[&key]).await?;
    Ok(())
}

/// The same without waiting; returns whether the lock was free.
pub async fn try_lock_queue(
    transaction: &Transaction,
    tenant: &Tenant,
) -> Result<bool, StoreError> {
    let key = queue_key(tenant);
    let sql = "SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS locked";
    let rows = transaction.query(sql, &[&key]).await?;
    Ok(rows.first().is_some_and(|row| row.get("locked")))
}

fn queue_key(tenant: &Tenant) -> String {
    format!("{} marc terms", tenant.id())
}

/// Whether a record is queued, or a rebuild has to be completed.
pub async fn is_anything(executor: &dyn Executor, tenant: &Tenant) -> Result<bool, StoreError> {
    let schema = tenant.schema();
    let sql = format!(
        "SELECT EXISTS (SELECT FROM {schema}.marc_untermed) \
         OR EXISTS (SELECT FROM {schema}.marc_migration) AS found"
    );
    let rows = executor.rows(&sql, &[]).await?;
    Ok(rows.first().is_some_and(|row| row.get("found")))
}

/// The length of the queue, counted up to `most`.
pub async fn waiting(
    executor: &dyn Executor,
    tenant: &Tenant,
    most: i64,
) -> Result<i64, StoreError> {
    let sql = format!(
        "SELECT count(*) FROM (SELECT 1 FROM {}.marc_untermed LIMIT $1) AS waiting",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&most]).await?;
    Ok(rows.first().map_or(0, |row| row.get("count")))
}

/// Whether a load is running: more than `many` records are queued, the newest for less than ten seconds,
/// and the oldest for less than a quarter of an hour.
pub async fn is_being_loaded(
    executor: &dyn Executor,
    tenant: &Tenant,
    many: i64,
) -> Result<bool, StoreError> {
    let sql = format!(
        "SELECT max(place) - min(place) > $1 \
         AND (SELECT since FROM {table} ORDER BY place DESC LIMIT 1) > now() - interval '10 s' \
         AND (SELECT since FROM {table} ORDER BY place LIMIT 1) > now() - interval '15 min' \
         AS loaded \
         FROM {table}",
        table = format_args!("{}.marc_untermed", tenant.schema()),
    );
    let rows = executor.rows(&sql, &[&many]).await?;
    Ok(rows
        .first()
        .and_then(|row| row.get::<_, Option<bool>>("loaded"))
        .unwrap_or(false))
}

/// Takes the next records from the queue, without duplicates.
pub async fn take(
    transaction: &Transaction,
    tenant: &Tenant,
    most: i64,
) -> Result<Vec<Uuid>, StoreError> {
    let sql = format!(
        "WITH taken AS (DELETE FROM {table} WHERE place IN \
         (SELECT place FROM {table} ORDER BY place LIMIT $1) RETURNING id) \
         SELECT DISTINCT id FROM taken ORDER BY id",
        table = format_args!("{}.marc_untermed", tenant.schema()),
    );
    let rows = transaction.query(&sql, &[&most]).await?;
    Ok(rows.iter().map(|row| row.get("id")).collect())
}

/// The sources of these records' entries, locked against deletion.
pub async fn sources(
    transaction: &Transaction,
    tenant: &Tenant,
    ids: &[Uuid],
) -> Result<Vec<(Uuid, Value)>, StoreError> {
    let sql = format!(
        "SELECT id, jsonb_build_object('recordType', jsonb->'recordType', 'state', jsonb->'state', \
         'externalIdsHolder', jsonb->'externalIdsHolder', \
         'suppressDiscovery', jsonb->'additionalInfo'->'suppressDiscovery', \
         'content', CASE WHEN jsonb->>'state' IN ('ACTUAL', 'DELETED') \
         THEN jsonb->'parsedRecord'->'content' END) AS source \
         FROM {}.source_record WHERE id = ANY($1) ORDER BY id FOR KEY SHARE",
        tenant.schema()
    );
    let rows = transaction.query(&sql, &[&ids]).await?;
    Ok(rows
        .iter()
        .map(|row| (row.get("id"), row.get("source")))
        .collect())
}

/// Writes or replaces entries.
pub async fn put(
    transaction: &Transaction,
    tenant: &Tenant,
    entries: &[(Uuid, Entry)],
) -> Result<(), StoreError> {
    if entries.is_empty() {
        return Ok(());
    }
    let column = |of: fn(&Entry) -> i64| entries.iter().map(|(_, one)| of(one)).collect::<Vec<_>>();
    let ids: Vec<Uuid> = entries.iter().map(|(id, _)| *id).collect();
    let external: Vec<Option<Uuid>> = entries.iter().map(|(_, one)| one.external_id).collect();
    let changed: Vec<Option<i32>> = entries.iter().map(|(_, one)| one.changed).collect();
    let kinds = column(|one| i64::from(one.kind));
    let deleted = column(|one| i64::from(one.deleted));
    let suppressed = column(|one| i64::from(one.suppressed));
    // All terms in one array, with the bounds of each record, since SQL arrays cannot be ragged.
    let (mut terms, mut begins, mut ends) = (Vec::new(), Vec::new(), Vec::new());
    for (_, one) in entries {
        begins.push(terms.len() as i64 + 1);
        terms.extend_from_slice(&one.terms);
        let missing = APART.saturating_sub(one.terms.len());
        terms.extend(std::iter::repeat_n(FILLER, missing));
        ends.push(terms.len() as i64);
    }
    let sql = format!(
        "INSERT INTO {}.marc_term (id, external_id, kind, deleted, suppressed, changed, terms) \
         SELECT id, external_id, kind, deleted = 1, suppressed = 1, changed, \
         ($9::bigint[])[first::int:last::int] \
         FROM unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::bigint[], $5::bigint[], \
         $6::integer[], $7::bigint[], $8::bigint[]) \
         AS new(id, external_id, kind, deleted, suppressed, changed, first, last) \
         ON CONFLICT (id) DO UPDATE SET external_id = excluded.external_id, \
         kind = excluded.kind, deleted = excluded.deleted, suppressed = excluded.suppressed, \
         changed = excluded.changed, terms = excluded.terms",
        tenant.schema()
    );
    transaction
        .query(
            &sql,
            &[
                &ids,
                &external,
                &kinds,
                &deleted,
                &suppressed,
                &changed,
                &begins,
                &ends,
                &terms,
            ],
        )
        .await?;
    Ok(())
}

/// Deletes the entries of records that are no longer current.
pub async fn remove(
    transaction: &Transaction,
    tenant: &Tenant,
    ids: &[Uuid],
) -> Result<(), StoreError> {
    if !ids.is_empty() {
        let sql = format!(
            "DELETE FROM {}.marc_term WHERE id = ANY($1)",
            tenant.schema()
        );
        transaction.execute(&sql, &[&ids]).await?;
    }
    Ok(())
}

/// Runs ANALYZE on the table.
pub async fn learn(executor: &dyn Executor, tenant: &Tenant) -> Result<(), StoreError> {
    let sql = format!("ANALYZE {}.marc_term", tenant.schema());
    executor.rows(&sql, &[]).await?;
    Ok(())
}

/// Queues all current records; returns the position of the last.
pub async fn line_up_all(transaction: &Transaction, tenant: &Tenant) -> Result<i64, StoreError> {
    let schema = tenant.schema();
    let sql = format!(
        "WITH put AS (INSERT INTO {schema}.marc_untermed (id) \
         SELECT id FROM {schema}.source_record RETURNING place) \
         SELECT coalesce(max(place), 0) AS last FROM put"
    );
    let rows = transaction.query(&sql, &[]).await?;
    Ok(rows.first().map_or(0, |row| row.get("last")))
}

/// Stores the last position of the queue that a rebuild covers.
pub async fn note_migration(
    transaction: &Transaction,
    tenant: &Tenant,
    job: Uuid,
    up_to: i64,
) -> Result<(), StoreError> {
    let sql = format!(
        "INSERT INTO {}.marc_migration (job_id, up_to) VALUES ($1, $2)",
        tenant.schema()
    );
    transaction.execute(&sql, &[&job, &up_to]).await?;
    Ok(())
}

/// Removes and returns the finished rebuilds.
pub async fn take_migrated(
    transaction: &Transaction,
    tenant: &Tenant,
) -> Result<Vec<Uuid>, StoreError> {
    let schema = tenant.schema();
    let sql = format!(
        "DELETE FROM {schema}.marc_migration WHERE up_to < \
         (SELECT coalesce(min(place), 9223372036854775807) FROM {schema}.marc_untermed) \
         RETURNING job_id"
    );
    let rows = transaction.query(&sql, &[]).await?;
    Ok(rows.iter().map(|row| row.get("job_id")).collect())
}

/// The running rebuild, if there is one. Serialised with concurrent callers until the transaction ends.
pub async fn migration_under_way(
    transaction: &Transaction,
    tenant: &Tenant,
) -> Result<Option<Uuid>, StoreError> {
    let schema = tenant.schema();
    transaction
        .execute(
            &format!("LOCK TABLE {schema}.marc_migration IN SHARE ROW EXCLUSIVE MODE"),
            &[],
        )
        .await?;
    let sql = format!("SELECT job_id FROM {schema}.marc_migration LIMIT 1");
    let row = transaction.query_opt(&sql, &[]).await?;
    Ok(row.map(|row| row.get("job_id")))
}

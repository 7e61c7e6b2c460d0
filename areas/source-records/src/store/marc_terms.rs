//! The table of what is kept of MARC records for searching, and the queue of records of which it is
//! still to be made.

use octavo_postgres::Transaction;
use octavo_records::{Executor, StoreError, Tenant};
use serde_json::Value;
use uuid::Uuid;

use crate::terms::Entry;

/// Arrays are filled up to this length. PostgreSQL moves a value out of a row of more than 2 kB only; a
/// shorter one would stay, four rows to a page, and who counts ten thousand matches would read as many
/// pages.
const APART: usize = 250;
/// What they are filled with: no number of anything.
const FILLER: i64 = 0;

/// Makes others who take from the queue wait until the transaction ends: two who work on one record
/// at once could leave what is older.
pub async fn lock_queue(transaction: &Transaction, tenant: &Tenant) -> Result<(), StoreError> {
    let key = queue_key(tenant);
    let sql = "SELECT 1 FROM pg_advisory_xact_lock(hashtextextended($1, 0))";
    transaction.query(sql, &[&key]).await?;
    Ok(())
}

/// The same, unless somebody else is at it; returns whether nobody was.
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

/// Whether a record waits, or a rebuilding is to be ended.
pub async fn is_anything(executor: &dyn Executor, tenant: &Tenant) -> Result<bool, StoreError> {
    let schema = tenant.schema();
    let sql = format!(
        "SELECT EXISTS (SELECT FROM {schema}.marc_untermed) \
         OR EXISTS (SELECT FROM {schema}.marc_migration) AS found"
    );
    let rows = executor.rows(&sql, &[]).await?;
    Ok(rows.first().is_some_and(|row| row.get("found")))
}

/// How many records wait, counted no further than `most`.
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

/// Whether many are being written just now: more than `many` wait, the last of them for less than ten
/// seconds, and the first for less than a quarter of an hour.
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

/// Takes the next records from the queue, each once.
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

/// What entries are made of, of these records; held against being deleted.
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

/// Writes entries, in place of those that are there.
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
    // All terms in one array, and where those of each record begin and end.
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

/// Lets the planner know what the table holds now.
pub async fn learn(executor: &dyn Executor, tenant: &Tenant) -> Result<(), StoreError> {
    let sql = format!("ANALYZE {}.marc_term", tenant.schema());
    executor.rows(&sql, &[]).await?;
    Ok(())
}

/// Lines up all current records; returns the place of the last.
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

/// Notes until which place of the queue a rebuilding goes.
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

/// Takes the rebuildings that are over.
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

/// The rebuilding that is not over, if there is one. Makes others who ask wait until the transaction
/// ends.
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

//! The statements of loads: progress and problems.

use std::collections::{BTreeSet, HashMap};

use jiff::Timestamp;
use octavo_library::{InstanceId, JobExecutionId};
use octavo_postgres::{Connection, Row, Transaction};
use octavo_records::Context;
use octavo_records::expression::equality;
use octavo_records::{Executor, StoreError, Tenant};
use serde_json::Value;

use super::match_key::Key;
use super::options::{LoadProblem, Progress};

/// A stored load.
#[derive(Debug, Clone, Copy)]
pub(super) struct StoredLoad {
    pub progress: Progress,
    pub started_at: Timestamp,
    pub finished_at: Option<Timestamp>,
}

/// The number of records of a table, counted up to `most`.
pub(super) async fn count_up_to(
    context: &Context<'_>,
    table: &str,
    most: u64,
) -> Result<u64, StoreError> {
    let sql = format!(
        "SELECT count(*) AS count FROM (SELECT FROM {}.{table} LIMIT $1) AS counted",
        context.tenant.schema()
    );
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let rows = context.store.database.query(&sql, &[&most]).await?;
    Ok(rows
        .first()
        .map_or(0, |row| row.get::<_, i64>("count").unsigned_abs()))
}

/// Takes a lock for as long as the connection lives; returns whether it was free.
pub(super) async fn lock(connection: &Connection, key: &str) -> Result<bool, StoreError> {
    // A lock of the session, not of a transaction: a load commits many transactions.
    let sql = "SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS locked";
    let row = connection.query_opt(sql, &[&key]).await?;
    Ok(row.is_some_and(|row| row.get("locked")))
}

/// Releases a lock.
pub(super) async fn unlock(connection: &Connection, key: &str) -> Result<(), StoreError> {
    let sql = "SELECT pg_advisory_unlock(hashtextextended($1, 0))";
    connection.query_opt(sql, &[&key]).await?;
    Ok(())
}

pub(super) async fn latest(
    executor: &dyn Executor,
    tenant: &Tenant,
    fingerprint: &str,
) -> Result<Option<StoredLoad>, StoreError> {
    let sql = format!(
        "SELECT job_id, position, created, holdings, items, problems, updated, matched, \
         (extract(epoch FROM finished_at) * 1000)::bigint AS finished_ms, \
         (extract(epoch FROM started_at) * 1000)::bigint AS started_ms \
         FROM {}.import_progress WHERE fingerprint = $1 ORDER BY started_at DESC LIMIT 1",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&fingerprint]).await?;
    Ok(rows.first().map(|row| {
        let number = |column| row.get::<_, i64>(column) as u64;
        let finished: Option<i64> = row.get("finished_ms");
        StoredLoad {
            progress: Progress {
                job_id: row.get("job_id"),
                position: number("position"),
                bytes: 0,
                created: number("created"),
                holdings: number("holdings"),
                items: number("items"),
                problems: number("problems"),
                updated: number("updated"),
                matched: number("matched"),
            },
            finished_at: finished.and_then(|at| Timestamp::from_millisecond(at).ok()),
            started_at: Timestamp::from_millisecond(row.get("started_ms")).unwrap_or_default(),
        }
    }))
}

/// Stores the beginning of a load.
pub(super) async fn begin(
    executor: &dyn Executor,
    tenant: &Tenant,
    job_id: JobExecutionId,
    fingerprint: &str,
    file_name: &str,
) -> Result<(), StoreError> {
    let sql = format!(
        "INSERT INTO {}.import_progress (job_id, fingerprint, file_name) VALUES ($1, $2, $3)",
        tenant.schema()
    );
    executor
        .rows(&sql, &[&job_id, &fingerprint, &file_name])
        .await?;
    Ok(())
}

/// Commits asynchronously (without waiting for the disk). A crash may lose the transaction, but records
/// and progress together, so the load just repeats it.
pub(super) async fn without_waiting(transaction: &Transaction) -> Result<(), StoreError> {
    transaction
        .batch_execute("SET LOCAL synchronous_commit = off")
        .await?;
    Ok(())
}

/// Stores a load's progress, in the transaction of its records; returns false when the stored progress
/// is unexpected.
pub(super) async fn advance(
    transaction: &Transaction,
    tenant: &Tenant,
    after: u64,
    progress: &Progress,
    problems: &[LoadProblem],
) -> Result<bool, StoreError> {
    let schema = tenant.schema();
    let sql = format!(
        "UPDATE {schema}.import_progress SET position = $3, created = created + $4, \
         holdings = holdings + $5, items = items + $6, problems = problems + $7, \
         updated = updated + $8, matched = matched + $9 \
         WHERE job_id = $1 AND position = $2 AND finished_at IS NULL"
    );
    let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let changed = transaction
        .execute(
            &sql,
            &[
                &progress.job_id,
                &number(after),
                &number(progress.position),
                &number(progress.created),
                &number(progress.holdings),
                &number(progress.items),
                &number(progress.problems),
                &number(progress.updated),
                &number(progress.matched),
            ],
        )
        .await?;
    if problems.is_empty() || changed == 0 {
        return Ok(changed == 1);
    }
    let sql = format!(
        "INSERT INTO {schema}.import_problem (job_id, position, byte_offset, control_number, reason) \
         SELECT $1, * FROM unnest($2::bigint[], $3::bigint[], $4::text[], $5::text[])"
    );
    let positions: Vec<i64> = problems.iter().map(|one| number(one.position)).collect();
    let offsets: Vec<i64> = problems.iter().map(|one| number(one.byte_offset)).collect();
    let texts = |of: fn(&LoadProblem) -> &str| -> Vec<String> {
        // PostgreSQL's text cannot contain NUL.
        problems
            .iter()
            .map(|one| of(one).replace('\0', "\u{fffd}"))
            .collect()
    };
    let numbers = texts(|one| &one.control_number);
    let reasons = texts(|one| &one.reason);
    transaction
        .execute(
            &sql,
            &[&progress.job_id, &positions, &offsets, &numbers, &reasons],
        )
        .await?;
    Ok(true)
}

/// The problems of a load, with reasons.
pub(super) async fn problems(
    executor: &dyn Executor,
    tenant: &Tenant,
    job_id: JobExecutionId,
) -> Result<HashMap<u64, String>, StoreError> {
    let sql = format!(
        "SELECT position, reason FROM {}.import_problem WHERE job_id = $1",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&job_id]).await?;
    Ok(rows
        .iter()
        .map(|row| (row.get::<_, i64>("position") as u64, row.get("reason")))
        .collect())
}

/// Stores the end of a load.
pub(super) async fn finish(
    executor: &dyn Executor,
    tenant: &Tenant,
    job_id: JobExecutionId,
) -> Result<(), StoreError> {
    let sql = format!(
        "UPDATE {}.import_progress SET finished_at = clock_timestamp() WHERE job_id = $1",
        tenant.schema()
    );
    executor.rows(&sql, &[&job_id]).await?;
    Ok(())
}

/// The instances with one of the keys, by record.
pub(super) async fn instances_of(
    transaction: &Transaction,
    context: &Context<'_>,
    keys: &HashMap<u64, Vec<Key>>,
) -> Result<HashMap<u64, BTreeSet<InstanceId>>, StoreError> {
    let schema = context.tenant.schema();
    let mut found: HashMap<u64, BTreeSet<InstanceId>> = HashMap::new();
    let (mut owners, mut hrids) = (Vec::new(), Vec::new());
    let (mut others, mut values, mut types) = (Vec::new(), Vec::new(), Vec::new());
    for (owner, keys) in keys {
        for key in keys {
            match key {
                Key::Hrid(hrid) => {
                    owners.push(*owner as i64);
                    hrids.push(hrid.as_str());
                }
                Key::Identifier { value, type_id } => {
                    others.push(*owner as i64);
                    values.push(value.as_str());
                    types.push(type_id.as_str());
                }
            }
        }
    }
    let mut note = |rows: Vec<Row>| {
        for row in rows {
            let owner = row.get::<_, i64>("owner") as u64;
            found.entry(owner).or_default().insert(row.get("id"));
        }
    };
    if !owners.is_empty() {
        let equal = equality(context.collection("instance"), "hrid", "wanted.hrid");
        let sql = format!(
            "SELECT wanted.owner, instance.id FROM unnest($1::bigint[], $2::text[]) \
             AS wanted (owner, hrid) JOIN {schema}.instance ON {equal}"
        );
        note(transaction.query(&sql, &[&owners, &hrids]).await?);
    }
    if !others.is_empty() {
        // The search rows have truncated, folded identifiers, so the whole value is compared in the
        // record.
        let sql = format!(
            "SELECT wanted.owner, instance.id \
             FROM unnest($1::bigint[], $2::text[], $3::text[]) AS wanted (owner, value, type) \
             JOIN {schema}.search_instance AS row \
               ON {schema}.search_terms(row.words) @@ {schema}.search_query('identifier', wanted.value, false) \
             JOIN {schema}.instance ON instance.id = row.id \
             WHERE instance.jsonb->'identifiers' @> jsonb_build_array(jsonb_build_object( \
               'value', wanted.value, 'identifierTypeId', wanted.type))"
        );
        note(transaction.query(&sql, &[&others, &values, &types]).await?);
    }
    Ok(found)
}

/// Writes a load to the list of imports; returns false when there is no such list. Replaces the job's
/// document except its number; a deleted job stays unchanged.
pub(super) async fn write_job(
    executor: &dyn Executor,
    tenant: &Tenant,
    job_id: JobExecutionId,
    job_execution: &Value,
) -> Result<bool, StoreError> {
    let schema = tenant.schema();
    let sql = "SELECT to_regclass($1) IS NOT NULL AS found";
    let rows = executor
        .rows(sql, &[&format!("{schema}.import_job")])
        .await?;
    if !rows.first().is_some_and(|row| row.get("found")) {
        return Ok(false);
    }
    // A number is taken from the sequence only for a new job.
    let sql = format!(
        "WITH written AS (UPDATE {schema}.import_job SET document = CASE WHEN is_deleted THEN document \
         ELSE $2::jsonb || jsonb_build_object('hrId', hrid) END WHERE id = $1 RETURNING id) \
         INSERT INTO {schema}.import_job (id, document) SELECT $1, $2::jsonb \
         || jsonb_build_object('hrId', nextval('{schema}.import_job_hrid')) \
         WHERE NOT EXISTS (SELECT FROM written)"
    );
    executor.rows(&sql, &[&job_id, job_execution]).await?;
    Ok(true)
}

/// Writes the progress of a load to the list of imports, in the transaction of its records, so that the
/// list is right however the load ends. No index covers the progress, so it is a cheap HOT update.
pub(super) async fn write_progress(
    transaction: &Transaction,
    tenant: &Tenant,
    job_id: JobExecutionId,
    position: u64,
) -> Result<(), StoreError> {
    let sql = format!(
        "UPDATE {}.import_job SET document = jsonb_set(document, '{{progress}}', \
         jsonb_build_object('jobExecutionId', id, 'current', $2::bigint, 'total', $2::bigint)) \
         WHERE id = $1 AND NOT is_deleted",
        tenant.schema()
    );
    let position = i64::try_from(position).unwrap_or(i64::MAX);
    transaction.execute(&sql, &[&job_id, &position]).await?;
    Ok(())
}

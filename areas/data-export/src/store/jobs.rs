//! The queue of jobs, and the records that they are about.

use octavo_jobs::{Order, Queue};
use octavo_library::{ExportJobId, ExportProfileId};
use octavo_postgres::{Database, Transaction};
use octavo_records::expression::{folded, key, text_at};
use octavo_records::plan::{Parameter, Predicate, Sql};
use octavo_records::{Executor, Index, StoreError, Tenant};
use uuid::Uuid;

use super::records::ExportedKind;

/// The statement time-out of gathering a job's records, in milliseconds.
const GATHERING_MS: i64 = 600_000;

/// The queue of jobs, which take turns. Each tenant has two workers: while one lists all records of a library,
/// the other processes smaller jobs.
pub static QUEUE: Queue = Queue {
    order: Order::Turns,
    workers: 2,
    portions: 4,
    ..Queue::named("data-export")
};

/// The next HRID of a job.
pub async fn next_number(executor: &dyn Executor, tenant: &Tenant) -> Result<i64, StoreError> {
    let sql = "SELECT nextval($1::text::regclass) AS number";
    let sequence = format!("{}.data_export_hrid", tenant.schema());
    let rows = executor.rows(sql, &[&sequence]).await?;
    Ok(rows.first().map_or(0, |row| row.get("number")))
}

/// Forgets the list of a job's records.
pub async fn forget_list(
    executor: &dyn Executor,
    tenant: &Tenant,
    job: ExportJobId,
) -> Result<(), StoreError> {
    // Progress resets `tries`: only attempts without progress count.
    let sql = format!(
        "DELETE FROM {}.data_export_id WHERE job = $1",
        tenant.schema()
    );
    executor.rows(&sql, &[&job]).await?;
    Ok(())
}

/// The numbers of a profile's jobs that are not finished, the first ten of them.
pub async fn unfinished_of(
    executor: &dyn Executor,
    tenant: &Tenant,
    profile: ExportProfileId,
) -> Result<Vec<i64>, StoreError> {
    let sql = format!(
        "SELECT coalesce(({number})::bigint, 0) AS number \
         FROM {schema}.data_export_job_executions AS execution \
         WHERE {by} = $1 AND {unfinished} ORDER BY 1 LIMIT 10",
        unfinished = QUEUE.has(tenant.schema(), "job.id = execution.id"),
        number = text_at("hrId"),
        by = key(&Index::plain("jobProfileId").keep_accents()),
        schema = tenant.schema()
    );
    let rows = executor.rows(&sql, &[&profile.to_string()]).await?;
    Ok(rows.iter().map(|row| row.get("number")).collect())
}

/// Raises the statement time-out of a transaction: a whole library may be gathered in one statement.
pub async fn take_time(transaction: &Transaction) -> Result<(), StoreError> {
    let sql = "SELECT set_config('statement_timeout', $1::bigint::text, true)";
    transaction.query(sql, &[&GATHERING_MS]).await?;
    Ok(())
}

/// Appends these records.
pub async fn gather_these(
    transaction: &Transaction,
    tenant: &Tenant,
    job: ExportJobId,
    behind: i64,
    records: &[Uuid],
) -> Result<(), StoreError> {
    let sql = format!(
        "INSERT INTO {}.data_export_id (job, place, record) SELECT $1, $2 + place, record \
         FROM unnest($3::uuid[]) WITH ORDINALITY AS given(record, place)",
        tenant.schema()
    );
    transaction
        .execute(&sql, &[&job, &behind, &records])
        .await?;
    Ok(())
}

/// Removes duplicate ids from a job's list. Returns how many were removed, and the first `most`
/// duplicated ids with their counts.
pub async fn drop_repeated(
    transaction: &Transaction,
    tenant: &Tenant,
    job: ExportJobId,
    most: i64,
) -> Result<(i64, Vec<(Uuid, i64)>), StoreError> {
    let sql = format!(
        "WITH repeated AS MATERIALIZED (SELECT record, count(*) AS times, min(place) AS first \
         FROM {schema}.data_export_id WHERE job = $1 GROUP BY record HAVING count(*) > 1), \
         gone AS (DELETE FROM {schema}.data_export_id AS listed USING repeated WHERE listed.job = $1 \
         AND listed.record = repeated.record AND listed.place > repeated.first) \
         SELECT record, times, (SELECT sum(times - 1)::bigint FROM repeated) AS gone FROM repeated \
         ORDER BY record LIMIT $2",
        schema = tenant.schema()
    );
    let rows = transaction.query(&sql, &[&job, &most]).await?;
    let gone = rows.first().map_or(0, |row| row.get("gone"));
    Ok((
        gone,
        rows.iter()
            .map(|row| (row.get("record"), row.get("times")))
            .collect(),
    ))
}

/// Gathers the records of a predicate, in order; returns how many.
pub async fn gather_found(
    transaction: &Transaction,
    tenant: &Tenant,
    job: ExportJobId,
    kind: ExportedKind,
    predicate: &Predicate,
) -> Result<i64, StoreError> {
    let schema = tenant.schema();
    let mut sql = Sql::default();
    sql.push(&format!(
        "INSERT INTO {schema}.data_export_id (job, place, record) SELECT "
    ));
    sql.bind(Parameter::Id(job.uuid()), "uuid");
    sql.push(&format!(
        ", row_number() OVER (), id FROM (SELECT id FROM {schema}.{}",
        kind.table()
    ));
    sql.filter(schema, predicate);
    sql.push(&format!(
        " ORDER BY {}) AS found",
        folded(&Index::unique("hrid"))
    ));
    let added = transaction.execute(&sql.text, &sql.bound()).await?;
    Ok(added as i64)
}

/// Gathers the authorities that have MARC in this state; returns how many.
pub async fn gather_authorities(
    transaction: &Transaction,
    tenant: &Tenant,
    job: ExportJobId,
    states: &[&str],
) -> Result<i64, StoreError> {
    let field = "externalIdsHolder.authorityId";
    let sql = format!(
        "INSERT INTO {schema}.data_export_id (job, place, record) \
         SELECT $1, row_number() OVER (), record FROM (SELECT ({})::uuid AS record \
         FROM {schema}.source_record WHERE {by} > '' AND {} = ANY($2) ORDER BY {by}) AS found",
        text_at(field),
        text_at("state"),
        by = key(&Index::plain(field).keep_accents()),
        schema = tenant.schema()
    );
    let added = transaction.execute(&sql, &[&job, &states]).await?;
    Ok(added as i64)
}

/// Gathers the titles whose MARC was marked as deleted on these days (`yyyymmdd`, both included);
/// returns how many.
pub async fn gather_deleted(
    transaction: &Transaction,
    tenant: &Tenant,
    job: ExportJobId,
    from: Option<&str>,
    to: Option<&str>,
) -> Result<i64, StoreError> {
    let state = key(&Index::plain("state").keep_accents());
    let sql = format!(
        "INSERT INTO {schema}.data_export_id (job, place, record) \
         SELECT $1, row_number() OVER (), record FROM (SELECT ({})::uuid AS record, \
         left(jsonb_path_query_first(jsonb, '$.parsedRecord.content.fields[*].\"005\"') #>> '{{}}', 8) AS day \
         FROM {schema}.source_record WHERE {state} = 'deleted' AND {} = 'MARC_BIB' \
         AND {} IS NOT NULL) AS found \
         WHERE ($2::text IS NULL OR day >= $2) AND ($3::text IS NULL OR day <= $3)",
        text_at("externalIdsHolder.instanceId"),
        text_at("recordType"),
        text_at("externalIdsHolder.instanceId"),
        schema = tenant.schema()
    );
    let added = transaction.execute(&sql, &[&job, &from, &to]).await?;
    Ok(added as i64)
}

/// Stores a setting.
pub async fn set_up(
    database: &Database,
    tenant: &Tenant,
    name: &str,
    value: &str,
) -> Result<(), StoreError> {
    let sql = format!(
        "INSERT INTO {}.data_export_configuration (key, value) VALUES ($1, $2) \
         ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        tenant.schema()
    );
    database.execute(&sql, &[&name, &value]).await?;
    Ok(())
}

/// The setting of a name.
pub async fn set_up_as(
    executor: &dyn Executor,
    tenant: &Tenant,
    name: &str,
) -> Result<Option<String>, StoreError> {
    let sql = format!(
        "SELECT value FROM {}.data_export_configuration WHERE key = $1",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&name]).await?;
    Ok(rows.first().map(|row| row.get("value")))
}

/// Detaches finished jobs from a profile to be deleted, and returns their ids.
pub async fn of_profile(
    executor: &dyn Executor,
    tenant: &Tenant,
    profile: ExportProfileId,
) -> Result<Vec<ExportJobId>, StoreError> {
    let by = key(&Index::plain("jobProfileId").keep_accents());
    let sql = format!(
        "UPDATE {}.data_export_job_executions SET jsonb = (jsonb - 'jobProfileId') \
         || jsonb_build_object('exportedFiles', (SELECT coalesce(jsonb_agg(file - 'fileId'), '[]') \
         FROM jsonb_array_elements(jsonb->'exportedFiles') AS file)) WHERE {by} = $1 RETURNING id",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&profile.to_string()]).await?;
    Ok(rows.iter().map(|row| row.get("id")).collect())
}

/// Deletes the error logs of jobs.
pub async fn forget_errors(
    executor: &dyn Executor,
    tenant: &Tenant,
    jobs: &[ExportJobId],
) -> Result<(), StoreError> {
    let sql = format!(
        "DELETE FROM {}.data_export_error_logs WHERE jobexecutionid = ANY($1)",
        tenant.schema()
    );
    executor.rows(&sql, &[&jobs]).await?;
    Ok(())
}

/// Profiles that finished jobs used: id and name.
pub async fn used_profiles(
    executor: &dyn Executor,
    tenant: &Tenant,
    offset: i64,
    limit: i64,
) -> Result<Vec<(String, String)>, StoreError> {
    let sql = format!(
        "SELECT DISTINCT jsonb->>'jobProfileId' AS job_profile_id, \
         jsonb->>'jobProfileName' AS job_profile_name \
         FROM {}.data_export_job_executions WHERE jsonb->>'jobProfileId' IS NOT NULL \
         AND jsonb->>'jobProfileName' IS NOT NULL ORDER BY 2, 1 OFFSET $1 LIMIT $2",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&offset, &limit]).await?;
    Ok(rows
        .iter()
        .map(|row| (row.get("job_profile_id"), row.get("job_profile_name")))
        .collect())
}

/// Deletes the file definitions of a job.
pub async fn forget_definitions(
    executor: &dyn Executor,
    tenant: &Tenant,
    job: ExportJobId,
) -> Result<(), StoreError> {
    let sql = format!(
        "DELETE FROM {}.data_export_file_definitions WHERE jobexecutionid = $1",
        tenant.schema()
    );
    executor.rows(&sql, &[&job]).await?;
    Ok(())
}

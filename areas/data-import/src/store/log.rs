//! The log of jobs: a line for each record, paged along indexes, and counters. Both are maintained with
//! the journal, so that a job with a million records is read as fast as a small one.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use octavo_library::{IncomingRecordId, JobExecutionId};
use octavo_records::{Executor, StoreError, Tenant};
use serde_json::{Map, Value, json};

use crate::rules::job_summary::Line;
use crate::rules::log::{Group, LogQuery};

/// Adds lines.
pub(crate) async fn insert(
    executor: &dyn Executor,
    tenant: &Tenant,
    job: JobExecutionId,
    lines: &[Line],
) -> Result<(), StoreError> {
    let states = Group::ALL.map(Group::column);
    let rows: Vec<Value> = lines
        .iter()
        .map(|line| {
            let mut row = Map::from_iter(
                states
                    .iter()
                    .zip(line.states)
                    .filter_map(|(name, state)| Some(((*name).to_owned(), json!(state?)))),
            );
            row.insert("position".to_owned(), json!(line.position));
            row.insert("source".to_owned(), json!(line.source));
            row.insert("entities".to_owned(), json!(line.entities));
            row.insert("failed".to_owned(), json!(line.failed));
            row.insert("title".to_owned(), json!(line.title));
            row.insert("error".to_owned(), json!(line.error));
            Value::Object(row)
        })
        .collect();
    let sql = format!(
        "INSERT INTO {}.import_line (job, position, source, entities, failed, title, error, {names}) \
         SELECT $1, position, source, entities, failed, title, error, {names} \
         FROM jsonb_to_recordset($2) AS _(position bigint, source uuid, entities smallint, failed \
         smallint, title text, error text, {names_typed} \"char\")",
        tenant.schema(),
        names = states.join(", "),
        names_typed = states.join(" \"char\", "),
    );
    executor.rows(&sql, &[&job, &Value::Array(rows)]).await?;
    Ok(())
}

/// Adds to a job's counts.
pub(crate) async fn count(
    executor: &dyn Executor,
    tenant: &Tenant,
    job: JobExecutionId,
    counts: &BTreeMap<String, i64>,
) -> Result<(), StoreError> {
    let names: Vec<&str> = counts.keys().map(String::as_str).collect();
    let numbers: Vec<i64> = counts.values().copied().collect();
    let sql = format!(
        "INSERT INTO {}.import_count AS known (job, name, number) SELECT $1, name, number \
         FROM unnest($2::text[], $3::bigint[]) AS _(name, number) \
         ON CONFLICT (job, name) DO UPDATE SET number = known.number + excluded.number",
        tenant.schema()
    );
    executor.rows(&sql, &[&job, &names, &numbers]).await?;
    Ok(())
}

/// A job's counts by their names.
pub(crate) async fn counts(
    executor: &dyn Executor,
    tenant: &Tenant,
    job: JobExecutionId,
) -> Result<HashMap<String, i64>, StoreError> {
    let sql = format!(
        "SELECT name, number FROM {}.import_count WHERE job = $1",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&job]).await?;
    Ok(rows
        .iter()
        .map(|row| (row.get("name"), row.get("number")))
        .collect())
}

/// How many of these instances a job has counted as updated. One created and updated by the same record
/// counts as created.
pub(crate) async fn updated_before(
    executor: &dyn Executor,
    tenant: &Tenant,
    job: JobExecutionId,
    instances: &BTreeSet<String>,
) -> Result<i64, StoreError> {
    let sql = format!(
        "SELECT count(*) FROM unnest($2::text[]) AS wanted(id) WHERE EXISTS (SELECT \
         FROM {schema}.import_journal AS entry WHERE entry.job = $1 AND entry.entity_id = wanted.id \
         AND entry.entity_type = 'INSTANCE' AND entry.action = 'UPDATE' \
         AND entry.status = 'COMPLETED' AND NOT EXISTS (SELECT FROM {schema}.import_journal AS made \
         WHERE made.job = $1 AND made.source = entry.source AND made.entity_id = entry.entity_id \
         AND made.entity_type = 'INSTANCE' AND made.action = 'CREATE' \
         AND made.status = 'COMPLETED'))",
        schema = tenant.schema()
    );
    let instances: Vec<&str> = instances.iter().map(String::as_str).collect();
    let rows = executor.rows(&sql, &[&job, &instances]).await?;
    Ok(rows.first().map_or(0, |row| row.get("count")))
}

/// The records of a page of the log with the positions of their lines, in order.
pub(crate) async fn page(
    executor: &dyn Executor,
    tenant: &Tenant,
    job: JobExecutionId,
    query: &LogQuery,
    limit: i64,
    offset: i64,
) -> Result<Vec<(IncomingRecordId, i64)>, StoreError> {
    let direction = if query.descending { "DESC" } else { "ASC" };
    let bit = Group::bit(query.group);
    // Literals instead of parameters, so that the planner can use the partial index on lines with
    // errors.
    let wanted = match query.errors_only {
        false => format!("entities & {bit} <> 0"),
        true => format!("failed <> 0 AND failed & {bit} <> 0"),
    };
    let sql = format!(
        "SELECT source, position FROM {}.import_line WHERE job = $1 AND {wanted} \
         ORDER BY {} {direction}, position {direction}, source LIMIT $2 OFFSET $3",
        tenant.schema(),
        query.order.column(),
    );
    let rows = executor.rows(&sql, &[&job, &limit, &offset]).await?;
    Ok(rows
        .iter()
        .map(|row| (row.get("source"), row.get("position")))
        .collect())
}

//! Statements for many records at once.

use std::collections::HashMap;

use octavo_library::MatchedId;
use octavo_postgres::Transaction;
use octavo_records::expression::text_at;
use octavo_records::plan::{Predicate, Sql};
use octavo_records::{Executor, Stamp, StoreError, Tenant};

use super::{EXTERNAL_ID, by_matched_id};
use crate::search::current;

/// Takes the locks on these records' generations until the transaction ends: first by described record,
/// then by shared id, each sorted.
pub async fn lock_all(
    transaction: &Transaction,
    tenant: &Tenant,
    described: &[String],
    matched_ids: &[MatchedId],
) -> Result<(), StoreError> {
    let of = |external: &String| format!("{} source record of {external}", tenant.id());
    let keys: Vec<String> = described.iter().map(of).collect();
    lock(transaction, &keys).await?;
    let of = |id: &MatchedId| format!("{} source record {id}", tenant.id());
    let keys: Vec<String> = matched_ids.iter().map(of).collect();
    lock(transaction, &keys).await
}

async fn lock(transaction: &Transaction, keys: &[String]) -> Result<(), StoreError> {
    if !keys.is_empty() {
        // Sorted, so that two batches with common keys cannot deadlock.
        let sql = "SELECT pg_advisory_xact_lock(hashtextextended(key, 0)) FROM \
                   (SELECT DISTINCT key COLLATE \"C\" AS key FROM unnest($1::text[]) AS _(key) \
                   ORDER BY 1) AS keys";
        transaction.query(sql, &[&keys]).await?;
    }
    Ok(())
}

/// The ids that the current records of these things share with their generations.
pub async fn matched_ids_of(
    executor: &dyn Executor,
    tenant: &Tenant,
    wanted: &Predicate,
) -> Result<HashMap<String, MatchedId>, StoreError> {
    let mut sql = Sql::default();
    sql.push(&format!(
        "SELECT {EXTERNAL_ID} AS external_id, ({})::uuid AS matched_id FROM {}.source_record",
        text_at("matchedId"),
        tenant.schema()
    ));
    let predicate = Predicate::All(vec![wanted.clone(), current(false)]);
    sql.filter(tenant.schema(), &predicate);
    let rows = executor.rows(&sql.text, &sql.bound()).await?;
    let known = rows.iter().filter_map(|row| {
        let external: Option<String> = row.get("external_id");
        Some((external?, row.get("matched_id")))
    });
    Ok(known.collect())
}

/// The newest generation of each of these.
pub async fn newest_generations(
    executor: &dyn Executor,
    tenant: &Tenant,
    matched_ids: &[MatchedId],
) -> Result<HashMap<MatchedId, i64>, StoreError> {
    let sql = format!(
        "SELECT ({})::uuid AS matched_id, max((jsonb->>'generation')::bigint) AS newest \
         FROM {}.source_record WHERE {} = ANY($1) GROUP BY 1",
        text_at("matchedId"),
        tenant.schema(),
        by_matched_id()
    );
    let rows = executor.rows(&sql, &[&texts(matched_ids)]).await?;
    Ok(rows
        .iter()
        .map(|row| (row.get("matched_id"), row.get("newest")))
        .collect())
}

/// Makes the current generations of these old ones.
pub async fn retire_all(
    executor: &dyn Executor,
    tenant: &Tenant,
    matched_ids: &[MatchedId],
    stamp: &Stamp,
) -> Result<(), StoreError> {
    let table = format!("{}.source_record", tenant.schema());
    // Locked in the order of ids, so that two batches cannot deadlock.
    let sql = format!(
        "UPDATE {table} SET jsonb = jsonb || jsonb_build_object('state', 'OLD', \
         'metadata', coalesce(jsonb->'metadata', '{{}}') || $2::jsonb) \
         WHERE id IN (SELECT id FROM {table} WHERE {} = ANY($1) \
         AND jsonb->>'state' IN ('ACTUAL', 'DELETED') ORDER BY id FOR NO KEY UPDATE)",
        by_matched_id()
    );
    executor
        .rows(&sql, &[&texts(matched_ids), &stamp.updated()])
        .await?;
    Ok(())
}

fn texts(ids: &[MatchedId]) -> Vec<String> {
    ids.iter().map(MatchedId::to_string).collect()
}

/// Which of these human-readable ids no bibliographic record has, each once.
pub async fn unknown_hrids(
    executor: &dyn Executor,
    tenant: &Tenant,
    hrids: &[String],
) -> Result<Vec<String>, StoreError> {
    let known = crate::search::HRID_KEY.as_str();
    let sql = format!(
        "SELECT DISTINCT asked.hrid COLLATE \"C\" AS hrid FROM unnest($1::text[]) AS asked(hrid) \
         WHERE NOT EXISTS (SELECT FROM {}.source_record WHERE {known} = lower(asked.hrid) \
         AND jsonb->>'recordType' = 'MARC_BIB') ORDER BY 1",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&hrids]).await?;
    Ok(rows.iter().map(|row| row.get("hrid")).collect())
}

/// What remains of the records of a statement when only fields between some tags are shown.
#[must_use]
pub fn stripped(schema: &str, wanted: &Predicate, ranges: &[(String, String)], limit: i64) -> Sql {
    use octavo_records::plan::Parameter;
    let mut sql = Sql::default();
    let content = "jsonb->'parsedRecord'->'content'";
    sql.push(
        "SELECT jsonb_strip_nulls(jsonb_build_object('id', id, \
         'externalIdsHolder', jsonb->'externalIdsHolder', 'recordType', jsonb->'recordType', \
         'recordState', jsonb->'state')) || CASE WHEN jsonb ? 'parsedRecord' THEN \
         jsonb_build_object('parsedRecord', jsonb_build_object('id', id, 'content', ",
    );
    if ranges.is_empty() {
        sql.push(content);
    } else {
        // Records that are not MARC have no fields to filter.
        sql.push(&format!(
            "CASE WHEN jsonb_typeof({content}->'fields') = 'array' THEN \
             jsonb_set({content}, '{{fields}}', (SELECT coalesce(jsonb_agg(field ORDER BY at), \
             '[]') FROM jsonb_array_elements({content}->'fields') WITH ORDINALITY AS _(field, at) \
             WHERE EXISTS (SELECT FROM jsonb_object_keys(CASE WHEN jsonb_typeof(field) = 'object' \
             THEN field ELSE '{{}}' END) AS _(tag) WHERE "
        ));
        for (at, (from, to)) in ranges.iter().enumerate() {
            sql.push(if at == 0 { "" } else { " OR " });
            sql.push("tag COLLATE \"C\" BETWEEN ");
            sql.bind(Parameter::Text(from.clone()), "text");
            sql.push(" AND ");
            sql.bind(Parameter::Text(to.clone()), "text");
        }
        sql.push(&format!("))) ELSE {content} END"));
    }
    sql.push(&format!(
        ")) ELSE '{{}}' END AS jsonb FROM {schema}.source_record"
    ));
    sql.filter(schema, wanted);
    sql.push(" LIMIT ");
    sql.bind(Parameter::Integer(limit), "bigint");
    sql
}

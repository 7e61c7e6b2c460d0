//! Existing records: candidates of matches, and reference lists of profiles.

use octavo_library::MatchedId;
use octavo_marc::Record;
use octavo_postgres::Transaction;
use octavo_records::plan::{Plan, Sql};
use octavo_records::{Collection, Executor, StoreError, Tenant};
use octavo_source_records::terms::only_digits;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::rules::mapping_profile::Accepted;
use crate::rules::match_profile::MarcPath;

/// Maximal number of candidates: more than one match is an error anyway.
const CANDIDATES_MAX: usize = 200;
/// Maximal number of holdings or items below one record: a serial has many.
const BELOW_MAX: usize = 10_000;

/// Candidates of a match.
#[derive(Debug)]
pub(crate) struct Candidates<T> {
    pub all: Vec<T>,
    /// Whether there are more.
    pub is_cut: bool,
}

impl<T> Default for Candidates<T> {
    fn default() -> Candidates<T> {
        Candidates {
            all: Vec::new(),
            is_cut: false,
        }
    }
}

impl<T> Candidates<T> {
    /// From records read with a limit of `most` plus one.
    fn of(mut all: Vec<T>, most: usize) -> Candidates<T> {
        let is_cut = all.len() > most;
        all.truncate(most);
        Candidates { all, is_cut }
    }
}

/// The documents of a query.
pub(crate) async fn documents(
    transaction: &Transaction,
    tenant: &Tenant,
    collection: &Collection,
    plan: &Plan,
) -> Result<Candidates<Value>, StoreError> {
    let most = CANDIDATES_MAX as i64 + 1;
    let sql = Sql::page(tenant.schema(), &collection.table, plan, most, 0);
    let rows = transaction.rows(&sql.text, &sql.bound()).await?;
    let all = rows.iter().map(|row| row.get("jsonb")).collect();
    Ok(Candidates::of(all, CANDIDATES_MAX))
}

/// A current source record: the described record's id, the id that its generations share, and its MARC.
#[derive(Debug)]
pub(crate) struct Source {
    pub external: Option<Uuid>,
    pub matched: Option<MatchedId>,
    pub record: Record,
}

/// A search in MARC records.
#[derive(Debug)]
pub(crate) struct LookedFor<'a> {
    pub record_type: &'static str,
    pub place: &'a MarcPath,
    /// The values, one of which must be present.
    pub values: &'a [String],
    /// The search terms of these values.
    pub terms: Vec<i64>,
    /// Whether parts of values (digits) are compared.
    pub is_part: bool,
}

/// The current source records of a type with one of these values at a path. Found by search terms;
/// records still queued for terms, including those written by this transaction, are compared directly.
pub(crate) async fn sources(
    transaction: &Transaction,
    tenant: &Tenant,
    wanted: LookedFor<'_>,
) -> Result<Candidates<Source>, StoreError> {
    let LookedFor { place, values, .. } = wanted;
    let tag = &place.tag;
    let in_field = |value: &String| match place.code {
        Some(code) if !tag.starts_with("00") => {
            json!([{tag: {"subfields": [{code.to_string(): value}]}}])
        }
        _ => json!([{tag: value}]),
    };
    let whole: Vec<Value> = values.iter().map(in_field).collect();
    let digits: Vec<String> = values.iter().map(|value| only_digits(value)).collect();
    let path = format!("$.parsedRecord.content.fields[*].\"{tag}\".subfields[*].*");
    let schema = tenant.schema();
    let sql = format!(
        "SELECT {SOURCE} FROM {schema}.source_record WHERE jsonb->>'state' = 'ACTUAL' AND \
         jsonb->>'recordType' = $1 AND id IN (SELECT id FROM {schema}.marc_term WHERE terms && $2 \
         UNION ALL SELECT id FROM {schema}.marc_untermed) AND CASE WHEN $3 THEN \
         EXISTS (SELECT FROM jsonb_path_query(jsonb, $4::text::jsonpath) AS at(value) \
         WHERE regexp_replace(at.value #>> '{{}}', '[^0-9]', '', 'g') = ANY($5)) \
         ELSE jsonb->'parsedRecord'->'content'->'fields' @> ANY($6::jsonb[]) END LIMIT $7"
    );
    let most = CANDIDATES_MAX as i64 + 1;
    let rows = transaction
        .rows(
            &sql,
            &[
                &wanted.record_type,
                &wanted.terms,
                &wanted.is_part,
                &path,
                &digits,
                &whole,
                &most,
            ],
        )
        .await?;
    let all = rows.iter().filter_map(source).collect();
    Ok(Candidates::of(all, CANDIDATES_MAX))
}

/// The current source record of an instance, holdings record or authority.
pub(crate) async fn source_of(
    executor: &dyn Executor,
    tenant: &Tenant,
    property: &'static str,
    id: Uuid,
) -> Result<Option<Source>, StoreError> {
    let sql = format!(
        "SELECT {SOURCE} FROM {}.source_record WHERE jsonb->>'state' = 'ACTUAL' AND {} = $1 LIMIT 1",
        tenant.schema(),
        octavo_source_records::store::described_by(property)
    );
    let rows = executor.rows(&sql, &[&id.to_string()]).await?;
    Ok(rows.first().and_then(source))
}

const SOURCE: &str = "coalesce(jsonb->'externalIdsHolder'->>'instanceId', \
    jsonb->'externalIdsHolder'->>'holdingsId', \
    jsonb->'externalIdsHolder'->>'authorityId')::uuid AS external, \
    (jsonb->>'matchedId')::uuid AS matched, jsonb->'parsedRecord'->'content' AS content";

fn source(row: &octavo_postgres::Row) -> Option<Source> {
    let content: Option<Value> = row.get("content");
    Some(Source {
        external: row.get("external"),
        matched: row.get("matched"),
        record: Record::from_json(&content?).ok()?,
    })
}

/// The scope of a search after an earlier match.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Above<'a> {
    /// Only this record.
    Itself(Uuid),
    /// Holdings of this instance.
    Instance(Uuid),
    /// Items of these holdings.
    Holdings(&'a [Uuid]),
    /// Items of this instance.
    InstanceOfHoldings(Uuid),
}

/// The matched record, or those below it, sorted by HRID.
pub(crate) async fn below(
    transaction: &Transaction,
    tenant: &Tenant,
    table: &'static str,
    above: Above<'_>,
) -> Result<Candidates<Value>, StoreError> {
    let schema = tenant.schema();
    let (column, ids) = match above {
        Above::Itself(id) => ("id = ANY($1)".to_owned(), vec![id]),
        Above::Instance(id) => ("instanceid = ANY($1)".to_owned(), vec![id]),
        Above::Holdings(ids) => ("holdingsrecordid = ANY($1)".to_owned(), ids.to_vec()),
        Above::InstanceOfHoldings(id) => (
            format!(
                "holdingsrecordid IN (SELECT id FROM {schema}.holdings_record \
                 WHERE instanceid = ANY($1))"
            ),
            vec![id],
        ),
    };
    let sql = format!(
        "SELECT jsonb FROM {schema}.{table} WHERE {column} ORDER BY jsonb->>'hrid', id LIMIT $2"
    );
    let most = BELOW_MAX as i64 + 1;
    let rows = transaction.rows(&sql, &[&ids, &most]).await?;
    let all = rows.iter().map(|row| row.get("jsonb")).collect();
    Ok(Candidates::of(all, BELOW_MAX))
}

/// The reference lists of mapping profiles, by name and code.
pub(crate) async fn accepted(
    executor: &dyn Executor,
    tenant: &Tenant,
    lists: &[&str],
) -> Result<Accepted, StoreError> {
    let mut accepted = Accepted::default();
    let selects: Vec<String> = lists
        .iter()
        .map(|table| {
            format!(
                "(SELECT '{table}' AS list, id::text, \
                 coalesce(jsonb->>'name', jsonb->>'value', '') AS name, \
                 coalesce(jsonb->>'code', '') AS code FROM {}.{table} LIMIT 20000)",
                tenant.schema()
            )
        })
        .collect();
    let rows = executor.rows(&selects.join(" UNION ALL "), &[]).await?;
    for row in &rows {
        let list: &str = row.get("list");
        accepted.insert(list, row.get("id"), row.get("name"), row.get("code"));
    }
    Ok(accepted)
}

/// Removes all file extensions.
pub(crate) async fn clear_extensions(
    transaction: &Transaction,
    tenant: &Tenant,
) -> Result<(), StoreError> {
    let sql = format!("DELETE FROM {}.file_extension", tenant.schema());
    transaction.rows(&sql, &[]).await?;
    Ok(())
}

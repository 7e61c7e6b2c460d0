//! What a library has already: records that are looked for, and the names of what profiles name.

use octavo_marc::Record;
use octavo_postgres::Transaction;
use octavo_records::plan::{Plan, Sql};
use octavo_records::{Collection, Executor, StoreError, Tenant};
use octavo_source_records::expression::Tag;
use octavo_source_records::terms;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::rules::details::{Accepted, LISTS};
use crate::rules::matching::{Criterion, Part, Place};

/// Records that are looked at to find one: more than one that fits is an error anyhow.
pub(crate) const CANDIDATES_MAX: i64 = 200;

/// The documents that a query finds: one more than are looked at, if there are more.
pub(crate) async fn documents(
    transaction: &Transaction,
    tenant: &Tenant,
    collection: &Collection,
    plan: &Plan,
) -> Result<Vec<Value>, StoreError> {
    let sql = Sql::page(
        tenant.schema(),
        &collection.table,
        plan,
        CANDIDATES_MAX + 1,
        0,
    );
    let rows = transaction.rows(&sql.text, &sql.bound()).await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

/// A current source record: the thing that it describes, and its MARC.
#[derive(Debug)]
pub(crate) struct Source {
    pub external: Option<Uuid>,
    pub record: Record,
}

/// The current source records of a type that have one of these values at a place. What is kept of records
/// for searching gives them, and those of which that is still to be made are looked at themselves: what
/// this transaction has written is among them. One more than are looked at, if there are more.
pub(crate) async fn sources(
    transaction: &Transaction,
    tenant: &Tenant,
    record_type: &str,
    place: &Place,
    values: &[String],
) -> Result<Vec<Source>, StoreError> {
    let code = match (place.tag.starts_with("00"), place.code) {
        (true, _) => '0',
        (false, Some(code)) => code,
        // A data field has its values in subfields.
        (false, None) => return Ok(Vec::new()),
    };
    let Some(tag) = Tag::new(&place.tag) else {
        return Ok(Vec::new());
    };
    // Only tags of digits are kept for searching.
    let Some(kept) = octavo_source_records::expression::Tag::new(&place.tag) else {
        return Ok(Vec::new());
    };
    let terms: Vec<i64> = values
        .iter()
        .map(|value| terms::value(kept, terms::code_kept(code), value))
        .collect();
    let wanted: Vec<Value> = values
        .iter()
        .map(|value| match tag.is_control() {
            true => json!([{&place.tag: value}]),
            false => json!([{&place.tag: {"subfields": [{code.to_string(): value}]}}]),
        })
        .collect();
    let schema = tenant.schema();
    let sql = format!(
        "SELECT {SOURCE} FROM {schema}.source_record WHERE jsonb->>'state' = 'ACTUAL' AND \
         jsonb->>'recordType' = $1 AND id IN (SELECT id FROM {schema}.marc_term WHERE terms && $4 \
         UNION ALL SELECT id FROM {schema}.marc_untermed) \
         AND jsonb->'parsedRecord'->'content'->'fields' @> ANY($2::jsonb[]) LIMIT $3"
    );
    let rows = transaction
        .rows(
            &sql,
            &[&record_type, &wanted, &(CANDIDATES_MAX + 1), &terms],
        )
        .await?;
    Ok(rows.iter().filter_map(source).collect())
}

/// The current source record of an instance, holdings record or authority.
pub(crate) async fn source_of(
    executor: &impl Executor,
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
    jsonb->'externalIdsHolder'->>'holdingsId', jsonb->'externalIdsHolder'->>'authorityId')::uuid, \
    jsonb->'parsedRecord'->'content'";

fn source(row: &octavo_postgres::Row) -> Option<Source> {
    let content: Option<Value> = row.get(1);
    Some(Source {
        external: row.get(0),
        record: Record::from_json(&content?).ok()?,
    })
}

/// The holdings of an instance, or the items of holdings, with a property that compares with one of these
/// values; one more than are looked at, if there are more. There may be thousands below: PostgreSQL reads
/// them, and gives those only that may fit.
pub(crate) async fn below(
    transaction: &Transaction,
    tenant: &Tenant,
    table: &'static str,
    above: &[Uuid],
    wanted: Wanted<'_>,
) -> Result<Vec<Value>, StoreError> {
    let column = if table == "item" {
        "holdingsrecordid"
    } else {
        "instanceid"
    };
    let sql = format!(
        "SELECT jsonb FROM {}.{table} AS below WHERE {column} = ANY($1) AND EXISTS (SELECT 1 FROM \
         jsonb_path_query(below.jsonb, $2::text::jsonpath) AS found(value), unnest($3::text[]) AS wanted, \
         LATERAL (SELECT ({}) COLLATE \"C\" AS known) AS _ WHERE known <> '' AND {}) LIMIT $4",
        tenant.schema(),
        compared(wanted.part),
        comparison(wanted.criterion),
    );
    let limit = CANDIDATES_MAX + 1;
    let rows = transaction
        .rows(&sql, &[&above, &wanted.path, &wanted.values, &limit])
        .await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

/// What is looked for below a record.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted<'a> {
    /// Where the values are, as PostgreSQL writes paths.
    pub path: &'a str,
    pub criterion: Criterion,
    /// What of the values is compared.
    pub part: Part,
    pub values: &'a [String],
}

/// What of an existing value is compared.
fn compared(part: Part) -> &'static str {
    match part {
        Part::Whole => "found.value #>> '{}'",
        Part::Digits => "regexp_replace((found.value #>> '{}') COLLATE \"C\", '[^0-9]', '', 'g')",
        Part::Alphanumerics => {
            "regexp_replace((found.value #>> '{}') COLLATE \"C\", '[^0-9A-Za-z]', '', 'g')"
        }
    }
}

fn comparison(criterion: Criterion) -> &'static str {
    match criterion {
        Criterion::Exactly => "known = wanted",
        Criterion::ExistingContains => "strpos(known, wanted) > 0",
        Criterion::ExistingBegins => "starts_with(known, wanted)",
        Criterion::ExistingEnds => "right(known, length(wanted)) = wanted",
        Criterion::IncomingContains => "strpos(wanted, known) > 0",
        Criterion::IncomingBegins => "starts_with(wanted, known)",
        Criterion::IncomingEnds => "right(wanted, length(known)) = known",
    }
}

/// The lists that mapping profiles name records of, by name and code.
pub(crate) async fn accepted(
    executor: &impl Executor,
    tenant: &Tenant,
) -> Result<Accepted, StoreError> {
    let mut accepted = Accepted::default();
    let selects: Vec<String> = LISTS
        .iter()
        .map(|table| {
            format!(
                "(SELECT '{table}', id::text, coalesce(jsonb->>'name', jsonb->>'value', ''), \
                 coalesce(jsonb->>'code', '') FROM {}.{table} LIMIT 20000)",
                tenant.schema()
            )
        })
        .collect();
    let rows = executor.rows(&selects.join(" UNION ALL "), &[]).await?;
    for row in &rows {
        accepted.insert(row.get::<_, &str>(0), row.get(1), row.get(2), row.get(3));
    }
    Ok(accepted)
}

/// Removes all file endings.
pub(crate) async fn clear_extensions(
    transaction: &Transaction,
    tenant: &Tenant,
) -> Result<(), StoreError> {
    let sql = format!("DELETE FROM {}.file_extension", tenant.schema());
    transaction.rows(&sql, &[]).await?;
    Ok(())
}

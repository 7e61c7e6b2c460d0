//! Which records use which statistical codes, subject sources and subject types. Triggers keep the
//! tables; records from before the tables came are gone through portion by portion.

use octavo_postgres::Transaction;
use octavo_records::{Executor, StoreError, Tenant};
use uuid::Uuid;

/// Records that one portion goes through.
const PORTION: i64 = 2_000;

/// A way in which records of a table refer to those of another.
struct Use {
    /// The table of the records.
    of: &'static str,
    /// The list that they refer in.
    list: &'static str,
    /// The ids in one of its elements, as SQL over `element`.
    id: &'static str,
    /// The table that is referred to.
    to: &'static str,
    /// The table that keeps who refers to what, and its columns.
    kept: &'static str,
    columns: (&'static str, &'static str),
}

const USES: [Use; 5] = [
    Use {
        of: "instance",
        list: "statisticalCodeIds",
        id: "element #>> '{}'",
        to: "statistical_code",
        kept: "instance_statistical_code",
        columns: ("instance_id", "statistical_code_id"),
    },
    Use {
        of: "instance",
        list: "subjects",
        id: "element ->> 'sourceId'",
        to: "subject_source",
        kept: "instance_subject_source",
        columns: ("instance_id", "source_id"),
    },
    Use {
        of: "instance",
        list: "subjects",
        id: "element ->> 'typeId'",
        to: "subject_type",
        kept: "instance_subject_type",
        columns: ("instance_id", "type_id"),
    },
    Use {
        of: "holdings_record",
        list: "statisticalCodeIds",
        id: "element #>> '{}'",
        to: "statistical_code",
        kept: "holdings_record_statistical_code",
        columns: ("holdings_record_id", "statistical_code_id"),
    },
    Use {
        of: "item",
        list: "statisticalCodeIds",
        id: "element #>> '{}'",
        to: "statistical_code",
        kept: "item_statistical_code",
        columns: ("item_id", "statistical_code_id"),
    },
];

/// Holds a record that is to be deleted, so that nothing new can refer to it; whether it exists.
///
/// # Errors
/// When the database does not answer.
pub async fn lock(
    transaction: &Transaction,
    tenant: &Tenant,
    table: &'static str,
    id: Uuid,
) -> Result<bool, StoreError> {
    let sql = format!(
        "SELECT FROM {}.{table} WHERE id = $1 FOR UPDATE",
        tenant.schema()
    );
    Ok(!transaction.query(&sql, &[&id]).await?.is_empty())
}

/// The table of which a record that has not been gone through yet refers to this one. It reads those
/// tables whole, so it is asked only by who deletes, and only until they have been gone through.
///
/// # Errors
/// When the database does not answer.
pub async fn used_by_unfilled(
    transaction: &Transaction,
    tenant: &Tenant,
    table: &'static str,
    id: Uuid,
) -> Result<Option<&'static str>, StoreError> {
    let unfilled = unfilled(transaction, tenant).await?;
    for way in USES.iter().filter(|way| way.to == table) {
        let Some((_, after)) = unfilled.iter().find(|(of, _)| of == way.of) else {
            continue;
        };
        let sql = format!(
            "SELECT EXISTS (SELECT FROM {schema}.{of} AS record WHERE record.id > $2 \
             AND EXISTS (SELECT FROM {elements} WHERE lower({id}) = $1))",
            schema = tenant.schema(),
            of = way.of,
            elements = elements("record.jsonb", way.list),
            id = way.id,
        );
        let rows = transaction.query(&sql, &[&id.to_string(), after]).await?;
        if rows.first().is_some_and(|row| row.get(0)) {
            return Ok(Some(way.kept));
        }
    }
    Ok(None)
}

/// The tables that have not been gone through to their end, each with the last id that was.
///
/// # Errors
/// When the database does not answer.
pub async fn unfilled(
    executor: &impl Executor,
    tenant: &Tenant,
) -> Result<Vec<(String, Uuid)>, StoreError> {
    let sql = format!(
        "SELECT of, after FROM {}.reference_fill WHERE NOT done ORDER BY of",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[]).await?;
    Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
}

/// Goes through the next records of a table; says whether it has come to the end. Records that refer
/// to something are held meanwhile, so that their triggers come wholly before or wholly after; ids
/// that lead nowhere are passed over.
///
/// # Errors
/// When the database does not answer.
pub async fn fill(
    transaction: &Transaction,
    tenant: &Tenant,
    of: &str,
) -> Result<bool, StoreError> {
    let schema = tenant.schema();
    let sql =
        format!("SELECT after FROM {schema}.reference_fill WHERE of = $1 AND NOT done FOR UPDATE");
    let rows = transaction.query(&sql, &[&of]).await?;
    let Some(row) = rows.first() else {
        return Ok(true);
    };
    let after: Uuid = row.get(0);
    let Some(table) = USES.iter().map(|way| way.of).find(|table| *table == of) else {
        return Ok(true);
    };
    let sql = format!("SELECT id FROM {schema}.{table} WHERE id > $1 ORDER BY id LIMIT $2");
    let rows = transaction.query(&sql, &[&after, &PORTION]).await?;
    let ids: Vec<Uuid> = rows.iter().map(|row| row.get(0)).collect();
    for way in USES.iter().filter(|way| way.of == of) {
        let (own, other) = way.columns;
        let sql = format!(
            "WITH held AS MATERIALIZED (SELECT id, jsonb FROM {schema}.{table} \
             WHERE id = ANY($1) AND jsonb->'{list}' <> '[]' ORDER BY id FOR SHARE) \
             INSERT INTO {schema}.{kept} ({own}, {other}) \
             SELECT DISTINCT held.id, target.id FROM held CROSS JOIN LATERAL {elements} \
             JOIN {schema}.{to} AS target ON target.id::text = lower({id}) \
             ON CONFLICT DO NOTHING",
            list = way.list,
            kept = way.kept,
            to = way.to,
            elements = elements("held.jsonb", way.list),
            id = way.id,
        );
        transaction.execute(&sql, &[&ids]).await?;
    }
    let done = (ids.len() as i64) < PORTION;
    let last = ids.last().copied().unwrap_or(after);
    let sql = format!("UPDATE {schema}.reference_fill SET after = $2, done = $3 WHERE of = $1");
    transaction.execute(&sql, &[&of, &last, &done]).await?;
    Ok(done)
}

/// The elements of a list in a document, none where it is no list.
fn elements(document: &str, list: &str) -> String {
    format!(
        "jsonb_array_elements(CASE WHEN jsonb_typeof({document}->'{list}') = 'array' \
         THEN {document}->'{list}' ELSE '[]' END) AS named(element)"
    )
}

//! References of records to statistical codes, subject sources and subject types. Triggers maintain the
//! tables; older records are backfilled in portions.

use octavo_boxed::boxed;
use octavo_postgres::Transaction;
use octavo_records::store::backfill::{Backfill, Portion, unfilled};
use octavo_records::{StoreError, Tenant};
use uuid::Uuid;

/// Records in a portion of the backfill.
const PORTION: i64 = 2_000;

/// A kind of reference.
struct Use {
    /// The table of the records.
    of: &'static str,
    /// The property with the list.
    list: &'static str,
    /// The ids in one of its elements, as SQL over `element`.
    id: &'static str,
    /// The table that is referred to.
    to: &'static str,
    /// The reference table and its columns.
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

/// Locks a record before its deletion, so that no new reference can be written; returns whether it
/// exists.
#[boxed]
pub async fn lock(
    transaction: &Transaction,
    tenant: &Tenant,
    table: &'static str,
    id: Uuid,
) -> Result<bool, StoreError> {
    // Only `FOR UPDATE` conflicts with the `FOR KEY SHARE` of a foreign key's check.
    let sql = format!(
        "SELECT FROM {}.{table} WHERE id = $1 FOR UPDATE",
        tenant.schema()
    );
    Ok(!transaction.query(&sql, &[&id]).await?.is_empty())
}

/// The table of a record that refers to this one, in FOLIO's order of checking: items, holdings,
/// instances.
#[boxed]
pub async fn used_by(
    transaction: &Transaction,
    tenant: &Tenant,
    table: &'static str,
    id: Uuid,
) -> Result<Option<&'static str>, StoreError> {
    let unfilled = unfilled::<Fill>(transaction, tenant).await?;
    for way in USES.iter().rev().filter(|way| way.to == table) {
        let sql = format!(
            "SELECT EXISTS (SELECT FROM {}.{} WHERE {} = $1) AS used",
            tenant.schema(),
            way.kept,
            way.columns.1
        );
        let rows = transaction.query(&sql, &[&id]).await?;
        let mut used = rows.first().is_some_and(|row| row.get("used"));
        if let Some(left) = unfilled
            .iter()
            .find(|left| left.kind == way.of)
            .filter(|_| !used)
        {
            used = used_behind(transaction, tenant, way, id, left.after).await?;
        }
        if used {
            return Ok(Some(way.kept));
        }
    }
    Ok(None)
}

/// The same among records that are not backfilled yet. It scans their table, so it is used only by
/// deletions until the backfill is complete.
async fn used_behind(
    transaction: &Transaction,
    tenant: &Tenant,
    way: &Use,
    id: Uuid,
    after: Uuid,
) -> Result<bool, StoreError> {
    let sql = format!(
        "SELECT EXISTS (SELECT FROM {schema}.{of} AS record WHERE record.id > $2 \
         AND EXISTS (SELECT FROM {elements} WHERE lower({id}) = $1)) AS found",
        schema = tenant.schema(),
        of = way.of,
        elements = elements("record.jsonb", way.list),
        id = way.id,
    );
    let rows = transaction.query(&sql, &[&id.to_string(), &after]).await?;
    Ok(rows.first().is_some_and(|row| row.get("found")))
}

/// Backfills the reference tables for older records. Records with references are locked meanwhile, so
/// that their triggers run entirely before or after; dangling ids are ignored.
pub struct Fill;

impl Backfill for Fill {
    const TABLE: &'static str = "reference_fill";
    const KIND: &'static str = "of";

    async fn portion(
        &self,
        transaction: &Transaction,
        tenant: &Tenant,
        of: &str,
        after: Uuid,
    ) -> Result<Portion, StoreError> {
        let schema = tenant.schema();
        let Some(table) = USES.iter().map(|way| way.of).find(|table| *table == of) else {
            return Ok(Portion::of(&[], PORTION));
        };
        let sql = format!("SELECT id FROM {schema}.{table} WHERE id > $1 ORDER BY id LIMIT $2");
        let rows = transaction.query(&sql, &[&after, &PORTION]).await?;
        let ids: Vec<Uuid> = rows.iter().map(|row| row.get("id")).collect();
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
        Ok(Portion::of(&ids, PORTION))
    }
}

/// SQL: the elements of a list in a document; none if it is not a list.
fn elements(document: &str, list: &str) -> String {
    format!(
        "jsonb_array_elements(CASE WHEN jsonb_typeof({document}->'{list}') = 'array' \
         THEN {document}->'{list}' ELSE '[]' END) AS named(element)"
    )
}

//! The statements: definitions of custom fields, and the values that records have of them.

use octavo_library::CustomFieldId;
use octavo_postgres::{RawJson, Transaction};
use octavo_records::{Executor, StoreError, Tenant};
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::Holder;
use crate::rules::definition::Definition;

/// Locks the definitions against concurrent changes until the transaction ends. Readers do not wait.
pub async fn lock(
    transaction: &Transaction,
    tenant: &Tenant,
    table: &str,
) -> Result<(), StoreError> {
    // This mode conflicts with itself and with writes, but not with reads.
    let sql = format!(
        "LOCK TABLE {}.{table} IN SHARE ROW EXCLUSIVE MODE",
        tenant.schema()
    );
    Ok(transaction.batch_execute(&sql).await?)
}

/// The definitions of these references, locked against changes until the transaction ends.
pub async fn hold(
    executor: &dyn Executor,
    tenant: &Tenant,
    table: &str,
    references: &[String],
) -> Result<Vec<Definition>, StoreError> {
    if references.is_empty() {
        return Ok(Vec::new());
    }
    // `FOR SHARE`: writers of values do not wait for each other, and a change of a definition waits for
    // them.
    let sql = format!(
        "SELECT jsonb FROM {}.{table} WHERE (jsonb->>'refId') COLLATE \"C\" = ANY($1) \
         ORDER BY id FOR SHARE",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&references]).await?;
    Ok(rows
        .iter()
        .map(|row| definition(row.get("jsonb")))
        .collect())
}

/// All definitions in their order, locked against writers of values.
pub async fn all(
    transaction: &Transaction,
    tenant: &Tenant,
    table: &str,
) -> Result<Vec<(CustomFieldId, Definition)>, StoreError> {
    // `FOR UPDATE` waits for the writers of values, who hold these rows `FOR SHARE`.
    let sql = format!(
        "SELECT id, jsonb FROM {}.{table} \
         ORDER BY public.octavo_number(jsonb->'order'), id FOR UPDATE",
        tenant.schema()
    );
    let rows = transaction.query(&sql, &[]).await?;
    Ok(rows
        .iter()
        .map(|row| (row.get("id"), definition(row.get("jsonb"))))
        .collect())
}

fn definition(value: Value) -> Definition {
    match value {
        Value::Object(definition) => definition,
        _ => Map::new(),
    }
}

/// Stores definitions, new ones and changed ones.
pub async fn store(
    transaction: &Transaction,
    tenant: &Tenant,
    table: &str,
    definitions: &[(CustomFieldId, Definition)],
) -> Result<(), StoreError> {
    let ids: Vec<CustomFieldId> = definitions.iter().map(|(id, _)| *id).collect();
    let bodies: Vec<Value> = definitions
        .iter()
        .map(|(_, one)| Value::Object(one.clone()))
        .collect();
    let sql = format!(
        "INSERT INTO {}.{table} (id, jsonb) SELECT * FROM unnest($1::uuid[], $2::jsonb[]) \
         ON CONFLICT (id) DO UPDATE SET jsonb = excluded.jsonb",
        tenant.schema()
    );
    transaction.query(&sql, &[&ids, &bodies]).await?;
    Ok(())
}

/// Removes definitions.
pub async fn remove(
    transaction: &Transaction,
    tenant: &Tenant,
    table: &str,
    ids: &[CustomFieldId],
) -> Result<(), StoreError> {
    let sql = format!("DELETE FROM {}.{table} WHERE id = ANY($1)", tenant.schema());
    transaction.execute(&sql, &[&ids]).await?;
    Ok(())
}

/// The number of records that have a value of a field.
pub async fn count_values(
    executor: &dyn Executor,
    tenant: &Tenant,
    holder: &Holder,
    reference: &str,
) -> Result<i64, StoreError> {
    let sql = format!(
        "SELECT count(*) FROM {}.{} WHERE {} ? $1",
        tenant.schema(),
        holder.table,
        holder.values
    );
    let rows = executor.rows(&sql, &[&reference]).await?;
    Ok(rows.first().map_or(0, |row| row.get("count")))
}

/// The number of records that have an option of a field.
pub async fn count_option(
    executor: &dyn Executor,
    tenant: &Tenant,
    holder: &Holder,
    (reference, option): (&str, &str),
) -> Result<i64, StoreError> {
    let sql = format!(
        "SELECT count(*) FROM {}.{} WHERE {}",
        tenant.schema(),
        holder.table,
        has_any(holder)
    );
    let options = vec![option.to_owned()];
    let rows = executor.rows(&sql, &[&reference, &options]).await?;
    Ok(rows.first().map_or(0, |row| row.get("count")))
}

/// Whether a record has one of the options `$2` of the field `$1`, alone or among others.
fn has_any(holder: &Holder) -> String {
    format!(
        "{} @> ANY (ARRAY(\
         SELECT jsonb_build_object($1::text, one.id) FROM unnest($2::text[]) AS one(id) UNION ALL \
         SELECT jsonb_build_object($1::text, jsonb_build_array(one.id)) FROM unnest($2::text[]) AS one(id)))",
        holder.values
    )
}

/// Opens a cursor on the records that have a value of a field, or one of these options of it. The search
/// runs once; [`next_holders`] reads its result in portions.
pub async fn find_holders(
    transaction: &Transaction,
    tenant: &Tenant,
    holder: &Holder,
    reference: &str,
    options: Option<&[String]>,
) -> Result<(), StoreError> {
    let records = format!("{}.{}", tenant.schema(), holder.table);
    let declare = format!(
        "DECLARE octavo_holders NO SCROLL CURSOR FOR \
         SELECT id, jsonb->'customFields'->$1::text AS value FROM {records} WHERE"
    );
    let values = holder.values;
    match options {
        None => {
            let sql = format!("{declare} {values} ? $1 FOR NO KEY UPDATE");
            transaction.execute(&sql, &[&reference]).await?;
        }
        Some(options) => {
            let sql = format!("{declare} {} FOR NO KEY UPDATE", has_any(holder));
            transaction.execute(&sql, &[&reference, &options]).await?;
        }
    }
    Ok(())
}

/// The next portion of [`find_holders`], with the values of the field, locked; empty at the end.
pub async fn next_holders(
    transaction: &Transaction,
    most: u32,
) -> Result<Vec<(Uuid, Value)>, StoreError> {
    let sql = format!("FETCH {most} FROM octavo_holders");
    let rows = transaction.query(&sql, &[]).await?;
    if rows.is_empty() {
        transaction.batch_execute("CLOSE octavo_holders").await?;
    }
    Ok(rows
        .iter()
        .map(|row| (row.get("id"), row.get("value")))
        .collect())
}

/// Sets records' values of a field, JSON's null for removal; `now` becomes the date of their last change, where
/// they have one.
pub async fn set_values(
    transaction: &Transaction,
    tenant: &Tenant,
    holder: &Holder,
    reference: &str,
    values: &[(Uuid, Value)],
    now: Option<&str>,
) -> Result<(), StoreError> {
    let ids: Vec<Uuid> = values.iter().map(|(id, _)| *id).collect();
    let texts: Vec<String> = values.iter().map(|(_, value)| value.to_string()).collect();
    let bodies: Vec<RawJson<'_>> = texts.iter().map(|text| RawJson(text.as_bytes())).collect();
    let path = "ARRAY['customFields', $1]";
    let sql = format!(
        "UPDATE {}.{} AS target SET jsonb = (CASE WHEN given.value = 'null' \
         THEN target.jsonb #- {path} ELSE jsonb_set(target.jsonb, {path}, given.value) END) \
         || jsonb_strip_nulls(jsonb_build_object($5::text, $4::text)) \
         FROM unnest($2::uuid[], $3::jsonb[]) AS given(id, value) WHERE target.id = given.id",
        tenant.schema(),
        holder.table
    );
    let now = now.filter(|_| holder.dated.is_some());
    let dated = holder.dated.unwrap_or("updatedDate");
    transaction
        .execute(&sql, &[&reference, &ids, &bodies, &now, &dated])
        .await?;
    Ok(())
}

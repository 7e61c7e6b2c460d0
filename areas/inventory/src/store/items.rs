//! Items by their holdings or ids.

use bytes::Bytes;
use octavo_boxed::boxed;
use octavo_postgres::{Database, RawJson, Transaction};
use octavo_records::expression::AMONG_IDS;
use octavo_records::{StoreError, Tenant};
use uuid::Uuid;

/// The ids of the items of some holdings, locked in their order until the transaction ends.
#[boxed]
pub async fn lock_items_of(
    transaction: &Transaction,
    tenant: &Tenant,
    holdings: &[Uuid],
) -> Result<Vec<Uuid>, StoreError> {
    let sql = format!(
        "SELECT id FROM {}.item WHERE holdingsrecordid {AMONG_IDS} ORDER BY id FOR NO KEY UPDATE",
        tenant.schema()
    );
    let rows = transaction.query(&sql, &[&holdings]).await?;
    Ok(rows.iter().map(|row| row.get("id")).collect())
}

/// Those of these ids that an item has, locked in their order until the transaction ends.
#[boxed]
pub async fn lock_all(
    transaction: &Transaction,
    tenant: &Tenant,
    ids: &[Uuid],
) -> Result<Vec<Uuid>, StoreError> {
    let sql = format!(
        "SELECT id FROM {}.item WHERE id {AMONG_IDS} ORDER BY id FOR NO KEY UPDATE",
        tenant.schema()
    );
    let rows = transaction.query(&sql, &[&ids]).await?;
    Ok(rows.iter().map(|row| row.get("id")).collect())
}

/// The existing items of these ids, in the order of the ids, each with its tenant's name, as one list.
#[boxed]
pub async fn of_tenant(
    database: &Database,
    tenant: &Tenant,
    ids: &[Uuid],
) -> Result<Bytes, StoreError> {
    let sql = format!(
        "SELECT json_build_object('tenantItems', coalesce(json_agg(json_build_object(\
         'item', item.jsonb, 'tenantId', $2::text) ORDER BY wanted.at), '[]'), \
         'totalRecords', count(*))::jsonb AS jsonb FROM unnest($1::uuid[]) WITH ORDINALITY AS \
         wanted(id, at) \
         JOIN {}.item AS item USING (id)",
        tenant.schema()
    );
    let rows = database.query(&sql, &[&ids, &tenant.id()]).await?;
    let row = rows.first();
    let list = row.map(|row| Bytes::copy_from_slice(row.get::<_, RawJson<'_>>("jsonb").0));
    list.ok_or_else(|| StoreError::fault("an aggregate gave no row"))
}

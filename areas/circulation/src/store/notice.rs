//! What notices tell of a loan's item and borrower, and the names of templates.

use std::collections::HashMap;

use octavo_records::{Executor, StoreError};
use serde_json::Value;
use uuid::Uuid;

use super::Tables;
use super::item::{ItemAtDesk, TITLE};
use super::slip;

/// What a notice about a loan tells.
#[derive(Debug, Clone)]
pub struct Subject {
    /// The item with its title.
    pub item: ItemAtDesk,
    /// The borrower, with FOLIO's names; the country of the address as a code.
    pub user: Value,
}

/// What notices about these loans tell. Loans without item or borrower are left out.
///
/// # Errors
/// When the database does not answer.
pub async fn subjects(
    executor: &impl Executor,
    tables: Tables<'_>,
    loan_ids: &[Uuid],
) -> Result<HashMap<Uuid, Subject>, StoreError> {
    let sql = format!(
        "SELECT loan.id, item.id, item.jsonb, holdings.id, holdings.jsonb->>'copyNumber', instance.id,
           {TITLE},
           jsonb_strip_nulls(jsonb_build_object({person}))
         FROM {loans} AS loan
         JOIN {items} AS item ON item.id = (loan.jsonb->>'itemId')::uuid
         JOIN {holdings} AS holdings ON holdings.id = (item.jsonb->>'holdingsRecordId')::uuid
         JOIN {instances} AS instance ON instance.id = holdings.instanceid
         JOIN {users} AS borrower ON borrower.id = (loan.jsonb->>'userId')::uuid
         LEFT JOIN {groups} AS patron_group
           ON patron_group.id = (borrower.jsonb->>'patronGroup')::uuid{more}
         WHERE loan.id = ANY($1)",
        loans = tables.table("loan"),
        items = tables.table("item"),
        holdings = tables.table("holdings_record"),
        instances = tables.table("instance"),
        users = tables.table("users"),
        groups = tables.table("groups"),
        person = slip::person("borrower"),
        more = slip::person_joins(tables, "borrower"),
    );
    let rows = executor.rows(&sql, &[&loan_ids]).await?;
    let subjects = rows.iter().filter_map(|row| {
        let Value::Object(document) = row.get(2) else {
            return None;
        };
        let item = ItemAtDesk {
            id: row.get(1),
            document,
            holdings_record_id: row.get(3),
            holdings_copy_number: row.get(4),
            instance_id: row.get(5),
            instance: row.get(6),
        };
        let user = row.get(7);
        Some((row.get(0), Subject { item, user }))
    });
    Ok(subjects.collect())
}

/// The names of these templates, those that there are.
///
/// # Errors
/// When the database does not answer.
pub async fn template_names(
    executor: &impl Executor,
    tables: Tables<'_>,
    ids: &[Uuid],
) -> Result<HashMap<Uuid, String>, StoreError> {
    let sql = format!(
        "SELECT id, coalesce(jsonb->>'name', '') FROM {} WHERE id = ANY($1)",
        tables.table("template")
    );
    let rows = executor.rows(&sql, &[&ids]).await?;
    Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
}

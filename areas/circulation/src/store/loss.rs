//! Statements on lost item fee policies and fees for lost items.

use jiff::Timestamp;
use octavo_library::{FeeFineOwnerId, ItemId, ItemJoins, LoanId, LocationId, wire_time};
use octavo_postgres::Row;
use octavo_records::expression::key;
use octavo_records::{Executor, Index, StoreError};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::{Tables, read};
use crate::loss::refund::LossAccount;
use crate::loss::settled::{ActualCost, LossFees};
use crate::loss::{ACTUAL_COST_FEE, LOST_ITEM_FEE, LostItemPolicy, PROCESSING_FEE};

/// FOLIO's names of the automatic fees for a loss.
pub const LOSS_FEE_TYPES: [&str; 3] = [LOST_ITEM_FEE, PROCESSING_FEE, ACTUAL_COST_FEE];

/// The fee owner for items of a location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeeFineOwner {
    /// The owner's id.
    pub id: FeeFineOwnerId,
    /// The owner's name.
    pub name: Option<String>,
}

/// The permanent location of a loan's item, and its fee owner.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ItemHome {
    /// The item's permanent location, else that of its holdings.
    pub location_id: Option<LocationId>,
    /// The owner at that location's primary service point.
    pub owner: Option<FeeFineOwner>,
}

/// The lost item fee policy of a loan; an empty policy if the loan names none or a deleted one.
pub async fn policy_of_loan(
    executor: &dyn Executor,
    tables: Tables<'_>,
    loan_id: LoanId,
) -> Result<LostItemPolicy, StoreError> {
    let sql = format!(
        "SELECT jsonb FROM {} WHERE id =
           (SELECT (jsonb->>'lostItemPolicyId')::uuid FROM {} WHERE id = $1)",
        tables.table("lost_item_fee_policy"),
        tables.table("loan"),
    );
    let rows = executor.rows(&sql, &[&loan_id]).await?;
    let policy = rows
        .first()
        .map(|row| read("lost item fee policy", row.get("jsonb")));
    Ok(policy.transpose()?.unwrap_or_default())
}

/// All lost item fee policies; a library has a handful.
pub async fn policies(
    executor: &dyn Executor,
    tables: Tables<'_>,
) -> Result<Vec<LostItemPolicy>, StoreError> {
    let sql = format!(
        "SELECT jsonb FROM {} ORDER BY id",
        tables.table("lost_item_fee_policy")
    );
    let rows = executor.rows(&sql, &[]).await?;
    rows.iter()
        .map(|row| read("lost item fee policy", row.get("jsonb")))
        .collect()
}

/// The permanent location and fee owner of a loan's item. Owners have no index here: a library has a
/// handful.
pub async fn home_of_loan(
    executor: &dyn Executor,
    tables: Tables<'_>,
    loan_id: LoanId,
) -> Result<ItemHome, StoreError> {
    let sql = format!(
        "SELECT home.location_id, owner.id, owner.jsonb->>'owner' AS name
         FROM (SELECT coalesce(item.jsonb->>'permanentLocationId',
               holdings.jsonb->>'permanentLocationId')::uuid AS location_id
             FROM {} AS loan {}
             WHERE loan.id = $1) AS home
         LEFT JOIN {} AS place ON place.id = home.location_id
         LEFT JOIN LATERAL (SELECT id, jsonb FROM {} WHERE jsonb->'servicePointOwner' @>
             jsonb_build_array(jsonb_build_object('value', place.jsonb->'primaryServicePoint'))
           ORDER BY id LIMIT 1) AS owner ON true",
        tables.table("loan"),
        ItemJoins::inner(tables, "item")
            .item("(loan.jsonb->>'itemId')::uuid")
            .holdings(),
        tables.table("location"),
        tables.table("owners"),
    );
    let rows = executor.rows(&sql, &[&loan_id]).await?;
    Ok(rows.first().map_or_else(ItemHome::default, |row| ItemHome {
        location_id: row.get("location_id"),
        owner: row
            .get::<_, Option<FeeFineOwnerId>>("id")
            .map(|id| FeeFineOwner {
                id,
                name: row.get("name"),
            }),
    }))
}

/// The state of the fees for the loss of a loan's item.
pub async fn fees_of_loan(
    executor: &dyn Executor,
    tables: Tables<'_>,
    loan_id: LoanId,
) -> Result<LossFees, StoreError> {
    let sql = format!(
        "SELECT
           coalesce(bool_or(lower(jsonb->'status'->>'name') IS DISTINCT FROM 'closed'), false)
             AS any_open,
           coalesce(bool_or(jsonb->>'feeFineType' = $3), false) AS actual_cost_billed
         FROM {} WHERE {} AND jsonb->>'feeFineType' = ANY($2)",
        tables.table("accounts"),
        tables.equals("accounts", "loanId", "$1::text"),
    );
    let loan_id = loan_id.to_string();
    let types = LOSS_FEE_TYPES.as_slice();
    let rows = executor
        .rows(&sql, &[&loan_id, &types, &ACTUAL_COST_FEE])
        .await?;
    Ok(rows.first().map_or_else(LossFees::default, |row| LossFees {
        any_open: row.get("any_open"),
        actual_cost_billed: row.get("actual_cost_billed"),
    }))
}

/// The accounts for the loss of a loan's item. With their dates of creation; for an actual cost that of
/// its record.
pub async fn accounts_of_loan(
    executor: &dyn Executor,
    tables: Tables<'_>,
    loan_id: LoanId,
) -> Result<Vec<LossAccount>, StoreError> {
    let sql = format!(
        "SELECT account.id, account.jsonb->>'feeFineType' AS kind,
           account.jsonb->'paymentStatus'->>'name' AS payment_status,
           account.jsonb->'metadata'->>'createdDate' AS made_at,
           (SELECT max(jsonb->'metadata'->>'createdDate') FROM {records}
             WHERE {of_records} AND jsonb->'feeFine'->>'accountId' = account.id::text)
             AS cost_known_at
         FROM (SELECT id, jsonb FROM {accounts}
           WHERE {of_accounts} AND jsonb->>'feeFineType' = ANY($2)) AS account",
        records = tables.table("actual_cost_record"),
        of_records = tables.equals("actual_cost_record", "loan.id", "$1::text"),
        accounts = tables.table("accounts"),
        of_accounts = tables.equals("accounts", "loanId", "$1::text"),
    );
    let types = LOSS_FEE_TYPES.as_slice();
    let rows = executor.rows(&sql, &[&loan_id.to_string(), &types]).await?;
    let date = |text: Option<String>| text.and_then(|text| wire_time::parse(&text));
    let account = |row: &Row| LossAccount {
        id: row.get("id"),
        kind: row.get("kind"),
        payment_status: row.get("payment_status"),
        made_at: date(row.get("made_at")),
        cost_known_at: date(row.get("cost_known_at")),
    };
    Ok(rows.iter().map(account).collect())
}

/// The last record of the actual cost of a loan.
pub async fn actual_cost_of_loan(
    executor: &dyn Executor,
    tables: Tables<'_>,
    loan_id: LoanId,
) -> Result<Option<ActualCost>, StoreError> {
    let sql = format!(
        "SELECT jsonb FROM {} WHERE {} ORDER BY jsonb->>'lossDate' DESC, id LIMIT 1",
        tables.table("actual_cost_record"),
        tables.equals("actual_cost_record", "loan.id", "$1::text"),
    );
    let rows = executor.rows(&sql, &[&loan_id.to_string()]).await?;
    let record = rows
        .first()
        .map(|row| read("actual cost record", row.get("jsonb")));
    record.transpose()
}

/// Whether there is a record of the actual cost of a loan whose item was lost at this instant.
pub async fn actual_cost_asked_for(
    executor: &dyn Executor,
    tables: Tables<'_>,
    loan_id: LoanId,
    lost_at: Timestamp,
) -> Result<bool, StoreError> {
    let sql = format!(
        "SELECT 1 FROM {} WHERE {} AND jsonb->>'lossDate' = $2 LIMIT 1",
        tables.table("actual_cost_record"),
        tables.equals("actual_cost_record", "loan.id", "$1::text"),
    );
    let values = (loan_id.to_string(), wire_time::format(lost_at));
    let rows = executor.rows(&sql, &[&values.0, &values.1]).await?;
    Ok(!rows.is_empty())
}

/// The last record of the actual cost of a loan that is still open, locked. Lock the loan's item first.
pub async fn open_actual_cost_of_loan(
    executor: &dyn Executor,
    tables: Tables<'_>,
    loan_id: LoanId,
) -> Result<Option<(Uuid, Map<String, Value>)>, StoreError> {
    let sql = format!(
        "SELECT id, jsonb FROM {} WHERE {} AND jsonb->>'status' = 'Open'
         ORDER BY jsonb->>'lossDate' DESC, id LIMIT 1 FOR NO KEY UPDATE",
        tables.table("actual_cost_record"),
        tables.equals("actual_cost_record", "loan.id", "$1::text"),
    );
    let rows = executor.rows(&sql, &[&loan_id.to_string()]).await?;
    Ok(rows.first().and_then(|row| match row.get("jsonb") {
        Value::Object(document) => Some((row.get("id"), document)),
        _ => None,
    }))
}

/// The last loan of an item, open or not.
pub async fn last_loan_of_item(
    executor: &dyn Executor,
    tables: Tables<'_>,
    item_id: ItemId,
) -> Result<Option<LoanId>, StoreError> {
    // Not the key of the partial index on open loans.
    let of_item = key(&Index::plain("itemId").keep_accents());
    let sql = format!(
        "SELECT id FROM {} WHERE {of_item} = $1 ORDER BY jsonb->>'loanDate' DESC, id LIMIT 1",
        tables.table("loan"),
    );
    let rows = executor.rows(&sql, &[&item_id.to_string()]).await?;
    Ok(rows.first().map(|row| row.get("id")))
}

/// The type of note that staff leave on a borrower.
pub async fn general_note_type(
    executor: &dyn Executor,
    tables: Tables<'_>,
) -> Result<Option<Uuid>, StoreError> {
    let sql = format!(
        "SELECT id FROM {} WHERE {}",
        tables.table("note_type"),
        tables.equals("note_type", "name", "$1::text"),
    );
    let rows = executor.rows(&sql, &[&"General note"]).await?;
    Ok(rows.first().map(|row| row.get("id")))
}

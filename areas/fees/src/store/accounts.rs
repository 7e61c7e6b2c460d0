//! Locked accounts for actions, and their history.

use octavo_boxed::boxed;
use octavo_library::{AccountId, ItemJoins, ItemStatus, LoanId};
use octavo_records::expression::{AMONG_IDS, key};
use octavo_records::plan::{Plan, Sql};
use octavo_records::{Executor, Index, StoreError, Tenant};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::Tables;
use crate::accounting::{Account, Action, ActionKind, Money};

/// The event for a changed remaining amount.
pub const BALANCE_CHANGED: &str = "feesfines.FEE_FINE_BALANCE_CHANGED";
/// The event for a closed account about a loan.
pub const LOAN_FEE_CLOSED: &str = "feesfines.LOAN_RELATED_FEE_FINE_CLOSED";

/// An event to write with the change.
#[derive(Debug, Clone, PartialEq)]
pub struct AccountEvent {
    topic: &'static str,
    key: Uuid,
    payload: Value,
}

impl AccountEvent {
    /// The remaining amount has changed; `None` as document when the account was deleted.
    #[must_use]
    pub fn balance(id: AccountId, document: Option<&Map<String, Value>>) -> AccountEvent {
        let read = |name: &str| document.and_then(|document| document.get(name)).cloned();
        let remaining = read("remaining").unwrap_or_else(|| Money::ZERO.json());
        let mut payload = json!({"userId": read("userId"), "feeFineId": id,
            "feeFineTypeId": read("feeFineId"), "balance": remaining, "loanId": read("loanId")});
        if let Value::Object(map) = &mut payload {
            map.retain(|_, value| !value.is_null());
        }
        AccountEvent {
            topic: BALANCE_CHANGED,
            key: id.uuid(),
            payload,
        }
    }

    /// An account about a loan was closed with nothing remaining.
    #[must_use]
    pub fn closed(loan_id: LoanId) -> AccountEvent {
        AccountEvent {
            topic: LOAN_FEE_CLOSED,
            key: loan_id.uuid(),
            payload: json!({"loanId": loan_id}),
        }
    }
}

/// Writes events; with `Last` the commit is pipelined after them.
#[boxed]
pub async fn emit_events(
    executor: &dyn Executor,
    tenant: &Tenant,
    events: &[AccountEvent],
) -> Result<(), StoreError> {
    let topics: Vec<&str> = events.iter().map(|one| one.topic).collect();
    let keys: Vec<Uuid> = events.iter().map(|one| one.key).collect();
    let payloads: Vec<&Value> = events.iter().map(|one| &one.payload).collect();
    let sql = format!(
        "INSERT INTO {}.outbox (topic, key, type, new)
         SELECT topic, key, 'CREATE', payload
         FROM unnest($1::text[], $2::uuid[], $3::jsonb[]) WITH ORDINALITY
           AS _(topic, key, payload, at) ORDER BY at",
        tenant.schema()
    );
    executor.rows(&sql, &[&topics, &keys, &payloads]).await?;
    Ok(())
}

/// The lost items of accounts, with their loans. The items are locked in the order of their ids, because
/// closing a loan locks its item first. Other items are not locked: closing an account does not close
/// their loans.
#[boxed]
pub async fn hold_lost_items(
    executor: &dyn Executor,
    tables: Tables<'_>,
    account_ids: &[AccountId],
) -> Result<Vec<LoanId>, StoreError> {
    // Items before accounts, as at the desk, and in the order of ids, so that two payments cannot deadlock.
    let sql = format!(
        "SELECT (account.jsonb->>'loanId')::uuid AS loan_id FROM {accounts} AS account
         JOIN {loan} AS loan ON loan.id = (account.jsonb->>'loanId')::uuid
         JOIN {item} AS item ON item.id = (loan.jsonb->>'itemId')::uuid
         WHERE account.id {AMONG_IDS}
           AND item.jsonb->'status'->>'name' IN ({declared}, {aged})
         ORDER BY item.id FOR NO KEY UPDATE OF item",
        accounts = tables.table("accounts"),
        loan = tables.table("loan"),
        item = tables.table("item"),
        declared = ItemStatus::DeclaredLost.sql(),
        aged = ItemStatus::AgedToLost.sql(),
    );
    let rows = executor.rows(&sql, &[&account_ids]).await?;
    Ok(rows.iter().map(|row| row.get("loan_id")).collect())
}

/// The existing accounts of these ids, not locked.
#[boxed]
pub async fn look_at(
    executor: &dyn Executor,
    tables: Tables<'_>,
    ids: &[AccountId],
) -> Result<Vec<Account>, StoreError> {
    let sql = format!(
        "SELECT id, jsonb FROM {} WHERE id {AMONG_IDS}",
        tables.table("accounts")
    );
    let rows = executor.rows(&sql, &[&ids]).await?;
    let read = |document: Value| match document {
        Value::Object(document) => document,
        _ => serde_json::Map::new(),
    };
    Ok(rows
        .iter()
        .map(|row| Account::read(row.get("id"), &read(row.get("jsonb"))))
        .collect())
}

/// The sums of payments, transfers and refunds by side. A row sums all actions that refunds need not
/// distinguish.
#[boxed]
pub async fn history(
    executor: &dyn Executor,
    tables: Tables<'_>,
    account_ids: &[AccountId],
) -> Result<Vec<Action>, StoreError> {
    let names: Vec<&str> = [ActionKind::Pay, ActionKind::Transfer, ActionKind::Refund]
        .into_iter()
        .flat_map(ActionKind::names)
        .collect();
    let ids: Vec<String> = account_ids.iter().map(AccountId::to_string).collect();
    let of_accounts = key(&Index::plain("accountId").keep_accents());
    let sql = format!(
        "SELECT (jsonb->>'accountId')::uuid AS account_id, jsonb->>'typeAction' AS name,
           sum((jsonb->>'amountAction')::numeric)::text AS amount,
           CASE WHEN jsonb->>'typeAction' LIKE 'Transferred%' THEN jsonb->>'paymentMethod' END
           AS method,
           CASE WHEN jsonb->>'typeAction' LIKE 'Refunded%'
             THEN jsonb->>'transactionInformation' END AS information
         FROM {} WHERE {of_accounts} = ANY($1::text[]) AND jsonb->>'typeAction' = ANY($2::text[])
         GROUP BY 1, 2, 4, 5 ORDER BY min(jsonb->>'dateAction'), 4",
        tables.table("feefineactions")
    );
    let rows = executor.rows(&sql, &[&ids, &names]).await?;
    Ok(rows
        .iter()
        .map(|row| Action {
            account_id: row.get("account_id"),
            name: row.get("name"),
            amount: row
                .get::<_, Option<String>>("amount")
                .and_then(|sum| Money::parse(&sum))
                .unwrap_or_default(),
            method: row.get("method"),
            information: row.get("information"),
        })
        .collect())
}

/// Locks the item of a loan if it is lost; returns whether it is.
#[boxed]
pub async fn hold_lost_items_of(
    executor: &dyn Executor,
    tables: Tables<'_>,
    loan_id: LoanId,
) -> Result<bool, StoreError> {
    let sql = format!(
        "SELECT true FROM {loan} AS loan
         JOIN {item} AS item ON item.id = (loan.jsonb->>'itemId')::uuid
         WHERE loan.id = $1
           AND item.jsonb->'status'->>'name' IN ({declared}, {aged})
         FOR NO KEY UPDATE OF item",
        loan = tables.table("loan"),
        item = tables.table("item"),
        declared = ItemStatus::DeclaredLost.sql(),
        aged = ItemStatus::AgedToLost.sql(),
    );
    Ok(!executor.rows(&sql, &[&loan_id]).await?.is_empty())
}

/// An account's document.
#[boxed]
pub async fn account_of(
    executor: &dyn Executor,
    tables: Tables<'_>,
    id: AccountId,
) -> Result<Option<serde_json::Map<String, Value>>, StoreError> {
    let sql = format!(
        "SELECT jsonb FROM {} WHERE id = $1",
        tables.table("accounts")
    );
    let rows = executor.rows(&sql, &[&id]).await?;
    Ok(rows.first().and_then(|row| match row.get("jsonb") {
        Value::Object(document) => Some(document),
        _ => None,
    }))
}

/// A page of accounts, each with the current holdings and instance of its item.
#[must_use]
pub fn page(tables: Tables<'_>, plan: &Plan, limit: i64, offset: i64) -> Sql {
    let columns = format!("{} AS jsonb", with_home(tables, "accounts"));
    Sql::select(
        &columns,
        tables.tenant.schema(),
        "accounts",
        plan,
        limit,
        offset,
    )
}

fn with_home(tables: Tables<'_>, accounts: &str) -> String {
    format!(
        "{accounts}.jsonb || coalesce((SELECT jsonb_build_object('holdingsRecordId', holdings.id,
             'instanceId', holdings.instanceid)
           FROM {} AS item {}
           WHERE item.id = ({accounts}.jsonb->>'itemId')::uuid), '{{}}')",
        tables.table("item"),
        ItemJoins::inner(tables, "item").holdings(),
    )
}

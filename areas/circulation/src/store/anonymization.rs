//! Closed loans to anonymize, and their anonymization.

use jiff::Timestamp;
use octavo_library::{ItemId, ItemJoins, LoanId, ServicePointId, id_in};
use octavo_records::{Executor, StoreError, instant};
use serde_json::{Map, Value};

use super::{Tables, keys_of};
use crate::anonymization::LoanFees;
use crate::collections::{CLOSED_WITH_BORROWER, WHEN_CLOSED};
use crate::facts::LogItem;

/// A cursor of closed loans: the key and id of the last one.
#[derive(Debug, Clone, Default)]
pub struct ClosedLoanCursor {
    closed: String,
    id: String,
}

/// The next closed loans that have a borrower, in the order in which they were closed, up to an instant.
/// Those without a date come first.
pub async fn closed_after(
    executor: &dyn Executor,
    tables: Tables<'_>,
    place: &ClosedLoanCursor,
    until: Timestamp,
    most: i64,
) -> Result<(Vec<LoanId>, Option<ClosedLoanCursor>), StoreError> {
    let keys = keys_of(tables, "loan", WHEN_CLOSED);
    let (closed, order) = (&keys[0], keys.join(", "));
    let sql = format!(
        "SELECT id, {closed} AS closed, jsonb->>'id' AS place FROM {} WHERE {CLOSED_WITH_BORROWER}
           AND ({order}) > ($1::text COLLATE \"C\", $2::text COLLATE \"C\")
           AND {closed} <= lower($3::text) COLLATE \"C\"
         ORDER BY {order} LIMIT $4",
        tables.table("loan"),
    );
    let until = instant::format(until);
    let rows = executor
        .rows(&sql, &[&place.closed, &place.id, &until, &most])
        .await?;
    let place = rows.last().map(|row| ClosedLoanCursor {
        closed: row.get("closed"),
        id: row.get("place"),
    });
    Ok((rows.iter().map(|row| row.get("id")).collect(), place))
}

/// The next loans that have fees, after an id in the order of texts.
pub async fn with_fees_after(
    executor: &dyn Executor,
    tables: Tables<'_>,
    after: &str,
    most: i64,
) -> Result<(Vec<LoanId>, Option<String>), StoreError> {
    let key = keys_of(tables, "accounts", "loanId").join(", ");
    let sql = format!(
        "SELECT DISTINCT {key} AS loan_id FROM {} WHERE {key} > $1::text COLLATE \"C\"
         ORDER BY loan_id LIMIT $2",
        tables.table("accounts"),
    );
    let rows = executor.rows(&sql, &[&after, &most]).await?;
    let texts: Vec<String> = rows.iter().map(|row| row.get("loan_id")).collect();
    let ids = texts.iter().filter_map(|text| LoanId::parse(text));
    Ok((ids.collect(), texts.last().cloned()))
}

/// The closed loans of a borrower, some of them.
pub async fn closed_of(
    executor: &dyn Executor,
    tables: Tables<'_>,
    borrower: &str,
    most: i64,
) -> Result<Vec<LoanId>, StoreError> {
    let sql = format!(
        "SELECT id FROM {} WHERE {} AND {CLOSED_WITH_BORROWER} LIMIT $2",
        tables.table("loan"),
        tables.equals("loan", "userId", "$1::text"),
    );
    let rows = executor.rows(&sql, &[&borrower, &most]).await?;
    Ok(rows.iter().map(|row| row.get("id")).collect())
}

/// A locked closed loan with a borrower, with the facts for the decision.
#[derive(Debug, Clone)]
pub struct ClosedLoan {
    pub id: LoanId,
    pub document: Map<String, Value>,
    /// When it was closed.
    pub closed_at: Option<Timestamp>,
    pub fees: LoanFees,
    /// The item, for the log.
    pub item: LogItem,
    /// The service point of its check-in, else of its check-out.
    pub service_point_id: Option<ServicePointId>,
}

/// Locks those of these loans that are closed and have a borrower. Locked ones are skipped, so that
/// nobody waits.
pub async fn hold(
    executor: &dyn Executor,
    tables: Tables<'_>,
    ids: &[LoanId],
) -> Result<Vec<ClosedLoan>, StoreError> {
    let table = |name: &str| tables.table(name);
    let sql = format!(
        "WITH held AS MATERIALIZED (SELECT id, jsonb FROM {loan}
           WHERE id = ANY($1) AND {CLOSED_WITH_BORROWER}
           ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)
         SELECT held.id, held.jsonb, fees.number, fees.open, fees.closed,
           item.jsonb->>'barcode' AS item_barcode, item.id AS item_id,
           holdings.id AS holdings_id, holdings.instanceid
         FROM held
         CROSS JOIN LATERAL (
           SELECT count(*) AS number,
             count(*) FILTER (WHERE lower(jsonb->'status'->>'name') IS DISTINCT FROM 'closed') AS open,
             max((SELECT max(jsonb->>'dateAction') FROM {actions}
               WHERE {of_account} AND public.octavo_number(jsonb->'balance') = 0)) AS closed
           FROM (SELECT id AS account_id, jsonb FROM {accounts} WHERE {of_loan}) AS account) AS fees
         {holdings}",
        loan = table("loan"),
        accounts = table("accounts"),
        actions = table("feefineactions"),
        holdings = ItemJoins::outer(tables)
            .item("(held.jsonb->>'itemId')::uuid")
            .holdings(),
        of_loan = tables.equals("accounts", "loanId", "held.id::text"),
        of_account = tables.equals("feefineactions", "accountId", "account.account_id::text"),
    );
    let rows = executor.rows(&sql, &[&ids]).await?;
    let loans = rows.iter().filter_map(|row| {
        let Value::Object(document) = row.get("jsonb") else {
            return None;
        };
        let text = |name: &str| document.get(name).and_then(Value::as_str);
        let last: Option<String> = row.get("closed");
        Some(ClosedLoan {
            id: row.get("id"),
            closed_at: text("systemReturnDate").and_then(instant::parse),
            fees: LoanFees {
                all: row.get("number"),
                open: row.get("open"),
                last_closed: last.as_deref().and_then(instant::parse),
            },
            item: LogItem {
                item_barcode: row.get("item_barcode"),
                item_id: row
                    .get::<_, Option<ItemId>>("item_id")
                    .or_else(|| id_in(&document, "itemId")),
                holding_id: row.get("holdings_id"),
                instance_id: row.get("instanceid"),
                loan_id: Some(row.get("id")),
            },
            service_point_id: id_in(&document, "checkinServicePointId")
                .or_else(|| id_in(&document, "checkoutServicePointId")),
            document,
        })
    });
    Ok(loans.collect())
}

/// Removes the borrower from the history of loans.
pub async fn forget_in_history(
    executor: &dyn Executor,
    tables: Tables<'_>,
    ids: &[LoanId],
) -> Result<(), StoreError> {
    let sql = format!(
        "UPDATE {} SET jsonb = jsonb #- '{{loan,userId}}'
         FROM unnest($1::uuid[]) AS wanted(loan_id)
         WHERE {} AND jsonb->'loan'->>'userId' IS NOT NULL",
        tables.table("audit_loan"),
        tables.equals("audit_loan", "loan.id", "wanted.loan_id::text"),
    );
    executor.rows(&sql, &[&ids]).await?;
    Ok(())
}

//! What a patron's blocks depend on, composed from loans and accounts as they are now.

use octavo_boxed::boxed;
use octavo_library::UserId;
use octavo_records::expression::key;
use octavo_records::{Executor, Index, StoreError};
use serde_json::{Value, json};

use super::Tables;

/// Loans and accounts of a summary at most, of each.
const PARTS_MAX: i64 = 10_000;

/// The open loans and debts of a patron; `None` without any.
#[boxed]
pub async fn user_summary(
    executor: &dyn Executor,
    tables: Tables<'_>,
    user_id: UserId,
) -> Result<Option<Value>, StoreError> {
    let by_user = key(&Index::plain("userId").keep_accents());
    let sql = format!(
        "SELECT (SELECT jsonb_agg(one) FROM (SELECT jsonb_strip_nulls(jsonb_build_object(
             'loanId', loan.jsonb->'id', 'dueDate', loan.jsonb->'dueDate',
             'recall', coalesce((loan.jsonb->>'dueDateChangedByRecall')::boolean, false),
             'itemLost', coalesce(loan.jsonb->>'itemStatus' IN ('Declared lost', 'Aged to lost'),
               loan.jsonb->>'action' IN ('declaredLost', 'itemAgedToLost'), false),
             'itemClaimedReturned', coalesce(loan.jsonb->>'itemStatus' = 'Claimed returned',
               loan.jsonb->>'action' = 'claimedReturned', false),
             'gracePeriod', policy.jsonb->'loansPolicy'->'gracePeriod')) AS one
           FROM (SELECT jsonb FROM {loan} WHERE {by_user} = $1
             AND lower(jsonb->'status'->>'name') = 'open'
             ORDER BY jsonb->>'loanDate', id LIMIT $2) AS loan
           LEFT JOIN {policy} AS policy
             ON policy.id = (loan.jsonb->>'loanPolicyId')::uuid) AS loans) AS loans,
         (SELECT jsonb_agg(one) FROM (SELECT jsonb_strip_nulls(jsonb_build_object(
             'feeFineId', jsonb->'id', 'feeFineTypeId', jsonb->'feeFineId',
             'loanId', jsonb->'loanId', 'balance', jsonb->'remaining')) AS one
           FROM {accounts} WHERE {by_user} = $1
             AND lower(jsonb->'status'->>'name') = 'open' AND (jsonb->>'remaining')::numeric <> 0
           ORDER BY id LIMIT $2) AS fees) AS fees",
        loan = tables.table("loan"),
        policy = tables.table("loan_policy"),
        accounts = tables.table("accounts"),
    );
    let rows = executor
        .rows(&sql, &[&user_id.to_string(), &PARTS_MAX])
        .await?;
    let Some(row) = rows.first() else {
        return Ok(None);
    };
    let (loans, fees): (Option<Value>, Option<Value>) = (row.get("loans"), row.get("fees"));
    if loans.is_none() && fees.is_none() {
        return Ok(None);
    }
    let list = |part: Option<Value>| part.unwrap_or_else(|| json!([]));
    Ok(Some(
        json!({"id": user_id, "userId": user_id, "openLoans": list(loans),
                   "openFeesFines": list(fees)}),
    ))
}

//! Which blocks arise from a patron's loans and debts.
//!
//! Loans and loan policies belong to circulation, which builds on this area. They are read here by
//! the names of their tables, because a block is one question over all of them: asked in one
//! statement it needs no event feed and is never out of date, unlike FOLIO's user summaries.

use std::sync::LazyLock;

use octavo_postgres::Row;
use octavo_records::expression::key;
use octavo_records::{Executor, Index, StoreError, Tenant};
use serde::Serialize;
use uuid::Uuid;

/// A block that a limit of the patron's group gives rise to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AutomatedBlock {
    /// The condition whose limit is passed.
    pub patron_block_condition_id: Uuid,
    /// Whether nothing can be borrowed.
    pub block_borrowing: bool,
    /// Whether nothing can be renewed.
    pub block_renewals: bool,
    /// Whether nothing can be requested.
    pub block_requests: bool,
    /// What the desk is told.
    pub message: String,
}

/// The blocks of a patron at this moment; none for a user who is not known or has no limits.
///
/// Rules of mod-patron-blocks: loans claimed returned count for nothing, nor do the debts on them;
/// reaching the number of items charged out stops borrowing, and passing it renewals and requests
/// too; all other limits have to be passed. Overdue is what is later than its policy's grace
/// period (a month has 31 days), in whole minutes, and days are rounded up. A patron without loans
/// and debts is never blocked, whatever the limit.
///
/// # Errors
/// When the database does not answer.
pub async fn automated_blocks(
    executor: &impl Executor,
    tenant: &Tenant,
    user_id: Uuid,
) -> Result<Vec<AutomatedBlock>, StoreError> {
    let sql = BLOCKS.replace("{schema}", tenant.schema());
    let rows = executor
        .rows(&sql, &[&user_id, &user_id.to_string()])
        .await?;
    Ok(rows.iter().map(block).collect())
}

fn block(row: &Row) -> AutomatedBlock {
    AutomatedBlock {
        patron_block_condition_id: row.get(0),
        block_borrowing: row.get(1),
        block_renewals: row.get(2),
        block_requests: row.get(3),
        message: row.get::<_, Option<String>>(4).unwrap_or_default(),
    }
}

/// Loans and accounts are looked at only when the group has a limit that can block.
static BLOCKS: LazyLock<String> = LazyLock::new(|| {
    let by_user = key(&Index::plain("userId").keep_accents());
    let by_group = key(&Index::plain("patronGroupId").keep_accents());
    format!(
        "WITH limits AS MATERIALIZED (
  SELECT condition.id, condition.jsonb AS condition, (bound.jsonb->>'value')::numeric AS value
  FROM (SELECT conditionid, jsonb FROM {{schema}}.patron_block_limits WHERE {by_group} =
          (SELECT patrongroup::text FROM {{schema}}.users WHERE id = $1)) AS bound
  JOIN {{schema}}.patron_block_conditions AS condition ON condition.id = bound.conditionid
  WHERE condition.jsonb @? '$.* ? (@ == true)'
), open_loans AS MATERIALIZED (
  SELECT loan.jsonb->>'id' AS id,
    coalesce(loan.jsonb->>'itemStatus' = 'Claimed returned',
      loan.jsonb->>'action' = 'claimedReturned') AS claimed,
    coalesce(loan.jsonb->>'itemStatus' IN ('Declared lost', 'Aged to lost'),
      loan.jsonb->>'action' IN ('declaredLost', 'itemAgedToLost')) AS lost,
    coalesce((loan.jsonb->>'dueDateChangedByRecall')::boolean, false) AS recalled,
    floor(extract(epoch FROM now() - (loan.jsonb->>'dueDate')::timestamptz) / 60) AS minutes_late,
    coalesce((policy.jsonb->'loansPolicy'->'gracePeriod'->>'duration')::numeric *
      CASE policy.jsonb->'loansPolicy'->'gracePeriod'->>'intervalId'
        WHEN 'Minutes' THEN 1 WHEN 'Hours' THEN 60 WHEN 'Days' THEN 1440
        WHEN 'Weeks' THEN 10080 WHEN 'Months' THEN 44640 END, 0) AS minutes_of_grace
  FROM (SELECT jsonb FROM {{schema}}.loan WHERE {by_user} = $2
        AND lower(jsonb->'status'->>'name') = 'open' AND EXISTS (SELECT FROM limits)) AS loan
  LEFT JOIN {{schema}}.loan_policy AS policy ON policy.id = (loan.jsonb->>'loanPolicyId')::uuid
), counted AS MATERIALIZED (
  SELECT count(*) AS loans,
    count(*) FILTER (WHERE NOT claimed) AS charged_out,
    count(*) FILTER (WHERE NOT claimed AND lost) AS lost,
    count(*) FILTER (WHERE overdue) AS overdue,
    count(*) FILTER (WHERE overdue AND recalled) AS overdue_recalls,
    coalesce(max(ceil(minutes_late / 1440)) FILTER (WHERE overdue AND recalled), 0) AS recall_days
  FROM (SELECT *, NOT claimed AND minutes_late > greatest(minutes_of_grace, 0) AS overdue
        FROM open_loans) AS loans
), owed AS MATERIALIZED (
  SELECT count(*) AS accounts,
    coalesce(sum(remaining) FILTER (WHERE NOT EXISTS (
      SELECT FROM open_loans WHERE claimed AND open_loans.id = accounts.loan_id)), 0) AS balance
  FROM (SELECT (jsonb->>'remaining')::numeric AS remaining, jsonb->>'loanId' AS loan_id
        FROM {{schema}}.accounts WHERE {by_user} = $2
        AND lower(jsonb->'status'->>'name') = 'open' AND (jsonb->>'remaining')::numeric <> 0
        AND EXISTS (SELECT FROM limits)) AS accounts
), reached AS MATERIALIZED (
  SELECT limits.id, limits.condition, CASE limits.id
      WHEN '3d7c52dc-c732-4223-8bf8-e5917801386f' THEN charged_out
      WHEN '72b67965-5b73-4840-bc0b-be8f3f6e047e' THEN counted.lost
      WHEN '584fbd4f-6a34-4730-a6ca-73a6a6a9d845' THEN overdue
      WHEN 'e5b45031-a202-4abb-917b-e1df9346fe2c' THEN overdue_recalls
      WHEN '08530ac4-07f2-48e6-9dda-a97bc2bf7053' THEN recall_days
      WHEN 'cf7a0d5f-a327-4ca1-aa9e-dc55ec006b8a' THEN balance
    END AS amount, limits.value,
    limits.id = '3d7c52dc-c732-4223-8bf8-e5917801386f' AS stops_at_limit
  FROM limits CROSS JOIN counted CROSS JOIN owed
  WHERE counted.loans > 0 OR owed.accounts > 0
), blocks AS (
  SELECT id, condition,
    (amount > value OR stops_at_limit AND amount = value)
      AND (condition->>'blockBorrowing')::boolean AS borrowing,
    amount > value AND (condition->>'blockRenewals')::boolean AS renewals,
    amount > value AND (condition->>'blockRequests')::boolean AS requests
  FROM reached
)
SELECT id, borrowing, renewals, requests, condition->>'message' FROM blocks
WHERE borrowing OR renewals OR requests ORDER BY condition->>'name', id"
    )
});

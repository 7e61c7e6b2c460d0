//! Automated patron blocks.
//!
//! Triggers keep a narrow row for each open loan and each debt (`patron_loan`, `patron_debt`) in the
//! transaction of the change: unlike FOLIO's user summaries they need no event feed and are never out of
//! date. The blocks of a patron are one query over them. `patron_loan` belongs to circulation, which
//! builds on this area; it is read here by its name.

use std::sync::LazyLock;

use octavo_boxed::boxed;
use octavo_library::UserId;
use octavo_postgres::Row;
use octavo_records::expression::key;
use octavo_records::{Executor, Index, StoreError, Tenant};
use serde::Serialize;
use uuid::Uuid;

/// An automated block, caused by a limit of the patron's group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AutomatedBlock {
    /// The condition whose limit is exceeded.
    pub patron_block_condition_id: Uuid,
    /// Whether nothing can be borrowed.
    pub block_borrowing: bool,
    /// Whether nothing can be renewed.
    pub block_renewals: bool,
    /// Whether nothing can be requested.
    pub block_requests: bool,
    /// The message for the desk.
    pub message: String,
}

/// The current blocks of a patron; empty for an unknown user or without limits.
///
/// Rules of mod-patron-blocks: loans claimed returned and the debts on them do not count; reaching the
/// number of items charged out stops borrowing, and exceeding it renewals and requests too; all other
/// limits must be exceeded. Overdue is what is later than its policy's grace period (a month has 31
/// days), in whole minutes, and days are rounded up. A patron without loans and debts is never blocked,
/// whatever the limit.
#[boxed]
pub async fn automated_blocks(
    executor: &dyn Executor,
    tenant: &Tenant,
    user_id: UserId,
) -> Result<Vec<AutomatedBlock>, StoreError> {
    let sql = BLOCKS.replace("{schema}", tenant.schema());
    let rows = executor.rows(&sql, &[&user_id]).await?;
    Ok(rows.iter().map(block).collect())
}

fn block(row: &Row) -> AutomatedBlock {
    AutomatedBlock {
        patron_block_condition_id: row.get("id"),
        block_borrowing: row.get("borrowing"),
        block_renewals: row.get("renewals"),
        block_requests: row.get("requests"),
        message: row.get::<_, Option<String>>("message").unwrap_or_default(),
    }
}

/// The counters are read only when the group has a limit that can block: most groups have none.
static BLOCKS: LazyLock<String> = LazyLock::new(|| {
    let by_group = key(&Index::plain("patronGroupId").keep_accents());
    format!(
        "WITH limits AS MATERIALIZED (
  SELECT condition.id, condition.jsonb AS condition, (bound.jsonb->>'value')::numeric AS value
  FROM (SELECT conditionid, jsonb FROM {{schema}}.patron_block_limits WHERE {by_group} =
          (SELECT patrongroup::text FROM {{schema}}.users WHERE id = $1)) AS bound
  JOIN {{schema}}.patron_block_conditions AS condition ON condition.id = bound.conditionid
  WHERE condition.jsonb @? '$.* ? (@ == true)'
), lent AS MATERIALIZED (
  SELECT due, policy_id, claimed, lost, recalled FROM {{schema}}.patron_loan
  WHERE user_id = $1 AND EXISTS (SELECT FROM limits)
), late AS (
  SELECT lent.recalled, floor(extract(epoch FROM now() - lent.due) / 60) AS minutes,
    greatest(coalesce((policy.jsonb->'loansPolicy'->'gracePeriod'->>'duration')::numeric *
      CASE policy.jsonb->'loansPolicy'->'gracePeriod'->>'intervalId'
        WHEN 'Minutes' THEN 1 WHEN 'Hours' THEN 60 WHEN 'Days' THEN 1440
        WHEN 'Weeks' THEN 10080 WHEN 'Months' THEN 44640 END, 0), 0) AS minutes_of_grace
  FROM lent LEFT JOIN {{schema}}.loan_policy AS policy ON policy.id = lent.policy_id
  WHERE NOT lent.claimed AND lent.due < now()
), overdue AS MATERIALIZED (
  SELECT count(*) AS loans, count(*) FILTER (WHERE recalled) AS recalls,
    coalesce(max(ceil(minutes / 1440)) FILTER (WHERE recalled), 0) AS recall_days
  FROM late WHERE minutes > minutes_of_grace
), counted AS MATERIALIZED (
  SELECT count(*) AS loans, count(*) FILTER (WHERE claimed) AS claimed,
    count(*) FILTER (WHERE NOT claimed AND lost) AS lost
  FROM lent
), owed AS MATERIALIZED (
  SELECT count(*) AS accounts, coalesce(sum(debt.remaining) FILTER (WHERE
      CASE WHEN (SELECT claimed FROM counted) = 0 OR debt.loan_id IS NULL THEN true
        ELSE NOT EXISTS (SELECT FROM {{schema}}.patron_loan AS loan WHERE loan.user_id = $1
          AND loan.loan_id = debt.loan_id AND loan.claimed) END), 0) AS balance
  FROM {{schema}}.patron_debt AS debt WHERE debt.user_id = $1 AND EXISTS (SELECT FROM limits)
), reached AS MATERIALIZED (
  SELECT limits.id, limits.condition, CASE limits.id
      WHEN '3d7c52dc-c732-4223-8bf8-e5917801386f' THEN counted.loans - counted.claimed
      WHEN '72b67965-5b73-4840-bc0b-be8f3f6e047e' THEN counted.lost
      WHEN '584fbd4f-6a34-4730-a6ca-73a6a6a9d845' THEN overdue.loans
      WHEN 'e5b45031-a202-4abb-917b-e1df9346fe2c' THEN overdue.recalls
      WHEN '08530ac4-07f2-48e6-9dda-a97bc2bf7053' THEN overdue.recall_days
      WHEN 'cf7a0d5f-a327-4ca1-aa9e-dc55ec006b8a' THEN owed.balance
    END AS amount, limits.value,
    limits.id = '3d7c52dc-c732-4223-8bf8-e5917801386f' AS stops_at_limit
  FROM limits CROSS JOIN counted CROSS JOIN overdue CROSS JOIN owed
  WHERE counted.loans > 0 OR owed.accounts > 0
), blocks AS (
  SELECT id, condition,
    (amount > value OR stops_at_limit AND amount = value)
      AND (condition->>'blockBorrowing')::boolean AS borrowing,
    amount > value AND (condition->>'blockRenewals')::boolean AS renewals,
    amount > value AND (condition->>'blockRequests')::boolean AS requests
  FROM reached
)
SELECT id, borrowing, renewals, requests, condition->>'message' AS message FROM blocks
WHERE borrowing OR renewals OR requests ORDER BY condition->>'name', id"
    )
});

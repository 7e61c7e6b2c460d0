//! Consistency rules between accounts and their actions, each as a statement that returns the checked
//! records and their faults.

use super::Tables;

/// A rule: its description, the remedy, and the statement (`id`, `fault`).
pub type Rule = (&'static str, &'static str, String);

/// The rules on accounts. A cancelled account is checked from its last cancellation on, which leaves
/// zero.
#[must_use]
pub fn balances(tables: Tables<'_>) -> Vec<Rule> {
    let (accounts, actions) = (tables.table("accounts"), tables.table("feefineactions"));
    let of_account = tables.equals("feefineactions", "accountId", "(account.jsonb->>'id')");
    vec![
        (
            "what remains of an account agrees with its actions",
            "look at the account's details, and charge or waive the difference",
            format!(
                "SELECT account.id, coalesce(round((account.jsonb->>'remaining')::numeric, 2) <>
                   CASE WHEN acts.cancelled THEN 0
                     ELSE round((account.jsonb->>'amount')::numeric, 2) END
                   + acts.change, false) AS fault
                 FROM {accounts} AS account CROSS JOIN LATERAL (
                   SELECT bool_or(act.cancelled IS NOT NULL) AS cancelled, sum(act.change) AS change
                   FROM (SELECT one.cancelled,
                       round((one.jsonb->>'amountAction')::numeric, 2) * CASE
                         WHEN one.jsonb->>'typeAction' LIKE 'Refunded %' THEN 1
                         WHEN one.jsonb->>'typeAction' ~ '^(Paid|Waived|Transferred) ' THEN -1
                         ELSE 0 END * CASE WHEN one.cancelled IS NULL
                           OR one.jsonb->>'dateAction' > one.cancelled THEN 1 ELSE 0 END AS change
                     FROM (SELECT jsonb, max(jsonb->>'dateAction')
                         FILTER (WHERE jsonb->>'typeAction' LIKE 'Cancelled %') OVER () AS cancelled
                       FROM {actions} WHERE {of_account}) AS one) AS act) AS acts"
            ),
        ),
        (
            "nothing remains of a closed account",
            "open the account again, or settle what remains",
            format!(
                "SELECT id, round((jsonb->>'remaining')::numeric, 2) <> 0 AS fault
                 FROM {accounts} WHERE {}",
                tables.equals("accounts", "status.name", "'Closed'::text"),
            ),
        ),
    ]
}

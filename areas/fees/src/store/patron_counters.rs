//! The patron counters for blocks (`patron_loan`, `patron_debt`): compared with the records, and
//! rebuilt.

use octavo_boxed::boxed;
use octavo_library::UserId;
use octavo_postgres::Transaction;
use octavo_records::expression::key;
use octavo_records::{Executor, Index, StoreError};

use super::Tables;
use super::balances::Rule;

const REMEDY: &str = "post a job of scope full to /automated-patron-blocks/synchronization/job";

/// The counters must agree with the records.
#[must_use]
pub fn rules(tables: Tables<'_>) -> Vec<Rule> {
    let agrees = |kept: &str, records: &str, id: &str| {
        format!(
            "SELECT coalesce(kept.{id}, computed.{id}) AS id, kept IS DISTINCT FROM computed AS fault
             FROM {kept} AS kept FULL JOIN (SELECT computed.* FROM {records}
               CROSS JOIN LATERAL {kept}_of(jsonb) AS computed) AS computed
             ON computed.user_id = kept.user_id AND computed.{id} = kept.{id}",
            kept = tables.table(kept),
            records = tables.table(records),
        )
    };
    vec![
        (
            "what is kept of loans for patrons' blocks agrees with the loans",
            REMEDY,
            agrees("patron_loan", "loan", "loan_id"),
        ),
        (
            "what is kept of debts for patrons' blocks agrees with the accounts",
            REMEDY,
            agrees("patron_debt", "accounts", "account_id"),
        ),
    ]
}

/// The next patrons with loans or debts, by id, after `after`.
#[boxed]
pub async fn patrons(
    executor: &dyn Executor,
    tables: Tables<'_>,
    after: UserId,
    most: i64,
) -> Result<Vec<UserId>, StoreError> {
    let next = |table: &str, id: &str| {
        format!(
            "(SELECT DISTINCT {id} AS id FROM {} WHERE {id} > $1 ORDER BY 1 LIMIT $2)",
            tables.table(table)
        )
    };
    let sql = format!(
        "{} UNION {} UNION {} ORDER BY 1 LIMIT $2",
        next("users", "id"),
        next("patron_loan", "user_id"),
        next("patron_debt", "user_id"),
    );
    let rows = executor.rows(&sql, &[&after, &most]).await?;
    Ok(rows.iter().map(|row| row.get("id")).collect())
}

/// The number of loans and debts counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TakenUp {
    /// Open loans.
    pub loans: i64,
    /// Open accounts with a remaining amount.
    pub debts: i64,
}

/// Rebuilds the counters of patrons. Their open loans and accounts are locked meanwhile, so that a
/// concurrent change happens before or after.
///
/// # Errors
/// On a database error; [`StoreError::Fault`] also when others wait for these locks.
#[boxed]
pub async fn take_up(
    transaction: &Transaction,
    tables: Tables<'_>,
    patrons: &[UserId],
) -> Result<TakenUp, StoreError> {
    let names: Vec<String> = patrons.iter().map(UserId::to_string).collect();
    let by_user = key(&Index::plain("userId").keep_accents());
    let open = "lower(public.f_unaccent(jsonb->'status'->>'name'))";
    let kinds = [
        (
            "patron_loan",
            "loan",
            "loan_id",
            "due = excluded.due, policy_id = excluded.policy_id, claimed = excluded.claimed,
             lost = excluded.lost, recalled = excluded.recalled",
        ),
        (
            "patron_debt",
            "accounts",
            "account_id",
            "loan_id = excluded.loan_id, remaining = excluded.remaining",
        ),
    ];
    let mut counts = [0; 2];
    for (count, (kept, records, id, values)) in counts.iter_mut().zip(kinds) {
        let sql = format!(
            "WITH held AS MATERIALIZED (SELECT jsonb FROM {records}
               WHERE {by_user} = ANY($1::text[]) AND ({open}) COLLATE \"C\" <> 'closed' FOR NO KEY UPDATE),
             computed AS MATERIALIZED (SELECT computed.* FROM held CROSS JOIN LATERAL {kept}_of(jsonb) AS computed),
             gone AS (DELETE FROM {kept} AS kept WHERE user_id = ANY($2) AND NOT EXISTS (
               SELECT FROM computed WHERE computed.user_id = kept.user_id AND computed.{id} = kept.{id})),
             made AS (INSERT INTO {kept} AS kept SELECT * FROM computed
               ON CONFLICT (user_id, {id}) DO UPDATE SET {values} RETURNING 1)
             SELECT count(*) FROM made",
            records = tables.table(records),
            kept = tables.table(kept),
        );
        let rows = transaction.rows(&sql, &[&names, &patrons]).await?;
        *count = rows.first().map_or(0, |row| row.get("count"));
    }
    Ok(TakenUp {
        loans: counts[0],
        debts: counts[1],
    })
}

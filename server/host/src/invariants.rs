//! What must hold in areas after circulation, for `octavo doctor` and after tests.

use octavo_circulation::store::Tables;
use octavo_circulation::store::invariants::Finding;
use octavo_postgres::{Database, Isolation};
use octavo_records::{Executor, StoreError};
use uuid::Uuid;

/// A rule for an operator, its remedy, and SQL that returns each checked record's `id` and whether it is a
/// `fault`.
pub type Rule = (&'static str, &'static str, String);

/// The rules of all these areas.
#[must_use]
pub fn rules(tables: Tables<'_>) -> Vec<Rule> {
    let mut rules = octavo_finance::store::invariants::rules(tables);
    rules.extend(octavo_orders::store::invariants::rules(tables));
    rules.extend(octavo_invoices::store::invariants::rules(tables));
    rules
}

/// Checks a tenant by these rules; calls `told` with each finding.
///
/// # Errors
/// When the tenant cannot be read.
pub async fn examine_rules(
    database: &Database,
    rules: Vec<Rule>,
    mut told: impl FnMut(&Finding),
) -> Result<Vec<Finding>, StoreError> {
    // One snapshot, so that all rules examine the same state.
    let transaction = database.transaction_with(Isolation::Snapshot).await?;
    // A large library takes longer than the usual statement time-out.
    transaction
        .batch_execute("SET LOCAL statement_timeout = 0")
        .await?;
    let mut findings = Vec::new();
    for (rule, remedy, sql) in rules {
        let sql = format!(
            "SELECT count(*) AS looked_at, count(*) FILTER (WHERE fault) AS faults,
               (array_agg(id ORDER BY id) FILTER (WHERE fault))[1:5] AS examples FROM ({sql})
               AS seen"
        );
        let rows = transaction.rows(&sql, &[]).await?;
        let count = |column| {
            let number = rows.first().map_or(0, |row| row.get::<_, i64>(column));
            u64::try_from(number).unwrap_or(0)
        };
        let examples: Option<Vec<Uuid>> = rows.first().and_then(|row| row.get("examples"));
        let finding = Finding {
            rule,
            remedy,
            looked_at: count("looked_at"),
            faults: count("faults"),
            examples: examples.unwrap_or_default(),
        };
        told(&finding);
        findings.push(finding);
    }
    transaction.rollback().await?;
    Ok(findings)
}

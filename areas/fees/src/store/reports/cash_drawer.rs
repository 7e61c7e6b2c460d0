//! Payments at a service point, and who took them.

use octavo_library::ServicePointId;
use octavo_records::expression::{key, keys};
use octavo_records::plan::Sql;
use octavo_records::{Executor, Index, StoreError};

use super::super::Tables;
use super::{ReportFilter, amount, comment_part, date, totals};
use crate::accounting::ActionKind;
use crate::reports::{Group, Style, Total};

/// The groupings of its sums.
pub const CASH_DRAWER_GROUPS: [Group; 4] = [
    ("bySource", "Source totals"),
    ("byPaymentMethod", "Payment method totals"),
    ("byFeeFineType", "Fee/fine type totals"),
    ("byFeeFineOwner", "Fee/fine owner totals"),
];

const ORDER: &str = "account.jsonb->>'feeFineOwner', action.jsonb->>'source', \
                     action.jsonb->>'dateAction'";
/// Maximal number of sources of a service point.
const SOURCES_MAX: i64 = 10_000;
const PAID: &str = "jsonb->>'typeAction' IN ('Paid fully', 'Paid partially')";

/// The index for the loose index scan over sources.
#[must_use]
pub fn by_source() -> Index {
    Index::plain("createdAt")
        .case_sensitive()
        .keep_accents()
        .with(&["source"])
        .when(PAID)
}

/// The rows and the sums.
pub async fn cash_drawer(
    executor: &dyn Executor,
    tables: Tables<'_>,
    mut wanted: ReportFilter,
    style: &Style,
) -> Result<(Sql, Vec<Total>), StoreError> {
    wanted.names = ActionKind::Pay.names().map(str::to_owned).to_vec();
    let names = [
        "picked.action->>'source'",
        "picked.action->>'paymentMethod'",
        "CASE WHEN picked.account IS NULL THEN '-' ELSE picked.account->>'feeFineType' END",
        "CASE WHEN picked.account IS NULL THEN '-' ELSE picked.account->>'feeFineOwner' END",
    ];
    let sums = totals(executor, tables, wanted.clone(), ORDER, &names).await?;
    let mut sql = Sql::default();
    wanted.picked(tables, ORDER, &mut sql);
    sql.push(&format!(
        "SELECT jsonb_strip_nulls(jsonb_build_object(
           'source', action->'source', 'paymentMethod', action->'paymentMethod',
           'paidAmount', {paid}, 'feeFineOwner', account->'feeFineOwner',
           'feeFineType', account->'feeFineType', 'paymentDate', coalesce({date}, ''),
           'paymentStatus', action->'typeAction',
           'transactionInfo', action->'transactionInformation',
           'additionalStaffInfo', {staff}, 'additionalPatronInfo', {patron},
           'patronId', action->'userId', 'feeFineId', action->'accountId')) AS jsonb
         FROM picked ORDER BY at",
        paid = amount("action->>'amountAction'", style.places),
        date = date("action->>'dateAction'", style),
        staff = comment_part("action", "STAFF"),
        patron = comment_part("action", "PATRON"),
    ));
    Ok((sql, sums))
}

/// Who took payments at a service point: a loose index scan, one step per source, however many payments
/// there are.
pub async fn sources(
    executor: &dyn Executor,
    tables: Tables<'_>,
    created_at: ServicePointId,
) -> Result<Vec<String>, StoreError> {
    let index = by_source();
    let place = key(&index);
    let source = keys(&index).into_iter().nth(1);
    let source = source.expect("invariant: the index has two keys");
    let actions = tables.table("feefineactions");
    let sql = format!(
        "WITH RECURSIVE step AS (
           (SELECT {source} AS source FROM {actions} WHERE {PAID} AND {place} = $1
            ORDER BY 1 LIMIT 1)
           UNION ALL
           SELECT (SELECT {source} FROM {actions} WHERE {PAID} AND {place} = $1
             AND {source} > step.source ORDER BY 1 LIMIT 1)
           FROM step WHERE step.source IS NOT NULL)
         SELECT source FROM step WHERE source IS NOT NULL LIMIT $2"
    );
    let rows = executor
        .rows(&sql, &[&created_at.to_string(), &SOURCES_MAX])
        .await?;
    Ok(rows.iter().map(|row| row.get("source")).collect())
}

//! The statements of reports: actions with their accounts, and sums. The database composes the rows,
//! which are streamed to the client, and computes the sums.

mod cash_drawer;
mod financial;
mod refunds;

pub use cash_drawer::{CASH_DRAWER_GROUPS, by_source, cash_drawer, sources};
pub use financial::{FINANCIAL_GROUPS, financial};
pub use refunds::refunds;

use octavo_configuration::app::locale::Locale;
use octavo_configuration::store::tenant::locale;
use octavo_library::{FeeFineOwnerId, ServicePointId};
use octavo_records::expression::key;
use octavo_records::plan::{Parameter, Sql};
use octavo_records::{Executor, Index, StoreError, instant};

use super::Tables;
use crate::accounting::Money;
use crate::reports::{Period, Style, Total};

/// Rows of a report at most, as in FOLIO.
const ROWS_MAX: i64 = 1_000_000;

/// The index that periods are looked up by.
#[must_use]
pub fn by_date() -> Index {
    Index::plain("dateAction").case_sensitive().keep_accents()
}

/// Which actions a report is about.
#[derive(Debug, Clone, Default)]
pub struct ReportFilter {
    /// FOLIO's names of the actions.
    pub names: Vec<String>,
    /// The period.
    pub period: Period,
    /// The service points; empty for all.
    pub created_at: Vec<ServicePointId>,
    /// The sources; empty for all.
    pub sources: Vec<String>,
    /// The owners; empty for all.
    pub owners: Vec<FeeFineOwnerId>,
}

/// The tenant's time zone and how it writes dates and amounts.
pub async fn tenant_locale(
    executor: &dyn Executor,
    tables: Tables<'_>,
) -> Result<Locale, StoreError> {
    let stored = locale(executor, tables.tenant, tables.catalog).await?;
    Ok(Locale::stored(stored.as_deref()))
}

impl ReportFilter {
    /// `picked (id, action, account, at)`: the actions with their accounts, in the report's order.
    fn picked(self, tables: Tables<'_>, order: &str, sql: &mut Sql) {
        sql.push(&format!(
            "WITH picked AS MATERIALIZED (SELECT action.id, action.jsonb AS action,
               account.jsonb AS account, row_number() OVER (ORDER BY {order}, action.id) AS at
             FROM (SELECT id, jsonb FROM {} WHERE jsonb->>'typeAction' = ANY(",
            tables.table("feefineactions"),
        ));
        sql.bind(Parameter::Texts(self.names), "text[]");
        sql.push(")");
        let date = key(&by_date());
        for (at, sign) in [(self.period.from, ">="), (self.period.to, "<")] {
            if let Some(at) = at {
                sql.push(&format!(" AND {date} {sign} "));
                sql.bind(Parameter::Text(instant::format(at)), "text");
            }
        }
        if !self.created_at.is_empty() {
            let ids = self
                .created_at
                .iter()
                .map(ServicePointId::to_string)
                .collect();
            sql.push(" AND jsonb->>'createdAt' = ANY(");
            sql.bind(Parameter::Texts(ids), "text[]");
            sql.push(")");
        }
        if !self.sources.is_empty() {
            sql.push(" AND jsonb->>'source' = ANY(");
            sql.bind(Parameter::Texts(self.sources), "text[]");
            sql.push(")");
        }
        sql.push(&format!(
            ") AS action LEFT JOIN {} AS account
               ON account.id = (action.jsonb->>'accountId')::uuid",
            tables.table("accounts"),
        ));
        if !self.owners.is_empty() {
            let ids = self.owners.iter().map(FeeFineOwnerId::to_string).collect();
            sql.push(" WHERE account.jsonb->>'ownerId' = ANY(");
            sql.bind(Parameter::Texts(ids), "text[]");
            sql.push(")");
        }
        sql.push(" ORDER BY at LIMIT ");
        sql.bind(Parameter::Integer(ROWS_MAX), "bigint");
        sql.push(") ");
    }
}

/// SQL for an instant in the tenant's time zone and form; NULL where there is none.
fn date(instant: &str, style: &Style) -> String {
    // Both are literals of the statement, so that it is not injectable: the format is a constant, the
    // zone is quoted.
    format!(
        "to_char(({instant})::timestamptz AT TIME ZONE {}, '{}')",
        octavo_records::expression::quote(&style.zone),
        style.date_format
    )
}

/// SQL for an amount with this number of places.
fn amount(value: &str, places: i64) -> String {
    format!("round(({value})::numeric, {places})::text")
}

/// SQL for the staff or patron part of an action's comments; empty when absent.
fn comment_part(action: &str, whom: &str) -> String {
    let other = if whom == "STAFF" { "PATRON" } else { "STAFF" };
    format!(
        "split_part(split_part(E' \\n ' || coalesce({action}->>'comments', ''),
           E' \\n {whom} : ', 2), E' \\n {other} : ', 1)"
    )
}

/// The sums of a report's groups, each by the SQL of its name; a group without a name is not counted.
pub async fn totals(
    executor: &dyn Executor,
    tables: Tables<'_>,
    wanted: ReportFilter,
    order: &str,
    names: &[&str],
) -> Result<Vec<Total>, StoreError> {
    let mut sql = Sql::default();
    wanted.picked(tables, order, &mut sql);
    let names: Vec<String> = names
        .iter()
        .enumerate()
        .map(|(at, name)| format!("({at}, {name})"))
        .collect();
    sql.push(&format!(
        "SELECT grouped.place, grouped.name,
           sum(round((picked.action->>'amountAction')::numeric, 2))::text AS amount, count(*)
         FROM picked CROSS JOIN LATERAL (VALUES {}) AS grouped(place, name)
         WHERE grouped.name IS NOT NULL
         GROUP BY grouped.place, grouped.name ORDER BY grouped.place, min(picked.at)",
        names.join(", ")
    ));
    let rows = executor.rows(&sql.text, &sql.bound()).await?;
    Ok(rows
        .iter()
        .map(|row| Total {
            group: usize::try_from(row.get::<_, i32>("place")).unwrap_or_default(),
            name: row.get("name"),
            amount: row
                .get::<_, Option<String>>("amount")
                .and_then(|sum| Money::parse(&sum))
                .unwrap_or_default(),
            count: row.get("count"),
        })
        .collect())
}

//! Lists of the business interfaces, narrowed to what the user's acquisitions units show.

use axum::response::Response;
use octavo_platform::records_http::page_of;
use octavo_platform::{ApiError, Call};
use octavo_records::plan::{Plan, Predicate, Sql};
use octavo_records::{Collection, StoreError};

use crate::app::units::{Units, units};
use crate::store::views::FINANCE_DATA;

/// How records stand to units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnitsOf {
    /// They have units of their own.
    Record,
    /// They follow the funds in these columns.
    Funds(&'static [&'static str]),
}

/// The plan of a list as its user may see it.
pub(super) async fn plan(
    call: &Call,
    collection: &Collection,
    query: Option<&str>,
    of: UnitsOf,
) -> Result<Plan, ApiError> {
    let store = call.store();
    let mut plan = store.plan(&call.tenant, collection, query)?;
    let units: Units = units(&store.database, call.tables(), call.user_id()).await?;
    let visible = match of {
        UnitsOf::Record => units.visible(),
        UnitsOf::Funds(columns) => units.visible_by_fund(columns),
    };
    if let Some(visible) = visible {
        plan.predicate = match plan.predicate {
            Predicate::Everything => visible,
            asked => Predicate::All(vec![asked, visible]),
        };
    }
    Ok(plan)
}

/// 200 with a page of a collection.
pub(super) async fn list(
    call: &Call,
    collection: &Collection,
    of: UnitsOf,
) -> Result<Response, ApiError> {
    let paging = call.paging()?;
    let plan = plan(call, collection, paging.query.as_deref(), of).await?;
    let schema = call.tenant.schema();
    let sql = Sql::page(
        schema,
        &collection.table,
        &plan,
        paging.limit,
        paging.offset,
    );
    Ok(page_of(call, collection, &plan, sql, paging.search()).await?)
}

async fn of_table(call: Call, table: &str, of: UnitsOf) -> Result<Response, ApiError> {
    let collection = call
        .store()
        .catalog
        .get(table)
        .ok_or(StoreError::NotFound)?;
    list(&call, collection, of).await
}

/// 200 with fiscal years.
pub async fn fiscal_years(call: Call) -> Result<Response, ApiError> {
    of_table(call, "fiscal_year", UnitsOf::Record).await
}

/// 200 with groups.
pub async fn groups(call: Call) -> Result<Response, ApiError> {
    of_table(call, "fund_group", UnitsOf::Record).await
}

/// 200 with funds.
pub async fn funds(call: Call) -> Result<Response, ApiError> {
    of_table(call, "fund", UnitsOf::Record).await
}

/// 200 with budgets.
pub async fn budgets(call: Call) -> Result<Response, ApiError> {
    of_table(call, "budget", UnitsOf::Funds(&["fundid"])).await
}

/// 200 with transactions.
pub async fn transactions(call: Call) -> Result<Response, ApiError> {
    let funds = UnitsOf::Funds(&["fromfundid", "tofundid"]);
    of_table(call, "transaction", funds).await
}

/// 200 with logs of bulk changes.
pub async fn logs(call: Call) -> Result<Response, ApiError> {
    of_table(call, "fund_update_log", UnitsOf::Record).await
}

/// 200 with funds and their budgets, a row for each fiscal year.
pub async fn finance_data(call: Call) -> Result<Response, ApiError> {
    list(&call, &FINANCE_DATA, UnitsOf::Funds(&["fundid"])).await
}

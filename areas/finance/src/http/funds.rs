//! `/finance/funds`.

use std::sync::LazyLock;

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{created, empty, pretty, pretty_text};
use octavo_platform::{ApiError, Call, incorrect};
use octavo_records::{Shape, StoreError};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::records::without_colon;
use super::{checked, id_parameter, settle_id};
use crate::app::composite_fund;
use crate::app::lookups::{budgets, funds, ledger_years};
use crate::refusal::Refusal;
use crate::store::accounts::{Hold, ids_in, object};
use crate::store::classes;

static COMPOSITE: LazyLock<Shape> = LazyLock::new(|| {
    Shape::parse(include_str!("../shapes/bodies/composite-fund.shape"))
        .expect("invariant: the shape is well formed")
});

/// The fund and its groups in a body.
fn parts(call: &Call) -> Result<(Map<String, Value>, Vec<Uuid>), ApiError> {
    let mut body = checked(call, &COMPOSITE)?;
    let groups = ids_in(body.get("groupIds"), None);
    let fund = body.shift_remove("fund").unwrap_or_default();
    without_colon(&fund)?;
    Ok((object(fund), groups))
}

/// 201 with the fund and its groups.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let (fund, groups) = parts(&call)?;
    let transaction = call.store().database.transaction().await?;
    let made = composite_fund::create(call.context(), &transaction, fund, &groups).await?;
    transaction.commit().await?;
    let id = made["fund"]["id"].as_str().unwrap_or_default();
    let location = format!("/finance/funds/{id}");
    Ok(created(pretty_text(&made).into(), &location))
}

/// 200 with the fund and its groups of the current fiscal year.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let database = &call.store().database;
    let found = composite_fund::read(call.context(), database, id).await?;
    Ok(pretty(StatusCode::OK, &found.ok_or(StoreError::NotFound)?))
}

/// 204.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let (mut fund, groups) = parts(&call)?;
    settle_id(id, &mut fund)?;
    let transaction = call.store().database.transaction().await?;
    composite_fund::update(call.context(), &transaction, id, &fund, &groups).await?;
    transaction.commit().await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// 204.
pub async fn remove(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let transaction = call.store().database.transaction().await?;
    composite_fund::delete(call.context(), &transaction, id).await?;
    transaction.commit().await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// The fund of the path, and its fiscal year: the one of the parameter, or the current or planned one.
async fn year_of_fund(call: &Call, of_budget: bool) -> Result<(Uuid, Option<Uuid>), ApiError> {
    let id = Uuid::try_parse(call.segment("id")).map_err(|_| StoreError::NotFound)?;
    let database = &call.store().database;
    let fund = funds(database, call.tables(), &[id]).await?.remove(&id);
    let ledger = fund.ok_or(StoreError::NotFound)?.ledger_id;
    let mut years = ledger_years(call.context(), database, &[ledger]).await?;
    let years = years.remove(&ledger).unwrap_or_default();
    let planned = of_budget && call.parameter("status")?.as_deref() == Some("Planned");
    let year = if planned {
        years.planned
    } else {
        years.current
    };
    Ok((id, year.map(|year| year.id)))
}

/// 200 with the fund's budget of the current or planned fiscal year.
pub async fn budget(call: Call) -> Result<Response, ApiError> {
    match call.parameter("status")?.as_deref() {
        None | Some("Current" | "Planned") => {}
        Some(other) => return Err(incorrect("status", other, "must be Current or Planned")),
    }
    let (fund, year) = year_of_fund(&call, true).await?;
    let year = year.ok_or(Refusal::CurrentBudgetNotFound)?;
    let database = &call.store().database;
    let found = budgets(call.context(), database, &[fund], year, Hold::No).await?;
    let account = found.get(&fund).ok_or(Refusal::CurrentBudgetNotFound)?;
    Ok(pretty(
        StatusCode::OK,
        &Value::Object(account.budget.document()),
    ))
}

/// 200 with the expense classes of the fund's budget of a fiscal year, by their status.
pub async fn expense_classes(call: Call) -> Result<Response, ApiError> {
    let (fund, current) = year_of_fund(&call, false).await?;
    let year = id_parameter(&call, "fiscalYearId")?.or(current);
    let year = year.ok_or(Refusal::CurrentFiscalYearNotFound)?;
    let (database, tables) = (&call.store().database, call.tables());
    let found = budgets(call.context(), database, &[fund], year, Hold::No).await?;
    let account = found.get(&fund).ok_or(Refusal::CurrentBudgetNotFound)?;
    let status = call.parameter("status")?;
    let links = classes::links(database, tables, account.budget.id).await?;
    let wanted = links
        .iter()
        .filter(|link| status.as_ref().is_none_or(|status| *status == link.status));
    let ids: Vec<Uuid> = wanted.map(|link| link.expense_class_id).collect();
    let classes = classes::by_ids(database, tables, &ids).await?;
    let body = json!({"totalRecords": classes.len(), "expenseClasses": classes});
    Ok(pretty(StatusCode::OK, &body))
}

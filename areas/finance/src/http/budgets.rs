//! `/finance/budgets`: budgets with their expense classes, what these have used, recalculation.

use std::sync::LazyLock;

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{created, empty, pretty, pretty_text};
use octavo_platform::{ApiError, Call};
use octavo_records::store::fetch;
use octavo_records::{Shape, StoreError};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{checked, replacement};
use crate::app::recalculate::recalculate as recalculated;
use crate::app::shared_budget;
use crate::money::Amount;
use crate::records::Budget;
use crate::rules::exchange::places;
use crate::store::accounts::object;
use crate::store::classes::{self, ClassTotals};
use crate::store::{budgets, codes};

static SHARED: LazyLock<Shape> = LazyLock::new(|| {
    Shape::parse(include_str!("../shapes/bodies/shared-budget.shape"))
        .expect("invariant: the shape is well formed")
});

/// 201 with the budget.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let body = checked(&call, &SHARED)?;
    let transaction = call.store().database.transaction().await?;
    let id = shared_budget::create(call.context(), &transaction, body).await?;
    let made = budgets::shared(&transaction, call.tables(), id).await?;
    transaction.commit().await?;
    let made = made.ok_or(StoreError::NotFound)?;
    let location = format!("/finance/budgets/{id}");
    Ok(created(pretty_text(&made).into(), &location))
}

/// 200 with the budget.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let database = &call.store().database;
    let found = budgets::shared(database, call.tables(), call.id()?).await?;
    Ok(pretty(StatusCode::OK, &found.ok_or(StoreError::NotFound)?))
}

/// 204.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let (id, body) = replacement(&call, &SHARED)?;
    let transaction = call.store().database.transaction().await?;
    shared_budget::update(call.context(), &transaction, id, body).await?;
    transaction.commit().await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

fn path_id(call: &Call) -> Result<Uuid, StoreError> {
    Uuid::try_parse(call.segment("id")).map_err(|_| StoreError::NotFound)
}

/// 204: the budget's sums are those of its transactions.
pub async fn recalculate(call: Call) -> Result<Response, ApiError> {
    let id = path_id(&call)?;
    let transaction = call.store().database.transaction().await?;
    recalculated(call.context(), &transaction, id).await?;
    transaction.commit().await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// 200 with what each expense class of the budget has used.
pub async fn class_totals(call: Call) -> Result<Response, ApiError> {
    let id = path_id(&call)?;
    let (database, tables) = (&call.store().database, call.tables());
    let budget = fetch(database, &call.tenant, call.collection("budget"), id).await?;
    let budget = Budget::read(object(budget.ok_or(StoreError::NotFound)?))?;
    let (fund, year) = budget.key();
    let totals = classes::totals(database, tables, &[fund], year).await?;
    let (spent, credited) = (budget.sums.expenditures, budget.sums.credits);
    let rows: Vec<Value> = totals
        .iter()
        .map(|one| {
            let mut row = totals_row(one, spent, credited);
            row.insert("expenseClassCode".to_owned(), json!(one.code));
            row.insert("expenseClassStatus".to_owned(), json!(one.status));
            Value::Object(row)
        })
        .collect();
    let body = json!({"totalRecords": rows.len(), "budgetExpenseClassTotals": rows});
    Ok(pretty(StatusCode::OK, &body))
}

/// The totals of a class, and what part of the whole they are.
pub(super) fn totals_row(
    totals: &ClassTotals,
    spent: Amount,
    credited: Amount,
) -> Map<String, Value> {
    let mut row = json!({"id": totals.id, "expenseClassName": totals.name,
        "encumbered": totals.encumbered.json(), "awaitingPayment": totals.awaiting_payment.json(),
        "expended": totals.expended.json(), "credited": totals.credited.json()});
    for (name, part, whole) in [
        ("percentageExpended", totals.expended, spent),
        ("percentageCredited", totals.credited, credited),
    ] {
        if let Some(percentage) = percentage(part, whole, totals.is_used) {
            row[name] = percentage.json();
        }
    }
    object(row)
}

/// Per cent; nothing of nothing is unknown, but a class without transactions has none.
fn percentage(part: Amount, whole: Amount, is_used: bool) -> Option<Amount> {
    if !is_used {
        return Some(Amount::ZERO);
    }
    let share = part.decimal().checked_div(whole.decimal())?;
    Some(Amount::new(share * rust_decimal::Decimal::ONE_HUNDRED).half_even(places("")))
}

/// 200 with the codes of funds and their expense classes.
pub async fn codes(call: Call) -> Result<Response, ApiError> {
    // The list is whole whatever they say, but they have to be numbers.
    let _ = call.paging()?;
    let (database, tables) = (&call.store().database, call.tables());
    let years: Vec<Uuid> = match call
        .parameter("fiscalYearCode")?
        .filter(|code| code != "None")
    {
        Some(code) => codes::year(database, tables, &code)
            .await?
            .into_iter()
            .collect(),
        None => current_years(&call).await?,
    };
    let funds = codes::of_years(database, tables, &years).await?;
    let rows: Vec<Value> = funds
        .iter()
        .map(|one| {
            let joined = |codes: &[String]| -> Vec<String> {
                codes
                    .iter()
                    .map(|code| format!("{}:{code}", one.fund_code))
                    .collect()
            };
            json!({"fundCode": one.fund_code, "ledgerCode": one.ledger_code,
                "activeFundCodeVsExpClasses": joined(&one.active),
                "inactiveFundCodeVsExpClasses": joined(&one.inactive)})
        })
        .collect();
    let body = json!({"delimiter": ":", "fundCodeVsExpClassesTypes": rows});
    Ok(pretty(StatusCode::OK, &body))
}

async fn current_years(call: &Call) -> Result<Vec<Uuid>, ApiError> {
    let database = &call.store().database;
    let ledgers = codes::ledgers(database, call.tables()).await?;
    let years = crate::app::lookups::ledger_years(call.context(), database, &ledgers).await?;
    let current = years.into_values().filter_map(|years| years.current);
    let mut ids: Vec<Uuid> = current.map(|year| year.id).collect();
    ids.sort_unstable();
    ids.dedup();
    Ok(ids)
}

//! `/finance/groups`, their totals, and the places of funds in them.

use std::collections::BTreeMap;

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{created, pretty};
use octavo_platform::{ApiError, Call};
use octavo_records::StoreError;
use octavo_records::plan::Sql;
use serde_json::{Value, json};
use uuid::Uuid;

use super::budgets::totals_row;
use super::{checked, id_parameter};
use crate::app::lookups::budgets;
use crate::money::Amount;
use crate::records::Sums;
use crate::refusal::Refusal;
use crate::store::accounts::{Hold, object};
use crate::store::{classes, groups, totals};

const PLACES: &str = "group_fund_fiscal_year";

/// 200 with what each expense class of the group's budgets of a fiscal year has used.
pub async fn class_totals(call: Call) -> Result<Response, ApiError> {
    let group = Uuid::try_parse(call.segment("id")).map_err(|_| StoreError::NotFound)?;
    let year = id_parameter(&call, "fiscalYearId")?.ok_or(Refusal::MissingFiscalYear)?;
    let (database, tables) = (&call.store().database, call.tables());
    let funds = groups::funds(database, tables, group, year).await?;
    let accounts = budgets(call.context(), database, &funds, year, Hold::No).await?;
    let sum = |of: fn(&Sums) -> Amount| -> Amount {
        accounts
            .values()
            .map(|account| of(&account.budget.sums))
            .sum()
    };
    let (spent, credited) = (sum(|sums| sums.expenditures), sum(|sums| sums.credits));
    let totals = classes::totals(database, tables, &funds, year).await?;
    let rows: Vec<Value> = totals
        .iter()
        .map(|one| Value::Object(totals_row(one, spent, credited)))
        .collect();
    let body = json!({"totalRecords": rows.len(), "groupExpenseClassTotals": rows});
    Ok(pretty(StatusCode::OK, &body))
}

/// 200 with the totals of the groups and fiscal years whose places the query finds.
pub async fn summaries(call: Call) -> Result<Response, ApiError> {
    let (store, tables) = (call.store(), call.tables());
    let query = call.parameter("query")?;
    let plan = store.plan(&call.tenant, call.collection(PLACES), query.as_deref())?;
    let all = i64::from(i32::MAX);
    let sql = Sql::select(
        "groupid, fundid, fiscalyearid",
        call.tenant.schema(),
        PLACES,
        &plan,
        all,
        0,
    );
    let rows = store.run(&plan.predicate, &sql).await?;
    let mut numbers: BTreeMap<(Uuid, Uuid), i32> = BTreeMap::new();
    let mut places = Vec::with_capacity(rows.len());
    for row in &rows {
        let key: (Uuid, Uuid) = (row.get("groupid"), row.get("fiscalyearid"));
        let next = i32::try_from(numbers.len()).unwrap_or(i32::MAX);
        let number = *numbers.entry(key).or_insert(next);
        places.push((number, row.get("fundid"), key.1));
    }
    let totals = totals::of_places(&store.database, tables, &places).await?;
    let summaries: Vec<Value> = numbers
        .iter()
        .map(|((group, year), number)| {
            let mut summary = object(json!({"groupId": group, "fiscalYearId": year}));
            let sums = totals.get(number).copied().unwrap_or_default();
            sums.write(&mut summary);
            Value::Object(summary)
        })
        .collect();
    let body = json!({"totalRecords": summaries.len(), "groupFiscalYearSummaries": summaries});
    Ok(pretty(StatusCode::OK, &body))
}

/// 201 with the place of a fund in a group, which gets the fund's budget of that year.
pub async fn add_place(call: Call) -> Result<Response, ApiError> {
    let collection = call.collection(PLACES);
    let mut place = checked(&call, &collection.shape)?;
    let id = |name: &str| {
        let text = place.get(name).and_then(Value::as_str);
        text.and_then(|text| Uuid::try_parse(text).ok())
            .unwrap_or_default()
    };
    let (fund, year) = (id("fundId"), id("fiscalYearId"));
    if !place.contains_key("budgetId") {
        let database = &call.store().database;
        let found = budgets(call.context(), database, &[fund], year, Hold::No).await?;
        if let Some(account) = found.get(&fund) {
            place.insert("budgetId".to_owned(), json!(account.budget.id));
        }
    }
    let document = Value::Object(place);
    let store = call.store();
    let (id, stored) = store
        .create(&call.tenant, collection, document, &call.stamp())
        .await?;
    Ok(created(
        stored,
        &format!("/finance/group-fund-fiscal-years/{id}"),
    ))
}

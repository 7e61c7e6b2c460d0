//! Bulk changes of funds and budgets: checked, computed, and applied all together.

use std::collections::BTreeSet;

use octavo_boxed::boxed;
use octavo_postgres::Transaction;
use octavo_records::store::{Hold as RecordHold, Locking, fetch_many, insert, replace_many};
use octavo_records::{Context, Executor, OperationError, StoreError};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::lookups::budgets;
use super::transactions::{apply, write_budgets};
use crate::records::{Budget, BudgetStatus, FundTransaction, Kind, Source, Sums};
use crate::refusal::{Declined, Refusal};
use crate::rules::batch::Batch;
use crate::rules::finance_data::{Known, KnownBudget, KnownFund, Row, faults};
use crate::rules::fiscal_years::FiscalYear;
use crate::store::accounts::{Hold, funds, object};
use crate::store::budgets::join_groups;
use crate::store::years;

/// What is stored of the rows.
///
/// # Errors
/// When the database does not answer.
#[boxed]
pub async fn known(
    context: Context<'_>,
    executor: &dyn Executor,
    rows: &[Row],
) -> Result<Known, StoreError> {
    let ids: BTreeSet<Uuid> = rows.iter().map(|row| row.fund_id).collect();
    let ids: Vec<Uuid> = ids.into_iter().collect();
    let facts = funds(executor, context.tables(), &ids).await?;
    let mut known = Known::default();
    for (id, fund) in facts {
        let fund = KnownFund {
            code: fund.code,
            name: fund.name,
            status: fund.status,
            description: fund.description,
            tags: fund.tags,
            ledger_id: fund.ledger_id,
            ledger_code: fund.ledger_code,
            ledger_units: fund.ledger_units,
        };
        known.funds.insert(id, fund);
    }
    if let Some(row) = rows.first() {
        let found = budgets(context, executor, &ids, row.fiscal_year_id, Hold::No).await?;
        for account in found.into_values() {
            let budget = KnownBudget {
                name: account.budget.name().to_owned(),
                fund_id: account.budget.fund_id,
                status: account.budget.status,
                initial: account.budget.sums.initial_allocation,
                allocated: account.budget.sums.computed().allocated,
                allowable_expenditure: account.budget.allowable_expenditure,
                allowable_encumbrance: account.budget.allowable_encumbrance,
            };
            known.budgets.insert(account.budget.id, budget);
        }
    }
    Ok(known)
}

/// Checks rows and fills in what they compute; gives what is stored of them.
///
/// # Errors
/// All that is wrong in them.
pub async fn compute(
    context: Context<'_>,
    executor: &dyn Executor,
    rows: &mut [Row],
) -> Result<Known, Declined> {
    let known = known(context, executor, rows).await?;
    let faults = faults(rows, &known);
    if !faults.is_empty() {
        return Err(Refusal::Rows(faults).into());
    }
    for row in rows {
        row.compute(&known);
    }
    Ok(known)
}

/// Applies rows of one fiscal year: funds, then budgets, then allocations.
///
/// # Errors
/// Which of the three failed.
#[boxed]
pub async fn apply_rows(
    context: Context<'_>,
    transaction: &Transaction,
    rows: &[Row],
) -> Result<(), Declined> {
    let Some(first) = rows.first() else {
        return Ok(());
    };
    let id = first.fiscal_year_id;
    let mut found = years::by_ids(transaction, context.tables(), &[id]).await?;
    let year = found.remove(&id).ok_or(Refusal::BudgetsNotUpdated)?;
    let funds = update_funds(context, transaction, rows).await;
    funds.map_err(|error| failed(error, Refusal::FundsNotUpdated))?;
    let after = update_budgets(context, transaction, rows, &year).await;
    let after = after.map_err(|error| failed(error, Refusal::BudgetsNotUpdated))?;
    let moves: Vec<FundTransaction> = rows
        .iter()
        .filter_map(|row| allocation(row, &year))
        .collect();
    if !moves.is_empty() {
        match apply(context, transaction, &Batch::creating(moves)).await {
            Ok(()) => {}
            Err(OperationError::Refused(_)) => return Err(Refusal::AllocationsNotCreated.into()),
            Err(OperationError::Store(error)) => {
                return Err(failed(error, Refusal::AllocationsNotCreated));
            }
        }
    }
    // The status that a new budget is to have comes last: its allocation needs an active one.
    let made: Vec<Uuid> = after.iter().map(|(fund, _)| *fund).collect();
    let mut accounts = budgets(context, transaction, &made, year.id, Hold::Yes).await?;
    let mut changed = Vec::new();
    for (fund, status) in after {
        if let Some(mut account) = accounts.remove(&fund) {
            account.budget.status = status;
            changed.push(account.budget);
        }
    }
    write_budgets(context, transaction, &changed).await?;
    Ok(())
}

/// What the client could have caused is one of FOLIO's refusals.
fn failed(error: StoreError, refusal: Refusal) -> Declined {
    match error {
        StoreError::Duplicate { .. }
        | StoreError::MissingReference { .. }
        | StoreError::NotFound
        | StoreError::Invalid(_) => refusal.into(),
        other => other.into(),
    }
}

fn allocation(row: &Row, year: &FiscalYear) -> Option<FundTransaction> {
    let change = row.change();
    if change.is_zero() {
        return None;
    }
    let mut one = FundTransaction::new(
        Kind::Allocation,
        Source::User,
        year.id,
        change.abs(),
        &year.currency,
    );
    match change.is_positive() {
        true => one.to_fund_id = Some(row.fund_id),
        false => one.from_fund_id = Some(row.fund_id),
    }
    one.description.clone_from(&row.transaction_description);
    one.tags.clone_from(&row.transaction_tag);
    Some(one)
}

async fn update_funds(
    context: Context<'_>,
    transaction: &Transaction,
    rows: &[Row],
) -> Result<(), StoreError> {
    let collection = context.collection("fund");
    let ids: Vec<Uuid> = rows.iter().map(|row| row.fund_id).collect();
    let exclusive = RecordHold::Exclusive;
    let mut held = fetch_many(transaction, context.tenant, collection, &ids, exclusive).await?;
    let mut changed: Vec<(Uuid, Map<String, Value>)> = Vec::new();
    for row in rows {
        let Some(stored) = held.remove(&row.fund_id) else {
            continue;
        };
        let mut fund = object(stored.clone());
        if let Some(status) = row.fund_status.as_deref() {
            let unchanged = fund.get("fundStatus").and_then(Value::as_str) == Some(status);
            let wakes = unchanged && row.change().is_positive() && status != "Active";
            let status = if wakes { "Active" } else { status };
            fund.insert("fundStatus".to_owned(), json!(status));
        }
        if let Some(description) = &row.fund_description {
            fund.insert("description".to_owned(), json!(description));
        }
        let tags = row.fund_tags.as_ref();
        let listed = |tags: &&Value| tags["tagList"].as_array().is_some_and(|it| !it.is_empty());
        if let Some(tags) = tags.filter(listed) {
            fund.insert("tags".to_owned(), tags.clone());
        }
        if Value::Object(fund.clone()) != stored {
            changed.push((row.fund_id, fund));
        }
    }
    let any = Locking::Suppressed;
    replace_many(
        transaction,
        context.tenant,
        collection,
        &changed,
        &context.stamp,
        any,
    )
    .await
}

/// Changes budgets and makes missing ones; gives the status that new ones are to have.
async fn update_budgets(
    context: Context<'_>,
    transaction: &Transaction,
    rows: &[Row],
    year: &FiscalYear,
) -> Result<Vec<(Uuid, BudgetStatus)>, StoreError> {
    let ids: Vec<Uuid> = rows.iter().map(|row| row.fund_id).collect();
    let mut held = budgets(context, transaction, &ids, year.id, Hold::Yes).await?;
    let (mut changed, mut after) = (Vec::new(), Vec::new());
    let read = |status: &str| serde_json::from_value::<BudgetStatus>(json!(status));
    for row in rows {
        let sent = row.budget_status.as_deref().map(read).transpose()?;
        let mut document = match held.remove(&row.fund_id) {
            Some(account) if row.budget_id.is_some() => account.budget.document(),
            Some(_) => continue,
            None => {
                let wanted = sent.is_some() || row.change().is_positive();
                if wanted && context.stamp.at <= year.end {
                    make(context, transaction, row, year).await?;
                    after.extend(sent.map(|status| (row.fund_id, status)));
                }
                continue;
            }
        };
        set_allowances(&mut document, row);
        let mut budget = Budget::read(document)?;
        budget.status = sent.unwrap_or(budget.status);
        changed.push(budget);
    }
    write_budgets(context, transaction, &changed).await?;
    Ok(after)
}

fn set_allowances(document: &mut Map<String, Value>, row: &Row) {
    for (name, percentage) in [
        ("allowableExpenditure", row.budget_allowable_expenditure),
        ("allowableEncumbrance", row.budget_allowable_encumbrance),
    ] {
        match percentage {
            Some(percentage) => document.insert(name.to_owned(), percentage.json()),
            None => document.shift_remove(name),
        };
    }
}

async fn make(
    context: Context<'_>,
    transaction: &Transaction,
    row: &Row,
    year: &FiscalYear,
) -> Result<(), StoreError> {
    let code = row.fund_code.as_deref().unwrap_or_default();
    let name = row
        .budget_name
        .clone()
        .unwrap_or_else(|| format!("{code}-{}", year.code));
    let status = match year.start <= context.stamp.at {
        true => BudgetStatus::Active,
        false => BudgetStatus::Planned,
    };
    let mut document = object(json!({"name": name, "fundId": row.fund_id,
        "fiscalYearId": year.id, "budgetStatus": status}));
    set_allowances(&mut document, row);
    Sums::default().write(&mut document);
    let collection = context.collection("budget");
    let (id, _) = insert(
        transaction,
        context.tenant,
        collection,
        document,
        &context.stamp,
    )
    .await?;
    join_groups(transaction, context.tables(), id, (row.fund_id, year.id)).await
}

/// What is written into the log of bulk changes. It has the units of the ledger, so that who does not see that does
/// not see the log either.
#[must_use]
pub fn log(
    rows: &[Row],
    known: &Known,
    (name, day): (Option<&str>, &str),
    (number, status): (i64, &str),
) -> Map<String, Value> {
    let first = rows.first();
    let fund = first.and_then(|row| known.funds.get(&row.fund_id));
    let name = match name.filter(|name| !name.is_empty()) {
        Some(name) => name.to_owned(),
        None => {
            let year = first.and_then(|row| row.rest.get("fiscalYearCode"));
            let year = year.and_then(Value::as_str).unwrap_or_default();
            let ledger = fund.map_or("", |fund| fund.ledger_code.as_str());
            format!("{year}-{ledger}-{day}")
        }
    };
    object(
        json!({"jobNumber": number, "jobName": name, "jobDetails": {"fyFinanceData": rows},
        "status": status, "recordsCount": rows.len(),
        "ledgerId": first.and_then(|row| row.ledger_id),
        "acqUnitIds": fund.map(|fund| fund.ledger_units.as_slice()).unwrap_or_default()}),
    )
}

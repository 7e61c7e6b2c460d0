//! Budgets of the business interface: with their expense classes, and with a first allocation.

use octavo_boxed::boxed;
use octavo_postgres::Transaction;
use octavo_records::store::{fetch_locked, insert, replace};
use octavo_records::{Context, StoreError};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::expense_classes::{add, set};
use super::lookups::{budgets, funds, ledger_years};
use super::transactions::{apply, write_budgets};
use crate::money::Amount;
use crate::records::{Budget, BudgetStatus, ClassLink, FundTransaction, Kind, Source, Sums};
use crate::refusal::{Declined, Refusal};
use crate::rules::batch::Batch;
use crate::rules::restriction::allowances_exceeded;
use crate::store::accounts::{Hold, object};
use crate::store::{budgets as stored, classes, years};

/// Creates a budget from a checked body; what is allocated becomes a transaction.
///
/// # Errors
/// When the budget is refused, or its first allocation: then nothing is stored.
#[boxed]
pub async fn create(
    context: Context<'_>,
    transaction: &Transaction,
    mut body: Map<String, Value>,
) -> Result<Uuid, Declined> {
    let allocated = Amount::of(body.remove("allocated").as_ref());
    if allocated.is_negative() {
        return Err(Refusal::NegativeAllocation.into());
    }
    let links = ClassLink::of(body.remove("statusExpenseClasses").as_ref());
    let mut sums = Sums::read(&body);
    sums.initial_allocation = Amount::ZERO;
    sums.allocation_to = Amount::ZERO;
    sums.allocation_from = Amount::ZERO;
    let mut document = Value::Object(body);
    let collection = context.collection("budget");
    collection
        .shape
        .check(&mut document)
        .map_err(StoreError::Invalid)?;
    let mut document = object(document);
    let wanted: BudgetStatus = serde_json::from_value(
        document
            .insert("budgetStatus".to_owned(), json!("Active"))
            .unwrap_or_default(),
    )
    .map_err(StoreError::json)?;
    sums.write(&mut document);
    let (id, _) = insert(
        transaction,
        context.tenant,
        collection,
        document.clone(),
        &context.stamp,
    )
    .await?;
    document.insert("id".to_owned(), json!(id));
    let mut budget = Budget::read(document)?;
    let links = match links.is_empty() && wanted == BudgetStatus::Planned {
        true => links_of_current(context, transaction, budget.fund_id).await?,
        false => links,
    };
    add(context, transaction, id, &links).await?;
    stored::join_groups(transaction, context.tables(), id, budget.key()).await?;
    if allocated.is_positive() {
        allocate(context, transaction, &budget, allocated).await?;
    }
    if wanted != BudgetStatus::Active {
        let (fund, year) = ([budget.fund_id], budget.fiscal_year_id);
        let mut held = budgets(context, transaction, &fund, year, Hold::Yes).await?;
        if let Some(account) = held.remove(&budget.fund_id) {
            budget = account.budget;
        }
        budget.status = wanted;
        write_budgets(context, transaction, &[budget]).await?;
    }
    Ok(id)
}

async fn allocate(
    context: Context<'_>,
    transaction: &Transaction,
    budget: &Budget,
    amount: Amount,
) -> Result<(), Declined> {
    let year = budget.fiscal_year_id;
    let found = years::by_ids(transaction, context.tables(), &[year]).await?;
    let currency = found.get(&year).map_or("", |year| year.currency.as_str());
    let mut allocation =
        FundTransaction::new(Kind::Allocation, Source::User, year, amount, currency);
    allocation.to_fund_id = Some(budget.fund_id);
    match apply(context, transaction, &Batch::creating(vec![allocation])).await {
        Ok(()) => Ok(()),
        Err(octavo_records::OperationError::Refused(_)) => Err(Refusal::AllocationFailed.into()),
        Err(octavo_records::OperationError::Store(error)) => Err(error.into()),
    }
}

/// The expense classes of the fund's current budget.
async fn links_of_current(
    context: Context<'_>,
    transaction: &Transaction,
    fund: Uuid,
) -> Result<Vec<ClassLink>, StoreError> {
    let Some(facts) = funds(transaction, context.tables(), &[fund])
        .await?
        .remove(&fund)
    else {
        return Ok(Vec::new());
    };
    let ledger = facts.ledger_id;
    let years = ledger_years(context, transaction, &[ledger]).await?;
    let Some(current) = years.get(&ledger).and_then(|years| years.current.as_ref()) else {
        return Ok(Vec::new());
    };
    let budgets = budgets(context, transaction, &[fund], current.id, Hold::No).await?;
    match budgets.get(&fund) {
        Some(account) => classes::links(transaction, context.tables(), account.budget.id).await,
        None => Ok(Vec::new()),
    }
}

/// Replaces a budget by a checked body; its sums stay as they are stored.
///
/// # Errors
/// When its allowances are below what is used, or a class with transactions is left out.
#[boxed]
pub async fn update(
    context: Context<'_>,
    transaction: &Transaction,
    id: Uuid,
    mut body: Map<String, Value>,
) -> Result<(), Declined> {
    let collection = context.collection("budget");
    let held = fetch_locked(transaction, context.tenant, collection, id).await?;
    let held = Budget::read(object(held.ok_or(StoreError::NotFound)?))?;
    let links = ClassLink::of(body.remove("statusExpenseClasses").as_ref());
    body.remove("allocated");
    let mut document = Value::Object(body);
    collection
        .shape
        .check(&mut document)
        .map_err(StoreError::Invalid)?;
    let mut document = object(document);
    document.insert("id".to_owned(), json!(id));
    held.sums.write(&mut document);
    let new = Budget::read(document.clone())?;
    let (encumbrance, expenditure) = allowances_exceeded(&new);
    if encumbrance || expenditure {
        return Err(Refusal::Allowances {
            encumbrance,
            expenditure,
        }
        .into());
    }
    set(context, transaction, &held, &links).await?;
    replace(
        transaction,
        context.tenant,
        collection,
        id,
        &document,
        &context.stamp,
    )
    .await?;
    Ok(())
}

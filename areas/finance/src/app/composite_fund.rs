//! Funds with the groups that they belong to in the current fiscal year.

use std::collections::BTreeSet;

use octavo_boxed::boxed;
use octavo_organizations::units::{self, Operation, standing};
use octavo_postgres::Transaction;
use octavo_records::store::{delete as delete_record, fetch, insert, insert_many};
use octavo_records::{Context, Executor, StoreError};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::lookups::{budgets, ledger_years};
use super::status::replace_fund;
use super::units::{allow, check_assigned};
use crate::refusal::{Declined, Refusal};
use crate::rules::fiscal_years::FiscalYear;
use crate::store::accounts::{Hold, ids_in, object};
use crate::store::groups;

/// A fund with its groups, if it exists.
///
/// # Errors
/// When the user may not read it.
#[boxed]
pub async fn read(
    context: Context<'_>,
    executor: &dyn Executor,
    id: Uuid,
) -> Result<Option<Value>, Declined> {
    let collection = context.collection("fund");
    let Some(fund) = fetch(executor, context.tenant, collection, id).await? else {
        return Ok(None);
    };
    let of_fund = ids_in(fund.get("acqUnitIds"), None);
    let units = of_units(context, executor, &of_fund).await?;
    allow(&units, Operation::Read, &of_fund)?;
    let group_ids = match current_year(context, executor, &fund).await? {
        Some(year) => groups::of_fund(executor, context.tables(), id, year.id).await?,
        None => Vec::new(),
    };
    let group_ids: Vec<Uuid> = group_ids.into_iter().map(|(_, group)| group).collect();
    Ok(Some(json!({"fund": fund, "groupIds": group_ids})))
}

/// The units of a fund, with those of which the user is a member.
async fn of_units(
    context: Context<'_>,
    executor: &dyn Executor,
    ids: &[Uuid],
) -> Result<units::Units, StoreError> {
    standing(executor, context.tables(), ids, context.stamp.user_id).await
}

async fn current_year(
    context: Context<'_>,
    executor: &dyn Executor,
    fund: &Value,
) -> Result<Option<FiscalYear>, StoreError> {
    let ledger = fund.get("ledgerId").and_then(Value::as_str);
    let Some(ledger) = ledger.and_then(|id| Uuid::try_parse(id).ok()) else {
        return Ok(None);
    };
    let mut years = ledger_years(context, executor, &[ledger]).await?;
    Ok(years.remove(&ledger).and_then(|years| years.current))
}

/// Creates a fund from a checked document.
///
/// # Errors
/// When it joins groups and its ledger has no current year, or a group does not exist.
#[boxed]
pub async fn create(
    context: Context<'_>,
    transaction: &Transaction,
    fund: Map<String, Value>,
    group_ids: &[Uuid],
) -> Result<Value, Declined> {
    let collection = context.collection("fund");
    let of_fund = ids_in(fund.get("acqUnitIds"), None);
    let units = of_units(context, transaction, &of_fund).await?;
    check_assigned(&units, &[], &of_fund)?;
    allow(&units, Operation::Create, &of_fund)?;
    let (id, _) = insert(
        transaction,
        context.tenant,
        collection,
        fund,
        &context.stamp,
    )
    .await?;
    let stored = fetch(transaction, context.tenant, collection, id).await?;
    let stored = stored.ok_or(StoreError::NotFound)?;
    place(context, transaction, id, &stored, group_ids).await?;
    Ok(json!({"fund": stored, "groupIds": group_ids}))
}

/// Replaces a fund by a checked document, and its groups of the current year.
///
/// # Errors
/// As for a new one.
#[boxed]
pub async fn update(
    context: Context<'_>,
    transaction: &Transaction,
    id: Uuid,
    fund: &Map<String, Value>,
    group_ids: &[Uuid],
) -> Result<(), Declined> {
    let collection = context.collection("fund");
    let held = fetch(transaction, context.tenant, collection, id).await?;
    let held = held.ok_or(StoreError::NotFound)?;
    let before = ids_in(held.get("acqUnitIds"), None);
    let after = ids_in(fund.get("acqUnitIds"), None);
    let units = of_units(context, transaction, &[&before[..], &after].concat()).await?;
    allow(&units, Operation::Update, &before)?;
    check_assigned(&units, &before, &after)?;
    replace_fund(context, transaction, id, fund).await?;
    place(
        context,
        transaction,
        id,
        &Value::Object(fund.clone()),
        group_ids,
    )
    .await
}

/// Deletes a fund with its places in groups.
///
/// # Errors
/// When budgets or transactions refer to it.
#[boxed]
pub async fn delete(
    context: Context<'_>,
    transaction: &Transaction,
    id: Uuid,
) -> Result<(), Declined> {
    let collection = context.collection("fund");
    let held = fetch(transaction, context.tenant, collection, id).await?;
    let held = held.ok_or(StoreError::NotFound)?;
    let of_fund = ids_in(held.get("acqUnitIds"), None);
    let units = of_units(context, transaction, &of_fund).await?;
    allow(&units, Operation::Delete, &of_fund)?;
    groups::leave(transaction, context.tables(), id, None).await?;
    delete_record(transaction, context.tenant, collection, id).await?;
    Ok(())
}

/// Makes these the groups of a fund in the current year.
async fn place(
    context: Context<'_>,
    transaction: &Transaction,
    id: Uuid,
    fund: &Value,
    group_ids: &[Uuid],
) -> Result<(), Declined> {
    let tables = context.tables();
    let wanted: BTreeSet<Uuid> = group_ids.iter().copied().collect();
    let year = match current_year(context, transaction, fund).await? {
        Some(year) => year,
        None if wanted.is_empty() => return Ok(()),
        None => return Err(Refusal::FiscalYearsNotFound.into()),
    };
    let known = groups::existing(transaction, tables, group_ids).await?;
    let unknown: Vec<Uuid> = wanted.difference(&known).copied().collect();
    if !unknown.is_empty() {
        return Err(Refusal::GroupsNotFound(unknown).into());
    }
    let places = groups::of_fund(transaction, tables, id, year.id).await?;
    let left: Vec<Uuid> = places
        .iter()
        .filter(|(_, group)| !wanted.contains(group))
        .map(|(place, _)| *place)
        .collect();
    groups::leave(transaction, tables, id, Some(&left)).await?;
    let budgets = budgets(context, transaction, &[id], year.id, Hold::No).await?;
    let budget = budgets.get(&id).map(|account| account.budget.id);
    let joined = wanted
        .iter()
        .filter(|group| !places.iter().any(|(_, place)| place == *group))
        .map(|group| {
            let mut place = json!({"groupId": group, "fundId": id, "fiscalYearId": year.id});
            if let Some(budget) = budget {
                place["budgetId"] = json!(budget);
            }
            object(place)
        });
    let collection = context.collection("group_fund_fiscal_year");
    insert_many(
        transaction,
        context.tenant,
        collection,
        joined.collect(),
        &context.stamp,
    )
    .await?;
    Ok(())
}

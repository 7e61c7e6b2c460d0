//! The budgets of the next year: those that exist get more, the others are made.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use octavo_postgres::Transaction;
use octavo_records::store::insert_many;
use octavo_records::{Context, StoreError, new_id};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::money::Amount;
use crate::records::{Budget, BudgetStatus, ClassLink, FundTransaction, Kind, Source};
use crate::rules::fiscal_years::FiscalYear;
use crate::rules::rollover::{Rolled, Rollover, open, roll};
use crate::store::accounts::object;
use crate::store::budgets::join_groups;
use crate::store::rollovers::{BudgetClass, RolledFund, classes, moved, places};

/// The budgets of a ledger during its rollover.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    /// Of the year that ends, by fund.
    pub sources: HashMap<Uuid, Budget>,
    /// Of the next year, by fund.
    pub targets: HashMap<Uuid, Budget>,
    /// Funds whose budget of the next year is new.
    pub new: BTreeSet<Uuid>,
    /// The budget that each budget of the next year follows.
    pub follows: HashMap<Uuid, Uuid>,
}

impl Ledger {
    /// Sorts the budgets of a ledger by year, and rolls those of funds that are not inactive.
    pub fn roll(
        rollover: &Rollover,
        to: &FiscalYear,
        funds: &[RolledFund],
        budgets: Vec<Budget>,
    ) -> Result<Ledger, StoreError> {
        let mut ledger = Ledger::default();
        for budget in budgets {
            match budget.fiscal_year_id == rollover.from_fiscal_year_id {
                true => ledger.sources.insert(budget.fund_id, budget),
                false => ledger.targets.insert(budget.fund_id, budget),
            };
        }
        for fund in funds {
            let source = ledger.sources.get(&fund.id).filter(|_| !fund.is_inactive);
            let rolled =
                source.map(|source| roll(source, rollover.budget_setting(fund.fund_type_id)));
            let target = match (ledger.targets.remove(&fund.id), source, rolled) {
                (Some(mut target), _, rolled) => {
                    open(&mut target, rolled.as_ref());
                    target
                }
                (None, Some(source), Some(rolled)) => {
                    ledger.new.insert(fund.id);
                    made(source, fund, to, &rolled)?
                }
                (None, ..) => continue,
            };
            if let Some(source) = source {
                ledger.follows.insert(target.id, source.id);
            }
            ledger.targets.insert(fund.id, target);
        }
        Ok(ledger)
    }

    /// The source budgets as they are closed.
    pub fn closed(&self) -> Vec<Budget> {
        let sources = self.sources.values().cloned();
        sources
            .map(|mut budget| {
                budget.status = BudgetStatus::Closed;
                budget
            })
            .collect()
    }
}

/// A new budget.
fn made(
    source: &Budget,
    fund: &RolledFund,
    to: &FiscalYear,
    rolled: &Rolled,
) -> Result<Budget, StoreError> {
    let mut document = object(
        json!({"id": new_id(), "name": format!("{}-{}", fund.code, to.code),
        "fundId": fund.id, "fiscalYearId": to.id, "budgetStatus": "Active"}),
    );
    for (name, allowance) in [
        ("allowableEncumbrance", rolled.allowable_encumbrance),
        ("allowableExpenditure", rolled.allowable_expenditure),
    ] {
        if let Some(allowance) = allowance {
            document.insert(name.to_owned(), allowance.json());
        }
    }
    for name in ["acqUnitIds", "tags"] {
        if let Some(value) = source.property(name) {
            document.insert(name.to_owned(), value.clone());
        }
    }
    rolled.sums().write(&mut document);
    Budget::read(document)
}

/// Stores the new budgets, and gives the expense classes and places in groups of the old ones to all that
/// follow one.
pub(super) async fn write_new(
    context: Context<'_>,
    transaction: &Transaction,
    rollover: &Rollover,
    ledger: &Ledger,
) -> Result<(), StoreError> {
    let (tenant, stamp) = (context.tenant, &context.stamp);
    let new = ledger
        .targets
        .values()
        .filter(|one| ledger.new.contains(&one.fund_id));
    let documents = new.map(Budget::document).collect();
    insert_many(
        transaction,
        tenant,
        context.collection("budget"),
        documents,
        stamp,
    )
    .await?;
    let links = missing_classes(context, transaction, ledger).await?;
    let collection = context.collection("budget_expense_class");
    insert_many(transaction, tenant, collection, links, stamp).await?;
    let places = missing_places(context, transaction, rollover, ledger).await?;
    let collection = context.collection("group_fund_fiscal_year");
    insert_many(transaction, tenant, collection, places, stamp).await?;
    // A fund may have been in a group of the next year before it had a budget there.
    for budget in ledger
        .targets
        .values()
        .filter(|one| ledger.new.contains(&one.fund_id))
    {
        join_groups(transaction, context.tables(), budget.id, budget.key()).await?;
    }
    Ok(())
}

async fn missing_classes(
    context: Context<'_>,
    transaction: &Transaction,
    ledger: &Ledger,
) -> Result<Vec<Map<String, Value>>, StoreError> {
    let ids: Vec<Uuid> = ledger
        .follows
        .iter()
        .flat_map(|(target, source)| [*target, *source])
        .collect();
    let known = classes(transaction, context.tables(), &ids).await?;
    let has = |budget: Uuid, class: Uuid| {
        known
            .iter()
            .any(|one| one.budget_id == budget && one.class_id == class)
    };
    let mut of_source: BTreeMap<Uuid, Vec<&BudgetClass>> = BTreeMap::new();
    for one in &known {
        of_source.entry(one.budget_id).or_default().push(one);
    }
    let mut links = Vec::new();
    for (target, source) in &ledger.follows {
        for one in of_source.get(source).into_iter().flatten() {
            if !has(*target, one.class_id) {
                let link = ClassLink {
                    expense_class_id: one.class_id,
                    status: one.status.clone(),
                };
                links.push(link.document(*target));
            }
        }
    }
    Ok(links)
}

async fn missing_places(
    context: Context<'_>,
    transaction: &Transaction,
    rollover: &Rollover,
    ledger: &Ledger,
) -> Result<Vec<Map<String, Value>>, StoreError> {
    let tables = context.tables();
    let (from, to) = (rollover.from_fiscal_year_id, rollover.to_fiscal_year_id);
    let followed = |budget: &&Budget| ledger.follows.contains_key(&budget.id);
    let targets = ledger.targets.values().filter(followed);
    let budgets: HashMap<Uuid, Uuid> = targets.map(|one| (one.fund_id, one.id)).collect();
    let funds: Vec<Uuid> = budgets.keys().copied().collect();
    let before = places(transaction, tables, &funds, from).await?;
    let after = places(transaction, tables, &funds, to).await?;
    let place = |(group, fund): &(Uuid, Uuid)| {
        object(json!({"groupId": group, "fundId": fund, "fiscalYearId": to,
            "budgetId": budgets.get(fund)}))
    };
    Ok(before.difference(&after).map(place).collect())
}

/// The transactions that make up for what budgets got: an allocation and a rollover transfer each.
pub(super) async fn write_moves(
    context: Context<'_>,
    transaction: &Transaction,
    to: &FiscalYear,
    ledger: &Ledger,
) -> Result<(), StoreError> {
    let funds: Vec<Uuid> = ledger.targets.keys().copied().collect();
    let moved = moved(transaction, context.tables(), &funds, to.id).await?;
    let mut moves = Vec::new();
    for budget in ledger.targets.values() {
        let (allocated, transferred) = moved.get(&budget.fund_id).copied().unwrap_or_default();
        let sums = &budget.sums;
        let mut add = |kind: Kind, amount: Amount| {
            if !amount.is_zero() {
                let mut one = FundTransaction::new(kind, Source::User, to.id, amount, &to.currency);
                one.to_fund_id = Some(budget.fund_id);
                moves.push(one);
            }
        };
        add(Kind::Allocation, sums.computed().allocated - allocated);
        add(Kind::RolloverTransfer, sums.net_transfers - transferred);
    }
    let documents = moves.iter().map(|one| Ok(one.document()?));
    let documents = documents.collect::<Result<Vec<_>, StoreError>>()?;
    let collection = context.collection("transaction");
    insert_many(
        transaction,
        context.tenant,
        collection,
        documents,
        &context.stamp,
    )
    .await?;
    Ok(())
}

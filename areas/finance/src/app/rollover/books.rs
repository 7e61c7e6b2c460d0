//! The books of a rollover, in one transaction: old budgets are closed, new ones opened, encumbrances renewed.
//! A preview writes only what it would do.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use octavo_boxed::boxed;
use octavo_postgres::Transaction;
use octavo_records::store::insert_many;
use octavo_records::{Context, StoreError, new_id};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::budgets::{Ledger, write_moves, write_new};
use super::encumbrances::{self, renew};
use super::report::report_faults;
use crate::app::transactions::write_budgets;
use crate::money::Amount;
use crate::records::{Budget, FundTransaction};
use crate::rules::rollover::Rollover;
use crate::store::accounts::{ids_in, object};
use crate::store::rollovers::{BudgetClass, RolledFund, classes, fund_names, funds, hold_budgets};
use crate::store::years;

/// Writes the books; says whether everything was possible.
///
/// # Errors
/// When they cannot be written: then nothing is.
#[boxed]
pub(super) async fn write_books(
    context: Context<'_>,
    transaction: &Transaction,
    rollover: &Rollover,
) -> Result<bool, StoreError> {
    let tables = context.tables();
    let funds = funds(transaction, tables, rollover.ledger_id).await?;
    let ids: Vec<Uuid> = funds.iter().map(|fund| fund.id).collect();
    let (from, to) = (rollover.from_fiscal_year_id, rollover.to_fiscal_year_id);
    let mut found = years::by_ids(transaction, tables, &[to]).await?;
    let year = found.remove(&to);
    let year = year.ok_or_else(|| StoreError::fault("the next fiscal year is gone"))?;
    // Locked before encumbrances are read: whoever changes one waits for its budget.
    let budgets = hold_budgets(transaction, tables, &ids, &[from, to]).await?;
    let mut ledger = Ledger::roll(rollover, &year, &funds, budgets)?;
    let own: BTreeSet<Uuid> = ids.iter().copied().collect();
    let renewed = renew(context, transaction, rollover, &year, &own, &mut ledger).await?;
    if !rollover.is_preview() {
        if rollover.need_close_budgets {
            write_budgets(context, transaction, &ledger.closed()).await?;
        }
        write_new(context, transaction, rollover, &ledger).await?;
        let is_old = |budget: &&Budget| !ledger.new.contains(&budget.fund_id);
        let mut grown: Vec<Budget> = ledger.targets.values().filter(is_old).cloned().collect();
        grown.extend(renewed.others.iter().cloned());
        write_budgets(context, transaction, &grown).await?;
        encumbrances::write(context, transaction, &renewed.create).await?;
        write_moves(context, transaction, &year, &ledger).await?;
    }
    show(
        context,
        transaction,
        rollover,
        &funds,
        &ledger,
        &renewed.create,
    )
    .await?;
    report_faults(context, transaction, rollover.id, &renewed.faults).await?;
    Ok(renewed.faults.is_empty())
}

/// Stores the budgets of the next year as the rollover shows them.
async fn show(
    context: Context<'_>,
    transaction: &Transaction,
    rollover: &Rollover,
    funds: &[RolledFund],
    ledger: &Ledger,
    encumbrances: &[FundTransaction],
) -> Result<(), StoreError> {
    let tables = context.tables();
    let names = fund_names(transaction, tables).await?;
    let followed: Vec<Uuid> = ledger.follows.values().copied().collect();
    let mut of_budget: BTreeMap<Uuid, Vec<BudgetClass>> = BTreeMap::new();
    for class in classes(transaction, tables, &followed).await? {
        of_budget.entry(class.budget_id).or_default().push(class);
    }
    let mut encumbered: HashMap<(Uuid, Uuid), Amount> = HashMap::new();
    for one in encumbrances {
        if let (Some(fund), Some(class)) = (one.from_fund_id, one.expense_class_id) {
            *encumbered.entry((fund, class)).or_default() += one.amount;
        }
    }
    let mut rows = Vec::new();
    for fund in funds {
        let Some(budget) = ledger.targets.get(&fund.id) else {
            continue;
        };
        let classes = ledger
            .follows
            .get(&budget.id)
            .and_then(|source| of_budget.get(source));
        let details: Vec<Value> = classes
            .into_iter()
            .flatten()
            .map(|class| {
                let amount = encumbered.get(&(fund.id, class.class_id)).copied();
                json!({"id": class.class_id, "expenseClassName": class.name,
                    "expenseClassCode": class.code, "expenseClassStatus": class.status,
                    "encumbered": amount.unwrap_or_default().json(),
                    "awaitingPayment": 0.0, "expended": 0.0, "credited": 0.0,
                    "percentageExpended": 0.0, "percentageCredited": 0.0})
            })
            .collect();
        let mut row = budget.document();
        for name in ["_version", "metadata"] {
            row.shift_remove(name);
        }
        if !rollover.is_preview() {
            row.insert("budgetId".to_owned(), json!(budget.id));
        }
        row.insert("id".to_owned(), json!(new_id()));
        row.insert("ledgerRolloverId".to_owned(), json!(rollover.id));
        row.insert(
            "fundDetails".to_owned(),
            Value::Object(fund_details(fund, &names)),
        );
        row.insert("expenseClassDetails".to_owned(), json!(details));
        rows.push(row);
    }
    let collection = context.collection("ledger_fiscal_year_rollover_budget");
    insert_many(
        transaction,
        context.tenant,
        collection,
        rows,
        &context.stamp,
    )
    .await?;
    Ok(())
}

/// What a rollover's budget says of its fund.
fn fund_details(fund: &RolledFund, names: &HashMap<Uuid, String>) -> Map<String, Value> {
    const COPIED: [&str; 12] = [
        "id",
        "name",
        "code",
        "fundStatus",
        "fundTypeId",
        "externalAccountNo",
        "description",
        "acqUnitIds",
        "donorOrganizationIds",
        "restrictByLocations",
        "locations",
        "allocatedFromIds",
    ];
    let mut details = object(json!({}));
    for name in COPIED.into_iter().chain(["allocatedToIds"]) {
        if let Some(value) = fund.document.get(name) {
            details.insert(name.to_owned(), value.clone());
        }
    }
    if let Some(name) = &fund.fund_type_name {
        details.insert("fundTypeName".to_owned(), json!(name));
    }
    for (ids, shown) in [
        ("allocatedFromIds", "allocatedFromNames"),
        ("allocatedToIds", "allocatedToNames"),
    ] {
        let ids = ids_in(fund.document.get(ids), None);
        let known: Vec<&String> = ids.iter().filter_map(|id| names.get(id)).collect();
        details.insert(shown.to_owned(), json!(known));
    }
    details
}

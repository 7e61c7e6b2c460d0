//! Deletes a budget with its allocations from nowhere and to nowhere.

use octavo_boxed::boxed;
use octavo_postgres::Transaction;
use octavo_records::store::{delete, fetch_locked};
use octavo_records::{Context, StoreError};
use uuid::Uuid;

use crate::records::{Budget, FundTransaction, Kind};
use crate::refusal::{Declined, Refusal};
use crate::store::accounts::object;
use crate::store::{budgets, transactions};

/// Deletes a budget; groups keep their funds without it.
///
/// # Errors
/// When it has other transactions or expense classes.
#[boxed]
pub async fn delete_budget(
    context: Context<'_>,
    transaction: &Transaction,
    id: Uuid,
) -> Result<(), Declined> {
    let (tables, collection) = (context.tables(), context.collection("budget"));
    // Locked before its transactions are read: whoever adds one locks it first.
    let held = fetch_locked(transaction, context.tenant, collection, id).await?;
    let budget = Budget::read(object(held.ok_or(StoreError::NotFound)?))?;
    let (fund, year) = budget.key();
    let of_fund = transactions::of_fund(transaction, tables, fund, year).await?;
    if !of_fund.iter().all(is_one_sided) {
        return Err(Refusal::BudgetHasTransactions.into());
    }
    if budgets::has_expense_classes(transaction, tables, id).await? {
        return Err(Refusal::BudgetHasExpenseClasses.into());
    }
    let ids: Vec<Uuid> = of_fund.iter().map(|one| one.id).collect();
    transactions::delete(transaction, tables, &ids).await?;
    budgets::leave_groups(transaction, tables, id).await?;
    delete(transaction, context.tenant, collection, id).await?;
    Ok(())
}

fn is_one_sided(one: &FundTransaction) -> bool {
    one.kind == Kind::Allocation && (one.from_fund_id.is_none() || one.to_fund_id.is_none())
}

//! Whether the budgets of distributions use their expense classes.

use octavo_boxed::boxed;
use octavo_finance::app::lookups;
use octavo_finance::store::accounts::Hold;
use uuid::Uuid;

use super::keep::Work;
use super::terms::current_years;
use crate::refusal::{Code, Declined, Refusal};
use crate::rules::distribution::{Distribution, funds};
use crate::store::finance::{classes_of_budgets, expense_classes};

/// Checks the expense classes of distributions, in a fiscal year, else in the current one of each fund.
///
/// # Errors
/// 400 when a budget does not use a class, or no longer.
#[boxed]
pub async fn check(
    work: Work<'_>,
    year: Option<Uuid>,
    distributions: &[Distribution],
) -> Result<(), Declined> {
    let classed: Vec<(Uuid, Uuid)> = distributions
        .iter()
        .filter_map(|one| Some((one.fund_id, one.expense_class_id?)))
        .collect();
    if classed.is_empty() {
        return Ok(());
    }
    let (transaction, context) = (work.transaction, *work.context);
    let tables = context.tables();
    let with_class = distributions
        .iter()
        .filter(|one| one.expense_class_id.is_some());
    let fund_ids = funds(with_class);
    let facts = lookups::funds(transaction, tables, &fund_ids).await?;
    let ids: Vec<Uuid> = classed.iter().map(|(_, class)| *class).collect();
    let names = expense_classes(transaction, tables, &ids).await?;
    let mut budgets = Vec::new();
    let years = match year {
        Some(year) => fund_ids.iter().map(|fund| (*fund, year)).collect(),
        None => {
            let known: Vec<Uuid> = fund_ids
                .iter()
                .copied()
                .filter(|id| facts.contains_key(id))
                .collect();
            let current = current_years(work, &known, &facts).await?;
            let ids = current.into_iter().map(|(fund, year)| (fund, year.id));
            ids.collect::<Vec<_>>()
        }
    };
    for (fund, year) in years {
        let found = lookups::budgets(context, transaction, &[fund], year, Hold::No).await?;
        budgets.extend(found.into_iter().map(|(fund, one)| (fund, one.budget.id)));
    }
    let ids: Vec<Uuid> = budgets.iter().map(|(_, budget)| *budget).collect();
    let used = classes_of_budgets(transaction, tables, &ids).await?;
    for (fund, class) in classed {
        let budget = budgets.iter().find(|(of, _)| *of == fund);
        let active = budget.and_then(|(_, budget)| used.get(&(*budget, class)));
        let code = match active {
            Some(true) => continue,
            Some(false) => Code::ClassInactive,
            None => Code::ClassNotFound,
        };
        let fund_code = facts.get(&fund).map_or("", |fund| fund.code.as_str());
        let name = names.get(&class).map_or("", |class| class.name.as_str());
        return Err(Refusal::bad(code)
            .with("fundCode", fund_code)
            .with("expenseClassName", name)
            .into());
    }
    Ok(())
}

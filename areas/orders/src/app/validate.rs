//! What must hold of an order and its lines before they are stored or opened.

use std::collections::BTreeSet;

use octavo_boxed::boxed;
use octavo_organizations::app::look_up::organizations;
use uuid::Uuid;

use super::Act;
use crate::refusal::{Code, Declined, Refusal, Wrong};
use crate::rules::doc::{Doc, at, id as id_at};
use crate::rules::line::{Kind, Line};
use crate::rules::line_checks;
use crate::rules::price::{check_distributions, of_line};
use crate::rules::statuses::is_ongoing;
use crate::store::classes::{names, of_funds};

/// What is wrong with an order and its lines, apart from what other records say.
#[must_use]
pub fn form(order: &Doc, lines: &[Doc], limit: usize) -> Vec<Wrong> {
    let mut wrong = Vec::new();
    match (is_ongoing(order), at(order, "ongoing").is_some()) {
        (true, false) => wrong.push(Code::MissingOngoing.into()),
        (false, true) => wrong.push(Code::OngoingNotAllowed.into()),
        _ => {}
    }
    if lines.len() > limit {
        wrong.push(Code::PolLimitExceeded.into());
    }
    wrong.extend(
        lines
            .iter()
            .flat_map(|line| line_checks::wrong_with(Line(line))),
    );
    wrong
}

/// What is wrong with the vendor of an order that opens.
#[boxed]
pub async fn vendor(act: Act<'_>, order: &Doc) -> Result<Option<Wrong>, Declined> {
    let tables = act.work.context.tables();
    let id = id_at(order, "vendor");
    let ids: Vec<Uuid> = id.into_iter().collect();
    let found = organizations(act.work.transaction, tables, &ids).await?;
    let vendor = id.and_then(|id| found.get(&id));
    let code = match vendor {
        None => Code::VendorNotFound,
        Some(one) if !one.is_active => Code::VendorIsInactive,
        Some(one) if !one.is_vendor => Code::OrganizationNotAVendor,
        Some(_) => return Ok(None),
    };
    Ok(Some(Wrong::of(code)))
}

/// What is wrong with the access providers of lines that open.
#[boxed]
pub async fn access_providers(act: Act<'_>, lines: &[Doc]) -> Result<Vec<Wrong>, Declined> {
    let providers: BTreeSet<Uuid> = lines
        .iter()
        .filter(|line| Line(line).format().has(Kind::Electronic))
        .filter_map(|line| id_at(line, "eresource.accessProvider"))
        .collect();
    let ids: Vec<Uuid> = providers.into_iter().collect();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let tables = act.work.context.tables();
    let found = organizations(act.work.transaction, tables, &ids).await?;
    let wrong = ids.iter().filter_map(|id| {
        let code = match found.get(id) {
            None => Code::AccessProviderNotFound,
            Some(one) if !one.is_active => Code::AccessProviderIsInactive,
            Some(_) => return None,
        };
        Some(Wrong::of(code).with("id", id))
    });
    Ok(wrong.collect())
}

/// Checks that the expense classes of lines are those of active budgets of their funds; active ones, where
/// lines open.
///
/// # Errors
/// 400.
#[boxed]
pub async fn expense_classes(
    act: Act<'_>,
    lines: &[Doc],
    must_be_active: bool,
) -> Result<(), Declined> {
    let wanted: Vec<(Uuid, Uuid)> = lines
        .iter()
        .flat_map(|line| Line(line).distributions())
        .filter_map(|row| Some((id_at(row, "fundId")?, id_at(row, "expenseClassId")?)))
        .collect();
    if wanted.is_empty() {
        return Ok(());
    }
    let funds: BTreeSet<Uuid> = wanted.iter().map(|(fund, _)| *fund).collect();
    let funds: Vec<Uuid> = funds.into_iter().collect();
    let (executor, tables) = (act.work.transaction, act.work.context.tables());
    let classes = of_funds(executor, tables, &funds).await?;
    for (fund, class) in wanted {
        let mut active: Vec<bool> = Vec::new();
        for one in &classes {
            if one.fund_id == fund && one.class_id == class {
                active.push(one.is_active);
            }
        }
        let code = match (active.is_empty(), must_be_active && !active.contains(&true)) {
            (true, _) => Code::BudgetExpenseClassNotFound,
            (false, true) => Code::InactiveExpenseClass,
            (false, false) => continue,
        };
        let (fund_code, class_name) = names(executor, tables, fund, class).await?;
        let wrong = Wrong::of(code)
            .with("fundCode", fund_code.unwrap_or_else(|| fund.to_string()))
            .with(
                "expenseClassName",
                class_name.unwrap_or_else(|| class.to_string()),
            );
        return Err(Refusal::bad(wrong).into());
    }
    Ok(())
}

/// Checks that the distributions of lines make up their prices.
///
/// # Errors
/// 422 for the first that does not.
pub fn distributions(lines: &[Doc]) -> Result<(), Refusal> {
    for line in lines {
        check_distributions(line, of_line(Line(line))).map_err(|wrong| Refusal::invalid(*wrong))?;
    }
    Ok(())
}

/// Checks that lines of which items are made say of which material they are.
///
/// # Errors
/// 422.
pub fn material_types(lines: &[Doc]) -> Result<(), Refusal> {
    for line in lines.iter().filter(|line| !Line(line).is_package()) {
        for kind in Kind::BOTH {
            let path = format!("{}.materialType", kind.part());
            if Line(line).makes_items(kind) && at(line, &path).is_none() {
                let wrong = Wrong::of(Code::MaterialTypeRequired)
                    .with("poLineId", Line(line).id())
                    .with("poLineNumber", Line(line).number());
                return Err(Refusal::invalid(wrong));
            }
        }
    }
    Ok(())
}

//! Opens an order: its lines get inventory, encumbrances and statuses, and they and the order are written. The
//! order is locked, and its lines exist.

use std::collections::BTreeSet;

use octavo_boxed::boxed;
use octavo_finance::app::lookups::{FundFacts, funds};
use uuid::Uuid;

use super::create_order::number_taken;
use super::{Act, encumber, guard, inventory, keep_order, make_inventory, settle, validate};
use crate::refusal::{Code, Declined, Refusal, Wrong};
use crate::rules::doc::{Doc, flag, id as id_at, set, text};
use crate::rules::encumbrance::Aim;
use crate::rules::line::{Line, copies_at, kind_of_piece};
use crate::rules::statuses::{self, Workflow, is_ongoing};
use crate::store::inventory::holdings;
use crate::store::lines::Held;
use crate::store::pieces::of_lines;

/// Opens an order.
///
/// # Errors
/// FOLIO's refusals; the caller undoes what was done.
#[boxed]
pub async fn open(
    act: Act<'_>,
    id: Uuid,
    mut order: Doc,
    mut lines: Vec<Doc>,
) -> Result<(), Declined> {
    if act.terms.is_approval_required() && !flag(&order, "approved") {
        return Err(Refusal::bad(Code::OrderApprovalRequired).into());
    }
    validate::expense_classes(act, &lines, true).await?;
    validate::distributions(&lines)?;
    validate::material_types(&lines)?;
    // Refused before there is any inventory; budgets are locked after it.
    let all = lines.clone();
    set(&mut order, "workflowStatus", Workflow::Pending.name());
    let plan = encumber::plan(act, &order, &mut lines, &all, Aim::Open).await?;
    make_inventory::make(act, &mut lines, false).await?;
    inventory::set_search_locations(act, &mut lines).await?;
    encumber::carry_out(act, plan, &settle::ids(&lines)).await?;
    let ongoing = is_ongoing(&order);
    for line in &mut lines {
        statuses::open_line(line, ongoing);
    }
    settle::write_lines(act, &lines).await?;
    set(&mut order, "workflowStatus", Workflow::Open.name());
    set(&mut order, "dateOrdered", act.now());
    guard::approved_by(act, &mut order);
    let written = keep_order::write_on(&act.ending, act.work.context, id, order).await;
    written.map(|_| ()).map_err(number_taken)
}

/// Refuses to open lines that have more pieces at a place than copies.
///
/// # Errors
/// 422.
#[boxed]
pub async fn check_pieces(act: Act<'_>, lines: &[Doc]) -> Result<(), Declined> {
    let synchronized = |line: &&Doc| !Line(line).is_independent() && !Line(line).is_package();
    let ids: Vec<Uuid> = lines
        .iter()
        .filter(synchronized)
        .map(|line| Line(line).id())
        .collect();
    let tables = act.work.context.tables();
    let pieces = of_lines(act.work.transaction, tables, &ids, Held::No).await?;
    for line in lines.iter().filter(synchronized) {
        let of_line = Line(line);
        let own: Vec<&Doc> = pieces
            .iter()
            .filter(|piece| id_at(piece, "poLineId") == Some(of_line.id()))
            .collect();
        for piece in &own {
            let place = place_of(piece);
            let kind = kind_of_piece(text(piece, "format").unwrap_or_default());
            let here = own
                .iter()
                .filter(|other| {
                    place_of(other) == place
                        && kind_of_piece(text(other, "format").unwrap_or_default()) == kind
                })
                .count();
            let copies: i64 = match place {
                (None, None) => of_line.copies(kind),
                place => of_line
                    .locations()
                    .filter(|location| place_of(location) == place)
                    .map(|location| copies_at(location, kind))
                    .sum(),
            };
            if i64::try_from(here).unwrap_or(i64::MAX) > copies {
                return Err(Refusal::invalid(Code::PiecesNeedToBeDeleted).into());
            }
        }
    }
    Ok(())
}

fn place_of(place: &Doc) -> (Option<Uuid>, Option<Uuid>) {
    (id_at(place, "holdingId"), id_at(place, "locationId"))
}

/// Refuses funds that are restricted to other locations than a line's.
///
/// # Errors
/// 422 with the locations of the funds.
#[boxed]
pub async fn check_restricted_funds(act: Act<'_>, lines: &[Doc]) -> Result<(), Declined> {
    let (executor, tables) = (act.work.transaction, act.work.context.tables());
    let named: BTreeSet<Uuid> = lines
        .iter()
        .flat_map(|line| Line(line).distributions())
        .filter_map(|row| id_at(row, "fundId"))
        .collect();
    let named: Vec<Uuid> = named.into_iter().collect();
    if named.is_empty() {
        return Ok(());
    }
    let known = funds(executor, tables, &named).await?;
    if !known.values().any(|fund| fund.restrict_by_locations) {
        return Ok(());
    }
    for line in lines.iter().map(Line) {
        let places: Vec<Uuid> = line
            .locations()
            .filter_map(|location| id_at(location, "locationId"))
            .collect();
        let of_holdings: Vec<Uuid> = line
            .locations()
            .filter_map(|location| id_at(location, "holdingId"))
            .collect();
        let fund_ids: Vec<Uuid> = line
            .distributions()
            .filter_map(|row| id_at(row, "fundId"))
            .collect();
        if fund_ids.is_empty() || places.is_empty() && of_holdings.is_empty() {
            continue;
        }
        let mut places = places;
        for document in holdings(executor, tables, &of_holdings).await? {
            places.extend(id_at(&document, "permanentLocationId"));
        }
        let found: Vec<&FundFacts> = fund_ids.iter().filter_map(|id| known.get(id)).collect();
        let mut restricted: Vec<Uuid> = found
            .iter()
            .filter(|fund| fund.restrict_by_locations)
            .filter(|fund| !fund.location_ids.iter().any(|id| places.contains(id)))
            .flat_map(|fund| fund.location_ids.iter().copied())
            .collect();
        if restricted.is_empty()
            && found.iter().all(|fund| {
                !fund.restrict_by_locations
                    || fund.location_ids.iter().any(|id| places.contains(id))
            })
        {
            continue;
        }
        restricted.sort_unstable();
        restricted.dedup();
        let listed: Vec<String> = restricted.iter().map(Uuid::to_string).collect();
        let wrong = Wrong::of(Code::FundLocationRestrictionViolation)
            .with("poLineId", line.id())
            .with("poLineNumber", line.number())
            .with("restrictedLocations", format!("[{}]", listed.join(", ")));
        return Err(Refusal::invalid(wrong).into());
    }
    Ok(())
}

//! One line by itself: added to a Pending order, or changed with all that follows from it.

use futures_util::try_join;
use octavo_boxed::boxed;
use octavo_library::ItemStatus;
use octavo_organizations::units::Operation;
use octavo_records::StoreError;
use serde_json::json;
use uuid::Uuid;

use super::composite::keep_parts;
use super::encumber::{Shift, encumber, shift};
use super::settle::{MayReopen, settle};
use super::{
    Act, Work, custom_fields, guard, inventory, items, keep_line, keep_order, new_lines, validate,
};
use crate::refusal::{Code, Declined, Found, Refusal};
use crate::rules::doc::{Doc, at, id as id_at, list, set, set_or_clear, text};
use crate::rules::encumbrance::{Aim, is_changed, keep_links};
use crate::rules::line::Line;
use crate::rules::line_checks::wrong_with;
use crate::rules::price;
use crate::rules::protected;
use crate::rules::statuses::Workflow;
use crate::store::lines::{Held, count_of_order, of_orders};
use crate::store::titles::of_lines;

/// Adds a line to an order; returns it as it is stored.
///
/// # Errors
/// FOLIO's refusals.
#[boxed]
pub async fn create(act: Act<'_>, line: Doc) -> Result<Doc, Declined> {
    let (work, tables) = (act.work, act.work.context.tables());
    let Some(order_id) = id_at(&line, "purchaseOrderId") else {
        return Err(Refusal::invalid(Code::OrderIdRequired).into());
    };
    Refusal::any(422, wrong_with(Line(&line)))?;
    let fields = custom_fields::hold(work, None, std::slice::from_ref(&line)).await?;
    let (order, stored) = try_join!(
        keep_order::hold(work, order_id),
        count_of_order(work.transaction, tables, order_id),
    )?;
    let mut order = order.ok_or_else(|| Refusal::invalid(Code::OrderNotFound))?;
    if stored >= act.terms.lines_limit()? {
        return Err(Refusal::invalid(Code::PolLimitExceeded).into());
    }
    match Workflow::of(&order) {
        Workflow::Pending => {}
        Workflow::Open => return Err(Refusal::invalid(Code::OrderOpen).into()),
        Workflow::Closed => return Err(Refusal::invalid(Code::OrderClosed).into()),
    }
    guard::protect(act, &guard::units_of(&order), &[Operation::Create]).await?;
    let lines = vec![line];
    validate::expense_classes(act, &lines, false).await?;
    fields.check(None, &lines)?;
    let lines = new_lines::prepare(act, &mut order, order_id, lines).await?;
    let (mut added, _) = try_join!(
        new_lines::store(work, work.transaction, &order, lines),
        keep_order::keep_next_number(&act.ending, work.context, order_id, &order),
    )?;
    added.pop().found()
}

/// Changes a line.
///
/// # Errors
/// FOLIO's refusals.
#[boxed]
pub async fn change(act: Act<'_>, id: Uuid, mut line: Doc) -> Result<(), Declined> {
    let work = act.work;
    if id_at(&line, "id").is_some_and(|sent| sent != id) {
        return Err(Refusal::invalid(Code::IdMismatch).into());
    }
    set(&mut line, "id", json!(id));
    Refusal::any(422, wrong_with(Line(&line)))?;
    let fields = custom_fields::hold(work, None, std::slice::from_ref(&line)).await?;
    let order_id = id_at(&line, "purchaseOrderId");
    let (order, old, titles) = held(work, id, order_id).await?;
    let old = old.found()?;
    let order_id = order_id.filter(|sent| Line(&old).order_id() == Some(*sent));
    let order_id = order_id.ok_or_else(|| Refusal::invalid(Code::OrderIdMismatch))?;
    let order = order.ok_or_else(|| Refusal::invalid(Code::OrderNotFound))?;
    let status = Workflow::of(&order);
    if status != Workflow::Pending {
        protected::refuse(&protected::of_line(&old, &line))?;
    }
    guard::protect(act, &guard::units_of(&order), &[Operation::Update]).await?;
    refuse_moved(status, &old, &line)?;
    validate::expense_classes(act, std::slice::from_ref(&line), false).await?;
    for kept in ["poLineNumber", "lastEDIExportDate"] {
        if at(&line, kept).is_none() || kept == "poLineNumber" {
            set_or_clear(&mut line, kept, at(&old, kept).cloned());
        }
    }
    keep_links(&old, &mut line);
    price::complete(&mut line);
    let encumbers = is_changed(&old, &line);
    if encumbers && status != Workflow::Closed {
        validate::distributions(std::slice::from_ref(&line))?;
    }
    fields.check(None, std::slice::from_ref(&line))?;
    keep_parts(work, &mut line, Some(&old)).await?;
    let is_cancelled = Line(&old).is_cancelled() || Line(&line).is_cancelled();
    if status == Workflow::Pending && !encumbers && !is_cancelled {
        // Nothing else follows from it.
        let searched = inventory::search_locations(act, &line).await?;
        set(&mut line, "searchLocationIds", json!(searched));
        return Ok(keep_line::write_last(work, &act.ending, line, titles).await?);
    }
    write_changed(act, (&order, &old), line, encumbers).await?;
    settle(act, order_id, order, MayReopen::Yes).await
}

/// The order that a client names, a line and its titles, locked in this order, as everywhere.
async fn held(
    work: Work<'_>,
    id: Uuid,
    order_id: Option<Uuid>,
) -> Result<(Option<Doc>, Option<Doc>, Vec<Doc>), StoreError> {
    let (tables, ids) = (work.context.tables(), [id]);
    let order = async {
        match order_id {
            Some(id) => keep_order::hold(work, id).await,
            None => Ok(None),
        }
    };
    try_join!(
        order,
        keep_line::hold(work, id),
        of_lines(work.transaction, tables, &ids, Held::Yes),
    )
}

/// Locations of an open line whose pieces they follow are changed by its pieces.
fn refuse_moved(status: Workflow, old: &Doc, new: &Doc) -> Result<(), Refusal> {
    let is_bound = status == Workflow::Open
        && !Line(new).is_independent()
        && text(new, "source") != Some("EBSCONET");
    let places = |line: &Doc| {
        let mut places: Vec<String> = list(line, "locations")
            .iter()
            .filter_map(|location| location.as_object())
            .map(|location| {
                let part = |name| at(location, name).map(ToString::to_string);
                format!(
                    "{:?} {:?} {:?} {:?}",
                    part("locationId"),
                    part("holdingId"),
                    part("quantityPhysical").filter(|count| count != "0"),
                    part("quantityElectronic").filter(|count| count != "0")
                )
            })
            .collect();
        places.sort();
        places
    };
    match is_bound && places(old) != places(new) {
        true => Err(Refusal::bad(Code::LocationCannotBeModifiedAfterOpen)),
        false => Ok(()),
    }
}

/// Writes another version of a line of an order that is locked, with its encumbrances and items.
///
/// # Errors
/// FOLIO's refusals of encumbrances.
#[boxed]
pub async fn write_changed(
    act: Act<'_>,
    (order, old): (&Doc, &Doc),
    mut line: Doc,
    encumbers: bool,
) -> Result<(), Declined> {
    let (work, tables) = (act.work, act.work.context.tables());
    let id = Line(&line).id();
    let aim = match Workflow::of(order) {
        Workflow::Pending => Some(Aim::Pending),
        Workflow::Open => Some(Aim::Change),
        Workflow::Closed => None,
    };
    if let Some(aim) = aim.filter(|_| encumbers) {
        let order_id = Line(&line).order_id().unwrap_or_default();
        let mut all = of_orders(work.transaction, tables, &[order_id], Held::No).await?;
        if let Some(place) = all.iter_mut().find(|one| Line(one).id() == id) {
            *place = line.clone();
        }
        let mut changed = [line];
        encumber(act, order, &mut changed, &all, aim).await?;
        [line] = changed;
    }
    let searched = inventory::search_locations(act, &line).await?;
    set(&mut line, "searchLocationIds", json!(searched));
    keep_line::write(work, id, line.clone()).await?;
    let (before, after) = (Line(old).payment_status(), Line(&line).payment_status());
    if aim == Some(Aim::Change) && before != after {
        match (before, after) {
            (_, "Cancelled") => shift(act, &[id], Shift::Release).await?,
            ("Cancelled", "Awaiting Payment" | "Partially Paid" | "Ongoing") => {
                shift(act, &[id], Shift::Unrelease).await?;
            }
            _ => {}
        }
    }
    match (Line(old).is_cancelled(), Line(&line).is_cancelled()) {
        (false, true) => {
            items::follow(work, &[id], ItemStatus::OnOrder, ItemStatus::OrderClosed).await
        }
        (true, false) if aim == Some(Aim::Change) => {
            items::follow(work, &[id], ItemStatus::OrderClosed, ItemStatus::OnOrder).await
        }
        _ => Ok(()),
    }
}

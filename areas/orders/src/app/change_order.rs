//! Another version of an order, with or without its lines. What the change of its status asks for is done in
//! the same transaction.

use std::collections::HashMap;

use octavo_boxed::boxed;
use octavo_finance::records::FundTransaction;
use octavo_organizations::units::Operation;
use octavo_records::Executor;
use serde_json::json;
use uuid::Uuid;

use super::composite::{Sent, drop_parts, keep_parts};
use super::create_order::number_taken;
use super::settle::{MayReopen, ids, settle};
use super::{
    Act, close_order, custom_fields, encumber, guard, inventory, keep_line, keep_order, new_lines,
    open_order, unopen_order, validate,
};
use crate::refusal::{Code, Declined, Found, Refusal, Wrong};
use crate::rules::doc::{Doc, at, filled, id as id_at, set, set_or_clear, text};
use crate::rules::line::Line;
use crate::rules::statuses::Workflow::{self, Closed, Open, Pending};
use crate::rules::{encumbrance, numbers, price, protected};
use crate::store::usage::invoices_of;

/// What becomes of the lines of an order.
struct Lines {
    /// As they are stored.
    old: HashMap<Uuid, Doc>,
    /// Those that stay, as they are to be.
    kept: Vec<Doc>,
    new: Vec<Doc>,
    gone: Vec<Doc>,
}

/// Replaces an order.
///
/// # Errors
/// FOLIO's refusals.
#[boxed]
pub async fn change(
    act: Act<'_>,
    id: Uuid,
    sent: Sent,
    delete_holdings: bool,
) -> Result<(), Declined> {
    let Sent {
        mut order,
        lines: sent_lines,
    } = sent;
    if id_at(&order, "id").is_some_and(|sent| sent != id) {
        return Err(Refusal::invalid(Code::IdMismatch).into());
    }
    set(&mut order, "id", json!(id));
    let work = act.work;
    let fields = custom_fields::hold(work, Some(&order), &sent_lines).await?;
    let (old, stored) = keep_order::hold_whole(work, id).await?;
    let old = old.found()?;
    let (before, after) = (Workflow::of(&old), Workflow::of(&order));
    if at(&order, "workflowStatus").is_none() {
        set(&mut order, "workflowStatus", after.name());
    }
    let has_lines = !sent_lines.is_empty();
    let valid = fields.check(Some(&order), &sent_lines);
    let lines = part(stored, sent_lines, id);
    check_form(act, (&old, &order), &lines, has_lines).await?;
    check_rights(act, id, (&mut order, &old), &lines).await?;
    if (before, after) == (Pending, Open) {
        if lines.kept.is_empty() && lines.new.is_empty() {
            return Err(Refusal::invalid(Code::CompositeOrderMissingPoLines).into());
        }
        open_order::check_pieces(act, &lines.kept).await?;
        let all: Vec<Doc> = lines.kept.iter().chain(&lines.new).cloned().collect();
        open_order::check_restricted_funds(act, &all).await?;
    }
    valid?;
    set_or_clear(
        &mut order,
        "nextPolNumber",
        at(&old, "nextPolNumber").cloned(),
    );
    if before != Pending {
        set_or_clear(&mut order, "dateOrdered", at(&old, "dateOrdered").cloned());
    }
    let opens = (before, after) == (Pending, Open);
    let now = store_lines(act, id, (&old, &mut order), lines, (has_lines, opens)).await?;
    match (before, after) {
        (Pending, Open) => open_order::open(act, id, order, now).await,
        (Open, Closed) => {
            write(act, id, order.clone()).await?;
            close_order::close(act, &order, now).await
        }
        (Closed, Open) => close_order::reopen(act, id, order, now).await,
        (Open | Closed, Pending) => {
            write(act, id, order).await?;
            unopen_order::unopen(act, now, delete_holdings).await
        }
        (Pending, Pending | Closed) | (Closed, Closed) => {
            let written = keep_order::write_on(&act.ending, work.context, id, order).await;
            written.map(|_| ()).map_err(number_taken)
        }
        (Open, Open) => {
            write(act, id, order.clone()).await?;
            match has_lines {
                true => settle(act, id, order, MayReopen::No).await,
                false => Ok(()),
            }
        }
    }
}

async fn write(act: Act<'_>, id: Uuid, order: Doc) -> Result<(), Declined> {
    keep_order::write(act.work, id, order)
        .await
        .map_err(number_taken)
}

/// Parts lines into those that stay, new ones and those that go. Without lines all stay as they are.
fn part(stored: Vec<Doc>, sent: Vec<Doc>, order_id: Uuid) -> Lines {
    let old: HashMap<Uuid, Doc> = stored
        .iter()
        .map(|line| (Line(line).id(), line.clone()))
        .collect();
    if sent.is_empty() {
        return Lines {
            old,
            kept: stored,
            new: Vec::new(),
            gone: Vec::new(),
        };
    }
    let (mut kept, mut new) = (Vec::new(), Vec::new());
    for mut line in sent {
        set(&mut line, "purchaseOrderId", json!(order_id));
        match id_at(&line, "id").filter(|id| old.contains_key(id)) {
            Some(_) => kept.push(line),
            None => new.push(line),
        }
    }
    let stays = |line: &Doc| kept.iter().any(|one| Line(one).id() == Line(line).id());
    let gone = stored.into_iter().filter(|line| !stays(line)).collect();
    Lines {
        old,
        kept,
        new,
        gone,
    }
}

async fn check_form(
    act: Act<'_>,
    (old, order): (&Doc, &Doc),
    lines: &Lines,
    has_lines: bool,
) -> Result<(), Declined> {
    let (before, after) = (Workflow::of(old), Workflow::of(order));
    let all: Vec<Doc> = lines.kept.iter().chain(&lines.new).cloned().collect();
    let opens = (before, after) == (Pending, Open);
    let checked: &[Doc] = if has_lines || opens { &all } else { &[] };
    let mut wrong = validate::form(order, checked, act.terms.lines_limit()?);
    if filled(order, "poNumber").is_none() {
        wrong.push(Code::PoNumberRequired.into());
    }
    if opens {
        wrong.extend(validate::vendor(act, order).await?);
        wrong.extend(validate::access_providers(act, &all).await?);
    }
    Refusal::any(422, wrong)?;
    protected::refuse(&protected::of_order(old, order))?;
    protected::refuse_ongoing(old, order)?;
    if before == Pending {
        return Ok(());
    }
    let code = match before {
        Closed => Code::OrderClosed,
        Open | Pending => Code::OrderOpen,
    };
    if !lines.new.is_empty() {
        return Err(Refusal::invalid(code).into());
    }
    if has_lines {
        for line in &lines.kept {
            if let Some(stored) = lines.old.get(&Line(line).id()) {
                protected::refuse(&protected::of_line(stored, line))?;
            }
        }
    }
    Ok(())
}

async fn check_rights(
    act: Act<'_>,
    id: Uuid,
    (order, old): (&mut Doc, &Doc),
    lines: &Lines,
) -> Result<(), Declined> {
    let (before, after) = (Workflow::of(old), Workflow::of(order));
    let mut operations = vec![Operation::Update];
    if !lines.new.is_empty() {
        operations.push(Operation::Create);
    }
    if !lines.gone.is_empty() {
        operations.push(Operation::Delete);
    }
    let units = (guard::units_of(old), guard::units_of(order));
    let may_manage = act.rights.manage_units;
    guard::reassign(act, (&units.0, &units.1), may_manage, &operations).await?;
    guard::affixes(act, order).await?;
    numbers::check(order)?;
    let same_number = |number: &str| {
        text(old, "poNumber").is_some_and(|old| old.to_lowercase() == number.to_lowercase())
    };
    let number = text(order, "poNumber").unwrap_or_default().to_owned();
    if !same_number(&number) {
        guard::number(act, &number, Some(id)).await?;
    }
    guard::approve(act, order, Some(old))?;
    if after == Pending && before != Pending && !act.rights.unopen {
        return Err(Refusal::forbidden(Code::UserHasNoOrderUnopenPermission).into());
    }
    if (before, after) == (Closed, Open) && !act.rights.reopen {
        return Err(Refusal::forbidden(Code::UserHasNoOrderReopenPermission).into());
    }
    let all: Vec<Doc> = lines.kept.iter().chain(&lines.new).cloned().collect();
    validate::expense_classes(act, &all, false).await
}

/// Stores the lines as they were sent, those that stay only where the order is not opened next, which writes them;
/// returns all lines of the order as they are now.
async fn store_lines(
    act: Act<'_>,
    id: Uuid,
    (old, order): (&Doc, &mut Doc),
    lines: Lines,
    (has_lines, opens): (bool, bool),
) -> Result<Vec<Doc>, Declined> {
    let renumbers = text(old, "poNumber") != text(order, "poNumber");
    if !lines.gone.is_empty() {
        delete_lines(act, id, &lines.gone).await?;
    }
    let mut now = Vec::with_capacity(lines.kept.len() + lines.new.len());
    for mut line in lines.kept {
        let line_id = Line(&line).id();
        let stored = lines.old.get(&line_id);
        if has_lines {
            if let Some(stored) = stored {
                keep_server_side(&mut line, stored);
            }
            price::complete(&mut line);
            keep_parts(act.work, &mut line, stored).await?;
        }
        if renumbers
            && let Some(number) =
                text(&line, "poLineNumber").and_then(|number| numbers::renumbered(order, number))
        {
            set(&mut line, "poLineNumber", number);
        }
        now.push(line);
    }
    if has_lines {
        inventory::set_search_locations(act, &mut now).await?;
    }
    if renumbers || has_lines && !opens {
        keep_line::write_many(act.work, now.clone()).await?;
    }
    now.extend(new_lines::add(act, order, id, lines.new).await?);
    Ok(now)
}

/// What the server alone says about a line.
fn keep_server_side(line: &mut Doc, stored: &Doc) {
    set_or_clear(line, "poLineNumber", at(stored, "poLineNumber").cloned());
    encumbrance::keep_links(stored, line);
}

/// Deletes lines with what hangs on them, where no invoice is about their order.
///
/// # Errors
/// 400 when one is.
#[boxed]
pub async fn delete_lines(act: Act<'_>, order_id: Uuid, lines: &[Doc]) -> Result<(), Declined> {
    let (work, tables) = (act.work, act.work.context.tables());
    let invoices = invoices_of(work.transaction, tables, order_id).await?;
    refuse_invoiced(&invoices)?;
    remove_lines(act, work.transaction, lines).await
}

/// Refuses what invoices are about.
///
/// # Errors
/// 400.
pub fn refuse_invoiced(invoices: &[Uuid]) -> Result<(), Refusal> {
    if invoices.is_empty() {
        return Ok(());
    }
    let ids: Vec<String> = invoices.iter().map(Uuid::to_string).collect();
    let wrong = Wrong::of(Code::OrderRelatesToInvoice).with("invoiceIds", ids.join(", "));
    Err(Refusal::bad(wrong))
}

/// Deletes lines that are locked with their encumbrances, titles, pieces and parts, the lines by `ending`.
#[boxed]
pub async fn remove_lines(
    act: Act<'_>,
    ending: &dyn Executor,
    lines: &[Doc],
) -> Result<(), Declined> {
    if lines.is_empty() {
        return Ok(());
    }
    let held = encumber::hold_encumbrances(act, &ids(lines)).await?;
    remove_encumbered(act, ending, lines, held).await
}

/// The same with the encumbrances of the lines, which are locked.
#[boxed]
pub async fn remove_encumbered(
    act: Act<'_>,
    ending: &dyn Executor,
    lines: &[Doc],
    encumbrances: Vec<FundTransaction>,
) -> Result<(), Declined> {
    let ids = ids(lines);
    encumber::delete(act, &ids, encumbrances).await?;
    for line in lines {
        drop_parts(act.work, line).await?;
    }
    Ok(keep_line::delete_lines(act.work, ending, &ids).await?)
}

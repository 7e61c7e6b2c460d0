//! What the system does after the lines of an order have changed: it closes an order whose lines are all
//! resolved, and opens a closed one of which a line is not.

use octavo_boxed::boxed;
use octavo_library::ItemStatus;
use uuid::Uuid;

use super::encumber::{Shift, shift};
use super::{Act, items, keep_line, keep_order};
use crate::refusal::Declined;
use crate::rules::doc::{Doc, clear, set};
use crate::rules::line::Line;
use crate::rules::statuses::{self, Follows, Workflow};
use crate::store::lines::{Held, of_orders};

/// Whether an order may open again because of its lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MayReopen {
    Yes,
    No,
}

/// Lets an order that is locked follow its lines, which are written already.
///
/// # Errors
/// When a budget takes no transactions.
#[boxed]
pub async fn settle(act: Act<'_>, id: Uuid, order: Doc, may: MayReopen) -> Result<(), Declined> {
    let work = act.work;
    if Workflow::of(&order) == Workflow::Pending {
        return Ok(());
    }
    let tables = work.context.tables();
    let docs = of_orders(work.transaction, tables, &[id], Held::No).await?;
    let lines: Vec<Line<'_>> = docs.iter().map(Line).collect();
    match (statuses::follows(&order, &lines), may) {
        (Some(Follows::Close(reason)), _) => {
            let mut order = order;
            statuses::close(&mut order, reason);
            keep_order::write(work, id, order).await?;
            close_what_is_ordered(act, &docs).await
        }
        (Some(Follows::Reopen), MayReopen::Yes) => {
            let mut order = order;
            set(&mut order, "workflowStatus", Workflow::Open.name());
            clear(&mut order, "closeReason");
            keep_order::write(work, id, order).await?;
            let ids = ids(&docs);
            items::follow(work, &ids, ItemStatus::OrderClosed, ItemStatus::OnOrder).await?;
            shift(act, &ids, Shift::Reopen).await
        }
        (Some(Follows::Reopen), MayReopen::No) | (None, _) => Ok(()),
    }
}

/// The same by the id of the order, which is locked here.
#[boxed]
pub async fn settle_by_id(act: Act<'_>, id: Uuid) -> Result<(), Declined> {
    match keep_order::hold(act.work, id).await? {
        Some(order) => settle(act, id, order, MayReopen::Yes).await,
        None => Ok(()),
    }
}

/// The items and encumbrances of an order that is closed.
#[boxed]
pub async fn close_what_is_ordered(act: Act<'_>, lines: &[Doc]) -> Result<(), Declined> {
    let ids = ids(lines);
    items::follow(act.work, &ids, ItemStatus::OnOrder, ItemStatus::OrderClosed).await?;
    shift(act, &ids, Shift::Close).await
}

/// The ids of lines.
#[must_use]
pub fn ids(lines: &[Doc]) -> Vec<Uuid> {
    lines.iter().map(|line| Line(line).id()).collect()
}

/// Writes lines whose documents were changed.
#[boxed]
pub async fn write_lines(act: Act<'_>, lines: &[Doc]) -> Result<(), Declined> {
    Ok(keep_line::write_many(act.work, lines.to_vec()).await?)
}

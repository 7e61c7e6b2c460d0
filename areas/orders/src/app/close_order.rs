//! Orders that staff close, and that they open again.

use std::collections::HashSet;

use octavo_boxed::boxed;
use octavo_library::ItemStatus;
use uuid::Uuid;

use super::encumber::encumber;
use super::settle::{close_what_is_ordered, ids, write_lines};
use super::{Act, items, keep_order};
use crate::refusal::{Declined, Refusal};
use crate::rules::doc::{Doc, clear, id as id_at, text};
use crate::rules::encumbrance::Aim;
use crate::rules::line::Line;
use crate::rules::receipt::is_received;
use crate::rules::statuses::{Past, cancel_line, is_ongoing, reopen_line};
use crate::store::invoices::about_lines;
use crate::store::lines::Held;
use crate::store::pieces::of_lines;

/// The text of a failure of the encumbrances of an order that is opened again.
const NOT_REOPENED: &str = "Error when processing encumbrances to reopen an order";

/// Closes what an order that is closed has ordered; it is written already.
///
/// # Errors
/// When a budget takes no transactions.
#[boxed]
pub async fn close(act: Act<'_>, order: &Doc, mut lines: Vec<Doc>) -> Result<(), Declined> {
    if text(order, "closeReason.reason") == Some("Cancelled") {
        lines.iter_mut().for_each(cancel_line);
        write_lines(act, &lines).await?;
    }
    close_what_is_ordered(act, &lines).await
}

/// Opens an order again.
///
/// # Errors
/// 500 when its encumbrances cannot be made.
#[boxed]
pub async fn reopen(
    act: Act<'_>,
    id: Uuid,
    mut order: Doc,
    mut lines: Vec<Doc>,
) -> Result<(), Declined> {
    let (work, tables) = (act.work, act.work.context.tables());
    let line_ids = ids(&lines);
    let all = lines.clone();
    let encumbered = encumber(act, &order, &mut lines, &all, Aim::Reopen).await;
    encumbered.map_err(|declined| match declined {
        Declined::Refused(refusal) => {
            let message = format!("{NOT_REOPENED}: {}", refusal.said());
            Refusal::text(500, message).into()
        }
        fault => fault,
    })?;
    let invoiced = about_lines(work.transaction, tables, &line_ids).await?;
    let pieces = of_lines(work.transaction, tables, &line_ids, Held::No).await?;
    let received: HashSet<Uuid> = pieces
        .iter()
        .filter(|piece| is_received(text(piece, "receivingStatus").unwrap_or_default()))
        .filter_map(|piece| id_at(piece, "poLineId"))
        .collect();
    let ongoing = is_ongoing(&order);
    for line in &mut lines {
        let line_id = Line(line).id();
        let past = Past {
            is_received: received.contains(&line_id),
            is_paid: invoiced.is_invoice_paid(line_id),
            is_released: invoiced.some_releases(line_id),
        };
        reopen_line(line, ongoing, past);
    }
    write_lines(act, &lines).await?;
    clear(&mut order, "closeReason");
    keep_order::write(work, id, order).await?;
    items::follow(
        work,
        &line_ids,
        ItemStatus::OrderClosed,
        ItemStatus::OnOrder,
    )
    .await
}

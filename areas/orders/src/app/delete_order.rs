//! Orders and lines that are deleted, with their encumbrances, titles and pieces.

use futures_util::try_join;
use octavo_boxed::boxed;
use octavo_organizations::units::Operation;
use octavo_records::store::delete;
use uuid::Uuid;

use super::change_order::{refuse_invoiced, remove_encumbered, remove_lines};
use super::encumber::hold_encumbrances;
use super::{Act, guard, keep_line, keep_order};
use crate::refusal::{Declined, Found};
use crate::store::invoices::about_lines;
use crate::store::lines::hold_order_of;
use crate::store::usage::{invoices_of, untie_invoices};

/// Deletes an order with its lines.
///
/// # Errors
/// 400 when invoices are about it.
#[boxed]
pub async fn delete_order(act: Act<'_>, id: Uuid) -> Result<(), Declined> {
    let (work, context) = (act.work, act.work.context);
    let (transaction, tables) = (work.transaction, context.tables());
    let ((order, lines), invoices) = try_join!(
        keep_order::hold_whole(work, id),
        invoices_of(transaction, tables, id),
    )?;
    let order = order.found()?;
    guard::protect(act, &guard::units_of(&order), &[Operation::Delete]).await?;
    refuse_invoiced(&invoices)?;
    remove_lines(act, transaction, &lines).await?;
    let collection = context.collection(keep_order::TABLE);
    try_join!(
        untie_invoices(transaction, tables, id),
        delete(&act.ending, context.tenant, collection, id),
    )?;
    Ok(())
}

/// Deletes a line.
///
/// # Errors
/// 400 when lines of invoices are about it.
#[boxed]
pub async fn delete_line(act: Act<'_>, id: Uuid) -> Result<(), Declined> {
    let (work, tables) = (act.work, act.work.context.tables());
    // The order before its line, and what is encumbered for it last, as everywhere.
    let ids = [id];
    let (order, line, invoiced, encumbrances) = try_join!(
        hold_order_of(work.transaction, tables, id),
        keep_line::hold(work, id),
        about_lines(work.transaction, tables, &ids),
        hold_encumbrances(act, &ids),
    )?;
    let (order, line) = (order.found()?, line.found()?);
    guard::protect(act, &guard::units_of(&order), &[Operation::Delete]).await?;
    let invoices: Vec<Uuid> = invoiced.lines.iter().map(|one| one.invoice_id).collect();
    refuse_invoiced(&invoices)?;
    remove_encumbered(act, &act.ending, &[line], encumbrances).await
}

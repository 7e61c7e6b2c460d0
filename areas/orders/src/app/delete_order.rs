//! Orders and lines that are deleted, with their encumbrances, titles and pieces.

use octavo_boxed::boxed;
use octavo_organizations::units::Operation;
use octavo_records::store::delete;
use uuid::Uuid;

use super::change_order::{refuse_invoiced, remove_lines};
use super::{Act, guard, keep_line, keep_order};
use crate::refusal::{Declined, Found};
use crate::rules::line::Line;
use crate::store::invoices::about_lines;
use crate::store::lines::{Held, by_ids, of_orders};
use crate::store::usage::{invoices_of, untie_invoices};

/// Deletes an order with its lines.
///
/// # Errors
/// 400 when invoices are about it.
#[boxed]
pub async fn delete_order(act: Act<'_>, id: Uuid) -> Result<(), Declined> {
    let (work, context) = (act.work, act.work.context);
    let (transaction, tables) = (work.transaction, context.tables());
    let order = keep_order::hold(work, id).await?.found()?;
    guard::protect(act, &guard::units_of(&order), &[Operation::Delete]).await?;
    refuse_invoiced(&invoices_of(transaction, tables, id).await?)?;
    let lines = of_orders(transaction, tables, &[id], Held::Yes).await?;
    remove_lines(act, &lines).await?;
    untie_invoices(transaction, tables, id).await?;
    let collection = context.collection(keep_order::TABLE);
    delete(transaction, context.tenant, collection, id).await?;
    Ok(())
}

/// Deletes a line.
///
/// # Errors
/// 400 when lines of invoices are about it.
#[boxed]
pub async fn delete_line(act: Act<'_>, id: Uuid) -> Result<(), Declined> {
    let (work, tables) = (act.work, act.work.context.tables());
    let found = by_ids(work.transaction, tables, &[id], Held::No).await?;
    let order_id = found
        .first()
        .and_then(|line| Line(line).order_id())
        .found()?;
    // The order before its line, as everywhere.
    let order = keep_order::hold(work, order_id).await?.found()?;
    let line = keep_line::hold(work, id).await?.found()?;
    guard::protect(act, &guard::units_of(&order), &[Operation::Delete]).await?;
    let invoiced = about_lines(work.transaction, tables, &[id]).await?;
    let invoices: Vec<Uuid> = invoiced.lines.iter().map(|one| one.invoice_id).collect();
    refuse_invoiced(&invoices)?;
    remove_lines(act, &[line]).await
}

//! What invoices do to the orders that they are about: payment statuses of lines, and ties to the orders.

use octavo_orders::app::look_up::hold_orders;
use octavo_orders::app::payment_status::{self, Paid};
use octavo_records::OperationError;
use serde_json::json;
use uuid::Uuid;

use super::keep::Work;
use super::links::po_lines;
use crate::refusal::{Code, Declined, Refusal};
use crate::rules::document::Document;
use crate::store::invoices::Stored;
use crate::store::orders::{OrderLine, order_lines};

/// What becomes of an order line.
pub type OrderLineChange = (Uuid, Paid);

/// The order lines of an invoice's lines, with their orders locked: orders come before money, everywhere.
///
/// # Errors
/// When the database does not answer.
pub async fn hold(work: Work<'_>, lines: &[Stored]) -> Result<Vec<OrderLine>, Declined> {
    let ids = po_lines(lines.iter());
    let tables = work.context.tables();
    let known = order_lines(work.transaction, tables, &ids).await?;
    let mut orders: Vec<Uuid> = known.iter().map(|line| line.order_id).collect();
    orders.sort_unstable();
    orders.dedup();
    if orders.is_empty() {
        return Ok(Vec::new());
    }
    hold_orders(work.transaction, work.context, &orders).await?;
    // Read again: they may have changed before they were locked.
    Ok(order_lines(work.transaction, tables, &ids).await?)
}

/// The changes of payment statuses that `change` decides.
#[must_use]
pub fn changes(
    lines: &[OrderLine],
    change: impl Fn(&OrderLine) -> Option<&'static str>,
) -> Vec<OrderLineChange> {
    let changed = lines.iter().filter_map(|line| {
        let paid = match change(line)? {
            "Fully Paid" => Paid::Fully,
            "Partially Paid" => Paid::Partially,
            _ => Paid::Awaiting,
        };
        Some((line.id, paid))
    });
    changed.collect()
}

/// Sets payment statuses, with all that orders do after it.
///
/// # Errors
/// What orders refuses.
pub async fn apply(work: Work<'_>, changes: &[OrderLineChange]) -> Result<(), Declined> {
    if changes.is_empty() {
        return Ok(());
    }
    let done = payment_status::set_paid(work.context, work.transaction, changes).await;
    done.map_err(of_orders)
}

/// The refusal of orders in the form of this area.
fn of_orders(declined: octavo_orders::refusal::Declined) -> Declined {
    use octavo_orders::refusal::Refusal as Theirs;
    match declined {
        OperationError::Store(error) => error.into(),
        OperationError::Refused(Theirs::Text { status, message }) => {
            let mut refusal = Refusal::failed(Code::Generic).saying(message);
            refusal.status = status;
            refusal.into()
        }
        OperationError::Refused(Theirs::OfFinance {
            status,
            code,
            message,
            parameters,
        }) => {
            let mut refusal = Refusal::failed(Code::Generic).saying(message);
            refusal.status = status;
            refusal.code = code.unwrap_or(Code::Generic.name()).to_owned();
            refusal.parameters = parameters;
            refusal.into()
        }
        OperationError::Refused(Theirs::Listed { status, wrong }) => {
            let mut refusal = Refusal::failed(Code::Generic);
            refusal.status = status;
            if let Some(first) = wrong.into_iter().next() {
                refusal.message = first.message().to_owned();
                refusal.code = first.code.code().to_owned();
                refusal.parameters = first.parameters;
                refusal.extra = Box::new(first.extra);
            }
            refusal.into()
        }
    }
}

/// Ties an invoice to the order of one of its lines, and notes the order's number.
///
/// # Errors
/// 500, as in FOLIO, when there is no such order line.
pub async fn tie(
    work: Work<'_>,
    invoice_id: Uuid,
    invoice: &mut Document,
    po_line: Uuid,
) -> Result<(), Declined> {
    let found = order_lines(work.transaction, work.context.tables(), &[po_line]).await?;
    let Some(line) = found.into_iter().next() else {
        return Err(Refusal::failed(Code::OrderRelation)
            .with("poLineId", po_line)
            .into());
    };
    let tied = payment_status::tie(work.context, work.transaction, line.order_id, invoice_id).await;
    tied.map_err(of_orders)?;
    let mut numbers = po_numbers(invoice);
    if !numbers.contains(&line.po_number) {
        numbers.push(line.po_number);
        invoice.insert("poNumbers".to_owned(), json!(numbers));
    }
    Ok(())
}

/// Unties an invoice from the orders that none of its remaining lines is about.
///
/// # Errors
/// When the database does not answer.
pub async fn untie(
    work: Work<'_>,
    invoice_id: Uuid,
    invoice: &mut Document,
    remaining: &[Stored],
    gone: Option<Uuid>,
) -> Result<(), Declined> {
    let Some(gone) = gone else { return Ok(()) };
    let tables = work.context.tables();
    let left = order_lines(work.transaction, tables, &po_lines(remaining.iter())).await?;
    for line in order_lines(work.transaction, tables, &[gone]).await? {
        if left.iter().any(|other| other.order_id == line.order_id) {
            continue;
        }
        let untied =
            payment_status::untie(work.context, work.transaction, line.order_id, invoice_id).await;
        untied.map_err(of_orders)?;
        let mut numbers = po_numbers(invoice);
        numbers.retain(|number| *number != line.po_number);
        invoice.insert("poNumbers".to_owned(), json!(numbers));
    }
    Ok(())
}

/// Unties an invoice that is deleted from all orders.
///
/// # Errors
/// When the database does not answer.
pub async fn untie_all(work: Work<'_>, invoice_id: Uuid) -> Result<(), Declined> {
    let orders =
        payment_status::orders_of_invoice(work.context, work.transaction, invoice_id).await;
    for order in orders.map_err(of_orders)? {
        let untied = payment_status::untie(work.context, work.transaction, order, invoice_id).await;
        untied.map_err(of_orders)?;
    }
    Ok(())
}

fn po_numbers(invoice: &Document) -> Vec<String> {
    let list = invoice
        .get("poNumbers")
        .and_then(serde_json::Value::as_array);
    list.into_iter()
        .flatten()
        .filter_map(|number| number.as_str().map(str::to_owned))
        .collect()
}

//! A new order with its lines. One that is to be open is stored as Pending and then opened; when that is
//! refused, the Pending order stays.

use futures_util::{TryFutureExt, try_join};
use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError, new_id};
use serde_json::json;
use uuid::Uuid;

use super::composite::Sent;
use super::{Act, custom_fields, guard, keep_order, new_lines, open_order, validate};
use crate::refusal::{Code, Declined, Refusal, is_taken};
use crate::rules::doc::{Doc, filled, id as id_at, set};
use crate::rules::statuses::Workflow;
use crate::rules::{completed, numbers};
use crate::store::numbers::next_free_order_number;

/// The savepoint to which a refused opening returns.
const STORED: &str = "stored";

/// What was stored, and why it was not opened, where it should have been.
#[derive(Debug)]
pub struct Created {
    pub id: Uuid,
    /// The order and its lines as they are stored; of an order that was opened they are to be read.
    pub stored: Option<(Doc, Vec<Doc>)>,
    pub refusal: Option<Declined>,
}

/// Creates an order. The caller commits, whether it was opened or not.
///
/// # Errors
/// FOLIO's refusals: then nothing is stored.
#[boxed]
pub async fn create(act: Act<'_>, sent: Sent) -> Result<Created, Declined> {
    let Sent {
        mut order,
        mut lines,
    } = sent;
    let fields = custom_fields::hold(act.work, Some(&order), &lines).await?;
    let wanted = Workflow::of(&order);
    let mut wrong = validate::form(&order, &lines, act.terms.lines_limit()?);
    if wanted == Workflow::Open {
        wrong.extend(validate::vendor(act, &order).await?);
        wrong.extend(validate::access_providers(act, &lines).await?);
    }
    Refusal::any(422, wrong)?;
    validate::expense_classes(act, &lines, false).await?;
    let units = guard::units_of(&order);
    guard::assign(act, &units, act.rights.assign_units).await?;
    guard::approve(act, &mut order, None)?;
    guard::affixes(act, &order).await?;
    let work = act.work;
    take_number(act, &mut order).await?;
    fields.check(Some(&order), &lines)?;
    completed::normalise_tags(&mut order);
    lines.iter_mut().for_each(completed::normalise_tags);
    let tagged: Vec<&Doc> = std::iter::once(&order).chain(&lines).collect();
    new_lines::make_tags(act, &tagged).await?;
    if wanted == Workflow::Open {
        set(&mut order, "workflowStatus", Workflow::Pending.name());
    } else {
        set(&mut order, "workflowStatus", wanted.name());
    }
    let id = id_at(&order, "id").unwrap_or_else(new_id);
    set(&mut order, "id", json!(id));
    set(&mut order, "nextPolNumber", 1);
    let opens = wanted == Workflow::Open;
    let lines = new_lines::prepare(act, &mut order, id, lines).await?;
    // The last statement of an order that is not opened commits.
    let ending: &dyn Executor = match opens {
        true => work.transaction,
        false => &act.ending,
    };
    let (context, copy) = (work.context, order.clone());
    let (order, lines) = match lines.is_empty() {
        true => {
            let stored = keep_order::insert_order(context, ending, copy).await;
            (stored.map_err(number_taken)?, lines)
        }
        false => try_join!(
            keep_order::insert_order(context, work.transaction, copy).map_err(number_taken),
            new_lines::store(work, ending, &order, lines).map_err(Declined::from),
        )?,
    };
    if !opens {
        return Ok(Created {
            id,
            stored: Some((order, lines)),
            refusal: None,
        });
    }
    work.transaction.savepoint(STORED).await?;
    let refusal = match open_order::open(act, id, order, lines).await {
        Ok(()) => None,
        Err(Declined::Refused(refusal)) => {
            work.transaction.rollback_to(STORED).await?;
            Some(refusal.into())
        }
        Err(fault) => return Err(fault),
    };
    Ok(Created {
        id,
        stored: None,
        refusal,
    })
}

/// Gives an order the next number, where it has none; refuses one that another order has.
async fn take_number(act: Act<'_>, order: &mut Doc) -> Result<(), Declined> {
    if let Some(number) = filled(order, "poNumber") {
        return guard::number(act, number, None).await;
    }
    let around = |name| filled(order, name).unwrap_or_default();
    let around = (around("poNumberPrefix"), around("poNumberSuffix"));
    let tables = act.work.context.tables();
    let (next, taken) = next_free_order_number(act.work.transaction, tables, around).await?;
    if taken {
        return Err(Refusal::bad(Code::PoNumberNotUnique).into());
    }
    let number = numbers::of_order(order, next);
    set(order, "poNumber", number);
    Ok(())
}

/// The refusal of a number that another order got in the same moment.
#[must_use]
pub fn number_taken(error: StoreError) -> Declined {
    match is_taken(&error, "exactPoNumber") {
        true => Refusal::bad(Code::PoNumberNotUnique).into(),
        false => error.into(),
    }
}

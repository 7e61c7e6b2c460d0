//! Order lines of imported records. Orders are made Pending with their first line; those that are to be open
//! are opened with their last one.

use std::sync::Arc;

use jiff::tz::TimeZone;
use octavo_boxed::boxed;
use octavo_finance::app::lookups::funds;
use octavo_import_profiles::makers::{
    LineTerms, MadeLine, Making, MappedLine, OrderMaker, OrderMakers, Unmade,
};
use octavo_platform::Grants;
use octavo_postgres::Transaction;
use octavo_records::{Context, Shape, StoreError, Violation};
use serde_json::{Value, json};
use uuid::Uuid;

use super::composite::Sent;
use super::terms::{Rights, Terms, terms};
use super::{Act, Ending, Work, change_order, create_order, keep_line, keep_order, lines};
use crate::refusal::Declined;
use crate::rules::doc::{Doc, flag, id as id_at, list_in, object, set, text};
use crate::rules::line::Line;
use crate::rules::statuses::Workflow;
use crate::rules::{imported, patterns};
use crate::shapes::{COMPOSITE_LINE, COMPOSITE_ORDER};
use crate::store::imports::{self, ImportedOrder};

/// Lets imports make order lines.
#[derive(Debug, Clone, Copy)]
pub struct LineMaker;

impl LineMaker {
    /// The maker, as imports take it.
    #[must_use]
    pub fn shared() -> OrderMakers {
        OrderMakers(Arc::new(LineMaker))
    }
}

impl OrderMaker for LineMaker {
    fn add<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        grants: &'a Grants,
        terms: LineTerms,
        mapped: MappedLine,
    ) -> Making<'a, MadeLine> {
        Box::pin(async move {
            let work = Work {
                transaction,
                context: &context,
            };
            add(work, rights(grants), terms, mapped)
                .await
                .map_err(unmade)
        })
    }

    fn settle<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        grants: &'a Grants,
        terms: LineTerms,
        line: Option<Uuid>,
        instance: Option<Uuid>,
    ) -> Making<'a, ()> {
        Box::pin(async move {
            let work = Work {
                transaction,
                context: &context,
            };
            settle(work, rights(grants), terms, line, instance)
                .await
                .map_err(unmade)
        })
    }
}

fn unmade(declined: Declined) -> Unmade {
    match declined {
        Declined::Refused(refusal) => Unmade::Refused(refusal.said()),
        Declined::Store(error) => Unmade::of_write(error),
    }
}

/// What these permissions allow with orders.
fn rights(grants: &Grants) -> Rights {
    Rights::of(|permission| grants.has(permission))
}

/// The number of a record's order in its job, and how many lines it has.
fn place(terms: &Terms, wanted: LineTerms) -> Result<((Uuid, i64), i64), Declined> {
    let limit = match wanted.lines_of_order {
        Some(limit) => limit,
        None => i64::try_from(terms.lines_limit()?).unwrap_or(i64::MAX),
    };
    let number = imported::number(wanted.position, limit);
    let lines = imported::lines_of(number, limit, wanted.total);
    Ok(((wanted.job, number), lines))
}

#[boxed]
async fn add(
    work: Work<'_>,
    rights: Rights,
    wanted: LineTerms,
    mapped: MappedLine,
) -> Result<MadeLine, Declined> {
    let (transaction, context) = (work.transaction, work.context);
    let mut terms = terms(transaction, context).await?;
    if let Some(limit) = wanted.lines_of_order {
        terms.set_lines_limit(limit);
    }
    let act = Act {
        work,
        ending: Ending::GoesOn(transaction),
        rights,
        terms: &terms,
    };
    let (place, lines_of_order) = place(&terms, wanted)?;
    let tables = context.tables();
    let known = imports::hold(transaction, tables, place, lines_of_order).await?;
    let order_id = match known.order_id {
        Some(id) => id,
        None => {
            let id = make_order(act, mapped.order).await?;
            imports::made(transaction, tables, place, id).await?;
            id
        }
    };
    let mut line = completed(act, mapped.line).await?;
    if wanted.opens {
        let made = mapped.inventory;
        let making = imported::making(made.instance, made.holdings, made.items);
        imported::set_making(&mut line, making);
    }
    set(&mut line, "source", "MARC");
    set(&mut line, "purchaseOrderId", json!(order_id));
    if let Some(instance) = mapped.instance {
        set(&mut line, "instanceId", json!(instance));
    }
    let line = object(checked(&COMPOSITE_LINE, Value::Object(line))?);
    let line = lines::create(act, line).await?;
    Ok(MadeLine {
        id: Line(&line).id(),
        number: Line(&line).number().to_owned(),
        order_id,
    })
}

/// Makes a Pending order without lines.
async fn make_order(act: Act<'_>, mapped: Doc) -> Result<Uuid, Declined> {
    let mut order = object(checked(&COMPOSITE_ORDER, Value::Object(mapped))?);
    set(&mut order, "workflowStatus", Workflow::Pending.name());
    if act.terms.is_approval_required() && !act.rights.approve && flag(&order, "approved") {
        set(&mut order, "approved", false);
    }
    let sent = Sent {
        order,
        lines: Vec::new(),
    };
    Ok(create_order::create(act, sent).await?.id)
}

/// A mapped line with what the import adds to it.
async fn completed(act: Act<'_>, mut line: Doc) -> Result<Doc, Declined> {
    let today = act.work.context.stamp.at.to_zoned(TimeZone::UTC).date();
    imported::set_activation_due(&mut line, today);
    let of_funds: Vec<Uuid> = Line(&line)
        .distributions()
        .filter_map(|row| id_at(row, "fundId"))
        .collect();
    if !of_funds.is_empty() {
        let tables = act.work.context.tables();
        let known = funds(act.work.transaction, tables, &of_funds).await?;
        let rows = list_in(&mut line, "fundDistribution").iter_mut();
        for row in rows.filter_map(Value::as_object_mut) {
            let fund = id_at(row, "fundId").and_then(|id| known.get(&id));
            if let Some(fund) = fund {
                set(row, "code", fund.code.clone());
            }
        }
    }
    Ok(line)
}

/// Reads a mapped document by its shape.
fn checked(shape: &Shape, mut document: Value) -> Result<Value, Declined> {
    shape.read_texts(&mut document);
    let mut wrong: Vec<Violation> = shape.check(&mut document).err().unwrap_or_default();
    if let Some(order) = document.as_object() {
        wrong.extend(patterns::of_order(order));
    }
    match wrong.is_empty() {
        true => Ok(document),
        false => Err(StoreError::Invalid(wrong).into()),
    }
}

#[boxed]
async fn settle(
    work: Work<'_>,
    rights: Rights,
    wanted: LineTerms,
    line: Option<Uuid>,
    instance: Option<Uuid>,
) -> Result<(), Declined> {
    let (transaction, context) = (work.transaction, work.context);
    let terms = terms(transaction, context).await?;
    if terms.is_approval_required() && !rights.approve {
        return Ok(());
    }
    let act = Act {
        work,
        ending: Ending::GoesOn(transaction),
        rights,
        terms: &terms,
    };
    let (place, lines_of_order) = place(&terms, wanted)?;
    let tables = context.tables();
    let ImportedOrder {
        order_id,
        lines,
        processed,
    } = imports::hold(transaction, tables, place, lines_of_order).await?;
    let order = match order_id {
        // The order before its lines, as everywhere.
        Some(id) => keep_order::hold(work, id).await?.map(|order| (id, order)),
        None => None,
    };
    if let Some(line) = line {
        link(work, line, instance).await?;
    }
    imports::count(transaction, tables, place).await?;
    match order {
        Some((id, order)) if processed + 1 >= lines => open(act, id, order).await,
        _ => Ok(()),
    }
}

/// Links a line to the record's instance, if it makes inventory.
async fn link(work: Work<'_>, id: Uuid, instance: Option<Uuid>) -> Result<(), Declined> {
    let Some(mut line) = keep_line::hold(work, id).await? else {
        return Ok(());
    };
    if !Line(&line).makes_instance() {
        return Ok(());
    }
    let instance = instance.ok_or_else(|| {
        crate::refusal::Refusal::text(
            400,
            "Failed to handle event payload, cause event payload context does not contain INSTANCE data",
        )
    })?;
    if id_at(&line, "instanceId") != Some(instance) {
        set(&mut line, "instanceId", json!(instance));
        keep_line::write(work, id, line).await?;
    }
    Ok(())
}

/// Opens an order as it is stored.
async fn open(act: Act<'_>, id: Uuid, mut order: Doc) -> Result<(), Declined> {
    if text(&order, "workflowStatus") != Some(Workflow::Pending.name()) {
        return Ok(());
    }
    set(&mut order, "workflowStatus", Workflow::Open.name());
    let sent = Sent {
        order,
        lines: Vec::new(),
    };
    change_order::change(act, id, sent, false).await
}

//! Order lines of bibliographic records: the mapping is done here, the lines are made by the area of orders.

use octavo_import_profiles::makers::{
    Inventory, LineTerms, MappedLine, OrderMaker, OrderMakers, Unmade,
};
use octavo_records::StoreError;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::act::RecordState;
use super::profile_runner::{ProfileContext, mapping, today};
use crate::apply::Fault;
use crate::rules::log::PO_LINE;
use crate::rules::tree::{Node, Tree};

/// The order line of a record.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RecordLine {
    terms: LineTerms,
    /// Nothing while it is not made, or was refused.
    pub id: Option<Uuid>,
}

impl From<Unmade> for Fault {
    fn from(unmade: Unmade) -> Fault {
        match unmade {
            Unmade::Refused(reason) => Fault::Refused(reason),
            Unmade::Store(error) => error.into(),
        }
    }
}

fn maker<'a>(way: ProfileContext<'a>) -> Result<&'a dyn OrderMaker, Fault> {
    let makers = way.context.store.catalog.provided::<OrderMakers>();
    let makers = makers.ok_or_else(|| Fault::Refused("there are no orders here".to_owned()))?;
    Ok(makers.0.as_ref())
}

/// Maps an order line and lets it be made.
pub(crate) async fn create(
    way: ProfileContext<'_>,
    doing: &mut RecordState,
    node: Node<'_>,
) -> Result<(), Fault> {
    let today = today(way);
    let refusal = "Action profile to create an Order requires a mapping profile";
    let mapping = mapping(way, doing, node, &today, refusal)?;
    let text = |property: &str| {
        let value = mapping.expression(property)?.trim().trim_matches('"');
        Some(value).filter(|value| !value.is_empty())
    };
    let limit = text("po.overridePoLinesLimit").map(str::parse::<i64>);
    let terms = LineTerms {
        job: doing.job.into(),
        position: doing.position,
        total: way.kit.total,
        lines_of_order: match limit {
            None => None,
            Some(Ok(limit)) if limit > 0 => Some(limit),
            Some(_) => {
                let reason = "the mapping profile's limit of lines of an order is no number";
                return Err(Fault::Refused(reason.to_owned()));
            }
        },
        opens: text("po.workflowStatus") == Some("Open"),
    };
    let mut mapped = Map::new();
    let applied = mapping.apply(&mut mapped);
    doing.line = Some(RecordLine { terms, id: None });
    applied.map_err(Fault::Refused)?;
    let part = |name: &str| match mapped.get(name) {
        Some(Value::Object(part)) => part.clone(),
        _ => Map::new(),
    };
    let (mut order, line) = (part("po"), part("poLine"));
    order.shift_remove("overridePoLinesLimit");
    let mapped = MappedLine {
        order,
        line,
        instance: doing.instance,
        inventory: inventory_of(&way.kit.tree),
    };
    let (context, transaction, grants) = (*way.context, way.transaction, &way.kit.grants);
    let made = maker(way)?
        .add(context, transaction, grants, terms, mapped)
        .await?;
    doing.line = Some(RecordLine {
        terms,
        id: Some(made.id),
    });
    let mut entry = doing.entry(Some(PO_LINE), "CREATE");
    entry.entity_id = Some(made.id.to_string());
    entry.hrid = Some(made.number);
    entry.order_id = Some(made.order_id.to_string());
    doing.entries.push(entry);
    Ok(())
}

/// The inventory that actions of the job's profile make, those below no match.
fn inventory_of(tree: &Tree) -> Inventory {
    let actions: Vec<Node<'_>> = tree.root().children().collect();
    let on = |entity: &str| {
        let mut actions = actions.iter();
        actions
            .any(|one| one.content_type() == "ACTION_PROFILE" && one.text("folioRecord") == entity)
    };
    Inventory {
        instance: on("INSTANCE"),
        holdings: on("HOLDINGS"),
        items: on("ITEM"),
    }
}

/// The savepoint before an order is settled.
const SETTLED: &str = "settled";

/// Counts the line of a record whose actions are done; the last one opens the order.
pub(crate) async fn settle(
    way: ProfileContext<'_>,
    doing: &mut RecordState,
) -> Result<(), StoreError> {
    let Some(line) = doing.line.filter(|line| line.terms.opens) else {
        return Ok(());
    };
    // Another action was refused: the order waits for whoever mends it.
    if line.id.is_some() && doing.failed {
        return Ok(());
    }
    let (context, transaction, grants) = (*way.context, way.transaction, &way.kit.grants);
    transaction.savepoint(SETTLED).await?;
    let settled = match maker(way) {
        Ok(maker) => {
            let settled = maker.settle(
                context,
                transaction,
                grants,
                line.terms,
                line.id,
                doing.instance,
            );
            settled.await.map_err(Fault::from)
        }
        Err(fault) => Err(fault),
    };
    match settled {
        Ok(()) => {}
        Err(Fault::Refused(reason)) => {
            transaction.rollback_to(SETTLED).await?;
            doing.fail("CREATE", PO_LINE, &reason);
        }
        Err(Fault::Store(error)) => return Err(error),
    }
    transaction.release(SETTLED).await?;
    Ok(())
}

//! Executes a job profile on one record: its matches and actions. A refused action is rolled back and
//! ends the record's processing; earlier actions stay.

use std::future::Future;
use std::pin::Pin;

use octavo_authorities::app::delete_authority;
use octavo_cataloging::overlay::{Protection, overlay};
use octavo_postgres::Transaction;
use octavo_records::{StoreError, instant};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::Context;
use super::act::RecordState;
use super::job_context::JobContext;
use super::match_existing::match_existing;
use super::profile::protections;
use crate::apply::{self, Fault};
use crate::rules::log::PO_LINE;
use crate::rules::mapping_profile::Mapping;
use crate::rules::match_profile::Detail;
use crate::rules::modify::modify;
use crate::rules::parse::{MarcRecordKind, is_marked, not_created};
use crate::rules::taken::taken_over;
use crate::rules::tree::Node;
use crate::store::existing;

/// The context of executing a profile.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProfileContext<'a> {
    pub context: &'a Context<'a>,
    pub transaction: &'a Transaction,
    pub kit: &'a JobContext,
}

/// Executes the whole profile on a record.
pub(crate) async fn walk(
    context: &Context<'_>,
    transaction: &Transaction,
    kit: &JobContext,
    doing: &mut RecordState,
) -> Result<(), StoreError> {
    let way = ProfileContext {
        context,
        transaction,
        kit,
    };
    side_by_side(way, doing, kit.tree.root().children().collect()).await?;
    super::orders::settle(way, doing).await?;
    doing.done = true;
    Ok(())
}

/// The savepoint before a match or an action.
const STEP: &str = "step";

/// Executes sibling profiles.
async fn side_by_side(
    way: ProfileContext<'_>,
    doing: &mut RecordState,
    nodes: Vec<Node<'_>>,
) -> Result<(), StoreError> {
    for (at, node) in nodes.iter().enumerate() {
        let is_update = |node: &Node<'_>| {
            node.is_action("UPDATE", "INSTANCE") || node.is_action("UPDATE", "MARC_BIBLIOGRAPHIC")
        };
        doing.is_laid_over_later = nodes[at + 1..].iter().any(is_update);
        step(way, doing, *node).await?;
    }
    Ok(())
}

type Step<'a> = Pin<Box<dyn Future<Output = Result<(), StoreError>> + Send + 'a>>;

/// Executes one profile, with those below it.
fn step<'a>(way: ProfileContext<'a>, doing: &'a mut RecordState, node: Node<'a>) -> Step<'a> {
    Box::pin(async move {
        if doing.failed {
            return Ok(());
        }
        match node.content_type() {
            "MATCH_PROFILE" => {
                let detail = Detail(&node.content()["matchDetails"][0]);
                way.transaction.savepoint(STEP).await?;
                let found = match match_existing(way, doing, node).await {
                    Ok(found) => found,
                    Err(fault) => {
                        let source = doing.kind.unwrap_or(MarcRecordKind::Bib).entity();
                        // The log has a column for these; others are shown at the source record.
                        let entity = match detail.existing_type() {
                            known @ ("INSTANCE" | "HOLDINGS" | "ITEM" | "AUTHORITY") => known,
                            _ => source,
                        };
                        return refuse(way, doing, "MATCH", entity, fault).await;
                    }
                };
                way.transaction.release(STEP).await?;
                doing.note_match(detail.existing_type(), found);
                side_by_side(way, doing, node.reactions(found).collect()).await
            }
            "ACTION_PROFILE" => {
                let (action, entity) = (node.text("action"), node.text("folioRecord"));
                way.transaction.savepoint(STEP).await?;
                match act(way, doing, node, action, entity).await {
                    // Released, since a portion has thousands of steps and savepoints would accumulate.
                    Ok(()) => {
                        way.transaction.release(STEP).await?;
                        Ok(())
                    }
                    Err(fault) => refuse(way, doing, action, logged(entity), fault).await,
                }
            }
            _ => Ok(()),
        }
    })
}

/// The entity in the log: of an order the line that a record makes.
fn logged(entity: &str) -> &str {
    match entity {
        "ORDER" => PO_LINE,
        other => other,
    }
}

/// Rolls an action back and records why.
async fn refuse(
    way: ProfileContext<'_>,
    doing: &mut RecordState,
    action: &str,
    entity: &str,
    fault: Fault,
) -> Result<(), StoreError> {
    match fault {
        Fault::Store(error) => Err(error),
        Fault::Refused(reason) => {
            way.transaction.rollback_to(STEP).await?;
            way.transaction.release(STEP).await?;
            doing.fail(action, entity, &reason);
            Ok(())
        }
    }
}

async fn act(
    way: ProfileContext<'_>,
    doing: &mut RecordState,
    node: Node<'_>,
    action: &str,
    entity: &str,
) -> Result<(), Fault> {
    if doing.is_message {
        return super::invoices::create(way, doing, node).await;
    }
    let kind = doing.kind.unwrap_or(MarcRecordKind::Bib);
    match (action, entity, kind) {
        ("CREATE", "INSTANCE", MarcRecordKind::Bib) => {
            if is_marked(&doing.record) && !way.kit.accepts_ids && !doing.is_written {
                return Err(Fault::Refused(not_created("Instance")));
            }
            let mut writing = doing.writing(way.kit);
            writing.set = set(way, doing, node, Map::new())?;
            let written = apply::create(
                way.context,
                way.transaction,
                &way.kit.mapping,
                kind,
                writing,
            )
            .await?;
            doing.note_written("CREATE", &written);
            Ok(())
        }
        ("CREATE", "AUTHORITY" | "MARC_AUTHORITY", MarcRecordKind::Authority)
        | ("CREATE", "HOLDINGS" | "MARC_HOLDINGS", MarcRecordKind::Holdings) => {
            let writing = doing.writing(way.kit);
            let written = apply::create(
                way.context,
                way.transaction,
                &way.kit.mapping,
                kind,
                writing,
            )
            .await?;
            doing.note_written("CREATE", &written);
            Ok(())
        }
        ("UPDATE", "AUTHORITY" | "MARC_AUTHORITY", MarcRecordKind::Authority)
        | ("UPDATE", "HOLDINGS" | "MARC_HOLDINGS", MarcRecordKind::Holdings) => {
            replace(way, doing, node, kind).await
        }
        ("UPDATE", "INSTANCE" | "MARC_BIBLIOGRAPHIC", MarcRecordKind::Bib) => {
            update(way, doing, node).await
        }
        ("MODIFY", "MARC_BIBLIOGRAPHIC", MarcRecordKind::Bib) => change(way, doing, node).await,
        ("DELETE", "MARC_AUTHORITY", MarcRecordKind::Authority) => delete(way, doing).await,
        ("CREATE", "HOLDINGS", MarcRecordKind::Bib) => {
            super::holdings_and_items::create_holdings(way, doing, node).await
        }
        ("UPDATE", "HOLDINGS", MarcRecordKind::Bib) => {
            super::holdings_and_items::update_holdings(way, doing, node).await
        }
        ("CREATE", "ORDER", MarcRecordKind::Bib) => super::orders::create(way, doing, node).await,
        ("CREATE", "ITEM", MarcRecordKind::Bib) => {
            super::holdings_and_items::create_items(way, doing, node).await
        }
        ("UPDATE", "ITEM", MarcRecordKind::Bib) => {
            super::holdings_and_items::update_items(way, doing, node).await
        }
        _ => Err(Fault::Refused(format!(
            "the action {action} on {entity} is not carried out for {} records",
            kind.record_type()
        ))),
    }
}

/// The mapping of an action.
pub(crate) fn mapping<'a>(
    way: ProfileContext<'a>,
    doing: &'a RecordState,
    node: Node<'a>,
    today: &'a str,
    refusal: &str,
) -> Result<Mapping<'a>, Fault> {
    let profile = node
        .mapping()
        .ok_or_else(|| Fault::Refused(refusal.to_owned()))?;
    Ok(Mapping {
        profile: profile.content(),
        record: &doing.record,
        accepted: &way.kit.accepted,
        today,
    })
}

/// The day of the import.
pub(crate) fn today(way: ProfileContext<'_>) -> String {
    let now = instant::format(way.context.stamp.at);
    now.get(..10).unwrap_or_default().to_owned()
}

/// The properties by which a profile overrides the mapping rules.
fn set(
    way: ProfileContext<'_>,
    doing: &RecordState,
    node: Node<'_>,
    old: Map<String, Value>,
) -> Result<Map<String, Value>, Fault> {
    let today = today(way);
    let refusal = "Action profile to create an Instance requires a mapping profile";
    let mapping = mapping(way, doing, node, &today, refusal)?;
    let mut set = old.clone();
    mapping.apply(&mut set).map_err(Fault::Refused)?;
    // Properties that the profile does not change come from the rules.
    set.retain(|name, value| old.get(name) != Some(value));
    Ok(set)
}

/// Overlays the record on that of the matched instance.
async fn update(
    way: ProfileContext<'_>,
    doing: &mut RecordState,
    node: Node<'_>,
) -> Result<(), Fault> {
    let instance = doing.instance.ok_or_else(|| {
        Fault::Refused(
            "Failed to handle event payload, cause event payload context does not contain \
             MARC_BIBLIOGRAPHIC or INSTANCE data"
                .to_owned(),
        )
    })?;
    let profile = node.mapping().ok_or_else(|| {
        Fault::Refused("Action profile to update an Instance requires a mapping profile".to_owned())
    })?;
    let old = document(way, "instance", instance).await?;
    let old =
        old.ok_or_else(|| Fault::Refused(format!("Instance was not found by id: {instance}")))?;
    let current = current(way, "instanceId", instance).await?;
    let mut writing = doing.writing(way.kit);
    if let Some(current) = current {
        let taken = taken_over(&current, &doing.record, profile.content());
        let taken = taken.map_err(Fault::Refused)?;
        writing.record = overlay(&current, &taken, &protected(way, node));
    }
    writing.entity = Some(instance);
    let is_instance = node.text("folioRecord") == "INSTANCE";
    if is_instance {
        writing.set = set(way, doing, node, old)?;
    }
    let written = apply::update(
        way.context,
        way.transaction,
        &way.kit.mapping,
        MarcRecordKind::Bib,
        writing,
    )
    .await?;
    doing.note_written("UPDATE", &written);
    Ok(())
}

/// Modifies the incoming record; if it is stored already it is stored again, and so is a matched one,
/// unless the overlay is still to be done.
async fn change(
    way: ProfileContext<'_>,
    doing: &mut RecordState,
    node: Node<'_>,
) -> Result<(), Fault> {
    let profile = node.mapping().ok_or_else(|| {
        Fault::Refused("Action profile to modify a record requires a mapping profile".to_owned())
    })?;
    let is_found = doing.is_found && !doing.is_laid_over_later;
    let stored = match doing.instance.filter(|_| doing.is_written || is_found) {
        Some(instance) => current(way, "instanceId", instance)
            .await?
            .map(|record| (instance, record)),
        None => None,
    };
    let Some((instance, mut record)) = stored else {
        modify(&mut doing.record, profile.content()).map_err(Fault::Refused)?;
        return Ok(());
    };
    modify(&mut record, profile.content()).map_err(Fault::Refused)?;
    let mut writing = doing.writing(way.kit);
    writing.record = record;
    writing.entity = Some(instance);
    // The modified record is the matched one, so the incoming record is restored afterwards.
    let came = (!doing.is_written).then(|| doing.record.clone());
    if came.is_some() {
        (writing.raw, writing.bytes) = (None, None);
    }
    let written = apply::update(
        way.context,
        way.transaction,
        &way.kit.mapping,
        MarcRecordKind::Bib,
        writing,
    )
    .await?;
    doing.note_written("UPDATE", &written);
    if let Some(came) = came {
        // Later actions read the incoming record.
        (doing.record, doing.is_written) = (came, false);
    }
    Ok(())
}

/// Overlays an authority or MARC holdings record on the matched one.
async fn replace(
    way: ProfileContext<'_>,
    doing: &mut RecordState,
    node: Node<'_>,
    kind: MarcRecordKind,
) -> Result<(), Fault> {
    let (found, property) = match kind {
        MarcRecordKind::Authority => (doing.authority, "authorityId"),
        _ => (doing.holdings.first().copied(), "holdingsId"),
    };
    let found = found.ok_or_else(|| Fault::Refused("Unexpected payload".to_owned()))?;
    let mut writing = doing.writing(way.kit);
    if let Some(current) = current(way, property, found).await? {
        let none = Value::Null;
        let profile = node.mapping().map_or(&none, |mapping| mapping.content());
        let taken = taken_over(&current, &doing.record, profile).map_err(Fault::Refused)?;
        writing.record = overlay(&current, &taken, &protected(way, node));
    }
    writing.entity = Some(found);
    let written = apply::update(
        way.context,
        way.transaction,
        &way.kit.mapping,
        kind,
        writing,
    )
    .await?;
    doing.note_written("UPDATE", &written);
    Ok(())
}

/// Deletes the matched authority with its MARC record.
async fn delete(way: ProfileContext<'_>, doing: &mut RecordState) -> Result<(), Fault> {
    let found = doing.authority.ok_or_else(|| {
        Fault::Refused(
            "Failed to handle event payload, cause event payload context does not contain required \
             data to modify MARC record"
                .to_owned(),
        )
    })?;
    let source = existing::source_of(way.transaction, way.context.tenant, "authorityId", found);
    let matched = source.await?.and_then(|source| source.matched);
    delete_authority(way.context, way.transaction, found)
        .await
        .map_err(|refusal| match Fault::from(refusal) {
            Fault::Refused(cause) => {
                Fault::Refused(format!("Failed deleting Authority. Cause: {cause}"))
            }
            fault => fault,
        })?;
    doing.note_deleted(matched);
    Ok(())
}

/// The protected fields for an action.
fn protected(way: ProfileContext<'_>, node: Node<'_>) -> Vec<Protection> {
    let mapping = node.mapping().map(|mapping| mapping.content());
    protections(&way.kit.protections, mapping.unwrap_or(&Value::Null))
}

/// The current MARC record of an instance, holdings record or authority.
async fn current(
    way: ProfileContext<'_>,
    property: &'static str,
    id: Uuid,
) -> Result<Option<octavo_marc::Record>, Fault> {
    let tenant = way.context.tenant;
    let found = existing::source_of(way.transaction, tenant, property, id).await?;
    Ok(found.map(|source| source.record))
}

/// A record, locked until the transaction ends.
pub(crate) async fn document(
    way: ProfileContext<'_>,
    table: &'static str,
    id: Uuid,
) -> Result<Option<Map<String, Value>>, Fault> {
    let (context, transaction) = (way.context, way.transaction);
    let collection = context.collection(table);
    let found =
        octavo_records::store::fetch_locked(transaction, context.tenant, collection, id).await?;
    Ok(match found {
        Some(Value::Object(mut document)) => {
            document.insert("id".to_owned(), json!(id));
            Some(document)
        }
        _ => None,
    })
}

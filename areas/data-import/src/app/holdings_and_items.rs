//! Creates and updates holdings and items by mapping profiles of bibliographic records.

use octavo_inventory::app::store_holdings::{self, IfMissing};
use octavo_inventory::app::{self as inventory, store_item, unguarded};
use octavo_library::ItemStatus;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::act::{RecordState, Shelves};
use super::profile_runner::{ProfileContext, document, mapping, today};
use crate::apply::Fault;
use crate::rules::expression::tag;
use crate::rules::mapping_profile::{Mapping, store_form};
use crate::rules::parse::own;
use crate::rules::tree::Node;

/// Holdings or items of one record.
const MADE_MAX: usize = 200;

fn refused(reason: &str) -> Fault {
    Fault::Refused(reason.to_owned())
}

/// Creates holdings: one for each location in the record.
pub(crate) async fn create_holdings(
    way: ProfileContext<'_>,
    doing: &mut RecordState,
    node: Node<'_>,
) -> Result<(), Fault> {
    let named = own(&doing.record, 'i').and_then(|id| Uuid::try_parse(id).ok());
    let instance = doing.instance.or(named).ok_or_else(|| {
        refused("Failed to extract instanceId from instance entity or parsed record")
    })?;
    let today = today(way);
    let refusal = "Action profile to create a Holding entity requires a mapping profile";
    let mapping = mapping(way, doing, node, &today, refusal)?;
    let mut documents: Vec<Map<String, Value>> = Vec::new();
    let tag = field_of(&mapping, "permanentLocationId").map(str::to_owned);
    let mut places = Vec::new();
    for record in occurrences(doing, tag.as_deref()) {
        let mut holdings = Map::new();
        Mapping {
            record: &record,
            ..mapping
        }
        .apply(&mut holdings)
        .map_err(Fault::Refused)?;
        let place = holdings.get("permanentLocationId").cloned();
        places.push(place.clone().unwrap_or_default());
        // Several copies at one location share a holdings record.
        if !documents
            .iter()
            .any(|one| one.get("permanentLocationId") == place.as_ref())
        {
            documents.push(holdings);
        }
    }
    let mut made = Vec::new();
    for mut holdings in documents {
        if holdings
            .get("permanentLocationId")
            .and_then(Value::as_str)
            .is_none()
        {
            return Err(refused(
                "Can`t create Holding entity: 'permanentLocationId' is empty",
            ));
        }
        holdings.retain(|_, value| !value.is_null());
        holdings.insert("instanceId".to_owned(), json!(instance));
        if !holdings.contains_key("sourceId")
            && let Some(id) = way.kit.accepted.id("holdings_records_source", "FOLIO")
        {
            holdings.insert("sourceId".to_owned(), json!(id));
        }
        made.push(stored(
            store_holdings::create_with(way.transaction, way.context, Value::Object(holdings))
                .await,
        )?);
    }
    doing.instance = Some(instance);
    doing.holdings = made.iter().filter_map(id_of).collect();
    doing.shelves = tag.map(|tag| Shelves { tag, places });
    for holdings in &made {
        doing.note_made("HOLDINGS", "CREATE", holdings);
    }
    Ok(())
}

/// Updates matched holdings.
pub(crate) async fn update_holdings(
    way: ProfileContext<'_>,
    doing: &mut RecordState,
    node: Node<'_>,
) -> Result<(), Fault> {
    if doing.holdings.is_empty() {
        return Err(refused(
            "Can`t update Holding entity: context or Holding-entity are empty or doesn`t exist!",
        ));
    }
    for id in doing.holdings.clone() {
        let old = document(way, "holdings_record", id).await?;
        let mut holdings = old
            .ok_or_else(|| Fault::Refused(format!("Holdings record was not found by id: {id}")))?;
        let today = today(way);
        let refusal = "Action profile to update a Holding entity has no a mapping profile";
        mapping(way, doing, node, &today, refusal)?
            .apply(&mut holdings)
            .map_err(Fault::Refused)?;
        if !holdings
            .get("permanentLocationId")
            .is_some_and(Value::is_string)
        {
            return Err(refused(
                "Can`t update Holding entity: one of required fields(hrid, permanentLocationId, \
                 instanceId) are empty!",
            ));
        }
        holdings.retain(|_, value| !value.is_null());
        let document = Value::Object(holdings);
        let refuse = IfMissing::Refuse;
        store_holdings::replace_with(
            way.transaction,
            way.context,
            id,
            document.clone(),
            refuse,
            unguarded,
        )
        .await
        .map_err(fault_of)?;
        doing.note_made("HOLDINGS", "UPDATE", &document);
    }
    Ok(())
}

/// The savepoint before an item.
const ITEM: &str = "item";

/// Creates items: one for each occurrence of the field that their barcodes are in, or of the field that
/// holdings were just made from. A refused item does not affect others, as in FOLIO.
pub(crate) async fn create_items(
    way: ProfileContext<'_>,
    doing: &mut RecordState,
    node: Node<'_>,
) -> Result<(), Fault> {
    let holdings = match doing.holdings.as_slice() {
        [] => {
            return Err(refused(
                "Can`t create Item entity: there are no holdings to put it into",
            ));
        }
        holdings => holdings.to_vec(),
    };
    let today = today(way);
    let refusal = "Action profile to create an Item requires a mapping profile";
    let mapping = mapping(way, doing, node, &today, refusal)?;
    let places = places(way, &holdings).await?;
    let repeats = |tag: &&str| {
        let fields = doing.record.fields.iter();
        fields.filter(|field| field.tag().as_str() == *tag).count() > 1
    };
    let named = doing.shelves.as_ref().map(|shelves| shelves.tag.as_str());
    let by_barcode = field_of(&mapping, "barcode").filter(repeats);
    let tag = by_barcode.or(named.filter(repeats));
    let (mut made, mut errors) = (Vec::new(), Vec::new());
    for (at, record) in occurrences(doing, tag).into_iter().enumerate() {
        let mut item = Map::new();
        Mapping {
            record: &record,
            ..mapping
        }
        .apply(&mut item)
        .map_err(Fault::Refused)?;
        store_form(&mut item);
        let into = shelf(doing, &holdings, &places, &item, (tag, at));
        item.insert("holdingsRecordId".to_owned(), json!(into));
        // The order takes it as one of its copies.
        if let Some(line) = doing.line.and_then(|line| line.id) {
            let of_line = item.entry("purchaseOrderLineIdentifier");
            of_line.or_insert_with(|| json!(line));
        }
        way.transaction.savepoint(ITEM).await?;
        match create_item(way, item).await {
            Ok(item) => made.push(item),
            Err(Fault::Refused(reason)) => {
                way.transaction.rollback_to(ITEM).await?;
                errors.push(reason);
            }
            Err(fault) => return Err(fault),
        }
        way.transaction.release(ITEM).await?;
    }
    if made.is_empty() {
        return Err(Fault::Refused(errors.join("; ")));
    }
    doing.items = made.iter().filter_map(id_of).collect();
    for item in &made {
        doing.note_made("ITEM", "CREATE", item);
    }
    for error in &errors {
        doing.note_left_out("ITEM", "CREATE", error);
    }
    Ok(())
}

/// The holdings of an item: those at its own location, those made from the same occurrence, or the
/// first.
fn shelf(
    doing: &RecordState,
    holdings: &[Uuid],
    places: &[(Uuid, Value)],
    item: &Map<String, Value>,
    (tag, at): (Option<&str>, usize),
) -> Uuid {
    let at_place = |place: &Value| {
        let mut found = places.iter().filter(|(_, known)| known == place);
        found.next().map(|(id, _)| *id)
    };
    let own = item.get("permanentLocationId").and_then(at_place);
    let shelves = doing.shelves.as_ref();
    let shelves = shelves.filter(|shelves| tag == Some(shelves.tag.as_str()));
    let same = || at_place(shelves?.places.get(at)?);
    let by_number = || match shelves {
        None => holdings.get(at).copied(),
        Some(_) => None,
    };
    own.or_else(same).or_else(by_number).unwrap_or(holdings[0])
}

async fn create_item(way: ProfileContext<'_>, item: Map<String, Value>) -> Result<Value, Fault> {
    for (name, field_name) in [
        ("materialTypeId", "materialType.id"),
        ("permanentLoanTypeId", "permanentLoanType.id"),
        ("status", "status.name"),
    ] {
        if !item.contains_key(name) {
            return Err(Fault::Refused(format!(
                "Mapped Item is invalid: [Field '{field_name}' is a required field and can not be null]"
            )));
        }
    }
    stored(store_item::create_with(way.transaction, way.context, Value::Object(item)).await)
}

/// Updates matched items.
pub(crate) async fn update_items(
    way: ProfileContext<'_>,
    doing: &mut RecordState,
    node: Node<'_>,
) -> Result<(), Fault> {
    if doing.items.is_empty() {
        return Err(refused(
            "Failed to handle event payload, cause event payload context does not contain \
             MARC_BIBLIOGRAPHIC data or ITEM to update",
        ));
    }
    for id in doing.items.clone() {
        let found = document(way, "item", id).await?;
        let mut item =
            found.ok_or_else(|| Fault::Refused(format!("Item was not found by id: {id}")))?;
        let before = item["status"]["name"].clone();
        let today = today(way);
        let refusal = "Action profile to update an Item requires a mapping profile";
        mapping(way, doing, node, &today, refusal)?
            .apply(&mut item)
            .map_err(Fault::Refused)?;
        store_form(&mut item);
        let after = item["status"]["name"].clone();
        let known = before.as_str().and_then(ItemStatus::named);
        if before != after && known.is_some_and(is_protected) {
            let (before, after) = (
                before.as_str().unwrap_or_default(),
                after.as_str().unwrap_or_default(),
            );
            return Err(Fault::Refused(format!(
                "Could not change item status '{before}' to '{after}'"
            )));
        }
        let document = Value::Object(item);
        store_item::replace_with(
            way.transaction,
            way.context,
            id,
            document.clone(),
            unguarded,
        )
        .await
        .map_err(fault_of)?;
        doing.note_made("ITEM", "UPDATE", &document);
    }
    Ok(())
}

/// Whether imports must not change a status: statuses of circulation are set only at a desk.
fn is_protected(status: ItemStatus) -> bool {
    match status {
        ItemStatus::AgedToLost
        | ItemStatus::AwaitingDelivery
        | ItemStatus::AwaitingPickup
        | ItemStatus::CheckedOut
        | ItemStatus::ClaimedReturned
        | ItemStatus::DeclaredLost
        | ItemStatus::InProcess
        | ItemStatus::InProcessNonRequestable
        | ItemStatus::InTransit
        | ItemStatus::IntellectualItem
        | ItemStatus::LongMissing
        | ItemStatus::LostAndPaid
        | ItemStatus::Paged => true,
        ItemStatus::Available
        | ItemStatus::Missing
        | ItemStatus::OnOrder
        | ItemStatus::OrderClosed
        | ItemStatus::Restricted
        | ItemStatus::Unavailable
        | ItemStatus::Unknown
        | ItemStatus::Withdrawn => false,
    }
}

/// The stored document.
fn stored(outcome: Result<(Uuid, bytes::Bytes), inventory::Refusal>) -> Result<Value, Fault> {
    let (_, bytes) = outcome.map_err(fault_of)?;
    serde_json::from_slice(&bytes).map_err(|error| Fault::Refused(error.to_string()))
}

/// The tag of the field that a property is mapped from.
fn field_of<'a>(mapping: &Mapping<'a>, property: &str) -> Option<&'a str> {
    mapping.expression(property).and_then(tag)
}

/// Copies of the record, each with one occurrence of a field.
fn occurrences(doing: &RecordState, tag: Option<&str>) -> Vec<octavo_marc::Record> {
    let record = &doing.record;
    let places: Vec<usize> = record
        .fields
        .iter()
        .enumerate()
        .filter(|(_, field)| tag.is_some_and(|tag| field.tag().as_str() == tag))
        .map(|(at, _)| at)
        .take(MADE_MAX)
        .collect();
    if places.len() < 2 {
        return vec![record.clone()];
    }
    places
        .iter()
        .map(|kept| octavo_marc::Record {
            leader: record.leader,
            fields: record
                .fields
                .iter()
                .enumerate()
                .filter(|(at, _)| at == kept || !places.contains(at))
                .map(|(_, field)| field.clone())
                .collect(),
        })
        .collect()
}

/// The locations of holdings.
async fn places(way: ProfileContext<'_>, holdings: &[Uuid]) -> Result<Vec<(Uuid, Value)>, Fault> {
    let mut places = Vec::new();
    for id in holdings {
        let found = document(way, "holdings_record", *id).await?;
        let place = found.and_then(|mut one| one.shift_remove("permanentLocationId"));
        places.push((*id, place.unwrap_or_default()));
    }
    Ok(places)
}

fn id_of(document: &Value) -> Option<Uuid> {
    Uuid::try_parse(document["id"].as_str()?).ok()
}

fn fault_of(refusal: inventory::Refusal) -> Fault {
    match refusal {
        inventory::Refusal::Store(error) => error.into(),
        other => Fault::Refused(other.to_string()),
    }
}

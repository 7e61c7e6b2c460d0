//! The inventory of lines that open: instances, holdings, items and pieces, as far as the lines want them. Each
//! kind is made for all lines together, so that the number of statements does not grow with that of the lines.

use std::collections::HashMap;

use futures_util::future::try_join_all;
use futures_util::{TryFutureExt, try_join};
use octavo_boxed::boxed;
use octavo_library::ItemStatus;
use octavo_records::new_id;
use octavo_records::store::insert_many;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Act, inventory};
use crate::refusal::{Code, Declined, Refusal, Wrong};
use crate::rules::doc::{Doc, clear, id as id_at, set, text};
use crate::rules::line::{Kind, Line};
use crate::rules::wanted::{self, Copies, first_of_their_products};
use crate::store::inventory::{holdings, items_of_lines};
use crate::store::lines::Held;
use crate::store::titles::of_lines;

/// Makes what lines want; their instances and the holdings of their locations are written into them.
///
/// # Errors
/// When the inventory lacks an entry of its lists.
#[boxed]
pub async fn make(act: Act<'_>, lines: &mut [Doc], order_closed: bool) -> Result<(), Declined> {
    let mut lines: Vec<&mut Doc> = lines
        .iter_mut()
        .filter(|line| !Line(line).is_package())
        .collect();
    make_instances(act, &mut lines).await?;
    make_holdings(act, &mut lines).await?;
    let lines: Vec<&Doc> = lines.into_iter().map(|line| &*line).collect();
    let items = make_items(act, &lines, order_closed).await?;
    make_pieces(act, &lines, &items).await
}

/// Finds or makes the instances of lines. A line with the product ids of an earlier one waits for that one's
/// instance.
async fn make_instances(act: Act<'_>, lines: &mut [&mut Doc]) -> Result<(), Declined> {
    let may_match = !act.terms.is_matching_disabled();
    loop {
        let mut waiting: Vec<&mut Doc> = lines
            .iter_mut()
            .filter(|line| Line(line).makes_instance() && id_at(line, "instanceId").is_none())
            .map(|line| &mut **line)
            .collect();
        if waiting.is_empty() {
            return Ok(());
        }
        if may_match {
            let first = first_of_their_products(waiting.iter().map(|line| &**line));
            let mut first = first.into_iter();
            waiting.retain(|_| first.next().unwrap_or(true));
            let found = waiting
                .iter()
                .map(|line| inventory::find_instance(act, line));
            let found = try_join_all(found).await?;
            for (line, found) in waiting.iter_mut().zip(found) {
                if let Some(instance) = found {
                    set(line, "instanceId", json!(instance));
                }
            }
            waiting.retain(|line| id_at(line, "instanceId").is_none());
        }
        let without: Vec<&Doc> = waiting.iter().map(|line| &**line).collect();
        let made = inventory::make_instances(act, &without).await?;
        for (line, instance) in waiting.into_iter().zip(made) {
            set(line, "instanceId", json!(instance));
        }
    }
}

/// A location of a line for which there are to be holdings.
struct Place {
    /// The line, and which of its locations.
    at: (usize, usize),
    instance: Uuid,
    location: Uuid,
    /// Whether holdings are made although the instance has some at the location.
    anew: bool,
}

async fn make_holdings(act: Act<'_>, lines: &mut [&mut Doc]) -> Result<(), Declined> {
    let mut lines: Vec<&mut Doc> = lines
        .iter_mut()
        .filter(|line| Line(line).makes_instance())
        .map(|line| &mut **line)
        .collect();
    for line in &mut lines {
        wanted::split_mixed(line);
    }
    refuse_unknown_holdings(act, &lines).await?;
    let places = places(&lines);
    let looked_up = places.iter().filter(|place| !place.anew);
    let pairs: Vec<(Uuid, Uuid)> = looked_up
        .map(|place| (place.instance, place.location))
        .collect();
    let mut known = inventory::find_holdings(act, &pairs).await?;
    let mut new = Vec::new();
    for place in places {
        let pair = (place.instance, place.location);
        let found = known.get(&pair).copied().filter(|_| !place.anew);
        let holdings = found.unwrap_or_else(|| {
            let id = new_id();
            new.push((id, pair));
            known.entry(pair).or_insert(id);
            id
        });
        let (line, location) = place.at;
        let rows = lines
            .get_mut(line)
            .and_then(|line| line.get_mut("locations"));
        let row = rows.and_then(|rows| rows.get_mut(location));
        if let Some(row) = row.and_then(Value::as_object_mut) {
            set(row, "holdingId", json!(holdings));
            clear(row, "locationId");
        }
    }
    inventory::add_holdings(act, &new).await
}

fn places(lines: &[&mut Doc]) -> Vec<Place> {
    let mut places = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(instance) = id_at(line, "instanceId") else {
            continue;
        };
        let anew = text(line, "source") == Some("User");
        for (row, location) in Line(line).locations().enumerate() {
            let wanted = wanted::needs_holdings(Line(line), location);
            if let Some(location) = id_at(location, "locationId").filter(|_| wanted) {
                places.push(Place {
                    at: (at, row),
                    instance,
                    location,
                    anew,
                });
            }
        }
    }
    places
}

/// Holdings that a location names must exist.
async fn refuse_unknown_holdings(act: Act<'_>, lines: &[&mut Doc]) -> Result<(), Declined> {
    let named: Vec<Uuid> = lines
        .iter()
        .flat_map(|line| Line(line).locations())
        .filter_map(|location| id_at(location, "holdingId"))
        .collect();
    if named.is_empty() {
        return Ok(());
    }
    let tables = act.work.context.tables();
    let found = holdings(act.work.transaction, tables, &named).await?;
    let is_there = |id: &&Uuid| found.iter().any(|one| id_at(one, "id") == Some(**id));
    match named.iter().find(|id| !is_there(id)) {
        None => Ok(()),
        Some(id) => {
            let wrong = Wrong::of(Code::HoldingsByIdNotFoundError).naming(&[&id.to_string()]);
            Err(Refusal::new(404, wrong).into())
        }
    }
}

/// The items of a line by place and kind, as [`wanted::copies`] counts these: in the order of the copies.
type Items = HashMap<(Uuid, usize), Vec<Uuid>>;

/// Makes the items of lines; those that are there already are taken.
async fn make_items(act: Act<'_>, lines: &[&Doc], order_closed: bool) -> Result<Items, Declined> {
    let makes_items = |line: &&&Doc| {
        let line = Line(line);
        !line.is_independent() && Kind::BOTH.into_iter().any(|kind| line.makes_items(kind))
    };
    let lines: Vec<&Doc> = lines.iter().filter(makes_items).copied().collect();
    if lines.is_empty() {
        return Ok(Items::new());
    }
    let ids: Vec<Uuid> = lines.iter().map(|line| Line(line).id()).collect();
    let tables = act.work.context.tables();
    let (stored, loan_type) = try_join!(
        items_of_lines(act.work.transaction, tables, &ids, Held::Yes).map_err(Declined::from),
        inventory::loan_type(act),
    )?;
    let mut free: HashMap<Uuid, Vec<&Doc>> = HashMap::new();
    for item in &stored {
        let of_line = id_at(item, "purchaseOrderLineIdentifier").unwrap_or_default();
        free.entry(of_line).or_default().push(item);
    }
    let (mut made, mut new) = (Items::new(), Vec::new());
    for line in lines {
        let of_line = Line(line);
        let free = free.entry(of_line.id()).or_default();
        let status = match order_closed || of_line.is_cancelled() {
            true => ItemStatus::OrderClosed.name(),
            false => ItemStatus::OnOrder.name(),
        };
        for (at, copies) in wanted::copies(of_line).iter().enumerate() {
            let holdings = copies.holdings_id;
            let Some(holdings) = holdings.filter(|_| of_line.makes_items(copies.kind)) else {
                continue;
            };
            let material = text(line, &format!("{}.materialType", copies.kind.part()));
            let alike = |item: &&Doc| {
                id_at(item, "holdingsRecordId") == Some(holdings)
                    && text(item, "materialTypeId") == material
            };
            let ids = (0..copies.count).map(|_| match free.iter().position(alike) {
                Some(at) => id_at(free.remove(at), "id").unwrap_or_default(),
                None => {
                    let id = new_id();
                    let mut item = wanted::item(of_line, copies, holdings, loan_type, status);
                    item["id"] = json!(id);
                    new.push(item);
                    id
                }
            });
            made.insert((of_line.id(), at), ids.collect());
        }
    }
    inventory::add_items(act, new).await?;
    Ok(made)
}

async fn make_pieces(act: Act<'_>, lines: &[&Doc], items: &Items) -> Result<(), Declined> {
    let lines: Vec<&Doc> = lines
        .iter()
        .filter(|line| Line(line).makes_pieces())
        .copied()
        .collect();
    if lines.is_empty() {
        return Ok(());
    }
    let ids: Vec<Uuid> = lines.iter().map(|line| Line(line).id()).collect();
    let (context, transaction) = (act.work.context, act.work.transaction);
    let tables = context.tables();
    let (titles, stored) = try_join!(
        of_lines(transaction, tables, &ids, Held::No),
        crate::store::pieces::of_lines(transaction, tables, &ids, Held::No),
    )?;
    let mut title_of: HashMap<Uuid, Uuid> = HashMap::new();
    for title in &titles {
        if let (Some(line), Some(id)) = (id_at(title, "poLineId"), id_at(title, "id")) {
            title_of.entry(line).or_insert(id);
        }
    }
    let mut pieces = Vec::new();
    for line in lines.into_iter().map(Line) {
        let Some(title) = title_of.get(&line.id()) else {
            continue;
        };
        for (at, copies) in wanted::copies(line).iter().enumerate() {
            let ids = items.get(&(line.id(), at));
            let ids = ids.map_or(&[][..], Vec::as_slice);
            let there = already(&stored, copies, line);
            for number in there..copies.count {
                let item = usize::try_from(number)
                    .ok()
                    .and_then(|number| ids.get(number));
                pieces.push(wanted::piece(line, copies, *title, item.copied()));
            }
        }
    }
    let (collection, stamp) = (context.collection("pieces"), &context.stamp);
    insert_many(transaction, context.tenant, collection, pieces, stamp).await?;
    Ok(())
}

/// The pieces of a line that are at a place already: those of an order that was opened before.
fn already(stored: &[Doc], copies: &Copies, line: Line<'_>) -> i64 {
    let format = line.format().piece(copies.kind);
    let here = |piece: &&Doc| {
        id_at(piece, "poLineId") == Some(line.id())
            && text(piece, "format") == Some(format)
            && id_at(piece, "holdingId") == copies.holdings_id
            && id_at(piece, "locationId")
                == copies.location_id.filter(|_| copies.holdings_id.is_none())
    };
    let count = stored.iter().filter(here).count();
    i64::try_from(count).unwrap_or(i64::MAX)
}

//! The inventory of a line that opens: instance, holdings, items and pieces, as far as the line wants them.

use std::collections::HashMap;

use octavo_boxed::boxed;
use octavo_library::ItemStatus;
use octavo_records::store::insert_many;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Act, inventory};
use crate::refusal::{Code, Declined, Refusal, Wrong};
use crate::rules::doc::{Doc, clear, id as id_at, set, text};
use crate::rules::line::{Kind, Line};
use crate::rules::wanted::{self, Copies};
use crate::store::inventory::{holdings, items_of_lines};
use crate::store::lines::Held;
use crate::store::titles::of_lines;

/// Makes what a line wants; the line's instance and the holdings of its locations are written into it.
///
/// # Errors
/// When the inventory lacks an entry of its lists.
#[boxed]
pub async fn make(act: Act<'_>, line: &mut Doc, order_closed: bool) -> Result<(), Declined> {
    if Line(line).is_package() {
        return Ok(());
    }
    if Line(line).makes_instance() {
        let may_match = !act.terms.is_matching_disabled();
        let instance = inventory::instance(act, line, may_match).await?;
        set(line, "instanceId", json!(instance));
        make_holdings(act, line, instance).await?;
    }
    let items = make_items(act, line, order_closed).await?;
    make_pieces(act, line, items).await
}

async fn make_holdings(act: Act<'_>, line: &mut Doc, instance: Uuid) -> Result<(), Declined> {
    wanted::split_mixed(line);
    refuse_unknown_holdings(act, line).await?;
    let from_user = text(line, "source") == Some("User");
    let places: Vec<Option<Uuid>> = Line(line)
        .locations()
        .map(|location| {
            let wanted = wanted::needs_holdings(Line(line), location);
            id_at(location, "locationId").filter(|_| wanted)
        })
        .collect();
    for (at, place) in places.into_iter().enumerate() {
        let Some(place) = place else { continue };
        let holdings = match from_user {
            true => inventory::make_holdings(act, instance, place).await?,
            false => inventory::find_or_make_holdings(act, instance, place).await?,
        };
        let location = line
            .get_mut("locations")
            .and_then(|locations| locations.get_mut(at))
            .and_then(Value::as_object_mut);
        if let Some(location) = location {
            set(location, "holdingId", json!(holdings));
            clear(location, "locationId");
        }
    }
    Ok(())
}

/// Holdings that a location names must exist.
async fn refuse_unknown_holdings(act: Act<'_>, line: &Doc) -> Result<(), Declined> {
    let named: Vec<Uuid> = Line(line)
        .locations()
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

/// The items of each place and kind, in the order of the copies; those that are there already are taken.
async fn make_items(
    act: Act<'_>,
    line: &Doc,
    order_closed: bool,
) -> Result<HashMap<usize, Vec<Uuid>>, Declined> {
    let mut made = HashMap::new();
    let of_line = Line(line);
    if of_line.is_independent() || !Kind::BOTH.into_iter().any(|kind| of_line.makes_items(kind)) {
        return Ok(made);
    }
    let tables = act.work.context.tables();
    let stored = items_of_lines(act.work.transaction, tables, &[of_line.id()], Held::Yes).await?;
    let mut free: Vec<&Doc> = stored.iter().collect();
    let loan_type = inventory::loan_type(act).await?;
    let status = match order_closed || of_line.is_cancelled() {
        true => ItemStatus::OrderClosed.name(),
        false => ItemStatus::OnOrder.name(),
    };
    for (at, copies) in wanted::copies(of_line).iter().enumerate() {
        let Some(holdings) = copies
            .holdings_id
            .filter(|_| of_line.makes_items(copies.kind))
        else {
            continue;
        };
        let material = text(line, &format!("{}.materialType", copies.kind.part()));
        let mut ids = Vec::new();
        for _ in 0..copies.count {
            let alike = |item: &&Doc| {
                id_at(item, "holdingsRecordId") == Some(holdings)
                    && text(item, "materialTypeId") == material
            };
            let id = match free.iter().position(alike) {
                Some(at) => id_at(free.remove(at), "id").unwrap_or_default(),
                None => {
                    let item = wanted::item(of_line, copies, holdings, loan_type, status);
                    inventory::make_item(act, item).await?
                }
            };
            ids.push(id);
        }
        made.insert(at, ids);
    }
    Ok(made)
}

async fn make_pieces(
    act: Act<'_>,
    line: &Doc,
    items: HashMap<usize, Vec<Uuid>>,
) -> Result<(), Declined> {
    let of_line = Line(line);
    if !of_line.makes_pieces() {
        return Ok(());
    }
    let (work, context) = (act.work, act.work.context);
    let titles = of_lines(
        work.transaction,
        context.tables(),
        &[of_line.id()],
        Held::No,
    )
    .await?;
    let Some(title) = titles.first().and_then(|title| id_at(title, "id")) else {
        return Ok(());
    };
    let stored = crate::store::pieces::of_lines(
        work.transaction,
        context.tables(),
        &[of_line.id()],
        Held::No,
    )
    .await?;
    let mut pieces = Vec::new();
    for (at, copies) in wanted::copies(of_line).iter().enumerate() {
        let ids = items.get(&at).map_or(&[][..], Vec::as_slice);
        let there = already(&stored, copies, of_line);
        for number in there..copies.count {
            let item = usize::try_from(number)
                .ok()
                .and_then(|number| ids.get(number));
            pieces.push(wanted::piece(of_line, copies, title, item.copied()));
        }
    }
    let collection = context.collection("pieces");
    insert_many(
        work.transaction,
        context.tenant,
        collection,
        pieces,
        &context.stamp,
    )
    .await?;
    Ok(())
}

/// The pieces that are at a place already: those of an order that was opened before.
fn already(stored: &[Doc], copies: &Copies, line: Line<'_>) -> i64 {
    let format = line.format().piece(copies.kind);
    let here = |piece: &&Doc| {
        text(piece, "format") == Some(format)
            && id_at(piece, "holdingId") == copies.holdings_id
            && id_at(piece, "locationId")
                == copies.location_id.filter(|_| copies.holdings_id.is_none())
    };
    let count = stored.iter().filter(here).count();
    i64::try_from(count).unwrap_or(i64::MAX)
}

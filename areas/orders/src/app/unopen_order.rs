//! Orders that become Pending again: encumbrances commit nothing, and what was only expected goes.

use octavo_boxed::boxed;
use octavo_library::ItemStatus;
use octavo_records::store::delete;
use serde_json::{Value, json};
use uuid::Uuid;

use super::encumber::{Shift, shift};
use super::settle::{ids, write_lines};
use super::{Act, inventory, items};
use crate::refusal::{Code, Declined, Refusal};
use crate::rules::doc::{Doc, clear, id as id_at, set, text};
use crate::rules::line::{Kind, Line};
use crate::rules::statuses::unopen_line;
use crate::store::inventory::{items_of_lines, open_requests};
use crate::store::lines::Held;
use crate::store::pieces::of_lines;

/// Undoes the opening of an order, which is written already.
///
/// # Errors
/// 422 when patrons have requested items that are to go.
#[boxed]
pub async fn unopen(
    act: Act<'_>,
    mut lines: Vec<Doc>,
    delete_holdings: bool,
) -> Result<(), Declined> {
    shift(act, &ids(&lines), Shift::Pending).await?;
    for line in &mut lines {
        if !Line(line).is_package() {
            of_line(act, line, delete_holdings).await?;
        }
        unopen_line(line);
    }
    write_lines(act, &lines).await
}

async fn of_line(act: Act<'_>, line: &mut Doc, delete_holdings: bool) -> Result<(), Declined> {
    let (work, context) = (act.work, act.work.context);
    let (transaction, tables) = (work.transaction, context.tables());
    let line_id = Line(line).id();
    let kinds = Kind::BOTH.into_iter();
    let with_holdings = kinds.clone().any(|kind| Line(line).makes_holdings(kind));
    let with_items = kinds.clone().any(|kind| Line(line).makes_items(kind));
    let independent = Line(line).is_independent();
    let mut locations_of_items: Vec<(Uuid, Option<Uuid>)> = Vec::new();
    if !independent {
        let mut item_docs: Vec<Doc> = Vec::new();
        if with_items {
            let all = items_of_lines(transaction, tables, &[line_id], Held::Yes).await?;
            item_docs = all
                .into_iter()
                .filter(|item| items::status_of(item) == Some(ItemStatus::OnOrder))
                .collect();
            if delete_holdings {
                let item_ids = ids_of(&item_docs);
                if !open_requests(transaction, tables, &item_ids)
                    .await?
                    .is_empty()
                {
                    return Err(Refusal::invalid(Code::ThereAreRequestsOnItem).into());
                }
            }
        }
        let nothing_left = with_items && delete_holdings && item_docs.is_empty();
        if Line(line).receipt_status() != "Receipt Not Required" && !nothing_left {
            let pieces = of_lines(transaction, tables, &[line_id], Held::Yes).await?;
            let expected = pieces
                .iter()
                .filter(|piece| text(piece, "receivingStatus") == Some("Expected"))
                .filter_map(|piece| id_at(piece, "id"));
            let collection = context.collection("pieces");
            for id in expected {
                delete(transaction, context.tenant, collection, id).await?;
            }
        }
        for item in &item_docs {
            let Some(id) = id_at(item, "id") else {
                continue;
            };
            if let Some(holdings) = id_at(item, "holdingsRecordId") {
                locations_of_items.push((holdings, id_at(item, "effectiveLocationId")));
            }
            delete(transaction, context.tenant, context.collection("item"), id).await?;
        }
        if nothing_left {
            return Ok(());
        }
    }
    if delete_holdings && with_holdings {
        let holdings: Vec<Uuid> = Line(line)
            .locations()
            .filter_map(|location| id_at(location, "holdingId"))
            .collect();
        // The line's own pieces keep no holdings, whether they go or stay.
        let own = of_lines(transaction, tables, &[line_id], Held::No).await?;
        let own = ids_of(&own);
        let gone = inventory::delete_empty_holdings(act, &holdings, &own).await?;
        for (id, permanent) in gone {
            let of_item = locations_of_items.iter().find(|(of, _)| *of == id);
            let location = of_item.and_then(|(_, location)| *location).or(permanent);
            give_back(line, id, location);
        }
        let searched = inventory::search_locations(act, line).await?;
        set(line, "searchLocationIds", json!(searched));
    }
    Ok(())
}

fn ids_of(records: &[Doc]) -> Vec<Uuid> {
    records.iter().filter_map(|one| id_at(one, "id")).collect()
}

/// Gives the locations of a line the location of holdings that are gone.
pub fn give_back(line: &mut Doc, holdings: Uuid, location: Option<Uuid>) {
    let Some(Value::Array(rows)) = line.get_mut("locations") else {
        return;
    };
    for row in rows.iter_mut().filter_map(Value::as_object_mut) {
        if id_at(row, "holdingId") == Some(holdings) {
            clear(row, "holdingId");
            if let Some(location) = location {
                set(row, "locationId", json!(location));
            }
        }
    }
}

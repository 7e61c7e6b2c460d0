//! What must hold of a piece of a line, and what adding, moving and deleting it makes of the line.

use serde_json::{Value, json};
use uuid::Uuid;

use super::doc::{Doc, clear, flag, id, list_in, object_in, set, text, whole};
use super::line::{Format, Kind, Line, copies_at, kind_of_piece};
use super::line_checks::place;
use super::statuses::Workflow;
use crate::refusal::{Code, Wrong};

/// What is wrong with a piece of a line.
#[must_use]
pub fn wrong_with(piece: &Doc, line: Line<'_>, order: &Doc, makes_item: bool) -> Vec<Wrong> {
    let mut wrong = Vec::new();
    let format = text(piece, "format").unwrap_or_default();
    let kind = kind_of_piece(format);
    if line.makes_holdings(kind) {
        wrong.extend(place(piece));
    }
    let fits = match line.format() {
        Format::Mix => matches!(format, "Physical" | "Electronic"),
        one => format == one.piece(kind) && one.has(kind),
    };
    if !fits {
        let wanted = text(line.0, "orderFormat").unwrap_or_default();
        wrong.push(Wrong::of(Code::PieceFormatIsNotValid).naming(&[format, wanted]));
    }
    if Workflow::of(order) == Workflow::Pending && !line.is_independent() {
        wrong.push(Code::PieceRelatedOrderDataIsNotValid.into());
    }
    if makes_item && !line.makes_items(kind) {
        let id = line.id().to_string();
        wrong.push(Wrong::of(Code::CreateItemForPieceIsNotAllowedError).naming(&[format, &id]));
    }
    if flag(piece, "displayToPublic") && !flag(piece, "displayOnHolding") {
        wrong.push(Code::PieceDisplayOnHoldingsIsNotConsistent.into());
    }
    wrong
}

/// Where a piece lies: its holdings, or its location.
#[must_use]
pub fn place_of(piece: &Doc) -> (Option<Uuid>, Option<Uuid>) {
    (id(piece, "holdingId"), id(piece, "locationId"))
}

/// Whether a line counts its pieces.
#[must_use]
pub fn is_counted(line: Line<'_>) -> bool {
    !line.is_independent() && !line.is_package()
}

/// Adds a copy of a piece's kind at its place to the line, or takes one away.
pub fn count(line: &mut Doc, piece: &Doc, by: i64) {
    let kind = kind_of_piece(text(piece, "format").unwrap_or_default());
    let cost = object_in(line, "cost");
    let copies = whole(cost, kind.quantity()).unwrap_or(0) + by;
    set(cost, kind.quantity(), copies.max(0));
    count_at(line, place_of(piece), kind, by);
}

/// The same of a location only.
pub fn count_at(
    line: &mut Doc,
    (holdings, location): (Option<Uuid>, Option<Uuid>),
    kind: Kind,
    by: i64,
) {
    if holdings.is_none() && location.is_none() {
        return;
    }
    let locations = list_in(line, "locations");
    let here = locations.iter().position(|one| {
        one.as_object().is_some_and(|one| match holdings {
            Some(holdings) => id(one, "holdingId") == Some(holdings),
            None => id(one, "locationId") == location,
        })
    });
    let at = match here {
        Some(at) => at,
        None if by <= 0 => return,
        None => {
            let mut new = Doc::new();
            match (holdings, location) {
                (Some(id), _) => set(&mut new, "holdingId", json!(id)),
                (None, Some(id)) => set(&mut new, "locationId", json!(id)),
                (None, None) => {}
            }
            locations.push(Value::Object(new));
            locations.len() - 1
        }
    };
    if let Some(place) = locations.get_mut(at).and_then(Value::as_object_mut) {
        let copies = (copies_at(place, kind) + by).max(0);
        match copies {
            0 => clear(place, kind.quantity()),
            copies => set(place, kind.quantity(), copies),
        }
        let all: i64 = Kind::BOTH
            .into_iter()
            .map(|kind| copies_at(place, kind))
            .sum();
        set(place, "quantity", all);
        if all == 0 {
            locations.remove(at);
        }
    }
}

/// The properties that an item has from its piece.
const OF_ITEM: [(&str, &str); 6] = [
    ("barcode", "barcode"),
    ("callNumber", "itemLevelCallNumber"),
    ("accessionNumber", "accessionNumber"),
    ("copyNumber", "copyNumber"),
    ("enumeration", "enumeration"),
    ("chronology", "chronology"),
];

/// Gives an item what a piece or the body of an arrival says about it.
pub fn describe_item(item: &mut Doc, said: &Doc) {
    for (name, property) in OF_ITEM
        .into_iter()
        .chain([("displaySummary", "displaySummary")])
    {
        if let Some(value) = super::doc::at(said, name) {
            set(item, property, value.clone());
        }
    }
    if let Some(suppressed) = super::doc::at(said, "discoverySuppress") {
        set(item, "discoverySuppress", suppressed.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::doc::object;

    const HERE: Uuid = Uuid::from_u128(1);
    const THERE: Uuid = Uuid::from_u128(2);

    #[test]
    fn a_line_counts_its_pieces() {
        let mut line = object(json!({
            "cost": {"quantityPhysical": 2},
            "locations": [{"holdingId": HERE, "quantity": 2, "quantityPhysical": 2}]
        }));
        let piece = |holdings: Uuid| object(json!({"format": "Physical", "holdingId": holdings}));
        count(&mut line, &piece(THERE), 1);
        assert_eq!(line["cost"]["quantityPhysical"], 3);
        assert_eq!(
            line["locations"],
            json!([{"holdingId": HERE, "quantity": 2, "quantityPhysical": 2},
                   {"holdingId": THERE, "quantityPhysical": 1, "quantity": 1}])
        );
        count(&mut line, &piece(THERE), -1);
        count_at(&mut line, (Some(HERE), None), Kind::Physical, -1);
        assert_eq!(line["cost"]["quantityPhysical"], 2);
        assert_eq!(
            line["locations"],
            json!([{"holdingId": HERE, "quantity": 1, "quantityPhysical": 1}])
        );
    }

    #[test]
    fn a_piece_fits_its_line() {
        let line = |format: &str, independent: bool| {
            object(json!({"orderFormat": format, "checkinItems": independent,
                          "physical": {"createInventory": "Instance, Holding"}}))
        };
        let piece = |format: &str, more: Value| {
            let mut piece = object(json!({"format": format, "holdingId": HERE}));
            piece.extend(object(more));
            piece
        };
        let none = json!({});
        for (piece, line, status, item, wanted) in [
            (
                piece("Physical", none.clone()),
                line("Physical Resource", false),
                "Open",
                false,
                vec![],
            ),
            (
                piece("Electronic", none.clone()),
                line("Physical Resource", false),
                "Open",
                false,
                vec!["pieceFormatIsNotValid"],
            ),
            (
                piece("Physical", json!({"holdingId": null})),
                line("P/E Mix", false),
                "Open",
                false,
                vec!["locationIdAndHoldingIdAbsentError"],
            ),
            (
                piece("Physical", none.clone()),
                line("Physical Resource", false),
                "Pending",
                true,
                vec![
                    "pieceRelatedOrderDataIsNotValid",
                    "createItemForPieceIsNotAllowedError",
                ],
            ),
            (
                piece("Physical", json!({"displayToPublic": true})),
                line("Physical Resource", true),
                "Pending",
                false,
                vec!["pieceDisplayOnHoldingsIsNotConsistent"],
            ),
            (
                piece("Other", none),
                line("Other", true),
                "Open",
                false,
                vec![],
            ),
        ] {
            let order = object(json!({"workflowStatus": status}));
            let codes: Vec<&str> = wrong_with(&piece, Line(&line), &order, item)
                .iter()
                .map(|wrong| wrong.code.code())
                .collect();
            assert_eq!(codes, wanted, "{piece:?}");
        }
    }
}

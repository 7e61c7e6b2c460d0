//! What pieces and lines become when their items lie in other holdings, or their holdings at another place.

use serde_json::{Value, json};
use uuid::Uuid;

use super::doc::{Doc, at, id, list_in, object, objects, set, text};
use super::line::{Kind, kind_of_piece};

/// Lets a piece follow its item into other holdings; returns whether it did. A piece that has a location of
/// its own stays there.
pub fn follow_item(piece: &mut Doc, holdings: Uuid) -> bool {
    if at(piece, "locationId").is_some() || id(piece, "holdingId") == Some(holdings) {
        return false;
    }
    set(piece, "holdingId", json!(holdings));
    true
}

/// Lets the holdings among a line's locations be those of its pieces, with as many copies; returns whether
/// they are others now. Locations without holdings stay, and so do all where no piece lies in holdings.
pub fn follow_pieces(line: &mut Doc, pieces: &[Doc]) -> bool {
    let mut shelves: Vec<Shelf<'_>> = Vec::new();
    for piece in pieces {
        let Some(holdings) = id(piece, "holdingId") else {
            continue;
        };
        let tenant = text(piece, "receivingTenantId");
        let known = shelves
            .iter()
            .position(|shelf| (shelf.holdings, shelf.tenant) == (holdings, tenant));
        let place = known.unwrap_or(shelves.len());
        if known.is_none() {
            shelves.push(Shelf {
                holdings,
                tenant,
                copies: [0; 2],
            });
        }
        let kind = kind_of_piece(text(piece, "format").unwrap_or_default());
        shelves[place].copies[kind as usize] += 1;
    }
    if shelves.is_empty() {
        return false;
    }
    // In the order that the line had: what stays keeps its place.
    let before: Vec<Option<Uuid>> = objects(line, "locations")
        .map(|location| id(location, "holdingId"))
        .collect();
    shelves.sort_by_key(|shelf| {
        let place = before.iter().position(|one| *one == Some(shelf.holdings));
        place.unwrap_or(usize::MAX)
    });
    let unshelved =
        objects(line, "locations").filter(|location| at(location, "holdingId").is_none());
    let after: Vec<Value> = shelves
        .iter()
        .map(Shelf::location)
        .chain(unshelved.cloned().map(Value::Object))
        .collect();
    let is_same = |(one, other): (&Value, &Value)| {
        let quantities = [
            "holdingId",
            "locationId",
            "quantityPhysical",
            "quantityElectronic",
        ];
        quantities
            .iter()
            .all(|name| one.get(name) == other.get(name))
    };
    let old = list_in(line, "locations");
    if old.len() == after.len() && old.iter().zip(&after).all(is_same) {
        return false;
    }
    *old = after;
    true
}

/// Holdings with copies of a line.
#[derive(Debug)]
struct Shelf<'p> {
    holdings: Uuid,
    tenant: Option<&'p str>,
    /// By kind.
    copies: [i64; 2],
}

impl Shelf<'_> {
    fn location(&self) -> Value {
        let mut location = object(json!({"holdingId": self.holdings,
                                         "quantity": self.copies.iter().sum::<i64>()}));
        for kind in Kind::BOTH {
            let copies = self.copies[kind as usize];
            if copies > 0 {
                set(&mut location, kind.quantity(), copies);
            }
        }
        if let Some(tenant) = self.tenant {
            set(&mut location, "tenantId", tenant);
        }
        Value::Object(location)
    }
}

/// Adds a location to those by which a line is searched; returns whether it was none of them.
pub fn search_at(line: &mut Doc, location: Option<Uuid>) -> bool {
    let Some(location) = location else {
        return false;
    };
    let known = list_in(line, "searchLocationIds");
    let location = json!(location);
    if known.contains(&location) {
        return false;
    }
    known.push(location);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: Uuid = Uuid::from_u128(1);
    const NEW: Uuid = Uuid::from_u128(2);
    const PLACE: Uuid = Uuid::from_u128(3);

    fn piece(holdings: Uuid, format: &str) -> Doc {
        object(json!({"holdingId": holdings, "format": format}))
    }

    #[test]
    fn a_piece_follows_unless_it_has_a_location() {
        let mut lying = piece(OLD, "Physical");
        assert!(follow_item(&mut lying, NEW));
        assert_eq!(id(&lying, "holdingId"), Some(NEW));
        assert!(!follow_item(&mut lying, NEW));
        let mut placed = object(json!({"locationId": PLACE}));
        assert!(!follow_item(&mut placed, NEW));
        assert_eq!(at(&placed, "holdingId"), None);
    }

    #[test]
    fn locations_are_counted_anew() {
        let mut line = object(json!({"locations": [
            {"holdingId": OLD, "quantity": 3, "quantityPhysical": 3},
            {"locationId": PLACE, "quantity": 1, "quantityElectronic": 1}]}));
        let all_old = [
            piece(OLD, "Physical"),
            piece(OLD, "Physical"),
            piece(OLD, "Other"),
        ];
        assert!(!follow_pieces(&mut line, &all_old));
        let pieces = [
            piece(NEW, "Physical"),
            piece(OLD, "Physical"),
            piece(NEW, "Electronic"),
            object(json!({"locationId": PLACE, "format": "Electronic"})),
        ];
        assert!(follow_pieces(&mut line, &pieces));
        assert_eq!(
            line["locations"],
            json!([{"holdingId": OLD, "quantity": 1, "quantityPhysical": 1},
                   {"holdingId": NEW, "quantity": 2, "quantityPhysical": 1, "quantityElectronic": 1},
                   {"locationId": PLACE, "quantity": 1, "quantityElectronic": 1}])
        );
        assert!(!follow_pieces(&mut line, &pieces));
    }

    #[test]
    fn a_line_without_pieces_in_holdings_stays() {
        let mut line = object(json!({"locations": [{"holdingId": OLD, "quantity": 2}]}));
        assert!(!follow_pieces(
            &mut line,
            &[object(json!({"locationId": PLACE}))]
        ));
        assert_eq!(line["locations"][0]["quantity"], 2);
    }

    #[test]
    fn a_location_is_searched_once() {
        let mut line = object(json!({"searchLocationIds": [OLD]}));
        assert!(!search_at(&mut line, Some(OLD)));
        assert!(!search_at(&mut line, None));
        assert!(search_at(&mut line, Some(NEW)));
        assert_eq!(line["searchLocationIds"], json!([OLD, NEW]));
    }
}

//! What opening makes of a line: its copies at each location, as items and pieces.

use std::collections::HashSet;

use serde_json::{Value, json};
use uuid::Uuid;

use super::doc::{Doc, at, clear, id, list, set, text};
use super::line::{Kind, Line, copies_at};

/// Copies of one kind at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copies {
    pub kind: Kind,
    pub holdings_id: Option<Uuid>,
    pub location_id: Option<Uuid>,
    pub tenant_id: Option<String>,
    pub count: i64,
}

/// The copies of a line, place by place. A kind without any place has its copies at none.
#[must_use]
pub fn copies(line: Line<'_>) -> Vec<Copies> {
    let mut all = Vec::new();
    for kind in Kind::BOTH {
        if !line.format().has(kind) {
            continue;
        }
        let mut placed = 0;
        for location in line.locations() {
            let count = copies_at(location, kind);
            if count > 0 {
                placed += count;
                all.push(Copies {
                    kind,
                    holdings_id: id(location, "holdingId"),
                    location_id: id(location, "locationId"),
                    tenant_id: text(location, "tenantId").map(str::to_owned),
                    count,
                });
            }
        }
        if placed == 0 && line.copies(kind) > 0 {
            all.push(Copies {
                kind,
                holdings_id: None,
                location_id: None,
                tenant_id: None,
                count: line.copies(kind),
            });
        }
    }
    all
}

/// Splits locations with copies of both kinds where only one of the kinds has holdings.
pub fn split_mixed(line: &mut Doc) {
    let makes = Kind::BOTH.map(|kind| Line(line).makes_holdings(kind));
    if makes[0] == makes[1] {
        return;
    }
    let mut rows: Vec<Value> = Vec::new();
    for location in list(line, "locations") {
        let is_mixed = location.as_object().is_some_and(|place| {
            Kind::BOTH
                .into_iter()
                .all(|kind| copies_at(place, kind) > 0)
        });
        if !is_mixed {
            rows.push(location.clone());
            continue;
        }
        for kind in Kind::BOTH {
            let mut row = super::doc::object(location.clone());
            let copies = copies_at(&row, kind);
            for other in Kind::BOTH.into_iter().filter(|other| *other != kind) {
                clear(&mut row, other.quantity());
            }
            set(&mut row, "quantity", copies);
            rows.push(Value::Object(row));
        }
    }
    set(line, "locations", rows);
}

/// Whether a location has copies for which holdings are made.
#[must_use]
pub fn needs_holdings(line: Line<'_>, location: &Doc) -> bool {
    Kind::BOTH
        .into_iter()
        .any(|kind| line.makes_holdings(kind) && copies_at(location, kind) > 0)
}

/// A new instance for a line.
#[must_use]
pub fn instance(line: &Doc, type_id: Uuid, status_id: Uuid) -> Value {
    let mut instance = json!({
        "source": "FOLIO",
        "title": text(line, "titleOrPackage"),
        "instanceTypeId": type_id,
        "statusId": status_id,
        "discoverySuppress": false,
    });
    if let Some(edition) = text(line, "edition") {
        instance["editions"] = json!([edition]);
    }
    let published = [
        ("publisher", at(line, "publisher")),
        ("dateOfPublication", at(line, "publicationDate")),
    ];
    let published: Doc = published
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?.clone())))
        .collect();
    if !published.is_empty() {
        instance["publication"] = json!([published]);
    }
    let contributors: Vec<Value> = super::doc::objects(line, "contributors")
        .map(|one| {
            json!({"name": one.get("contributor"),
                   "contributorNameTypeId": one.get("contributorNameTypeId")})
        })
        .collect();
    if !contributors.is_empty() {
        instance["contributors"] = json!(contributors);
    }
    let identifiers: Vec<Value> = product_ids(line)
        .into_iter()
        .map(|(value, kind)| json!({"value": value, "identifierTypeId": kind}))
        .collect();
    if !identifiers.is_empty() {
        instance["identifiers"] = json!(identifiers);
    }
    instance
}

/// The product ids of a line or title, each with its type.
#[must_use]
pub fn product_ids(record: &Doc) -> Vec<(String, Uuid)> {
    let path = match at(record, "details").is_some() {
        true => "details.productIds",
        false => "productIds",
    };
    super::doc::objects(record, path)
        .filter_map(|one| {
            Some((
                text(one, "productId")?.to_owned(),
                id(one, "productIdType")?,
            ))
        })
        .collect()
}

/// The query for instances with one of these product ids.
#[must_use]
pub fn same_product(ids: &[(String, Uuid)]) -> String {
    let clauses: Vec<String> = ids
        .iter()
        .map(|(value, kind)| {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            let value = value.replace('*', "\\*").replace('?', "\\?");
            format!("identifiers ==/@identifierTypeId={kind} \"{value}\"")
        })
        .collect();
    clauses.join(" or ")
}

/// Which of these lines have no product id of an earlier one. Texts that a search may take for the same count
/// as the same.
#[must_use]
pub fn first_of_their_products<'l>(lines: impl Iterator<Item = &'l Doc>) -> Vec<bool> {
    let mut seen: HashSet<String> = HashSet::new();
    let mut has_other = false;
    lines
        .map(|line| {
            let ids = product_ids(line);
            let keys: Vec<String> = ids.iter().map(|(value, _)| searched(value)).collect();
            // Accents are not compared: what has some is only like everything else.
            let is_other = ids.iter().any(|(value, _)| !value.is_ascii());
            let is_first = ids.is_empty()
                || !(has_other
                    || is_other && !seen.is_empty()
                    || keys.iter().any(|key| seen.contains(key)));
            seen.extend(keys);
            has_other |= is_other;
            is_first
        })
        .collect()
}

fn searched(value: &str) -> String {
    let kept = value.chars().filter(char::is_ascii_alphanumeric);
    kept.map(|letter| letter.to_ascii_lowercase()).collect()
}

/// A new item of a line.
#[must_use]
pub fn item(
    line: Line<'_>,
    copies: &Copies,
    holdings_id: Uuid,
    loan_type: Uuid,
    status: &str,
) -> Value {
    let material = format!("{}.materialType", copies.kind.part());
    json!({
        "holdingsRecordId": holdings_id,
        "status": {"name": status},
        "purchaseOrderLineIdentifier": line.id(),
        "materialTypeId": text(line.0, &material),
        "permanentLoanTypeId": loan_type,
    })
}

/// A new piece of a line.
#[must_use]
pub fn piece(line: Line<'_>, copies: &Copies, title_id: Uuid, item_id: Option<Uuid>) -> Doc {
    let mut piece = super::doc::object(json!({
        "format": line.format().piece(copies.kind),
        "poLineId": line.id(),
        "titleId": title_id,
        "receivingStatus": "Expected",
        "displayOnHolding": false,
        "displayToPublic": false,
        "isBound": false,
    }));
    if let Some(id) = item_id {
        set(&mut piece, "itemId", json!(id));
    }
    match (copies.holdings_id, copies.location_id) {
        (Some(id), _) => set(&mut piece, "holdingId", json!(id)),
        (None, Some(id)) => set(&mut piece, "locationId", json!(id)),
        (None, None) => {}
    }
    if let Some(tenant) = &copies.tenant_id {
        set(&mut piece, "receivingTenantId", tenant.clone());
    }
    piece
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::doc::object;

    #[test]
    fn copies_are_counted_place_by_place() {
        let place = Uuid::from_u128(1);
        let line = object(json!({
            "orderFormat": "P/E Mix",
            "cost": {"currency": "USD", "quantityPhysical": 3, "quantityElectronic": 2},
            "locations": [{"locationId": place, "quantityPhysical": 1},
                          {"locationId": place, "quantityPhysical": 2}]
        }));
        let found: Vec<(Kind, Option<Uuid>, i64)> = copies(Line(&line))
            .into_iter()
            .map(|one| (one.kind, one.location_id, one.count))
            .collect();
        assert_eq!(
            found,
            [
                (Kind::Physical, Some(place), 1),
                (Kind::Physical, Some(place), 2),
                (Kind::Electronic, None, 2),
            ]
        );
    }

    #[test]
    fn a_line_with_the_product_of_an_earlier_one_is_not_the_first() {
        let lines: Vec<Doc> = [
            vec!["978-0-8669"],
            vec![],
            vec!["X1", "97808669"],
            vec!["Y1"],
            vec!["x1"],
            vec!["\u{e9}1"],
            vec!["Z1"],
            vec![],
        ]
        .iter()
        .map(|ids| {
            let kind = Uuid::from_u128(1);
            let ids: Vec<Value> = ids
                .iter()
                .map(|id| json!({"productId": id, "productIdType": kind}))
                .collect();
            object(json!({"details": {"productIds": ids}}))
        })
        .collect();
        assert_eq!(
            first_of_their_products(lines.iter()),
            [true, true, false, true, false, false, false, true]
        );
    }

    #[test]
    fn a_mixed_location_is_split_where_one_kind_has_holdings() {
        let line = |electronic: &str| {
            object(json!({
                "orderFormat": "P/E Mix",
                "physical": {"createInventory": "Instance, Holding"},
                "eresource": {"createInventory": electronic},
                "locations": [{"locationId": "a", "quantity": 3, "quantityPhysical": 1,
                               "quantityElectronic": 2}]
            }))
        };
        let mut split = line("Instance");
        split_mixed(&mut split);
        assert_eq!(
            split["locations"],
            json!([{"locationId": "a", "quantity": 1, "quantityPhysical": 1},
                   {"locationId": "a", "quantity": 2, "quantityElectronic": 2}])
        );
        let mut whole = line("Instance, Holding");
        split_mixed(&mut whole);
        assert_eq!(whole["locations"].as_array().map(Vec::len), Some(1));
    }
}

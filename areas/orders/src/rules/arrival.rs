//! Pieces that arrive, are received, or are expected again: the three requests as one, and what each makes of
//! a piece and its item.

use octavo_library::ItemStatus;
use serde_json::Value;
use uuid::Uuid;

use super::doc::{Doc, at, id, objects, set_or_clear, text};
use super::receipt::{expect, overwrite, receive};

/// Which request it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    Receive,
    CheckIn,
    Expect,
}

impl How {
    /// The property with the lines.
    #[must_use]
    pub fn lines(self) -> &'static str {
        match self {
            How::Receive => "toBeReceived",
            How::CheckIn => "toBeCheckedIn",
            How::Expect => "toBeExpected",
        }
    }

    fn pieces(self) -> &'static str {
        match self {
            How::Receive => "receivedItems",
            How::CheckIn => "checkInPieces",
            How::Expect => "expectPieces",
        }
    }

    fn id(self) -> &'static str {
        match self {
            How::Receive => "pieceId",
            How::CheckIn | How::Expect => "id",
        }
    }

    /// What a body says of a piece and overwrites there, also with nothing.
    fn overwritten(self) -> &'static [&'static str] {
        match self {
            How::Receive => &[
                "displaySummary",
                "comment",
                "enumeration",
                "chronology",
                "copyNumber",
                "displayOnHolding",
            ],
            How::CheckIn => &[
                "displaySummary",
                "comment",
                "enumeration",
                "chronology",
                "copyNumber",
                "displayOnHolding",
                "accessionNumber",
                "barcode",
                "callNumber",
                "receiptDate",
                "supplement",
                "discoverySuppress",
            ],
            How::Expect => &["comment"],
        }
    }
}

/// What is said about one piece.
#[derive(Debug, Clone, PartialEq)]
pub struct Arrival {
    pub line_id: Uuid,
    pub piece_id: Uuid,
    pub said: Doc,
}

/// The pieces of a request, line by line.
#[must_use]
pub fn read(body: &Doc, how: How) -> Vec<(Uuid, Vec<Arrival>)> {
    let mut all = Vec::new();
    for line in objects(body, how.lines()) {
        let Some(line_id) = id(line, "poLineId") else {
            continue;
        };
        let pieces = objects(line, how.pieces()).filter_map(|said| {
            Some(Arrival {
                line_id,
                piece_id: id(said, how.id())?,
                said: said.clone(),
            })
        });
        all.push((line_id, pieces.collect()));
    }
    all
}

/// What a piece becomes, and the status of its item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Becomes {
    Received(Option<ItemStatus>),
    /// It is expected again.
    Expected(Option<ItemStatus>),
}

/// Decides what becomes of a piece. `is_closed`: its order is closed, or its line cancelled in both statuses.
#[must_use]
pub fn becomes(how: How, said: &Doc, has_item: bool, is_closed: bool) -> Becomes {
    let sent = text(said, "itemStatus").and_then(ItemStatus::named);
    match how {
        How::Expect => Becomes::Expected(None),
        How::CheckIn => match sent {
            Some(ItemStatus::OnOrder) => Becomes::Expected(sent),
            Some(ItemStatus::OrderClosed) => Becomes::Received(Some(ItemStatus::InProcess)),
            other => Becomes::Received(other.or(Some(ItemStatus::InProcess))),
        },
        How::Receive if is_closed && has_item => Becomes::Expected(Some(ItemStatus::OrderClosed)),
        How::Receive => match sent {
            Some(ItemStatus::OnOrder | ItemStatus::OrderClosed) if !is_closed => {
                Becomes::Expected(sent)
            }
            Some(ItemStatus::OnOrder | ItemStatus::OrderClosed) => Becomes::Received(None),
            other => Becomes::Received(other.or(Some(ItemStatus::InProcess))),
        },
    }
}

/// Changes a piece by what is said about it.
pub fn apply(piece: &mut Doc, how: How, said: &Doc, becomes: Becomes, now: &str) {
    overwrite(piece, said, how.overwritten());
    if how == How::CheckIn
        && let Some(tenant) = at(said, "receivingTenantId")
    {
        set_or_clear(piece, "receivingTenantId", Some(tenant.clone()));
    }
    if at(piece, "displayOnHolding").is_none() {
        piece.insert("displayOnHolding".to_owned(), Value::Bool(false));
    }
    match becomes {
        Becomes::Received(_) => receive(piece, now),
        Becomes::Expected(_) => expect(piece, now),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::rules::doc::object;

    #[test]
    fn the_item_status_says_what_a_piece_becomes() {
        use ItemStatus::{Available, InProcess, OnOrder, OrderClosed};
        for (how, sent, has_item, is_closed, wanted) in [
            (
                How::Receive,
                json!(null),
                true,
                false,
                Becomes::Received(Some(InProcess)),
            ),
            (
                How::Receive,
                json!("Available"),
                true,
                false,
                Becomes::Received(Some(Available)),
            ),
            (
                How::Receive,
                json!("On order"),
                true,
                false,
                Becomes::Expected(Some(OnOrder)),
            ),
            (
                How::Receive,
                json!("Order closed"),
                true,
                false,
                Becomes::Expected(Some(OrderClosed)),
            ),
            (
                How::Receive,
                json!("In process"),
                true,
                true,
                Becomes::Expected(Some(OrderClosed)),
            ),
            (
                How::Receive,
                json!(null),
                false,
                true,
                Becomes::Received(Some(InProcess)),
            ),
            (
                How::CheckIn,
                json!("On order"),
                true,
                false,
                Becomes::Expected(Some(OnOrder)),
            ),
            (
                How::CheckIn,
                json!("Order closed"),
                true,
                true,
                Becomes::Received(Some(InProcess)),
            ),
            (
                How::Expect,
                json!(null),
                true,
                false,
                Becomes::Expected(None),
            ),
        ] {
            let said = object(json!({"itemStatus": sent}));
            assert_eq!(
                becomes(how, &said, has_item, is_closed),
                wanted,
                "{how:?} {sent}"
            );
        }
    }

    #[test]
    fn what_is_not_said_is_removed() {
        let mut piece = object(json!({"receivingStatus": "Expected", "comment": "old",
                                      "enumeration": "old", "barcode": "7"}));
        let said = object(json!({"comment": "new"}));
        apply(
            &mut piece,
            How::Receive,
            &said,
            Becomes::Received(None),
            "now",
        );
        assert_eq!(
            Value::Object(piece),
            json!({"receivingStatus": "Received", "comment": "new", "barcode": "7",
                   "displayOnHolding": false, "statusUpdatedDate": "now", "receivedDate": "now"})
        );
    }
}

//! What the pieces of a line make of its receipt status.

use serde_json::{Value, json};

use super::doc::{Doc, clear, set, text};
use super::line::Line;

/// Whether a piece of this `receivingStatus` is still to come.
#[must_use]
pub fn is_expected(status: &str) -> bool {
    matches!(status, "Expected" | "Late" | "Claim delayed" | "Claim sent")
}

/// Whether a piece of this `receivingStatus` is done with.
#[must_use]
pub fn is_received(status: &str) -> bool {
    matches!(status, "Received" | "Unreceivable")
}

/// The numbers of pieces of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pieces {
    pub expected: i64,
    pub received: i64,
}

/// How the status follows from pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// A piece was changed: independent lines can become Fully Received.
    Piece,
    /// Pieces arrived at the desk: an independent line becomes Partially Received at most.
    Desk,
}

/// Writes the receipt status that follows from pieces into a line; returns whether it changed.
pub fn follow(line: &mut Doc, pieces: Pieces, by: By, now: &str) -> bool {
    let before = Line(line).receipt_status().to_owned();
    if matches!(before.as_str(), "Cancelled" | "Ongoing") {
        return false;
    }
    let may_be_full = by == By::Piece || !Line(line).is_independent();
    let after = match pieces {
        Pieces {
            received: 0,
            expected,
        } if expected > 0 || by == By::Desk => "Awaiting Receipt",
        Pieces { expected: 0, .. } if may_be_full => "Fully Received",
        _ => "Partially Received",
    };
    if before == after {
        return false;
    }
    let arrives = after == "Fully Received"
        || Line(line).is_independent()
            && (before.as_str(), after) == ("Awaiting Receipt", "Partially Received");
    match arrives {
        true => set(line, "receiptDate", json!(now)),
        false => clear(line, "receiptDate"),
    }
    set(line, "receiptStatus", after);
    true
}

/// Sets the status of a piece, with its date where it changes; returns whether it did.
pub fn set_status(piece: &mut Doc, status: &str, now: &str) -> bool {
    if text(piece, "receivingStatus") == Some(status) {
        return false;
    }
    set(piece, "receivingStatus", status);
    set(piece, "statusUpdatedDate", json!(now));
    true
}

/// A piece that has arrived.
pub fn receive(piece: &mut Doc, now: &str) {
    set_status(piece, "Received", now);
    set(piece, "receivedDate", json!(now));
}

/// A piece that is expected again.
pub fn expect(piece: &mut Doc, now: &str) {
    set_status(piece, "Expected", now);
    clear(piece, "receivedDate");
}

/// Copies properties of a body to a piece; what the body does not have is removed.
pub fn overwrite(piece: &mut Doc, body: &Doc, names: &[&str]) {
    for name in names {
        let sent: Option<Value> = body.get(*name).filter(|value| !value.is_null()).cloned();
        super::doc::set_or_clear(piece, name, sent);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::doc::object;

    fn after(before: &str, independent: bool, counts: (i64, i64), by: By) -> (String, bool) {
        let mut line = object(json!({"receiptStatus": before, "checkinItems": independent,
                                     "receiptDate": "old"}));
        let (expected, received) = counts;
        follow(&mut line, Pieces { expected, received }, by, "now");
        let dated = text(&line, "receiptDate") == Some("now");
        (Line(&line).receipt_status().to_owned(), dated)
    }

    #[test]
    fn a_line_is_received_with_its_pieces() {
        for (before, independent, counts, by, status, dated) in [
            (
                "Awaiting Receipt",
                false,
                (2, 1),
                By::Desk,
                "Partially Received",
                false,
            ),
            (
                "Partially Received",
                false,
                (1, 2),
                By::Desk,
                "Partially Received",
                false,
            ),
            (
                "Partially Received",
                false,
                (0, 3),
                By::Desk,
                "Fully Received",
                true,
            ),
            (
                "Awaiting Receipt",
                true,
                (0, 3),
                By::Desk,
                "Partially Received",
                true,
            ),
            (
                "Partially Received",
                true,
                (0, 3),
                By::Piece,
                "Fully Received",
                true,
            ),
            ("Pending", true, (0, 1), By::Piece, "Fully Received", true),
            (
                "Fully Received",
                false,
                (3, 0),
                By::Desk,
                "Awaiting Receipt",
                false,
            ),
            ("Ongoing", false, (0, 1), By::Desk, "Ongoing", false),
            ("Cancelled", false, (0, 1), By::Piece, "Cancelled", false),
        ] {
            let wanted = (status.to_owned(), dated);
            assert_eq!(
                after(before, independent, counts, by),
                wanted,
                "{before} {counts:?}"
            );
        }
    }
}

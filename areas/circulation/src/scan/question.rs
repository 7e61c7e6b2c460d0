//! Which questions an item raises.

use octavo_library::ItemStatus;
use serde::Serialize;
use serde_json::{Map, Value};

use super::{Answers, Confirmed};

/// What is about to be done with the item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    CheckIn,
    CheckOut,
}

impl Act {
    /// FOLIO's `noteType` of the circulation notes for this act.
    fn note_type(self) -> &'static str {
        match self {
            Self::CheckIn => "Check in",
            Self::CheckOut => "Check out",
        }
    }
}

/// What is known about the loan of an item that is claimed returned.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ClaimFacts {
    /// The borrower's name; absent for an anonymized loan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patron: Option<String>,
    /// When the borrower claimed it, as stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Value>,
    /// The loan's amount that is still to pay.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owed: Option<Value>,
}

/// A question to staff.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum Question {
    /// Whether the library had the item, or the patron brought it.
    ClaimedReturned(ClaimFacts),
    /// The status says that the item should not be here.
    Status {
        status: ItemStatus,
        /// The item is hidden from discovery.
        suppressed: bool,
    },
    /// Whether all pieces are here. Counts and descriptions are text in FOLIO.
    Pieces {
        #[serde(skip_serializing_if = "Option::is_none")]
        count: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        missing: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        missing_what: Option<String>,
    },
    /// Staff left notes for this act.
    Notes { notes: Vec<String> },
}

/// The questions that are still to answer. `claim` is asked for only if the item is claimed returned.
#[must_use]
pub fn questions(
    act: Act,
    item: &Map<String, Value>,
    (answers, claim_resolved): (&Answers, bool),
    claim: impl FnOnce() -> ClaimFacts,
) -> Vec<Question> {
    let open = |question| !answers.confirmed.contains(&question);
    let status = item
        .get("status")
        .and_then(|status| status["name"].as_str());
    let status = status.and_then(ItemStatus::named);
    let claimed = act == Act::CheckIn && status == Some(ItemStatus::ClaimedReturned);
    let asked = [
        (claimed && !claim_resolved).then(|| Question::ClaimedReturned(claim())),
        (status.filter(|status| is_unusual(*status) && open(Confirmed::Status))).map(|status| {
            Question::Status {
                status,
                suppressed: item.get("discoverySuppress") == Some(&Value::Bool(true)),
            }
        }),
        pieces(item).filter(|_| open(Confirmed::Pieces)),
        notes(act, item).filter(|_| open(Confirmed::Notes)),
    ];
    asked.into_iter().flatten().collect()
}

/// The statuses for which FOLIO's check-in and check-out ask as well.
fn is_unusual(status: ItemStatus) -> bool {
    matches!(
        status,
        ItemStatus::DeclaredLost
            | ItemStatus::InProcessNonRequestable
            | ItemStatus::IntellectualItem
            | ItemStatus::LongMissing
            | ItemStatus::LostAndPaid
            | ItemStatus::Missing
            | ItemStatus::Restricted
            | ItemStatus::Unavailable
            | ItemStatus::Unknown
            | ItemStatus::Withdrawn
    )
}

fn pieces(item: &Map<String, Value>) -> Option<Question> {
    let text = |name: &str| {
        let value = item.get(name)?.as_str()?.trim();
        (!value.is_empty()).then(|| value.to_owned())
    };
    let count = text("numberOfPieces");
    let several = count
        .as_deref()
        .is_some_and(|count| leading_number(count) > 1);
    let (missing, missing_what) = (text("numberOfMissingPieces"), text("missingPieces"));
    (several || missing.is_some() || missing_what.is_some()).then(|| Question::Pieces {
        count,
        description: text("descriptionOfPieces"),
        missing,
        missing_what,
    })
}

/// The number that a text like `3 discs` begins with; 0 without one.
fn leading_number(text: &str) -> u64 {
    let digits = text.bytes().take_while(u8::is_ascii_digit);
    digits.fold(0u64, |number, digit| {
        number
            .saturating_mul(10)
            .saturating_add(u64::from(digit - b'0'))
    })
}

fn notes(act: Act, item: &Map<String, Value>) -> Option<Question> {
    let notes = item.get("circulationNotes")?.as_array()?.iter();
    let notes: Vec<String> = notes
        .filter(|note| note["noteType"] == act.note_type())
        .filter_map(|note| note["note"].as_str())
        .map(str::to_owned)
        .collect();
    (!notes.is_empty()).then_some(Question::Notes { notes })
}

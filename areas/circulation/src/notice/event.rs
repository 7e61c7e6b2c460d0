//! Trigger events, formats and timings of notices.

use serde::{Deserialize, Serialize};

/// Trigger events, by FOLIO's names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize, Serialize)]
pub enum Event {
    /// Loans made in a visit.
    #[serde(rename = "Check out")]
    CheckOut,
    /// Loans ended in a visit.
    #[serde(rename = "Check in")]
    CheckIn,
    /// A loan was renewed.
    Renewed,
    /// Staff changed a due date.
    #[serde(rename = "Manual due date change")]
    ManualDueDateChange,
    /// A loan is due.
    #[serde(rename = "Due date")]
    DueDate,
    /// Somebody recalls the item of a loan.
    #[serde(rename = "Item recalled")]
    ItemRecalled,
    /// A loan aged to lost.
    #[serde(rename = "Aged to lost")]
    AgedToLost,
    /// A page was placed.
    #[serde(rename = "Paging request")]
    PagingRequest,
    /// A hold was placed.
    #[serde(rename = "Hold request")]
    HoldRequest,
    /// A recall was placed.
    #[serde(rename = "Recall request")]
    RecallRequest,
    /// A request was cancelled.
    #[serde(rename = "Request cancellation")]
    RequestCancellation,
    /// The item waits on the hold shelf.
    Available,
    /// A request expires.
    #[serde(rename = "Request expiration")]
    RequestExpiration,
    /// A request for a title, without an item, expires.
    #[serde(rename = "Title level request expiration")]
    TitleLevelRequestExpiration,
    /// The time on the hold shelf ends.
    #[serde(rename = "Hold expiration")]
    HoldExpiration,
    /// A late return was charged for.
    #[serde(rename = "Overdue fine returned")]
    OverdueFineReturned,
    /// A late renewal was charged for.
    #[serde(rename = "Overdue fine renewed")]
    OverdueFineRenewed,
    /// A loan that aged to lost was charged for.
    #[serde(rename = "Aged to lost - fine charged")]
    AgedToLostFineCharged,
    /// The fee for a lost item was refunded.
    #[serde(rename = "Aged to lost & item returned - fine adjusted")]
    AgedToLostReturned,
}

impl Event {
    /// FOLIO's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Event::CheckOut => "Check out",
            Event::CheckIn => "Check in",
            Event::Renewed => "Renewed",
            Event::ManualDueDateChange => "Manual due date change",
            Event::DueDate => "Due date",
            Event::ItemRecalled => "Item recalled",
            Event::AgedToLost => "Aged to lost",
            Event::PagingRequest => "Paging request",
            Event::HoldRequest => "Hold request",
            Event::RecallRequest => "Recall request",
            Event::RequestCancellation => "Request cancellation",
            Event::Available => "Available",
            Event::RequestExpiration => "Request expiration",
            Event::TitleLevelRequestExpiration => "Title level request expiration",
            Event::HoldExpiration => "Hold expiration",
            Event::OverdueFineReturned => "Overdue fine returned",
            Event::OverdueFineRenewed => "Overdue fine renewed",
            Event::AgedToLostFineCharged => "Aged to lost - fine charged",
            Event::AgedToLostReturned => "Aged to lost & item returned - fine adjusted",
        }
    }
}

/// The format of a notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize, Serialize)]
pub enum Format {
    /// By e-mail.
    Email,
    /// As a text message.
    #[serde(rename = "SMS")]
    Sms,
    /// On paper.
    Print,
}

impl Format {
    /// FOLIO's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Format::Email => "Email",
            Format::Sms => "SMS",
            Format::Print => "Print",
        }
    }

    /// The format that a patron prefers, by the id of a type of contact.
    #[must_use]
    pub fn of_contact_type(id: &str) -> Option<Format> {
        match id {
            "001" => Some(Format::Print),
            "002" => Some(Format::Email),
            "003" => Some(Format::Sms),
            _ => None,
        }
    }
}

/// When a notice is sent relative to its event.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Deserialize, Serialize)]
pub enum Timing {
    #[default]
    #[serde(rename = "Upon At")]
    UponAt,
    /// Some time before it.
    Before,
    /// Some time after it.
    After,
}

impl Timing {
    /// FOLIO's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Timing::UponAt => "Upon At",
            Timing::Before => "Before",
            Timing::After => "After",
        }
    }
}

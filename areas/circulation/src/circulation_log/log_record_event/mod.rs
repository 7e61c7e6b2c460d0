//! The log lines of an event LOG_RECORD that another program publishes, as mod-audit makes them. Nothing here reads or
//! writes: what lines need to know of users, items and the like is named by [`LogRecordEvent::wanted`] and comes back as [`Known`].

mod block;
mod desk;
mod fee;
mod loan;
mod notice;
mod request;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use octavo_library::{ItemId, LoanId, UserId, id_in};
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::facts::{LogEntry, LogItem};

/// What the log can say of an act.
const ACTIONS: [&str; 43] = [
    "Age to lost",
    "Anonymize",
    "Billed",
    "Cancelled",
    "Cancelled as error",
    "Changed due date",
    "Check in",
    "Check out",
    "Checked in",
    "Checked out",
    "Checked out through override",
    "Claimed returned",
    "Closed loan",
    "Created",
    "Created through override",
    "Credited fully",
    "Declared lost",
    "Deleted",
    "Edited",
    "Expired",
    "Marked as missing",
    "Modified",
    "Moved",
    "Paid fully",
    "Paid partially",
    "Patron blocked from requesting",
    "Patron info added",
    "Pickup expired",
    "Queue position reordered",
    "Recall requested",
    "Refunded fully",
    "Refunded partially",
    "Renewed",
    "Renewed through override",
    "Request status changed",
    "Send",
    "Send error",
    "Staff info added",
    "Staff information only added",
    "Transferred fully",
    "Transferred partially",
    "Waived fully",
    "Waived partially",
];

/// Who is the source of what happens without staff.
const SYSTEM: &str = "System";

/// An event LOG_RECORD as it came.
#[derive(Debug, Clone)]
pub struct LogRecordEvent {
    kind: String,
    event: Map<String, Value>,
}

/// Why an event makes no line. FOLIO passes over these, too.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    #[error("it is no object")]
    NotAnObject,
    #[error("nothing is known of its type")]
    Kind,
    #[error("nothing is known of its action")]
    Action,
    #[error("it lacks {0}")]
    Lacks(&'static str),
}

/// What has to be looked up for the lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    pub users: Vec<UserId>,
    /// The barcode of a user who is not named by id.
    pub user_barcode: Option<String>,
    pub items: Vec<ItemId>,
    pub template: Option<Uuid>,
    pub cancellation_reason: Option<Uuid>,
}

/// A user, as lines name one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Person {
    pub id: UserId,
    pub barcode: Option<String>,
    /// Last name, first name.
    pub name: Option<String>,
}

/// What was found of it.
#[derive(Debug, Clone, Default)]
pub struct Known {
    pub users: HashMap<UserId, Person>,
    /// The user of the wanted barcode.
    pub of_barcode: Option<Person>,
    pub items: HashMap<ItemId, LogItem>,
    pub template: Option<String>,
    pub cancellation_reason: Option<String>,
}

/// A line, and what native acts get from the operator and the clock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventLine {
    pub entry: LogEntry,
    pub source: Option<String>,
    /// When it happened, where the event has to say so.
    pub date: Option<Value>,
}

impl LogRecordEvent {
    /// Reads an event.
    ///
    /// # Errors
    /// When it is no object, or of an unknown type.
    pub fn read(event: Value) -> Result<LogRecordEvent, Unfit> {
        let Value::Object(event) = event else {
            return Err(Unfit::NotAnObject);
        };
        let kind = text(&event, "logEventType").ok_or(Unfit::Kind)?.to_owned();
        let event = LogRecordEvent { kind, event };
        event.lines_of().ok_or(Unfit::Kind)?;
        Ok(event)
    }

    /// Its type.
    #[must_use]
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// What it says, however its blanks were sent.
    #[must_use]
    pub fn content(&self) -> String {
        Value::Object(self.event.clone()).to_string()
    }

    /// Whether it has the time of the act: delivered again it is the same event, however much later.
    #[must_use]
    pub fn has_a_time(&self) -> bool {
        let requests = object(self.payload(), "requests");
        let dated = [
            Some(&self.event),
            Some(self.payload()),
            requests.get("created").and_then(Value::as_object),
            requests.get("updated").and_then(Value::as_object),
            requests.get("reordered").and_then(|all| all[0].as_object()),
        ];
        let is_dated = |of: &Map<String, Value>| {
            ["date", "systemReturnDate"]
                .iter()
                .any(|name| text(of, name).is_some())
                || text(object(of, "metadata"), "updatedDate").is_some()
        };
        dated.into_iter().flatten().any(is_dated)
            // A loan begins once.
            || self.kind.starts_with("CHECK_OUT_") && text(&self.event, "loanId").is_some()
    }

    /// What its lines need to know.
    #[must_use]
    pub fn wanted(&self) -> Wanted {
        let mut wanted = Wanted::default();
        match self.lines_of() {
            Some(Lines::Loan) => loan::wanted(self.payload(), &mut wanted),
            Some(Lines::Notice) => notice::wanted(self.payload(), &mut wanted),
            Some(Lines::Fee) => fee::wanted(self.payload(), &mut wanted),
            Some(Lines::Block) => block::wanted(self.payload(), &mut wanted),
            Some(Lines::Request) => request::wanted(self.payload(), &mut wanted),
            Some(Lines::CheckIn | Lines::CheckOut) | None => {}
        }
        wanted
    }

    /// The lines.
    ///
    /// # Errors
    /// When it says too little, or something unknown.
    pub fn lines(&self, known: &Known) -> Result<Vec<EventLine>, Unfit> {
        let payload = self.payload();
        match self.lines_of().ok_or(Unfit::Kind)? {
            Lines::CheckIn => Ok(desk::check_in(&self.event)),
            Lines::CheckOut => Ok(desk::check_out(&self.kind, &self.event)),
            Lines::Loan => loan::lines(payload, known),
            Lines::Notice => Ok(notice::lines(&self.kind, payload, known)),
            Lines::Fee => fee::lines(payload, known),
            Lines::Block => block::lines(&self.kind, payload, known),
            Lines::Request => request::lines(&self.kind, payload, known),
        }
    }

    /// The loan whose borrower the log has to forget.
    #[must_use]
    pub fn forgets(&self) -> Option<LoanId> {
        let is_it = self.kind == "LOAN" && text(self.payload(), "action") == Some("Anonymize");
        id_in(self.payload(), "loanId").filter(|_| is_it)
    }

    fn payload(&self) -> &Map<String, Value> {
        object(&self.event, "payload")
    }

    fn lines_of(&self) -> Option<Lines> {
        Some(match self.kind.as_str() {
            "CHECK_IN_EVENT" => Lines::CheckIn,
            "CHECK_OUT_EVENT" | "CHECK_OUT_THROUGH_OVERRIDE_EVENT" => Lines::CheckOut,
            "LOAN" => Lines::Loan,
            "NOTICE" | "NOTICE_ERROR" => Lines::Notice,
            "FEE_FINE" => Lines::Fee,
            kind if block::act(kind).is_some() => Lines::Block,
            kind if request::act(kind).is_some() => Lines::Request,
            _ => return None,
        })
    }
}

/// What makes the lines of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lines {
    CheckIn,
    CheckOut,
    Loan,
    Notice,
    Fee,
    Block,
    Request,
}

impl Known {
    fn barcode(&self, user: Option<UserId>) -> Option<String> {
        self.users.get(&user?)?.barcode.clone()
    }

    fn name(&self, user: Option<UserId>) -> Option<String> {
        self.users.get(&user?)?.name.clone()
    }

    /// An item as it is now, with what the event says where it is not known.
    fn item(&self, named: LogItem) -> LogItem {
        let now = named.item_id.and_then(|id| self.items.get(&id)).cloned();
        let now = now.unwrap_or_default();
        LogItem {
            item_barcode: now.item_barcode.or(named.item_barcode),
            item_id: named.item_id,
            instance_id: now.instance_id.or(named.instance_id),
            holding_id: now.holding_id.or(named.holding_id),
            loan_id: named.loan_id,
        }
    }
}

/// The action as the log names it.
fn action(payload: &Map<String, Value>) -> Result<&'static str, Unfit> {
    let name = text(payload, "action").ok_or(Unfit::Lacks("an action"))?;
    let known = ACTIONS.into_iter().find(|one| *one == name);
    known.ok_or(Unfit::Action)
}

/// The item that an event names beside its other properties.
fn item(fields: &Map<String, Value>) -> LogItem {
    LogItem {
        item_barcode: owned(fields, "itemBarcode"),
        item_id: id_in(fields, "itemId"),
        instance_id: id_in(fields, "instanceId"),
        holding_id: id_in(fields, "holdingsRecordId"),
        loan_id: id_in(fields, "loanId"),
    }
}

/// A text that is not blank.
fn text<'a>(of: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    let text = of.get(name)?.as_str()?;
    Some(text).filter(|text| !text.trim().is_empty())
}

fn owned(of: &Map<String, Value>, name: &str) -> Option<String> {
    text(of, name).map(str::to_owned)
}

/// An object inside; an empty one where there is none.
fn object<'a>(of: &'a Map<String, Value>, name: &str) -> &'a Map<String, Value> {
    static NONE: std::sync::LazyLock<Map<String, Value>> = std::sync::LazyLock::new(Map::new);
    of.get(name).and_then(Value::as_object).unwrap_or(&NONE)
}

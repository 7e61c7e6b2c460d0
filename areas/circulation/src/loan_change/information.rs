//! Information that staff add to a loan, for the patron or for themselves.

use octavo_library::LoanAction;
use serde_json::{Map, Value};

use crate::refusal::LoanRefusal;

/// The information.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Information {
    /// Its audience.
    pub kind: InformationKind,
    /// The text.
    pub comment: String,
}

/// The audience of information.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InformationKind {
    Patron,
    Staff,
}

impl Information {
    /// Reads a body; unknown properties are ignored.
    ///
    /// # Errors
    /// When kind or text are missing.
    pub fn from_body(body: &Value) -> Result<Information, LoanRefusal> {
        let kind = match body["action"].as_str().and_then(LoanAction::named) {
            Some(LoanAction::PatronInfoAdded) => Some(InformationKind::Patron),
            Some(LoanAction::StaffInfoAdded) => Some(InformationKind::Staff),
            _ => None,
        };
        let comment = body["actionComment"].as_str();
        let comment = comment.filter(|comment| !comment.trim().is_empty());
        match (kind, comment) {
            (Some(kind), Some(comment)) => Ok(Information {
                kind,
                comment: comment.to_owned(),
            }),
            _ => Err(LoanRefusal::InformationIncomplete),
        }
    }

    /// Writes the information into the loan's document.
    pub fn apply_to(&self, document: &mut Map<String, Value>) {
        let action = match self.kind {
            InformationKind::Patron => LoanAction::PatronInfoAdded,
            InformationKind::Staff => LoanAction::StaffInfoAdded,
        };
        document.insert("action".into(), action.into());
        document.insert("actionComment".into(), self.comment.as_str().into());
    }
}

impl InformationKind {
    /// Its name in the log.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            InformationKind::Patron => "Patron info added",
            InformationKind::Staff => "Staff info added",
        }
    }
}

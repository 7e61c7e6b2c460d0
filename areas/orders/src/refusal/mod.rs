//! Why operations of orders are refused: FOLIO's codes, messages and parameters. Knows no HTTP but the
//! status that FOLIO answers with, since one code has different ones at different moments.

mod code;

use octavo_records::{OperationError, StoreError};
use serde_json::{Map, Value};

pub use code::Code;

/// An operation that is refused, or failed.
pub type Declined = OperationError<Refusal>;

/// One reason.
#[derive(Debug, Clone, PartialEq)]
pub struct Wrong {
    pub code: Code,
    /// In place of the code's message.
    pub message: Option<String>,
    pub parameters: Vec<(String, String)>,
    /// Further properties of the error: `protectedAndModifiedFields`.
    pub extra: Map<String, Value>,
}

impl Wrong {
    /// A reason without parameters.
    #[must_use]
    pub fn of(code: Code) -> Wrong {
        Wrong {
            code,
            message: None,
            parameters: Vec::new(),
            extra: Map::new(),
        }
    }

    /// Adds a parameter.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl ToString) -> Wrong {
        self.parameters.push((key.to_owned(), value.to_string()));
        self
    }

    /// Adds a property to the error.
    #[must_use]
    pub fn with_property(mut self, name: &str, value: Value) -> Wrong {
        self.extra.insert(name.to_owned(), value);
        self
    }

    /// Puts values into the places of the message.
    #[must_use]
    pub fn naming(mut self, values: &[&str]) -> Wrong {
        let mut message = self.code.message().to_owned();
        for value in values {
            message = message.replacen("%s", value, 1);
        }
        self.message = Some(message);
        self
    }

    /// Gives it another message.
    #[must_use]
    pub fn saying(mut self, message: impl Into<String>) -> Wrong {
        self.message = Some(message.into());
        self
    }

    /// The message to clients.
    #[must_use]
    pub fn message(&self) -> &str {
        self.message.as_deref().unwrap_or(self.code.message())
    }
}

impl From<Code> for Wrong {
    fn from(code: Code) -> Wrong {
        Wrong::of(code)
    }
}

/// A refused operation: all reasons that are known at once.
#[derive(Debug, Clone, PartialEq)]
pub enum Refusal {
    /// An error list.
    Listed { status: u16, wrong: Vec<Wrong> },
    /// Plain text.
    Text { status: u16, message: String },
    /// A refusal of finance's, in its own words.
    OfFinance {
        status: u16,
        code: Option<&'static str>,
        message: String,
        parameters: Vec<(String, String)>,
    },
}

impl octavo_records::Refusal for Refusal {}

impl Refusal {
    /// One reason with its status.
    #[must_use]
    pub fn new(status: u16, wrong: impl Into<Wrong>) -> Refusal {
        Refusal::Listed {
            status,
            wrong: vec![wrong.into()],
        }
    }

    /// 422 with one reason.
    #[must_use]
    pub fn invalid(wrong: impl Into<Wrong>) -> Refusal {
        Refusal::new(422, wrong)
    }

    /// 400 with one reason.
    #[must_use]
    pub fn bad(wrong: impl Into<Wrong>) -> Refusal {
        Refusal::new(400, wrong)
    }

    /// 403 with one reason.
    #[must_use]
    pub fn forbidden(wrong: impl Into<Wrong>) -> Refusal {
        Refusal::new(403, wrong)
    }

    /// Refuses if there are reasons.
    ///
    /// # Errors
    /// With all of them.
    pub fn any(status: u16, wrong: Vec<Wrong>) -> Result<(), Refusal> {
        match wrong.is_empty() {
            true => Ok(()),
            false => Err(Refusal::Listed { status, wrong }),
        }
    }

    /// 404 for a record that is not there.
    #[must_use]
    pub fn missing() -> Refusal {
        Refusal::new(404, Wrong::of(Code::NotFound))
    }

    /// A text where FOLIO has no code.
    #[must_use]
    pub fn text(status: u16, message: impl Into<String>) -> Refusal {
        Refusal::Text {
            status,
            message: message.into(),
        }
    }

    /// The first reason's code.
    #[must_use]
    pub fn code(&self) -> Option<Code> {
        match self {
            Refusal::Listed { wrong, .. } => wrong.first().map(|wrong| wrong.code),
            Refusal::Text { .. } | Refusal::OfFinance { .. } => None,
        }
    }

    /// All that it says, in one text.
    #[must_use]
    pub fn said(&self) -> String {
        match self {
            Refusal::Listed { wrong, .. } => {
                let messages: Vec<&str> = wrong.iter().map(Wrong::message).collect();
                messages.join(", ")
            }
            Refusal::Text { message, .. } | Refusal::OfFinance { message, .. } => message.clone(),
        }
    }
}

/// A missing record as a refusal.
pub trait Found<T> {
    /// # Errors
    /// 404 when there is none.
    fn found(self) -> Result<T, Declined>;
}

impl<T> Found<T> for Option<T> {
    fn found(self) -> Result<T, Declined> {
        self.ok_or_else(|| Refusal::missing().into())
    }
}

/// A refusal of inventory's, for which orders have no code of their own.
#[must_use]
pub fn of_inventory(refusal: octavo_inventory::app::Refusal) -> Declined {
    match refusal {
        octavo_inventory::app::Refusal::Store(error) => error.into(),
        other => Refusal::new(500, Wrong::of(Code::GenericError).saying(other.to_string())).into(),
    }
}

/// A refusal of circulation's, in its words.
#[must_use]
pub fn of_circulation(declined: octavo_circulation::app::Declined) -> Declined {
    use octavo_circulation::app::Declined as Of;
    let said = match declined {
        Of::Store(error) => return error.into(),
        Of::Refused(refusals) => {
            let messages = refusals.iter().map(|one| {
                let error = one.to_error();
                error["message"].as_str().unwrap_or_default().to_owned()
            });
            messages.collect::<Vec<_>>().join("; ")
        }
        other => other.to_string(),
    };
    Refusal::invalid(Wrong::of(Code::GenericError).saying(said)).into()
}

/// A refusal of finance's.
#[must_use]
pub fn of_finance(declined: octavo_finance::app::BatchDeclined) -> Declined {
    match declined {
        OperationError::Refused(refusal) => Refusal::OfFinance {
            status: refusal.status(),
            code: refusal.code(),
            message: refusal.message(),
            parameters: refusal.parameters(),
        }
        .into(),
        OperationError::Store(error) => error.into(),
    }
}

/// Whether the store refused because another record has this value of a unique property.
#[must_use]
pub fn is_taken(error: &StoreError, property: &str) -> bool {
    matches!(error, StoreError::Duplicate { field, .. } if field.contains(property))
}

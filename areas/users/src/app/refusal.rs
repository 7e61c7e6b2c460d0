//! The refusals of operations on users: values, not faults.

use octavo_custom_fields::FieldError;
use octavo_records::{Contention, StoreError, Violation};

use crate::rules::consortium::MemberRefusal;
use crate::rules::user_form::{FormRefusal, PRONOUNS_CHARS_MAX};

/// Why an operation was not done.
#[derive(Debug)]
pub enum Refusal {
    /// There is no record of this kind and id.
    NotFound {
        /// Its kind, `user`.
        kind: &'static str,
        id: String,
    },
    /// The document of the user is invalid.
    Form(FormRefusal),
    /// The consortium's rules do not allow the user.
    Member(MemberRefusal, String),
    /// A user of the consortium has this username.
    NameTakenElsewhere(String),
    /// The document's id differs from the path's.
    IdChanged,
    /// An address has a type that does not exist.
    UnknownAddressType,
    /// The patron group does not exist.
    UnknownGroup(String),
    /// A department does not exist.
    UnknownDepartment(String),
    /// Values of custom fields are invalid.
    CustomFields(Vec<FieldError>),
    /// The record cannot be deleted while others refer to it.
    InUse(String),
    /// A record that the operation needs is missing; with FOLIO's message.
    Missing(String),
    /// The request is wrong as a whole.
    Bad(String),
    /// The store refused it, or failed.
    Store(StoreError),
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Refusal {
        Refusal::Store(error)
    }
}

impl From<octavo_postgres::DatabaseError> for Refusal {
    #[track_caller]
    fn from(error: octavo_postgres::DatabaseError) -> Refusal {
        Refusal::Store(error.into())
    }
}

impl From<FormRefusal> for Refusal {
    fn from(refusal: FormRefusal) -> Refusal {
        let (path, message) = match &refusal {
            FormRefusal::LongPronouns => (
                "personal.pronouns",
                format!("size must be between 0 and {PRONOUNS_CHARS_MAX}"),
            ),
            FormRefusal::TooManyAddresses { most } => (
                "personal.addresses",
                format!("size must be between 0 and {most}"),
            ),
            _ => return Refusal::Form(refusal),
        };
        Refusal::Store(StoreError::Invalid(vec![Violation {
            message,
            code: "jakarta.validation.constraints.Size.message",
            path: path.to_owned(),
            value: String::new(),
        }]))
    }
}

impl Contention for Refusal {
    fn is_contention(&self) -> bool {
        matches!(self, Refusal::Store(error) if error.is_contention())
    }
}

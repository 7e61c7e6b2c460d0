//! The operations of this area, one per file.

pub mod change_own_password;
pub mod composites;
pub mod delete_user;
pub mod locate_user;
pub mod notify;
pub mod open_transactions;
pub mod reset_by_link;
pub mod reset_token;
pub mod save_user;
pub mod send_link;
pub mod users;
pub mod validate_password;

use octavo_permissions::rules::assigning::Unowned;
use octavo_platform::{ApiError, RemoteAnswer};
use octavo_postgres::DatabaseError;
use octavo_records::{Contention, StoreError};
use uuid::Uuid;

use crate::rules::OpenTransactions;

/// Refusals of this area. No `Debug`: they may contain patrons' data.
pub enum Refusal {
    /// There is no user of this id.
    NoSuchUser(Uuid),
    /// No user has this value in the configured properties.
    NotLocated(String),
    SeveralLocated,
    /// The user is inactive.
    InactiveLocated(String),
    /// The user has no username, so a password would be useless.
    NoUsername,
    /// The link is invalid, or its user is deleted: the message says which.
    LinkInvalid(String),
    /// The link has expired.
    LinkExpired(Uuid),
    /// The link was used, or a later one was.
    LinkUsed(Uuid),
    /// The new password violates these rules, by code.
    WeakPassword(Vec<String>),
    /// The old password is not the user's.
    WrongPassword,
    /// The user has open transactions.
    OpenTransactions(serde_json::Value),
    /// The caller lacks a permission for a part of the request.
    Lacks(String),
    /// The caller may not assign these permissions.
    NotTheirs(Unowned),
    /// These permissions are not defined.
    Undefined(Vec<String>),
    /// mod-users refuses the new user.
    User(octavo_users::app::Refusal),
    ChangedUser(octavo_users::app::Refusal),
    /// The user has credentials already.
    HasCredentials(Uuid),
    /// The remote module of users refused.
    Remote(RemoteAnswer),
}

/// Why an operation failed.
pub enum Failure {
    /// It was refused.
    Refused(Refusal),
    Failed(ApiError),
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        Failure::Failed(error.into())
    }
}

impl From<DatabaseError> for Failure {
    #[track_caller]
    fn from(error: DatabaseError) -> Failure {
        StoreError::from(error).into()
    }
}

impl From<ApiError> for Failure {
    fn from(error: ApiError) -> Failure {
        Failure::Failed(error)
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        Failure::Refused(refusal)
    }
}

impl Contention for Failure {
    fn is_contention(&self) -> bool {
        match self {
            Failure::Failed(error) => error.is_contention(),
            Failure::Refused(Refusal::User(refusal) | Refusal::ChangedUser(refusal)) => {
                refusal.is_contention()
            }
            Failure::Refused(_) => false,
        }
    }
}

/// A user's open transactions, for the refusal.
pub(crate) fn still_open(open: &OpenTransactions, user: &serde_json::Value) -> Refusal {
    Refusal::OpenTransactions(open.document(user))
}

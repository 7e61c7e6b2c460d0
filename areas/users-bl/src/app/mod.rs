//! The operations of this area, one a file.

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

/// Why something was not done, as clients are told. It has no `Debug`: some of it is patrons' data.
pub enum Refusal {
    /// There is no user of this id.
    NoSuchUser(Uuid),
    /// Nobody has this value in the properties that are looked into.
    NotLocated(String),
    /// Several have it.
    SeveralLocated,
    /// Whoever has it is not active.
    InactiveLocated(String),
    /// The user has no name, so that a password would be of no use.
    NoUsername,
    /// The link of a password is none, or its user is gone: the sentence says which.
    LinkInvalid(String),
    /// It is past its end.
    LinkExpired(Uuid),
    /// It was used, or a later one was.
    LinkUsed(Uuid),
    /// The new password breaks these rules, by their codes.
    WeakPassword(Vec<String>),
    /// The old password is not the user's.
    WrongPassword,
    /// The user still has what must be closed first.
    OpenTransactions(serde_json::Value),
    /// The caller lacks a permission that the request needs for this part of it.
    Lacks(String),
    /// The caller may not give these permissions.
    NotTheirs(Unowned),
    /// These permissions are not defined.
    Undefined(Vec<String>),
    /// A new user is refused as mod-users does.
    User(octavo_users::app::Refusal),
    /// A changed one.
    ChangedUser(octavo_users::app::Refusal),
    /// The user has credentials already.
    HasCredentials(Uuid),
    /// The module that keeps the users refused.
    Remote(RemoteAnswer),
}

/// How an operation ends that does not succeed.
pub enum Failure {
    /// It was refused.
    Refused(Refusal),
    /// It failed.
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

/// What a user has open, for the refusal.
pub(crate) fn still_open(open: &OpenTransactions, user: &serde_json::Value) -> Refusal {
    Refusal::OpenTransactions(open.document(user))
}

//! Status and body of each refusal, as in mod-permissions.

use http::StatusCode;
use octavo_platform::ApiError;
use octavo_platform::error::error_item;

use crate::refusal::{Failure, Refusal};

/// FOLIO's prefix of messages about a record's parts.
const DERIVED: &str = "Unable to update derived fields: ";
/// FOLIO's error parameters have its SQL for the property as key, quotes included.
const NAME_KEY: &str = "'permissionName'";
const USER_KEY: &str = "'userId'";

/// The operation of a request: FOLIO's responses differ by it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Operation<'a> {
    /// A whole permission user of this id.
    Holder(&'a str),
    /// A permission assigned to a permission user, with the name that the client used.
    Give(&'a str),
    /// A permission removed from a permission user, with the name that the client used.
    Take(&'a str),
    /// A new permission.
    Define,
    /// A permission of this id.
    Redefine(&'a str),
}

pub(super) fn answer(failure: Failure, operation: Operation<'_>) -> ApiError {
    let refusal = match failure {
        Failure::Store(error) => return error.into(),
        Failure::Refused(refusal) => refusal,
    };
    let text = refusal.to_string();
    match (&refusal, operation) {
        (Refusal::Unowned { .. }, _) => ApiError::text(StatusCode::FORBIDDEN, text),
        (Refusal::NoUser, Operation::Holder(id)) => not_found(format!(
            "No permissions user found with id {}",
            shortened(id)
        )),
        (Refusal::NoUser, Operation::Give(named)) => {
            ApiError::bad_request(format!("User with {named} does not exist"))
        }
        (Refusal::NoUser, Operation::Take(named)) => {
            not_found(format!("User with {named} does not exist"))
        }
        (Refusal::NoPermission, Operation::Redefine(id)) => {
            not_found(format!("No permission found to match id {}", shortened(id)))
        }
        (Refusal::Has { holder, .. }, Operation::Give(named)) => {
            invalid(&format!("User with {named} {text}"), USER_KEY, holder)
        }
        (Refusal::HasNot(_), Operation::Take(named)) => {
            ApiError::bad_request(format!("User with {named} {text}"))
        }
        (Refusal::UnknownToUser { holder, .. }, _) => {
            invalid(&format!("{DERIVED}{text}"), "id", holder)
        }
        (Refusal::UnknownToSet { .. } | Refusal::Cycle(_), Operation::Redefine(id)) => {
            invalid(&format!("{DERIVED}{text}"), "id", id)
        }
        (Refusal::UnknownToSet { set, .. }, _) => invalid(&text, NAME_KEY, set),
        (Refusal::Cycle(names), _) => {
            let first = names.first().map_or("", String::as_str);
            invalid(&text, NAME_KEY, first)
        }
        (Refusal::NameTaken(name), _) => invalid(&text, NAME_KEY, name),
        (
            Refusal::NoUser
            | Refusal::NoPermission
            | Refusal::Dummies
            | Refusal::Dummy(_)
            | Refusal::Undefined(_)
            | Refusal::Has { .. }
            | Refusal::HasNot(_)
            | Refusal::NameChanged
            | Refusal::ImmutableChanged
            | Refusal::ImmutableDeleted
            | Refusal::TakenByLibrary(_)
            | Refusal::TakenByModule { .. },
            _,
        ) => ApiError::bad_request(text),
    }
}

fn shortened(id: &str) -> String {
    id.chars().take(100).collect()
}

fn not_found(text: String) -> ApiError {
    ApiError::text(StatusCode::NOT_FOUND, text)
}

/// FOLIO's 422 raised by the module itself, which has no code.
fn invalid(message: &str, key: &str, value: &str) -> ApiError {
    let parameters = [(key.to_owned(), value.to_owned())];
    ApiError::Errors(
        StatusCode::UNPROCESSABLE_ENTITY,
        vec![error_item(message, None, &parameters)],
    )
}

//! Turns refusals into mod-users' responses. A new user is refused with 422 and an error list, a changed
//! one with 400 and plain text.

use http::StatusCode;
use octavo_custom_fields::FieldError;
use octavo_platform::{ApiError, error_item};
use octavo_records::StoreError;

use crate::app::Refusal;
use crate::rules::consortium::{MemberRefusal, USER_TYPES};
use crate::rules::user_form::FormRefusal;

const NAME_TAKEN: &str = "User with this username already exists";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writing {
    New,
    /// One in place of another.
    Changed,
}

/// The response for operations without a special form.
pub fn refused(refusal: Refusal) -> ApiError {
    match refusal {
        Refusal::NotFound { kind: "user", id } => ApiError::text(
            StatusCode::NOT_FOUND,
            format!("user with id {id} not found"),
        ),
        Refusal::NotFound {
            kind: "staging user",
            id,
        } => ApiError::text(
            StatusCode::NOT_FOUND,
            format!("staging user with id {id} not found"),
        ),
        Refusal::NotFound { kind, id } => ApiError::text(
            StatusCode::NOT_FOUND,
            format!("{kind} not found by id: {id}"),
        ),
        Refusal::InUse(message) | Refusal::Bad(message) => ApiError::bad_request(message),
        Refusal::Missing(message) => ApiError::text(StatusCode::INTERNAL_SERVER_ERROR, message),
        Refusal::Store(error) => error.into(),
        other => user(other, Writing::New),
    }
}

/// The response for a refused creation or change of a user.
pub fn user(refusal: Refusal, writing: Writing) -> ApiError {
    let (listed, new) = (ApiError::invalid, writing == Writing::New);
    let either = |message: String, key: &str, value: String| match writing {
        Writing::New => listed(message, key.to_owned(), value),
        Writing::Changed => ApiError::bad_request(message),
    };
    match refusal {
        Refusal::NotFound { id, .. } => ApiError::text(StatusCode::NOT_FOUND, id),
        Refusal::Form(form) => of_form(&form),
        Refusal::Member(MemberRefusal::UnknownType, id) => {
            let message = format!(
                "An invalid user type has been populated to a user, allowed values: [{}]",
                USER_TYPES.join(", ")
            );
            either(message, "id", id)
        }
        Refusal::Member(MemberRefusal::StaffWithoutName, id) => ApiError::bad_request(format!(
            "The user with the ID {id} must have a username since consortium mode is enabled"
        )),
        Refusal::NameTakenElsewhere(name) => either(NAME_TAKEN.to_owned(), "username", name),
        Refusal::IdChanged => ApiError::bad_request("You cannot change the value of the id field"),
        Refusal::UnknownAddressType if new => {
            ApiError::bad_request("You cannot add addresses with non-existent address types")
        }
        Refusal::UnknownAddressType => {
            ApiError::bad_request("All addresses types defined for users must be existing")
        }
        Refusal::UnknownGroup(id) => {
            ApiError::bad_request(format!("Cannot add {id}. Patron group not found"))
        }
        Refusal::UnknownDepartment(id) => either(
            format!("Key (departments)=({id}) is not present in table \"departments\"."),
            "departments",
            id.clone(),
        ),
        Refusal::CustomFields(errors) => of_fields(errors),
        Refusal::Store(StoreError::Duplicate { field, value, .. }) if field == "id" && new => {
            listed("User with this id already exists".to_owned(), field, value)
        }
        Refusal::Store(StoreError::Duplicate { field, value, .. })
            if new && field.contains("jsonb") =>
        {
            let message = format!("duplicate {field} value violates unique constraint: {value}");
            listed(message, field, value)
        }
        // mod-users passes the text of PostgreSQL's error on to the client.
        Refusal::Store(StoreError::Duplicate { field, value, .. })
            if !new && field.contains("jsonb") =>
        {
            ApiError::bad_request(format!("Key ({field})=({value}) already exists."))
        }
        Refusal::Store(error) => error.into(),
        other => refused(other),
    }
}

fn of_form(refusal: &FormRefusal) -> ApiError {
    match refusal {
        FormRefusal::ShadowWithPicture => ApiError::text(
            StatusCode::INTERNAL_SERVER_ERROR,
            "Profile Picture feature is not applicable for user's type SHADOW",
        ),
        FormRefusal::BornTooEarly => {
            ApiError::bad_request("dateOfBirth must be at least 0001-01-01")
        }
        FormRefusal::AddressTypeTwice => {
            ApiError::bad_request("Users are limited to one address per addresstype")
        }
        FormRefusal::TooManyAddresses { most } => {
            ApiError::bad_request(format!("A user has at most {most} addresses"))
        }
        FormRefusal::LongPronouns => ApiError::bad_request("personal.pronouns is too long"),
    }
}

fn of_fields(errors: Vec<FieldError>) -> ApiError {
    let items = errors
        .into_iter()
        .map(|one| error_item(&one.message, Some("-1"), &[(one.key, one.value)]));
    ApiError::Errors(StatusCode::UNPROCESSABLE_ENTITY, items.collect())
}

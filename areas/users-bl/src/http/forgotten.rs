//! `/bl-users/forgotten/…`: for users who cannot log in.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::pace::WINDOW;
use octavo_platform::respond::empty;
use octavo_platform::shares::Party;
use octavo_platform::{ApiError, Call};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::refusal;
use crate::app::locate_user::locate_user;
use crate::app::notify::notify;
use crate::app::send_link::send_link;
use crate::app::{Failure, Refusal};
use crate::rules::locating::{PASSWORD_CODES, USERNAME_CODES};
use crate::rules::notification::Event;

/// What the user remembers: a name, an address, a number.
#[derive(Deserialize)]
struct Remembered {
    #[serde(default)]
    id: Option<String>,
}

/// Calls of one address within ten minutes.
const CALLS_MAX: u32 = 40;
/// Mails to one user within ten minutes.
const USER_MAILS_MAX: u32 = 3;
/// Mails of one tenant within ten minutes.
const TENANT_MAILS_MAX: u32 = 500;

/// 429 when an address sends too many requests.
fn refuse_many(call: &Call) -> Result<(), ApiError> {
    let Party::Address(Some(address)) = Party::at(call.address) else {
        return Ok(());
    };
    let pace = &call.platform.gateway.pace;
    if pace.allows("forgotten", address.to_string(), CALLS_MAX) {
        return Ok(());
    }
    let minutes = WINDOW.as_secs() / 60;
    Err(ApiError::text(
        StatusCode::TOO_MANY_REQUESTS,
        format!("Too many requests from this address; try again in {minutes} minutes"),
    ))
}

/// Whether another mail may be sent to a user; the response does not show it.
fn may_mail(call: &Call, user: &Value) -> bool {
    let (pace, tenant) = (&call.platform.gateway.pace, call.tenant.id());
    let whose = format!("{tenant} {}", user["id"].as_str().unwrap_or_default());
    let may = pace.allows("forgotten user", whose, USER_MAILS_MAX)
        && pace.allows("forgotten tenant", tenant, TENANT_MAILS_MAX);
    if !may {
        tracing::warn!(
            tenant,
            "what was forgotten is asked for too often; no mail was sent"
        );
    }
    may
}

/// 204; a link was sent to the user.
///
/// # Errors
/// 400 when nobody is found, 422 when the user is not active or has no name.
pub async fn password(call: Call) -> Result<Response, ApiError> {
    refuse_many(&call)?;
    let sent: Remembered = call.json_as()?;
    let located = locate_user(&call, &PASSWORD_CODES, &sent.id.unwrap_or_default()).await;
    let sent = match located {
        Ok(user) if !may_mail(&call, &user) => Ok(()),
        Ok(user) => send_link(&call, &user).await.map(|_| ()),
        Err(failure) => Err(failure),
    };
    answer(sent, "a link")
}

/// 204; the username was sent to the user.
///
/// # Errors
/// 400 when nobody is found, 422 when the user is not active.
pub async fn username(call: Call) -> Result<Response, ApiError> {
    refuse_many(&call)?;
    let sent: Remembered = call.json_as()?;
    let located = locate_user(&call, &USERNAME_CODES, &sent.id.unwrap_or_default()).await;
    let sent = match located {
        Ok(user) if !may_mail(&call, &user) => Ok(()),
        Ok(user) => {
            notify(&call, Event::UsernameLocated, &user, Map::new()).await;
            Ok(())
        }
        Err(failure) => Err(failure),
    };
    answer(sent, "a user's name")
}

/// The response does not reveal that several users match: none of them gets a mail.
fn answer(outcome: Result<(), Failure>, what: &str) -> Result<Response, ApiError> {
    match outcome {
        Ok(()) => {}
        Err(Failure::Refused(Refusal::SeveralLocated)) => {
            tracing::warn!("{what} was asked for and not sent: several users fit");
        }
        Err(failure) => return Err(refusal::of(failure)),
    }
    Ok(empty(StatusCode::NO_CONTENT))
}

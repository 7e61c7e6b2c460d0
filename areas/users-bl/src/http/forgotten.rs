//! `/bl-users/forgotten/…`: for who has not logged in.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::empty;
use octavo_platform::{ApiError, Call};
use serde::Deserialize;
use serde_json::Map;

use super::refusal;
use crate::app::locate_user::locate_user;
use crate::app::notify::notify;
use crate::app::send_link::send_link;
use crate::app::{Failure, Refusal};
use crate::rules::locating::{PASSWORD_CODES, USERNAME_CODES};
use crate::rules::notification::Event;

/// What somebody remembers: a name, an address, a number.
#[derive(Deserialize)]
struct Remembered {
    #[serde(default)]
    id: Option<String>,
}

/// 204; a link was sent to the user.
///
/// # Errors
/// 400 when nobody is found, 422 when the user is not active or has no name.
pub async fn password(call: Call) -> Result<Response, ApiError> {
    let sent: Remembered = call.json_as()?;
    let located = locate_user(&call, &PASSWORD_CODES, &sent.id.unwrap_or_default()).await;
    let sent = match located {
        Ok(user) => send_link(&call, &user).await.map(|_| ()),
        Err(failure) => Err(failure),
    };
    answer(sent, "a link")
}

/// 204; the user's name was sent to them.
///
/// # Errors
/// 400 when nobody is found, 422 when the user is not active.
pub async fn username(call: Call) -> Result<Response, ApiError> {
    let sent: Remembered = call.json_as()?;
    let located = locate_user(&call, &USERNAME_CODES, &sent.id.unwrap_or_default()).await;
    let sent = match located {
        Ok(user) => {
            notify(&call, Event::UsernameLocated, &user, Map::new()).await;
            Ok(())
        }
        Err(failure) => Err(failure),
    };
    answer(sent, "a user's name")
}

/// That several users fit is told to nobody: none of them is sent anything.
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

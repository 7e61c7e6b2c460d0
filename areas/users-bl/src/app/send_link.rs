//! Sends a user a link for setting a password without the old one.

use jiff::Timestamp;
use octavo_boxed::boxed;
use octavo_login::app::reset_password::{ResetAction, create_action};
use octavo_platform::{ApiError, Call};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::notify::notify;
use super::{Failure, Refusal, reset_token};
use crate::rules::link::LinkSettings;
use crate::rules::notification::Event;
use crate::store::settings;

/// Creates a link, sends it to the user, and returns it.
///
/// # Errors
/// Refused when the user has no username.
#[boxed]
pub async fn send_link(call: &Call, user: &Value) -> Result<String, Failure> {
    let store = call.writer();
    let entries = settings::entries(&store.database, call.tables()).await?;
    let settings = LinkSettings::read(&entries);
    let named = user["username"]
        .as_str()
        .is_some_and(|name| !name.trim().is_empty());
    if !named {
        return Err(Refusal::NoUsername.into());
    }
    let id = user["id"].as_str().and_then(|id| Uuid::try_parse(id).ok());
    let user_id = id.ok_or_else(|| ApiError::fault("a user has no id"))?;
    let action = ResetAction {
        id: Uuid::new_v4(),
        user_id: user_id.into(),
        ends: Timestamp::now() + settings.life(),
    };
    let token = reset_token::sign(call, &action).await?;
    let exists = create_action(&call.platform, &call.tenant, &action, &call.stamp()).await?;
    let link = settings.reset_link(&token, call.tenant.id());
    let event = match exists {
        Some(true) => Event::ResetPassword,
        _ => Event::CreatePassword,
    };
    let mut more = Map::new();
    more.insert("link".to_owned(), json!(link));
    more.insert(
        "forgotPasswordLink".to_owned(),
        json!(settings.forgot_link()),
    );
    notify(call, event, user, more).await;
    Ok(link)
}

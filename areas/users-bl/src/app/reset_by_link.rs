//! Sets a password by a reset link.

use jiff::Timestamp;
use octavo_boxed::boxed;
use octavo_login::app::reset_password::{ResetAction, find_action, reset_password};
use octavo_platform::Call;
use octavo_records::{instant, retried};
use serde_json::{Map, Value, json};

use super::notify::notify;
use super::validate_password::broken_rules;
use super::{Failure, Refusal, reset_token, users};
use crate::rules::notification::Event;

/// The reset action and the user of the caller's link.
///
/// # Errors
/// Refused when it is not a link's token, was used, has expired, or the user is deleted.
#[boxed]
pub async fn validate_link(call: &Call) -> Result<(ResetAction, Value), Failure> {
    let invalid = || Refusal::LinkInvalid("Invalid token.".to_owned());
    let action_id = reset_token::action_of(call).ok_or_else(invalid)?;
    let action = find_action(&call.platform, &call.tenant, action_id).await?;
    let action = action.ok_or(Refusal::LinkUsed(action_id))?;
    if action.ends <= Timestamp::now() {
        return Err(Refusal::LinkExpired(action_id).into());
    }
    let user = users::by_id(call, action.user_id.uuid()).await?;
    let gone = || Refusal::LinkInvalid(format!("User with id '{}' not found", action.user_id));
    Ok((action, user.ok_or_else(gone)?))
}

/// Sets the password, once for each link, and notifies the user.
///
/// # Errors
/// As [`validate_link`], and when the password violates a rule.
#[boxed]
pub async fn reset_by_link(call: &Call, password: &str) -> Result<(), Failure> {
    let (action, user) = validate_link(call).await?;
    let username = user["username"].as_str();
    let broken = broken_rules(call, action.user_id.uuid(), username, password).await?;
    if !broken.is_empty() {
        return Err(Refusal::WeakPassword(broken).into());
    }
    let (platform, tenant) = (&call.platform, &call.tenant);
    let is_new = retried(|| {
        let stamp = call.stamp();
        async move {
            Box::pin(reset_password(
                platform, tenant, action.id, password, &stamp,
            ))
            .await
        }
    })
    .await?;
    let (event, more) = match is_new {
        // A concurrent request has used the link.
        None => return Err(Refusal::LinkUsed(action.id).into()),
        Some(true) => (Event::PasswordCreated, Map::new()),
        Some(false) => {
            let mut more = Map::new();
            let now = instant::format(Timestamp::now());
            more.insert("detailedDateTime".to_owned(), json!(now));
            (Event::PasswordChanged, more)
        }
    };
    notify(call, event, &user, more).await;
    Ok(())
}

//! Finds the user who forgot a username or password.

use octavo_boxed::boxed;
use octavo_platform::Call;
use serde_json::Value;

use super::{Failure, Refusal, users};
use crate::rules::locating::properties;
use crate::store::settings;

/// No property has longer values.
const VALUE_CHARACTERS_MAX: usize = 300;

/// The only active user with this value in one of the properties that the library has configured for
/// these codes.
///
/// # Errors
/// Refused when there is none, or several, or the user is inactive.
#[boxed]
pub async fn locate_user(call: &Call, codes: &[&str], value: &str) -> Result<Value, Failure> {
    let shown: String = value.chars().take(VALUE_CHARACTERS_MAX).collect();
    if value.trim().is_empty() || shown.len() < value.len() {
        return Err(Refusal::NotLocated(shown).into());
    }
    let store = call.writer();
    let entries = settings::entries(&store.database, call.tables()).await?;
    let values: Vec<String> = entries
        .into_iter()
        .filter(|(code, _)| codes.contains(&code.as_str()))
        .map(|(_, value)| value)
        .collect();
    let mut found = users::locate(call, &properties(&values), value).await?;
    match (found.pop(), found.is_empty()) {
        (None, _) => Err(Refusal::NotLocated(shown).into()),
        (Some(_), false) => Err(Refusal::SeveralLocated.into()),
        (Some(user), true) if user["active"].as_bool().unwrap_or(true) => Ok(user),
        (Some(_), true) => Err(Refusal::InactiveLocated(shown).into()),
    }
}

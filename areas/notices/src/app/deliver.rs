//! Delivers ready messages to a user by the channels that they name.

use octavo_boxed::boxed;
use octavo_platform::Call;
use octavo_records::retried;
use serde_json::Value;
use uuid::Uuid;

use super::{Failure, post::post};
use crate::message::letter::{Channel, Content, Letter};
use crate::store::lookups;

/// Messages of one request.
const MESSAGES_MAX: usize = 100;

/// Stores messages for a user and queues them for sending.
///
/// # Errors
/// When a channel is unknown or there is no such user; then none is stored.
#[boxed]
pub async fn deliver(call: &Call, request: &Value) -> Result<(), Failure> {
    let letters = letters(call, request).await?;
    let store = call.writer();
    let stamp = call.stamp();
    retried(|| async {
        let transaction = store.database.transaction().await?;
        post(&transaction, store, &call.tenant, letters.clone(), &stamp).await?;
        transaction.commit().await?;
        Ok::<(), Failure>(())
    })
    .await?;
    super::dispatch::soon(call);
    Ok(())
}

/// The messages of a request, each for the user that it names.
///
/// # Errors
/// As [`deliver`].
#[boxed]
pub async fn letters(call: &Call, request: &Value) -> Result<Vec<Letter>, Failure> {
    let messages = request["messages"]
        .as_array()
        .map_or(&[][..], Vec::as_slice);
    if messages.len() > MESSAGES_MAX {
        let refusal = format!("messages: at most {MESSAGES_MAX} are sent at a time");
        return Err(Failure::Refused(refusal));
    }
    let mut made = Vec::with_capacity(messages.len());
    for message in messages {
        let name = message["deliveryChannel"].as_str().unwrap_or_default();
        let channel = Channel::named(name).ok_or_else(|| unsupported(name))?;
        let text = |name: &str| message[name].as_str().map(str::to_owned);
        let attachments = message["attachments"].as_array().cloned();
        made.push((
            channel,
            Content {
                from: text("from"),
                header: text("header").unwrap_or_default(),
                body: text("body").unwrap_or_default(),
                output_format: text("outputFormat"),
                attachments: attachments.unwrap_or_default(),
            },
        ));
    }
    let user = user(
        call,
        request["recipientUserId"].as_str().unwrap_or_default(),
    )
    .await?;
    let notification = request["notificationId"].as_str().unwrap_or_default();
    let letters = made
        .into_iter()
        .map(|(channel, content)| Letter::to_user(notification, channel, &user, content));
    Ok(letters.collect())
}

/// FOLIO's message for a channel that it does not know.
#[must_use]
pub fn unsupported(name: &str) -> Failure {
    let shown: String = name.chars().take(100).collect();
    Failure::Refused(format!(
        "validateDeliveryChannels:: Delivery channel '{shown}' is not supported"
    ))
}

/// A user, with the properties for a message.
#[boxed]
pub async fn user(call: &Call, id: &str) -> Result<Value, Failure> {
    let none = || Failure::Refused("User not found".to_owned());
    let id = Uuid::try_parse(id).map_err(|_| none())?;
    let store = call.writer();
    let mut found = lookups::users(&store.database, &call.tenant, &[id]).await?;
    found.remove(&id).ok_or_else(none)
}

//! Notifications: stored for the user, and sent with the templates of an event configuration if one is
//! named.

use bytes::Bytes;
use octavo_boxed::boxed;
use octavo_platform::Call;
use octavo_records::store::insert;
use octavo_records::{StoreError, retried};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::Failure;
use super::deliver::{unsupported, user};
use super::post::post;
use super::render_template::render_stored;
use crate::message::letter::{Channel, Content, Letter};
use crate::store::lookups;

/// The default language.
const LANGUAGE_DEFAULT: &str = "en";
/// Maximal number of templates of an event.
const TEMPLATES_MAX: usize = 20;

/// Stores a notification and queues its messages, all or nothing; returns its id and the stored JSON.
///
/// # Errors
/// When it is invalid, there is no such event configuration or user, or a template cannot be rendered.
#[boxed]
pub async fn notify(call: &Call, mut notification: Value) -> Result<(Uuid, Bytes), Failure> {
    let store = call.writer();
    let collection = store.catalog.declared("notify_data");
    collection
        .shape
        .check(&mut notification)
        .map_err(Failure::Invalid)?;
    let letters = match notification["eventConfigName"].as_str() {
        None => Vec::new(),
        Some(name) => letters(call, name, &notification).await?,
    };
    let Value::Object(mut document) = notification else {
        return Err(StoreError::NotFound.into());
    };
    document.entry("seen").or_insert(json!(false));
    let stamp = call.stamp();
    let stored = retried(|| async {
        let transaction = store.database.transaction().await?;
        let copy: Map<String, Value> = document.clone();
        let stored = insert(&transaction, &call.tenant, collection, copy, &stamp).await?;
        post(&transaction, store, &call.tenant, letters.clone(), &stamp).await?;
        transaction.commit().await?;
        Ok::<_, Failure>(stored)
    })
    .await?;
    if !letters.is_empty() {
        super::dispatch::soon(call);
    }
    Ok(stored)
}

async fn letters(call: &Call, event: &str, notification: &Value) -> Result<Vec<Letter>, Failure> {
    let store = call.writer();
    let found = lookups::event_configuration(&store.database, call.tables(), event).await?;
    let found = found.ok_or_else(|| Failure::Refused("Cannot fetch event entity".to_owned()))?;
    let templates = found["templates"].as_array().map_or(&[][..], Vec::as_slice);
    let user = user(
        call,
        notification["recipientId"].as_str().unwrap_or_default(),
    )
    .await?;
    let language = notification["lang"].as_str().unwrap_or(LANGUAGE_DEFAULT);
    let sent = Uuid::new_v4().to_string();
    let mut letters = Vec::with_capacity(templates.len());
    for template in templates.iter().take(TEMPLATES_MAX) {
        let text = |name: &str| template[name].as_str().unwrap_or_default();
        let channel = text("deliveryChannel");
        let channel = Channel::named(channel).ok_or_else(|| unsupported(channel))?;
        let format = text("outputFormat");
        let context = notification.get("context").cloned();
        let made = render_stored(call, text("templateId"), language, format, context).await?;
        let content = Content {
            from: None,
            header: made.header,
            body: made.body,
            output_format: Some(format.to_owned()),
            attachments: made.attachments,
        };
        letters.push(Letter::to_user(&sent, channel, &user, content));
    }
    Ok(letters)
}

/// Sends a patron notice by one template; only the message is stored.
///
/// # Errors
/// As [`notify`].
#[boxed]
pub async fn notify_patron(call: &Call, notice: &Value) -> Result<(), Failure> {
    let text = |name: &str| notice[name].as_str().unwrap_or_default();
    let channel = text("deliveryChannel");
    let format = text("outputFormat");
    let language = notice["lang"].as_str().unwrap_or(LANGUAGE_DEFAULT);
    let context = notice.get("context").cloned();
    let made = render_stored(call, text("templateId"), language, format, context).await?;
    let request = json!({
        "notificationId": Uuid::new_v4(), "recipientUserId": text("recipientId"),
        "messages": [{"deliveryChannel": channel, "outputFormat": format, "header": made.header,
                      "body": made.body, "attachments": made.attachments}],
    });
    super::deliver::deliver(call, &request).await
}

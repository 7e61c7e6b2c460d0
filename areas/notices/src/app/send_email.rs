//! Sends an e-mail while the client waits, as FOLIO does. It is stored first, so that another process
//! sends it if this one dies.

use octavo_boxed::boxed;
use octavo_platform::Call;
use octavo_platform::system_call;
use octavo_platform::trace::carried;
use octavo_records::store::insert;
use octavo_records::{StoreError, retried};
use serde_json::{Value, json};
use uuid::Uuid;

use super::mail_server::mail_server;
use super::{Failure, dispatch};
use crate::message::letter::Channel;
use crate::smtp;
use crate::store::dispatch::{ClaimedMessage, line_up};

/// Stores an e-mail and tries it once; returns the text of the result.
///
/// # Errors
/// When it does not fit.
#[boxed]
pub async fn send_email(call: &Call, mut email: Value) -> Result<String, Failure> {
    let store = call.writer();
    let emails = store.catalog.declared("email_statistics");
    emails.shape.check(&mut email).map_err(Failure::Invalid)?;
    let Value::Object(mut document) = email else {
        return Err(StoreError::NotFound.into());
    };
    // Clients may not set the result.
    for (name, value) in [
        ("status", json!("PROCESSING")),
        ("shouldRetry", json!(false)),
        ("attemptCount", json!(0)),
    ] {
        document.insert(name.to_owned(), value);
    }
    document.remove("message");
    document.remove("date");
    // Queued with our own claim, so that no worker sends the message at the same time.
    let (claim, stamp) = (Uuid::new_v4(), call.stamp());
    let channel = Channel::Email.name();
    let (id, stored) = retried(|| async {
        let transaction = store.database.transaction().await?;
        let copy = document.clone();
        let (id, stored) = insert(&transaction, &call.tenant, emails, copy, &stamp).await?;
        line_up(&transaction, &call.tenant, &[id], &[channel], Some(claim)).await?;
        transaction.commit().await?;
        Ok::<_, StoreError>((id, stored))
    })
    .await?;
    let record = serde_json::from_slice(&stored).map_err(|error| StoreError::json(error))?;
    let taken = ClaimedMessage {
        id,
        channel: channel.to_owned(),
        record,
    };
    // A disconnecting client must not cancel it halfway.
    let call = system_call(&call.platform, &call.view);
    let sending = tokio::spawn(carried(async move {
        let settings = mail_server(&call).await?;
        let mut session = None;
        let noted =
            dispatch::try_and_note(&call, &mut session, settings.as_ref(), claim, &taken).await;
        smtp::close(session).await;
        noted
    }));
    let noted = sending.await;
    Ok(noted.map_err(|_| StoreError::fault("sending an e-mail broke off"))??)
}

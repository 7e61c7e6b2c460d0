//! The outbox of notices: areas to the right insert notices inside their own transaction, so that a
//! notice exists exactly if its cause is committed. Any process renders and sends it later.

use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError, Tenant};
use serde_json::Value;
use uuid::Uuid;

pub use crate::app::dispatch::soon;
pub use crate::message::letter::Channel;
use crate::store;

/// Notices of one statement.
const BATCH: usize = 500;

/// A notice to a patron.
#[derive(Clone)]
pub struct Notice {
    /// Becomes the `notificationId` of the message.
    pub id: Uuid,
    /// The user. If the user does not exist when it is rendered, the message fails visibly.
    pub recipient: Uuid,
    /// The template; likewise.
    pub template: Uuid,
    /// The channel.
    pub channel: Channel,
    /// `text/html` or `text/plain`, one of the template's formats.
    pub output_format: String,
    /// The language of the template's text, `en`.
    pub language: String,
    /// The template's context, an object. Instants are in RFC 3339; they are localised when the notice
    /// is rendered.
    pub context: Value,
}

impl std::fmt::Debug for Notice {
    /// Without the context, which has patron data.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Notice")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

/// Queues notices, without look-ups or rendering: one statement for up to 500 of them. After the commit
/// call [`soon`], or leave it to the timer, which runs within ten seconds.
#[boxed]
pub async fn put(
    transaction: &dyn Executor,
    tenant: &Tenant,
    notices: &[Notice],
) -> Result<(), StoreError> {
    for batch in notices.chunks(BATCH) {
        store::queue::put(transaction, tenant, batch).await?;
    }
    Ok(())
}

//! Where areas to the right put what patrons are to be told: in their own transaction, so that a
//! notice exists exactly if what it tells of happened. It is rendered and sent later, by any process.

use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError, Tenant};
use serde_json::Value;
use uuid::Uuid;

pub use crate::app::dispatch::soon;
pub use crate::message::letter::Channel;
use crate::store;

/// Notices of one statement.
const BATCH: usize = 500;

/// Something that a patron is to be told.
#[derive(Clone)]
pub struct Notice {
    /// Becomes the `notificationId` of the message.
    pub id: Uuid,
    /// The user. If there is none when it is rendered, the message fails, visibly.
    pub recipient: Uuid,
    /// The template; as with the user.
    pub template: Uuid,
    /// How it goes out.
    pub channel: Channel,
    /// `text/html` or `text/plain`, one of the template's formats.
    pub output_format: String,
    /// The language of the template's text, `en`.
    pub language: String,
    /// What the template may use: an object. Instants are written as RFC 3339 has them; they are
    /// put into the tenant's language and zone when the notice is rendered.
    pub context: Value,
}

impl std::fmt::Debug for Notice {
    /// No context: it has patron data.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Notice")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

/// Puts notices. Nothing is looked up or rendered here: one statement for up to 500 of them. After
/// the commit call [`soon`], or leave it to the timer, which comes within ten seconds.
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

//! The mail server of a tenant.

use octavo_boxed::boxed;
use octavo_platform::Call;
use octavo_records::StoreError;

use crate::message::settings::{SmtpSettings, of_entries};
use crate::store::lookups;

/// The first complete source: the settings, `/smtp-configuration`, the entries of mod-configuration.
/// `None` when none is complete.
#[boxed]
pub async fn mail_server(call: &Call) -> Result<Option<SmtpSettings>, StoreError> {
    let store = call.writer();
    let (stored, entries) = lookups::mail_server(&store.database, call.tables()).await?;
    let stored = stored.as_ref().and_then(SmtpSettings::read);
    Ok(stored.or_else(|| SmtpSettings::read(&of_entries(&entries))))
}

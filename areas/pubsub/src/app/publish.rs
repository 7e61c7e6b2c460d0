//! Publishes an event of a module: it is queued for its subscribers.

use octavo_boxed::boxed;
use octavo_records::Context;

use super::Outcome;
use crate::rules::Refusal;
use crate::store::events::{PublishedEvent, State};
use crate::store::{events, registered};

/// Lines an event up. What becomes of it is in the history, a refusal too.
///
/// # Errors
/// When the module is no publisher of this type for the event's tenant.
#[boxed]
pub async fn publish(
    context: &Context<'_>,
    tenant: &str,
    published: &PublishedEvent,
) -> Outcome<()> {
    let tables = context.tables();
    let transaction = context.store.database.transaction().await?;
    events::note(&transaction, tables, published, State::Created).await?;
    let (event_type, module) = (
        published.kind.clone(),
        published.publisher.clone().unwrap_or_default(),
    );
    let publishes = match tenant == context.tenant.id() {
        true => registered::publishes(&transaction, tables, &event_type, &module).await?,
        false => None,
    };
    let refusal = match publishes {
        Some(true) => None,
        Some(false) => Some(Refusal::InactivePublisher { module, event_type }),
        None => Some(Refusal::NoPublisher {
            module,
            event_type,
            tenant: tenant.to_owned(),
        }),
    };
    let Some(refusal) = refusal else {
        events::enqueue(&transaction, tables, published).await?;
        transaction.commit().await?;
        return Ok(());
    };
    let message = refusal.message();
    events::note(&transaction, tables, published, State::Rejected(&message)).await?;
    transaction.commit().await?;
    Err(refusal.into())
}

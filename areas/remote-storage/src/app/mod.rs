//! The operations of remote storage, one a file. They know nothing of HTTP.

pub mod arrive;
pub mod handle_event;
pub mod map_location;
pub mod mark_done;
pub mod mark_missing;
pub mod take_back;
pub mod take_in;

use octavo_circulation::app::{Declined, Desk};
use octavo_circulation::config_cache::ConfigCache;
use octavo_records::store::fetch;
use octavo_records::{Context, Executor, OperationError, StoreError};
use uuid::Uuid;

use crate::collections::CONFIGURATIONS;
use crate::rules::Refusal;
use crate::rules::configuration::Configuration;

/// The outcome of an operation.
pub type Outcome<T> = Result<T, OperationError<Refusal>>;

/// The context of an operation that checks items in.
#[derive(Debug, Clone, Copy)]
pub struct Dock<'a> {
    pub context: Context<'a>,
    /// The cache of circulation's configuration.
    pub cache: &'a ConfigCache,
}

impl<'a> Dock<'a> {
    fn desk(&self) -> Desk<'a> {
        Desk {
            context: self.context,
            cache: self.cache,
        }
    }
}

async fn configuration(
    executor: &dyn Executor,
    context: &Context<'_>,
    id: Uuid,
) -> Result<Option<Configuration>, StoreError> {
    let collection = context.collection(CONFIGURATIONS);
    let found = fetch(executor, context.tenant, collection, id).await?;
    Ok(found.map(|document| Configuration::of(id, &document)))
}

/// What inventory did not do.
fn of_inventory(refusal: octavo_inventory::app::Refusal) -> OperationError<Refusal> {
    match refusal {
        octavo_inventory::app::Refusal::Store(error) => OperationError::Store(error),
        other => OperationError::Refused(Refusal::Elsewhere(other.to_string())),
    }
}

/// What circulation did not do.
fn of_circulation(declined: Declined) -> OperationError<Refusal> {
    match declined {
        Declined::Store(error) => OperationError::Store(error),
        Declined::Refused(refusals) => {
            let messages = refusals.iter().map(|one| {
                let error = one.to_error();
                error["message"].as_str().unwrap_or_default().to_owned()
            });
            let message = messages.collect::<Vec<_>>().join("; ");
            OperationError::Refused(Refusal::Elsewhere(message))
        }
        other => OperationError::Refused(Refusal::Elsewhere(other.to_string())),
    }
}

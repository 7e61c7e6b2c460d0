//! The demo library: small, the same everywhere, loaded into the demo's tenant or any other.

use std::sync::Arc;

use octavo_platform::Platform;
use octavo_platform::tenants::{SampleData, SampleLoading};
use octavo_records::{StoreError, Tenant};

use super::documents;

/// The seed of the demo's library: the same library everywhere.
const SEED: u64 = 42;

/// The demo library as the platform's sample data.
#[derive(Debug, Clone, Copy)]
pub struct DemoLibrary;

impl SampleData for DemoLibrary {
    fn load(&self, platform: Arc<Platform>, tenant: Tenant) -> SampleLoading {
        Box::pin(async move {
            let now = jiff::Timestamp::now();
            let library = octavo_demo::small_library(SEED, now, octavo_demo::Policies::default());
            documents::load(&platform, &tenant, library, None)
                .await
                .map_err(|error| told(&error, &tenant))
        })
    }
}

fn told(error: &anyhow::Error, tenant: &Tenant) -> String {
    let id = tenant.id();
    match error.downcast_ref::<StoreError>() {
        Some(StoreError::Duplicate { .. }) => format!(
            "tenant {id} holds records of the demo library already ({error}); nothing was loaded"
        ),
        Some(StoreError::MissingReference { .. }) => format!(
            "tenant {id} lacks reference data that the demo library builds on ({error}); nothing \
             was loaded"
        ),
        _ => format!("{error:#}"),
    }
}

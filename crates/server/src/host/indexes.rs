//! Indexes that an upgrade adds to large tables: made in the background, tenant by tenant, while the
//! tenants are served.

use std::sync::Arc;
use std::time::Duration;

use octavo_platform::Platform;
use octavo_records::Tenant;

/// The pause after which a build that broke off is begun again.
const AGAIN_AFTER: Duration = Duration::from_secs(30);

/// Makes them, however often the database has to be asked.
pub async fn run(platform: Arc<Platform>, tenants: Vec<Tenant>) {
    for tenant in tenants {
        loop {
            match platform.store.build_indexes(&tenant, &|_| ()).await {
                Ok(builds) => {
                    tracing::info!(
                        tenant = tenant.id(),
                        made = builds.made.len(),
                        failed = builds.problems.len(),
                        "the tenant's indexes are up to date"
                    );
                    break;
                }
                Err(error) => {
                    tracing::warn!(
                        tenant = tenant.id(),
                        %error,
                        "making indexes broke off; it goes on in half a minute"
                    );
                    tokio::time::sleep(AGAIN_AFTER).await;
                }
            }
        }
    }
}

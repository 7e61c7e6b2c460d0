//! The composed product for tests: a running library for a test, with stock, patrons and staff, and
//! the invariants of its records afterwards. Tests of areas and of the server share it.

pub mod export;
pub mod load;
pub mod people;
pub mod stock;
mod traced;

use std::time::Duration;

use octavo_circulation::store::Tables;
use octavo_circulation::store::invariants::examine_with;
use octavo_host::compose;
use octavo_login::app::set_up_administrator::set_up_administrator;
use octavo_platform::tenants::NewTenant;
use octavo_platform::{Composition, Platform};
use octavo_records::Tenant;
use octavo_testkit::{Library, PASSWORD, USERNAME};

pub use people::{reader, staff};
pub use traced::traced;

/// The composition with default settings.
#[must_use]
pub fn composition() -> Composition {
    compose::composition(vec![7; 32])
}

/// The composition with optimistic locking suppressible until an instant.
///
/// # Panics
/// When `until` is not an instant.
#[must_use]
pub fn allowing(until: &str) -> Composition {
    let mut composition = composition();
    composition.limits.suppress_locking_until = Some(until.parse().expect("an instant"));
    composition
}

/// A running library with FOLIO's reference data and an administrator.
pub async fn library() -> Library {
    start(composition).await
}

/// The same; its administrator is an operator, since traces and profiles are only for operators.
pub async fn operated() -> Library {
    start(|| {
        let mut composition = composition();
        composition.governance.operators.push("diku".to_owned());
        composition
    })
    .await
}

/// The same with another composition.
///
/// # Panics
/// When the administrator cannot be made.
pub async fn start(compose: fn() -> Composition) -> Library {
    // The server's log is shown with a test that fails.
    let _ = tracing_subscriber::fmt().with_test_writer().try_init();
    Library::start(compose, |platform, tenant| async move {
        set_up_administrator(&platform, &tenant, USERNAME, PASSWORD)
            .await
            .expect("the administrator can be made");
    })
    .await
}

/// A further tenant with an administrator.
///
/// # Panics
/// When it cannot be made.
pub async fn make_tenant(platform: &Platform, id: &str) -> Tenant {
    let new = NewTenant::default();
    let made = platform.tenants.create(id, &new).await;
    let tenant = made.expect("a tenant");
    let is_new = set_up_administrator(platform, &tenant, USERNAME, PASSWORD).await;
    assert!(is_new.expect("an administrator"));
    tenant
}

/// Polls until the condition holds, at most 10 s.
///
/// # Panics
/// When it does not happen.
pub async fn until<F: Future<Output = bool>>(condition: impl Fn() -> F) {
    let deadline = tokio::time::Instant::now() + Duration::from_secs(10);
    while !condition().await {
        assert!(
            tokio::time::Instant::now() < deadline,
            "it did not happen within 10 s"
        );
        tokio::task::yield_now().await;
    }
}

/// Asserts what `octavo doctor` checks: loans, items, requests and their histories agree.
///
/// # Panics
/// When they do not.
pub async fn assert_in_order(library: &Library) {
    let store = &library.platform.store;
    let tenant = library.tenant();
    let tables = Tables {
        tenant: &tenant,
        catalog: &store.catalog,
    };
    let more = octavo_host::compose::invariants(tables);
    let findings = examine_with(&store.database, tables, more, |_| ()).await;
    let findings = findings.expect("the tenant can be examined");
    assert!(findings.len() >= 9);
    for finding in findings {
        assert_eq!(finding.faults, 0, "{finding:?}");
    }
}

//! The composed product for tests: a running library of a test's own, stock, patrons and staff in it, and what must
//! hold of its records afterwards. Tests of areas and of the server share it.

pub mod export;
pub mod load;
pub mod people;
pub mod stock;

use std::time::Duration;

use octavo_circulation::store::Tables;
use octavo_circulation::store::invariants::examine;
use octavo_host::compose;
use octavo_login::app::set_up_administrator::set_up_administrator;
use octavo_platform::tenants::NewTenant;
use octavo_platform::{Composition, Platform};
use octavo_records::Tenant;
use octavo_testkit::{Library, PASSWORD, USERNAME};

pub use people::{reader, staff};

/// The composition of an operator who sets nothing.
#[must_use]
pub fn composition() -> Composition {
    compose::composition(vec![7; 32])
}

/// The composition of an operator who allows optimistic locking to be suppressed until an instant.
///
/// # Panics
/// When `until` is no instant.
#[must_use]
pub fn allowing(until: &str) -> Composition {
    let mut composition = composition();
    composition.limits.suppress_locking_until = Some(until.parse().expect("an instant"));
    composition
}

/// A running library of one's own with FOLIO's reference data and an administrator.
pub async fn library() -> Library {
    start(composition).await
}

/// The same, whose administrator runs the installation: traces and profiles are for those only.
pub async fn operated() -> Library {
    start(|| {
        let mut composition = composition();
        composition.governance.operators.push("diku".to_owned());
        composition
    })
    .await
}

/// The same of another composition.
///
/// # Panics
/// When the administrator cannot be made.
pub async fn start(compose: fn() -> Composition) -> Library {
    // What the server logs is shown with a test that fails.
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

/// Waits for something that another task brings about, at most 10 s.
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

/// Asserts what `octavo doctor` asks: loans, items, requests and their histories agree.
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
    let findings = examine(&store.database, tables, |_| ()).await;
    let findings = findings.expect("the tenant can be examined");
    assert!(findings.len() >= 9);
    for finding in findings {
        assert_eq!(finding.faults, 0, "{finding:?}");
    }
}

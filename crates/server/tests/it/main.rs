//! The composed product over HTTP on real PostgreSQL, one module an area.

mod abuse;
mod access;
mod audit;
mod bad_input;
mod calendar;
mod circulation;
mod compatibility;
mod configuration;
mod credentials;
mod declarations;
mod demo;
mod facts;
mod fees;
mod gateway;
mod guard;
mod indexes;
mod inventory;
mod isolation;
mod limits;
mod notes;
mod notices;
mod okapi;
mod openapi;
mod permissions;
mod records;
mod release;
mod search;
mod settings;
mod shapes;
mod source_records;
mod stock;
mod tags;
mod tenants;
mod tidy;
mod tokens;
mod traces;
mod user_import;
mod users;
mod users_bl;
mod wire;

use octavo_login::app::set_up_administrator::set_up_administrator;
use octavo_platform::Composition;
use octavo_server::compose;
use octavo_testkit::{Library, PASSWORD, USERNAME};

/// A running library of one's own with FOLIO's reference data and an administrator.
async fn library() -> Library {
    start(composition).await
}

/// The composition of an operator who allows optimistic locking to be suppressed until an instant.
fn allowing(until: &str) -> Composition {
    let mut composition = composition();
    composition.limits.suppress_locking_until = until.parse().ok();
    composition
}

async fn start(compose: fn() -> Composition) -> Library {
    // What the server logs is shown with a test that fails.
    let _ = tracing_subscriber::fmt().with_test_writer().try_init();
    Library::start(compose, |platform, tenant| async move {
        set_up_administrator(&platform, &tenant, USERNAME, PASSWORD)
            .await
            .expect("the administrator can be made");
    })
    .await
}

/// The same, whose administrator runs the installation: traces and profiles are for those only.
async fn operated() -> Library {
    start(|| {
        let mut composition = composition();
        composition.governance.operators.push("diku".to_owned());
        composition
    })
    .await
}

fn composition() -> Composition {
    compose::composition(vec![7; 32])
}

//! MARC from one end to the other over HTTP on real PostgreSQL: source records, mapping, import,
//! editing, authorities and export.

mod authorities;
mod cataloging;
mod export;
mod hostile;
mod jobs;
mod load;
mod profiles;
mod serials;
#[expect(dead_code, reason = "the suite of all areas uses the rest")]
#[path = "../it/stock.rs"]
mod stock;
mod storage;

use octavo_login::app::set_up_administrator::set_up_administrator;
use octavo_platform::Composition;
use octavo_server::compose;
use octavo_testkit::{Library, PASSWORD, USERNAME};

/// A running library of one's own with FOLIO's reference data and an administrator.
async fn library() -> Library {
    // What the server logs is shown with a test that fails.
    let _ = tracing_subscriber::fmt().with_test_writer().try_init();
    Library::start(composition, |platform, tenant| async move {
        set_up_administrator(&platform, &tenant, USERNAME, PASSWORD)
            .await
            .expect("the administrator can be made");
    })
    .await
}

fn composition() -> Composition {
    compose::composition(vec![7; 32])
}

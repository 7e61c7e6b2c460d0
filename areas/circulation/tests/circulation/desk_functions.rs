//! The functions that read and write what an act at the desk is about.

use std::path::Path;

use octavo_circulation::collections::{OPEN, QUEUE_OF_ITEM, QUEUE_OF_TITLE};
use octavo_circulation::store::view::request_views;
use octavo_configuration::store::tenant::locale_text;
use octavo_records::expression::key;
use octavo_records::{Tables, Tenant};
use octavo_server_testkit::library;

/// Where the view changes, a new step has to replace the function. Before it has landed, `OCTAVO_WRITE=1` writes it.
#[tokio::test]
async fn the_function_of_request_views_has_the_statement_of_the_view() {
    let library = library().await;
    let tenant = Tenant::new("diku").expect("a tenant's id");
    let tables = Tables {
        tenant: &tenant,
        catalog: &library.platform.store.catalog,
    };
    let expected = request_views(tables);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/migrations/request_views.sql");
    if std::env::var_os("OCTAVO_WRITE").is_some() {
        std::fs::write(&path, &expected).expect("the step can be written");
    }
    let step = std::fs::read_to_string(&path).expect("the step is there");
    assert!(
        step == expected,
        "request_views.sql is not the view:\n{expected}"
    );
}

/// The migration is text that has landed, and the indexes are declared elsewhere: where one of them
/// changes, a look-up of the desk would read whole tables. Then a new step has to replace the function.
#[tokio::test]
async fn the_look_ups_of_the_desk_are_in_the_words_of_the_declared_indexes() {
    let sql = include_str!("../../src/migrations/desk_facts.sql");
    let library = library().await;
    let tenant = Tenant::new("diku").expect("a tenant's id");
    let tables = Tables {
        tenant: &tenant,
        catalog: &library.platform.store.catalog,
    };
    let queue = |name: &str, of: &str| {
        let key = key(tables.index("request", name));
        format!(
            "{key} >= ({of} || ' ') COLLATE \"C\" AND {key} < ({of} || '!') COLLATE \"C\" AND {}",
            tables.condition("request", OPEN)
        )
    };
    for look_up in [
        tables.equals("item", "barcode", "item_barcode"),
        tables.equals("users", "barcode", "patron_barcode"),
        tables.equals("users", "barcode", "proxy_barcode"),
        tables.equals("manualblocks", "userId", "patron_id::text"),
        tables.equals("proxyfor", "userId", "patron_id::text"),
        tables.equals("loan", "itemId", "item_id::text"),
        tables.equals("accounts", "loanId", "loan->>'id'"),
        queue(QUEUE_OF_ITEM, "item_id::text"),
        queue(QUEUE_OF_TITLE, "instance_id::text"),
        locale_text(tables.tenant, tables.catalog),
    ] {
        let schema = format!("{}.", tables.tenant.schema());
        let look_up = look_up.replace(&schema, "{schema}.");
        assert!(sql.contains(&look_up), "desk_facts.sql lacks {look_up}");
        // `short_queue` replaced a function of it.
        let replaced = sql.find("CREATE FUNCTION {schema}.desk_facts(");
        let was_in_it = sql.find(&look_up) < replaced;
        let standing = include_str!("../../src/migrations/short_queue.sql");
        assert!(
            !was_in_it || standing.contains(&look_up),
            "short_queue.sql lacks {look_up}"
        );
    }
}

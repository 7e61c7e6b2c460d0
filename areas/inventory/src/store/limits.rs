//! Checks that the statements replayed by benches are those of the views: perf's `limit.sql` files are
//! generated from them (`OCTAVO_WRITE=1 cargo test -p octavo-inventory limits`).

use std::fmt::Write as _;
use std::path::PathBuf;

use octavo_records::Catalog;
use octavo_records::plan::compile;

use super::item_view;
use crate::collections;

/// Statements of one round of pgbench, each with a barcode of its own.
const GROUP: usize = 20;

#[test]
fn the_limit_of_items_by_barcode_is_the_views_own_statement() {
    let all = collections::all().into_iter().map(Into::into).collect();
    let catalog = Catalog::new(all).expect("the collections fit together");
    let item = catalog.get("item").expect("items are declared");
    let query = octavo_cql::parse("barcode==\"1\"").expect("CQL");
    let plan = compile(&query, item, &catalog).expect("a plan");
    let sql = item_view::page("tenant_bench", &plan, 10, 0);
    assert_eq!(sql.parameters.len(), 2, "barcode and limit: {}", sql.text);
    assert!(!plan.predicate.depends_on_values(sql.is_sorted()));

    let mut expected = String::from(
        "-- The statement behind GET /inventory/items?query=barcode==…, twenty times with barcodes from\n\
         -- the feed, which one more statement brings. Written by a test of areas/inventory (limits.rs).\n\
         \\set n random(1, :rows)\n",
    );
    let values: Vec<String> = (1..=GROUP).map(|n| format!("v[{n}] AS v{n}")).collect();
    let _ = writeln!(
        expected,
        "SELECT {} FROM bench.feed WHERE n = :n \\gset",
        values.join(", ")
    );
    for n in 1..=GROUP {
        let text = sql.text.replace("$1::", &format!(":v{n}::"));
        let _ = writeln!(expected, "{};", text.replace("$2::", ":limit::"));
    }
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../perf/inventory-item-by-barcode/limit.sql");
    if std::env::var_os("OCTAVO_WRITE").is_some() {
        std::fs::write(&path, &expected).expect("the limit can be written");
    }
    let stands = std::fs::read_to_string(&path).expect("the claim has a limit");
    assert!(
        stands == expected,
        "perf/inventory-item-by-barcode/limit.sql is not what the view asks; write it with \
         OCTAVO_WRITE=1 cargo test -p octavo-inventory limits"
    );
}

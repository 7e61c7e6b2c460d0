//! The backfill of a tenant whose records are older than the search tables.

use serde_json::json;

use super::{SEARCH, Shelf};

#[tokio::test]
async fn records_of_an_earlier_release_are_taken_up() {
    let shelf = Shelf::new().await;
    let more = json!({"subjects": [{"value": "Early things"}]});
    let old = shelf.instance("Early record", more).await;
    let holdings = shelf.holdings(&old, "QA76 .B2").await;
    shelf.item(&holdings, "early").await;
    let schema = shelf.library.tenant().schema().to_owned();
    let tables = [
        "search_instance",
        "search_holdings",
        "search_item",
        "browse_heading",
        "browse_call_number",
    ];
    // As an upgrade leaves it: the records without rows.
    for table in tables {
        shelf.sql(&format!("DELETE FROM {schema}.{table}")).await;
    }
    shelf
        .sql(&format!("UPDATE {schema}.search_fill SET done = false"))
        .await;
    assert_eq!(shelf.titles("title all early").await, [""; 0]);
    // What changes before it is taken up is found at once, and is not taken up twice.
    let changed = json!({"title": "Early record, changed"});
    shelf.change(super::INSTANCES, &old, changed).await;
    let item = "items.status.name==Available";
    assert_eq!(shelf.titles(item).await, [""; 0]);
    let both = tokio::join!(shelf.fill(), shelf.fill());
    assert_eq!(both, (204, 204));
    assert_eq!(
        shelf.titles("title all early").await,
        ["Early record, changed"]
    );
    assert_eq!(shelf.titles(item).await, ["Early record, changed"]);
    assert_eq!(
        shelf
            .titles("holdingsNormalizedCallNumbers==qa76b2")
            .await
            .len(),
        1
    );
    let query = "value >= early or value < early";
    let page = shelf
        .found("/browse/subjects/instances", &[("query", query)])
        .await;
    assert_eq!(page["items"][1]["value"], "Early things");
    assert_eq!(page["items"][1]["totalRecords"], 1);
    let left = format!("SELECT count(*) FROM {schema}.search_fill WHERE NOT done");
    assert_eq!(shelf.sql(&left).await, [0]);
    let found = shelf.found(SEARCH, &[("query", "cql.allRecords=1")]).await;
    assert_eq!(found["totalRecords"], 2);
}

#[tokio::test]
async fn a_fresh_tenant_has_nothing_to_take_up() {
    let shelf = Shelf::new().await;
    let schema = shelf.library.tenant().schema().to_owned();
    let left = format!("SELECT count(*) FROM {schema}.search_fill WHERE NOT done");
    assert_eq!(shelf.sql(&left).await, [0]);
}

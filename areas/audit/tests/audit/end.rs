//! The end of old entries by the timer of every night.

use octavo_server_testkit::library;
use octavo_server_testkit::stock::Stock;
use octavo_testkit::Library;
use serde_json::json;

use super::shop::Shop;
use super::{change, changes, events, number, run, timer};

const TIMER: &str = "/audit-data/cleanup/timer";
const PERIOD: &str = "/audit/config/groups/audit.inventory/settings/records.retention.period";

async fn age(library: &Library) {
    for table in ["audit_inventory", "audit_marc"] {
        run(
            library,
            &format!("UPDATE {{schema}}.{table} SET event_date = event_date - interval '40 days'"),
        )
        .await;
    }
    run(
        library,
        "UPDATE {schema}.audit_acquisition SET event_date = event_date - interval '40 days'",
    )
    .await;
}

#[tokio::test]
async fn entries_go_when_they_are_older_than_the_setting_says() {
    let library = library().await;
    let client = library.client().await;
    let stock = Stock::new(client.clone()).await;
    let route = format!("instance/{}", stock.instance);
    assert_eq!(changes(&client, &route).await.len(), 1);
    age(&library).await;
    let path = format!("/instance-storage/instances/{}", stock.instance);
    change(&client, &path, |one| one["title"] = json!("new")).await;
    let server = library.beside(octavo_server_testkit::composition).await;
    // They are kept for ever unless somebody says otherwise.
    assert_eq!(timer(&server, &library, TIMER).await, 204);
    assert_eq!(changes(&client, &route).await.len(), 2);
    let period = |days: i64| json!({"groupId": "audit.inventory", "key": "records.retention.period", "type": "INTEGER", "value": days});
    let _ = client.put(PERIOD, &period(60)).await.expect(204);
    assert_eq!(timer(&server, &library, TIMER).await, 204);
    assert_eq!(changes(&client, &route).await.len(), 2);
    let _ = client.put(PERIOD, &period(30)).await.expect(204);
    assert_eq!(timer(&server, &library, TIMER).await, 204);
    let left = changes(&client, &route).await;
    assert_eq!(left.len(), 1);
    assert_eq!(left[0]["action"], "UPDATE");
    assert_eq!(
        number(
            &library,
            "SELECT count(*) AS number FROM {schema}.audit_inventory"
        )
        .await,
        1
    );
}

#[tokio::test]
async fn entries_about_acquisitions_stay() {
    let shop = Shop::new().await;
    let route = format!("organization/{}", shop.vendor);
    let list = "organizationAuditEvents";
    assert_eq!(events(&shop.client, &route, list).await.len(), 1);
    age(&shop.library).await;
    let body = json!({"groupId": "audit.inventory", "key": "records.retention.period", "type": "INTEGER", "value": 1});
    let _ = shop.client.put(PERIOD, &body).await.expect(204);
    let server = shop
        .library
        .beside(octavo_server_testkit::composition)
        .await;
    assert_eq!(timer(&server, &shop.library, TIMER).await, 204);
    assert_eq!(events(&shop.client, &route, list).await.len(), 1);
}

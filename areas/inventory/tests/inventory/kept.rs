//! Deleted records are archived: in which form, and by every way of deletion.

use serde_json::{Value, json};

use super::{HOLDINGS, INSTANCES, Shelf, an_instance, another_title, post};

/// The archived records of a table, in the order of titles or ids.
async fn kept(shelf: &Shelf, table: &str) -> Vec<Value> {
    let sql = format!(
        "SELECT jsonb FROM tenant_diku.audit_{table} \
         ORDER BY jsonb#>>'{{record,title}}', jsonb#>>'{{record,hrid}}'"
    );
    let database = &shelf.library.platform.store.database;
    let rows = database.query(&sql, &[]).await.expect("it is kept");
    rows.iter().map(|row| row.get(0)).collect()
}

fn assert_kept(kept: &Value, record: &Value) {
    assert_eq!(kept["operation"], "D");
    assert_eq!(&kept["record"], record);
    assert!(kept["createdDate"].is_string() && kept["id"].is_string());
    assert_ne!(kept["id"], record["id"]);
}

#[tokio::test]
async fn deleted_instances_and_holdings_are_kept_with_what_they_were() {
    let shelf = Shelf::new().await;
    let (instance, holdings) = another_title(&shelf, "Tunnels").await;
    let as_it_was = shelf.read(HOLDINGS, &holdings).await;
    let _ = shelf
        .client
        .delete(&format!("{INSTANCES}/{instance}"))
        .await
        .expect(400);
    assert_eq!(kept(&shelf, "instance").await, [] as [Value; 0]);
    let _ = shelf
        .client
        .delete(&format!("{HOLDINGS}/{holdings}"))
        .await
        .expect(204);
    let audit = kept(&shelf, "holdings_record").await;
    assert_eq!(audit.len(), 1);
    assert_kept(&audit[0], &as_it_was);
    let as_it_was = shelf.read(INSTANCES, &instance).await;
    let path = format!("{INSTANCES}/{instance}");
    let _ = shelf.client.delete(&path).await.expect(204);
    let _ = shelf.client.delete(&path).await.expect(404);
    let audit = kept(&shelf, "instance").await;
    assert_eq!(audit.len(), 1);
    assert_kept(&audit[0], &as_it_was);
    // A change archives nothing.
    let mut other = shelf.read(INSTANCES, &shelf.instance).await;
    other["title"] = json!("Bridges, changed");
    let path = format!("{INSTANCES}/{}", shelf.instance);
    let _ = shelf.client.put(&path, &other).await.expect(204);
    assert_eq!(kept(&shelf, "instance").await.len(), 1);
}

#[tokio::test]
async fn what_a_query_deletes_is_kept_too_and_so_is_everything() {
    let shelf = Shelf::new().await;
    let client = &shelf.client;
    let mut stored = Vec::new();
    for title in ["Canals", "Docks"] {
        stored.push(post(client, INSTANCES, an_instance(title)).await);
    }
    let path = |of: &str, query: &str| format!("{of}?query={}", query.replace(' ', "%20"));
    let some = path(INSTANCES, "title==(Canals or Docks)");
    let _ = client.delete(&some).await.expect(204);
    let audit = kept(&shelf, "instance").await;
    assert_eq!(audit.len(), 2);
    for (kept, record) in audit.iter().zip(&stored) {
        assert_kept(kept, record);
    }
    let holdings = shelf.read(HOLDINGS, &shelf.holdings).await;
    let _ = client
        .delete(&path(HOLDINGS, "cql.allRecords=1"))
        .await
        .expect(204);
    let audit = kept(&shelf, "holdings_record").await;
    assert_eq!(audit.len(), 1);
    assert_kept(&audit[0], &holdings);
    let _ = client
        .delete(&path(INSTANCES, "cql.allRecords=1"))
        .await
        .expect(204);
    let titles: Vec<Value> = kept(&shelf, "instance")
        .await
        .into_iter()
        .map(|kept| kept["record"]["title"].clone())
        .collect();
    assert_eq!(titles, ["Bridges of the north", "Canals", "Docks"]);
}

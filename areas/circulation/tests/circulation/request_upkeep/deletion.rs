//! `DELETE /circulation/requests/{id}`, and of all.

use serde_json::json;
use uuid::Uuid;

use super::super::stocked;
use super::{REQUESTS, holds, places, request, status, titles};
use octavo_server_testkit::assert_in_order;
use octavo_server_testkit::stock::DVD;

#[tokio::test]
async fn a_deleted_request_leaves_no_gap_and_no_paged_item() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let item = stock.item("i-1").await;
    let ids = holds(&stock, &item, "p", 4).await;
    let _ = client
        .delete(&format!("{REQUESTS}/{}", ids[1]))
        .await
        .expect(204);
    let rest = [ids[0].clone(), ids[2].clone(), ids[3].clone()];
    assert_eq!(places(client, &rest).await, [Some(1), Some(2), Some(3)]);
    let paged = stock.item_of("i-2", DVD, "Paged").await;
    let who = stock.patron("p-9").await;
    let page = request(&stock, &paged, &who, 1, json!({"requestType": "Page"})).await;
    let path = format!("{REQUESTS}/{page}");
    let _ = client.delete(&path).await.expect(204);
    assert_eq!(status(client, &paged).await, "Available");
    let gone = client.delete(&path).await.expect(404);
    assert_eq!(
        gone.text,
        format!("requests record with ID \"{page}\" cannot be found")
    );
    let nobody = format!("{REQUESTS}/{}", Uuid::new_v4());
    let _ = client.delete(&nobody).await.expect(404);
    assert_in_order(&library).await;
    // The queue of a title closes up over its items.
    titles(client, true).await;
    let other = stock.item("i-3").await;
    let who = stock.patron("p-10").await;
    let last = request(&stock, &other, &who, 4, json!({})).await;
    let _ = client
        .delete(&format!("{REQUESTS}/{}", ids[0]))
        .await
        .expect(204);
    let rest = [ids[2].clone(), ids[3].clone(), last];
    assert_eq!(places(client, &rest).await, [Some(1), Some(2), Some(3)]);
    assert_in_order(&library).await;
    let _ = client.delete(REQUESTS).await.expect(204);
    let left = client.get(&format!("{REQUESTS}?limit=0")).await.expect(200);
    assert_eq!(left.json()["totalRecords"], 0);
}

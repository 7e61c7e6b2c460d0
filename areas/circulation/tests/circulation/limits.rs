//! Limits of patrons at several desks at once: none is passed between them.

use futures_util::future::join_all;
use octavo_testkit::Client;
use serde_json::json;
use uuid::Uuid;

use super::{IN, OUT, check_in, stocked};
use octavo_server_testkit::assert_in_order;
use octavo_server_testkit::stock::{CIRC_DESK_1, UNDERGRAD, check_out};

const CHARGED_OUT: &str = "3d7c52dc-c732-4223-8bf8-e5917801386f";
const ROUNDS: usize = 100;
const DESKS: usize = 3;
/// How many items a patron may have.
const LIMIT: usize = 2;

/// Blocks who has as many items as they may have.
async fn limit(client: &Client) {
    let path = format!("/patron-block-conditions/{CHARGED_OUT}");
    let mut condition = client.get(&path).await.expect(200).json();
    condition["blockBorrowing"] = json!(true);
    condition["message"] = json!("No more");
    let _ = client.put(&path, &condition).await.expect(204);
    let limit = json!({"id": Uuid::new_v4(), "patronGroupId": UNDERGRAD, "conditionId": CHARGED_OUT, "value": LIMIT});
    let _ = client
        .post("/patron-block-limits", &limit)
        .await
        .expect(201);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_limit_holds_for_all_desks_together() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    limit(client).await;
    let items: Vec<String> = (0..DESKS).map(|desk| format!("i-{desk}")).collect();
    for item in &items {
        let _ = stock.item(item).await;
    }
    for round in 0..ROUNDS {
        let patron = format!("p-{round}");
        let _ = stock.patron(&patron).await;
        let bodies: Vec<_> = items.iter().map(|item| check_out(item, &patron)).collect();
        let answers = join_all(bodies.iter().map(|body| client.post(OUT, body))).await;
        let lent = answers.iter().filter(|one| one.status == 201).count();
        assert_eq!(lent, LIMIT, "{round}");
        for refused in answers.iter().filter(|one| one.status != 201) {
            assert_eq!(refused.status, 422);
            let error = &refused.json()["errors"][0];
            assert_eq!(error["message"], "No more");
            assert_eq!(error["code"], "USER_IS_BLOCKED_AUTOMATICALLY");
        }
        for (item, answer) in items.iter().zip(&answers) {
            if answer.status == 201 {
                let body = check_in(item, CIRC_DESK_1);
                let _ = client.post(IN, &body).await.expect(200);
            }
        }
    }
    assert_in_order(&library).await;
}

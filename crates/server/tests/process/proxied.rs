//! A given database whose network fails: 503 while it does, service as before once it is mended.

use octavo_testkit::{FaultProxy, Upstream, database_url};

use crate::octavo::Octavo;
use crate::place::{DataDir, demo_database};
use crate::until;
use crate::writers::{Writers, all_are_there};

#[tokio::test]
async fn a_network_that_fails_costs_nothing_that_was_answered() {
    let (database, _) = demo_database().await;
    let proxy = FaultProxy::start(Upstream::of(&database.config())).await;
    let url = database_url(&proxy.config(&database.config()));
    let directory = DataDir::new();
    let octavo = Octavo::start(&["--database-url", &url, "--data-dir", directory.arg()]).await;
    let client = octavo.client().await;
    let writers = Writers::start(&client, 3);
    for round in 1..=2 {
        until("the clients write", || async {
            writers.seen().count(201) > 50 * round
        })
        .await;
        let refused = writers.seen().count(503);
        proxy.cut();
        until("the clients are refused", || async {
            writers.seen().count(503) > refused + 5
        })
        .await;
        let health = client.get("/admin/health").await.expect(503);
        assert_eq!(health.header("retry-after"), Some("1"));
        assert!(!health.text.contains("127.0.0.1"), "{}", health.text);
        // Who is no stranger is not taken for one because the database cannot be asked.
        let _ = client.get("/material-types").await.expect(503);
        let login = serde_json::json!({"username": "diku_admin", "password": "admin"});
        let _ = client.post("/authn/login", &login).await.expect(503);
        // The gateway itself does without.
        let _ = client.get("/_/version").await;
        proxy.restore();
        let written = writers.seen().count(201);
        until("the clients write again", || async {
            writers.seen().count(201) > written
        })
        .await;
    }
    let seen = writers.stop().await;
    println!("{:?}", seen.statuses);
    assert!(
        seen.statuses
            .keys()
            .all(|status| [201, 503].contains(status)),
        "{:?}",
        seen.statuses
    );
    assert_eq!(seen.without_retry_after, 0);
    all_are_there(&client, &seen.stored).await;
    octavo.logs("the notification connection is up again").await;
    assert!(!octavo.log().contains("ERROR"), "{}", octavo.log());
}

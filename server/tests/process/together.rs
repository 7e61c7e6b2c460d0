//! Two processes on one database act as one service.

use octavo_postgres::{Database, DatabaseOptions};
use octavo_testkit::Client;
use serde_json::json;

use crate::octavo::{Octavo, run};
use crate::place::{DataDir, demo_database};
use crate::until;
use octavo_server_testkit::stock::{Stock, check_out};

const ITEMS: &str = "/item-storage/items?limit=0";

#[tokio::test]
async fn two_processes_on_one_database() {
    let (database, url) = demo_database().await;
    let directories = [DataDir::new(), DataDir::new()];
    let first = Octavo::start(&["--database-url", &url, "--data-dir", directories[0].arg()]).await;
    let second = Octavo::start(&["--database-url", &url, "--data-dir", directories[1].arg()]).await;

    let client = first.client().await;
    let elsewhere = client.at(second.address());
    let _ = elsewhere.get(ITEMS).await.expect(200);

    one_item_is_lent_once(&client, &elsewhere).await;

    // A second user, whose permissions are changed while both processes have cached them.
    let variables = [("OCTAVO_ADMIN_PASSWORD", "second secret")];
    let command = [
        "tenant",
        "create",
        "diku",
        "--admin",
        "second",
        "--database-url",
        &url,
        "--data-dir",
    ];
    let made = run(
        &[&command[..], &[directories[0].arg()]].concat(),
        &variables,
    )
    .await;
    assert!(
        made.status.success() && !made.stdout.contains("second secret"),
        "{made:?}"
    );
    let user = Client::log_in(first.address(), "diku", "second", "second secret").await;
    let user_elsewhere = user.at(second.address());
    let _ = user.get(ITEMS).await.expect(200);
    let _ = user_elsewhere.get(ITEMS).await.expect(200);
    let found = client
        .query("/users", "username==second")
        .await
        .expect(200)
        .json();
    let mut record = found["users"][0].clone();
    grant(
        &database.config(),
        record["id"].as_str().expect("an id"),
        "[]",
    )
    .await;
    for one in [&user, &user_elsewhere] {
        until("the right is gone", || async {
            one.get(ITEMS).await.status == 403
        })
        .await;
    }
    let right = "[\"inventory-storage.items.collection.get\"]";
    grant(
        &database.config(),
        record["id"].as_str().expect("an id"),
        right,
    )
    .await;
    for one in [&user, &user_elsewhere] {
        until("the right is there", || async {
            one.get(ITEMS).await.status == 200
        })
        .await;
    }
    record["active"] = json!(false);
    let path = format!("/users/{}", record["id"].as_str().expect("an id"));
    let _ = client.put(&path, &record).await.expect(204);
    for one in [&user, &user_elsewhere] {
        until("the user is out", || async {
            one.get(ITEMS).await.status == 401
        })
        .await;
    }
}

/// Both desks try at the same moment, repeatedly.
async fn one_item_is_lent_once(client: &Client, elsewhere: &Client) {
    let stock = Stock::new(client.clone()).await;
    for patron in ["p-1", "p-2"] {
        let _ = stock.patron(patron).await;
    }
    for number in 0..10 {
        let barcode = format!("both-{number}");
        let item = stock.item(&barcode).await;
        let path = "/circulation/check-out-by-barcode";
        let (one, other) = (check_out(&barcode, "p-1"), check_out(&barcode, "p-2"));
        let (one, other) = tokio::join!(client.post(path, &one), elsewhere.post(path, &other));
        let mut statuses = [one.status, other.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [201, 422], "{} {}", one.text, other.text);
        let open = format!("(itemId=={item} and status.name==Open)");
        let open = elsewhere
            .query("/circulation/loans", &open)
            .await
            .expect(200)
            .json();
        assert_eq!(open["totalRecords"], 1);
    }
}

/// Changes a user's permissions by direct SQL, as another program would.
async fn grant(config: &octavo_postgres::Config, user: &str, permissions: &str) {
    let options = DatabaseOptions::new(config.clone());
    let database = Database::connect(options).await.expect("a connection");
    let sql = "UPDATE tenant_diku.permissions_users \
               SET jsonb = jsonb || jsonb_build_object('permissions', $2::text::jsonb) \
               WHERE jsonb->>'userId' = $1";
    assert_eq!(
        database
            .execute(sql, &[&user, &permissions])
            .await
            .expect("a change"),
        1
    );
}

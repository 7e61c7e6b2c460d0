//! Two tenants on one server know nothing of each other.

use octavo_testkit::Client;
use serde_json::json;

use crate::octavo::{Octavo, run};
use crate::place::{DataDir, demo_database};
use crate::stock::{Stock, check_out};

#[tokio::test]
async fn two_tenants_share_a_server_and_nothing_else() {
    let (_database, url) = demo_database().await;
    let directory = DataDir::new();
    let place = ["--database-url", &url, "--data-dir", directory.arg()];
    let octavo = Octavo::start(&place).await;
    // Made beside a running server, which learns of it.
    let command = [
        &["tenant", "create", "college", "--admin", "dean"],
        &place[..],
    ]
    .concat();
    let made = run(&command, &[]).await;
    assert!(made.status.success(), "{}", made.stderr);
    let password = made
        .stdout
        .split("password ")
        .nth(1)
        .and_then(|rest| rest.split(' ').next());
    let password = password.expect("the password, shown once").to_owned();
    let listed = run(&[&["tenant", "list", "--ids"], &place[..]].concat(), &[]).await;
    assert_eq!(listed.stdout, "college\ndiku\n");

    let college = Client::log_in(octavo.address(), "college", "dean", &password).await;
    let town = octavo.client().await;
    let stocks = [Stock::new(town).await, Stock::new(college).await];
    let mut items = Vec::new();
    for stock in &stocks {
        // The same barcodes in both.
        items.push(stock.item("shared").await);
        let _ = stock.patron("shared").await;
    }
    let out = "/circulation/check-out-by-barcode";
    let _ = stocks[0]
        .client
        .post(out, &check_out("shared", "shared"))
        .await
        .expect(201);
    for (stock, status) in stocks.iter().zip(["Checked out", "Available"]) {
        let found = stock
            .client
            .query("/item-storage/items", "barcode==shared")
            .await
            .expect(200)
            .json();
        assert_eq!(found["totalRecords"], 1);
        assert_eq!(found["items"][0]["status"]["name"], status);
    }
    let paths = [
        "/item-storage/items",
        "/users",
        "/circulation/loans",
        "/instance-storage/instances",
    ];
    for (stock, foreign) in [(&stocks[0], &stocks[1]), (&stocks[1], &stocks[0])] {
        // The other's token is worth nothing here, with either's header.
        let mut mixed = stock.client.clone();
        mixed.tenant.clone_from(&foreign.client.tenant);
        for path in paths {
            let answer = mixed.get(path).await.expect(403);
            assert!(
                answer.text.contains("not valid for tenant"),
                "{}",
                answer.text
            );
        }
        let answer = mixed
            .post("/material-types", &json!({"name": "smuggled"}))
            .await;
        let _ = answer.expect(403);
    }
    for (stock, id) in [(&stocks[0], &items[1]), (&stocks[1], &items[0])] {
        let _ = stock
            .client
            .get(&format!("/item-storage/items/{id}"))
            .await
            .expect(404);
        let found = stock
            .client
            .query("/item-storage/items", &format!("id=={id}"))
            .await;
        assert_eq!(found.expect(200).json()["totalRecords"], 0);
    }
    // The demo's records are the town's alone.
    let count = async |client: &Client, path: &str| {
        client
            .get(&format!("{path}?limit=0"))
            .await
            .expect(200)
            .json()["totalRecords"]
            .as_u64()
    };
    assert_eq!(
        count(&stocks[1].client, "/item-storage/items").await,
        Some(1)
    );
    assert_eq!(count(&stocks[1].client, "/users").await, Some(2));
    assert_eq!(
        count(&stocks[1].client, "/circulation/loans").await,
        Some(0)
    );
    assert!(count(&stocks[0].client, "/item-storage/items").await > Some(1_000));
    // A password of one does not open the other.
    let stranger = Client::new(octavo.address(), "diku");
    let body = json!({"username": "dean", "password": password});
    let _ = stranger.post("/authn/login", &body).await.expect(422);
}

#[tokio::test]
async fn a_tenant_that_cannot_be_is_refused() {
    let directory = DataDir::new();
    for (id, why) in [
        ("Diku", "may only contain a-z and 0-9"),
        ("1st", "must not start with a digit"),
        ("a_b", "must not contain underscore"),
        ("x'; DROP", "may only contain a-z and 0-9"),
        ("", "may only contain a-z and 0-9"),
    ] {
        for command in ["create", "upgrade", "purge"] {
            let arguments = ["tenant", command, id, "--data-dir", directory.arg()];
            let outcome = run(&arguments, &[]).await;
            assert_eq!(outcome.status.code(), Some(2), "{id}: {}", outcome.stdout);
            assert!(outcome.stderr.starts_with("octavo: "), "{}", outcome.stderr);
            assert!(outcome.stderr.contains(why), "{}", outcome.stderr);
        }
    }
    // Nobody can be asked here.
    let purge = ["tenant", "purge", "diku", "--data-dir", directory.arg()];
    let outcome = run(&purge, &[]).await;
    assert_eq!(outcome.status.code(), Some(2), "{}", outcome.stdout);
    assert!(outcome.stderr.contains("say --yes"), "{}", outcome.stderr);
    // Refused before anything was begun.
    assert!(!directory.path().join("cluster").exists());
}

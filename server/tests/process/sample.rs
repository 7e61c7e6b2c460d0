//! `octavo load sample`, beside a running server and without one.

use octavo_testkit::Client;

use crate::octavo::{Octavo, Outcome, run};
use crate::place::DataDir;
use crate::until;

async fn load(directory: &DataDir, more: &[&str]) -> Outcome {
    let command = [
        "load",
        "sample",
        "--items",
        "2000",
        "--patrons",
        "100",
        "--loans",
        "50",
    ];
    run(
        &[&command[..], &["--data-dir", directory.arg()], more].concat(),
        &[],
    )
    .await
}

async fn counts(client: &Client) -> Vec<u64> {
    let mut counts = Vec::new();
    for path in [
        "/item-storage/items",
        "/users",
        "/circulation/loans",
        "/instance-storage/instances",
    ] {
        let page = client
            .get(&format!("{path}?limit=0"))
            .await
            .expect(200)
            .json();
        counts.push(page["totalRecords"].as_u64().expect("a number"));
    }
    counts
}

#[tokio::test]
async fn a_sample_is_loaded_once_beside_a_server_and_without_one() {
    let directory = DataDir::of_demo().await;
    let arguments = ["--data-dir", directory.arg()];
    let mut octavo = Octavo::start(&arguments).await;
    let client = octavo.client().await;
    let before = counts(&client).await;
    let loaded = load(&directory, &[]).await;
    assert!(loaded.status.success(), "{}", loaded.stderr);
    assert!(loaded.stdout.contains("2000 item"), "{}", loaded.stdout);
    let after = counts(&client).await;
    let added: Vec<u64> = after
        .iter()
        .zip(&before)
        .map(|(after, before)| after - before)
        .collect();
    assert_eq!(added, [2_000, 100, 50, 1_334]);

    // The same sample again is refused, and changes nothing.
    let again = load(&directory, &[]).await;
    refused(&again);
    assert_eq!(counts(&client).await, after);
    // New records are numbered after those of the sample.
    let body = serde_json::json!({"title": "After", "source": "local",
        "instanceTypeId": client.get("/instance-types?limit=1").await.expect(200).json()
            ["instanceTypes"][0]["id"]});
    let _ = client
        .post("/instance-storage/instances", &body)
        .await
        .expect(201);
    octavo.terminate();
    octavo.ended_well().await;

    // A sample with another seed has the same barcodes.
    refused(&load(&directory, &["--seed", "2"]).await);
    assert_eq!(directory.postmaster(), None);

    // Without a server, with an embedded PostgreSQL that ends with the command.
    let again = load(&directory, &[]).await;
    refused(&again);
    assert_eq!(directory.postmaster(), None);
    let unknown = load(&directory, &["--tenant", "nowhere", "--seed", "2"]).await;
    assert_eq!(unknown.status.code(), Some(2));
    assert!(
        unknown.stderr.contains("octavo tenant create nowhere"),
        "{}",
        unknown.stderr
    );
    assert!(
        unknown.stderr.contains("there are: diku"),
        "{}",
        unknown.stderr
    );
    assert_eq!(directory.postmaster(), None);
}

#[tokio::test]
async fn a_sample_fills_a_directory_that_no_server_uses() {
    let directory = DataDir::of_demo().await;
    let loaded = load(&directory, &[]).await;
    assert!(loaded.status.success(), "{}", loaded.stderr);
    assert_eq!(directory.postmaster(), None);
    let octavo = Octavo::start(&["--data-dir", directory.arg()]).await;
    let client = octavo.client().await;
    let patron = client
        .query("/users", "username==patron000000100")
        .await
        .expect(200)
        .json();
    assert_eq!(patron["totalRecords"], 1, "{patron}");
    let sizes = load(&directory, &["--loans", "3000", "--seed", "3"]).await;
    assert_eq!(sizes.status.code(), Some(2));
}

#[tokio::test]
async fn orders_with_money_are_in_order_and_have_their_sums() {
    let directory = DataDir::of_demo().await;
    let loaded = load(&directory, &["--orders", "60", "--with-money"]).await;
    assert!(loaded.status.success(), "{}", loaded.stderr);
    let doctor = run(&["doctor", "--data-dir", directory.arg()], &[]).await;
    assert!(doctor.status.success(), "{}", doctor.stdout);
    let octavo = Octavo::start(&["--data-dir", directory.arg()]).await;
    let client = octavo.client().await;
    for (status, used, unused) in [
        ("Open", "totalEncumbered", "totalExpended"),
        ("Closed", "totalExpended", "totalEncumbered"),
    ] {
        let query = format!("workflowStatus=={status}");
        let path = "/orders-storage/purchase-orders";
        let found = client.query(path, &query).await.expect(200).json();
        let id = found["purchaseOrders"][0]["id"].as_str().expect("an id");
        let order = client.get(&format!("/orders/composite-orders/{id}")).await;
        let order = order.expect(200).json();
        assert!(order["totalEstimatedPrice"].as_f64() > Some(0.0));
        assert_eq!(order[used], order["totalEstimatedPrice"], "{status}");
        assert_eq!(order[unused].as_f64(), Some(0.0), "{status}");
    }
}

#[tokio::test]
async fn a_load_that_is_broken_off_stops_its_postgresql_and_keeps_nothing() {
    let directory = DataDir::of_demo().await;
    let command = [
        "load",
        "sample",
        "--items",
        "500000",
        "--data-dir",
        directory.arg(),
    ];
    let mut loading = Octavo::begin_command(&command, &[]);
    until("it has begun", || async {
        directory.postmaster().is_some()
    })
    .await;
    loading.terminate();
    assert_eq!(loading.ended().await.code(), Some(2), "{}", loading.log());
    until("PostgreSQL ends", || async {
        directory.postmaster().is_none()
    })
    .await;
    let octavo = Octavo::start(&["--data-dir", directory.arg()]).await;
    let patrons = octavo
        .client()
        .await
        .query("/users", "username==patron000000001")
        .await;
    assert_eq!(patrons.expect(200).json()["totalRecords"], 0);
}

#[track_caller]
fn refused(outcome: &Outcome) {
    assert_eq!(outcome.status.code(), Some(2), "{}", outcome.stdout);
    for part in ["already", "whatever its --seed", "Nothing was loaded"] {
        assert!(
            outcome.stderr.contains(part),
            "no {part:?} in {}",
            outcome.stderr
        );
    }
}

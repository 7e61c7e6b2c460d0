//! Tenants of the real program: two on one server are isolated, they are created and deleted beside
//! it, and many or broken ones do not delay it.

use octavo_postgres::{Database, DatabaseOptions};
use octavo_testkit::{Client, TestCluster, TestDatabase};
use serde_json::json;

use crate::octavo::{Octavo, Outcome, run};
use crate::place::{DataDir, demo_database};
use crate::until;
use octavo_server_testkit::stock::{Stock, check_out};

#[tokio::test]
async fn two_tenants_share_a_server_and_nothing_else() {
    let (_database, url) = demo_database().await;
    let directory = DataDir::new();
    let place = ["--database-url", &url, "--data-dir", directory.arg()];
    let octavo = Octavo::start(&place).await;
    // Created beside a running server, which is notified of it.
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
        // The other tenant's token is invalid here, with either header.
        let mut mixed = stock.client.clone();
        mixed.tenant.clone_from(&foreign.client.tenant);
        for path in paths {
            let answer = mixed.get(path).await.expect(403);
            assert_eq!(answer.text, "Invalid token");
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
    // Only the town has the demo's records.
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
    // A password of one is not valid for the other.
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
    // There is no terminal to confirm at.
    let purge = ["tenant", "purge", "diku", "--data-dir", directory.arg()];
    let outcome = run(&purge, &[]).await;
    assert_eq!(outcome.status.code(), Some(2), "{}", outcome.stdout);
    assert!(outcome.stderr.contains("say --yes"), "{}", outcome.stderr);
    // Refused before anything was started.
    assert!(!directory.path().join("cluster").exists());
}

/// Runs `octavo tenant` with the rest of its arguments.
async fn tenant(place: &[&str], arguments: &[&str]) -> Outcome {
    run(&[&["tenant"], arguments, place].concat(), &[]).await
}

#[tokio::test]
async fn tenants_are_made_listed_and_purged_beside_a_server() {
    let directory = DataDir::of_demo().await;
    let place = ["--data-dir", directory.arg()];
    let octavo = Octavo::start(&place).await;
    let made = tenant(
        &place,
        &["create", "sandbox", "--sample", "--name", "Sandbox"],
    )
    .await;
    assert!(made.status.success(), "{}", made.stderr);
    assert!(made.stdout.contains("records"), "{}", made.stdout);
    let empty = tenant(
        &place,
        &[
            "create",
            "empty",
            "--no-reference",
            "--description",
            "To be filled",
        ],
    )
    .await;
    assert!(empty.status.success(), "{}", empty.stderr);
    let listed = tenant(&place, &["list"]).await.stdout;
    let lines: Vec<&str> = listed.lines().collect();
    assert_eq!(lines.len(), 4, "{listed}");
    let column = lines[0].find("users").expect("a heading") + "users".len();
    for (line, id) in lines[1..].iter().zip(["diku", "empty", "sandbox"]) {
        assert!(line.starts_with(id), "{listed}");
        assert!(line.ends_with("up to date"), "{listed}");
        // The numbers end where their heading does.
        let users = line[..column].split_whitespace().last();
        let users = users.and_then(|number| number.parse::<u32>().ok());
        assert_eq!(users == Some(1), id == "empty", "{listed}");
    }
    let ids = tenant(&place, &["list", "--ids"]).await.stdout;
    assert_eq!(ids, "diku\nempty\nsandbox\n");

    let password = |outcome: &Outcome| {
        let (_, rest) = outcome.stdout.split_once("password ").expect("a password");
        rest.split(' ').next().expect("a word").to_owned()
    };
    let sandbox = Client::log_in(octavo.address(), "sandbox", "admin", &password(&made)).await;
    let items = sandbox.get("/item-storage/items?limit=0").await.expect(200);
    assert!(items.json()["totalRecords"].as_u64() > Some(1_000));
    let bare = Client::log_in(octavo.address(), "empty", "admin", &password(&empty)).await;
    let types = bare.get("/material-types?limit=0").await.expect(200);
    assert_eq!(types.json()["totalRecords"], 0);

    let purged = tenant(&place, &["purge", "sandbox", "--yes"]).await;
    assert!(purged.status.success(), "{}", purged.stderr);
    let said = "tenant sandbox (Sandbox) is removed: ";
    assert!(purged.stdout.starts_with(said), "{}", purged.stdout);
    // The server may be notified a moment later; but its query to the database fails all the same.
    let answer = sandbox.get("/item-storage/items?limit=0").await.expect(400);
    assert_eq!(answer.text, "No such Tenant sandbox");
    let again = tenant(&place, &["purge", "sandbox", "--yes"]).await;
    assert_eq!(again.status.code(), Some(2), "{}", again.stdout);
    let said = "there is no tenant sandbox (there are: diku, empty)";
    assert!(again.stderr.contains(said), "{}", again.stderr);
    // The same id again.
    let made = tenant(&place, &["create", "sandbox"]).await;
    assert!(made.status.success(), "{}", made.stderr);
    let sandbox = Client::log_in(octavo.address(), "sandbox", "admin", &password(&made)).await;
    let items = sandbox.get("/item-storage/items?limit=0").await.expect(200);
    assert_eq!(items.json()["totalRecords"], 0);
}

#[tokio::test]
async fn a_tenant_that_cannot_be_brought_up_to_date_keeps_no_server_from_starting() {
    let (database, url) = demo_database().await;
    let directory = DataDir::new();
    let place = ["--database-url", &url, "--data-dir", directory.arg()];
    let made = tenant(&place, &["create", "broken"]).await;
    assert!(made.status.success(), "{}", made.stderr);
    let options = DatabaseOptions::new(database.config());
    let other = Database::connect(options).await.expect("it answers");
    for sql in [
        "DELETE FROM tenant_broken.octavo_migrations WHERE id = 'outbox'",
        "UPDATE octavo.tenant SET prepared = NULL",
    ] {
        let _ = other.execute(sql, &[]).await.expect("it is done");
    }
    let octavo = Octavo::start(&place).await;
    let client = octavo.client().await;
    let _ = client.get("/users").await.expect(200);
    octavo.logs("could not be brought up to date").await;
    let broken = Client::new(octavo.address(), "broken");
    let answer = broken.get("/users").await.expect(503);
    assert!(answer.text.contains("log tells why"), "{}", answer.text);

    let upgraded = tenant(&place, &["upgrade"]).await;
    assert_eq!(upgraded.status.code(), Some(1), "{}", upgraded.stderr);
    let said = "tenant broken (1 of 2) could not be brought up to date: ";
    assert!(upgraded.stdout.contains(said), "{}", upgraded.stdout);
    let said = "tenant diku (2 of 2) is up to date";
    assert!(upgraded.stdout.contains(said), "{}", upgraded.stdout);
    let mend = "ALTER TABLE tenant_broken.outbox RENAME TO outbox_of_old; \
                ALTER INDEX tenant_broken.outbox_pkey RENAME TO old_pkey; \
                ALTER INDEX tenant_broken.outbox_event_ts_idx RENAME TO old_idx";
    let connection = other.connection().await.expect("a connection");
    connection.batch_execute(mend).await.expect("renamed");
    let upgraded = tenant(&place, &["upgrade", "broken"]).await;
    assert!(upgraded.status.success(), "{}", upgraded.stdout);
    assert!(
        upgraded.stdout.contains("is brought up to date: 1 steps"),
        "{}",
        upgraded.stdout
    );
    let _ = broken.get("/users").await.expect(401);
}

/// How many transactions a server runs from its start to its end.
async fn transactions_of_a_run(database: &TestDatabase, place: &[&str]) -> (i64, f64) {
    let cluster = TestCluster::shared();
    let elsewhere = Database::connect(DatabaseOptions::new(cluster.config("postgres"))).await;
    let elsewhere = elsewhere.expect("it answers");
    let count = async || {
        let sql = "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = $1";
        let name = database.name();
        let rows = elsewhere.query(sql, &[&name]).await.expect("a number");
        rows[0].get::<_, i64>(0)
    };
    let before = count().await;
    let mut octavo = Octavo::start(place).await;
    let seconds = octavo.start_seconds();
    octavo.terminate();
    octavo.ended_well().await;
    // A session's counts are published at its end at the latest.
    let sessions = "SELECT 1 FROM pg_stat_activity WHERE datname = $1";
    let name = database.name();
    until("its sessions end", async || {
        let left = elsewhere.query(sessions, &[&name]).await;
        left.expect("a list").is_empty()
    })
    .await;
    (count().await - before, seconds)
}

#[tokio::test]
async fn two_hundred_tenants_cost_a_start_nothing() {
    let (database, url) = demo_database().await;
    let directory = DataDir::new();
    let place = ["--database-url", &url, "--data-dir", directory.arg()];
    let _ = transactions_of_a_run(&database, &place).await;
    let (one, seconds_of_one) = transactions_of_a_run(&database, &place).await;
    {
        let options = DatabaseOptions::new(database.config());
        let other = Database::connect(options).await.expect("it answers");
        // They carry the mark of an upgrade, and have no tables that could be checked.
        let sql = "INSERT INTO octavo.tenant (id, name, prepared, indexed) \
                   SELECT 'many' || number, 'Many', prepared, indexed \
                   FROM octavo.tenant, generate_series(1, 200) AS number WHERE id = 'diku'";
        assert_eq!(other.execute(sql, &[]).await.expect("added"), 200);
        other.close();
    }
    let (many, seconds_of_many) = transactions_of_a_run(&database, &place).await;
    println!(
        "a start with one tenant: {seconds_of_one} s, {one} transactions; with 201: \
         {seconds_of_many} s, {many} transactions"
    );
    assert!(one > 0, "nothing was counted");
    // Apart from one for each tenant's old events, which are deleted while the tenants are served.
    assert!(many <= one + 200 + 20, "{many} transactions, not {one}");
    assert!(seconds_of_many < 10.0, "{seconds_of_many} s");
}

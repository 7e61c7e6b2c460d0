//! Secrets that must not be logged at any level: passwords, tokens, and loans of patrons.

use std::fs;

use octavo_testkit::Client;
use serde_json::json;

use crate::octavo::Octavo;
use crate::place::DataDir;
use octavo_server_testkit::stock::{Stock, check_out};

#[tokio::test]
async fn no_secret_is_logged_at_any_level() {
    let directory = DataDir::of_demo().await;
    for level in [
        "debug",
        "trace,tokio_postgres=trace,tokio_postgres::query=trace,h2=trace",
    ] {
        let arguments = ["--demo", "--data-dir", directory.arg()];
        let mut octavo = Octavo::start_with(&arguments, &[("OCTAVO_LOG", level)]).await;
        let client = octavo.client().await;
        let mark = if level == "debug" {
            "29999000001"
        } else {
            "29999000002"
        };
        work(&client, mark).await;
        octavo.terminate();
        octavo.ended_well().await;
        let log = octavo.log();
        // The level takes effect: our own crates log more, and no others.
        let ours = |line: &str| {
            line.contains("DEBUG request{id=") && line.contains(" octavo_platform::gateway: ")
        };
        assert!(log.lines().any(ours), "{log}");
        assert!(
            !log.contains("tokio_postgres") && !log.contains("h2::"),
            "{log}"
        );
        let postgresql = directory.path().join("postgresql.log");
        let postgresql = fs::read_to_string(postgresql).expect("PostgreSQL's log");
        let token = client.token.as_deref().expect("a token");
        let secrets = [
            token,
            "hunter2",
            "Brooke",
            "Dorothea",
            mark,
            "argon2",
            "user-2999",
        ];
        for secret in secrets {
            assert!(!log.contains(secret), "{secret} in octavo's log:\n{log}");
            assert!(
                !postgresql.contains(secret),
                "{secret} in PostgreSQL's log:\n{postgresql}"
            );
        }
    }
}

/// A day at the desk, with everything that can be refused.
async fn work(client: &Client, mark: &str) {
    let places = client
        .query("/locations", "code==\"T/C/M/S\"")
        .await
        .expect(200)
        .json();
    if places["totalRecords"] == 0 {
        let stock = Stock::new(client.clone()).await;
        let _ = stock.item("a book").await;
        let _ = stock.item("another book").await;
    }
    let patron = json!({"username": format!("user-{mark}"), "barcode": mark, "active": true,
        "patronGroup": octavo_server_testkit::stock::UNDERGRAD,
        "personal": {"lastName": "Brooke", "firstName": "Dorothea", "preferredContactTypeId": "002"}});
    let _ = client.post("/users", &patron).await.expect(201);
    // Taken barcodes, and PostgreSQL's messages about them, contain a patron's number.
    let _ = client.post("/users", &patron).await.expect(422);
    let out = "/circulation/check-out-by-barcode";
    let item = if mark.ends_with('1') {
        "a book"
    } else {
        "another book"
    };
    let _ = client.post(out, &check_out(item, mark)).await.expect(201);
    let _ = client.post(out, &check_out(item, mark)).await.expect(422);
    let _ = client
        .query("/users", &format!("barcode=={mark}"))
        .await
        .expect(200);
    let _ = client
        .query("/users", &format!("barcode=={mark} and ("))
        .await
        .expect(400);
    let stranger = client.with_token(None);
    for name in ["diku_admin", &format!("user-{mark}")] {
        let body = json!({"username": name, "password": "hunter2"});
        let _ = stranger.post("/authn/login", &body).await.expect(422);
    }
    let forged = client.with_token(Some("hunter2.hunter2.hunter2"));
    let _ = forged.get("/users").await.expect(401);
}

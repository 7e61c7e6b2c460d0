//! The keys that tokens are signed with, and sessions, among several processes on one database.

use std::fs;

use octavo_platform::token::{Claims, Signer, TokenKind};
use octavo_testkit::{Answer, Client};
use serde_json::json;
use uuid::Uuid;

use crate::octavo::{Octavo, Outcome, run};
use crate::place::{DataDir, demo_database};
use crate::until;

const ITEMS: &str = "/item-storage/items?limit=0";

async fn serve(url: &str, directory: &DataDir) -> Octavo {
    Octavo::start(&["--database-url", url, "--data-dir", directory.arg()]).await
}

async fn key(url: &str, directory: &DataDir, words: &[&str]) -> Outcome {
    let place = ["--database-url", url, "--data-dir", directory.arg()];
    run(&[&["key"], words, &place].concat(), &[]).await
}

/// The ids of all keys; the one that signs comes first.
async fn ids(url: &str, directory: &DataDir) -> Vec<String> {
    let listed = key(url, directory, &["list"]).await;
    assert!(listed.status.success(), "{listed:?}");
    let lines = listed.stdout.lines().skip(1);
    lines
        .map(|line| line.split(' ').next().expect("an id").to_owned())
        .collect()
}

fn cookie(answer: &Answer, name: &str) -> String {
    let cookies = answer.headers.get_all("set-cookie").iter();
    cookies
        .filter_map(|value| value.to_str().ok()?.split_once(';')?.0.split_once('='))
        .find(|(key, _)| *key == name)
        .map(|(_, value)| value.to_owned())
        .expect("a cookie")
}

/// A log-in with expiring tokens: a client with the access token, and the refresh token.
async fn session(octavo: &Octavo) -> (Client, String) {
    let stranger = Client::new(octavo.address(), "diku");
    let body = json!({"username": "diku_admin", "password": "admin"});
    let answer = stranger.post("/authn/login-with-expiry", &body).await;
    let answer = answer.expect(201);
    let access = cookie(&answer, "folioAccessToken");
    (
        stranger.with_token(Some(&access)),
        cookie(&answer, "folioRefreshToken"),
    )
}

async fn refresh(octavo: &Octavo, token: &str) -> Answer {
    let client = Client::new(octavo.address(), "diku");
    let request = client.request(reqwest::Method::POST, "/authn/refresh");
    let cookie = format!("folioRefreshToken={token}");
    client.send(request.header("cookie", cookie)).await
}

#[tokio::test]
async fn a_session_that_one_process_ends_is_over_at_the_other() {
    let (_database, url) = demo_database().await;
    let directories = [DataDir::new(), DataDir::new()];
    let first = serve(&url, &directories[0]).await;
    let second = serve(&url, &directories[1]).await;
    let (ours, token) = session(&first).await;
    let elsewhere = ours.at(second.address());
    let _ = elsewhere.get(ITEMS).await.expect(200);
    // A refresh token that was used at one process is used up at the other.
    let next = refresh(&second, &token).await.expect(201);
    let carried_on = ours.with_token(Some(&cookie(&next, "folioAccessToken")));
    let _ = carried_on.get(ITEMS).await.expect(200);
    let _ = carried_on
        .post("/authn/logout", &json!({}))
        .await
        .expect(204);
    // The very next request, to either process.
    for client in [
        &ours,
        &elsewhere,
        &carried_on,
        &carried_on.at(second.address()),
    ] {
        let _ = client.get(ITEMS).await.expect(401);
    }
    let _ = refresh(&first, &cookie(&next, "folioRefreshToken"))
        .await
        .expect(422);

    let (ours, token) = session(&first).await;
    let (other, _) = session(&second).await;
    let _ = other
        .post("/authn/logout-all", &json!({}))
        .await
        .expect(204);
    for client in [
        &ours,
        &ours.at(second.address()),
        &other,
        &other.at(first.address()),
    ] {
        let _ = client.get(ITEMS).await.expect(401);
    }
    let _ = refresh(&second, &token).await.expect(422);
    let (again, _) = session(&second).await;
    let _ = again.at(first.address()).get(ITEMS).await.expect(200);
}

#[tokio::test]
async fn keys_are_rotated_without_logging_anyone_out() {
    let (_database, url) = demo_database().await;
    let directories = [DataDir::new(), DataDir::new(), DataDir::new()];
    let first = serve(&url, &directories[0]).await;
    let second = serve(&url, &directories[1]).await;
    let before = ids(&url, &directories[2]).await;
    let endless = first.client().await;
    let (ours, token) = session(&first).await;

    let rotated = key(&url, &directories[2], &["rotate"]).await;
    assert!(rotated.status.success(), "{rotated:?}");
    let after = ids(&url, &directories[2]).await;
    assert_eq!(after.len(), before.len() + 1);
    assert!(rotated.stdout.contains(&after[0]) && after[1..] == before[..]);

    for client in [&endless, &ours] {
        let _ = client.get(ITEMS).await.expect(200);
        let _ = client.at(second.address()).get(ITEMS).await.expect(200);
    }
    let next = refresh(&second, &token).await.expect(201);
    let next = ours.with_token(Some(&cookie(&next, "folioAccessToken")));
    // Tokens signed with the new key are valid at the other process at once, without a
    // notification.
    let (new, _) = session(&second).await;
    let _ = new.at(first.address()).get(ITEMS).await.expect(200);
    let _ = next.at(first.address()).get(ITEMS).await.expect(200);

    // After another rotation the first key is removed: its tokens are invalid, all others are not.
    let refused = key(&url, &directories[2], &["remove", &after[0]]).await;
    assert!(!refused.status.success() && refused.stderr.contains("octavo key rotate"));
    let refused = key(&url, &directories[2], &["remove", "unknown"]).await;
    assert!(!refused.status.success() && refused.stderr.contains("octavo key list"));
    until("both sign with the new key", || async {
        let (new, _) = session(&first).await;
        new.token.as_deref().map(kid) == Some(after[0].clone())
    })
    .await;
    for old in &before {
        let removed = key(&url, &directories[2], &["remove", old]).await;
        assert!(removed.status.success(), "{removed:?}");
    }
    for octavo in [&first, &second] {
        for client in [&endless, &ours] {
            until("the old token is over", || async {
                client.at(octavo.address()).get(ITEMS).await.status == 401
            })
            .await;
        }
        let _ = new.at(octavo.address()).get(ITEMS).await.expect(200);
    }
    for said in [
        &rotated.stdout,
        &refused.stderr,
        &first.output(),
        &second.output(),
    ] {
        assert!(!said.contains("secret"), "{said}");
    }
}

/// The key's id in the header of a token.
fn kid(token: &str) -> String {
    let header = jsonwebtoken::decode_header(token).expect("a token");
    header.kid.expect("a key's name")
}

#[tokio::test]
async fn the_keys_of_earlier_releases_are_taken_over() {
    let (_database, url) = demo_database().await;
    // Two processes of an earlier release, each with a key of its own.
    let directories = [DataDir::new(), DataDir::new()];
    for (directory, byte) in directories.iter().zip([1, 2]) {
        fs::write(directory.path().join("signing.key"), [byte; 32]).expect("a file");
    }
    let first = serve(&url, &directories[0]).await;
    let second = serve(&url, &directories[1]).await;
    let client = first.client().await;
    let users = client.query("/users", "username==diku_admin").await;
    let user: Uuid = users.expect(200).json()["users"][0]["id"]
        .as_str()
        .and_then(|id| id.parse().ok())
        .expect("an id");
    for byte in [1, 2] {
        let claims = Claims {
            sub: "diku_admin".to_owned(),
            user_id: Some(user),
            tenant: "diku".to_owned(),
            kind: TokenKind::LegacyAccess,
            iat: jiff::Timestamp::now().as_second(),
            jti: Uuid::new_v4(),
            ..Claims::default()
        };
        let token = Signer::new(&[byte; 32]).sign(&claims).expect("a token");
        for octavo in [&first, &second] {
            let client = client.at(octavo.address()).with_token(Some(&token));
            let _ = client.get(ITEMS).await.expect(200);
        }
    }
    for directory in &directories {
        assert!(!directory.path().join("signing.key").exists());
        assert!(directory.path().join("signing.key.taken-over").exists());
    }
}

//! Tokens and log-ins over HTTP: which are issued and accepted, and when they expire.

mod attempts;
mod endless;
mod forged;
mod imported;
mod modules;
mod places;
mod refresh;
mod revoked;
mod storm;

use octavo_platform::Composition;
use octavo_platform::token::{Claims, Signer, TokenKind};
use octavo_testkit::{Answer, Client, Library, PASSWORD, USERNAME};
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use octavo_server_testkit::until;
use octavo_server_testkit::{composition, library, start};

/// A route that the administrator may call and nobody else.
const ITEMS: &str = "/item-storage/items?limit=0";
const FAR: i64 = 4_000_000_000;

/// The tokens of a log-in with expiry.
#[derive(Debug, Clone)]
struct Tokens {
    access: String,
    refresh: String,
}

/// The key of all tests' libraries.
fn signer() -> Signer {
    Signer::new(&[7; 32])
}

/// A cookie that an answer sets, whole.
fn set_cookie<'a>(answer: &'a Answer, name: &str) -> &'a str {
    answer
        .headers
        .get_all("set-cookie")
        .iter()
        .filter_map(|value| value.to_str().ok())
        .find(|cookie| cookie.split('=').next() == Some(name))
        .unwrap_or_else(|| panic!("no cookie {name}"))
}

fn cookie_value(answer: &Answer, name: &str) -> String {
    let cookie = set_cookie(answer, name);
    let pair = cookie.split(';').next().expect("a pair");
    pair.split_once('=').expect("a pair").1.to_owned()
}

fn tokens(answer: &Answer) -> Tokens {
    Tokens {
        access: cookie_value(answer, "folioAccessToken"),
        refresh: cookie_value(answer, "folioRefreshToken"),
    }
}

async fn log_in_as(library: &Library, username: &str, password: &str) -> Answer {
    let body = json!({"username": username, "password": password});
    library
        .stranger()
        .post("/authn/login-with-expiry", &body)
        .await
}

/// The administrator, logged in with tokens that end.
async fn log_in(library: &Library) -> Tokens {
    tokens(&log_in_as(library, USERNAME, PASSWORD).await.expect(201))
}

/// POST without a body but with cookies.
async fn post_cookies(client: &Client, path: &str, cookies: &str) -> Answer {
    let request = client
        .request(Method::POST, path)
        .header("cookie", cookies.to_owned());
    client.send(request).await
}

async fn refresh(library: &Library, token: &str) -> Answer {
    let cookie = format!("folioRefreshToken={token}");
    post_cookies(&library.stranger(), "/authn/refresh", &cookie).await
}

async fn status(library: &Library, token: &str) -> u16 {
    let client = library.stranger().with_token(Some(token));
    client.get(ITEMS).await.status
}

/// What a token says, without verifying it.
fn read(token: &str) -> Claims {
    let signer = signer();
    match signer.verify(token) {
        Ok(claims) => (*claims).clone(),
        Err(_) => signer.verify_ended_refresh(token).expect("one of ours"),
    }
}

/// Asserts on FOLIO's list of one error.
#[track_caller]
fn one_error(answer: &Answer, code: &str) -> Value {
    let body = answer.json();
    assert_eq!(body["errors"].as_array().map(Vec::len), Some(1), "{body}");
    assert_eq!(body["errors"][0]["code"], code, "{body}");
    assert_eq!(body["errors"][0]["type"], "error");
    body["errors"][0]["message"].clone()
}

/// A user with a password and no permission record.
async fn new_user(library: &Library, admin: &Client, username: &str, password: &str) -> Uuid {
    let id = Uuid::new_v4();
    let body = json!({"id": id, "username": username, "active": true,
                      "personal": {"lastName": "User", "preferredContactTypeId": "002"}});
    let _ = admin.post("/users", &body).await.expect(201);
    let (platform, tenant) = (&library.platform, library.tenant());
    octavo_login::app::set_password::set_password(
        platform,
        &tenant,
        id.into(),
        password.to_owned(),
    )
    .await
    .expect("a password");
    id
}

async fn run(library: &Library, sql: &str) -> u64 {
    let database = &library.platform.store.database;
    database.execute(sql, &[]).await.expect("a statement")
}

/// A composition whose settings are changed.
fn with(change: impl FnOnce(&mut Composition)) -> Composition {
    let mut composition = composition();
    change(&mut composition);
    composition
}

fn claims(user_id: Uuid, kind: TokenKind) -> Claims {
    Claims {
        sub: USERNAME.to_owned(),
        user_id: Some(user_id),
        tenant: "diku".to_owned(),
        kind,
        iat: jiff::Timestamp::now().as_second(),
        exp: Some(FAR),
        jti: Uuid::new_v4(),
        ..Claims::default()
    }
}

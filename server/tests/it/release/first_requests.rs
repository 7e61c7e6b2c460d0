//! A new tenant's first requests: before it has tokens, with unreadable tokens, and after its
//! permissions were purged.

use octavo_testkit::Client;
use serde_json::json;

use super::{all, counts, operated, operating};
use octavo_server_testkit::start;

#[tokio::test]
async fn header_names_are_written_as_folio_writes_them() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let (library, admin) = operated().await;
    let made = admin
        .post("/groups", &json!({"group": "guests"}))
        .await
        .expect(201);
    assert!(made.header("location").is_some());
    let body = json!({"username": "admin", "password": "wrong"}).to_string();
    let request = format!(
        "POST /authn/login HTTP/1.1\r\nhost: library\r\nx-okapi-tenant: diku\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut stream = tokio::net::TcpStream::connect(library.address)
        .await
        .expect("connected");
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("an answer");
    for name in [
        "\r\nContent-Type: ",
        "\r\nContent-Length: ",
        "\r\nX-Okapi-Request-Id: ",
    ] {
        assert!(answer.contains(name), "{name:?} in {answer}");
    }
}

/// FOLIO's integration suites create a tenant's first users so: without mod-authtoken nobody needs
/// a permission to assign one.
#[tokio::test]
async fn a_tenant_gets_its_first_users_before_it_gets_tokens() {
    let (library, admin) = operated().await;
    let tenant = json!({"id": "other"});
    let _ = admin.post("/_/proxy/tenants", &tenant).await.expect(201);
    let install = "/_/proxy/tenants/other/install";
    let steps = json!([
        {"id": "mod-users", "action": "enable"},
        {"id": "mod-permissions", "action": "enable"},
        {"id": "mod-login", "action": "enable"},
    ]);
    let _ = admin.post(install, &steps).await.expect(200);
    let mut anyone = library.stranger();
    anyone.tenant = "other".to_owned();
    let user = json!({"username": "first", "active": true, "personal": {"lastName": "First"}});
    let user = anyone.post("/users", &user).await.expect(201).json()["id"].clone();
    let given = json!({"userId": user, "permissions": ["okapi.all", "perms.all"]});
    let holder = anyone.post("/perms/users", &given).await.expect(201).json();
    let holder = holder["id"].as_str().expect("an id").to_owned();
    let path = format!("/perms/users/{holder}/permissions");
    let more = json!({"permissionName": "users.all"});
    let _ = anyone.post(&path, &more).await.expect(200);
    let password = json!({"userId": user, "username": "first", "password": "First-1234!"});
    let _ = anyone
        .post("/authn/credentials", &password)
        .await
        .expect(201);
    let tokens = json!([{"id": "mod-authtoken", "action": "enable"}]);
    let _ = admin.post(install, &tokens).await.expect(200);
    let _ = anyone.post("/perms/users", &given).await.expect(401);
    let first = Client::log_in(library.address, "other", "first", "First-1234!").await;
    let _ = first.get("/users").await.expect(200);
    // Once tokens are required, the permission is checked again.
    let more = json!({"permissionName": "octavo.all"});
    let _ = first.post(&path, &more).await.expect(403);
    // Without it requests would need no token: so it can only be disabled together with all other
    // modules.
    let all = all(&admin, "disable").await;
    let refused = admin.post(install, &all).await.expect(403);
    assert!(
        refused.text.starts_with("mod-authtoken-"),
        "{}",
        refused.text
    );
    let purging = format!("{install}?purge=true");
    let _ = admin.post(&purging, &all).await.expect(200);
    let _ = anyone.get("/users").await.expect(404);
}

#[tokio::test]
async fn a_token_that_names_no_tenant_is_reported_as_unreadable() {
    let (library, _) = operated().await;
    let http = reqwest::Client::new();
    for (token, expected) in [
        ("nonsense", "Invalid Token: Missing . separator for token"),
        ("a.b", "Invalid Token: Missing . separator for token"),
        ("a.!!.c", "Invalid Token: Illegal base64 character"),
        ("a.YWJj.c", "Invalid Token: Failed to decode"),
    ] {
        let url = format!("http://{}/users", library.address);
        let request = http.get(url).header("x-okapi-token", token);
        let answer = request.send().await.expect("an answer");
        assert_eq!(answer.status(), 400, "{token}");
        assert_eq!(answer.text().await.expect("a text"), expected);
        let named = library.stranger().with_token(Some(token));
        let refused = named.get("/users").await.expect(401);
        assert_eq!(refused.text, "Invalid token");
    }
}

#[tokio::test]
async fn permissions_that_are_purged_alone_come_again_with_all_modules() {
    let allowing = || {
        let mut composition = operating();
        composition.governance.allow_disable_auth = true;
        composition
    };
    let library = start(allowing).await;
    let admin = library.client().await;
    let tenant = json!({"id": "other"});
    let _ = admin.post("/_/proxy/tenants", &tenant).await.expect(201);
    let install = "/_/proxy/tenants/other/install";
    let enabled = json!([{"id": "mod-permissions", "action": "enable"},
                         {"id": "mod-tags", "action": "enable"}]);
    let _ = admin.post(install, &enabled).await.expect(200);
    let before = counts(&library, "other").await;
    assert!(before["permissions"] > 0 && before["permissions_announced"] > 0);
    let gone = json!([{"id": "mod-permissions", "action": "disable"}]);
    let purging = format!("{install}?purge=true");
    let _ = admin.post(&purging, &gone).await.expect(200);
    let purged = counts(&library, "other").await;
    for table in ["permissions", "permissions_users", "permissions_announced"] {
        assert_eq!(purged[table], 0, "{table}");
    }
    let _ = admin.post(install, &enabled).await.expect(200);
    let after = counts(&library, "other").await;
    assert_eq!(after["permissions"], before["permissions"]);
}

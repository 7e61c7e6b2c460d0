//! Authentication and authorization, and the responses to anonymous, forged and malformed requests.

use octavo_platform::token::{Claims, Signer, TokenKind};
use octavo_server_testkit::{reader, until};
use octavo_testkit::Library;
use reqwest::Method;
use serde_json::json;
use uuid::Uuid;

use octavo_server_testkit::library;

const ITEMS: &str = "/item-storage/items";

#[tokio::test]
async fn log_in_answers_as_folio_does() {
    let library = library().await;
    let stranger = library.stranger();
    let body = json!({"username": "diku_admin", "password": "admin"});
    let answer = stranger.post("/authn/login", &body).await.expect(201);
    let token = answer
        .header("x-okapi-token")
        .expect("the token's header")
        .to_owned();
    assert_eq!(answer.json()["okapiToken"], json!(token));

    let answer = stranger
        .post("/authn/login-with-expiry", &body)
        .await
        .expect(201);
    assert!(answer.json()["accessTokenExpiration"].is_string());
    let cookie = answer.header("set-cookie").expect("a cookie");
    for part in [
        "folioAccessToken=",
        "Max-Age=600",
        "Path=/",
        "HttpOnly",
        "Secure",
        "SameSite=",
    ] {
        assert!(cookie.contains(part), "{part} in {cookie}");
    }
    let value = cookie.split(';').next().expect("the cookie's value");
    let request = stranger.request(Method::GET, ITEMS).header("cookie", value);
    let _ = stranger.send(request).await.expect(200);
}

#[tokio::test]
async fn a_wrong_log_in_is_refused_alike_for_every_reason() {
    let library = library().await;
    let stranger = library.stranger();
    let mut messages = Vec::new();
    for (username, password) in [("diku_admin", "wrong"), ("nobody", "admin")] {
        let body = json!({"username": username, "password": password});
        let answer = stranger
            .post("/authn/login", &body)
            .await
            .expect(422)
            .json();
        let error = &answer["errors"][0];
        assert_eq!(
            error["code"],
            "wrong.username.or.wrong.password.or.account.blocked"
        );
        messages.push(error["message"].clone());
    }
    assert_eq!(messages[0], messages[1]);
    let answer = stranger
        .post("/authn/login", &json!({"username": "diku_admin"}))
        .await
        .expect(400);
    assert_eq!(answer.text, "You must provide a password");
    let answer = stranger
        .post("/authn/login", &json!({"password": "x"}))
        .await
        .expect(400);
    assert_eq!(answer.text, "You must provide a username or userId");
}

#[tokio::test]
async fn an_unknown_tenant_and_none_are_named() {
    let library = library().await;
    let mut client = library.stranger();
    client.tenant = "nowhere".to_owned();
    let answer = client.get(ITEMS).await.expect(400);
    assert_eq!(answer.text, "No such Tenant nowhere");
    client.tenant = "Robert'); DROP".to_owned();
    let _ = client.get(ITEMS).await.expect(400);
    let bare = reqwest::get(format!("{}{ITEMS}", client.url))
        .await
        .expect("an answer");
    assert_eq!(bare.status(), 400);
    assert_eq!(
        bare.text().await.expect("a body"),
        "Unable to process request Tenant must be set"
    );
}

#[tokio::test]
async fn tokens_that_are_missing_forged_or_ended_are_refused() {
    let library = library().await;
    let mut client = library.stranger();
    let answer = client.get(ITEMS).await.expect(401);
    assert_eq!(
        answer.text,
        "Token missing, access requires permission: inventory-storage.items.collection.get"
    );
    let user = admin_id(&library).await;
    let ours = Signer::new(&[7; 32]);
    let theirs = Signer::new(&[8; 32]);
    for (signer, exp, tenant, status, text) in [
        (&theirs, Some(i64::MAX), "diku", 401, "Invalid token"),
        (&ours, Some(1), "diku", 401, "Invalid token"),
        (&ours, Some(i64::MAX), "other", 403, "Invalid token"),
    ] {
        let claims = Claims {
            sub: "diku_admin".to_owned(),
            user_id: Some(user),
            tenant: tenant.to_owned(),
            kind: TokenKind::Access,
            exp,
            jti: Uuid::new_v4(),
            ..Claims::default()
        };
        client.token = Some(signer.sign(&claims).expect("a token"));
        let answer = client.get(ITEMS).await.expect(status);
        assert_eq!(answer.text, text);
    }
    client.token = Some("not.a.token".to_owned());
    let _ = client.get(ITEMS).await.expect(401);
}

#[tokio::test]
async fn two_different_tokens_are_one_too_many() {
    let library = library().await;
    let client = library.client().await;
    let request = client.request(Method::GET, ITEMS).bearer_auth("another");
    let answer = client.send(request).await.expect(400);
    assert_eq!(
        answer.text,
        "Different tokens in Authentication and X-Okapi-Token. Use only one of them"
    );
    let token = client.token.clone().expect("a token");
    let same = client.request(Method::GET, ITEMS).bearer_auth(token);
    let _ = client.send(same).await.expect(200);
}

#[tokio::test]
async fn permissions_are_asked_for_and_their_change_is_seen_at_once() {
    let library = library().await;
    let admin = library.client().await;
    let (client, user) = reader(&library, &admin).await;
    let answer = client.get(ITEMS).await.expect(403);
    assert_eq!(
        answer.text,
        format!(
            "Access for user 'reader' ({user}) requires permission: \
             inventory-storage.items.collection.get"
        )
    );
    // A set that contains the permission, assigned while the user is logged in.
    library
        .platform
        .store
        .database
        .execute(
            "INSERT INTO tenant_diku.permissions (id, jsonb) SELECT id, jsonb_build_object(
               'id', id, 'permissionName', 'desk',
               'subPermissions', '[\"inventory-storage.items.collection.get\"]'::jsonb)
             FROM gen_random_uuid() AS id",
            &[],
        )
        .await
        .expect("the set is stored");
    library
        .platform
        .store
        .database
        .execute(
            "UPDATE tenant_diku.permissions_users SET jsonb = jsonb || '{\"permissions\": [\"desk\"]}'
             WHERE jsonb->>'userId' = $1",
            &[&user.to_string()],
        )
        .await
        .expect("the permission is given");
    until(|| async { client.get(ITEMS).await.status == 200 }).await;
    // A deactivated user is refused, whatever the token says.
    let stored = admin
        .get(&format!("/users/{user}"))
        .await
        .expect(200)
        .json();
    let mut inactive = stored.clone();
    inactive["active"] = json!(false);
    let _ = admin
        .put(&format!("/users/{user}"), &inactive)
        .await
        .expect(204);
    until(|| async { client.get(ITEMS).await.status == 401 }).await;
}

#[tokio::test]
async fn unknown_paths_and_methods_are_refused() {
    let library = library().await;
    let client = library.client().await;
    let answer = client.get("/no/such/path").await.expect(404);
    assert_eq!(
        answer.text,
        "No suitable module found for path /no/such/path for tenant diku"
    );
    // As in Okapi, a path that exists only with other methods is not found.
    let _ = client.delete("/authn/login").await.expect(404);
    let _ = client.get("/item-storage/items/%ff%fe").await.expect(404);
}

#[tokio::test]
async fn preflights_need_no_token() {
    let library = library().await;
    let client = library.stranger();
    let request = client
        .request(Method::OPTIONS, "/circulation/check-in-by-barcode")
        .header("origin", "http://localhost:3000")
        .header("access-control-request-method", "POST");
    let answer = client.send(request).await.expect(204);
    assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
    assert!(answer.header("access-control-max-age").is_some());
}

#[tokio::test]
async fn the_gateway_shows_its_version_health_and_modules() {
    let library = library().await;
    let bare = |path: &str| reqwest::get(format!("http://{}{path}", library.address));
    assert_eq!(bare("/_/version").await.expect("an answer").status(), 200);
    assert_eq!(
        bare("/admin/health").await.expect("an answer").status(),
        200
    );
    let client = library.client().await;
    let modules = client
        .get("/_/proxy/tenants/diku/modules")
        .await
        .expect(200)
        .json();
    let ids: Vec<&str> = modules
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|one| one["id"].as_str())
        .collect();
    assert!(
        ids.iter()
            .any(|id| id.starts_with("mod-inventory-storage-")),
        "{ids:?}"
    );
    // The caller must not learn whether there is such a tenant.
    let _ = client
        .get("/_/proxy/tenants/nowhere/modules")
        .await
        .expect(403);
}

#[tokio::test]
async fn a_header_of_a_million_characters_is_refused() {
    let library = library().await;
    let client = library.stranger();
    let request = client
        .request(Method::GET, ITEMS)
        .header("x-long", "x".repeat(1_000_000));
    // The connection may be closed while the head is still being sent.
    if let Ok(answer) = request.send().await {
        assert_eq!(answer.status(), 431);
    }
    let _ = client.get("/_/version").await.expect(200);
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused() {
    let library = library().await;
    let client = library.client().await;
    let request = client
        .request(Method::POST, ITEMS)
        .body(vec![b' '; 11 * 1024 * 1024]);
    if let Ok(answer) = request.send().await {
        assert_eq!(answer.status(), 413);
    }
    let _ = client.get(ITEMS).await.expect(200);
}

async fn admin_id(library: &Library) -> Uuid {
    let client = library.client().await;
    let users = client
        .query("/users", "username==diku_admin")
        .await
        .expect(200)
        .json();
    users["users"][0]["id"]
        .as_str()
        .and_then(|id| id.parse().ok())
        .expect("the administrator")
}

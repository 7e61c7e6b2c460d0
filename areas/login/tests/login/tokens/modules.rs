//! Tokens of modules: their permissions on top of the user's, and mod-authtoken's own routes.

use std::time::Duration;

use octavo_platform::token::ModuleToken;

use super::*;

const READ_ITEMS: &str = "inventory-storage.items.collection.get";

fn of_module(caller: Option<&Claims>, permissions: &[&str]) -> String {
    signer()
        .sign_module(ModuleToken {
            tenant: "diku",
            incarnation: None,
            caller,
            module: "mod-x-1.0.0",
            extra_permissions: permissions.iter().map(|&name| name.to_owned()).collect(),
            lifetime: Duration::from_secs(600),
        })
        .expect("a token")
}

#[tokio::test]
async fn a_modules_permissions_count_beside_its_callers() {
    let library = library().await;
    let admin = library.client().await;
    let user = new_user(&library, &admin, "weak", "secret").await;
    let caller = read(&tokens(&log_in_as(&library, "weak", "secret").await.expect(201)).access);
    assert_eq!(status(&library, &of_module(Some(&caller), &[])).await, 403);
    let strong = of_module(Some(&caller), &[READ_ITEMS]);
    assert_eq!(status(&library, &strong).await, 200);
    // A module that does something by itself has its own permissions alone.
    assert_eq!(status(&library, &of_module(None, &[READ_ITEMS])).await, 200);
    let weak = library.stranger().with_token(Some(&of_module(None, &[])));
    let answer = weak.get(ITEMS).await.expect(403);
    assert_eq!(
        answer.text,
        format!("Access for user 'mod-x-1.0.0' (null) requires permission: {READ_ITEMS}")
    );
    // Work that was begun outlasts the one session, but not its user.
    let client = library.stranger().with_token(Some(&strong));
    let session = signer().sign(&caller).expect("a token");
    let session = library.stranger().with_token(Some(&session));
    let _ = session.post("/authn/logout", &json!({})).await.expect(204);
    until(|| async { session.get(ITEMS).await.status == 401 }).await;
    let _ = client.get(ITEMS).await.expect(200);
    let mut record = admin
        .get(&format!("/users/{user}"))
        .await
        .expect(200)
        .json();
    record["active"] = json!(false);
    let _ = admin
        .put(&format!("/users/{user}"), &record)
        .await
        .expect(204);
    until(|| async { client.get(ITEMS).await.status == 401 }).await;
}

#[tokio::test]
async fn dummy_tokens_have_what_stands_in_them() {
    let library = library().await;
    let asking = of_module(None, &["auth.token.sign.post", "auth.token.post"]);
    let asking = library.stranger().with_token(Some(&asking));
    let payload = json!({"payload": {"sub": "_AUTHZ_MODULE_", "dummy": true,
                                     "extra_permissions": [READ_ITEMS]}});
    for (path, ends) in [("/token/sign", true), ("/token", false)] {
        let answer = asking.post(path, &payload).await.expect(201).json();
        let token = answer["token"].as_str().expect("a token");
        assert_eq!(read(token).exp.is_some(), ends);
        assert_eq!(status(&library, token).await, 200);
        let client = library.stranger().with_token(Some(token));
        let _ = client.get("/users").await.expect(403);
    }
}

#[tokio::test]
async fn signing_takes_the_modules_own_permission() {
    let library = library().await;
    let admin = library.client().await;
    let user = read(admin.token.as_deref().expect("a token")).user_id;
    let payload = json!({"payload": {"sub": USERNAME, "user_id": user}});
    // Whoever may do everything may still not be everybody.
    let answer = admin.post("/token/sign", &payload).await.expect(401);
    assert_eq!(
        answer.text,
        "Missing required module-level permissions for endpoint '/token/sign': auth.token.sign.post"
    );
    for path in ["/token", "/token/refresh", "/refreshtoken"] {
        let _ = admin.post(path, &payload).await.expect(401);
    }
    let asking = of_module(
        None,
        &[
            "auth.token.post",
            "auth.token.sign.post",
            "auth.token.refresh.post",
            "auth.refreshtoken.post",
        ],
    );
    let asking = library.stranger().with_token(Some(&asking));
    let legacy = asking.post("/token", &payload).await.expect(201).json();
    let legacy = legacy["token"].as_str().expect("a token").to_owned();
    assert_eq!(status(&library, &legacy).await, 200);

    let signed = asking
        .post("/token/sign", &payload)
        .await
        .expect(201)
        .json();
    assert_eq!(signed["tenantId"], "diku");
    assert!(signed["refreshTokenExpiration"].is_string());
    let access = signed["accessToken"].as_str().expect("a token");
    assert_eq!(status(&library, access).await, 200);
    let body = json!({"refreshToken": signed["refreshToken"]});
    let next = asking
        .post("/token/refresh", &body)
        .await
        .expect(201)
        .json();
    let answer = asking.post("/token/refresh", &body).await.expect(401);
    assert_eq!(answer.text, "Invalid token");
    let body = json!({"refreshToken": next["refreshToken"]});
    let _ = asking.post("/token/refresh", &body).await.expect(401);

    let for_refresh = json!({"sub": USERNAME, "user_id": user});
    let answer = asking.post("/refreshtoken", &for_refresh).await.expect(201);
    let body = json!({"refreshToken": answer.json()["refreshToken"]});
    let _ = asking.post("/token/refresh", &body).await.expect(201);

    for (path, body) in [
        ("/token/sign", json!({})),
        ("/token/sign", json!({"payload": {"sub": USERNAME}})),
        (
            "/token/sign",
            json!({"payload": {"sub": 1, "user_id": user}}),
        ),
        ("/token/refresh", json!({"refreshToken": 1})),
    ] {
        let answer = asking.post(path, &body).await;
        assert!(
            [400, 422].contains(&answer.status),
            "{path} {body}: {}",
            answer.text
        );
    }
    let unknown = json!({"payload": {"sub": "x", "user_id": Uuid::new_v4()}});
    let _ = asking.post("/token/sign", &unknown).await.expect(400);
}

#[tokio::test]
async fn sessions_are_revoked_by_token() {
    let library = library().await;
    let (one, two) = (log_in(&library).await, log_in(&library).await);
    let client = library.stranger().with_token(Some(&two.access));
    let body = json!({"refreshToken": one.refresh});
    let _ = client.post("/token/invalidate", &body).await.expect(204);
    until(|| async { status(&library, &one.access).await == 401 }).await;
    assert_eq!(status(&library, &two.access).await, 200);
    for token in ["x", &two.access] {
        let body = json!({"refreshToken": token});
        let answer = client.post("/token/invalidate", &body).await.expect(401);
        assert_eq!(answer.text, "Invalid token");
    }
    let _ = client
        .post("/token/invalidate-all", &json!({}))
        .await
        .expect(204);
    until(|| async { status(&library, &two.access).await == 401 }).await;
    let stranger = library.stranger();
    let _ = stranger
        .post("/token/invalidate-all", &json!({}))
        .await
        .expect(401);
}

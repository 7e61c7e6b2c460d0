//! Log-in that answers with the user.

use octavo_testkit::Client;
use serde_json::json;

use super::{password, permit, user};
use octavo_server_testkit::library;
use octavo_server_testkit::stock::{CIRC_DESK_1, UNDERGRAD};

#[tokio::test]
async fn a_log_in_is_answered_with_the_user_and_the_token() {
    let library = library().await;
    let admin = library.client().await;
    let id = user(&admin, "ada", json!({})).await;
    password(&admin, id, "secret").await;
    let grants = permit(&library, id, &["users.item.get"]).await;
    let points = json!({"userId": id, "servicePointsIds": [CIRC_DESK_1],
                        "defaultServicePointId": CIRC_DESK_1});
    let _ = admin
        .post("/service-points-users", &points)
        .await
        .expect(201);

    let body = json!({"username": "Ada", "password": "secret"});
    let stranger = library.stranger();
    let answer = stranger.post("/bl-users/login", &body).await.expect(201);
    let answered = answer.json();
    assert_eq!(answered["user"]["id"], json!(id));
    assert_eq!(answered["tenant"], "diku");
    assert_eq!(answered["patronGroup"]["id"], UNDERGRAD);
    assert_eq!(answered["permissions"]["id"], json!(grants));
    assert_eq!(answered["permissions"]["userId"], json!(id));
    assert_eq!(
        answered["permissions"]["permissions"],
        json!(["users.item.get"])
    );
    assert_eq!(
        answered["servicePointsUser"]["servicePoints"][0]["id"],
        CIRC_DESK_1
    );
    assert!(answered.get("okapiToken").is_none() && answered.get("tokenExpiration").is_none());
    let token = answer.header("x-okapi-token").map(str::to_owned);
    let ada: Client = stranger.with_token(token.as_deref());
    let _ = ada.get(&format!("/users/{id}")).await.expect(200);

    let path = "/bl-users/login?expandPermissions=true&include=perms";
    let expanded = stranger.post(path, &body).await.expect(201).json();
    let first = &expanded["permissions"]["permissions"][0];
    assert_eq!(first["permissionName"], "users.item.get");
    assert_eq!(expanded["permissions"]["userId"], json!(grants));
    assert!(expanded.get("patronGroup").is_none());
}

#[tokio::test]
async fn a_log_in_with_expiry_brings_cookies_and_says_when_they_end() {
    let library = library().await;
    let admin = library.client().await;
    let id = user(&admin, "ada", json!({})).await;
    password(&admin, id, "secret").await;
    let body = json!({"username": "ada", "password": "secret"});
    let stranger = library.stranger();
    let answer = stranger.post("/bl-users/login-with-expiry", &body).await;
    let answer = answer.expect(201);
    let answered = answer.json();
    assert_eq!(answered["user"]["id"], json!(id));
    assert!(answered["tokenExpiration"]["accessTokenExpiration"].is_string());
    assert!(answered["permissions"]["permissions"].is_array());
    let cookies: Vec<&str> = answer
        .headers
        .get_all("set-cookie")
        .iter()
        .filter_map(|value| value.to_str().ok())
        .collect();
    assert!(
        cookies
            .iter()
            .any(|one| one.starts_with("folioAccessToken="))
    );
}

#[tokio::test]
async fn a_log_in_that_fails_is_answered_as_the_log_in_is() {
    let library = library().await;
    let admin = library.client().await;
    let id = user(&admin, "ada", json!({})).await;
    password(&admin, id, "secret").await;
    let stranger = library.stranger();
    for path in ["/bl-users/login", "/bl-users/login-with-expiry"] {
        for body in [
            json!({"username": "ada"}),
            json!({"password": "secret"}),
            json!({}),
        ] {
            let refused = stranger.post(path, &body).await.expect(400);
            assert_eq!(refused.text, "Improperly formatted request");
        }
        let wrong = json!({"username": "ada", "password": "wrong"});
        let refused = stranger.post(path, &wrong).await.expect(422).json();
        let direct = stranger
            .post("/authn/login", &wrong)
            .await
            .expect(422)
            .json();
        assert_eq!(refused["errors"][0]["code"], direct["errors"][0]["code"]);
        let nobody = json!({"username": "nobody", "password": "wrong"});
        let _ = stranger.post(path, &nobody).await.expect(422);
    }
}

//! Forgotten passwords and user names, and links that set a password.

use octavo_testkit::{Client, Library};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{codes, log_in, logs_in, password, user};
use octavo_server_testkit::library;

const PASSWORD: &str = "/bl-users/forgotten/password";
const USERNAME: &str = "/bl-users/forgotten/username";
const LINK: &str = "/bl-users/password-reset/link";
const VALIDATE: &str = "/bl-users/password-reset/validate";
const RESET: &str = "/bl-users/password-reset/reset";

async fn configure(client: &Client, code: &str, value: &str) {
    let entry = json!({"module": "USERSBL", "configName": "fogottenData", "code": code,
                       "enabled": true, "value": value});
    let _ = client
        .post("/configurations/entries", &entry)
        .await
        .expect(201);
}

async fn link(client: &Client, user: Uuid) -> String {
    let made = client
        .post(LINK, &json!({"userId": user}))
        .await
        .expect(200)
        .json();
    made["link"].as_str().expect("a link").to_owned()
}

/// A client with the token of a link.
fn follow(library: &Library, link: &str) -> Client {
    let token = link
        .rsplit('/')
        .next()
        .and_then(|end| end.split('?').next());
    library.stranger().with_token(token)
}

#[tokio::test]
async fn a_user_is_found_by_what_they_remember() {
    let library = library().await;
    let client = library.client().await;
    let personal = json!({"lastName": "Reader", "email": "ada@example.org", "phone": "1815",
                          "mobilePhone": "0044 1852"});
    let _ = user(&client, "ada", json!({"personal": personal})).await;
    let stranger = library.stranger();
    let ask = async |path: &str, id: &str| stranger.post(path, &json!({"id": id})).await;
    for path in [PASSWORD, USERNAME] {
        for id in ["ada", "ADA@example.org", "1815", "0044 1852"] {
            assert_eq!(ask(path, id).await.expect(204).text, "");
        }
        for id in ["nobody", "*", "a*", "ada\" or username==\"*", "", "b-ada"] {
            let refused = ask(path, id).await.expect(400);
            assert_eq!(refused.text, format!("User is not found: {id}"));
        }
        let _ = stranger.post(path, &json!({})).await.expect(400);
        let long = "x".repeat(5_000);
        assert!(ask(path, &long).await.expect(400).text.len() < 400);
    }
}

#[tokio::test]
async fn the_library_says_where_to_look() {
    let library = library().await;
    let client = library.client().await;
    let personal = json!({"lastName": "Reader", "email": "ada@example.org", "phone": "1815",
                          "middleName": "King"});
    let _ = user(&client, "ada", json!({"personal": personal})).await;
    configure(&client, "userName", "username, barcode").await;
    configure(&client, "email", "personal.email").await;
    // Nothing that would have to be searched through is looked into.
    configure(&client, "phoneNumber", "personal.pronouns").await;
    let stranger = library.stranger();
    let ask = async |path: &str, id: &str| stranger.post(path, &json!({"id": id})).await.status;
    for (id, password, username) in [
        ("ada", 204, 400),
        ("b-ada", 204, 400),
        ("ada@example.org", 204, 204),
        ("1815", 400, 400),
    ] {
        assert_eq!(ask(PASSWORD, id).await, password, "{id}");
        assert_eq!(ask(USERNAME, id).await, username, "{id}");
    }
}

#[tokio::test]
async fn several_and_inactive_users_are_sent_nothing() {
    let library = library().await;
    let client = library.client().await;
    let shared = json!({"personal": {"lastName": "Reader", "email": "both@example.org"}});
    for name in ["ada", "bea"] {
        let _ = user(&client, name, shared.clone()).await;
    }
    let _ = user(&client, "gone", json!({"active": false})).await;
    let _ = user(&client, "nameless", json!({"username": null})).await;
    let stranger = library.stranger();
    for path in [PASSWORD, USERNAME] {
        let both = json!({"id": "both@example.org"});
        let _ = stranger.post(path, &both).await.expect(204);
        let gone = stranger
            .post(path, &json!({"id": "gone"}))
            .await
            .expect(422);
        let gone = gone.json();
        assert_eq!(codes(&gone), ["forgotten.password.found.inactive"]);
        let sentence = "Users associated with 'gone' is not active";
        assert_eq!(gone["errors"][0]["message"], sentence);
    }
    let nameless = json!({"id": "nameless@example.org"});
    let refused = stranger.post(PASSWORD, &nameless).await.expect(422).json();
    assert_eq!(codes(&refused), ["user.absent-username"]);
    let _ = stranger.post(USERNAME, &nameless).await.expect(204);
}

#[tokio::test]
async fn a_link_sets_a_password_once() {
    let library = library().await;
    let client = library.client().await;
    let id = user(&client, "ada", json!({})).await;
    let first = link(&client, id).await;
    assert!(
        first.starts_with("http://localhost:3000/reset-password/"),
        "{first}"
    );
    assert!(first.ends_with("?tenant=diku"), "{first}");
    let holder = follow(&library, &first);
    assert_eq!(holder.post(VALIDATE, &json!({})).await.expect(204).text, "");
    let weak = json!({"newPassword": "weak"});
    let refused = holder.post(RESET, &weak).await.expect(422).json();
    assert_eq!(codes(&refused), ["password.length.invalid"]);
    let strong = json!({"newPassword": "Secret-1815"});
    let _ = holder.post(RESET, &strong).await.expect(204);
    assert!(logs_in(&library, "ada", "Secret-1815").await);
    for path in [VALIDATE, RESET] {
        let used = holder.post(path, &strong).await.expect(422).json();
        assert_eq!(codes(&used), ["link.used"]);
    }

    // The second one must be another password; it ends all links of the user.
    let (second, third) = (link(&client, id).await, link(&client, id).await);
    let holder = follow(&library, &second);
    let refused = holder.post(RESET, &strong).await.expect(422).json();
    assert_eq!(codes(&refused), ["password.lastTenPasswords.invalid"]);
    let other = json!({"newPassword": "Another-1815"});
    let _ = holder.post(RESET, &other).await.expect(204);
    assert!(logs_in(&library, "ada", "Another-1815").await);
    let late = follow(&library, &third).post(VALIDATE, &json!({})).await;
    assert_eq!(codes(&late.expect(422).json()), ["link.used"]);
}

#[tokio::test]
async fn a_link_is_good_for_nothing_else() {
    let library = library().await;
    let client = library.client().await;
    let id = user(&client, "ada", json!({})).await;
    let holder = follow(&library, &link(&client, id).await);
    for path in ["/users".to_owned(), format!("/bl-users/by-id/{id}")] {
        let _ = holder.get(&path).await.expect(403);
    }
    let _ = holder.post(LINK, &json!({"userId": id})).await.expect(403);
    // What any user may call, no link may.
    let own = holder.get("/bl-users/_self").await;
    assert!(own.status >= 400, "{}", own.text);
    // And a user's token is not a link's, even with the permissions.
    let refused = client.post(VALIDATE, &json!({})).await.expect(422).json();
    assert_eq!(codes(&refused), ["link.invalid"]);
    assert_eq!(refused["errors"][0]["message"], "Invalid token.");
    let _ = library
        .stranger()
        .post(VALIDATE, &json!({}))
        .await
        .expect(401);
    password(&client, id, "Secret-1815").await;
    let ada = log_in(&library, "ada", "Secret-1815").await;
    let _ = ada
        .post(RESET, &json!({"newPassword": "Other-1815"}))
        .await
        .expect(403);
}

#[tokio::test]
async fn links_of_users_who_are_gone_and_links_past_their_end_are_refused() {
    let library = library().await;
    let client = library.client().await;
    let id = user(&client, "ada", json!({})).await;
    let holder = follow(&library, &link(&client, id).await);
    let _ = client.delete(&format!("/users/{id}")).await.expect(204);
    let refused = holder.post(VALIDATE, &json!({})).await.expect(422).json();
    let code = codes(&refused)[0];
    assert!(["link.invalid", "link.used"].contains(&code), "{code}");

    let id = user(&client, "bea", json!({})).await;
    let link = link(&client, id).await;
    let holder = follow(&library, &link);
    let _ = holder.post(VALIDATE, &json!({})).await.expect(204);
    let unknown = json!({"userId": Uuid::new_v4()});
    let refused: Value = client.post(LINK, &unknown).await.expect(422).json();
    assert_eq!(codes(&refused), ["user.not-found"]);
    let _ = client.post(LINK, &json!({})).await.expect(422);
}

#[tokio::test]
async fn a_link_past_its_end_is_refused() {
    let library = library().await;
    let client = library.client().await;
    let id = user(&client, "ada", json!({})).await;
    let first = link(&client, id).await;
    let holder = follow(&library, &first);
    // The right after the link ends; its token would last longer.
    let store = &library.platform.store;
    let ended = "UPDATE tenant_diku.auth_password_action \
                 SET jsonb = jsonb || '{\"expirationTime\": \"2001-01-01T00:00:00.000+00:00\"}'";
    store.database.execute(ended, &[]).await.expect("it ends");
    for path in [VALIDATE, RESET] {
        let late = holder
            .post(path, &json!({"newPassword": "Secret-1815"}))
            .await;
        assert_eq!(codes(&late.expect(422).json()), ["link.expired"]);
    }
    assert!(!logs_in(&library, "ada", "Secret-1815").await);
}

#[tokio::test]
async fn a_reset_ends_the_sessions_of_who_knew_the_old_password() {
    let library = library().await;
    let client = library.client().await;
    let id = user(&client, "ada", json!({})).await;
    password(&client, id, "Secret-1815").await;
    let thief = log_in(&library, "ada", "Secret-1815").await;
    let _ = thief.get("/bl-users/_self").await.expect(200);
    let holder = follow(&library, &link(&client, id).await);
    let body = json!({"newPassword": "Another-1815"});
    let _ = holder.post(RESET, &body).await.expect(204);
    let _ = thief.get("/bl-users/_self").await.expect(401);
    let ada = log_in(&library, "ada", "Another-1815").await;
    let _ = ada.get("/bl-users/_self").await.expect(200);
}

#[tokio::test]
async fn the_library_says_where_links_lead() {
    let library = library().await;
    let client = library.client().await;
    let id = user(&client, "ada", json!({})).await;
    configure(&client, "FOLIO_HOST", "https://library.example.org").await;
    configure(&client, "RESET_PASSWORD_UI_PATH", "/new-password").await;
    let link = link(&client, id).await;
    assert!(
        link.starts_with("https://library.example.org/new-password/"),
        "{link}"
    );
}

#[tokio::test]
async fn of_many_who_use_a_link_one_sets_the_password() {
    let library = library().await;
    let client = library.client().await;
    let id = user(&client, "ada", json!({})).await;
    let holder = follow(&library, &link(&client, id).await);
    let sent: Vec<_> = (0..6)
        .map(|at| {
            let holder = holder.clone();
            let body = json!({"newPassword": format!("Secret-{at}-1815")});
            tokio::spawn(async move { holder.post(RESET, &body).await })
        })
        .collect();
    let mut won = Vec::new();
    for (at, one) in sent.into_iter().enumerate() {
        let answer = one.await.expect("the request ends");
        match answer.status {
            204 => won.push(at),
            _ => assert_eq!(codes(&answer.expect(422).json()), ["link.used"]),
        }
    }
    assert_eq!(won.len(), 1);
    assert!(logs_in(&library, "ada", &format!("Secret-{}-1815", won[0])).await);
}

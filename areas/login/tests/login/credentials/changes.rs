//! Credentials and their change.

use serde_json::json;
use uuid::Uuid;

use super::{at_once, error, logs_in, user, user_with};
use octavo_server_testkit::library;

async fn is_known(client: &octavo_testkit::Client, user: Uuid, password: &str) -> bool {
    let body = json!({"userId": user, "password": password});
    let answer = client.post("/authn/password/repeatable", &body).await;
    match answer.expect(200).json()["result"].as_str() {
        Some("invalid") => true,
        Some("valid") => false,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn credentials_are_made_found_and_removed() {
    let library = library().await;
    let client = library.client().await;
    let id = user(&client, "Ada").await;
    let path = format!("/authn/credentials-existence?userId={id}");
    let exist = async || client.get(&path).await.expect(200).json()["credentialsExist"].clone();
    assert_eq!(exist().await, false);

    // By name, folded as names are.
    let body = json!({"username": "ada", "password": "first"});
    let made = client.post("/authn/credentials", &body).await.expect(201);
    assert_eq!(made.text, "");
    assert_eq!(exist().await, true);
    assert!(logs_in(&library, "ada", "first").await);

    let body = json!({"userId": id, "password": "second"});
    let again = client.post("/authn/credentials", &body).await.expect(422);
    let sentence = format!("There already exists credentials for user id '{id}'");
    assert_eq!(error(&again.json()).0, sentence);
    assert_eq!(
        again.json()["errors"][0]["parameters"][0]["key"],
        "'userId'"
    );
    assert!(!logs_in(&library, "ada", "second").await);

    let path = format!("/authn/credentials?userId={id}");
    let _ = client.delete(&path).await.expect(204);
    assert_eq!(exist().await, false);
    assert!(!logs_in(&library, "ada", "first").await);
    let gone = client.delete(&path).await.expect(404);
    assert_eq!(gone.text, format!("No credentials for userId {id} found"));
    let _ = client.delete("/authn/credentials").await.expect(400);
}

#[tokio::test]
async fn credentials_that_cannot_be_made_are_refused() {
    let library = library().await;
    let client = library.client().await;
    let id = user(&client, "ada").await;
    let make = async |body| client.post("/authn/credentials", &body).await;
    for body in [json!({"userId": id}), json!({"userId": id, "password": ""})] {
        let refused = make(body).await.expect(422);
        assert_eq!(error(&refused.json()).0, "Password is missing or empty");
    }
    let unknown = make(json!({"username": "nobody", "password": "x"})).await;
    let sentence = "Error looking up user: No user found by username nobody";
    assert_eq!(unknown.expect(400).text, sentence);
    let _ = make(json!({"password": "x"})).await.expect(400);
    let _ = make(json!({"userId": "no-uuid", "password": "x"}))
        .await
        .expect(422);
    let long = "x".repeat(2_000);
    let _ = make(json!({"userId": id, "password": long}))
        .await
        .expect(400);
    let _ = user_with(&client, "bob", "bob's").await;
    let bob = octavo_testkit::Client::log_in(library.address, "diku", "bob", "bob's").await;
    let body = json!({"userId": id, "password": "x"});
    let _ = bob.post("/authn/credentials", &body).await.expect(403);
    let path = format!("/authn/credentials-existence?userId={id}");
    let _ = bob.get(&path).await.expect(403);
}

#[tokio::test]
async fn of_many_who_set_the_first_password_one_does() {
    let library = library().await;
    let client = library.client().await;
    let id = user(&client, "ada").await;
    let answers = at_once((0..6).map(|at| {
        let client = client.clone();
        let body = json!({"userId": id, "password": format!("password {at}")});
        async move { client.post("/authn/credentials", &body).await.status }
    }))
    .await;
    assert_eq!(answers.iter().filter(|status| **status == 201).count(), 1);
    assert_eq!(answers.iter().filter(|status| **status == 422).count(), 5);
    let won = answers.iter().position(|status| *status == 201);
    let won = won.expect("one of them");
    assert!(logs_in(&library, "ada", &format!("password {won}")).await);
}

#[tokio::test]
async fn a_password_is_changed_by_who_knows_it() {
    let library = library().await;
    let admin = library.client().await;
    let id = user_with(&admin, "ada", "first").await;
    // Nothing but the old password is asked for.
    let ada = octavo_testkit::Client::log_in(library.address, "diku", "ada", "first").await;
    let update = async |body| ada.post("/authn/update", &body).await;
    for (body, sentence) in [
        (
            json!({"newPassword": "x"}),
            "You must provide a username or userId",
        ),
        (
            json!({"userId": id, "password": "first"}),
            "You must provide a new password that isn't empty",
        ),
        (
            json!({"username": "eve", "password": "first", "newPassword": "x"}),
            "Error verifying user existence: No user found by username eve",
        ),
    ] {
        assert_eq!(update(body).await.expect(400).text, sentence);
    }
    let wrong = json!({"userId": id, "password": "wrong", "newPassword": "second"});
    assert_eq!(update(wrong).await.expect(401).text, "Invalid credentials");
    let unknown = json!({"userId": Uuid::new_v4(), "password": "first", "newPassword": "second"});
    assert_eq!(
        update(unknown).await.expect(401).text,
        "Invalid credentials"
    );
    assert!(logs_in(&library, "ada", "first").await);

    let right = json!({"username": "ada", "password": "first", "newPassword": "second"});
    let _ = update(right.clone()).await.expect(204);
    assert!(logs_in(&library, "ada", "second").await);
    assert!(!logs_in(&library, "ada", "first").await);
    assert_eq!(
        update(right.clone()).await.expect(401).text,
        "Invalid credentials"
    );
    let _ = library
        .stranger()
        .post("/authn/update", &right)
        .await
        .expect(401);
}

#[tokio::test]
async fn of_many_who_change_a_password_one_wins_and_no_history_is_lost() {
    let library = library().await;
    let client = library.client().await;
    let id = user_with(&client, "ada", "before").await;
    // Fewer than fail so often that the user is blocked.
    let answers = at_once((0..4).map(|at| {
        let client = client.clone();
        let body = json!({"userId": id, "password": "before",
                          "newPassword": format!("after {at}")});
        async move { client.post("/authn/update", &body).await.status }
    }))
    .await;
    let won: Vec<usize> = (0..4).filter(|at| answers[*at] == 204).collect();
    assert_eq!(won.len(), 1, "{answers:?}");
    assert_eq!(answers.iter().filter(|status| **status == 401).count(), 3);
    assert!(is_known(&client, id, "before").await);
    for at in 0..4 {
        let password = format!("after {at}");
        assert_eq!(logs_in(&library, "ada", &password).await, at == won[0]);
        assert_eq!(is_known(&client, id, &password).await, at == won[0]);
    }
}

#[tokio::test]
async fn as_many_passwords_must_differ_as_the_library_has_set() {
    let library = library().await;
    let client = library.client().await;
    let id = user_with(&client, "ada", "password 0").await;
    let setting = json!({"module": "LOGIN", "configName": "password.history.number",
                         "code": "password.history.number", "enabled": true, "value": "3"});
    let _ = client
        .post("/configurations/entries", &setting)
        .await
        .expect(201);
    for at in 0..5 {
        let body = json!({"userId": id, "password": format!("password {at}"),
                          "newPassword": format!("password {}", at + 1)});
        let _ = client.post("/authn/update", &body).await.expect(204);
    }
    let known: Vec<bool> = {
        let mut known = Vec::new();
        for at in 0..6 {
            known.push(is_known(&client, id, &format!("password {at}")).await);
        }
        known
    };
    assert_eq!(known, [false, false, false, true, true, true]);
    assert!(!is_known(&client, Uuid::new_v4(), "password 5").await);
    let missing = json!({"userId": id});
    let refused = client.post("/authn/password/repeatable", &missing).await;
    assert_eq!(error(&refused.expect(422).json()).0, "must not be null");
}

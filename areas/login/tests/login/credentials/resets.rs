//! Rights to reset a password, and their use.

use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use uuid::Uuid;

use super::{at_once, error, logs_in, user, user_with};
use octavo_server_testkit::library;

fn in_an_hour() -> String {
    (Timestamp::now() + SignedDuration::from_hours(1)).to_string()
}

#[tokio::test]
async fn a_right_to_reset_is_stored_found_and_used_once() {
    let library = library().await;
    let client = library.client().await;
    let user = user(&client, "ada").await;
    let path = "/authn/password-reset-action";
    let id = Uuid::new_v4();
    let action = json!({"id": id, "userId": user, "expirationTime": in_an_hour()});
    let made = client.post(path, &action).await.expect(201);
    assert_eq!(made.json(), json!({"passwordExists": false}));
    let _ = client.post(path, &action).await.expect(400);
    let found = client.get(&format!("{path}/{id}")).await.expect(200).json();
    assert_eq!((&found["id"], &found["userId"]), (&json!(id), &json!(user)));
    let text = found["expirationTime"].as_str().expect("an instant");
    assert!(text.ends_with("+00:00"), "{text}");

    let reset = json!({"passwordResetActionId": id, "newPassword": "first"});
    let done = client
        .post("/authn/reset-password", &reset)
        .await
        .expect(201);
    assert_eq!(done.json(), json!({"isNewPassword": true}));
    assert!(logs_in(&library, "ada", "first").await);
    let sentence = format!("Password action with ID: `{id}` was not found in the db");
    let again = client.post("/authn/reset-password", &reset).await;
    assert_eq!(again.expect(400).text, sentence);
    let gone = client.get(&format!("{path}/{id}")).await;
    assert_eq!(gone.expect(404).text, sentence);

    // The second time there is a password, which is added to the history.
    let id = Uuid::new_v4();
    let action = json!({"id": id, "userId": user, "expirationTime": in_an_hour()});
    let made = client.post(path, &action).await.expect(201);
    assert_eq!(made.json(), json!({"passwordExists": true}));
    let reset = json!({"passwordResetActionId": id, "newPassword": "second"});
    let done = client
        .post("/authn/reset-password", &reset)
        .await
        .expect(201);
    assert_eq!(done.json(), json!({"isNewPassword": false}));
    assert!(logs_in(&library, "ada", "second").await);
    let body = json!({"userId": user, "password": "first"});
    let known = client.post("/authn/password/repeatable", &body).await;
    assert_eq!(known.expect(200).json()["result"], "invalid");
}

#[tokio::test]
async fn a_right_to_reset_ends() {
    let library = library().await;
    let client = library.client().await;
    let user = user_with(&client, "ada", "first").await;
    let path = "/authn/password-reset-action";
    let mut ids = Vec::new();
    for ago in [SignedDuration::from_secs(1), SignedDuration::from_hours(30)] {
        // Another user's: a new one of the same user clears those that have ended.
        let owner = if ids.is_empty() { user } else { Uuid::new_v4() };
        let (id, ends) = (Uuid::new_v4(), (Timestamp::now() - ago).to_string());
        let action = json!({"id": id, "userId": owner, "expirationTime": ends});
        let _ = client.post(path, &action).await.expect(201);
        ids.push(id);
    }
    for id in &ids {
        let reset = json!({"passwordResetActionId": id, "newPassword": "stolen"});
        let refused = client.post("/authn/reset-password", &reset).await;
        assert_eq!(
            refused.expect(400).text,
            format!("Password action with ID: `{id}` was not found in the db")
        );
    }
    assert!(logs_in(&library, "ada", "first").await);
    // It is still known for a day that there was one.
    let store = &library.platform.store;
    octavo_login::remove_ended(store, &library.tenant())
        .await
        .expect("the database answers");
    for (id, status) in ids.iter().zip([200, 404]) {
        let _ = client.get(&format!("{path}/{id}")).await.expect(status);
    }
}

#[tokio::test]
async fn rights_that_do_not_fit_are_refused() {
    let library = library().await;
    let client = library.client().await;
    let path = "/authn/password-reset-action";
    let id = Uuid::new_v4();
    for body in [
        json!({"id": id, "userId": id}),
        json!({"id": "x", "userId": id, "expirationTime": in_an_hour()}),
        json!({"id": id, "userId": id, "expirationTime": in_an_hour(), "more": 1}),
    ] {
        let _ = client.post(path, &body).await.expect(422);
    }
    let unread = json!({"id": id, "userId": id, "expirationTime": "tomorrow"});
    let _ = client.post(path, &unread).await.expect(400);
    let _ = client.get(&format!("{path}/no-uuid")).await.expect(404);
    let body = json!({"passwordResetActionId": id});
    let refused = client
        .post("/authn/reset-password", &body)
        .await
        .expect(422);
    assert_eq!(error(&refused.json()).0, "must not be null");
    let body = json!({"passwordResetActionId": "no-uuid", "newPassword": "x"});
    let _ = client
        .post("/authn/reset-password", &body)
        .await
        .expect(400);
}

#[tokio::test]
async fn of_many_who_use_rights_at_once_the_last_password_stands_and_all_are_in_the_history() {
    let library = library().await;
    let client = library.client().await;
    let user = user_with(&client, "ada", "before").await;
    let path = "/authn/password-reset-action";
    let id = Uuid::new_v4();
    let action = json!({"id": id, "userId": user, "expirationTime": in_an_hour()});
    let _ = client.post(path, &action).await.expect(201);
    let answers = at_once((0..6).map(|at| {
        let client = client.clone();
        let body = json!({"passwordResetActionId": id, "newPassword": format!("after {at}")});
        async move { client.post("/authn/reset-password", &body).await.status }
    }))
    .await;
    let won: Vec<usize> = (0..6).filter(|at| answers[*at] == 201).collect();
    assert_eq!(won.len(), 1, "{answers:?}");
    assert_eq!(answers.iter().filter(|status| **status == 400).count(), 5);
    assert!(logs_in(&library, "ada", &format!("after {}", won[0])).await);
    let body = json!({"userId": user, "password": "before"});
    let known = client.post("/authn/password/repeatable", &body).await;
    assert_eq!(known.expect(200).json()["result"], "invalid");
}

#[tokio::test]
async fn a_user_has_few_rights_at_a_time_and_a_reset_ends_all() {
    let library = library().await;
    let client = library.client().await;
    let user = user_with(&client, "ada", "before").await;
    let path = "/authn/password-reset-action";
    let mut ids = Vec::new();
    for _ in 0..14 {
        let id = Uuid::new_v4();
        let action = json!({"id": id, "userId": user, "expirationTime": in_an_hour()});
        let _ = client.post(path, &action).await.expect(201);
        ids.push(id);
    }
    let mut left = Vec::new();
    for id in &ids {
        if client.get(&format!("{path}/{id}")).await.status == 200 {
            left.push(*id);
        }
    }
    assert_eq!(left.len(), 10);
    assert!(left.contains(&ids[13]));
    let body = json!({"passwordResetActionId": left[0], "newPassword": "after"});
    let _ = client
        .post("/authn/reset-password", &body)
        .await
        .expect(201);
    for id in left {
        let _ = client.get(&format!("{path}/{id}")).await.expect(404);
    }
}

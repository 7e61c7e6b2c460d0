//! Failed log-ins: counted and limited, also when they are concurrent.

use std::time::Duration;

use super::*;

async fn attempts(admin: &Client, user: Uuid) -> (u16, Value) {
    let answer = admin.get(&format!("/authn/loginAttempts/{user}")).await;
    let body = serde_json::from_str(&answer.text).unwrap_or(Value::Null);
    (answer.status, body)
}

async fn is_active(admin: &Client, user: Uuid) -> bool {
    let record = admin
        .get(&format!("/users/{user}"))
        .await
        .expect(200)
        .json();
    record["active"] == json!(true)
}

async fn configure(admin: &Client, code: &str, value: &str) {
    let entry = json!({"module": "MOD-LOGIN", "configName": code, "code": code,
                       "value": value, "enabled": true});
    let _ = admin
        .post("/configurations/entries", &entry)
        .await
        .expect(201);
}

/// The last failure of everybody so long ago.
async fn wait_minutes(library: &Library, minutes: i64) {
    let sql = format!(
        "UPDATE tenant_diku.auth_attempts SET jsonb = jsonb || jsonb_build_object('lastAttempt', \
         to_char((jsonb->>'lastAttempt')::timestamptz - interval '{minutes} minutes', \
         'YYYY-MM-DD\"T\"HH24:MI:SS.MSOF\":00\"'))"
    );
    assert!(run(library, &sql).await >= 1);
}

#[tokio::test]
async fn too_many_failures_lock_a_user_out_for_a_while() {
    let library = library().await;
    let admin = library.client().await;
    let user = new_user(&library, &admin, "clumsy", "secret").await;
    let tokens = tokens(&log_in_as(&library, "clumsy", "secret").await.expect(201));
    for _ in 0..5 {
        let _ = log_in_as(&library, "clumsy", "wrong").await.expect(422);
    }
    // The right password is sent too late and gets the response of a wrong one.
    let refused = log_in_as(&library, "clumsy", "secret").await.expect(422);
    let _ = one_error(
        &refused,
        "wrong.username.or.wrong.password.or.account.blocked",
    );
    // The user's record is unchanged, and existing sessions stay valid.
    assert!(is_active(&admin, user).await);
    assert_ne!(status(&library, &tokens.access).await, 401);
    let change = json!({"userId": user, "password": "secret", "newPassword": "other"});
    assert_eq!(admin.post("/authn/update", &change).await.status, 401);
    // Further guesses do not prolong the lock.
    wait_minutes(&library, 9).await;
    let _ = log_in_as(&library, "clumsy", "wrong").await.expect(422);
    assert_eq!(attempts(&admin, user).await.1["attemptCount"], 5);
    let _ = log_in_as(&library, "clumsy", "secret").await.expect(422);
    wait_minutes(&library, 2).await;
    let _ = log_in_as(&library, "clumsy", "secret").await.expect(201);
    // The next time it begins again.
    for failures in 1..=4 {
        let _ = log_in_as(&library, "clumsy", "wrong").await.expect(422);
        assert_eq!(attempts(&admin, user).await.1["attemptCount"], failures);
    }
    let _ = log_in_as(&library, "clumsy", "secret").await.expect(201);
    for _ in 0..5 {
        let _ = log_in_as(&library, "clumsy", "wrong").await.expect(422);
    }
    wait_minutes(&library, 11).await;
    let _ = log_in_as(&library, "clumsy", "wrong").await.expect(422);
    assert_eq!(attempts(&admin, user).await.1["attemptCount"], 1);
    let _ = log_in_as(&library, "clumsy", "secret").await.expect(201);
}

#[tokio::test]
async fn the_lock_is_opened_for_who_runs_the_server() {
    let library = library().await;
    let admin = library.client().await;
    let user = new_user(&library, &admin, "clumsy", "secret").await;
    let (platform, tenant) = (&library.platform, library.tenant());
    for _ in 0..5 {
        let _ = log_in_as(&library, "clumsy", "wrong").await.expect(422);
    }
    let barred = octavo_login::app::restore_access::unlock(platform, &tenant, user.into()).await;
    let barred = barred.expect("the database answers").expect("a user");
    assert_eq!((barred.locked, barred.inactive), (true, false));
    let tokens = tokens(&log_in_as(&library, "clumsy", "secret").await.expect(201));
    for _ in 0..5 {
        let _ = log_in_as(&library, "clumsy", "wrong").await.expect(422);
    }
    octavo_login::app::restore_access::give_password(platform, &tenant, user.into(), "other")
        .await
        .expect("it is set");
    assert_eq!(status(&library, &tokens.access).await, 401);
    let _ = log_in_as(&library, "clumsy", "secret").await.expect(422);
    let _ = log_in_as(&library, "clumsy", "other").await.expect(201);
    let nobody =
        octavo_login::app::restore_access::unlock(platform, &tenant, Uuid::new_v4().into()).await;
    assert!(nobody.expect("the database answers").is_none());
}

#[tokio::test]
async fn too_many_failures_make_a_user_inactive_where_that_is_wanted() {
    let library = library().await;
    let admin = library.client().await;
    configure(&admin, "login.fail.lock", "0").await;
    let user = new_user(&library, &admin, "clumsy", "secret").await;
    assert_eq!(attempts(&admin, user).await.0, 404);
    let tokens = tokens(&log_in_as(&library, "clumsy", "secret").await.expect(201));
    for failures in 1..=4 {
        let refused = log_in_as(&library, "clumsy", "wrong").await.expect(422);
        let message = one_error(
            &refused,
            "wrong.username.or.wrong.password.or.account.blocked",
        );
        assert_eq!(
            message,
            "Wrong username or wrong password or account blocked"
        );
        let (status, record) = attempts(&admin, user).await;
        assert_eq!((status, &record["attemptCount"]), (200, &json!(failures)));
        assert_eq!(record["userId"], json!(user));
        assert!(record["lastAttempt"].is_string());
    }
    // A log-in in between forgets them.
    let _ = log_in_as(&library, "clumsy", "secret").await.expect(201);
    assert_eq!(attempts(&admin, user).await.1["attemptCount"], 0);
    for _ in 0..5 {
        assert!(is_active(&admin, user).await);
        let _ = log_in_as(&library, "clumsy", "wrong").await.expect(422);
    }
    assert!(!is_active(&admin, user).await);
    assert_eq!(attempts(&admin, user).await.1["attemptCount"], 0);
    let _ = log_in_as(&library, "clumsy", "secret").await.expect(422);
    assert_eq!(status(&library, &tokens.access).await, 401);
    let missing = admin.get("/authn/loginAttempts/nobody").await.expect(404);
    assert_eq!(missing.text, "No user login attempts found for id nobody");
    let _ = library
        .stranger()
        .get(&format!("/authn/loginAttempts/{user}"))
        .await
        .expect(401);
    // Somebody who may change users lets them in again.
    let mut record = admin
        .get(&format!("/users/{user}"))
        .await
        .expect(200)
        .json();
    record["active"] = json!(true);
    let _ = admin
        .put(&format!("/users/{user}"), &record)
        .await
        .expect(204);
    let _ = log_in_as(&library, "clumsy", "secret").await.expect(201);
}

#[tokio::test]
async fn a_tenant_configures_its_limits() {
    let library = library().await;
    let admin = library.client().await;
    configure(&admin, "login.fail.attempts", "2").await;
    configure(&admin, "login.fail.lock", "0").await;
    let user = new_user(&library, &admin, "clumsy", "secret").await;
    let _ = log_in_as(&library, "clumsy", "wrong").await.expect(422);
    assert!(is_active(&admin, user).await);
    // After the timeout the count begins again.
    let later = "UPDATE tenant_diku.auth_attempts SET jsonb = jsonb || \
                 '{\"lastAttempt\": \"2020-01-01T00:00:00.000+00:00\"}'";
    assert!(run(&library, later).await >= 1);
    let _ = log_in_as(&library, "clumsy", "wrong").await.expect(422);
    assert!(is_active(&admin, user).await);
    let _ = log_in_as(&library, "clumsy", "wrong").await.expect(422);
    assert!(!is_active(&admin, user).await);
}

#[tokio::test]
async fn zero_is_for_no_limit() {
    let library = library().await;
    let admin = library.client().await;
    configure(&admin, "login.fail.attempts", "0").await;
    let user = new_user(&library, &admin, "clumsy", "secret").await;
    for _ in 0..8 {
        let _ = log_in_as(&library, "clumsy", "wrong").await.expect(422);
    }
    assert!(is_active(&admin, user).await);
    assert_eq!(attempts(&admin, user).await.1["attemptCount"], 8);
    let _ = log_in_as(&library, "clumsy", "secret").await.expect(201);
}

#[tokio::test]
async fn guesses_at_once_are_counted_one_after_the_other() {
    let library = library().await;
    let admin = library.client().await;
    configure(&admin, "login.fail.attempts", "20").await;
    configure(&admin, "login.fail.lock", "0").await;
    let user = new_user(&library, &admin, "guessed", "secret").await;
    let mut tasks = tokio::task::JoinSet::new();
    let body = json!({"username": "guessed", "password": "wrong"});
    for _ in 0..12 {
        let (client, body) = (library.stranger(), body.clone());
        tasks.spawn(async move { client.post("/authn/login", &body).await.status });
    }
    let statuses = tasks.join_all().await;
    assert!(statuses.iter().all(|status| *status == 422), "{statuses:?}");
    assert_eq!(attempts(&admin, user).await.1["attemptCount"], 12);
    // Those that are wrong make the user inactive, and a right one after them comes too late.
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..12 {
        let (client, body) = (library.stranger(), body.clone());
        tasks.spawn(async move { client.post("/authn/login", &body).await.status });
    }
    let _ = tasks.join_all().await;
    assert!(!is_active(&admin, user).await);
    let _ = log_in_as(&library, "guessed", "secret").await.expect(422);
}

#[tokio::test]
async fn guesses_at_once_lock_a_user_out() {
    let library = library().await;
    let admin = library.client().await;
    let user = new_user(&library, &admin, "guessed", "secret").await;
    let mut tasks = tokio::task::JoinSet::new();
    let body = json!({"username": "guessed", "password": "wrong"});
    for _ in 0..12 {
        let (client, body) = (library.stranger(), body.clone());
        tasks.spawn(async move { client.post("/authn/login", &body).await.status });
    }
    let statuses = tasks.join_all().await;
    assert!(statuses.iter().all(|status| *status == 422), "{statuses:?}");
    assert_eq!(attempts(&admin, user).await.1["attemptCount"], 5);
    let _ = log_in_as(&library, "guessed", "secret").await.expect(422);
    assert!(is_active(&admin, user).await);
}

#[tokio::test]
async fn many_may_share_a_user() {
    let library = library().await;
    let mut tasks = tokio::task::JoinSet::new();
    let body = json!({"username": USERNAME, "password": PASSWORD});
    for _ in 0..16 {
        let (client, body) = (library.stranger(), body.clone());
        tasks.spawn(async move { client.post("/authn/login-with-expiry", &body).await.status });
    }
    let statuses = tokio::time::timeout(Duration::from_secs(120), tasks.join_all())
        .await
        .expect("answers");
    assert!(statuses.iter().all(|status| *status == 201), "{statuses:?}");
}

#[tokio::test]
async fn unknown_users_leave_no_trace() {
    let library = library().await;
    for _ in 0..3 {
        let refused = log_in_as(&library, "nobody", "wrong").await.expect(422);
        let _ = one_error(
            &refused,
            "wrong.username.or.wrong.password.or.account.blocked",
        );
    }
    let database = &library.platform.store.database;
    let sql = "SELECT count(*) FROM tenant_diku.auth_attempts";
    let rows = database.query(sql, &[]).await.expect("rows");
    assert_eq!(rows[0].get::<_, i64>(0), 0);
}

//! Logging out: one session or all, and what stays.

use super::*;

#[tokio::test]
async fn logging_out_ends_this_session_alone() {
    let library = library().await;
    let (ours, other) = (log_in(&library).await, log_in(&library).await);
    let carried_on = tokens(&refresh(&library, &ours.refresh).await.expect(201));
    let cookies = format!(
        "folioRefreshToken={}; folioAccessToken={}",
        carried_on.refresh, carried_on.access
    );
    let answer = post_cookies(&library.stranger(), "/authn/logout", &cookies)
        .await
        .expect(204);
    for (name, path) in [("folioAccessToken", "/"), ("folioRefreshToken", "/authn")] {
        assert_eq!(
            set_cookie(&answer, name),
            format!(
                "{name}=; SameSite=None; Secure; Path={path}; \
                 Expires=Thu, 01 Jan 1970 00:00:00 GMT"
            )
        );
    }
    // All access tokens of the session, not only the last one.
    for token in [&ours.access, &carried_on.access] {
        assert_eq!(status(&library, token).await, 401);
    }
    let stale = library.stranger().with_token(Some(&ours.access));
    assert_eq!(stale.get(ITEMS).await.text, "Invalid token");
    for token in [&ours.refresh, &carried_on.refresh] {
        let _ = refresh(&library, token).await.expect(422);
    }
    assert_eq!(status(&library, &other.access).await, 200);
    let _ = refresh(&library, &other.refresh).await.expect(201);
}

#[tokio::test]
async fn a_session_ends_by_either_of_its_tokens() {
    let library = library().await;
    let by_header = log_in(&library).await;
    let client = library.stranger().with_token(Some(&by_header.access));
    let _ = client.post("/authn/logout", &json!({})).await.expect(204);
    let _ = refresh(&library, &by_header.refresh).await.expect(422);
    assert_eq!(status(&library, &by_header.access).await, 401);

    let by_cookie = log_in(&library).await;
    let cookie = format!("folioRefreshToken={}", by_cookie.refresh);
    let _ = post_cookies(&library.stranger(), "/authn/logout", &cookie)
        .await
        .expect(204);
    assert_eq!(status(&library, &by_cookie.access).await, 401);
}

#[tokio::test]
async fn without_a_session_there_is_nothing_to_end() {
    let library = library().await;
    let stranger = library.stranger();
    let message = "Authorization server unable to process token logout request";
    for path in ["/authn/logout", "/authn/logout-all"] {
        let refused = stranger.post(path, &json!({})).await.expect(422);
        assert_eq!(one_error(&refused, "token.logout.unprocessable"), message);
    }
    let refused = post_cookies(&stranger, "/authn/logout", "folioRefreshToken=x").await;
    let _ = one_error(&refused.expect(422), "token.logout.unprocessable");
    let refused = post_cookies(&stranger, "/authn/logout", "x=1").await;
    let _ = one_error(&refused.expect(400), "token.parse.failure");
    let two = "folioRefreshToken=a; folioRefreshToken=b";
    let refused = post_cookies(&stranger, "/authn/logout", two).await;
    let _ = one_error(&refused.expect(400), "token.parse.failure");
}

#[tokio::test]
async fn logging_out_everywhere_ends_all_sessions_of_one_user() {
    let library = library().await;
    let admin = library.client().await;
    let _ = new_user(&library, &admin, "other", "secret").await;
    let other = tokens(&log_in_as(&library, "other", "secret").await.expect(201));
    let (one, two) = (log_in(&library).await, log_in(&library).await);
    let client = library.stranger().with_token(Some(&one.access));
    let answer = client.post("/authn/logout-all", &json!({})).await;
    let _ = set_cookie(&answer.expect(204), "folioAccessToken");
    for token in [&one, &two] {
        let _ = refresh(&library, &token.refresh).await.expect(422);
        assert_eq!(status(&library, &token.access).await, 401);
    }
    // Tokens that do not end are over too.
    let _ = admin.get(ITEMS).await.expect(401);
    assert_eq!(status(&library, &other.access).await, 403);
    // Within the same second, new ones are good.
    let again = log_in(&library).await;
    assert_eq!(status(&library, &again.access).await, 200);
    let _ = library.client().await.get(ITEMS).await.expect(200);
}

#[tokio::test]
async fn a_token_that_does_not_end_can_be_logged_out() {
    let library = library().await;
    let (ours, other) = (library.client().await, library.client().await);
    let _ = ours.post("/authn/logout", &json!({})).await.expect(204);
    let _ = ours.get(ITEMS).await.expect(401);
    let _ = other.get(ITEMS).await.expect(200);
    // It stays over when what has ended is removed.
    let (store, tenant) = (&library.platform.store, library.tenant());
    octavo_login::remove_ended(store, &tenant)
        .await
        .expect("it goes");
    let _ = run(&library, "SELECT pg_notify('octavo_identity', 'diku:*')").await;
    let _ = ours.get(ITEMS).await.expect(401);
}

#[tokio::test]
async fn one_session_may_be_spared() {
    let library = library().await;
    let (ours, other) = (log_in(&library).await, log_in(&library).await);
    let claims = read(&ours.access);
    let (user, session) = (claims.user_id.expect("a user"), claims.session());
    let database = &library.platform.store.database;
    octavo_login::app::log_out::end_sessions(
        database,
        &library.tenant(),
        user.into(),
        Some(session.into()),
    )
    .await
    .expect("they end");
    assert_eq!(status(&library, &other.access).await, 401);
    let _ = refresh(&library, &other.refresh).await.expect(422);
    assert_eq!(status(&library, &ours.access).await, 200);
    let next = tokens(&refresh(&library, &ours.refresh).await.expect(201));
    assert_eq!(status(&library, &next.access).await, 200);
    // It can be ended like any other.
    let client = library.stranger().with_token(Some(&next.access));
    let _ = client.post("/authn/logout", &json!({})).await.expect(204);
    for token in [&ours.access, &next.access] {
        assert_eq!(status(&library, token).await, 401);
    }
}

#[tokio::test]
async fn more_ended_sessions_than_are_remembered_are_all_over() {
    let library = library().await;
    let (ended, good) = (log_in(&library).await, log_in(&library).await);
    let user = read(&good.access).user_id.expect("a user");
    let many = format!(
        "INSERT INTO tenant_diku.auth_revoked (session_id, user_id, ends_at)
         SELECT gen_random_uuid(), '{user}', now() + interval '1 hour'
         FROM generate_series(1, 300)"
    );
    assert_eq!(run(&library, &many).await, 300);
    let client = library.stranger().with_token(Some(&ended.access));
    let _ = client.post("/authn/logout", &json!({})).await.expect(204);
    assert_eq!(status(&library, &ended.access).await, 401);
    assert_eq!(status(&library, &good.access).await, 200);
}

#[tokio::test]
async fn a_user_ends_a_thousand_endless_tokens_one_by_one_and_then_all() {
    let library = library().await;
    let client = library.client().await;
    let token = client.token.clone().expect("a token");
    let user = read(&token).user_id.expect("a user");
    let many = format!(
        "INSERT INTO tenant_diku.auth_revoked (session_id, user_id, ends_at)
         SELECT gen_random_uuid(), '{user}', 'infinity' FROM generate_series(1, 1000)"
    );
    assert_eq!(run(&library, &many).await, 1_000);
    let refused = client.post("/authn/logout", &json!({})).await.expect(422);
    let _ = one_error(&refused, "token.logout.unprocessable");
    let _ = client
        .post("/authn/logout-all", &json!({}))
        .await
        .expect(204);
    let _ = client.get(ITEMS).await.expect(401);
    assert_eq!(
        run(&library, "DELETE FROM tenant_diku.auth_revoked").await,
        0
    );
}

#[tokio::test]
async fn whose_credentials_are_removed_is_logged_out() {
    let library = library().await;
    let admin = library.client().await;
    let id = new_user(&library, &admin, "ada", "Secret-1234!").await;
    let ours = tokens(&log_in_as(&library, "ada", "Secret-1234!").await.expect(201));
    let others = log_in(&library).await;
    assert_eq!(status(&library, &ours.access).await, 403);
    let path = format!("/authn/credentials?userId={id}");
    let _ = admin.delete(&path).await.expect(204);
    until(async || status(&library, &ours.access).await == 401).await;
    let _ = refresh(&library, &ours.refresh).await.expect(422);
    assert_eq!(status(&library, &others.access).await, 200);
}

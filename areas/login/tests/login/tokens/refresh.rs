//! Tokens that expire: issued, and exchanged once.

use super::*;

fn short_lives() -> Composition {
    with(|composition| {
        let text = "accessToken:1,refreshToken:2";
        composition.login.lifetimes = text.parse().expect("well formed");
    })
}

fn strict_and_by_tenant() -> Composition {
    with(|composition| {
        let text = "tenantId:diku,accessToken:60,refreshToken:120;accessToken:5";
        composition.login.lifetimes = text.parse().expect("well formed");
        composition.login.same_site = "Strict".parse().expect("well formed");
    })
}

#[tokio::test]
async fn a_log_in_with_expiry_sets_two_cookies() {
    let library = library().await;
    let answer = log_in_as(&library, USERNAME, PASSWORD).await.expect(201);
    let body = answer.json();
    for (name, path, seconds, end) in [
        (
            "folioAccessToken",
            "Path=/;",
            "Max-Age=600;",
            "accessTokenExpiration",
        ),
        (
            "folioRefreshToken",
            "Path=/authn;",
            "Max-Age=604800;",
            "refreshTokenExpiration",
        ),
    ] {
        let cookie = set_cookie(&answer, name);
        for part in [path, seconds, "Secure", "HttpOnly", "SameSite=Lax", "GMT"] {
            assert!(cookie.contains(part), "{part} in {cookie}");
        }
        let claims = read(&cookie_value(&answer, name));
        let end: jiff::Timestamp = body[end]
            .as_str()
            .expect("a text")
            .parse()
            .expect("an instant");
        assert_eq!(Some(end.as_second()), claims.exp);
    }
    let tokens = tokens(&answer);
    assert_eq!(status(&library, &tokens.access).await, 200);
    assert_eq!(read(&tokens.access).sid, read(&tokens.refresh).sid);
}

#[tokio::test]
async fn the_operator_says_how_long_tokens_last_and_where_cookies_go() {
    let library = start(strict_and_by_tenant).await;
    let answer = log_in_as(&library, USERNAME, PASSWORD).await.expect(201);
    let access = set_cookie(&answer, "folioAccessToken");
    assert!(access.contains("Max-Age=60;") && access.ends_with("SameSite=Strict"));
    assert!(set_cookie(&answer, "folioRefreshToken").contains("Max-Age=120;"));
}

#[tokio::test]
async fn a_refresh_token_is_good_once() {
    let library = library().await;
    let first = log_in(&library).await;
    let answer = refresh(&library, &first.refresh).await.expect(201);
    assert!(answer.json()["refreshTokenExpiration"].is_string());
    let second = tokens(&answer);
    assert_ne!(first.refresh, second.refresh);
    assert_eq!(read(&first.access).sid, read(&second.access).sid);
    for token in [&first.access, &second.access] {
        assert_eq!(status(&library, token).await, 200);
    }
    // Somebody uses the first one again: all sessions of the user are over.
    let bystander = log_in(&library).await;
    let endless = library.client().await;
    let refused = refresh(&library, &first.refresh).await.expect(422);
    let message = one_error(&refused, "token.refresh.unprocessable");
    assert_eq!(
        message,
        "Authorization server unable to process token refresh request"
    );
    for name in ["folioAccessToken", "folioRefreshToken"] {
        let cookie = set_cookie(&refused, name);
        assert!(cookie.contains(&format!("{name}=;")), "{cookie}");
        assert!(cookie.contains("Thu, 01 Jan 1970 00:00:00 GMT"));
    }
    for token in [&second.refresh, &bystander.refresh] {
        let _ = refresh(&library, token).await.expect(422);
    }
    for token in [&first.access, &second.access, &bystander.access] {
        assert_eq!(status(&library, token).await, 401);
    }
    // Tokens without a refresh token are of no concern.
    let _ = endless.get(ITEMS).await.expect(200);
    let again = log_in(&library).await;
    assert_eq!(status(&library, &again.access).await, 200);
}

#[tokio::test]
async fn of_several_at_once_one_gets_new_tokens() {
    let library = library().await;
    let first = log_in(&library).await;
    let tries = (0..8).map(|_| refresh(&library, &first.refresh));
    let mut answers = Vec::new();
    for task in tries.map(Box::pin) {
        answers.push(task);
    }
    let statuses: Vec<u16> = futures(answers).await;
    let good = statuses.iter().filter(|status| **status == 201).count();
    assert_eq!(good, 1, "{statuses:?}");
    assert!(statuses.iter().all(|status| [201, 422].contains(status)));
}

/// Polls all of them together.
async fn futures<F: Future<Output = Answer> + Unpin>(mut all: Vec<F>) -> Vec<u16> {
    let mut done = vec![None; all.len()];
    std::future::poll_fn(|context| {
        for (at, one) in all.iter_mut().enumerate() {
            if done[at].is_none()
                && let std::task::Poll::Ready(answer) = std::pin::Pin::new(one).poll(context)
            {
                done[at] = Some(answer.status);
            }
        }
        if done.iter().all(Option::is_some) {
            std::task::Poll::Ready(())
        } else {
            std::task::Poll::Pending
        }
    })
    .await;
    done.into_iter().flatten().collect()
}

#[tokio::test]
async fn tokens_end_in_time() {
    let library = start(short_lives).await;
    let tokens = log_in(&library).await;
    assert_eq!(status(&library, &tokens.access).await, 200);
    until(|| async { status(&library, &tokens.access).await == 401 }).await;
    let stale = library.stranger().with_token(Some(&tokens.access));
    assert_eq!(stale.get(ITEMS).await.text, "Invalid token");
    let end = read(&tokens.refresh).exp.expect("an end");
    until(|| async { jiff::Timestamp::now().as_second() >= end }).await;
    let refused = refresh(&library, &tokens.refresh).await.expect(422);
    let _ = one_error(&refused, "token.refresh.unprocessable");
    // What is over takes no room.
    let (store, tenant) = (&library.platform.store, library.tenant());
    octavo_login::remove_ended(store, &tenant)
        .await
        .expect("it goes");
    let left = store
        .database
        .query("SELECT 1 FROM tenant_diku.auth_sessions", &[])
        .await
        .expect("rows");
    assert!(left.is_empty());
}

#[tokio::test]
async fn refresh_tokens_that_are_none_are_refused() {
    let library = library().await;
    let client = library.stranger();
    for cookies in [
        None,
        Some("x=1".to_owned()),
        Some("folioRefreshToken=".to_owned()),
        Some("folioRefreshToken=a; folioRefreshToken=b".to_owned()),
    ] {
        let answer = match &cookies {
            None => client.post("/authn/refresh", &json!({})).await,
            Some(cookies) => post_cookies(&client, "/authn/refresh", cookies).await,
        };
        let message = one_error(&answer.expect(400), "token.parse.failure");
        assert_eq!(message, "Bad request", "{cookies:?}");
    }
    let tokens = log_in(&library).await;
    let user = read(&tokens.refresh).user_id.expect("a user");
    let genuine = read(&tokens.refresh);
    let sign = |claims: &Claims| signer().sign(claims).expect("a token");
    let other_tenant = Claims {
        tenant: "other".to_owned(),
        ..genuine.clone()
    };
    let guessed = Claims {
        sid: Some(Uuid::new_v4()),
        ..genuine.clone()
    };
    let nobodys = Claims {
        user_id: None,
        ..genuine.clone()
    };
    for token in [
        "x".to_owned(),
        "x".repeat(40_000),
        tokens.access.clone(),
        tokens.refresh[..tokens.refresh.len() - 1].to_owned(),
        Signer::new(&[8; 32]).sign(&genuine).expect("a token"),
        sign(&other_tenant),
        sign(&guessed),
        sign(&nobodys),
        sign(&claims(user, TokenKind::LegacyAccess)),
    ] {
        let refused = refresh(&library, &token).await.expect(422);
        let _ = one_error(&refused, "token.refresh.unprocessable");
    }
    // None of that cost the session anything.
    let _ = refresh(&library, &tokens.refresh).await.expect(201);
}

#[tokio::test]
async fn refresh_works_with_an_access_token_that_has_ended() {
    let library = start(short_lives).await;
    let tokens = log_in(&library).await;
    until(|| async { status(&library, &tokens.access).await == 401 }).await;
    let cookies = format!(
        "folioAccessToken={}; folioRefreshToken={}",
        tokens.access, tokens.refresh
    );
    let answer = post_cookies(&library.stranger(), "/authn/refresh", &cookies).await;
    let _ = super::tokens(&answer.expect(201));
}

#[tokio::test]
async fn a_user_who_is_not_active_gets_no_new_tokens() {
    let library = library().await;
    let admin = library.client().await;
    let user = new_user(&library, &admin, "leaver", "secret").await;
    let tokens = tokens(&log_in_as(&library, "leaver", "secret").await.expect(201));
    let path = format!("/users/{user}");
    let mut record = admin.get(&path).await.expect(200).json();
    record["active"] = json!(false);
    let _ = admin.put(&path, &record).await.expect(204);
    let _ = refresh(&library, &tokens.refresh).await.expect(422);
    let _ = log_in_as(&library, "leaver", "secret").await.expect(422);
    let client = library.stranger().with_token(Some(&tokens.access));
    until(|| async { client.get(ITEMS).await.status == 401 }).await;
    let text = client.get(ITEMS).await.text;
    assert_eq!(
        text,
        format!("Invalid token: user with id {user} is not active")
    );
}

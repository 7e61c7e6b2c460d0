//! Forged tokens: refused with FOLIO's messages.

use super::*;

/// The text before a dot replaced, as an attacker without the key can do.
fn with_header(header: &str, token: &str) -> String {
    let (_, rest) = token.split_once('.').expect("three parts");
    format!("{header}.{rest}")
}

#[tokio::test]
async fn forged_tokens_are_refused() {
    let library = library().await;
    let good = library.client().await.token.expect("a token");
    let user = read(&good).user_id.expect("a user");
    let ours = |claims: &Claims| signer().sign(claims).expect("a token");
    let tokens = log_in(&library).await;
    let (head, signature) = good.rsplit_once('.').expect("three parts");
    let of_nobody = Claims {
        user_id: None,
        ..claims(user, TokenKind::Access)
    };
    let endless = Claims {
        exp: None,
        ..claims(user, TokenKind::Access)
    };
    let ended = Claims {
        exp: Some(1),
        ..claims(user, TokenKind::Access)
    };
    let theirs = Signer::new(&[8; 32]);
    for (what, token) in [
        ("nothing like a token", "nonsense".to_owned()),
        ("empty parts", "..".to_owned()),
        ("too long", "x".repeat(33_000)),
        ("without signature", format!("{head}.")),
        ("cut", good[..good.len() - 1].to_owned()),
        (
            "another's signature",
            format!(
                "{}.{signature}",
                &theirs
                    .sign(&claims(user, TokenKind::Access))
                    .expect("a token")
                    .rsplit_once('.')
                    .expect("parts")
                    .0
            ),
        ),
        (
            "another's key",
            theirs
                .sign(&claims(user, TokenKind::LegacyAccess))
                .expect("a token"),
        ),
        // {"alg":"none"}, {"typ":"JWT","alg":"RS256"}, {"typ":"JWT","alg":"HS512"}
        ("alg none", with_header("eyJhbGciOiJub25lIn0", &good)),
        (
            "alg none, unsigned",
            with_header("eyJhbGciOiJub25lIn0", &format!("{head}.")),
        ),
        (
            "alg RS256",
            with_header("eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiJ9", &good),
        ),
        (
            "alg HS512",
            with_header("eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzUxMiJ9", &good),
        ),
        ("a refresh token", tokens.refresh.clone()),
        ("a user's token of nobody", ours(&of_nobody)),
        ("a token that must end and does not", ours(&endless)),
        ("over", ours(&ended)),
    ] {
        let client = library.stranger().with_token(Some(&token));
        let answer = client.get(ITEMS).await;
        assert_eq!(
            (answer.status, answer.text.as_str()),
            (401, "Invalid token"),
            "{what}"
        );
    }
    let elsewhere = Claims {
        tenant: "other".to_owned(),
        ..claims(user, TokenKind::Access)
    };
    let client = library.stranger().with_token(Some(&ours(&elsewhere)));
    let answer = client.get(ITEMS).await.expect(403);
    assert_eq!(answer.text, "Invalid token");
    let unknown = Uuid::new_v4();
    let client = library
        .stranger()
        .with_token(Some(&ours(&claims(unknown, TokenKind::Access))));
    let answer = client.get(ITEMS).await.expect(401);
    assert_eq!(
        answer.text,
        format!("Invalid token: user with id {unknown} is not active")
    );
}

#[tokio::test]
async fn a_bad_token_keeps_nobody_from_logging_in() {
    let library = library().await;
    let client = library.stranger().with_token(Some("nonsense"));
    let body = json!({"username": USERNAME, "password": PASSWORD});
    let _ = client.post("/authn/login", &body).await.expect(201);
    let tokens = log_in(&library).await;
    let over = library.stranger().with_token(Some(&tokens.access));
    let _ = over.post("/authn/logout", &json!({})).await.expect(204);
    until(|| async { over.get(ITEMS).await.status == 401 }).await;
    let _ = over.post("/authn/login", &body).await.expect(201);
}

#[tokio::test]
async fn tokens_that_earlier_releases_signed_are_good() {
    let library = library().await;
    let user = read(&library.client().await.token.expect("a token")).user_id;
    // Without a key's name, a session and which tenant of the id it is, but later than that was made.
    let earlier = json!({"sub": USERNAME, "user_id": user, "tenant": "diku",
        "type": "legacy-access", "iat": jiff::Timestamp::now().as_second(),
        "jti": Uuid::new_v4()});
    let key = jsonwebtoken::EncodingKey::from_secret(&[7; 32]);
    let header = jsonwebtoken::Header::new(jsonwebtoken::Algorithm::HS256);
    let token = jsonwebtoken::encode(&header, &earlier, &key).expect("a token");
    assert_eq!(status(&library, &token).await, 200);
    let client = library.stranger().with_token(Some(&token));
    let _ = client.post("/authn/logout", &json!({})).await.expect(204);
    until(|| async { status(&library, &token).await == 401 }).await;
}

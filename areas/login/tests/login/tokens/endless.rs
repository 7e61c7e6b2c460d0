//! Tokens that do not end, and installations that have none.

use super::*;

fn none() -> Composition {
    with(|composition| composition.login.legacy = "".parse().expect("never fails"))
}

fn only_another() -> Composition {
    with(|composition| composition.login.legacy = "other".parse().expect("never fails"))
}

#[tokio::test]
async fn where_tokens_have_to_end_legacy_ones_are_neither_given_nor_taken() {
    has_none(&start(none).await).await;
}

#[tokio::test]
async fn some_tenants_may_have_legacy_tokens_and_others_not() {
    has_none(&start(only_another).await).await;
}

async fn has_none(library: &Library) {
    let stranger = library.stranger();
    let body = json!({"username": USERNAME, "password": PASSWORD});
    let answer = stranger.post("/authn/login", &body).await.expect(404);
    assert_eq!(answer.text, "Not found");
    let wrong = json!({"username": USERNAME, "password": "wrong"});
    let _ = stranger.post("/authn/login", &wrong).await.expect(422);
    let tokens = log_in(library).await;
    assert_eq!(status(library, &tokens.access).await, 200);
    let user = read(&tokens.access).user_id.expect("a user");
    let legacy = Claims {
        exp: None,
        ..claims(user, TokenKind::LegacyAccess)
    };
    let token = signer().sign(&legacy).expect("a token");
    let client = stranger.with_token(Some(&token));
    let answer = client.get(ITEMS).await.expect(401);
    assert_eq!(answer.text, "Invalid token");
    // A module that requests one gets an explanation.
    let asking = Claims {
        extra_permissions: vec!["auth.token.post".to_owned()],
        ..claims(user, TokenKind::Module)
    };
    let asking = signer().sign(&asking).expect("a token");
    let payload = json!({"payload": {"sub": USERNAME, "user_id": user}});
    let client = stranger.with_token(Some(&asking));
    let answer = client.post("/token", &payload).await.expect(404);
    assert!(
        answer.text.contains("not a legacy token tenant"),
        "{}",
        answer.text
    );
}

//! Tokens in headers and cookies, with the same effect.

use super::*;

const DIFFERENT: &str =
    "Different tokens in Authentication and X-Okapi-Token. Use only one of them";

#[tokio::test]
async fn a_token_is_taken_from_header_bearer_or_cookie() {
    let library = library().await;
    let token = library.client().await.token.expect("a token");
    let (bearer, cookie) = (
        format!("Bearer {token}"),
        format!("folioAccessToken={token}"),
    );
    let all = [
        ("x-okapi-token", token.as_str()),
        ("authorization", bearer.as_str()),
        ("cookie", cookie.as_str()),
    ];
    for lines in [
        &all[..1],
        &all[1..2],
        &all[2..],
        &all[..],
        &[all[0], all[0]],
        &[all[2], all[2]],
    ] {
        let answer = send(&library, lines).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
    }
}

#[tokio::test]
async fn tokens_that_differ_are_one_too_many() {
    let library = library().await;
    let token = library.client().await.token.expect("a token");
    let other = library.client().await.token.expect("a token");
    let (bearer, cookie) = (
        format!("Bearer {other}"),
        format!("folioAccessToken={other}"),
    );
    let two = format!("folioAccessToken={token}; folioAccessToken={other}");
    let header = ("x-okapi-token", token.as_str());
    let first_bearer = format!("Bearer {token}");
    for lines in [
        &[header, ("x-okapi-token", other.as_str())][..],
        &[header, ("authorization", bearer.as_str())],
        &[header, ("cookie", cookie.as_str())],
        &[
            ("authorization", first_bearer.as_str()),
            ("cookie", cookie.as_str()),
        ],
        &[
            ("authorization", first_bearer.as_str()),
            ("authorization", bearer.as_str()),
        ],
        &[("cookie", two.as_str())],
    ] {
        let answer = send(&library, lines).await;
        assert_eq!((answer.status, answer.text.as_str()), (400, DIFFERENT));
    }
}

async fn send(library: &Library, lines: &[(&str, &str)]) -> Answer {
    let client = library.stranger();
    let mut request = client.request(Method::GET, ITEMS);
    for (name, value) in lines {
        request = request.header(*name, *value);
    }
    client.send(request).await
}

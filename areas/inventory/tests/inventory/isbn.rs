//! `/isbn/…`.

use serde_json::json;

use octavo_server_testkit::library;

#[tokio::test]
async fn isbns_are_converted_with_hyphens_and_without() {
    let client = library().await;
    let client = client.client().await;
    for (path, isbn) in [
        ("convertTo13?isbn=0306406152", "9780306406157"),
        ("convertTo13?isbn=0306406152&hyphens=false", "9780306406157"),
        (
            "convertTo13?isbn=0306406152&hyphens=TRUE",
            "978-0-306-40615-7",
        ),
        // A number of the wanted length is returned unchanged.
        ("convertTo13?isbn=978-0306406157", "978-0306406157"),
        (
            "convertTo13?isbn=978-0306406157&hyphens=true",
            "978-0-306-40615-7",
        ),
        ("convertTo10?isbn=9780804429573", "080442957X"),
        (
            "convertTo10?isbn=9780804429573&hyphens=true",
            "0-8044-2957-X",
        ),
        ("convertTo10?isbn=0-8044-2957-X", "0-8044-2957-X"),
    ] {
        let answer = client.get(&format!("/isbn/{path}")).await.expect(200);
        assert_eq!(answer.json(), json!({"isbn": isbn}), "{path}");
    }
}

#[tokio::test]
async fn what_is_no_isbn_is_said() {
    let client = library().await;
    let client = client.client().await;
    for (path, sentence) in [
        ("convertTo13", "Isbn must be specified"),
        ("convertTo10?hyphens=true", "Isbn must be specified"),
        (
            "convertTo13?isbn=1&hyphens=yes",
            "Hyphens must be true or false",
        ),
        (
            "convertTo13?isbn=0306406153",
            "ISBN value 0306406153 is invalid",
        ),
        (
            "convertTo10?isbn=9791090636071",
            "ISBN value 9791090636071 is invalid",
        ),
        ("convertTo13?isbn=", "ISBN value  is invalid"),
    ] {
        let answer = client.get(&format!("/isbn/{path}")).await.expect(400);
        assert_eq!(answer.text, sentence, "{path}");
    }
    let path = "/isbn/convertTo13?isbn=9786600000008&hyphens=true";
    let answer = client.get(path).await.expect(400);
    assert!(answer.text.ends_with("without hyphens"), "{}", answer.text);
}

#[tokio::test]
async fn the_validator_is_asked_one_thing() {
    let client = library().await;
    let client = client.client().await;
    for (query, valid) in [
        ("isbn=0306406152", true),
        ("isbn=9780306406157", true),
        ("isbn10=9780306406157", false),
        ("isbn10=0306406152", true),
        ("isbn13=0306406152", false),
        ("isbn13=978-0-306-40615-7", true),
        ("isbn=x", false),
    ] {
        let path = format!("/isbn/validator?{query}");
        let answer = client.get(&path).await.expect(200);
        assert_eq!(answer.json(), json!({"isValid": valid}), "{query}");
    }
    for query in ["", "?isbn=0306406152&isbn10=0306406152", "?issn=1"] {
        let path = format!("/isbn/validator{query}");
        let answer = client.get(&path).await.expect(400);
        assert_eq!(
            answer.text,
            "Only one of following query params must be specified: isbn, isbn10, isbn13"
        );
    }
}

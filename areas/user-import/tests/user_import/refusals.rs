//! Refused users with the reason, and invalid bodies.

use super::*;
use octavo_server_testkit::library;

#[tokio::test]
async fn refused_users_are_reported_and_the_others_stored() {
    let library = library().await;
    let client = library.client().await;
    let mut users: Vec<Value> = (0..20).map(sent).collect();
    users[3]["barcode"] = json!("b2");
    users[7]["patronGroup"] = json!("nobody");
    users[9]["departments"] = json!(["Zoology", "Art"]);
    users[11]["customFields"] = json!({"nothing": 1});
    users[13]["requestPreference"] = json!({"holdShelf": true, "delivery": true});
    users[17]["username"] = json!("READER16");
    let answer = run(&client, &import(&users)).await;
    assert_eq!(counts(&answer), [14, 0, 6, 20], "{answer}");
    assert_eq!(answer["message"], "Users were imported successfully.");
    let failed: std::collections::BTreeMap<&str, &str> = answer["failedUsers"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| {
            let text = |name: &str| one[name].as_str().unwrap_or_default();
            (text("externalSystemId"), text("errorMessage"))
        })
        .collect();
    for (id, why) in [
        ("7", "Patron group does not exist in the system: [nobody]"),
        (
            "9",
            "Departments do not exist in the system: [Art, Zoology]",
        ),
        ("11", "Custom fields do not exist in the system: [nothing]."),
        (
            "13",
            "User Preference validation failed: fulfillment must not be null",
        ),
    ] {
        assert_eq!(failed.get(id), Some(&why), "{failed:?}");
    }
    for (id, why) in [("3", "barcode"), ("17", "username")] {
        let begins = format!("Failed to create new user with externalSystemId: {id}: ");
        let reported = failed.get(id).copied().unwrap_or_default();
        assert!(
            reported.starts_with(&begins) && reported.contains(why),
            "{reported}"
        );
    }
    // A preference that is invalid keeps nobody out, as in FOLIO.
    assert_eq!(user(&client, "13").await["username"], "reader13");
    for (number, stored) in [
        (2, true),
        (3, false),
        (4, true),
        (16, true),
        (17, false),
        (19, true),
    ] {
        let found = user(&client, &number.to_string()).await;
        assert_eq!(!found.is_null(), stored, "{number}");
    }
    // One who is there and is refused.
    let mut taken = sent(4);
    taken["barcode"] = json!("b2");
    let answer = run(&client, &import(&[taken])).await;
    let (id, why) = first_failed(&answer);
    assert_eq!(id, "4");
    assert!(
        why.starts_with("Failed to update user with externalSystemId: 4: "),
        "{why}"
    );
    assert_eq!(user(&client, "4").await["barcode"], "b4");
}

#[tokio::test]
async fn who_comes_twice_is_new_once() {
    let library = library().await;
    let client = library.client().await;
    let mut again = sent(1);
    again["personal"]["lastName"] = json!("Later");
    let answer = run(&client, &import(&[sent(1), sent(2), again])).await;
    assert_eq!(counts(&answer), [2, 1, 0, 3], "{answer}");
    assert_eq!(user(&client, "1").await["personal"]["lastName"], "Later");
}

#[tokio::test]
async fn bodies_that_are_no_import_change_nothing() {
    let library = library().await;
    let client = library.client().await;
    let change = |pointer: &str, value: Value| {
        let mut body = import(&[sent(1), sent(2)]);
        let (parent, name) = pointer.rsplit_once('/').expect("a pointer");
        body.pointer_mut(parent).expect("a parent")[name] = value;
        body
    };
    for (body, key) in [
        (
            change("/users/1/username", json!(null)),
            "users[1].username",
        ),
        (
            change("/users/1/personal/lastName", json!(null)),
            "users[1].personal.lastName",
        ),
        (change("/users/0/colour", json!("red")), "users[0].colour"),
        (
            change("/users/0/active", json!("perhaps")),
            "users[0].active",
        ),
        (change("/totalRecords", json!(null)), "totalRecords"),
        (change("/more", json!(1)), "more"),
    ] {
        let answer = client.post(IMPORT, &body).await;
        assert!(
            matches!(answer.status, 400 | 422),
            "{} {}",
            answer.status,
            answer.text
        );
        if answer.status == 422 {
            let (message, at) = refused(&answer);
            assert!(at == key || at.is_empty(), "{key}: {message} {at}");
        }
    }
    for body in ["", "{", "[]", "7"] {
        let request = client
            .request(reqwest::Method::POST, IMPORT)
            .header("content-type", "application/json")
            .body(body);
        let status = client.send(request).await.status;
        assert!(matches!(status, 400 | 422), "{body:?}: {status}");
    }
    assert_eq!(user(&client, "1").await, Value::Null);
    let stranger = library.stranger().post(IMPORT, &import(&[sent(1)])).await;
    assert!(matches!(stranger.status, 400 | 401), "{}", stranger.status);
}

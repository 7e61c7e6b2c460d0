//! `/staging-users`: self-registrations, their changes, and the users created from them.

use octavo_testkit::Client;
use serde_json::{Value, json};

use super::{HOME, STAFF, USERS, WORK, events, get, id_of, path_of, post, unknown};
use octavo_server_testkit::library;

const STAGING: &str = "/staging-users";

fn form() -> Value {
    json!({
        "generalInfo": {"firstName": "Ada", "lastName": "Byron"},
        "contactInfo": {"email": "ada@example.org", "phone": "1"},
        "addressInfo": {"addressLine0": "Street 1", "city": "Town", "zip": "7", "country": "DE"},
        "preferredEmailCommunication": ["Support"],
    })
}

async fn remote_group(client: &Client) -> String {
    let body = json!({"group": "Remote Non-circulating", "expirationOffsetInDays": 365});
    id_of(&post(client, "/groups", body).await)
}

#[tokio::test]
async fn a_registration_is_stored_found_and_changed_by_its_identifier() {
    let library = library().await;
    let client = library.client().await;
    let mut sent = form();
    sent["externalSystemId"] = json!("mine");
    let stored = post(&client, STAGING, sent).await;
    let identifier = stored["externalSystemId"].as_str().expect("an identifier");
    assert_ne!(identifier, "mine");
    assert_eq!(
        (&stored["status"], &stored["isEmailVerified"]),
        (&json!("TIER-1"), &json!(false))
    );
    let other = post(&client, STAGING, form()).await;
    assert_ne!(other["externalSystemId"], stored["externalSystemId"]);

    let mut change = form();
    change["contactInfo"] = json!({"email": "other@example.org", "mobilePhone": "2"});
    change["isEmailVerified"] = json!(true);
    let path = format!("{STAGING}/{identifier}");
    let changed = client.put(&path, &change).await.expect(200).json();
    assert_eq!(changed["id"], stored["id"]);
    assert_eq!(
        changed["contactInfo"],
        json!({"email": "ada@example.org", "phone": "1", "mobilePhone": "2"})
    );
    assert_eq!(changed["isEmailVerified"], true);
    let gone = client
        .put(&format!("{STAGING}/{}", unknown()), &form())
        .await
        .expect(404);
    assert_eq!(gone.text, "No matching user found for update.");
    let refused = client
        .post(STAGING, &json!({"generalInfo": {}}))
        .await
        .expect(422)
        .json();
    assert_eq!(refused["errors"].as_array().map(Vec::len), Some(3));
    for query in [
        "keywords=ada",
        "contactInfo.email==ADA@example.org",
        &format!("externalSystemId=={identifier}"),
    ] {
        let found = client.query(STAGING, query).await.expect(200).json();
        assert!(
            found["staging_users"][0]["id"].is_string(),
            "{query}: {found}"
        );
    }
}

#[tokio::test]
async fn a_registration_becomes_a_user_once() {
    let library = library().await;
    let client = library.client().await;
    let stored = post(&client, STAGING, form()).await;
    let path = format!("{}/mergeOrCreateUser", path_of(STAGING, &stored));
    let missing = client.put(&path, &Value::Null).await.expect(500);
    assert_eq!(
        missing.text,
        "unable to find patron group with Remote Non-circulating as group"
    );
    let group = remote_group(&client).await;
    // Two desks at once.
    let (one, other) = tokio::join!(
        client.put(&path, &Value::Null),
        client.put(&path, &Value::Null)
    );
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 404], "{} {}", one.text, other.text);
    let (made, refused) = if one.status == 200 {
        (one, other)
    } else {
        (other, one)
    };
    assert_eq!(
        refused.text,
        format!("staging user with id {} not found", id_of(&stored))
    );
    let id = made.json()["userId"].as_str().expect("an id").to_owned();
    let user = get(&client, &format!("{USERS}/{id}")).await;
    assert_eq!(
        (&user["type"], &user["active"]),
        (&json!("patron"), &json!(true))
    );
    assert_eq!(user["patronGroup"], json!(group));
    assert_eq!(user["externalSystemId"], stored["externalSystemId"]);
    assert_eq!(user["enrollmentDate"], stored["metadata"]["updatedDate"]);
    assert!(user["expirationDate"].as_str() > user["enrollmentDate"].as_str());
    let address = &user["personal"]["addresses"][0];
    assert_eq!(
        (&address["addressTypeId"], &address["addressLine1"]),
        (&json!(HOME), &json!("Street 1"))
    );
    assert_eq!(get(&client, STAGING).await["totalRecords"], 0);
    let published = events(&library, "users.users").await;
    assert!(
        published
            .iter()
            .any(|(kind, _, new)| kind == "CREATE" && new["id"] == json!(id))
    );
}

#[tokio::test]
async fn a_registration_is_joined_with_a_user_who_is_there() {
    let library = library().await;
    let client = library.client().await;
    let stored = post(&client, STAGING, form()).await;
    let path = format!("{}/mergeOrCreateUser", path_of(STAGING, &stored));
    let nobody = unknown();
    let refused = client
        .put(&format!("{path}?userId={nobody}"), &Value::Null)
        .await
        .expect(404);
    assert_eq!(refused.text, format!("user with id {nobody} not found"));
    let user = json!({
        "username": "ada", "barcode": "7", "active": false, "patronGroup": STAFF, "type": "staff",
        "personal": {"lastName": "Old", "pronouns": "she", "addresses": [
            {"addressTypeId": WORK, "city": "City", "primaryAddress": true}]},
    });
    let user = post(&client, USERS, user).await;
    let merged = client
        .put(&format!("{path}?userId={}", id_of(&user)), &Value::Null)
        .await;
    assert_eq!(merged.expect(200).json()["userId"], user["id"]);
    let now = get(&client, &path_of(USERS, &user)).await;
    assert_eq!(
        (&now["barcode"], &now["type"], &now["active"]),
        (&json!("7"), &json!("staff"), &json!(true))
    );
    assert_eq!(
        (&now["personal"]["lastName"], &now["personal"]["pronouns"]),
        (&json!("Byron"), &json!("she"))
    );
    assert_eq!(now["patronGroup"], json!(STAFF));
    let primary: Vec<_> = now["personal"]["addresses"]
        .as_array()
        .expect("addresses")
        .iter()
        .map(|one| one["primaryAddress"].clone())
        .collect();
    assert_eq!(primary, [json!(false), json!(true)]);
    assert_eq!(now["createdDate"], user["createdDate"]);

    let minor = {
        let mut form = form();
        form["minor"] = json!(true);
        post(&client, STAGING, form).await
    };
    let path = format!("{}/mergeOrCreateUser", path_of(STAGING, &minor));
    let missing = client.put(&path, &Value::Null).await.expect(500);
    assert_eq!(
        missing.text,
        "unable to find patron group with Basic -- Minor (INTERNAL) as group"
    );
}

//! `/user-tenants`, and the rules for users of a tenant in a consortium.

use serde_json::json;

use super::{USERS, events, first_error, get, id_of, path_of, post, unknown, user};
use octavo_server_testkit::library;

const TENANTS: &str = "/user-tenants";

#[tokio::test]
async fn a_library_by_itself_has_an_empty_list_and_no_rules_of_a_consortium() {
    let library = library().await;
    let client = library.client().await;
    let list = get(&client, TENANTS).await;
    assert_eq!(
        (&list["userTenants"], &list["totalRecords"]),
        (&json!([]), &json!(0))
    );
    let refused = client.delete(TENANTS).await.expect(500);
    assert_eq!(
        refused.text,
        "User-tenant table in member ECS tenant should contain 1 record"
    );
    let _ = client
        .delete(&format!("{TENANTS}?tenantId=other"))
        .await
        .expect(204);
    let strange = post(&client, USERS, json!({"username": "a", "type": "alien"})).await;
    let _ = client.delete(&path_of(USERS, &strange)).await.expect(204);
    assert!(events(&library, "users.USER_CREATED").await.is_empty());
    assert!(events(&library, "users.USER_DELETED").await.is_empty());
}

#[tokio::test]
async fn tenants_of_users_are_found_by_each_of_their_properties() {
    let library = library().await;
    let client = library.client().await;
    let (jane, john) = (unknown(), unknown());
    let first = json!({"userId": jane, "username": "Jane", "tenantId": "one", "email": "j@b.org", "barcode": "7"});
    let second =
        json!({"userId": john, "username": "john", "tenantId": "two", "externalSystemId": "e"});
    for body in [&first, &second] {
        let answer = client.post(TENANTS, body).await.expect(201);
        assert_eq!(answer.text, "");
    }
    let count = async |query: &str| {
        get(&client, &format!("{TENANTS}?{query}")).await["totalRecords"].clone()
    };
    for (query, wanted) in [
        ("", 2),
        ("username=JANE", 1),
        ("email=J@b.org", 0),
        ("email=j@b.org&tenantId=one", 1),
        ("email=j@b.org&tenantId=two", 0),
        ("email=j@b.org&tenantId=two&queryOp=or", 2),
        ("externalSystemId=e&barcode=", 1),
        ("limit=1&tenantId=one&username=john&queryOp=OR", 2),
    ] {
        assert_eq!(count(query).await, wanted, "{query}");
    }
    assert_eq!(count(&format!("userId={jane}")).await, 1);
    assert_eq!(
        client.get(&format!("{TENANTS}?queryOp=xor")).await.status,
        400
    );
    let stored = get(&client, &format!("{TENANTS}?userId={jane}")).await["userTenants"][0].clone();
    let again = client.post(TENANTS, &stored).await.expect(500);
    assert_eq!(
        again.text,
        format!("Event with Id={} is already processed.", id_of(&stored))
    );
    let refused = client.post(TENANTS, &json!({})).await.expect(422).json();
    assert_eq!(refused["errors"].as_array().map(Vec::len), Some(2));
    let _ = client.delete(TENANTS).await.expect(500);
    let _ = client
        .delete(&format!("{TENANTS}?tenantId=two"))
        .await
        .expect(204);
    let _ = client.delete(TENANTS).await.expect(204);
    assert_eq!(count("").await, 0);
}

#[tokio::test]
async fn a_member_of_a_consortium_checks_more_and_publishes_changes_of_its_users() {
    let library = library().await;
    let client = library.client().await;
    let plain = user(&client, "plain").await;
    // The tenant leads its consortium itself.
    let body = json!({"userId": unknown(), "username": "Elsewhere", "tenantId": "other", "centralTenantId": "diku"});
    let _ = client.post(TENANTS, &body).await.expect(201);
    let allowed = "An invalid user type has been populated to a user, allowed values: \
                   [patron, staff, shadow, system, dcb]";
    let refused = client
        .post(USERS, &json!({"username": "a"}))
        .await
        .expect(422)
        .json();
    assert_eq!(first_error(&refused)[..2], [allowed, "id"]);
    assert_eq!(
        client
            .put(&path_of(USERS, &plain), &plain)
            .await
            .expect(400)
            .text,
        allowed
    );
    let id = unknown();
    let refused = client
        .post(USERS, &json!({"id": id, "type": "staff"}))
        .await
        .expect(400);
    assert_eq!(
        refused.text,
        format!("The user with the ID {id} must have a username since consortium mode is enabled")
    );
    let refused = client
        .post(USERS, &json!({"username": "elsewhere", "type": "patron"}))
        .await;
    assert_eq!(
        first_error(&refused.expect(422).json())[0],
        "User with this username already exists"
    );

    let patron = post(&client, USERS, json!({"username": "p", "type": "patron"})).await;
    let staff =
        json!({"username": "s", "type": "staff", "personal": {"lastName": "A", "pronouns": "x"}});
    let staff = post(&client, USERS, staff).await;
    let mut renamed = staff.clone();
    renamed["personal"]["lastName"] = json!("B");
    let _ = client
        .put(&path_of(USERS, &staff), &renamed)
        .await
        .expect(204);
    let _ = client
        .put(&path_of(USERS, &staff), &renamed)
        .await
        .expect(204);
    let _ = client.delete(&path_of(USERS, &patron)).await.expect(204);
    let created = events(&library, "users.USER_CREATED").await;
    assert_eq!(created.len(), 1);
    assert_eq!(created[0].2["userDto"]["username"], "s");
    assert!(created[0].2["userDto"]["personal"]["pronouns"].is_null());
    let updated = events(&library, "users.USER_UPDATED").await;
    assert_eq!(updated.len(), 1);
    assert_eq!(updated[0].2["isPersonalDataChanged"], true);
    let deleted = events(&library, "users.USER_DELETED").await;
    assert_eq!(deleted.len(), 1);
    assert_eq!(deleted[0].2["userDto"], json!({"id": patron["id"]}));
}

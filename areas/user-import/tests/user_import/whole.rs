//! Imported users with all their records, and a repeated import.

use super::*;
use octavo_server_testkit::library;

#[tokio::test]
async fn users_are_made_with_what_belongs_to_them_and_changed_the_next_night() {
    let library = library().await;
    let client = library.client().await;
    let department = json!({"name": "History", "code": "HIS"});
    let department = client
        .post("/departments", &department)
        .await
        .expect(201)
        .json();
    let field = json!({"name": "Scope", "type": "MULTI_SELECT_DROPDOWN", "entityType": "user",
        "selectField": {"multiSelect": true, "options": {"values": [
            {"id": "opt_1", "value": "Design"}, {"id": "opt_2", "value": "Law"}]}}});
    let field = client
        .post("/custom-fields", &field)
        .await
        .expect(201)
        .json();
    let reference = field["refId"].as_str().expect("a reference");
    let mut jane = sent(1);
    jane["departments"] = json!(["History"]);
    jane["customFields"] = json!({reference: ["Law", "Design"]});
    jane["tags"] = json!({"tagList": ["new"]});
    jane["enrollmentDate"] = json!("2026-01-01");
    jane["personal"]["addresses"] = json!([
        {"addressTypeId": "Home", "city": "Oslo", "primaryAddress": true},
        {"addressTypeId": "Moon", "city": "Nowhere"}]);
    jane["requestPreference"] = json!({"holdShelf": true, "delivery": true,
        "fulfillment": "Delivery", "defaultDeliveryAddressTypeId": "Home",
        "defaultServicePointId": DESK});
    let whole = with(
        import(&[jane.clone(), sent(2)]),
        json!({"sourceType": "sis"}),
    );
    let answer = run(&client, &whole).await;
    assert_eq!(
        answer,
        json!({"message": "Users were imported successfully.", "createdRecords": 2,
               "updatedRecords": 0, "failedRecords": 0, "failedUsers": [], "totalRecords": 2})
    );
    let stored = user(&client, "sis_1").await;
    assert_eq!(
        stored["patronGroup"],
        "3684a786-6671-4268-8ed0-9db82ebca60b"
    );
    assert_eq!(stored["departments"], json!([department["id"]]));
    assert_eq!(
        stored["customFields"],
        json!({reference: ["opt_2", "opt_1"]})
    );
    assert_eq!(stored["personal"]["preferredContactTypeId"], "002");
    assert_eq!(stored["tags"]["tagList"], json!(["new"]));
    let addresses = stored["personal"]["addresses"]
        .as_array()
        .expect("addresses");
    assert_eq!(addresses.len(), 1);
    assert!(stored.get("requestPreference").is_none());
    assert!(
        stored["metadata"]["createdByUserId"].is_string(),
        "{stored}"
    );
    let id = stored["id"].as_str().expect("an id").to_owned();
    let permitted = client.query("/perms/users", &format!("userId=={id}")).await;
    let permitted = permitted.expect(200).json();
    assert_eq!(permitted["permissionUsers"][0]["permissions"], json!([]));
    let preferences = async || {
        let path = "/request-preference-storage/request-preference";
        let found = client
            .query(path, &format!("userId=={id}"))
            .await
            .expect(200);
        found.json()["requestPreferences"]
            .as_array()
            .expect("a list")
            .clone()
    };
    let first = preferences().await;
    assert_eq!(first.len(), 1);
    assert_eq!(
        first[0]["defaultDeliveryAddressTypeId"],
        addresses[0]["addressTypeId"]
    );

    // The next night: one changed, one as before, one new.
    jane["personal"]["lastName"] = json!("Roe");
    jane["requestPreference"] = json!({"holdShelf": true, "delivery": false});
    let again = [jane.clone(), sent(2), sent(3)];
    let again = with(import(&again), json!({"sourceType": "sis"}));
    assert_eq!(counts(&run(&client, &again).await), [1, 2, 0, 3]);
    let changed = user(&client, "sis_1").await;
    assert_eq!(
        (&changed["id"], &changed["personal"]["lastName"]),
        (&json!(id), &json!("Roe"))
    );
    assert_eq!(changed["createdDate"], stored["createdDate"]);
    let second = preferences().await;
    assert_eq!((second.len(), &second[0]["id"]), (1, &first[0]["id"]));
    assert_eq!(second[0]["delivery"], false);
    assert!(second[0].get("fulfillment").is_none(), "{second:?}");
    // A preference that is not sent is deleted.
    jane.as_object_mut()
        .expect("a user")
        .remove("requestPreference");
    let third = with(import(&[jane]), json!({"sourceType": "sis"}));
    assert_eq!(counts(&run(&client, &third).await), [0, 1, 0, 1]);
    assert!(preferences().await.is_empty());
}

#[tokio::test]
async fn a_large_import_is_stored_whole_and_can_be_given_again() {
    const USERS: usize = 1_250;
    let library = library().await;
    let client = library.client().await;
    let users: Vec<Value> = (0..USERS).map(sent).collect();
    let all = USERS as u64;
    assert_eq!(
        counts(&run(&client, &import(&users)).await),
        [all, 0, 0, all]
    );
    assert_eq!(
        counts(&run(&client, &import(&users)).await),
        [0, all, 0, all]
    );
    let found = client.get("/users?query=username=reader*&limit=0").await;
    assert_eq!(found.expect(200).json()["totalRecords"], all);
    let events = "SELECT count(*) FROM tenant_diku.outbox WHERE topic = 'users.users'";
    let database = &library.platform.store.database;
    let rows = database.query(events, &[]).await.expect("rows");
    assert!(rows[0].get::<_, i64>(0) >= 2 * USERS as i64);
}

#[tokio::test]
async fn an_import_of_nobody_is_answered() {
    let library = library().await;
    let client = library.client().await;
    let answer = run(&client, &json!({"users": [], "totalRecords": 0})).await;
    assert_eq!(
        answer,
        json!({"message": "No users to import.", "failedUsers": [], "totalRecords": 0})
    );
}

#[tokio::test]
async fn two_imports_of_the_same_users_at_once_agree() {
    let library = library().await;
    let client = library.client().await;
    let users: Vec<Value> = (0..150).map(sent).collect();
    let both = (0..2).map(|_| {
        let (client, body) = (client.clone(), import(&users));
        async move { client.post(IMPORT, &body).await.expect(200).json() }
    });
    let answers = both.collect::<tokio::task::JoinSet<_>>().join_all().await;
    for answer in &answers {
        let [created, updated, failed, all] = counts(answer);
        assert_eq!(created + updated + failed, all);
    }
    let found = client.get("/users?query=username=reader*&limit=0").await;
    assert_eq!(found.expect(200).json()["totalRecords"], 150);
}

//! Departments and custom fields included in an import.

use super::*;
use octavo_server_testkit::library;

#[tokio::test]
async fn departments_are_made_renamed_and_found() {
    let library = library().await;
    let client = library.client().await;
    let old = json!({"name": "Laws", "code": "LAW"});
    let old = client.post("/departments", &old).await.expect(201).json();
    let mut jane = sent(1);
    jane["departments"] = json!(["Law", "Art History"]);
    let included = json!({"included": {"departments": [
        {"name": "Law", "code": "LAW"}, {"name": "Art History"}]}});
    let answer = run(&client, &with(import(&[jane]), included)).await;
    assert_eq!(counts(&answer), [1, 0, 0, 1], "{answer}");
    let found = client
        .query("/departments", "cql.allRecords=1 sortby name")
        .await;
    let found = found.expect(200).json();
    let names: Vec<_> = found["departments"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| {
            (
                one["name"].as_str(),
                one["code"].as_str(),
                one["usageNumber"].as_u64(),
            )
        })
        .collect();
    assert_eq!(
        names,
        [
            (Some("Art History"), Some("ART_HISTORY"), Some(1)),
            (Some("Law"), Some("LAW"), Some(1)),
        ]
    );
    let stored = user(&client, "1").await;
    assert_eq!(stored["departments"][0], old["id"]);
}

#[tokio::test]
async fn options_are_added_to_custom_fields() {
    let library = library().await;
    let client = library.client().await;
    let field = json!({"name": "Scope", "type": "SINGLE_SELECT_DROPDOWN", "entityType": "user",
        "selectField": {"multiSelect": false, "options": {"values": [{"id": "opt_1", "value": "Design"}]}}});
    let field = client
        .post("/custom-fields", &field)
        .await
        .expect(201)
        .json();
    let reference = field["refId"].as_str().expect("a reference");
    let mut jane = sent(1);
    jane["customFields"] = json!({reference: "Law"});
    let answer = run(&client, &import(&[jane.clone()])).await;
    assert_eq!(
        first_failed(&answer),
        (
            "1",
            format!(
                " Custom field's options do not exist in the system: [refId = {reference}, \
                 options: [Law]]."
            )
            .as_str()
        )
    );
    let included = json!({"included": {"customFields": [{"refId": reference, "name": "Scopes",
        "selectField": {"options": {"values": [{"value": "Design"}, {"value": "Law"}]}}}]}});
    let answer = run(&client, &with(import(&[jane]), included)).await;
    assert_eq!(counts(&answer), [1, 0, 0, 1], "{answer}");
    let path = format!("/custom-fields/{}", field["id"].as_str().expect("an id"));
    let changed = client.get(&path).await.expect(200).json();
    assert_eq!(
        (&changed["name"], &changed["refId"]),
        (&json!("Scopes"), &json!(reference))
    );
    let options = changed["selectField"]["options"]["values"]
        .as_array()
        .expect("options");
    assert_eq!(options.len(), 2);
    let law = options
        .iter()
        .find(|one| one["value"] == "Law")
        .expect("the new one");
    assert_eq!(
        user(&client, "1").await["customFields"][reference],
        law["id"]
    );
}

#[tokio::test]
async fn what_cannot_be_brought_along_ends_the_import() {
    let library = library().await;
    let client = library.client().await;
    let included = json!({"included": {"customFields": [{"refId": "nothing"}]}});
    let answer = client
        .post(IMPORT, &with(import(&[sent(1)]), included))
        .await;
    let answer = answer.expect(500).json();
    let why =
        "Failed to prepare custom fields: Custom fields do not exist in the system: [nothing].";
    assert_eq!(
        answer,
        json!({"message": "Failed to import users.", "error": why, "createdRecords": 0,
               "updatedRecords": 0, "failedRecords": 1, "totalRecords": 1,
               "failedUsers": [{"username": "reader1", "externalSystemId": "1", "errorMessage": why}]})
    );
    let _ = client
        .post("/departments", &json!({"name": "A", "code": "X_Y"}))
        .await
        .expect(201);
    let included = json!({"included": {"departments": [{"name": "x y"}]}});
    let answer = client
        .post(IMPORT, &with(import(&[sent(1)]), included))
        .await;
    let why = answer.expect(500).json()["error"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    assert!(
        why.starts_with("Failed to prepare departments: Failed to create department: "),
        "{why}"
    );
    assert_eq!(user(&client, "1").await, Value::Null);
}

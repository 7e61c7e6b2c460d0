//! Stored snapshots of trees, forms and protected fields.

use octavo_import_profiles::app::{start_snapshot, stored_tree};
use octavo_records::{Context, Stamp};
use serde_json::json;
use uuid::Uuid;

use super::{JOBS, a_job, an_action, nowhere, outline, text};
use octavo_server_testkit::library;

const KEPT: &str = "/data-import-profiles/jobProfileSnapshots";
const FIELDS: &str = "/field-protection-settings/marc";
const FORMS: &str = "/converter-storage/forms/configs";

#[tokio::test]
async fn a_kept_tree_stays_whatever_becomes_of_the_profiles() {
    let library = library().await;
    let client = library.client().await;
    let (action, _) = an_action(&client, "creates", "CREATE", "INSTANCE").await;
    let id = a_job(&client, "imports", &action).await;
    let path = format!("{KEPT}/{id}");
    let kept = client.post(&path, &json!({})).await.expect(201).json();
    let tenant = library.tenant();
    let context = Context {
        store: &library.platform.store,
        tenant: &tenant,
        stamp: Stamp::now(None),
    };
    let job_id = Uuid::try_parse(&id).expect("a UUID");
    let begun = start_snapshot(&library.platform.store.database, context, job_id.into()).await;
    let begun = begun.expect("an answer").expect("the job");
    let _ = client.delete(&format!("{JOBS}/{id}")).await.expect(204);
    let path = format!("{KEPT}/{}", text(&kept, "id"));
    let read = client.get(&path).await.expect(200).json();
    assert_eq!(read, kept);
    assert_eq!(
        outline(&read),
        ["0 - imports", "1 - creates", "2 - creates"]
    );
    let again = stored_tree(context, begun.id().expect("an id"))
        .await
        .expect("an answer");
    assert_eq!(again, Some(begun));
    let gone = nowhere();
    let missing = client.get(&format!("{KEPT}/{gone}")).await.expect(404);
    assert_eq!(
        missing.text,
        format!("Profile snapshot with id '{gone}' was not found")
    );
    let _ = client
        .post(&format!("{KEPT}/{gone}"), &json!({}))
        .await
        .expect(404);
}

#[tokio::test]
async fn system_fields_stay_protected() {
    let library = library().await;
    let client = library.client().await;
    let listed = client
        .query(FIELDS, "source==SYSTEM sortby field")
        .await
        .expect(200)
        .json();
    assert_eq!(listed["totalRecords"], 2);
    let system = &listed["marcFieldProtectionSettings"][1];
    assert_eq!((text(system, "field"), text(system, "data")), ("999", "*"));
    let one = format!("{FIELDS}/{}", text(system, "id"));
    let answer = client.put(&one, system).await.expect(400);
    assert_eq!(
        answer.text,
        "MARC field protection setting with source SYSTEM cannot be updated"
    );
    let answer = client.delete(&one).await.expect(400);
    assert_eq!(
        answer.text,
        "MARC field protection setting with source SYSTEM cannot be deleted"
    );

    let own = json!({"field": "590", "indicator1": "*", "indicator2": "*", "subfield": "a",
                     "data": "*", "source": "USER"});
    let made = client.post(FIELDS, &own).await.expect(201).json();
    assert_eq!(made["override"], false);
    let one = format!("{FIELDS}/{}", text(&made, "id"));
    assert_eq!(client.get(&one).await.expect(200).json(), made);
    let mut changed = made.clone();
    changed["subfield"] = json!("b");
    let answer = client.put(&one, &changed).await.expect(200).json();
    assert_eq!(answer["subfield"], "b");
    let _ = client.delete(&one).await.expect(204);
    let id = text(&made, "id");
    let missing = client.get(&one).await.expect(404);
    assert_eq!(
        missing.text,
        format!("MARC field protection setting with id '{id}' was not found")
    );
    for missing in [client.put(&one, &changed).await, client.delete(&one).await] {
        let message = format!("MARC field protection with id '{id}' was not found");
        assert_eq!((missing.status, missing.text), (404, message));
    }
    assert_eq!(client.post(FIELDS, &json!({"data": "x"})).await.status, 422);
}

#[tokio::test]
async fn forms_are_kept_by_their_names() {
    let library = library().await;
    let client = library.client().await;
    let form = json!({"formName": "marc field", "config": {"name": "root", "children": [1, null]}});
    let made = client.post(FORMS, &form).await.expect(201).json();
    assert_eq!(made["config"], form["config"]);
    assert_eq!(client.post(FORMS, &form).await.status, 400);
    let one = format!("{FORMS}/marc%20field");
    assert_eq!(client.get(&one).await.expect(200).json(), made);
    let other = json!({"formName": "marc field", "config": "plain"});
    let changed = client.put(&one, &other).await.expect(200).json();
    assert_eq!(
        (&changed["id"], &changed["config"]),
        (&made["id"], &json!("plain"))
    );
    let listed = client.get(FORMS).await.expect(200).json();
    assert_eq!(listed, json!({"formConfigs": [changed], "totalRecords": 1}));
    let _ = client.delete(&one).await.expect(204);
    for missing in [
        client.get(&one).await,
        client.put(&one, &other).await,
        client.delete(&one).await,
    ] {
        let message = "FormConfig with formName 'marc field' was not found".to_owned();
        assert_eq!((missing.status, missing.text), (404, message));
    }
    assert_eq!(
        client.post(FORMS, &json!({"formName": "x"})).await.status,
        422
    );
    assert_eq!(client.post(FORMS, &json!([])).await.status, 400);
}

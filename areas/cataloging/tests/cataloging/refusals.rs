//! Records that the editor refuses, with its messages.

use serde_json::json;
use uuid::Uuid;

use super::{RECORDS, bib, created, generations, instance, put_path, shown, text, with};
use octavo_server_testkit::library;

#[tokio::test]
async fn what_is_no_record_is_refused() {
    let library = library().await;
    let client = library.client().await;
    let refused = client.get(RECORDS).await.expect(400).json();
    assert_eq!(
        refused,
        json!({"message": "Parameter 'externalId' is required", "type": "-1", "code": "BAD_REQUEST"})
    );
    let _ = client
        .get(&format!("{RECORDS}?externalId=x"))
        .await
        .expect(400);
    let id = Uuid::new_v4();
    let missing = client
        .get(&format!("{RECORDS}?externalId={id}"))
        .await
        .expect(404)
        .json();
    assert_eq!(
        missing["message"],
        format!("The source record was not found by externalId: {id}")
    );
    let _ = client.post(RECORDS, &json!({})).await.expect(400);
    let _ = client
        .post(RECORDS, &json!({"marcFormat": "X"}))
        .await
        .expect(400);
    let mut form = bib("T");
    form["fields"][1]["tag"] = json!("10a");
    let _ = client.post(RECORDS, &form).await.expect(400);
}

#[tokio::test]
async fn a_body_that_is_no_object_is_refused_whatever_is_asked() {
    let library = library().await;
    let client = library.client().await;
    let put = format!("{RECORDS}/{}", Uuid::new_v4());
    let suggest = "/records-editor/links/suggestion";
    for body in [
        json!([]),
        json!(1),
        json!("x"),
        json!(true),
        json!(null),
        json!([{}]),
    ] {
        for path in [RECORDS, "/records-editor/validate", suggest] {
            let refused = client.post(path, &body).await.expect(400).json();
            assert_eq!(
                refused["message"], "The body must be a JSON object",
                "{path}"
            );
        }
        let _ = client.put(&put, &body).await.expect(400);
    }
    for body in [
        json!({}),
        json!({"fields": null}),
        json!({"fields": {"245": 1}}),
    ] {
        let refused = client.post(suggest, &body).await.expect(400).json();
        assert_eq!(refused["message"], "Parameter 'fields' must not be null");
    }
    // Fields that are none follow nothing and come back as they are.
    let fields = json!([1, "x", null, [], {}, {"tag": 7}, {"tag": "100", "content": 1}]);
    let body = json!({ "fields": fields });
    let answer = client.post(suggest, &body).await.expect(200).json();
    assert_eq!(answer["fields"], fields);
}

#[tokio::test]
async fn a_record_that_is_not_as_marc_defines_it_is_refused_and_changes_nothing() {
    let library = library().await;
    let client = library.client().await;
    let mut form = bib("T");
    let fields = form["fields"].as_array_mut().expect("fields");
    let title = fields[2].clone();
    fields.push(title);
    let refused = client.post(RECORDS, &form).await.expect(422).json();
    assert_eq!(
        refused["issues"],
        json!([{"tag": "245[1]", "severity": "error", "definitionType": "field",
                "helpUrl": "https://www.loc.gov/marc/bibliographic/bd245.html",
                "message": "Field is non-repeatable."}])
    );
    let mut form = bib("T");
    form["leader"] = json!("00000xam\\a2200000\\a\\4500");
    let refused = client.post(RECORDS, &form).await.expect(422).json();
    assert_eq!(
        refused,
        json!({"message": "Wrong value 'x', on position 5. Allowed only: [a, c, d, n, p]",
               "type": "-1", "parameters": [{"key": "Bib record status"}]})
    );
    let mut form = bib("T");
    form["fields"][0]["content"]["Ctry"] = json!("n");
    let refused = client.post(RECORDS, &form).await.expect(422).json();
    assert_eq!(refused["code"], "ILLEGAL_FIXED_LENGTH_CONTROL_FIELD");
    assert_eq!(
        refused["message"],
        "Invalid Ctry field length, must be 3 characters"
    );
    let count = client
        .get("/instance-storage/instances?limit=0")
        .await
        .expect(200)
        .json();
    assert_eq!(count["totalRecords"], 0);
    let count = client
        .get("/source-storage/snapshots")
        .await
        .expect(200)
        .json();
    assert_eq!(count["totalRecords"], 0);
}

#[tokio::test]
async fn an_edit_of_another_record_or_of_none_is_refused() {
    let library = library().await;
    let client = library.client().await;
    let view = created(&client, &bib("T")).await;
    let path = format!("{RECORDS}/{}", Uuid::new_v4());
    let refused = client.put(&path, &view).await.expect(400).json();
    assert_eq!(refused["message"], "Request id and entity id are not equal");
    let mut edit = view.clone();
    edit["externalId"] = json!(Uuid::new_v4());
    let _ = client.put(&put_path(&edit), &edit).await.expect(404);
    let mut edit = view.clone();
    edit["externalId"] = json!(null);
    let refused = client.put(&put_path(&edit), &edit).await.expect(400).json();
    assert_eq!(
        refused["message"],
        "Parameter 'externalId' must not be null"
    );
}

#[tokio::test]
async fn an_edit_of_an_older_generation_is_refused() {
    let library = library().await;
    let client = library.client().await;
    let view = created(&client, &bib("T")).await;
    let edit = with(&view, "245", "$a First");
    let _ = client.put(&put_path(&edit), &edit).await.expect(202);
    let refused = client.put(&put_path(&view), &view).await.expect(409).json();
    assert_eq!(
        refused["message"],
        format!(
            "Cannot update record {} because it has been changed (optimistic locking): Stored \
             _version is 2, _version of request is 1",
            text(&view, "parsedRecordId")
        )
    );
    assert_eq!(refused["type"], "-3");
    // Clients of later releases say the generation.
    let mut later = view.clone();
    later["relatedRecordVersion"] = json!(null);
    later["sourceVersion"] = json!(0);
    let _ = client.put(&put_path(&later), &later).await.expect(409);
    let now = shown(&client, text(&view, "externalId")).await;
    let stored = instance(&client, &view).await;
    let version = stored["_version"].as_i64().expect("a version");
    let mut older = now.clone();
    older["relatedRecordVersion"] = json!(version - 1);
    let _ = client.put(&put_path(&older), &older).await.expect(409);
    older["relatedRecordVersion"] = json!(version.to_string());
    let _ = client.put(&put_path(&older), &older).await.expect(202);
    assert_eq!(generations(&client, &view).await.len(), 3);
}

#[tokio::test]
async fn an_edit_says_what_it_has_read_and_a_status_is_asked_by_its_id() {
    let library = library().await;
    let client = library.client().await;
    let mut view = created(&client, &bib("T")).await;
    view["relatedRecordVersion"] = json!(null);
    let refused = client.put(&put_path(&view), &view).await.expect(400).json();
    assert_eq!(
        refused["message"],
        "Parameter 'relatedRecordVersion' must not be null"
    );
    let read = format!("{RECORDS}?externalId={}&lang=", text(&view, "externalId"));
    let _ = client.get(&format!("{read}de")).await.expect(200);
    let _ = client.get(&format!("{read}deu")).await.expect(400);
    let status = format!("{RECORDS}/status");
    let _ = client.get(&status).await.expect(400);
    let _ = client
        .get(&format!("{status}?qmRecordId=x"))
        .await
        .expect(400);
    let unknown = "11111111-1111-4111-8111-111111111111";
    let missing = client.get(&format!("{status}?qmRecordId={unknown}")).await;
    let missing = missing.expect(404).json();
    assert_eq!(
        missing["message"],
        format!("Record with id [{unknown}] was not found")
    );
}

#[tokio::test]
async fn a_record_can_be_looked_at_without_storing_it() {
    let library = library().await;
    let client = library.client().await;
    let path = "/records-editor/validate";
    let mut form = bib("T");
    let answer = client.post(path, &form).await.expect(200).json();
    assert_eq!(answer["issues"][0]["message"], "Field 001 is required.");
    assert_eq!(answer["issues"].as_array().map(Vec::len), Some(1));
    form["fields"][1] = json!({"tag": "x", "content": "$a A", "indicators": ["A", "9"]});
    let answer = client.post(path, &form).await.expect(200).json();
    let tags: Vec<&str> = answer["issues"]
        .as_array()
        .expect("issues")
        .iter()
        .map(|issue| text(issue, "tag"))
        .collect();
    assert_eq!(tags, ["x[0]", "001[0]", "x[0]"]);
    let _ = client
        .post(path, &json!({"marcFormat": "HOLDINGS"}))
        .await
        .expect(400);
    let specification = "/marc-specifications/bibliographic/008";
    let answer = client.get(specification).await.expect(200).json();
    assert_eq!(answer["format"], "BIBLIOGRAPHIC");
    let missing = client
        .get("/marc-specifications/holdings/245")
        .await
        .expect(404)
        .json();
    assert_eq!(
        missing["message"],
        "Marc specification for [holdings] record type and [245] field tag not found"
    );
    let _ = client
        .get("/marc-specifications/maps/008")
        .await
        .expect(400);
}

/// Nothing is derived of the field: the instance, and its version, stay as they were.
#[tokio::test]
async fn two_editors_of_a_field_of_the_record_alone_meet() {
    let library = library().await;
    let client = library.client().await;
    let view = created(&client, &bib("T")).await;
    let noted = |view: &serde_json::Value, note: &str| {
        let mut edit = view.clone();
        let field = json!({"tag": "910", "content": note, "indicators": ["\\", "\\"]});
        let fields = edit["fields"].as_array_mut().expect("fields");
        fields.retain(|one| one["tag"] != "910");
        fields.push(field);
        edit
    };
    let (first, second) = (noted(&view, "$a First"), noted(&view, "$a Second"));
    let _ = client.put(&put_path(&first), &first).await.expect(202);
    let version = instance(&client, &view).await["_version"].clone();
    assert_eq!(json!(version.to_string()), view["relatedRecordVersion"]);
    let refused = client.put(&put_path(&second), &second).await.expect(409);
    let message = refused.json()["message"].as_str().map(str::to_owned);
    assert!(message.is_some_and(|message| message.contains("optimistic locking")));
    let now = shown(&client, text(&view, "externalId")).await;
    let stored = super::content(&now, "910");
    assert_eq!(stored, "$a First");
    let second = noted(&now, "$a Second");
    let _ = client.put(&put_path(&second), &second).await.expect(202);
    assert_eq!(generations(&client, &view).await.len(), 3);
    // Who has read the instance after the last change has read what was derived of it.
    let titled = shown(&client, text(&view, "externalId")).await;
    let titled = with(&titled, "245", "$a Another");
    let _ = client.put(&put_path(&titled), &titled).await.expect(202);
    let version = instance(&client, &view).await["_version"].clone();
    let mut late = with(&titled, "245", "$a Third");
    late["relatedRecordVersion"] = json!(version.to_string());
    let _ = client.put(&put_path(&late), &late).await.expect(202);
}

//! A record created and changed, with its instance.

use serde_json::{Value, json};

use super::{
    RECORDS, bib, content, created, generation, generations, instance, put_path, shown, text, with,
};
use octavo_server_testkit::library;

#[tokio::test]
async fn a_new_record_makes_an_instance_and_both_know_each_other() {
    let library = library().await;
    let client = library.client().await;
    let mut form = bib("Silence under glass");
    let fields = form["fields"].as_array_mut().expect("fields");
    fields.insert(0, json!({"tag": "001", "content": "foreign"}));
    fields.insert(1, json!({"tag": "003", "content": "OCoLC"}));
    fields.push(json!({"tag": "035", "content": "$a (OCoLC)ocm00012", "indicators": ["\\", "\\"]}));
    let answer = client.post(RECORDS, &form).await.expect(201).json();
    let view = shown(&client, text(&answer, "externalId")).await;
    assert_eq!(answer["status"], "CREATED");
    assert_eq!(answer["qmRecordId"], view["parsedRecordId"]);
    assert!(answer["jobExecutionId"].is_string(), "{answer}");
    assert!(answer.get("leader").is_none(), "{answer}");
    let status = format!(
        "{RECORDS}/status?qmRecordId={}",
        text(&answer, "qmRecordId")
    );
    let counted = client.get(&status).await.expect(200).json();
    for property in [
        "qmRecordId",
        "externalId",
        "marcId",
        "jobExecutionId",
        "status",
    ] {
        assert_eq!(counted[property], answer[property], "{property}");
    }
    assert_eq!(view["marcFormat"], "BIBLIOGRAPHIC");
    assert_eq!(generation(&client, &view).await, 0);
    assert!(
        view.get("sourceVersion").is_none(),
        "no release before knows it"
    );
    assert_eq!(view["suppressDiscovery"], false);
    assert_eq!(view["updateInfo"]["recordState"], "ACTUAL");
    assert_eq!(
        view["updateInfo"]["updatedBy"]["username"],
        octavo_testkit::USERNAME
    );
    let hrid = text(&view, "externalHrid");
    assert_eq!(content(&view, "001"), hrid);
    assert_eq!(content(&view, "035"), "$a (OCoLC)12");
    let fields = view["fields"].as_array().expect("fields");
    assert!(fields.iter().all(|field| field["tag"] != "003"), "{view}");
    let own = format!(
        "$i {} $s {}",
        text(&view, "externalId"),
        text(&view, "parsedRecordDtoId")
    );
    assert_eq!(content(&view, "999"), own.as_str());
    let instance = instance(&client, &view).await;
    assert_eq!(instance["hrid"], hrid);
    assert_eq!(instance["source"], "MARC");
    assert_eq!(instance["title"], "Silence under glass");
    assert_eq!(instance["contributors"][0]["name"], "Holm, Ida");
    let stored = generations(&client, &view).await;
    assert_eq!(stored.len(), 1);
    assert_eq!(stored[0]["externalIdsHolder"]["instanceHrid"], hrid);
    let raw = text(&stored[0]["rawRecord"], "content");
    assert!(!raw.contains(hrid), "the raw record is as it came: {raw}");
}

#[tokio::test]
async fn an_edit_changes_what_marc_controls_and_nothing_else() {
    let library = library().await;
    let client = library.client().await;
    let view = created(&client, &bib("Silence under glass")).await;
    let mut before = instance(&client, &view).await;
    let terms = client
        .get("/nature-of-content-terms?limit=1")
        .await
        .expect(200)
        .json();
    let codes = client
        .get("/instance-statuses?limit=1")
        .await
        .expect(200)
        .json();
    let kept = json!({
        "statusId": codes["instanceStatuses"][0]["id"],
        "natureOfContentTermIds": [terms["natureOfContentTerms"][0]["id"]],
        "administrativeNotes": ["ours"],
        "tags": {"tagList": ["urgent"]},
        "catalogedDate": "2026-01-02",
        "previouslyHeld": true,
        "staffSuppress": true,
        "discoverySuppress": true,
    });
    for (property, value) in kept.as_object().expect("an object") {
        before[property] = value.clone();
    }
    let path = format!("/instance-storage/instances/{}", text(&before, "id"));
    let _ = client.put(&path, &before).await.expect(204);
    let before = instance(&client, &view).await;
    // The editor shows the version that is changed.
    let view = shown(&client, text(&view, "externalId")).await;
    let mut edit = with(&view, "245", "$a Glass under silence / $c Ida Holm.");
    let fields = edit["fields"].as_array_mut().expect("fields");
    fields.retain(|field| field["tag"] != "650");
    fields.push(json!({"tag": "250", "content": "$a 2nd ed.", "indicators": ["\\", "\\"]}));
    let _ = client.put(&put_path(&edit), &edit).await.expect(202);
    let after = instance(&client, &view).await;
    assert_eq!(after["title"], "Glass under silence / Ida Holm.");
    assert_eq!(after["editions"], json!(["2nd ed."]));
    assert_eq!(after["subjects"], json!([]));
    for (property, value) in kept.as_object().expect("an object") {
        assert_eq!(after[property], *value, "{property}");
    }
    for property in ["id", "hrid", "statusUpdatedDate"] {
        assert_eq!(after[property], before[property], "{property}");
    }
    let version = |instance: &Value| instance["_version"].as_i64();
    assert_eq!(version(&after), version(&before).map(|number| number + 1));
    let now = shown(&client, text(&view, "externalId")).await;
    assert_eq!(generation(&client, &now).await, 1);
    assert_eq!(now["parsedRecordDtoId"], view["parsedRecordDtoId"]);
    assert_ne!(now["parsedRecordId"], view["parsedRecordId"]);
    assert_eq!(content(&now, "001"), content(&view, "001"));
    assert_eq!(content(&now, "008"), content(&view, "008"));
    let all = generations(&client, &view).await;
    let states: Vec<&str> = all.iter().map(|record| text(record, "state")).collect();
    assert_eq!(states, ["ACTUAL", "OLD"]);
    assert_eq!(
        all[0]["rawRecord"]["content"],
        all[1]["rawRecord"]["content"]
    );
}

#[tokio::test]
async fn what_is_not_touched_stays_to_the_last_blank() {
    let library = library().await;
    let client = library.client().await;
    let view = created(&client, &bib("Silence under glass")).await;
    // A record whose values the form cannot show: as others have stored it.
    let stored = generations(&client, &view).await.remove(0);
    let mut record = stored.clone();
    let fields = record["parsedRecord"]["content"]["fields"].as_array_mut();
    let fields = fields.expect("fields");
    let odd = json!({"500": {"ind1": " ", "ind2": " ", "subfields": [
        {"a": "  two blanks before  "}, {"%": "odd"}, {"a": ""}, {"B": "{dollar} $5"}]}});
    fields.insert(3, odd.clone());
    fields.insert(3, json!({"007": "s"}));
    let path = format!("/source-storage/records/{}", text(&stored, "id"));
    let _ = client.put(&path, &record).await.expect(200);
    let view = shown(&client, text(&view, "externalId")).await;
    let edit = with(&view, "245", "$a Another");
    let _ = client.put(&put_path(&edit), &edit).await.expect(202);
    let now = generations(&client, &view).await.remove(0);
    let fields = now["parsedRecord"]["content"]["fields"]
        .as_array()
        .expect("fields");
    assert!(fields.contains(&odd), "{now}");
    assert!(fields.contains(&json!({"007": "s"})), "{now}");
}

#[tokio::test]
async fn earlier_titles_of_a_record_become_those_of_the_instance() {
    let library = library().await;
    let client = library.client().await;
    let mut form = bib("Glass quarterly");
    let earlier = json!({"tag": "780", "content": "$t Glass monthly", "indicators": ["0", "0"]});
    form["fields"].as_array_mut().expect("fields").push(earlier);
    let view = created(&client, &form).await;
    let titles = async || -> Vec<Value> {
        let path = format!(
            "/preceding-succeeding-titles?query=succeedingInstanceId=={}",
            text(&view, "externalId")
        );
        let page = client.get(&path).await.expect(200).json();
        let titles = page["precedingSucceedingTitles"].as_array().cloned();
        titles.unwrap_or_default()
    };
    let first = titles().await;
    assert_eq!(first.len(), 1);
    assert_eq!(first[0]["title"], "Glass monthly");
    let edit = with(&view, "245", "$a Glass, quarterly");
    let _ = client.put(&put_path(&edit), &edit).await.expect(202);
    assert_eq!(
        titles().await,
        first,
        "the same title stays the same record"
    );
    let view = shown(&client, text(&view, "externalId")).await;
    let edit = with(&view, "780", "$t Glass weekly");
    let _ = client.put(&put_path(&edit), &edit).await.expect(202);
    let now = titles().await;
    assert_eq!(now.len(), 1);
    assert_eq!(now[0]["title"], "Glass weekly");
}

#[tokio::test]
async fn a_record_is_read_and_replaced_as_the_records_manager_has_it() {
    let library = library().await;
    let client = library.client().await;
    let view = created(&client, &bib("Silence under glass")).await;
    let path = "/change-manager/parsedRecords";
    let read = format!("{path}?externalId={}", text(&view, "externalId"));
    let mut record = client.get(&read).await.expect(200).json();
    assert_eq!(record["recordType"], "MARC_BIB");
    assert_eq!(record["id"], view["parsedRecordDtoId"]);
    assert_eq!(record["recordState"], "ACTUAL");
    assert!(record["parsedRecord"].get("formattedContent").is_none());
    let fields = record["parsedRecord"]["content"]["fields"].as_array_mut();
    for field in fields.expect("fields") {
        if field.get("245").is_some() {
            field["245"]["subfields"] = json!([{"a": "Glass under silence"}]);
        }
    }
    let one = format!("{path}/{}", text(&record, "id"));
    // What it is of must be as the client has read it.
    let _ = client.put(&one, &record).await.expect(422);
    record["relatedRecordVersion"] = json!("99");
    let _ = client.put(&one, &record).await.expect(409);
    record["relatedRecordVersion"] = view["relatedRecordVersion"].clone();
    let _ = client.put(&one, &record).await.expect(202);
    let now = instance(&client, &view).await;
    assert_eq!(now["title"], "Glass under silence");
    assert_eq!(generation(&client, &view).await, 1);
    let nobody = format!("{path}?externalId=11111111-1111-4111-8111-111111111111");
    let answer = client.get(&nobody).await.expect(404);
    assert!(
        answer
            .text
            .starts_with("Error retrieving Record by externalId"),
        "{}",
        answer.text
    );
    let _ = client.get(path).await.expect(400);
}

#[tokio::test]
async fn a_leader_that_says_deleted_hides_the_instance_and_can_be_taken_back() {
    let library = library().await;
    let client = library.client().await;
    let view = created(&client, &bib("Silence under glass")).await;
    let mut edit = view.clone();
    edit["leader"] = json!("00000dam\\a2200000\\a\\4500");
    let _ = client.put(&put_path(&edit), &edit).await.expect(202);
    let gone = instance(&client, &view).await;
    for property in ["deleted", "discoverySuppress", "staffSuppress"] {
        assert_eq!(gone[property], true, "{property}");
    }
    let newest = generations(&client, &view).await.remove(0);
    assert_eq!(newest["state"], "DELETED");
    assert_eq!(newest["additionalInfo"]["suppressDiscovery"], true);
    let mut edit = shown(&client, text(&view, "externalId")).await;
    edit["leader"] = json!("00000cam\\a2200000\\a\\4500");
    let _ = client.put(&put_path(&edit), &edit).await.expect(202);
    let back = instance(&client, &view).await;
    assert_eq!(back["deleted"], false);
    let states: Vec<Value> = generations(&client, &view)
        .await
        .iter()
        .map(|record| record["state"].clone())
        .collect();
    assert_eq!(states, ["ACTUAL", "OLD", "OLD"]);
}

#[tokio::test]
async fn every_edit_publishes_one_event_of_the_instance() {
    let library = library().await;
    let client = library.client().await;
    let view = created(&client, &bib("Silence under glass")).await;
    let counted = async || -> i64 {
        let sql = "SELECT count(*) FROM outbox WHERE topic = 'inventory.instance' \
                   AND key::text = $1";
        let database = &library.platform.store.database;
        let key = text(&view, "externalId").to_owned();
        let schema = library.tenant().schema().to_owned();
        let sql = sql.replace("outbox", &format!("{schema}.outbox"));
        let rows = database.query(&sql, &[&key]).await.expect("rows");
        rows[0].get(0)
    };
    let before = counted().await;
    let edit = with(&view, "245", "$a Another");
    let _ = client.put(&put_path(&edit), &edit).await.expect(202);
    assert_eq!(counted().await, before + 1);
}

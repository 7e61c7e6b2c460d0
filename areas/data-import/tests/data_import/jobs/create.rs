//! Jobs that create instances, and their events and logs.

use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    CREATE_INSTANCES, JOBS, bare_job, book, chunk, count, ended, job, log, raw, send, user,
};
use octavo_server_testkit::library;

#[tokio::test]
async fn records_become_instances_with_a_log_line_each() {
    let library = library().await;
    let client = library.client().await;
    let before = count(&library, "instance").await;
    let id = job(&client).await;
    let records: Vec<String> = (0..3).map(book).collect();
    send(&client, &id, &records).await;
    let done = ended(&client, &id).await;
    assert_eq!(
        (&done["status"], &done["uiStatus"]),
        (&json!("COMMITTED"), &json!("RUNNING_COMPLETE"))
    );
    assert_eq!(done["progress"]["current"], 3);
    assert_eq!(done["progress"]["total"], 3);
    assert!(done["completedDate"].is_string() && done["hrId"].is_number());
    assert_eq!(count(&library, "instance").await, before + 3);
    let log = log(&client, &done).await;
    assert_eq!(log.len(), 3);
    for (at, line) in log.iter().enumerate() {
        assert_eq!(line["sourceRecordOrder"], at.to_string());
        assert_eq!(line["sourceRecordTitle"], format!("Book {at}"));
        assert_eq!(line["sourceRecordActionStatus"], "CREATED");
        let related = &line["relatedInstanceInfo"];
        assert_eq!(related["actionStatus"], "CREATED");
        let instance = related["idList"][0].as_str().expect("an id");
        let instance = client
            .get(&format!("/instance-storage/instances/{instance}"))
            .await;
        let instance = instance.expect(200).json();
        assert_eq!(instance["hrid"], related["hridList"][0]);
        assert_eq!(instance["title"], format!("Book {at}"));
        let record = line["incomingRecordId"].as_str().expect("an id");
        let incoming = client
            .get(&format!("/metadata-provider/incomingRecords/{record}"))
            .await;
        let incoming = incoming.expect(200).json();
        assert_eq!(incoming["rawRecordContent"], records[at]);
        assert_eq!(incoming["recordType"], "MARC_BIB");
        let path = format!("/metadata-provider/jobLogEntries/{id}/records/{record}");
        assert_eq!(client.get(&path).await.expect(200).json(), *line);
    }
    let summary = client
        .get(&format!("/metadata-provider/jobSummary/{id}"))
        .await
        .expect(200)
        .json();
    let created = json!({"totalCreatedEntities": 3, "totalUpdatedEntities": 0,
        "totalDiscardedEntities": 0, "totalErrors": 0});
    assert_eq!(
        summary,
        json!({"jobExecutionId": id, "totalErrors": 0, "sourceRecordSummary": created,
               "instanceSummary": created})
    );
    let journal = client
        .get(&format!("/metadata-provider/journalRecords/{id}"))
        .await
        .expect(200)
        .json();
    assert_eq!(journal["totalRecords"], 9);
    let records = client
        .get(&format!("/source-storage/source-records?snapshotId={id}"))
        .await;
    assert_eq!(records.expect(200).json()["totalRecords"], 3);
}

#[tokio::test]
async fn a_chunk_is_taken_once() {
    let library = library().await;
    let client = library.client().await;
    let id = job(&client).await;
    let before = count(&library, "instance").await;
    let sent = chunk(&[book(1), book(2)], 0, 3, false);
    let path = format!("{JOBS}/{id}/records");
    let _ = client.post(&path, &sent).await.expect(204);
    let again = client.post(&path, &sent).await;
    let chunk_id = sent["id"].as_str().expect("an id");
    assert_eq!(
        (again.status, again.text),
        (
            400,
            format!("Source chunk with {chunk_id} id for {id} jobExecution is already exists")
        )
    );
    let _ = client
        .post(&path, &chunk(&[book(3)], 2, 3, true))
        .await
        .expect(204);
    assert_eq!(ended(&client, &id).await["progress"]["current"], 3);
    let late = client.post(&path, &sent).await;
    assert_eq!(late.status, 400);
    assert_eq!(count(&library, "instance").await, before + 3);
}

#[tokio::test]
async fn broken_records_are_reported_with_their_positions_and_affect_no_other() {
    let library = library().await;
    let client = library.client().await;
    let before = count(&library, "instance").await;
    let id = job(&client).await;
    let marked = raw("001 x\n245 10$aMarked\n999 ff$i3f2b7d9e-0000-4000-8000-000000000001");
    let records = [
        book(1),
        "nonsense".to_owned(),
        raw("001 x\n500   $aNo title"),
        marked,
        book(2),
        String::new(),
    ];
    send(&client, &id, &records).await;
    let done = ended(&client, &id).await;
    assert_eq!(
        (&done["status"], &done["uiStatus"]),
        (&json!("ERROR"), &json!("ERROR"))
    );
    assert_eq!(done["progress"]["current"], 6);
    assert_eq!(count(&library, "instance").await, before + 2);
    let log = log(&client, &done).await;
    let states: Vec<&Value> = log
        .iter()
        .map(|line| &line["sourceRecordActionStatus"])
        .collect();
    assert_eq!(
        states,
        [
            "CREATED",
            "DISCARDED",
            "DISCARDED",
            "DISCARDED",
            "CREATED",
            "DISCARDED"
        ]
    );
    let error = log[1]["error"].as_str().expect("an error");
    let error: Value = serde_json::from_str(error).expect("JSON, as FOLIO has it");
    assert!(error["message"].is_string(), "{error}");
    assert!(
        log[3]["error"]
            .as_str()
            .is_some_and(|it| it.contains("999ff$s or 999ff$i")),
        "{}",
        log[3]
    );
    let path = format!("/metadata-provider/jobLogEntries/{id}?errorsOnly=true&limit=2");
    let errors = client.get(&path).await.expect(200).json();
    assert_eq!(errors["totalRecords"], 4);
    assert_eq!(errors["entries"][0]["sourceRecordOrder"], "1");
    let summary = client
        .get(&format!("/metadata-provider/jobSummary/{id}"))
        .await
        .expect(200)
        .json();
    assert_eq!(summary["totalErrors"], 4);
    assert_eq!(summary["instanceSummary"]["totalCreatedEntities"], 2);
}

#[tokio::test]
async fn xml_and_json_are_taken_and_nothing_outside_is_read() {
    let library = library().await;
    let client = library.client().await;
    for (format, record) in [
        ("MARC_JSON", json!({"leader": "00000nam a2200000 a 4500", "fields": [{"001": "j1"},
            {"245": {"ind1": "1", "ind2": "0", "subfields": [{"a": "In JSON"}]}}]}).to_string()),
        ("MARC_XML", "<record xmlns=\"http://www.loc.gov/MARC21/slim\"><leader>00000nam a2200000 a 4500\
            </leader><controlfield tag=\"001\">x1</controlfield><datafield tag=\"245\" ind1=\"1\" \
            ind2=\"0\"><subfield code=\"a\">Tom &amp; J&#233;r&#xF4;me</subfield></datafield></record>"
            .to_owned()),
        ("MARC_XML", "<?xml version=\"1.0\"?><!DOCTYPE r [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>\
            <record xmlns=\"http://www.loc.gov/MARC21/slim\"><leader>00000nam a2200000 a 4500</leader>\
            <datafield tag=\"245\" ind1=\"1\" ind2=\"0\"><subfield code=\"a\">T &x;</subfield>\
            </datafield></record>".to_owned()),
    ] {
        let id = job(&client).await;
        let mut sent = chunk(&[record], 0, 1, true);
        sent["recordsMetadata"]["contentType"] = json!(format);
        let _ = client.post(&format!("{JOBS}/{id}/records"), &sent).await.expect(204);
        let done = ended(&client, &id).await;
        let log = log(&client, &done).await;
        let line_text = log[0].to_string();
        assert!(!line_text.contains("root:"), "{line_text}");
        let title = log[0]["sourceRecordTitle"].as_str().unwrap_or_default();
        match format {
            "MARC_JSON" => assert_eq!(title, "In JSON"),
            _ => assert!(title == "Tom & Jérôme" || !title.contains("T root"), "{line_text}"),
        }
    }
}

#[tokio::test]
async fn what_cannot_be_carried_out_is_refused() {
    let library = library().await;
    let client = library.client().await;
    let id = bare_job(&client).await;
    let path = format!("{JOBS}/{id}/records");
    let sent = chunk(&[book(1)], 0, 1, true);
    assert_eq!(client.post(&path, &sent).await.status, 400);
    let unknown = Uuid::new_v4();
    let answer = client
        .put(&format!("{JOBS}/{id}/jobProfile"), &json!({"id": unknown}))
        .await;
    assert_eq!(answer.status, 404);
    let gone = Uuid::new_v4();
    let answer = client.get(&format!("{JOBS}/{gone}")).await;
    assert_eq!(
        (answer.status, answer.text),
        (404, format!("JobExecution with id '{gone}' was not found"))
    );
    assert_eq!(
        client
            .post(&format!("{JOBS}/{gone}/records"), &sent)
            .await
            .status,
        404
    );
    let _ = client
        .put(
            &format!("{JOBS}/{id}/jobProfile"),
            &json!({"id": CREATE_INSTANCES}),
        )
        .await
        .expect(200);
    let answer = client
        .put(
            &format!("{JOBS}/{id}/jobProfile"),
            &json!({"id": CREATE_INSTANCES}),
        )
        .await;
    assert_eq!(answer.status, 400);
    let mut delimited = sent.clone();
    delimited["recordsMetadata"]["contentType"] = json!("DELIMITED");
    assert_eq!(client.post(&path, &delimited).await.status, 422);
    let many: Vec<String> = (0..1_001).map(|_| "x".to_owned()).collect();
    assert_eq!(
        client
            .post(&path, &chunk(&many, 0, 1_001, true))
            .await
            .status,
        413
    );
    let none = json!({"sourceType": "FILES", "files": [], "userId": user(&client).await});
    let answer = client.post(JOBS, &none).await;
    assert_eq!(
        (answer.status, answer.text.as_str()),
        (400, "Received files must not be empty")
    );
    let authority = raw("001 a1\n100 1 $aMason").replacen("nam", "nz ", 1);
    send(&client, &id, &[authority]).await;
    let done = ended(&client, &id).await;
    let error = log(&client, &done).await[0]["error"].to_string();
    assert!(
        error.contains("does not support 'MARC_AUTHORITY' record type"),
        "{error}"
    );
}

#[tokio::test]
async fn jobs_are_listed_found_and_deleted() {
    let library = library().await;
    let client = library.client().await;
    let user = user(&client).await;
    let wanted = json!({"sourceType": "FILES", "files": [{"name": "one_1.mrc"}, {"name": "two.mrc"}],
        "userId": user});
    let begun = client.post(JOBS, &wanted).await.expect(201).json();
    let parent = begun["parentJobExecutionId"]
        .as_str()
        .expect("an id")
        .to_owned();
    assert_eq!(begun["jobExecutions"].as_array().map(Vec::len), Some(3));
    let children = client
        .get(&format!("{JOBS}/{parent}/children"))
        .await
        .expect(200)
        .json();
    assert_eq!(children["totalRecords"], 2);
    let id = job(&client).await;
    send(&client, &id, &[book(1)]).await;
    let done = ended(&client, &id).await;
    let list = "/metadata-provider/jobExecutions";
    let found = async |query: &str| {
        let page = client
            .get(&format!("{list}?{query}"))
            .await
            .expect(200)
            .json();
        let jobs = page["jobExecutions"].as_array().expect("a list").clone();
        assert_eq!(page["totalRecords"], jobs.len(), "{query}");
        jobs
    };
    assert_eq!(
        found("").await.len(),
        3,
        "a parent of several is not listed"
    );
    assert_eq!(
        found("statusAny=COMMITTED&statusAny=ERROR").await[0]["id"],
        json!(id)
    );
    assert_eq!(found("uiStatusAny=INITIALIZATION").await.len(), 2);
    assert_eq!(found("fileName=ONE_*").await.len(), 1);
    assert_eq!(found("fileName=one*1*").await.len(), 1);
    assert_eq!(found("fileName=one%25").await.len(), 0);
    let number = done["hrId"].as_i64().expect("a number");
    assert_eq!(found(&format!("hrId={number}")).await.len(), 1);
    assert_eq!(
        found(&format!("hrId={number}&fileName=two*")).await.len(),
        2
    );
    assert_eq!(
        found(&format!("profileIdAny={CREATE_INSTANCES}"))
            .await
            .len(),
        1
    );
    assert_eq!(found("subordinationTypeNotAny=CHILD").await.len(), 1);
    assert_eq!(found("completedAfter=2100-01-01").await.len(), 0);
    assert_eq!(
        found("completedAfter=2020-01-01&statusNot=ERROR")
            .await
            .len(),
        1
    );
    let sorted = found("sortBy=file_name,desc&sortBy=hrid,asc").await;
    assert_eq!(sorted[0]["fileName"], "two.mrc");
    assert_eq!(
        client
            .get(&format!("{list}?sortBy=secret,asc"))
            .await
            .status,
        400
    );
    assert_eq!(
        client.get(&format!("{list}?statusAny=DONE")).await.status,
        400
    );
    let profiles = client
        .get(&format!("{list}/jobProfiles"))
        .await
        .expect(200)
        .json();
    assert_eq!(profiles["jobProfilesInfo"][0]["id"], CREATE_INSTANCES);
    let users = client
        .get(&format!("{list}/users"))
        .await
        .expect(200)
        .json();
    assert_eq!(users["jobExecutionUsersInfo"][0]["userId"], user);
    let request = client
        .request(reqwest::Method::DELETE, JOBS)
        .json(&json!({"ids": [id]}));
    let deleted = client.send(request).await.expect(200).json();
    assert_eq!(
        deleted["jobExecutionDetails"],
        json!([{"jobExecutionId": id, "isDeleted": true}])
    );
    assert_eq!(client.get(&format!("{JOBS}/{id}")).await.status, 404);
    assert_eq!(found("").await.len(), 2);
}

//! Authority records: stored, changed by two clients at once, deleted and expired; note types,
//! settings, jobs.

use octavo_authorities::app::archive;
use octavo_authorities::app::jobs::ReindexJobs;
use octavo_records::store::events_after;
use octavo_records::{Context, Stamp};
use serde_json::json;
use tokio::join;

use super::{AUTHORITIES, LCNAF, message, name, patch, path_of, stored};
use octavo_server_testkit::library;

#[tokio::test]
async fn an_authority_is_kept_changed_and_archived() {
    let library = library().await;
    let client = library.client().await;
    let mut sent = name("Woolf, Virginia, 1882-1941", "n79041870");
    sent["sftPersonalName"] = json!(["Stephen, Virginia, 1882-1941"]);
    sent["topicalTerm"] = json!("A second heading");
    sent["subjectHeadings"] = json!("abc");
    let authority = stored(&client, &sent).await;
    assert_eq!(authority["_version"], 0);
    assert_eq!(authority["subjectHeadings"], "a");
    assert!(
        authority.get("topicalTerm").is_none(),
        "a record has one heading"
    );
    assert!(authority["metadata"]["createdDate"].is_string());
    let path = path_of(&authority);
    assert_eq!(client.get(&path).await.expect(200).json(), authority);
    let taken = client.post(AUTHORITIES, &sent).await.expect(422).json();
    assert_eq!(
        message(&taken),
        "Authority with the given 'id' already exists."
    );
    assert_eq!(taken["errors"][0]["code"], "109");

    let mut changed = authority.clone();
    changed["personalName"] = json!("Woolf, V.");
    let _ = client.put(&path, &changed).await.expect(204);
    let now = client.get(&path).await.expect(200).json();
    assert_eq!(now["_version"], 1);
    assert_eq!(
        now["metadata"]["createdDate"],
        authority["metadata"]["createdDate"]
    );
    let stale = client.put(&path, &changed).await.expect(409).json();
    assert_eq!(
        message(&stale),
        format!(
            "Cannot update record {} because it has been changed (optimistic locking): Stored \
             _version is 1, _version of request is 0",
            authority["id"].as_str().expect("an id")
        )
    );

    let _ = client.delete(&path).await.expect(204);
    let missing = client.get(&path).await.expect(404).json();
    assert_eq!(missing["errors"][0]["type"], "AuthorityNotFoundException");
    assert_eq!(missing["errors"][0]["code"], "not-found");
    let _ = client.delete(&path).await.expect(404);
    let _ = client.put(&path, &now).await.expect(404);
    let gone = client
        .get(&format!("{AUTHORITIES}?deleted=true"))
        .await
        .expect(200)
        .json();
    assert_eq!(gone["totalRecords"], 1);
    assert_eq!(gone["authorities"][0]["id"], authority["id"]);
    assert_eq!(
        client.get(AUTHORITIES).await.expect(200).json()["totalRecords"],
        0
    );
    // Its id is not free while it is in the archive.
    let _ = client.post(AUTHORITIES, &sent).await.expect(422);

    let tenant = library.tenant();
    let store = &library.platform.store;
    let answer = events_after(&store.database, &tenant, 0, 1_000)
        .await
        .expect("events");
    let kinds: Vec<String> = answer
        .iter()
        .filter(|event| event.topic == "authorities.authority")
        .map(|event| {
            let value: serde_json::Value = serde_json::from_slice(&event.value).expect("JSON");
            value["type"].as_str().unwrap_or_default().to_owned()
        })
        .collect();
    assert_eq!(kinds, ["CREATE", "UPDATE", "DELETE"]);

    let mut context = Context {
        store,
        tenant: &tenant,
        stamp: Stamp::now(None),
    };
    assert_eq!(
        archive::expire(&context).await.expect("it answers"),
        0,
        "not for seven days"
    );
    context.stamp.at += jiff::SignedDuration::from_hours(8 * 24);
    let group = "/authorities/config/groups/authorities/settings";
    let off = format!("{group}/archives.expiration.enabled");
    let answer = patch(&client, &off, &json!({"value": false}))
        .await
        .expect(200)
        .json();
    assert_eq!(answer["value"], false);
    assert_eq!(
        archive::expire(&context).await.expect("it answers"),
        0,
        "switched off"
    );
    let _ = patch(&client, &off, &json!({"value": true}))
        .await
        .expect(200);
    // In the release's place: a configuration entry has precedence over the settings.
    let id = "6b1a2c3d-0000-4000-8000-000000000001";
    let entry = json!({"id": id, "scope": "authority-storage", "key": "authority-archives-expiration",
        "value": {"expirationEnabled": true, "retentionInDays": 30}});
    let _ = client.post("/settings/entries", &entry).await.expect(204);
    assert_eq!(
        archive::expire(&context).await.expect("it answers"),
        0,
        "not for thirty days"
    );
    let _ = client
        .delete(&format!("/settings/entries/{id}"))
        .await
        .expect(204);
    assert_eq!(archive::expire(&context).await.expect("it answers"), 1);
    let gone = client
        .get(&format!("{AUTHORITIES}?deleted=true"))
        .await
        .expect(200)
        .json();
    assert_eq!(gone["totalRecords"], 0);
    let settings = client.get(group).await.expect(200).json();
    assert_eq!(settings["totalRecords"], 3);
    let _ = patch(&client, &off, &json!({"value": 7})).await.expect(422);
    let _ = patch(&client, &format!("{group}/other"), &json!({"value": 7}))
        .await
        .expect(404);
    let _ = client
        .get("/authorities/config/groups/other/settings")
        .await
        .expect(404);
    let groups = client
        .get("/authorities/config/groups")
        .await
        .expect(200)
        .json();
    assert_eq!(groups["settingGroups"][0]["id"], "authorities");
}

#[tokio::test]
async fn what_does_not_fit_is_refused_and_not_stored() {
    let library = library().await;
    let client = library.client().await;
    let wrong = json!({"personalName": "Nobody"});
    let answer = client.post(AUTHORITIES, &wrong).await.expect(422).json();
    assert_eq!(
        answer["total_records"], 2,
        "source and naturalId are missing: {answer}"
    );
    let mut of_none = name("Nobody", "n1");
    of_none["sourceFileId"] = json!("11111111-1111-4111-8111-111111111111");
    let answer = client.post(AUTHORITIES, &of_none).await.expect(422).json();
    assert_eq!(
        message(&answer),
        "Authority Source File with the given 'id' does not exists."
    );
    let authority = stored(&client, &name("Somebody", "n2")).await;
    let mut moved = authority.clone();
    moved["sourceFileId"] = of_none["sourceFileId"].clone();
    let answer = client
        .put(&path_of(&authority), &moved)
        .await
        .expect(404)
        .json();
    assert_eq!(
        answer["errors"][0]["type"],
        "AuthoritySourceFileNotFoundException"
    );
    let mut other = authority.clone();
    other["id"] = json!("11111111-1111-4111-8111-111111111111");
    let answer = client
        .put(&path_of(&authority), &other)
        .await
        .expect(422)
        .json();
    let id = authority["id"].as_str().expect("an id");
    assert_eq!(message(&answer), format!("Request should have id = {id}"));
    assert_eq!(
        client.get(AUTHORITIES).await.expect(200).json()["totalRecords"],
        1
    );
    let _ = client
        .post(&format!("{AUTHORITIES}/bulk"), &json!({}))
        .await
        .expect(422);
    let file = json!({"recordsFileName": "x"});
    let _ = client
        .post(&format!("{AUTHORITIES}/bulk"), &file)
        .await
        .expect(501);
}

#[tokio::test]
async fn of_two_changes_of_one_authority_one_is_refused() {
    let library = library().await;
    let client = library.client().await;
    let authority = stored(&client, &name("Before", "n1")).await;
    let path = path_of(&authority);
    for round in 0..5 {
        let now = client.get(&path).await.expect(200).json();
        let changed = |to: &str| {
            let mut one = now.clone();
            one["personalName"] = json!(format!("{to} {round}"));
            one
        };
        let (one, other) = (changed("one"), changed("other"));
        let (first, second) = join!(client.put(&path, &one), client.put(&path, &other));
        let mut statuses = [first.status, second.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [204, 409]);
    }
    let now = client.get(&path).await.expect(200).json();
    assert_eq!(now["_version"], 5);
}

#[tokio::test]
async fn authorities_are_found_by_folios_fields() {
    let library = library().await;
    let client = library.client().await;
    let woolf = stored(&client, &name("Woolf, Virginia", "n1")).await;
    let whales = json!({"source": "MARC", "topicalTerm": "Whales", "naturalId": "sh1", "subjectHeadings": "a",
                        "sourceFileId": "837e2c7b-037b-4113-9dfd-b1b8aeeb1fb8"});
    let whales = stored(&client, &whales).await;
    for (query, found) in [
        ("headingType==topicalTerm", vec![&whales]),
        ("heading==\"woolf, virginia\"", vec![&woolf]),
        ("heading=whales", vec![&whales]),
        ("naturalId==n1", vec![&woolf]),
        ("subjectHeadingCode==a", vec![&whales]),
        (&format!("authoritySourceFile.id=={LCNAF}"), vec![&woolf]),
        (&format!("sourceFileId=={LCNAF}"), vec![&woolf]),
        (
            "authoritySourceFile.name==\"LC Subject Headings (LCSH)\"",
            vec![&whales],
        ),
        (
            "createdDate>2021-10-25T12:00:00.0 sortBy heading",
            vec![&whales, &woolf],
        ),
        (
            "cql.allRecords=1 sortBy heading/sort.descending",
            vec![&woolf, &whales],
        ),
    ] {
        let page = client.query(AUTHORITIES, query).await.expect(200).json();
        let ids: Vec<_> = page["authorities"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|one| &one["id"])
            .collect();
        let wanted: Vec<_> = found.iter().map(|one| &one["id"]).collect();
        assert_eq!(ids, wanted, "{query}");
    }
    let ids = client
        .get(&format!("{AUTHORITIES}?idOnly=true&limit=1"))
        .await
        .expect(200)
        .json();
    assert_eq!(ids["totalRecords"], 2);
    assert_eq!(
        ids["authorities"][0].as_object().map(|one| one.len()),
        Some(1)
    );
    let as_text = |path: &str| {
        client.send(
            client
                .request(reqwest::Method::GET, path)
                .header("Accept", "text/plain"),
        )
    };
    let text = as_text(&format!("{AUTHORITIES}?idOnly=true"))
        .await
        .expect(200);
    assert_eq!(text.text.lines().count(), 2);
    let _ = as_text(AUTHORITIES).await.expect(400);
}

#[tokio::test]
async fn kinds_are_there_and_those_of_notes_may_change() {
    let library = library().await;
    let client = library.client().await;
    let types = "/authority-note-types";
    let listed = client.get(types).await.expect(200).json();
    assert_eq!(
        listed["authorityNoteTypes"][0]["id"],
        "76c74801-afec-45a0-aad7-3ff23591e147"
    );
    let own = json!({"name": "Own", "source": "local"});
    let own = client.post(types, &own).await.expect(201).json();
    let again = client
        .post(types, &json!({"name": "Own", "source": "local"}))
        .await
        .expect(422)
        .json();
    assert_eq!(
        message(&again),
        "Authority note type with the given 'name' already exists."
    );
    assert_eq!(again["errors"][0]["code"], "107");
    let path = format!("{types}/{}", own["id"].as_str().expect("an id"));
    let mut renamed = own.clone();
    renamed["name"] = json!("Ours");
    let _ = client.put(&path, &renamed).await.expect(204);
    assert_eq!(client.get(&path).await.expect(200).json()["name"], "Ours");
    let _ = client.delete(&path).await.expect(204);
    let missing = client.get(&path).await.expect(404).json();
    assert_eq!(
        missing["errors"][0]["type"],
        "AuthorityNoteTypeNotFoundException"
    );
    let headings = client
        .get("/authority-heading-types?limit=50")
        .await
        .expect(200)
        .json();
    assert_eq!(headings["totalRecords"], 34);
    let identifiers = client
        .query("/authority-identifier-types", "code==lccn")
        .await
        .expect(200)
        .json();
    assert_eq!(
        identifiers["identifierTypes"][0]["id"],
        "c858e4f2-2b6b-4385-842b-60732ee14abb"
    );
}

#[tokio::test]
async fn a_job_publishes_every_authority() {
    let library = library().await;
    let client = library.client().await;
    for at in 0..3 {
        stored(&client, &name(&format!("Name {at}"), &format!("n{at}"))).await;
    }
    let path = "/authority-storage/reindex";
    let job = client.post(path, &json!({})).await.expect(201).json();
    assert_eq!(job["resourceName"], "Authority");
    let tenant = library.tenant();
    let (store, workers) = (&library.platform.store, &library.platform.workers);
    let path = format!("{path}/{}", job["id"].as_str().expect("an id"));
    let mut status = json!(null);
    for _ in 0..200 {
        let run = workers.run(store, &tenant, &ReindexJobs);
        run.await.expect("it answers");
        status = client.get(&path).await.expect(200).json();
        if status["jobStatus"] == "Ids published" {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert_eq!(status["published"], 3, "{status}");
    let answer = events_after(&store.database, &tenant, 0, 1_000)
        .await
        .expect("events");
    let whole = answer.iter().filter(|event| {
        let value: serde_json::Value = serde_json::from_slice(&event.value).expect("JSON");
        value["type"] == "REINDEX" && value["new"]["personalName"].is_string()
    });
    assert_eq!(whole.count(), 3);
    let over = client.delete(&path).await.expect(500).json();
    assert_eq!(message(&over), "The job has been finished");
}

#[tokio::test]
async fn what_is_archived_is_what_was_saved_last() {
    let library = library().await;
    let client = library.client().await;
    for round in 0..10 {
        let authority = stored(&client, &name("Before", &format!("n{round}"))).await;
        let path = path_of(&authority);
        let mut changed = authority.clone();
        changed["personalName"] = json!("After");
        let (put, deleted) = join!(client.put(&path, &changed), client.delete(&path));
        let _ = deleted.expect(204);
        let query = format!("naturalId==n{round}");
        let gone = client
            .query(&format!("{AUTHORITIES}?deleted=true"), &query)
            .await;
        let archived = gone.expect(200).json()["authorities"][0]["personalName"].clone();
        let last = if put.status == 204 { "After" } else { "Before" };
        assert_eq!(archived, last, "{}", put.status);
    }
}

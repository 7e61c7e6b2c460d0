//! Propagation of headings to records of instances: all of them, concurrent edits, and reasons
//! where one cannot be updated.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use octavo_authorities::app::propagation::Propagation;
use octavo_authorities::link_followers::{Changed, Follower, RecordOnly};
use octavo_postgres::Transaction;
use octavo_records::{Context, StoreError};
use octavo_testkit::{Client, Library};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{name, path_of, stored};
use octavo_server_testkit::library;

const RECORDS: &str = "/source-storage/records";
const INSTANCES: &str = "/instance-storage/instances";
const TEXT: &str = "6312d172-f0cf-40f6-b27d-9fa8feaf332f";

async fn snapshot(client: &Client) -> Uuid {
    let id = Uuid::new_v4();
    let body = json!({"jobExecutionId": id, "status": "PARSING_IN_PROGRESS"});
    let _ = client
        .post("/source-storage/snapshots", &body)
        .await
        .expect(201);
    id
}

fn marc_of(authority: &Value, snapshot: Uuid, heading: &str) -> Value {
    let id = Uuid::new_v4();
    json!({
        "id": id, "snapshotId": snapshot, "matchedId": id, "recordType": "MARC_AUTHORITY",
        "rawRecord": {"content": "as it came"},
        "parsedRecord": {"content": {"leader": "00000nz  a2200000n  4500", "fields": [
            {"001": authority["naturalId"]},
            {"100": {"ind1": "1", "ind2": " ", "subfields": [{"a": heading}]}},
        ]}},
        "externalIdsHolder": {"authorityId": authority["id"]},
    })
}

/// An authority with its MARC record.
pub(super) async fn with_marc(client: &Client, heading: &str, natural_id: &str) -> Value {
    let authority = stored(client, &name(heading, natural_id)).await;
    let marc = marc_of(&authority, snapshot(client).await, heading);
    let _ = client.post(RECORDS, &marc).await.expect(201);
    authority
}

/// Gives an authority and its MARC record another heading.
async fn renamed(client: &Client, authority: &Value, heading: &str) {
    let marc = marc_of(authority, snapshot(client).await, heading);
    let _ = client.post(RECORDS, &marc).await.expect(201);
    let mut now = client.get(&path_of(authority)).await.expect(200).json();
    now["personalName"] = json!(heading);
    let _ = client.put(&path_of(authority), &now).await.expect(204);
}

/// An instance whose record names an authority in 100 and 700.
async fn linked(client: &Client, snapshot: Uuid, authority: &Value, at: usize) -> Uuid {
    let instance = Uuid::new_v4();
    let body = json!({"id": instance, "title": format!("Title {at}"), "source": "MARC", "instanceTypeId": TEXT});
    let made = client.post(INSTANCES, &body).await.expect(201).json();
    let hrid = &made["hrid"];
    let id = Uuid::new_v4();
    let name = |own: &str| {
        json!({"ind1": "1", "ind2": " ", "subfields": [{"a": authority["personalName"]}, {"e": own},
            {"0": authority["naturalId"]}, {"9": authority["id"]}]})
    };
    let record = json!({
        "id": id, "snapshotId": snapshot, "matchedId": id, "recordType": "MARC_BIB",
        "rawRecord": {"content": "as it came"},
        "parsedRecord": {"content": {"leader": "00000cam a2200000   4500", "fields": [
            {"001": hrid}, {"100": name("author")},
            {"245": {"ind1": "1", "ind2": "0", "subfields": [{"a": format!("Title {at}")}]}},
            {"700": name("editor")},
        ]}},
        "externalIdsHolder": {"instanceId": instance, "instanceHrid": hrid},
    });
    let _ = client.post(RECORDS, &record).await.expect(201);
    let link = |rule: i64| {
        json!({"instanceId": instance, "authorityId": authority["id"], "linkingRuleId": rule,
               "authorityNaturalId": authority["naturalId"]})
    };
    let links = json!({"links": [link(1), link(15)]});
    let _ = client
        .put(&format!("/links/instances/{instance}"), &links)
        .await
        .expect(204);
    instance
}

async fn record_of(client: &Client, instance: Uuid) -> Value {
    let path = format!("{RECORDS}/{instance}/formatted?idType=INSTANCE");
    client.get(&path).await.expect(200).json()
}

fn field<'a>(record: &'a Value, tag: &str) -> &'a Value {
    let fields = record["parsedRecord"]["content"]["fields"]
        .as_array()
        .expect("fields");
    let found = fields.iter().find_map(|field| field.get(tag));
    found.unwrap_or_else(|| panic!("no {tag} in {record}"))
}

/// Waits until nothing is left to follow.
async fn followed(library: &Library, follower: &Arc<dyn Follower>) {
    let (store, tenant) = (&library.platform.store, library.tenant());
    let sql = format!("SELECT count(*) FROM {}.octavo_job", tenant.schema());
    for _ in 0..600 {
        let work = Propagation::through(follower);
        let workers = &library.platform.workers;
        workers
            .run(store, &tenant, &*work)
            .await
            .expect("it answers");
        let rows = store.database.query(&sql, &[]).await.expect("a count");
        if rows[0].get::<_, i64>(0) == 0 {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("linked records did not follow");
}

#[tokio::test]
async fn two_hundred_records_follow_while_one_is_edited() {
    let library = library().await;
    let client = library.client().await;
    let authority = with_marc(&client, "Woolf, V.", "n1").await;
    let snapshot = snapshot(&client).await;
    let mut instances = Vec::new();
    for at in 0..200 {
        instances.push(linked(&client, snapshot, &authority, at).await);
    }
    // Somebody edits one of them, and is not done when the heading changes.
    let (store, tenant) = (&library.platform.store, library.tenant());
    let edited = instances[100];
    let transaction = store.database.transaction().await.expect("a transaction");
    let sql = format!(
        "SELECT 1 FROM {}.instance WHERE id = $1 FOR NO KEY UPDATE",
        tenant.schema()
    );
    transaction.query(&sql, &[&edited]).await.expect("held");
    renamed(&client, &authority, "Woolf, Virginia").await;
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    let sql = format!(
        "UPDATE {}.source_record SET jsonb = jsonb_set(jsonb, \
         '{{parsedRecord,content,fields,2,245,subfields,0,a}}', '\"Edited\"') \
         WHERE jsonb->'externalIdsHolder'->>'instanceId' = $1",
        tenant.schema()
    );
    let changed = transaction
        .execute(&sql, &[&edited.to_string()])
        .await
        .expect("edited");
    assert_eq!(changed, 1);
    transaction.commit().await.expect("committed");
    followed(&library, &RecordOnly::shared()).await;
    let zero = "http://id.loc.gov/authorities/names/n1";
    for (at, instance) in instances.iter().enumerate() {
        let record = record_of(&client, *instance).await;
        for (tag, own) in [("100", "author"), ("700", "editor")] {
            assert_eq!(
                field(&record, tag)["subfields"],
                json!([{"a": "Woolf, Virginia"}, {"0": zero}, {"9": authority["id"]}, {"e": own}]),
                "{tag} of {at}"
            );
        }
        let title = if *instance == edited {
            "Edited".to_owned()
        } else {
            format!("Title {at}")
        };
        assert_eq!(field(&record, "245")["subfields"][0]["a"], title.as_str());
        let formatted = record["parsedRecord"]["formattedContent"]
            .as_str()
            .unwrap_or_default();
        assert!(formatted.is_empty() || formatted.contains("Woolf, Virginia"));
    }
    let stats = client
        .get("/links/stats/authority?action=UPDATE_HEADING")
        .await
        .expect(200)
        .json();
    let change = &stats["stats"][0];
    assert_eq!(change["headingOld"], "Woolf, V.");
    assert_eq!(change["headingNew"], "Woolf, Virginia");
    assert_eq!(change["headingTypeOld"], "100");
    assert_eq!(change["sourceFileNew"], "LC Name Authority file (LCNAF)");
    assert!(change["metadata"]["startedByUserId"].is_string());
    let bibs = client
        .get("/links/stats/instance?status=ACTUAL&limit=300")
        .await
        .expect(200)
        .json();
    assert_eq!(bibs["stats"].as_array().map(Vec::len), Some(300));
    assert!(bibs["next"].is_string());
    assert_eq!(bibs["stats"][0]["authorityNaturalId"], "n1");
    let (from, to) = ("2030-01-01T00:00:00Z", "2020-01-01T00:00:00Z");
    let path = format!("/links/stats/instance?fromDate={from}&toDate={to}");
    let _ = client.get(&path).await.expect(422);
    let later = client
        .get(&format!("/links/stats/instance?fromDate={from}"))
        .await
        .expect(200)
        .json();
    assert_eq!(later["stats"], json!([]));
}

#[tokio::test]
async fn numbers_follow_and_what_became_another_kind_is_unlinked() {
    let library = library().await;
    let client = library.client().await;
    let authority = with_marc(&client, "Woolf", "n1").await;
    let instance = linked(&client, snapshot(&client).await, &authority, 1).await;
    let follower = RecordOnly::shared();
    let mut now = client.get(&path_of(&authority)).await.expect(200).json();
    now["naturalId"] = json!("n2");
    let _ = client.put(&path_of(&authority), &now).await.expect(204);
    followed(&library, &follower).await;
    let record = record_of(&client, instance).await;
    let subfields = &field(&record, "100")["subfields"];
    let zero = "http://id.loc.gov/authorities/names/n2";
    assert!(
        subfields
            .as_array()
            .expect("a list")
            .contains(&json!({"0": zero})),
        "{subfields}"
    );
    let stats = client
        .get("/links/stats/authority?action=UPDATE_NATURAL_ID")
        .await
        .expect(200)
        .json();
    assert_eq!(stats["stats"][0]["naturalIdNew"], "n2");

    let mut now = client.get(&path_of(&authority)).await.expect(200).json();
    let object = now.as_object_mut().expect("an object");
    object.remove("personalName");
    object.insert("corporateName".to_owned(), json!("Woolf & Co."));
    let _ = client.put(&path_of(&authority), &now).await.expect(204);
    followed(&library, &follower).await;
    let record = record_of(&client, instance).await;
    for tag in ["100", "700"] {
        let subfields = field(&record, tag)["subfields"]
            .as_array()
            .expect("a list")
            .clone();
        assert!(
            subfields.iter().all(|one| one.get("9").is_none()),
            "{subfields:?}"
        );
        assert!(
            subfields.contains(&json!({"a": "Woolf"})),
            "the heading stays"
        );
    }
    let links = client
        .get(&format!("/links/instances/{instance}"))
        .await
        .expect(200)
        .json();
    assert_eq!(links["totalRecords"], 0);
}

#[tokio::test]
async fn a_deleted_authority_leaves_no_link() {
    let library = library().await;
    let client = library.client().await;
    let authority = with_marc(&client, "Woolf", "n1").await;
    let snapshot = snapshot(&client).await;
    let mut instances = Vec::new();
    for at in 0..30 {
        instances.push(linked(&client, snapshot, &authority, at).await);
    }
    renamed(&client, &authority, "Woolf, V.").await;
    let _ = client.delete(&path_of(&authority)).await.expect(204);
    followed(&library, &RecordOnly::shared()).await;
    for instance in instances {
        let record = record_of(&client, instance).await;
        assert!(
            !record["parsedRecord"]["content"]
                .to_string()
                .contains(r#""9""#)
        );
    }
    let stats = client
        .get("/links/stats/authority")
        .await
        .expect(200)
        .json();
    assert_eq!(
        stats["stats"],
        json!([]),
        "a deleted authority has no statistics"
    );
    let sql = format!(
        "SELECT 1 FROM {}.instance_authority_link",
        library.tenant().schema()
    );
    let left = library
        .platform
        .store
        .database
        .query(&sql, &[])
        .await
        .expect("links");
    assert!(left.is_empty());
}

#[tokio::test]
async fn a_record_that_takes_too_long_is_noted_and_holds_no_other_up() {
    let library = library().await;
    let client = library.client().await;
    let (store, tenant) = (&library.platform.store, library.tenant());
    let (authority, other) = (
        with_marc(&client, "Woolf", "n1").await,
        with_marc(&client, "Mason", "n2").await,
    );
    let snapshot = snapshot(&client).await;
    let mut instances = Vec::new();
    for at in 0..3 {
        instances.push(linked(&client, snapshot, &authority, at).await);
    }
    let unhurt = linked(&client, snapshot, &other, 3).await;
    // As a statement that is stopped at its limit, each time.
    let slow = format!(
        "CREATE FUNCTION {schema}.slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
         IF NEW.jsonb->'externalIdsHolder'->>'instanceId' = '{}' THEN \
         RAISE EXCEPTION 'too slow' USING ERRCODE = '57014'; END IF; RETURN NEW; END $$; \
         CREATE TRIGGER slow BEFORE INSERT OR UPDATE ON {schema}.source_record \
         FOR EACH ROW EXECUTE FUNCTION {schema}.slow()",
        instances[1],
        schema = tenant.schema()
    );
    let connection = store.database.connection().await.expect("one");
    connection.batch_execute(&slow).await.expect("a trigger");
    drop(connection);
    renamed(&client, &authority, "Woolf, V.").await;
    renamed(&client, &other, "Mason, A.").await;
    let work = Propagation::through(&RecordOnly::shared());
    let run = async || {
        let run = library.platform.workers.run(store, &tenant, &*work);
        run.await.expect("it answers");
    };
    let heading = async |instance: Uuid| {
        let record = record_of(&client, instance).await;
        field(&record, "100")["subfields"][0]["a"].clone()
    };
    // The other authority does not wait for the pauses of the first.
    for _ in 0..100 {
        run().await;
        if heading(unhurt).await == "Mason, A." {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert_eq!(heading(unhurt).await, "Mason, A.");
    let jobs = format!("SELECT count(*) FROM {}.octavo_job", tenant.schema());
    let now = format!(
        "UPDATE {}.octavo_job_attempt SET not_before = NULL",
        tenant.schema()
    );
    let mut left = 1;
    for _ in 0..100 {
        store.database.execute(&now, &[]).await.expect("no pause");
        run().await;
        let rows = store.database.query(&jobs, &[]).await.expect("a count");
        left = rows[0].get::<_, i64>(0);
        if left == 0 {
            break;
        }
    }
    assert_eq!(left, 0, "the change ends");
    for (at, expected) in [(0, "Woolf, V."), (1, "Woolf"), (2, "Woolf, V.")] {
        assert_eq!(heading(instances[at]).await, expected, "{at}");
    }
    for (at, status) in [(0, "ACTUAL"), (1, "ERROR"), (2, "ACTUAL")] {
        let path = format!("/links/instances/{}", instances[at]);
        let links = client.get(&path).await.expect(200).json();
        assert_eq!(links["links"][0]["status"], status, "{links}");
        let why = links["links"][0]["errorCause"].as_str().unwrap_or_default();
        assert_eq!(why.contains("took too long"), at == 1, "{links}");
    }
}

#[tokio::test]
async fn a_change_without_a_source_record_is_noted_at_the_link() {
    let library = library().await;
    let client = library.client().await;
    let authority = stored(&client, &name("Woolf", "n1")).await;
    let instance = linked(&client, snapshot(&client).await, &authority, 1).await;
    let mut now = client.get(&path_of(&authority)).await.expect(200).json();
    now["personalName"] = json!("Woolf, V.");
    let _ = client.put(&path_of(&authority), &now).await.expect(204);
    followed(&library, &RecordOnly::shared()).await;
    let links = client
        .get(&format!("/links/instances/{instance}"))
        .await
        .expect(200)
        .json();
    assert_eq!(links["links"][0]["status"], "ERROR");
    let id = authority["id"].as_str().expect("an id");
    let why = format!("Source record not found for [authorityId: {id}]");
    assert_eq!(links["links"][0]["errorCause"], why.as_str());
    let stats = client
        .get("/links/stats/instance?status=ERROR")
        .await
        .expect(200)
        .json();
    assert_eq!(stats["stats"][0]["errorCause"], why.as_str());
    assert_eq!(stats["stats"][0]["instanceTitle"], "Title 1");
    let record = record_of(&client, instance).await;
    assert_eq!(field(&record, "100")["subfields"][0], json!({"a": "Woolf"}));
}

/// Cannot write the record of one instance, after it has spoilt the transaction.
#[derive(Debug)]
struct Stubborn(Uuid);

impl Follower for Stubborn {
    fn write<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        changed: Changed,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            if changed.instance_id == self.0.into() {
                transaction.execute("SELECT 1 / 0", &[]).await?;
            }
            RecordOnly.write(context, transaction, changed).await
        })
    }
}

#[tokio::test]
async fn one_that_cannot_follow_holds_nobody_up() {
    let library = library().await;
    let client = library.client().await;
    let authority = with_marc(&client, "Woolf", "n1").await;
    let snapshot = snapshot(&client).await;
    let mut instances = Vec::new();
    for at in 0..25 {
        instances.push(linked(&client, snapshot, &authority, at).await);
    }
    let (store, tenant) = (&library.platform.store, library.tenant());
    // The server's own worker must not be quicker: the change is lined up without it.
    let context = Context {
        store,
        tenant: &tenant,
        stamp: octavo_records::Stamp::now(None),
    };
    let marc = marc_of(&authority, snapshot, "Woolf, V.");
    let _ = client.post(RECORDS, &marc).await.expect(201);
    let mut now = client.get(&path_of(&authority)).await.expect(200).json();
    now["personalName"] = json!("Woolf, V.");
    let document = now.as_object().cloned().expect("an object");
    let transaction = store.database.transaction().await.expect("a transaction");
    let id = Uuid::try_parse(authority["id"].as_str().expect("an id")).expect("an id");
    let checked = octavo_authorities::app::Checked::Version;
    octavo_authorities::app::replace_authority(&context, &transaction, id, document, checked)
        .await
        .expect("replaced");
    transaction.commit().await.expect("committed");
    let stubborn: Arc<dyn Follower> = Arc::new(Stubborn(instances[7]));
    followed(&library, &stubborn).await;
    for (at, instance) in instances.iter().enumerate() {
        let links = client
            .get(&format!("/links/instances/{instance}"))
            .await
            .expect(200)
            .json();
        let record = record_of(&client, *instance).await;
        let (status, heading) = if at == 7 {
            ("ERROR", "Woolf")
        } else {
            ("ACTUAL", "Woolf, V.")
        };
        assert_eq!(links["links"][0]["status"], status, "{at}");
        assert_eq!(field(&record, "100")["subfields"][0]["a"], heading, "{at}");
    }
}

//! What lists in records refer to: it exists, and stays while it is used.

use http::Method;
use octavo_inventory::app::Context;
use octavo_inventory::app::delete_reference::fill_references;
use octavo_records::Stamp;
use serde_json::{Value, json};

use super::{HOLDINGS, INSTANCES, ITEMS, NOWHERE, Shelf, an_instance, id, post};

const CODES: &str = "/statistical-codes";
const CODE_TYPE: &str = "0d3ec58e-dc3c-4aa1-9eba-180fca95c544";
const DATE_TYPE: &str = "42dac21e-3c81-4cb1-9f16-9e50c81bacc4";

async fn code(shelf: &Shelf, code: &str) -> String {
    let body = json!({
        "code": code, "name": code, "statisticalCodeTypeId": CODE_TYPE, "source": "local",
    });
    id(&post(&shelf.client, CODES, body).await)
}

/// The three records of the shelf: where they are, their ids and the table that keeps their codes.
async fn records(shelf: &Shelf) -> [(&'static str, String, &'static str); 3] {
    let item = id(&shelf.item("1001").await);
    [
        (INSTANCES, shelf.instance.clone(), "instance"),
        (HOLDINGS, shelf.holdings.clone(), "holdings_record"),
        (ITEMS, item, "item"),
    ]
}

async fn set(shelf: &Shelf, path: &str, id: &str, property: &str, value: Value) -> (u16, String) {
    let mut record = shelf.read(path, id).await;
    record[property] = value;
    let answer = shelf.client.put(&format!("{path}/{id}"), &record).await;
    (answer.status, answer.text)
}

#[tokio::test]
async fn a_statistical_code_exists_and_stays_while_it_is_used() {
    let shelf = Shelf::new().await;
    let used = code(&shelf, "used").await;
    let other = code(&shelf, "other").await;
    for (path, id, table) in records(&shelf).await {
        let unknown = set(&shelf, path, &id, "statisticalCodeIds", json!([NOWHERE])).await;
        assert!(matches!(unknown.0, 400 | 422), "{}", unknown.0);
        let sentence = format!(
            "Cannot set {table}.statistical_code_id = {NOWHERE} because it does not exist in \
             statistical_code.id."
        );
        assert!(unknown.1.contains(&sentence), "{}", unknown.1);
        let codes = json!([used, other]);
        assert_eq!(
            set(&shelf, path, &id, "statisticalCodeIds", codes).await.0,
            204
        );
        let refused = shelf
            .client
            .delete(&format!("{CODES}/{used}"))
            .await
            .expect(400);
        assert_eq!(
            refused.text,
            format!(
                "Cannot delete statistical_code.id = {used} because id is still referenced from \
                 table {table}_statistical_code."
            )
        );
        let one = json!([other]);
        assert_eq!(
            set(&shelf, path, &id, "statisticalCodeIds", one).await.0,
            204
        );
    }
    let _ = shelf
        .client
        .delete(&format!("{CODES}/{used}"))
        .await
        .expect(204);
    let _ = shelf
        .client
        .delete(&format!("{CODES}/{used}"))
        .await
        .expect(404);
    let _ = shelf
        .client
        .delete(&format!("{CODES}/{other}"))
        .await
        .expect(400);
    let wrong = json!(["no id"]);
    let mut item = shelf.an_item("1002");
    item["statisticalCodeIds"] = wrong;
    let _ = shelf.client.post(ITEMS, &item).await.expect(422);
    item["statisticalCodeIds"] = json!([NOWHERE]);
    let _ = shelf.client.post(ITEMS, &item).await.expect(422);
    let batch = json!({"items": [shelf.an_item("1003"), item]});
    let _ = shelf
        .client
        .post("/item-storage/batch/synchronous", &batch)
        .await
        .expect(422);
}

#[tokio::test]
async fn subjects_have_sources_and_types_that_exist() {
    let shelf = Shelf::new().await;
    let source = json!({"name": "House", "code": "h", "source": "local"});
    let source = id(&post(&shelf.client, "/subject-sources", source).await);
    let kind = json!({"name": "Kind", "source": "local"});
    let kind = id(&post(&shelf.client, "/subject-types", kind).await);
    let subjects = |source: &str, kind: &str| json!([{"value": "Bridges", "sourceId": source, "typeId": kind}, {"value": "Rivers"}]);
    let mut instance = an_instance("Bridges of the south");
    instance["subjects"] = subjects(NOWHERE, &kind);
    let refused = shelf.client.post(INSTANCES, &instance).await.expect(400);
    assert_eq!(
        refused.text,
        format!("subject source doesn't exist: {NOWHERE}")
    );
    let own = shelf.instance.as_str();
    let refused = set(
        &shelf,
        INSTANCES,
        own,
        "subjects",
        subjects(&source, NOWHERE),
    )
    .await;
    let sentence = format!("subject type doesn't exist: {NOWHERE}");
    assert_eq!(refused, (400, sentence));
    let good = subjects(&source, &kind);
    assert_eq!(set(&shelf, INSTANCES, own, "subjects", good).await.0, 204);
    let paths = [
        format!("/subject-sources/{source}"),
        format!("/subject-types/{kind}"),
    ];
    for path in &paths {
        let refused = shelf.client.delete(path).await.expect(400);
        assert!(
            refused
                .text
                .contains("still referenced from table instance_subject_")
        );
    }
    assert_eq!(
        set(&shelf, INSTANCES, own, "subjects", json!([])).await.0,
        204
    );
    for path in &paths {
        let _ = shelf.client.delete(path).await.expect(204);
    }
}

#[tokio::test]
async fn a_code_that_is_deleted_while_it_is_given_is_either_gone_or_used() {
    let shelf = Shelf::new().await;
    for round in 0..12 {
        let code = code(&shelf, &format!("c{round}")).await;
        let mut item = shelf.an_item(&format!("r{round}"));
        item["statisticalCodeIds"] = json!([code]);
        let (giving, path) = (shelf.client.clone(), format!("{CODES}/{code}"));
        let given = tokio::spawn(async move { giving.post(ITEMS, &item).await.status });
        let deleted = shelf.client.delete(&path).await.status;
        let given = given.await.expect("answered");
        assert!(
            matches!((given, deleted), (201, 400) | (422, 204)),
            "{given} {deleted}"
        );
    }
}

#[tokio::test]
async fn records_from_before_are_gone_through_and_count_at_once() {
    let shelf = Shelf::new().await;
    let used = code(&shelf, "used").await;
    let records = records(&shelf).await;
    for (path, id, _) in &records {
        assert_eq!(
            set(&shelf, path, id, "statisticalCodeIds", json!([used]))
                .await
                .0,
            204
        );
    }
    // As it was: nobody kept who refers to what, and some codes lead nowhere.
    let platform = &shelf._library.platform;
    let before = "
        DROP TABLE tenant_diku.instance_statistical_code, tenant_diku.item_statistical_code,
          tenant_diku.holdings_record_statistical_code, tenant_diku.instance_subject_source,
          tenant_diku.instance_subject_type, tenant_diku.reference_fill, tenant_diku.item_order;
        DROP FUNCTION tenant_diku.keep_instance_codes(), tenant_diku.keep_item_codes(),
          tenant_diku.keep_holdings_record_codes(), tenant_diku.keep_instance_subjects(),
          tenant_diku.keep_new_subjects() CASCADE;
        DROP FUNCTION tenant_diku.referred_ids(jsonb, text);
        ALTER TABLE tenant_diku.instance_source_marc DROP CONSTRAINT instance_source_marc_id_fkey;
        DELETE FROM tenant_diku.octavo_migrations WHERE id LIKE 'inventory-000[5678]%'
          OR id ~ '^inventory-000[5678]';
        UPDATE tenant_diku.instance SET jsonb = jsonb || '{\"statisticalCodeIds\":
          [\"0b117416-8dcf-45a1-be9a-ffaa847c4423\"]}';";
    let connection = platform.store.database.connection().await.expect("one");
    connection.batch_execute(before).await.expect("as before");
    let tenant = shelf._library.tenant();
    let upgraded = platform
        .tenants
        .upgrade(platform, &tenant)
        .await
        .expect("upgraded");
    assert_eq!(upgraded.applied.len(), 4, "{:?}", upgraded.applied);

    let path = format!("{CODES}/{used}");
    let refused = shelf.client.delete(&path).await.expect(400);
    assert!(refused.text.contains("holdings_record_statistical_code"));
    let unused = code(&shelf, "unused").await;
    let _ = shelf
        .client
        .delete(&format!("{CODES}/{unused}"))
        .await
        .expect(204);

    let context = Context {
        store: &platform.store,
        tenant: &tenant,
        stamp: Stamp::now(None),
    };
    assert_eq!(fill_references(&context).await.expect("gone through"), 3);
    assert_eq!(fill_references(&context).await.expect("nothing left"), 0);
    for (table, many) in [("instance", 0_i64), ("holdings_record", 1), ("item", 1)] {
        let sql = format!("SELECT count(*) FROM tenant_diku.{table}_statistical_code");
        let rows = platform
            .store
            .database
            .query(&sql, &[])
            .await
            .expect("a count");
        assert_eq!(rows[0].get::<_, i64>(0), many, "{table}");
    }
    let _ = shelf.client.delete(&path).await.expect(400);
    for (path, id, _) in &records[1..] {
        assert_eq!(
            set(&shelf, path, id, "statisticalCodeIds", json!([]))
                .await
                .0,
            204
        );
    }
    let _ = shelf.client.delete(&path).await.expect(204);
    assert_eq!(shelf.item("1002").await["order"], 2);
}

#[tokio::test]
async fn a_date_type_gets_another_name_and_nothing_else() {
    let shelf = Shelf::new().await;
    let path = format!("/instance-date-types/{DATE_TYPE}");
    let patch = |path: &str, body: Value| {
        let request = shelf.client.request(Method::PATCH, path).json(&body);
        shelf.client.send(request)
    };
    let _ = patch(&path, json!({"name": "Ceased"})).await.expect(204);
    let query = format!("id=={DATE_TYPE}");
    let found = shelf
        .client
        .query("/instance-date-types", &query)
        .await
        .expect(200)
        .json();
    let found = &found["instanceDateTypes"][0];
    assert_eq!(
        (&found["name"], &found["code"]),
        (&json!("Ceased"), &json!("d"))
    );
    assert_eq!(found["displayFormat"]["delimiter"], "-");
    for wrong in [
        json!({}),
        json!({"name": ""}),
        json!({"name": "x", "code": "y"}),
        json!({"name": 1}),
    ] {
        let _ = patch(&path, wrong).await.expect(422);
    }
    let nowhere = format!("/instance-date-types/{NOWHERE}");
    let missing = patch(&nowhere, json!({"name": "x"})).await.expect(404);
    assert_eq!(missing.text, "Not found");
    let sql = "SELECT old->>'name', new->>'name' FROM tenant_diku.outbox \
               WHERE topic = 'inventory.instance-date-type' AND type = 'UPDATE'";
    let database = &shelf._library.platform.store.database;
    let rows = database.query(sql, &[]).await.expect("events");
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0].get::<_, String>(1), "Ceased");
}

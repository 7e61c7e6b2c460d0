//! What lists in records refer to: it exists, and stays while it is used.

use http::Method;
use octavo_inventory::app::delete_reference::fill_references;
use octavo_records::Context;
use octavo_records::Stamp;
use serde_json::{Value, json};

use super::{HOLDINGS, INSTANCES, ITEMS, NOWHERE, Shelf, an_instance, error, id, post};

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
        let between = if table == "item" { ":" } else { "" };
        let sentence = format!(
            "statistical code doesn't exist: {NOWHERE}{between} foreign key violation in \
             statisticalCodeIds array of {table} with id={id}"
        );
        match table {
            // Holdings name what they like.
            "holdings_record" => assert_eq!(unknown.0, 204),
            _ => assert_eq!(unknown, (400, sentence)),
        }
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
        let user = table.replace("holdings_record", "holdings record");
        assert_eq!(
            refused.text,
            format!(
                "foreign_key_violation: Key (id)=({used}) is still referenced from table \
                 \"{user}\"."
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
    item["statisticalCodeIds"] = json!([""]);
    let _ = shelf.client.post(ITEMS, &item).await.expect(422);
    item["statisticalCodeIds"] = json!([other, NOWHERE]);
    item["id"] = json!("5b6d2a3e-9f0c-4d1b-8a77-3c0e5f4a9b21");
    let told = (
        format!(
            "statistical code doesn't exist: {NOWHERE} foreign key violation in \
             statisticalCodeIds array of item with id={}",
            id(&item)
        ),
        "item".to_owned(),
    );
    let refused = shelf.client.post(ITEMS, &item).await.expect(422).json();
    assert_eq!(error(&refused), told);
    let batch = json!({"items": [shelf.an_item("1003"), item]});
    let batches = "/item-storage/batch/synchronous";
    let refused = shelf.client.post(batches, &batch).await.expect(422).json();
    assert_eq!(error(&refused), told);
}

/// Holdings that come before their codes do.
#[tokio::test]
async fn a_code_that_comes_after_its_holdings_is_in_use() {
    let shelf = Shelf::new().await;
    let holdings = shelf.holdings.clone();
    let codes = json!([NOWHERE]);
    let answer = set(&shelf, HOLDINGS, &holdings, "statisticalCodeIds", codes).await;
    assert_eq!(answer.0, 204);
    let late = json!({
        "id": NOWHERE, "code": "late", "name": "late", "statisticalCodeTypeId": CODE_TYPE,
        "source": "local",
    });
    let _ = post(&shelf.client, CODES, late).await;
    let path = format!("{CODES}/{NOWHERE}");
    let refused = shelf.client.delete(&path).await.expect(400);
    assert!(refused.text.contains("holdings record"), "{}", refused.text);
    let none = set(&shelf, HOLDINGS, &holdings, "statisticalCodeIds", json!([])).await;
    assert_eq!(none.0, 204);
    let _ = shelf.client.delete(&path).await.expect(204);
}

/// Data of other systems name types that do not exist.
#[tokio::test]
async fn the_type_of_an_items_call_number_is_not_looked_up() {
    let shelf = Shelf::new().await;
    for (at, kind) in [NOWHERE, "lc"].into_iter().enumerate() {
        let mut item = shelf.an_item(&format!("10{at}"));
        item["itemLevelCallNumberTypeId"] = json!(kind);
        let stored = post(&shelf.client, ITEMS, item).await;
        assert_eq!(stored["effectiveCallNumberComponents"]["typeId"], kind);
        let query = format!("effectiveCallNumberComponents.typeId=={kind}");
        let found = shelf.client.query(ITEMS, &query).await.expect(200).json();
        assert_eq!(found["totalRecords"], 1, "{kind}");
    }
}

/// A tenant of an earlier release: its keys go, and so does what numbered its items.
#[tokio::test]
async fn keys_that_the_release_has_not_go_with_an_upgrade() {
    let shelf = Shelf::new().await;
    let platform = &shelf.library.platform;
    let before = "
        ALTER TABLE tenant_diku.item
          ADD itemlevelcallnumbertypeid uuid GENERATED ALWAYS AS
            ((jsonb->>'itemLevelCallNumberTypeId')::uuid) STORED
            CONSTRAINT item_itemlevelcallnumbertypeid_fkey REFERENCES tenant_diku.call_number_type,
          ADD effectivecallnumbercomponents_typeid uuid GENERATED ALWAYS AS
            ((jsonb->'effectiveCallNumberComponents'->>'typeId')::uuid) STORED
            REFERENCES tenant_diku.call_number_type;
        CREATE INDEX item_itemlevelcallnumbertypeid_idx
          ON tenant_diku.item (itemlevelcallnumbertypeid);
        ALTER TABLE tenant_diku.holdings_record_statistical_code
          ADD CONSTRAINT holdings_record_statistical_code_statistical_code_id_fkey
          FOREIGN KEY (statistical_code_id) REFERENCES tenant_diku.statistical_code;
        CREATE TABLE tenant_diku.item_order (
          holdings_id uuid PRIMARY KEY REFERENCES tenant_diku.holdings_record ON DELETE CASCADE,
          last bigint NOT NULL);
        DELETE FROM tenant_diku.octavo_migrations WHERE id LIKE 'inventory-0009%';";
    let connection = platform.store.database.connection().await.expect("one");
    connection.batch_execute(before).await.expect("as before");
    let mut item = shelf.an_item("1001");
    item["itemLevelCallNumberTypeId"] = json!(NOWHERE);
    let _ = shelf.client.post(ITEMS, &item).await.expect(422);
    let tenant = shelf.library.tenant();
    let upgraded = platform.tenants.upgrade(&tenant).await;
    assert_eq!(upgraded.expect("upgraded").applied.len(), 1);
    let _ = post(&shelf.client, ITEMS, item).await;
    let codes = json!([NOWHERE]);
    let holdings = shelf.holdings.clone();
    let answer = set(&shelf, HOLDINGS, &holdings, "statisticalCodeIds", codes).await;
    assert_eq!(answer.0, 204);
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
    // The state before the migration: references were not stored, and some codes do not exist.
    let platform = &shelf.library.platform;
    let before = "
        DROP TABLE tenant_diku.instance_statistical_code, tenant_diku.item_statistical_code,
          tenant_diku.holdings_record_statistical_code, tenant_diku.instance_subject_source,
          tenant_diku.instance_subject_type, tenant_diku.reference_fill;
        DROP FUNCTION tenant_diku.keep_instance_codes(), tenant_diku.keep_item_codes(),
          tenant_diku.keep_holdings_record_codes(), tenant_diku.keep_instance_subjects(),
          tenant_diku.keep_new_subjects() CASCADE;
        DROP FUNCTION tenant_diku.referred_ids(jsonb, text);
        ALTER TABLE tenant_diku.instance_source_marc DROP CONSTRAINT instance_source_marc_id_fkey;
        DELETE FROM tenant_diku.octavo_migrations WHERE id LIKE 'inventory-000[6789]%'
          OR id ~ '^inventory-000[6789]';
        UPDATE tenant_diku.instance SET jsonb = jsonb || '{\"statisticalCodeIds\":
          [\"0b117416-8dcf-45a1-be9a-ffaa847c4423\"]}';";
    let connection = platform.store.database.connection().await.expect("one");
    connection.batch_execute(before).await.expect("as before");
    let tenant = shelf.library.tenant();
    let upgraded = platform.tenants.upgrade(&tenant).await.expect("upgraded");
    assert_eq!(upgraded.applied.len(), 4, "{:?}", upgraded.applied);

    let path = format!("{CODES}/{used}");
    let refused = shelf.client.delete(&path).await.expect(400);
    assert!(
        refused.text.contains("from table \"item\""),
        "{}",
        refused.text
    );
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
    let database = &shelf.library.platform.store.database;
    let rows = database.query(sql, &[]).await.expect("events");
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0].get::<_, String>(1), "Ceased");
}

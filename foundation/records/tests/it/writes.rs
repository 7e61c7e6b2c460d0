//! Writing one record: versions, metadata, ids, references, audit rows, and deletions by query.

use octavo_records::{Collection, Index, Operations, StoreError};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::shelf::{Shelf, collections, titled};

/// The record types of the shelf, with audit tables as FOLIO's inventory and configuration have
/// them.
fn audited() -> Vec<Collection> {
    let mut all = collections();
    for collection in &mut all {
        if collection.table == "instance" {
            *collection =
                collection
                    .clone()
                    .audited("audit_instance", "record", Operations::Deletes);
        }
    }
    let shape = "id uuid\nname string required\nmetadata object readonly open\n";
    all.push(
        Collection::new("entry", "entries", shape)
            .audited("audit_entry", "entry", Operations::All)
            .index(Index::unique("name")),
    );
    all
}

async fn stored(shelf: &Shelf, table: &str, id: Uuid) -> Value {
    let collection = shelf.collection(table);
    let bytes = shelf.store.read(&shelf.tenant, &collection, id).await;
    serde_json::from_slice(&bytes.unwrap().expect("the record is there")).unwrap()
}

async fn replaced(shelf: &Shelf, table: &str, id: Uuid, record: Value) -> Result<(), StoreError> {
    let (collection, stamp) = (shelf.collection(table), octavo_records::Stamp::now(None));
    shelf
        .store
        .replace(&shelf.tenant, &collection, id, record, &stamp)
        .await
}

/// Rows of a statement that returns one JSON value a row.
async fn values(shelf: &Shelf, sql: &str) -> Vec<Value> {
    let rows = shelf.store.database.query(sql, &[]).await.unwrap();
    rows.iter().map(|row| row.get(0)).collect()
}

#[tokio::test]
async fn a_record_is_replaced_only_as_it_was_read() {
    let shelf = Shelf::new().await;
    let id = shelf.put("instance", titled("Emma")).await;
    assert_eq!(stored(&shelf, "instance", id).await["_version"], 1);
    for (sent, shown) in [
        (json!(null), "<NULL>"),
        (json!(2), "2"),
        // Only batches can suppress the version.
        (json!(-1), "<NULL>"),
    ] {
        let record = json!({"title": "Emma", "_version": sent});
        let refused = replaced(&shelf, "instance", id, record).await.unwrap_err();
        assert_eq!(
            refused.to_string(),
            format!(
                "ERROR: Cannot update record {id} because it has been changed (optimistic \
                 locking): Stored _version is 1, _version of request is {shown} (23F09)"
            )
        );
    }
    let record = json!({"title": "Emma, again", "_version": 1});
    replaced(&shelf, "instance", id, record).await.unwrap();
    assert_eq!(stored(&shelf, "instance", id).await["_version"], 2);
}

#[tokio::test]
async fn a_record_that_never_had_a_version_is_replaced_without_one() {
    let shelf = Shelf::new().await;
    let id = shelf.put("instance", titled("Emma")).await;
    let sql = "UPDATE tenant_diku.instance SET jsonb = jsonb - '_version'";
    shelf.store.database.execute(sql, &[]).await.unwrap();
    let record = json!({"title": "Emma", "_version": 1});
    let refused = replaced(&shelf, "instance", id, record).await.unwrap_err();
    assert!(
        refused.to_string().contains("Stored _version is <NULL>"),
        "{refused}"
    );
    replaced(&shelf, "instance", id, titled("Emma"))
        .await
        .unwrap();
    assert_eq!(stored(&shelf, "instance", id).await["_version"], 1);
}

#[tokio::test]
async fn who_created_stays_and_who_updated_changes() {
    let shelf = Shelf::new().await;
    let (author, editor) = (Uuid::new_v4(), Uuid::new_v4());
    let collection = shelf.collection("material_type");
    let stamp = octavo_records::Stamp::now(Some(author));
    let given = Uuid::new_v4();
    let record = json!({"id": given, "name": "Book", "metadata": {"createdByUserId": editor}});
    let created = shelf
        .store
        .create(&shelf.tenant, &collection, record, &stamp)
        .await
        .unwrap();
    assert_eq!(created.0, given);
    let later = octavo_records::Stamp::now(Some(editor));
    let record = json!({"name": "Books", "metadata": {"createdDate": "1999-01-01T00:00:00Z"}});
    shelf
        .store
        .replace(&shelf.tenant, &collection, given, record, &later)
        .await
        .unwrap();
    let stored = stored(&shelf, "material_type", given).await;
    assert_eq!(stored["metadata"]["createdByUserId"], json!(author));
    assert_eq!(stored["metadata"]["updatedByUserId"], json!(editor));
    assert_eq!(
        stored["metadata"]["createdDate"],
        serde_json::from_slice::<Value>(&created.1).unwrap()["metadata"]["createdDate"]
    );
}

#[tokio::test]
async fn audit_tables_keep_what_was() {
    let shelf = Shelf::with(audited()).await;
    let id = shelf.put("entry", json!({"name": "one"})).await;
    replaced(&shelf, "entry", id, json!({"name": "two"}))
        .await
        .unwrap();
    let entries = shelf.collection("entry");
    shelf
        .store
        .delete(&shelf.tenant, &entries, id)
        .await
        .unwrap();
    let kept = values(
        &shelf,
        "SELECT jsonb FROM tenant_diku.audit_entry ORDER BY jsonb->>'createdDate', \
         position(jsonb->>'operation' IN 'IUD')",
    )
    .await;
    let told: Vec<(&str, &str)> = kept
        .iter()
        .map(|row| {
            (
                row["operation"].as_str().unwrap(),
                row["entry"]["name"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(told, [("I", "one"), ("U", "two"), ("D", "two")]);
    let at = kept[0]["createdDate"].as_str().unwrap();
    assert!(octavo_records::instant::parse(at).is_some() && at.ends_with("+00:00"));
    let ids = values(
        &shelf,
        "SELECT to_jsonb(jsonb->>'id' = id::text) FROM tenant_diku.audit_entry",
    )
    .await;
    assert_eq!(ids, [json!(true), json!(true), json!(true)]);

    // A refused write leaves none.
    let _ = shelf.put("entry", json!({"name": "three"})).await;
    let refused = shelf.try_put("entry", json!({"name": "THREE"})).await;
    assert!(matches!(refused, Err(StoreError::Duplicate { .. })));
    assert_eq!(
        values(&shelf, "SELECT jsonb FROM tenant_diku.audit_entry")
            .await
            .len(),
        4
    );

    let id = shelf.put("instance", titled("Emma")).await;
    let record = json!({"title": "Emma", "_version": 1});
    replaced(&shelf, "instance", id, record).await.unwrap();
    let instances = shelf.collection("instance");
    shelf
        .store
        .delete(&shelf.tenant, &instances, id)
        .await
        .unwrap();
    let kept = values(&shelf, "SELECT jsonb FROM tenant_diku.audit_instance").await;
    assert_eq!(kept.len(), 1);
    assert_eq!(
        (&kept[0]["operation"], &kept[0]["record"]["_version"]),
        (&json!("D"), &json!(2))
    );
}

#[tokio::test]
async fn a_deletion_by_query_is_whole_or_nothing() {
    let shelf = Shelf::with(audited()).await;
    let mut ids = Vec::new();
    for number in 0..20 {
        let title = format!("{} {number}", if number % 2 == 0 { "even" } else { "odd" });
        ids.push(shelf.put("instance", titled(&title)).await);
    }
    let holdings = shelf
        .put("holdings_record", json!({"instanceId": ids[4]}))
        .await;
    let instances = shelf.collection("instance");
    let delete = |query: &'static str| {
        let (store, tenant, instances) = (&shelf.store, &shelf.tenant, &instances);
        async move { store.delete_matching(tenant, instances, query).await }
    };
    let refused = delete("title=even").await.unwrap_err();
    assert_eq!(
        refused.to_string(),
        format!(
            "Cannot delete instance.id = {} because id is still referenced from table \
             holdings_record.",
            ids[4]
        )
    );
    assert_eq!(delete("title=odd").await.unwrap(), 10);
    assert_eq!(delete("title=odd").await.unwrap(), 0);
    let on_odd = "SELECT to_jsonb(key) FROM tenant_diku.outbox WHERE type = 'DELETE'";
    assert_eq!(values(&shelf, on_odd).await.len(), 10);
    assert!(matches!(
        delete("cql.allRecords=1").await,
        Err(StoreError::StillReferenced { .. })
    ));
    let on_holdings = shelf.collection("holdings_record");
    shelf
        .store
        .delete(&shelf.tenant, &on_holdings, holdings)
        .await
        .unwrap();
    assert_eq!(delete("cql.allRecords=1").await.unwrap(), 10);
    let last = values(
        &shelf,
        "SELECT jsonb_build_array(type, key, old) FROM tenant_diku.outbox \
         ORDER BY position DESC LIMIT 1",
    )
    .await;
    assert_eq!(last, [json!(["DELETE_ALL", Uuid::nil(), null])]);
    assert_eq!(
        values(&shelf, "SELECT jsonb FROM tenant_diku.audit_instance")
            .await
            .len(),
        20
    );
}

#[tokio::test]
async fn a_deletion_takes_more_than_one_portion() {
    let shelf = Shelf::new().await;
    let sql = "INSERT INTO tenant_diku.material_type SELECT id, jsonb_build_object('id', id, \
               'name', id) FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, 5001)) AS _";
    shelf.store.database.execute(sql, &[]).await.unwrap();
    let types = shelf.collection("material_type");
    let (store, tenant) = (&shelf.store, &shelf.tenant);
    let some = store
        .delete_matching(tenant, &types, "name>=8")
        .await
        .unwrap();
    let rest = store
        .delete_matching(tenant, &types, "cql.allRecords=1")
        .await
        .unwrap();
    assert_eq!(some + rest, 5_001);
    assert!(some > 2_000 && rest > 2_000, "{some} and {rest}");
}

#[tokio::test]
async fn keys_of_several_properties_and_of_some_records_are_kept() {
    let shape = "id uuid\ncode string\nkind string\nopen boolean\n";
    let shelf = Shelf::with(vec![
        Collection::new("pair", "pairs", shape)
            .index(Index::unique("code").with(&["kind"]))
            .index(
                Index::unique("kind")
                    .when("(jsonb->>'open')::boolean IS TRUE")
                    .refusing("One of a kind is open at most"),
            ),
    ])
    .await;
    let pair =
        |code: &str, kind: &str, open: bool| json!({"code": code, "kind": kind, "open": open});
    let first = shelf.put("pair", pair("a", "x", true)).await;
    let _ = shelf.put("pair", pair("a", "y", true)).await;
    let _ = shelf.put("pair", pair("b", "x", false)).await;
    let refused = shelf.try_put("pair", pair("A", "x", false)).await;
    assert_eq!(
        refused.unwrap_err().to_string(),
        "lower(f_unaccent(jsonb ->> 'code'::text)), lower(f_unaccent(jsonb ->> 'kind'::text)) \
         value already exists in table pair: a, x"
    );
    let refused = shelf.try_put("pair", pair("c", "x", true)).await;
    let refused = refused.unwrap_err();
    assert_eq!(refused.to_string(), "One of a kind is open at most");
    assert!(matches!(refused, StoreError::Duplicate { status: 422, .. }));
    // FOLIO's interfaces usually declare no errors body for PUT.
    let refused = replaced(&shelf, "pair", first, pair("b", "x", false)).await;
    assert!(matches!(
        refused,
        Err(StoreError::Duplicate { status: 400, .. })
    ));
}

#[tokio::test]
async fn references_hold_when_a_record_is_replaced_and_when_it_goes() {
    let shelf = Shelf::new().await;
    let instance = shelf.put("instance", titled("Emma")).await;
    let holdings = json!({"instanceId": instance});
    let id = shelf.put("holdings_record", holdings).await;
    let nowhere = Uuid::new_v4();
    let moved = json!({"instanceId": nowhere, "_version": 1});
    let refused = replaced(&shelf, "holdings_record", id, moved).await;
    assert_eq!(
        refused.unwrap_err().to_string(),
        format!(
            "Cannot set holdings_record.instanceid = {nowhere} because it does not exist in \
             instance.id."
        )
    );
    let material = shelf.put("material_type", json!({"name": "Book"})).await;
    let item = json!({"holdingsRecordId": id, "materialTypeId": material});
    let _ = shelf.put("item", item).await;
    for (table, id) in [("material_type", material), ("holdings_record", id)] {
        let collection = shelf.collection(table);
        let refused = shelf.store.delete(&shelf.tenant, &collection, id).await;
        assert_eq!(
            refused.unwrap_err().to_string(),
            format!(
                "Cannot delete {table}.id = {id} because id is still referenced from table item."
            )
        );
    }
}

#[tokio::test]
async fn a_value_too_long_for_its_index_names_its_property() {
    let shelf = Shelf::new().await;
    // Of different characters, since PostgreSQL would compress repeated ones to fit a page.
    let long: String = (0..100)
        .map(|_| Uuid::new_v4().simple().to_string())
        .collect();
    let instance = shelf.put("instance", titled("Emma")).await;
    let holdings = json!({"instanceId": instance});
    let holdings = shelf.put("holdings_record", holdings).await;
    let item = json!({"holdingsRecordId": holdings, "barcode": long});
    match shelf.try_put("item", item).await {
        Err(StoreError::Invalid(violations)) => {
            assert_eq!(violations[0].path, "barcode");
            assert_eq!(
                violations[0].message,
                "is too long: at most 2704 bytes are indexed"
            );
        }
        other => panic!("{other:?}"),
    }
    // Keys of other kinds are cut.
    let _ = shelf.put("instance", titled(&long)).await;
}

//! Statements of each request and of each list do not read all permission users.

use octavo_testkit::Library;
use serde_json::{Value, json};

use super::{PERMISSIONS, USERS, definition, holder, id_of, user};
use octavo_server_testkit::library;

const HOLDERS: i64 = 100_000;

/// Some 2,000 definitions, sets in three levels among them, and 100,000 who hold some.
async fn fill(library: &Library) {
    let database = &library.platform.store.database;
    for sql in [
        "INSERT INTO tenant_diku.permissions (id, jsonb) \
         SELECT id, jsonb_build_object('id', id, 'permissionName', 'big.' || n, 'dummy', false, \
           'mutable', true, 'childOf', '[]'::jsonb, 'subPermissions', CASE \
             WHEN n < 10 THEN (SELECT jsonb_agg('big.' || (10 + n * 10 + k)) FROM generate_series(0, 9) k) \
             WHEN n < 110 THEN (SELECT jsonb_agg('big.' || (110 + n * 10 + k)) FROM generate_series(0, 9) k) \
             ELSE '[]'::jsonb END) \
         FROM (SELECT gen_random_uuid() AS id, n FROM generate_series(0, 1299) n) AS made",
        "INSERT INTO tenant_diku.permissions_users (id, jsonb) \
         SELECT id, jsonb_build_object('id', id, 'userId', gen_random_uuid(), \
           'permissions', jsonb_build_array('patron.all', 'big.' || (200 + n % 1000), 'big.' || (n % 300))) \
         FROM (SELECT gen_random_uuid() AS id, n FROM generate_series(1, 100000) n) AS made",
        "ANALYZE tenant_diku.permissions",
        "ANALYZE tenant_diku.permissions_users",
    ] {
        let _ = database.execute(sql, &[]).await.expect("it is filled");
    }
}

/// The number of sequential scans of the tables, after the counters have been flushed.
async fn scans(library: &Library) -> (i64, i64) {
    let sql = "SELECT relname::text, seq_scan FROM pg_stat_user_tables \
               WHERE schemaname = 'tenant_diku' \
                 AND relname IN ('permissions', 'permissions_users') ORDER BY relname";
    let database = &library.platform.store.database;
    let _ = database
        .execute("SELECT pg_stat_force_next_flush()", &[])
        .await;
    let rows = database.query(sql, &[]).await.expect("counts");
    (rows[0].get(1), rows[1].get(1))
}

#[tokio::test]
async fn grants_and_lists_use_indexes_however_many_there_are() {
    let library = library().await;
    let admin = library.client().await;
    fill(&library).await;
    let id = user(&admin, "ada").await;
    let ada = holder(&admin, id, &["big.0", "users.all"]).await;
    let store = &library.platform.store;
    let directory = &library.platform.identities.permissions.directory;

    let database = &store.database;
    let settings = database
        .query("SELECT count(*) FROM tenant_diku.permissions_users", &[])
        .await
        .expect("a count");
    assert!(settings[0].get::<_, i64>(0) > HOLDERS);

    // More often than the database tries plans for single values.
    for _ in 0..8 {
        let grants = directory.grants(store.clone(), library.tenant(), id).await;
        let grants = grants.expect("an answer").expect("an active user");
        assert!(grants.has("big.0") && grants.has("big.10") && grants.has("big.210"));
        assert!(grants.has("patron-pin.post") && !grants.has("big.1"));
    }
    let one = id_of(&definition(&admin, "big.250").await);
    for path in [
        format!("{USERS}/{id}?indexField=userId"),
        format!("{USERS}/{ada}/permissions?expanded=true&full=true"),
        format!("{USERS}/{id}/permissions?indexField=userId&full=true"),
        format!("{PERMISSIONS}/{one}"),
    ] {
        let _ = admin.get(&path).await.expect(200);
    }
    for at in 0..8 {
        let path = format!("{USERS}/{ada}/permissions");
        let body = json!({"permissionName": format!("big.{}", 300 + at)});
        let _ = admin.post(&path, &body).await.expect(200);
    }
    let before = scans(&library).await;
    for _ in 0..8 {
        let found = directory.grants(store.clone(), library.tenant(), id).await;
        assert!(found.expect("an answer").is_some());
        let _ = admin.get(&format!("{PERMISSIONS}/{one}")).await.expect(200);
        let path = format!("{USERS}/{ada}/permissions?expanded=true&full=true");
        let _ = admin.get(&path).await.expect(200);
    }
    let after = scans(&library).await;
    assert_eq!(
        after.1, before.1,
        "permission users were read from end to end"
    );
    assert_eq!(after.0, before.0, "definitions were read from end to end");

    // Everything at once, with all who hold each.
    let page = admin
        .get(&format!("{PERMISSIONS}?length=10000&expanded=true"))
        .await;
    let page = page.expect(200).json();
    let held: usize = page["permissions"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|one| one["grantedTo"].as_array().map(Vec::len))
        .sum();
    assert!(held > 190_000, "{held}");
    assert_eq!(scans(&library).await.1, before.1);

    // A deletion touches those who hold it alone.
    let _ = admin
        .delete(&format!("{PERMISSIONS}/{one}"))
        .await
        .expect(204);
    assert_eq!(scans(&library).await.1, before.1);
    let left = admin.query(PERMISSIONS, "permissionName==big.250").await;
    assert_eq!(left.expect(200).json()["totalRecords"], Value::from(0));
}

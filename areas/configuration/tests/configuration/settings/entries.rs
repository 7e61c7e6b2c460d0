//! Settings of the tenant and of users, and who may see and write which.

use octavo_testkit::Client;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use uuid::Uuid;

use super::staff;
use octavo_server_testkit::library;

const ENTRIES: &str = "/settings/entries";

fn setting(scope: &str, key: &str, owner: Option<Uuid>) -> Value {
    let mut setting = json!({"id": Uuid::new_v4(), "scope": scope, "key": key, "value": {"n": 1}});
    if let Some(owner) = owner {
        setting["userId"] = json!(owner);
    }
    setting
}

fn path(setting: &Value) -> String {
    format!("{ENTRIES}/{}", setting["id"].as_str().expect("an id"))
}

async fn keys(client: &Client, query: &str) -> Vec<String> {
    let page = client.query(ENTRIES, query).await.expect(200).json();
    let items = page["items"].as_array().expect("items");
    assert_eq!(page["resultInfo"]["totalRecords"], items.len());
    let key = |item: &Value| item["key"].as_str().map(str::to_owned);
    items.iter().filter_map(key).collect()
}

#[tokio::test]
async fn a_setting_is_kept_as_it_was_sent() {
    let library = library().await;
    let client = library.client().await;
    let mut sent = setting("ui-tags.tags.manage", "Key One", None);
    sent["value"] = json!([1, "two", {"three": null}, false]);
    sent["note"] = json!("also kept");
    let answer = client.post(ENTRIES, &sent).await.expect(204);
    assert_eq!(answer.text, "");
    let read = client.get(&path(&sent)).await.expect(200).json();
    assert_eq!(read, sent);
    let mut changed = sent.clone();
    changed["value"] = json!("new");
    let _ = client.put(&path(&sent), &changed).await.expect(204);
    let read = client.get(&path(&sent)).await.expect(200).json();
    assert_eq!(read, changed);
    let other = path(&setting("s", "k", None));
    let answer = client.put(&other, &changed).await.expect(400);
    assert_eq!(answer.text, "id mismatch");
    let _ = client.delete(&path(&sent)).await.expect(204);
    for gone in [
        client.get(&path(&sent)).await,
        client.put(&path(&sent), &changed).await,
        client.delete(&path(&sent)).await,
    ] {
        assert_eq!((gone.status, gone.text.as_str()), (404, "Not Found"));
    }
}

#[tokio::test]
async fn what_is_no_setting_is_refused() {
    let library = library().await;
    let client = library.client().await;
    for (name, sentence) in [
        ("id", "Entry must have an id"),
        ("scope", "Entry must have a scope"),
        ("key", "Entry must have a key"),
    ] {
        let mut sent = setting("s", "k", None);
        sent[name] = Value::Null;
        let answer = client.post(ENTRIES, &sent).await.expect(400);
        assert_eq!(answer.text, sentence);
    }
    let mut sent = setting("s", "k", None);
    sent["userId"] = json!("somebody");
    assert_eq!(client.post(ENTRIES, &sent).await.status, 400);
    assert_eq!(client.post(ENTRIES, &json!([])).await.status, 400);
    let mut large = setting("s", "k", None);
    large["value"] = json!("x".repeat(65_536));
    assert_eq!(client.post(ENTRIES, &large).await.status, 413);
    assert_eq!(client.query(ENTRIES, "scope and").await.status, 400);
    assert_eq!(client.get("/settings/entries?limit=x").await.status, 400);
    assert_eq!(client.get("/settings/entries/7").await.status, 400);
}

#[tokio::test]
async fn scope_and_key_are_unique_for_the_tenant_and_for_each_user() {
    let library = library().await;
    let client = library.client().await;
    let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
    for owner in [None, Some(one), Some(other)] {
        let first = setting("s", "k", owner);
        let _ = client.post(ENTRIES, &first).await.expect(204);
        let again = client.post(ENTRIES, &setting("s", "k", owner)).await;
        assert_eq!((again.status, again.text.as_str()), (403, "Forbidden"));
        // Another one cannot become it. Case makes a difference.
        let mut near = setting("s", "K", owner);
        let _ = client.post(ENTRIES, &near).await.expect(204);
        near["key"] = json!("k");
        assert_eq!(client.put(&path(&near), &near).await.status, 404);
        let mut same_id = setting("s", "third", owner);
        same_id["id"] = first["id"].clone();
        assert_eq!(client.post(ENTRIES, &same_id).await.status, 400);
    }
    assert_eq!(keys(&client, "scope==s and key==k").await.len(), 3);
}

#[tokio::test]
async fn of_several_who_make_the_same_setting_at_once_one_does() {
    let library = library().await;
    let client = library.client().await;
    for round in 0..5_u128 {
        let owner = (round % 2 == 0).then(|| Uuid::from_u128(round + 1));
        let all = (0..8).map(|_| {
            let client = client.clone();
            let sent = setting("s", &format!("round {round}"), owner);
            async move { client.post(ENTRIES, &sent).await.status }
        });
        let mut statuses = all.collect::<JoinSet<_>>().join_all().await;
        statuses.sort_unstable();
        assert_eq!(statuses, [204, 403, 403, 403, 403, 403, 403, 403]);
    }
}

#[tokio::test]
async fn settings_are_found_by_scope_key_and_user() {
    let library = library().await;
    let client = library.client().await;
    let owner = Uuid::from_u128(7);
    for (scope, key, user) in [
        ("foo", "bar1", None),
        ("foo", "bar2", Some(owner)),
        ("foo", "Bar3", None),
        ("foo.more", "bar1", None),
        ("foo", "100%", None),
    ] {
        let _ = client
            .post(ENTRIES, &setting(scope, key, user))
            .await
            .expect(204);
    }
    let sorted = async |query: &str| {
        let mut keys = keys(&client, query).await;
        keys.sort();
        keys.join(" ")
    };
    for (query, found) in [
        ("scope=foo and key=bar*", "bar1 bar2"),
        ("scope==foo and key==bar1", "bar1"),
        ("scope=FOO", ""),
        ("scope==foo.more", "bar1"),
        ("scope==foo*", "100% Bar3 bar1 bar1 bar2"),
        ("userId==00000000-0000-0000-0000-000000000007", "bar2"),
        ("scope==foo not userId=\"\"", "100% Bar3 bar1"),
        ("userId=\"\"", "bar2"),
        ("key==100%", "100%"),
    ] {
        assert_eq!(sorted(query).await, found, "{query}");
    }
    let page = client
        .get("/settings/entries?query=cql.allRecords=1%20sortBy%20scope%20key&limit=2&offset=1")
        .await
        .expect(200)
        .json();
    assert_eq!(page["items"].as_array().map(Vec::len), Some(2));
    assert_eq!(page["resultInfo"]["totalRecords"], 5);
}

#[tokio::test]
async fn permissions_with_the_scope_say_who_sees_what() {
    let library = library().await;
    let admin = library.client().await;
    let (reader, reader_id) = staff(
        &library,
        &admin,
        "reader",
        &[
            "mod-settings.global.read.a",
            "mod-settings.owner.read.a",
            "mod-settings.users.read.b",
        ],
    )
    .await;
    let (nobody, _) = staff(&library, &admin, "nobody", &["mod-settings.global.write.a"]).await;
    let other = Uuid::from_u128(9);
    let mut sent = Vec::new();
    for scope in ["a", "b"] {
        for (key, owner) in [
            ("tenant", None),
            ("mine", Some(reader_id)),
            ("theirs", Some(other)),
        ] {
            let one = setting(scope, &format!("{scope} {key}"), owner);
            let _ = admin.post(ENTRIES, &one).await.expect(204);
            sent.push(one);
        }
    }
    assert_eq!(keys(&admin, "cql.allRecords=1").await.len(), 6);
    let mut seen = keys(&reader, "cql.allRecords=1").await;
    seen.sort();
    assert_eq!(seen, ["a mine", "a tenant", "b mine", "b theirs"]);
    assert_eq!(keys(&reader, "scope==a").await.len(), 2);
    assert_eq!(keys(&reader, "scope==c").await.len(), 0);
    assert_eq!(keys(&reader, "scope==c or scope<>c").await.len(), 4);
    for one in &sent {
        let key = one["key"].as_str().expect("a key").to_owned();
        let status = if seen.contains(&key) { 200 } else { 404 };
        assert_eq!(reader.get(&path(one)).await.status, status, "{key}");
        assert_eq!(nobody.get(&path(one)).await.status, 404);
    }
    // A user who may read nothing at all is refused.
    let answer = nobody.get(ENTRIES).await.expect(403);
    assert_eq!(answer.text, "Forbidden");
    assert_eq!(nobody.query(ENTRIES, "scope==a").await.status, 403);
    let stranger = admin.with_token(None);
    assert_eq!(stranger.get(ENTRIES).await.status, 401);
}

#[tokio::test]
async fn permissions_with_the_scope_say_who_writes_what() {
    let library = library().await;
    let admin = library.client().await;
    let (writer, writer_id) = staff(
        &library,
        &admin,
        "writer",
        &[
            "mod-settings.global.write.a",
            "mod-settings.owner.b.write",
            "mod-settings.users.write.c",
        ],
    )
    .await;
    let other = Uuid::from_u128(9);
    for (scope, owner, allowed) in [
        ("a", None, true),
        ("a", Some(writer_id), false),
        ("b", None, false),
        ("b", Some(writer_id), true),
        ("b", Some(other), false),
        ("c", None, false),
        ("c", Some(writer_id), true),
        ("c", Some(other), true),
    ] {
        let mut one = setting(scope, "k", owner);
        let status = if allowed { 204 } else { 403 };
        assert_eq!(writer.post(ENTRIES, &one).await.status, status, "{one}");
        if !allowed {
            let _ = admin.post(ENTRIES, &one).await.expect(204);
        }
        one["value"] = json!(2);
        assert_eq!(writer.put(&path(&one), &one).await.status, status, "{one}");
        // What is forbidden to delete does not exist.
        let status = if allowed { 204 } else { 404 };
        assert_eq!(writer.delete(&path(&one)).await.status, status, "{one}");
    }
    // The id of a setting that one may not write does not open it.
    let theirs = setting("z", "k", None);
    let _ = admin.post(ENTRIES, &theirs).await.expect(204);
    let mut taken = setting("a", "taken over", None);
    taken["id"] = theirs["id"].clone();
    assert_eq!(writer.put(&path(&taken), &taken).await.status, 404);
    let kept = admin.get(&path(&theirs)).await.expect(200).json();
    assert_eq!(kept, theirs);
}

//! `/user/settings`.

use serde_json::json;

use super::{get, id_of, path_of, post, unknown};
use octavo_server_testkit::library;

const SETTINGS: &str = "/user/settings";

#[tokio::test]
async fn settings_are_kept_by_key_and_version() {
    let library = library().await;
    let client = library.client().await;
    let body = json!({"scope": "mod-users", "key": "colours", "value": {"any": ["thing"]}});
    let setting = post(&client, SETTINGS, body.clone()).await;
    assert_eq!(setting["_version"], 1);
    let taken = client.post(SETTINGS, &body).await.expect(400);
    assert_eq!(
        taken.text,
        "lower(f_unaccent(jsonb ->> 'key'::text)) value already exists in table settings: colours"
    );
    let path = path_of(SETTINGS, &setting);
    let mut changed = setting.clone();
    changed["value"] = json!(7);
    let _ = client.put(&path, &changed).await.expect(204);
    let stale = client.put(&path, &changed).await.expect(409);
    assert!(stale.text.contains("optimistic locking"), "{}", stale.text);
    assert_eq!(get(&client, &path).await["value"], 7);

    let (nothing, mut other) = (unknown(), changed.clone());
    let gone = client
        .put(&format!("{SETTINGS}/{nothing}"), &changed)
        .await
        .expect(404)
        .json();
    assert_eq!(gone["errors"][0]["code"], "not_found_error");
    assert_eq!(
        gone["errors"][0]["message"],
        format!("Setting entity not found by id: {nothing}")
    );
    other["id"] = json!(nothing);
    let refused = client.put(&path, &other).await.expect(400).json();
    assert_eq!(refused["errors"][0]["code"], "id_mismatch_error");
    let wrong = client
        .post(SETTINGS, &json!({"scope": "elsewhere", "key": "x"}))
        .await;
    assert!(wrong.expect(400).text.ends_with("(at scope)"));
    let wrong = client.post(SETTINGS, &json!({"key": "x"})).await;
    assert_eq!(
        wrong.expect(422).json()["errors"].as_array().map(Vec::len),
        Some(2)
    );
    let _ = client.delete(&path).await.expect(204);
    let _ = client.get(&path).await.expect(404);
    let _ = id_of(&setting);
}

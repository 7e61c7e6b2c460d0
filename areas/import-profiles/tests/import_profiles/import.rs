//! Imports of whole trees of profiles.

use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    JOBS, MATCHES, a_job, an_action, job, mapping, matching, messages, outline, stored, tree,
};
use octavo_server_testkit::library;

const TREES: &str = "/data-import-profiles/profileSnapshots";

fn node(kind: &str, mut content: Value, react_to: Option<&str>, order: i32, below: Value) -> Value {
    let id = Uuid::new_v4();
    if content.get("id").is_none() {
        content["id"] = json!(id);
    }
    let mut node = json!({
        "id": Uuid::new_v4(), "profileId": content["id"], "order": order,
        "contentType": format!("{kind}_PROFILE"), "content": content,
        "childSnapshotWrappers": below,
    });
    if let Some(react_to) = react_to {
        node["reactTo"] = json!(react_to);
    }
    node
}

fn a_tree(name: &str) -> Value {
    let action = json!({"name": name, "action": "CREATE", "folioRecord": "INSTANCE"});
    let mapped = json!([node(
        "MAPPING",
        mapping(name, "INSTANCE"),
        None,
        0,
        json!([])
    )]);
    let actions = json!([node("ACTION", action, Some("NON_MATCH"), 0, mapped)]);
    let matches = json!([node("MATCH", matching(name), None, 0, actions)]);
    node("JOB", job(name), None, 0, matches)
}

#[tokio::test]
async fn a_tree_is_taken_over_whole_and_again() {
    let library = library().await;
    let client = library.client().await;
    let mut sent = a_tree("elsewhere");
    let made = client.post(TREES, &sent).await.expect(201).json();
    let expected = [
        "0 - elsewhere",
        "1 - elsewhere",
        "2 NON_MATCH elsewhere",
        "3 - elsewhere",
    ];
    assert_eq!(outline(&made), expected);
    assert_eq!(made["profileId"], sent["profileId"]);
    // Once more, with a change: nothing is doubled.
    sent["content"]["description"] = json!("changed");
    let again = client.post(TREES, &sent).await.expect(201).json();
    assert_eq!(outline(&again), expected);
    assert_eq!(again["content"]["description"], "changed");
    // What one library shows another takes.
    let shown = tree(&client, made["profileId"].as_str().expect("an id")).await;
    let again = client.post(TREES, &shown).await.expect(201).json();
    assert_eq!(outline(&again), expected);
}

#[tokio::test]
async fn a_tree_that_does_not_fit_leaves_nothing() {
    let library = library().await;
    let client = library.client().await;
    let a_match = node("MATCH", matching("m"), None, 0, json!([]));
    let answer = client.post(TREES, &a_match).await.expect(400);
    assert_eq!(
        answer.text,
        "Cannot import profile snapshot of MATCH_PROFILE required type is JOB_PROFILE"
    );
    let mut wrong = a_tree("wrong");
    let action = "/childSnapshotWrappers/0/childSnapshotWrappers/0/content/folioRecord";
    *wrong.pointer_mut(action).expect("the action's record") = json!("ITEM");
    let answer = client.post(TREES, &wrong).await.expect(422).json();
    assert!(messages(&answer)[0].starts_with("Mapping profile 'wrong' can not be linked"));
    let mut idle = a_tree("idle");
    idle["childSnapshotWrappers"] = json!([]);
    assert_eq!(client.post(TREES, &idle).await.status, 422);
    let mut nameless = a_tree("nameless");
    nameless["content"]["name"] = json!(null);
    assert_eq!(client.post(TREES, &nameless).await.status, 422);
    let mut strange = a_tree("strange");
    strange["profileId"] = json!(Uuid::new_v4());
    assert_eq!(client.post(TREES, &strange).await.status, 400);
    let mut deep = a_tree("deep");
    for _ in 0..35 {
        deep = node("JOB", job("deep"), None, 0, json!([deep]));
    }
    assert!([400, 422].contains(&client.post(TREES, &deep).await.status));
    for name in ["m", "wrong", "idle", "nameless", "strange", "deep"] {
        for path in [JOBS, MATCHES, super::ACTIONS, super::MAPPINGS] {
            let found = client
                .query(path, &format!("name=={name}"))
                .await
                .expect(200)
                .json();
            assert_eq!(found["totalRecords"], 0, "{path} {name}");
        }
    }
}

#[tokio::test]
async fn a_job_that_is_there_gets_the_tree_that_is_sent() {
    let library = library().await;
    let client = library.client().await;
    let (action, _) = an_action(&client, "creates", "CREATE", "INSTANCE").await;
    let id = a_job(&client, "imports", &action).await;
    let other = stored(&client, MATCHES, matching("finds"), json!([])).await;
    let mut shown = tree(&client, &id).await;
    let child = shown["childSnapshotWrappers"][0].clone();
    let mut found = matching("finds");
    found["id"] = json!(other);
    let mut child_below = child;
    child_below["reactTo"] = json!("NON_MATCH");
    let above = node("MATCH", found, None, 0, json!([child_below]));
    shown["childSnapshotWrappers"] = json!([above]);
    let made = client.post(TREES, &shown).await.expect(201).json();
    let expected = [
        "0 - imports",
        "1 - finds",
        "2 NON_MATCH creates",
        "3 - creates",
    ];
    assert_eq!(outline(&made), expected);
    assert_eq!(outline(&tree(&client, &id).await), expected);
}

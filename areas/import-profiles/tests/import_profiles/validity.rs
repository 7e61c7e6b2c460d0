//! Associations of profiles that are refused: FOLIO's messages, and nothing is written.

use serde_json::{Value, json};

use super::{
    ACTIONS, JOBS, MAPPINGS, MATCHES, a_job, action, an_action, below, job, mapping, matching,
    messages, nowhere, outline, stored, tree,
};
use octavo_server_testkit::library;

#[tokio::test]
async fn a_job_needs_an_action_and_actions_their_place() {
    let library = library().await;
    let client = library.client().await;
    let (update, _) = an_action(&client, "updates", "UPDATE", "INSTANCE").await;
    let (create, _) = an_action(&client, "creates", "CREATE", "INSTANCE").await;
    let mut modifying = mapping("modifies", "MARC_BIBLIOGRAPHIC");
    modifying["mappingDetails"] = json!({"name": "marcBib", "recordType": "MARC_BIBLIOGRAPHIC",
        "marcMappingOption": "MODIFY"});
    let modifying = stored(&client, MAPPINGS, modifying, json!([])).await;
    let with_mapping = json!([below(
        ("ACTION", None),
        ("MAPPING", Some(&modifying)),
        0,
        None
    )]);
    let modify = action("modifies", "MODIFY", "MARC_BIBLIOGRAPHIC");
    let modify = stored(&client, ACTIONS, modify, with_mapping).await;
    let a_match = stored(&client, MATCHES, matching("finds"), json!([])).await;
    let finds = || below(("JOB", None), ("MATCH", Some(&a_match)), 0, None);
    let does = |id: &str, order| below(("JOB", None), ("ACTION", Some(id)), order, None);
    let reacts = |id: &str, order| {
        below(
            ("MATCH", Some(&a_match)),
            ("ACTION", Some(id)),
            order,
            Some("MATCH"),
        )
    };
    let no_match = format!(
        "ActionProfile with id '{update}' and action UPDATE requires linked \
                            MatchProfile"
    );
    let no_action = "Linked ActionProfile was not found after MatchProfile";
    for (added, expected) in [
        (
            json!([]),
            vec!["Job profile does not contain any associations", no_action],
        ),
        (json!([finds()]), vec![no_action]),
        (json!([does(&update, 0)]), vec![no_match.as_str()]),
        (
            json!([does(&modify, 0)]),
            vec!["Modify action cannot be used as a standalone action"],
        ),
        (
            json!([finds(), reacts(&modify, 0), reacts(&update, 1)]),
            vec!["Modify action cannot be used right after a Match"],
        ),
    ] {
        let sent = json!({"profile": job("wrong"), "addedRelations": added});
        let answer = client.post(JOBS, &sent).await.expect(422).json();
        assert_eq!(messages(&answer), expected, "{sent}");
    }
    let gone = nowhere();
    for (added, message) in [
        (
            json!([does(&gone, 0)]),
            format!("Linked ActionProfiles with ids '{gone}' were not found"),
        ),
        (
            json!([
                does(&create, 0),
                below(("JOB", None), ("MATCH", Some(&gone)), 1, None)
            ]),
            format!("Linked MatchProfiles with ids '{gone}' were not found"),
        ),
    ] {
        let sent = json!({"profile": job("wrong"), "addedRelations": added});
        assert_eq!(client.post(JOBS, &sent).await.expect(404).text, message);
    }
    let found = client.query(JOBS, "name==wrong").await.expect(200).json();
    assert_eq!(found["totalRecords"], 0, "nothing is half stored");
    let right = json!([
        finds(),
        reacts(&update, 0),
        reacts(&modify, 1),
        does(&create, 1)
    ]);
    let right = stored(&client, JOBS, job("right"), right).await;
    assert_eq!(
        outline(&tree(&client, &right).await),
        [
            "0 - right",
            "1 - finds",
            "2 MATCH updates",
            "3 - updates",
            "2 MATCH modifies",
            "3 - modifies",
            "1 - creates",
            "2 - creates",
        ]
    );
}

#[tokio::test]
async fn what_a_job_does_last_cannot_be_taken_away() {
    let library = library().await;
    let client = library.client().await;
    let (create, _) = an_action(&client, "creates", "CREATE", "INSTANCE").await;
    let (other, _) = an_action(&client, "other", "CREATE", "ITEM").await;
    let id = a_job(&client, "imports", &create).await;
    let path = format!("{JOBS}/{id}");
    let before = tree(&client, &id).await;
    let child = &before["childSnapshotWrappers"][0];
    let gone = json!({
        "masterProfileId": id, "detailProfileId": create, "order": 0,
        "masterProfileType": "JOB_PROFILE", "detailProfileType": "ACTION_PROFILE",
        "masterWrapperId": before["profileWrapperId"], "detailWrapperId": child["profileWrapperId"],
    });
    let mut profile = client.get(&path).await.expect(200).json();
    profile["description"] = json!("never stored");
    let sent = json!({"profile": profile, "deletedRelations": [gone]});
    let answer = client.put(&path, &sent).await.expect(422).json();
    assert_eq!(
        messages(&answer)[0],
        "Job profile does not contain any associations"
    );
    let kept = client.get(&path).await.expect(200).json();
    assert_eq!(kept.get("description"), None);
    assert_eq!(outline(&tree(&client, &id).await), outline(&before));
    // In exchange for another it can.
    let comes = below(("JOB", None), ("ACTION", Some(&other)), 0, None);
    let sent = json!({"profile": profile, "deletedRelations": [gone], "addedRelations": [comes]});
    let _ = client.put(&path, &sent).await.expect(200);
    let now = outline(&tree(&client, &id).await);
    assert_eq!(now, ["0 - imports", "1 - other", "2 - other"]);
}

#[tokio::test]
async fn actions_and_mappings_are_of_one_record() {
    let library = library().await;
    let client = library.client().await;
    let items = stored(&client, MAPPINGS, mapping("items", "ITEM"), json!([])).await;
    let below_it = || json!([below(("ACTION", None), ("MAPPING", Some(&items)), 0, None)]);
    let sent = json!({"profile": action("titles", "CREATE", "INSTANCE"),
                      "addedRelations": below_it()});
    let answer = client.post(ACTIONS, &sent).await.expect(422).json();
    assert_eq!(
        messages(&answer),
        [
            "Mapping profile 'items' can not be linked to this Action profile. ExistingRecordType and \
          FolioRecord types are different"
        ]
    );
    let sent = json!({"profile": action("bibs", "CREATE", "MARC_BIBLIOGRAPHIC")});
    let answer = client.post(ACTIONS, &sent).await.expect(422).json();
    assert_eq!(
        messages(&answer),
        ["Can't create ActionProfile for MARC Bib record type with Create action"]
    );
    let titles = stored(
        &client,
        ACTIONS,
        action("t", "CREATE", "INSTANCE"),
        json!([]),
    )
    .await;
    let above = json!([below(("ACTION", Some(&titles)), ("MAPPING", None), 0, None)]);
    let sent = json!({"profile": mapping("i", "ITEM"), "addedRelations": above});
    let answer = client.post(MAPPINGS, &sent).await.expect(422).json();
    assert_eq!(
        messages(&answer),
        [
            "Action profile 't' can not be linked to this Mapping profile. FolioRecord and \
          ExistingRecordType types are different"
        ]
    );
    // Once they are associated, neither parts from the other.
    let (action_id, mapping_id) = an_action(&client, "pair", "CREATE", "HOLDINGS").await;
    let sent = json!({"profile": action("pair", "CREATE", "ITEM")});
    let answer = client.put(&format!("{ACTIONS}/{action_id}"), &sent).await;
    assert_eq!(
        messages(&answer.expect(422).json()),
        [
            "Can not update ActionProfile recordType and linked MappingProfile recordType are different"
        ]
    );
    let sent = json!({"profile": mapping("pair", "ITEM")});
    let answer = client.put(&format!("{MAPPINGS}/{mapping_id}"), &sent).await;
    assert_eq!(
        messages(&answer.expect(422).json()),
        [
            "Can not update MappingProfile recordType and linked ActionProfile recordType are different"
        ]
    );
    let mut field = mapping("fields", "ITEM");
    field["mappingDetails"] = json!({"name": "item", "recordType": "ITEM", "mappingFields": [
        {"name": "notes", "repeatableFieldAction": "EXTEND_EXISTING", "subfields": []}]});
    let answer = client.post(MAPPINGS, &json!({"profile": field})).await;
    assert_eq!(
        messages(&answer.expect(422).json()),
        ["Invalid repeatableFieldAction for empty subfields: EXTEND_EXISTING"]
    );
}

#[tokio::test]
async fn an_action_has_one_mapping() {
    let library = library().await;
    let client = library.client().await;
    let (action, old) = an_action(&client, "old", "CREATE", "ITEM").await;
    let above = json!([below(("ACTION", Some(&action)), ("MAPPING", None), 0, None)]);
    let new = stored(&client, MAPPINGS, mapping("new", "ITEM"), above).await;
    let path = format!("{ACTIONS}/{action}?withRelations=true");
    let shown = client.get(&path).await.expect(200).json();
    assert_eq!(shown["childProfiles"].as_array().map(Vec::len), Some(1));
    assert_eq!(shown["childProfiles"][0]["id"], new);
    let _ = client
        .delete(&format!("{MAPPINGS}/{old}"))
        .await
        .expect(204);
}

#[tokio::test]
async fn unreadable_bodies_are_refused_by_name() {
    let library = library().await;
    let client = library.client().await;
    let a_match = || matching("m");
    let named = |key: &str, value: Value| {
        let mut profile = a_match();
        profile[key] = value;
        profile
    };
    for sent in [
        json!({}),
        json!([]),
        json!({"profile": null}),
        json!({"profile": "text"}),
        json!({"profile": a_match(), "unknown": 1}),
        json!({"profile": a_match(), "addedRelations": {}}),
        json!({"profile": a_match(), "addedRelations": [7]}),
        json!({"profile": a_match(), "addedRelations": [{"masterProfileId": "7"}]}),
        json!({"profile": a_match(), "addedRelations": [{"masterProfileType": "NONE"}]}),
        json!({"profile": a_match(), "addedRelations": [{"order": 99_999_999_999_i64}]}),
        json!({"profile": a_match(), "addedRelations": [{"order": 0}]}),
        json!({"profile": named("incomingRecordType", json!("BOOK"))}),
        json!({"profile": named("name", json!(null))}),
        json!({"profile": named("id", json!("no-uuid"))}),
        json!({"profile": named("unknown", json!(1))}),
        json!({"profile": named("matchDetails", json!([{}]))}),
    ] {
        let answer = client.post(MATCHES, &sent).await;
        // A word that is not in its list cannot be read: refused in plain text.
        if sent["profile"]["incomingRecordType"] == "BOOK" {
            assert!(answer.expect(400).text.ends_with("(at incomingRecordType)"));
            continue;
        }
        assert_eq!(answer.status, 422, "{sent}: {}", answer.text);
        let answer = answer.json();
        assert!(!messages(&answer).is_empty());
    }
    let answer = client
        .post(
            MATCHES,
            &json!({"profile": named("name", json!("a\u{0}b"))}),
        )
        .await;
    assert!([400, 422].contains(&answer.status), "{}", answer.text);
    let found = client.get(&format!("{MATCHES}?query=name==m")).await;
    assert_eq!(found.expect(200).json()["totalRecords"], 0);
}

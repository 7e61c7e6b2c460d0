//! Trees of job profiles: their shape, their order, their limits.

use octavo_import_profiles::app::{profile_tree, protected_fields};
use octavo_import_profiles::{ProfileKind, ReactTo};
use octavo_records::{Context, Stamp};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    ASSOCIATIONS, JOBS, MATCHES, a_job, an_action, below, job, matching, messages, nowhere,
    outline, stored, text, tree,
};
use octavo_server_testkit::library;

#[tokio::test]
async fn a_tree_of_four_levels_is_read_in_order() {
    let library = library().await;
    let client = library.client().await;
    let (create, create_mapping) = an_action(&client, "creates", "CREATE", "INSTANCE").await;
    let (update, _) = an_action(&client, "updates", "UPDATE", "INSTANCE").await;
    let (item, _) = an_action(&client, "item", "CREATE", "ITEM").await;
    let outer = stored(&client, MATCHES, matching("by id"), json!([])).await;
    let inner = stored(&client, MATCHES, matching("by isbn"), json!([])).await;
    let relations = json!([
        below(("JOB", None), ("MATCH", Some(&outer)), 0, None),
        below(
            ("MATCH", Some(&outer)),
            ("ACTION", Some(&update)),
            0,
            Some("MATCH")
        ),
        below(
            ("MATCH", Some(&outer)),
            ("ACTION", Some(&item)),
            1,
            Some("MATCH")
        ),
        below(
            ("MATCH", Some(&outer)),
            ("MATCH", Some(&inner)),
            0,
            Some("NON_MATCH")
        ),
        below(
            ("MATCH", Some(&inner)),
            ("ACTION", Some(&create)),
            0,
            Some("NON_MATCH")
        ),
        // The same match once more, with something else below it.
        below(("JOB", None), ("MATCH", Some(&inner)), 1, None),
        below(
            ("MATCH", Some(&inner)),
            ("ACTION", Some(&item)),
            0,
            Some("MATCH")
        ),
    ]);
    let id = stored(&client, JOBS, job("overlays"), relations).await;
    let shown = tree(&client, &id).await;
    let expected = [
        "0 - overlays",
        "1 - by id",
        "2 MATCH updates",
        "3 - updates",
        "2 NON_MATCH by isbn",
        "3 NON_MATCH creates",
        "4 - creates",
        "2 MATCH item",
        "3 - item",
        "1 - by isbn",
        "2 MATCH item",
        "3 - item",
    ];
    assert_eq!(outline(&shown), expected);
    assert_eq!(
        (text(&shown, "contentType"), text(&shown, "profileId")),
        ("JOB_PROFILE", id.as_str())
    );

    let tenant = library.tenant();
    let context = Context {
        store: &library.platform.store,
        tenant: &tenant,
        stamp: Stamp::now(None),
    };
    let job_id = Uuid::try_parse(&id).expect("a UUID");
    let read = profile_tree(context, job_id.into())
        .await
        .expect("a tree")
        .expect("the job");
    assert_eq!(outline(read.json()), expected);
    let first = read.root().children().next().expect("the outer match");
    assert_eq!(first.kind(), Some(ProfileKind::Match));
    let created = first
        .reacting(ReactTo::NonMatch)
        .flat_map(|inner| inner.reacting(ReactTo::NonMatch))
        .next()
        .expect("what is done where nothing was found");
    assert_eq!(created.text("action"), Some("CREATE"));
    let mapping = created.mapping().and_then(|mapping| mapping.profile_id());
    assert_eq!(mapping.map(|id| id.to_string()), Some(create_mapping));
    assert!(
        profile_tree(context, Uuid::new_v4().into())
            .await
            .expect("an answer")
            .is_none()
    );
    let protected = protected_fields(context).await.expect("fields");
    let fields: Vec<_> = protected.iter().map(|one| one.field.as_str()).collect();
    assert_eq!(fields, ["001", "999"]);
}

#[tokio::test]
async fn what_is_below_a_match_belongs_to_one_job() {
    let library = library().await;
    let client = library.client().await;
    let (create, _) = an_action(&client, "creates", "CREATE", "INSTANCE").await;
    let (item, _) = an_action(&client, "item", "CREATE", "ITEM").await;
    let a_match = stored(&client, MATCHES, matching("finds"), json!([])).await;
    let relations = |action: &str| {
        json!([
            below(("JOB", None), ("MATCH", Some(&a_match)), 0, None),
            below(
                ("MATCH", Some(&a_match)),
                ("ACTION", Some(action)),
                0,
                Some("NON_MATCH")
            ),
        ])
    };
    let first = stored(&client, JOBS, job("first"), relations(&create)).await;
    let second = stored(&client, JOBS, job("second"), relations(&item)).await;
    let of = async |job: &str| outline(&tree(&client, job).await)[2].clone();
    assert_eq!(of(&first).await, "2 NON_MATCH creates");
    assert_eq!(of(&second).await, "2 NON_MATCH item");
    // One goes with all below its match; the other stays.
    let _ = client.delete(&format!("{JOBS}/{first}")).await.expect(204);
    assert_eq!(of(&second).await, "2 NON_MATCH item");
    let path = format!("{ASSOCIATIONS}?master=MATCH_PROFILE&detail=ACTION_PROFILE");
    let listed = client.get(&path).await.expect(200).json();
    let listed = listed["profileAssociations"]
        .as_array()
        .expect("a list")
        .clone();
    assert!(!listed.iter().any(|one| one["jobProfileId"] == json!(first)));
}

#[tokio::test]
async fn other_profiles_have_trees_too() {
    let library = library().await;
    let client = library.client().await;
    let (action, mapping) = an_action(&client, "creates", "CREATE", "INSTANCE").await;
    let path = |id: &str, kind: &str| {
        format!("/data-import-profiles/profileSnapshots/{id}?profileType={kind}")
    };
    let shown = client
        .get(&path(&action, "ACTION_PROFILE"))
        .await
        .expect(200)
        .json();
    assert_eq!(outline(&shown), ["0 - creates", "1 - creates"]);
    let shown = client
        .get(&path(&mapping, "MAPPING_PROFILE"))
        .await
        .expect(200)
        .json();
    assert_eq!(outline(&shown), ["0 - creates"]);
    let wrong = client.get(&path(&action, "SHELF")).await.expect(400);
    assert_eq!(
        wrong.text,
        "The specified type: SHELF is wrong. It should be [ACTION_PROFILE, MAPPING_PROFILE, \
         MATCH_PROFILE, JOB_PROFILE]"
    );
    let _ = client
        .get(&path(&nowhere(), "JOB_PROFILE"))
        .await
        .expect(404);
}

#[tokio::test]
async fn cycles_are_refused() {
    let library = library().await;
    let client = library.client().await;
    let (action, _) = an_action(&client, "creates", "CREATE", "INSTANCE").await;
    let (other, _) = an_action(&client, "other", "CREATE", "ITEM").await;
    let post = async |body: &Value| {
        let path = format!("{ASSOCIATIONS}?master=ACTION_PROFILE&detail=ACTION_PROFILE");
        client.post(&path, body).await
    };
    let relation = |master: &str, detail: &str| {
        below(("ACTION", Some(master)), ("ACTION", Some(detail)), 0, None)
    };
    let answer = post(&relation(&action, &action)).await.expect(422).json();
    assert_eq!(messages(&answer), ["A profile cannot stand below itself"]);
    let _ = post(&relation(&action, &other)).await.expect(201);
    let answer = post(&relation(&other, &action)).await.expect(422).json();
    assert_eq!(messages(&answer), ["A profile cannot stand below itself"]);
    // Nodes of matches cannot be led back either.
    let a_match = stored(&client, MATCHES, matching("finds"), json!([])).await;
    let relations = json!([
        below(("JOB", None), ("MATCH", Some(&a_match)), 0, None),
        below(
            ("MATCH", Some(&a_match)),
            ("MATCH", Some(&a_match)),
            0,
            Some("NON_MATCH")
        ),
        below(
            ("MATCH", Some(&a_match)),
            ("ACTION", Some(&action)),
            0,
            Some("NON_MATCH")
        ),
    ]);
    let id = stored(&client, JOBS, job("twice"), relations).await;
    let shown = tree(&client, &id).await;
    let outer = &shown["childSnapshotWrappers"][0];
    let inner = &outer["childSnapshotWrappers"][0];
    let mut back = below(
        ("MATCH", Some(&a_match)),
        ("MATCH", Some(&a_match)),
        1,
        Some("MATCH"),
    );
    back["masterWrapperId"] = inner["profileWrapperId"].clone();
    back["detailWrapperId"] = outer["profileWrapperId"].clone();
    let path = format!("{JOBS}/{id}");
    let profile = client.get(&path).await.expect(200).json();
    let sent = json!({"profile": profile, "addedRelations": [back]});
    let answer = client.put(&path, &sent).await.expect(422).json();
    assert_eq!(messages(&answer), ["A profile cannot stand below itself"]);
    assert_eq!(outline(&tree(&client, &id).await), outline(&shown));
}

#[tokio::test]
async fn huge_trees_are_refused() {
    let library = library().await;
    let client = library.client().await;
    let (action, _) = an_action(&client, "creates", "CREATE", "INSTANCE").await;
    let post = async |added: Vec<Value>| {
        let sent = json!({"profile": job("huge"), "addedRelations": added});
        client.post(JOBS, &sent).await
    };
    let wide = |count: i32| -> Vec<Value> {
        let one = |order| below(("JOB", None), ("ACTION", Some(&action)), order, None);
        (0..count).map(one).collect()
    };
    // Each action has its mapping below it: 1 + 2 × 600.
    let answer = post(wide(600)).await.expect(422).json();
    assert_eq!(
        messages(&answer),
        ["A tree of profiles may have 1000 profiles at most"]
    );
    let answer = post(wide(1_001)).await.expect(422).json();
    assert_eq!(
        messages(&answer),
        ["At most 1000 associations can be changed at a time"]
    );
    let a_match = stored(&client, MATCHES, matching("finds"), json!([])).await;
    let mut deep = vec![below(("JOB", None), ("MATCH", Some(&a_match)), 0, None)];
    for _ in 0..40 {
        let one = below(
            ("MATCH", Some(&a_match)),
            ("MATCH", Some(&a_match)),
            0,
            Some("MATCH"),
        );
        deep.push(one);
    }
    deep.push(below(
        ("MATCH", Some(&a_match)),
        ("ACTION", Some(&action)),
        0,
        Some("MATCH"),
    ));
    let answer = post(deep).await.expect(422).json();
    assert_eq!(
        messages(&answer),
        ["A tree of profiles may have 32 levels at most"]
    );
    let found = client.query(JOBS, "name==huge").await.expect(200).json();
    assert_eq!(found["totalRecords"], 0);
    let fits = a_job(&client, "fits", &action).await;
    assert_eq!(outline(&tree(&client, &fits).await).len(), 3);
}

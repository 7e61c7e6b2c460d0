//! `/data-import-profiles/profileAssociations`

use serde_json::{Value, json};

use super::{
    ASSOCIATIONS, JOBS, MATCHES, a_job, an_action, below, job, matching, messages, nowhere,
    outline, stored, text, tree,
};
use octavo_server_testkit::library;

#[tokio::test]
async fn associations_are_made_changed_and_taken_away() {
    let library = library().await;
    let client = library.client().await;
    let (action, _) = an_action(&client, "creates", "CREATE", "INSTANCE").await;
    let (other, _) = an_action(&client, "other", "CREATE", "ITEM").await;
    let id = a_job(&client, "imports", &action).await;
    let kinds = "master=JOB_PROFILE&detail=ACTION_PROFILE";
    let body = json!({"masterProfileId": id, "detailProfileId": other, "order": 5});
    let path = format!("{ASSOCIATIONS}?{kinds}");
    let made = client.post(&path, &body).await.expect(201).json();
    assert_eq!(made["masterProfileType"], "JOB_PROFILE");
    let one = format!("{ASSOCIATIONS}/{}?{kinds}", text(&made, "id"));
    assert_eq!(client.get(&one).await.expect(200).json(), made);
    let now = outline(&tree(&client, &id).await);
    assert_eq!(
        now,
        [
            "0 - imports",
            "1 - creates",
            "2 - creates",
            "1 - other",
            "2 - other"
        ]
    );
    let again = client.post(&path, &body).await.expect(422).json();
    assert_eq!(
        messages(&again),
        [format!(
            "Profile '{other}' is already associated with profile '{id}' at this place"
        )]
    );
    let mut first = made.clone();
    first["order"] = json!(-1);
    let changed = client.put(&one, &first).await.expect(200).json();
    assert_eq!(changed["order"], -1);
    assert_eq!(changed["detailWrapperId"], made["detailWrapperId"]);
    assert_eq!(outline(&tree(&client, &id).await)[1], "1 - other");
    let listed = client.get(&path).await.expect(200).json();
    let listed = listed["profileAssociations"].as_array().expect("a list");
    assert!(listed.contains(&changed));
    let _ = client.delete(&one).await.expect(204);
    for answer in [client.get(&one).await, client.delete(&one).await] {
        let message = format!(
            "Profile association with id '{}' was not found",
            text(&made, "id")
        );
        assert_eq!((answer.status, answer.text), (404, message));
    }
    assert_eq!(client.put(&one, &first).await.status, 404);
    assert_eq!(outline(&tree(&client, &id).await).len(), 3);
}

#[tokio::test]
async fn what_does_not_fit_is_refused() {
    let library = library().await;
    let client = library.client().await;
    let (action, mapping) = an_action(&client, "creates", "CREATE", "INSTANCE").await;
    let id = a_job(&client, "imports", &action).await;
    let post = async |master: &str, detail: &str, body: Value| {
        let path = format!("{ASSOCIATIONS}?master={master}&detail={detail}");
        client.post(&path, &body).await
    };
    let both = |master: &str, detail: &str| json!({"masterProfileId": master, "detailProfileId": detail, "order": 0});
    let answer = post("JOB_PROFILE", "MAPPING_PROFILE", both(&id, &mapping)).await;
    assert_eq!(
        messages(&answer.expect(422).json()),
        ["MAPPING_PROFILE cannot stand below JOB_PROFILE"]
    );
    let gone = nowhere();
    let answer = post("JOB_PROFILE", "ACTION_PROFILE", both(&id, &gone)).await;
    assert_eq!(
        messages(&answer.expect(422).json()),
        [format!("Action Profile with id '{gone}' was not found")]
    );
    // A profile of another kind is none of this one.
    let answer = post("JOB_PROFILE", "ACTION_PROFILE", both(&id, &mapping)).await;
    assert_eq!(answer.status, 422);
    let mut strange = both(&id, &action);
    strange["order"] = json!(1);
    strange["detailWrapperId"] = json!(gone);
    assert_eq!(
        post("JOB_PROFILE", "ACTION_PROFILE", strange).await.status,
        422
    );
    for body in [
        json!({}),
        json!({"masterProfileId": id, "order": 0}),
        json!([]),
    ] {
        assert_eq!(
            post("JOB_PROFILE", "ACTION_PROFILE", body.clone())
                .await
                .status,
            422,
            "{body}"
        );
    }
    for path in [
        ASSOCIATIONS.to_owned(),
        format!("{ASSOCIATIONS}?master=JOB_PROFILE"),
        format!("{ASSOCIATIONS}?master=JOB&detail=ACTION_PROFILE"),
    ] {
        assert_eq!(client.get(&path).await.status, 400, "{path}");
    }
}

#[tokio::test]
async fn associations_are_listed_both_ways() {
    let library = library().await;
    let client = library.client().await;
    let (action, mapping) = an_action(&client, "creates", "CREATE", "INSTANCE").await;
    let a_match = stored(&client, MATCHES, matching("finds"), json!([])).await;
    let relations = json!([
        below(("JOB", None), ("MATCH", Some(&a_match)), 0, None),
        below(
            ("MATCH", Some(&a_match)),
            ("ACTION", Some(&action)),
            0,
            Some("NON_MATCH")
        ),
        below(("JOB", None), ("ACTION", Some(&action)), 1, None),
    ]);
    let id = stored(&client, JOBS, job("imports"), relations).await;
    let names = async |path: &str| -> Vec<String> {
        let answer = client
            .get(&path.replace(' ', "%20"))
            .await
            .expect(200)
            .json();
        let children = answer["childSnapshotWrappers"]
            .as_array()
            .expect("children");
        let name = |one: &Value| text(&one["content"], "name").to_owned();
        children.iter().map(name).collect()
    };
    let details = format!("{ASSOCIATIONS}/{id}/details?masterType=JOB_PROFILE");
    assert_eq!(names(&details).await, ["finds", "creates", "creates"]);
    let matches = format!("{details}&detailType=MATCH_PROFILE");
    assert_eq!(names(&matches).await, ["finds"]);
    assert_eq!(
        names(&format!("{details}&query=name==finds")).await,
        ["finds"]
    );
    assert_eq!(
        names(&format!(
            "{details}&query=cql.allRecords=1 sortby name&limit=1"
        ))
        .await
        .len(),
        1
    );
    assert_eq!(
        names(&format!("{details}&offset=1&limit=1")).await,
        ["creates"]
    );
    let masters = format!("{ASSOCIATIONS}/{mapping}/masters?detailType=MAPPING_PROFILE");
    assert_eq!(names(&masters).await, ["creates"]);
    let masters = format!("{ASSOCIATIONS}/{action}/masters?detailType=ACTION_PROFILE");
    assert_eq!(names(&masters).await, ["imports", "imports", "finds"]);
    let gone = nowhere();
    let missing = format!("{ASSOCIATIONS}/{gone}/details?masterType=JOB_PROFILE");
    let missing = client.get(&missing).await.expect(404);
    assert_eq!(
        missing.text,
        format!("Master profile with id '{gone}' was not found")
    );
    let missing = format!("{ASSOCIATIONS}/{gone}/masters?detailType=JOB_PROFILE");
    let missing = client.get(&missing).await.expect(404);
    assert_eq!(
        missing.text,
        format!("Detail profile with id '{gone}' was not found")
    );
    assert_eq!(
        client
            .get(&format!("{ASSOCIATIONS}/{id}/details"))
            .await
            .status,
        400
    );
    assert_eq!(
        client.get(&format!("{details}&query=name==")).await.status,
        422
    );
}

//! The four kinds of profile: stored, listed, changed, deleted.

use serde_json::{Value, json};

use super::{
    ACTIONS, JOBS, MAPPINGS, MATCHES, a_job, action, an_action, below, job, mapping, matching,
    messages, nowhere, stored, text,
};
use octavo_server_testkit::library;

#[tokio::test]
async fn every_kind_is_stored_changed_and_deleted() {
    let library = library().await;
    let client = library.client().await;
    let (an_action, _) = an_action(&client, "for the job", "CREATE", "INSTANCE").await;
    let of_job = json!([below(("JOB", None), ("ACTION", Some(&an_action)), 0, None)]);
    for (path, profile, added, title, list) in [
        (JOBS, job("A"), of_job, "Job Profile", "jobProfiles"),
        (
            MATCHES,
            matching("A"),
            json!([]),
            "Match Profile",
            "matchProfiles",
        ),
        (
            ACTIONS,
            action("A", "CREATE", "ITEM"),
            json!([]),
            "Action Profile",
            "actionProfiles",
        ),
        (
            MAPPINGS,
            mapping("A", "ITEM"),
            json!([]),
            "Mapping Profile",
            "mappingProfiles",
        ),
    ] {
        let sent = json!({"profile": profile, "addedRelations": added, "deletedRelations": []});
        let answer = client.post(path, &sent).await.expect(201).json();
        let id = text(&answer, "id").to_owned();
        let stored = &answer["profile"];
        assert_eq!(
            (text(stored, "id"), text(stored, "name")),
            (id.as_str(), "A")
        );
        assert_eq!(stored["userInfo"]["userName"], "diku_admin");
        assert_eq!(stored["hidden"], false);
        assert!(stored["metadata"]["createdByUserId"].is_string());
        let one = format!("{path}/{id}");
        assert_eq!(client.get(&one).await.expect(200).json(), *stored);

        let mut changed = stored.clone();
        changed["description"] = json!("changed");
        let sent = json!({"id": id, "profile": changed});
        let answer = client.put(&one, &sent).await.expect(200).json();
        assert_eq!(answer["description"], "changed");
        assert_eq!(
            answer["metadata"]["createdDate"],
            stored["metadata"]["createdDate"]
        );
        let found = client
            .query(path, "name==\"a\" and description=changed")
            .await;
        let found = found.expect(200).json();
        assert_eq!(found["totalRecords"], 1, "{found}");
        assert_eq!(found[list][0], answer);

        let _ = client.delete(&one).await.expect(204);
        for missing in [client.get(&one).await, client.delete(&one).await] {
            assert_eq!(missing.status, 404);
        }
        let missing = client.get(&one).await.expect(404);
        assert_eq!(
            missing.text,
            format!("{title} with id '{id}' was not found")
        );
    }
}

#[tokio::test]
async fn what_is_not_there_is_not_changed() {
    let library = library().await;
    let client = library.client().await;
    let (an_action, _) = an_action(&client, "a", "CREATE", "INSTANCE").await;
    let of_job = json!([below(("JOB", None), ("ACTION", Some(&an_action)), 0, None)]);
    let id = nowhere();
    for (path, profile, added, message) in [
        (JOBS, job("A"), of_job, "updateProfile:: JobProfile"),
        (
            MATCHES,
            matching("A"),
            json!([]),
            "updateProfile:: MatchProfile",
        ),
        (
            ACTIONS,
            action("A", "CREATE", "ITEM"),
            json!([]),
            "Action profile",
        ),
        (MAPPINGS, mapping("A", "ITEM"), json!([]), "Mapping profile"),
    ] {
        let sent = json!({"profile": profile, "addedRelations": added});
        let answer = client.put(&format!("{path}/{id}"), &sent).await.expect(404);
        assert_eq!(
            answer.text,
            format!("{message} with id '{id}' was not found")
        );
    }
}

#[tokio::test]
async fn names_are_one_whatever_their_case_and_blanks() {
    let library = library().await;
    let client = library.client().await;
    let first = stored(&client, MATCHES, matching("By ISBN"), json!([])).await;
    for name in ["By ISBN", " by isbn ", "BY ISBN"] {
        let sent = json!({"profile": matching(name)});
        let answer = client.post(MATCHES, &sent).await.expect(422).json();
        assert_eq!(
            messages(&answer),
            [format!("Match profile '{name}' already exists")]
        );
    }
    // Accents count, and so does the kind.
    stored(&client, MATCHES, matching("By ÍSBN"), json!([])).await;
    stored(&client, MAPPINGS, mapping("By ISBN", "ITEM"), json!([])).await;
    // Its own name a profile keeps.
    let sent = json!({"profile": matching("By isbn")});
    let _ = client
        .put(&format!("{MATCHES}/{first}"), &sent)
        .await
        .expect(200);
    let mut twice = matching("Another");
    twice["id"] = json!(first);
    let answer = client.post(MATCHES, &json!({"profile": twice})).await;
    let answer = answer.expect(422).json();
    assert_eq!(
        messages(&answer),
        ["Match profile with id 'Another' already exists"]
    );
    let long = "n".repeat(20_000);
    let answer = client
        .post(MATCHES, &json!({"profile": matching(&long)}))
        .await;
    assert!(
        [201, 400, 413, 422].contains(&answer.status),
        "{}",
        answer.text
    );
}

#[tokio::test]
async fn hidden_profiles_are_listed_when_they_are_asked_for() {
    let library = library().await;
    let client = library.client().await;
    let mut hidden = matching("hidden");
    hidden["hidden"] = json!(true);
    stored(&client, MATCHES, hidden, json!([])).await;
    stored(&client, MATCHES, matching("shown"), json!([])).await;
    let total = async |more: &str| {
        let path = format!("{MATCHES}?query=name==(hidden or shown) sortby name{more}");
        client
            .get(&path.replace(' ', "%20"))
            .await
            .expect(200)
            .json()
    };
    let listed = total("").await;
    assert_eq!(listed["totalRecords"], 1);
    assert_eq!(listed["matchProfiles"][0]["name"], "shown");
    let listed = total("&showHidden=true").await;
    assert_eq!(listed["totalRecords"], 2);
    assert_eq!(listed["matchProfiles"][0]["name"], "hidden");
    let wrong = client.get(&format!("{MATCHES}?showHidden=perhaps")).await;
    assert_eq!(wrong.status, 400);
    assert_eq!(client.query(MATCHES, "name==").await.status, 422);
}

#[tokio::test]
async fn relations_are_shown_when_they_are_asked_for() {
    let library = library().await;
    let client = library.client().await;
    let (action, mapping) = an_action(&client, "makes", "CREATE", "INSTANCE").await;
    let a_match = stored(&client, MATCHES, matching("finds"), json!([])).await;
    let relations = json!([
        below(("JOB", None), ("MATCH", Some(&a_match)), 0, None),
        below(
            ("MATCH", Some(&a_match)),
            ("ACTION", Some(&action)),
            0,
            Some("NON_MATCH")
        ),
    ]);
    let job = stored(&client, JOBS, job("imports"), relations).await;
    let names = |profile: &Value, list: &str| -> Vec<String> {
        let list = profile[list].as_array().expect("a list");
        let mut names: Vec<_> = list
            .iter()
            .map(|one| {
                format!(
                    "{} {}",
                    text(one, "contentType"),
                    text(&one["content"], "name")
                )
            })
            .collect();
        names.sort();
        names
    };
    let read = async |path: &str, id: &str| {
        let path = format!("{path}/{id}?withRelations=true");
        client.get(&path).await.expect(200).json()
    };
    let plain = client
        .get(&format!("{JOBS}/{job}"))
        .await
        .expect(200)
        .json();
    assert_eq!(plain["childProfiles"], json!([]));
    // A job has the actions below its matches, too.
    let shown = read(JOBS, &job).await;
    assert_eq!(
        names(&shown, "childProfiles"),
        ["ACTION_PROFILE makes", "MATCH_PROFILE finds"]
    );
    let shown = read(ACTIONS, &action).await;
    assert_eq!(names(&shown, "childProfiles"), ["MAPPING_PROFILE makes"]);
    assert_eq!(
        names(&shown, "parentProfiles"),
        ["JOB_PROFILE imports", "MATCH_PROFILE finds"]
    );
    assert_eq!(shown["childProfiles"][0]["id"], mapping);
    assert!(shown["childProfiles"][0]["profileWrapperId"].is_string());
    let listed = client
        .get(&format!("{MATCHES}?withRelations=true&query=name==finds"))
        .await
        .expect(200)
        .json();
    let listed = &listed["matchProfiles"][0];
    assert_eq!(names(listed, "parentProfiles"), ["JOB_PROFILE imports"]);
    assert_eq!(names(listed, "childProfiles"), ["ACTION_PROFILE makes"]);
    // What is shown can be sent back without it, but not with it.
    let answer = client
        .put(
            &format!("{JOBS}/{job}"),
            &json!({"profile": read(JOBS, &job).await}),
        )
        .await
        .expect(422)
        .json();
    assert_eq!(
        messages(&answer),
        ["Job profile read-only 'child' field should be empty"]
    );
}

#[tokio::test]
async fn a_profile_in_use_is_not_deleted() {
    let library = library().await;
    let client = library.client().await;
    let (action, mapping) = an_action(&client, "makes", "CREATE", "INSTANCE").await;
    let job = a_job(&client, "imports", &action).await;
    for (path, id) in [(ACTIONS, &action), (MAPPINGS, &mapping)] {
        let answer = client.delete(&format!("{path}/{id}")).await.expect(409);
        let message = format!(
            "Can not delete profile by id '{id}' cause profile associated with other profiles"
        );
        assert_eq!(answer.text, message);
    }
    // From the top down they can be.
    for (path, id) in [(JOBS, &job), (ACTIONS, &action), (MAPPINGS, &mapping)] {
        let _ = client.delete(&format!("{path}/{id}")).await.expect(204);
    }
    let left = library
        .platform
        .store
        .database
        .query(
            "SELECT 1 FROM tenant_diku.profile_wrappers WHERE profile_id = ANY($1::text[]::uuid[])",
            &[&vec![job, action, mapping]],
        )
        .await
        .expect("the nodes can be asked");
    assert!(left.is_empty());
}

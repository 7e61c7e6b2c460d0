//! Several clients at the same time.

use serde_json::json;
use tokio::task::JoinSet;

use super::{
    ACTIONS, ASSOCIATIONS, JOBS, MATCHES, a_job, an_action, below, job, matching, outline, stored,
    tree,
};
use octavo_server_testkit::library;

#[tokio::test]
async fn a_name_is_given_once() {
    let library = library().await;
    let client = library.client().await;
    let mut clients = JoinSet::new();
    for at in 0..8 {
        let client = client.clone();
        let name = if at % 2 == 0 { "By ISBN" } else { "by isbn " };
        clients.spawn(async move {
            let sent = json!({"profile": matching(name)});
            client.post(MATCHES, &sent).await.status
        });
    }
    let mut answers = clients.join_all().await;
    answers.sort_unstable();
    assert_eq!(answers, [201, 422, 422, 422, 422, 422, 422, 422]);
}

#[tokio::test]
async fn an_association_is_made_once() {
    let library = library().await;
    let client = library.client().await;
    let (action, _) = an_action(&client, "creates", "CREATE", "INSTANCE").await;
    let (other, _) = an_action(&client, "other", "CREATE", "ITEM").await;
    let id = a_job(&client, "imports", &action).await;
    let profile = client.get(&format!("{JOBS}/{id}")).await.expect(200).json();
    let mut clients = JoinSet::new();
    for at in 0..8 {
        let (client, id, other) = (client.clone(), id.clone(), other.clone());
        let profile = profile.clone();
        clients.spawn(async move {
            if at % 2 == 0 {
                let path = format!("{ASSOCIATIONS}?master=JOB_PROFILE&detail=ACTION_PROFILE");
                let body = json!({"masterProfileId": id, "detailProfileId": other, "order": 1});
                return client.post(&path, &body).await.status / 100;
            }
            let relation = below(("JOB", None), ("ACTION", Some(&other)), 1, None);
            let sent = json!({"profile": profile, "addedRelations": [relation]});
            client.put(&format!("{JOBS}/{id}"), &sent).await.status / 100
        });
    }
    let answers = clients.join_all().await;
    assert_eq!(
        answers.iter().filter(|status| **status == 2).count(),
        1,
        "{answers:?}"
    );
    assert_eq!(
        answers.iter().filter(|status| **status == 4).count(),
        7,
        "{answers:?}"
    );
    assert_eq!(outline(&tree(&client, &id).await).len(), 5);
}

#[tokio::test]
async fn a_profile_is_not_deleted_while_it_is_associated() {
    let library = library().await;
    let client = library.client().await;
    for round in 0..6 {
        let name = format!("round {round}");
        let (action, _) = an_action(&client, &name, "CREATE", "INSTANCE").await;
        let relation = below(("JOB", None), ("ACTION", Some(&action)), 0, None);
        let sent = json!({"profile": job(&name), "addedRelations": [relation]});
        let path = format!("{ACTIONS}/{action}");
        let (made, deleted) = tokio::join!(client.post(JOBS, &sent), client.delete(&path));
        match (made.status, deleted.status) {
            // The first succeeds, the other is refused.
            (201, 409) | (404, 204) => {}
            other => panic!("{other:?}: {} {}", made.text, deleted.text),
        }
    }
    let strays = library
        .platform
        .store
        .database
        .query(
            "SELECT 1 FROM tenant_diku.profile_associations AS edge WHERE NOT EXISTS (SELECT 1 \
             FROM tenant_diku.action_profiles WHERE id = edge.detail_profile_id) \
             AND edge.detail_profile_type = 'ACTION_PROFILE'",
            &[],
        )
        .await
        .expect("associations can be asked");
    assert!(strays.is_empty());
}

#[tokio::test]
async fn two_who_close_a_circle_do_not_both_succeed() {
    let library = library().await;
    let client = library.client().await;
    let (one, _) = an_action(&client, "one", "CREATE", "INSTANCE").await;
    let (two, _) = an_action(&client, "two", "CREATE", "ITEM").await;
    let path = format!("{ASSOCIATIONS}?master=ACTION_PROFILE&detail=ACTION_PROFILE");
    let relation = |master: &str, detail: &str| {
        below(("ACTION", Some(master)), ("ACTION", Some(detail)), 0, None)
    };
    let (there, back) = (relation(&one, &two), relation(&two, &one));
    let (there, back) = tokio::join!(client.post(&path, &there), client.post(&path, &back));
    let mut answers = [there.status, back.status];
    answers.sort_unstable();
    assert_eq!(answers, [201, 422]);
    let _ = stored(&client, MATCHES, matching("still works"), json!([])).await;
}

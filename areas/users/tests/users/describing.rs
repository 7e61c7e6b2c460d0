//! Groups, address types, departments and proxies: counted, not deleted while in use, nor when a
//! concurrent request begins to use them.

use serde_json::json;

use super::{HOME, USERS, WORK, first_error, get, id_of, path_of, post, unknown, user};
use octavo_server_testkit::library;

#[tokio::test]
async fn a_group_is_kept_while_it_has_users() {
    let library = library().await;
    let client = library.client().await;
    let body = json!({"group": "Guests", "desc": "Short stays", "expirationOffsetInDays": 30});
    let group = post(&client, "/groups", body).await;
    assert_eq!(group["expirationOffsetInDays"], 30);
    let path = path_of("/groups", &group);
    let taken = client
        .post("/groups", &json!({"group": "guests"}))
        .await
        .expect(422);
    assert!(
        taken
            .text
            .contains("value already exists in table groups: guests"),
        "{}",
        taken.text
    );
    let guest = post(
        &client,
        USERS,
        json!({"username": "guest", "patronGroup": group["id"]}),
    )
    .await;
    let refused = client.delete(&path).await.expect(400);
    let id = id_of(&group);
    assert_eq!(
        refused.text,
        format!("Cannot delete groups.id = {id} because id is still referenced from table users.")
    );
    let _ = client.delete(&path_of(USERS, &guest)).await.expect(204);
    let _ = client.delete(&path).await.expect(204);
    let _ = client.delete(&path).await.expect(404);
}

#[tokio::test]
async fn a_group_goes_or_gets_its_first_user_but_not_both() {
    let library = library().await;
    let client = library.client().await;
    for round in 0..8 {
        let group = post(&client, "/groups", json!({"group": format!("g{round}")})).await;
        let path = path_of("/groups", &group);
        let body = json!({"username": format!("u{round}"), "patronGroup": group["id"]});
        let (deleted, created) = tokio::join!(client.delete(&path), client.post(USERS, &body));
        match (deleted.status, created.status) {
            (204, 400) => assert!(created.text.ends_with("Patron group not found")),
            (400, 201) => assert!(
                deleted
                    .text
                    .contains("is still referenced from table users")
            ),
            other => panic!("{other:?}: {} {}", deleted.text, created.text),
        }
    }
}

#[tokio::test]
async fn an_address_type_is_kept_while_it_has_addresses() {
    let library = library().await;
    let client = library.client().await;
    let personal =
        json!({"lastName": "A", "addresses": [{"addressTypeId": HOME}, {"addressTypeId": WORK}]});
    let stored = post(
        &client,
        USERS,
        json!({"username": "a", "personal": personal}),
    )
    .await;
    let path = format!("/addresstypes/{WORK}");
    let refused = client.delete(&path).await.expect(400);
    assert_eq!(
        refused.text,
        format!("Cannot remove address type '{WORK}' as it is being used")
    );
    let mut changed = stored.clone();
    changed["personal"]["addresses"] = json!([{"addressTypeId": HOME}]);
    let _ = client
        .put(&path_of(USERS, &stored), &changed)
        .await
        .expect(204);
    let _ = client.delete(&path).await.expect(204);
    let _ = client.delete(&path).await.expect(404);
    let _ = client
        .delete(&format!("/addresstypes/{HOME}"))
        .await
        .expect(400);
}

#[tokio::test]
async fn an_address_type_goes_or_gets_its_first_address_but_not_both() {
    let library = library().await;
    let client = library.client().await;
    for round in 0..8 {
        let kind = post(
            &client,
            "/addresstypes",
            json!({"addressType": format!("t{round}")}),
        )
        .await;
        let path = path_of("/addresstypes", &kind);
        let personal = json!({"lastName": "A", "addresses": [{"addressTypeId": kind["id"]}]});
        let body = json!({"username": format!("u{round}"), "personal": personal});
        let (deleted, created) = tokio::join!(client.delete(&path), client.post(USERS, &body));
        let outcome = (deleted.status, created.status);
        assert!(matches!(outcome, (204, 400) | (400, 201)), "{outcome:?}");
    }
}

#[tokio::test]
async fn departments_count_their_users_and_are_kept_while_they_have_some() {
    let library = library().await;
    let client = library.client().await;
    let physics = post(
        &client,
        "/departments",
        json!({"name": "Physics", "code": "P"}),
    )
    .await;
    assert_eq!(physics["usageNumber"], 0);
    let music = post(
        &client,
        "/departments",
        json!({"name": "Music", "code": "M"}),
    )
    .await;
    for (given, key) in [
        (json!({"name": "physics", "code": "X"}), "name"),
        (json!({"name": "X", "code": "p"}), "code"),
        (json!({"id": physics["id"], "name": "X", "code": "X"}), "id"),
    ] {
        let refused = client.post("/departments", &given).await.expect(422).json();
        let message = format!("Department with this {key} already exists");
        assert_eq!(first_error(&refused)[..2], [message.as_str(), key]);
    }
    let mut same = music.clone();
    same["name"] = json!("PHYSICS");
    let refused = client
        .put(&path_of("/departments", &music), &same)
        .await
        .expect(422)
        .json();
    assert_eq!(
        first_error(&refused)[0],
        "Department with this name already exists"
    );

    let (a, b) = (user(&client, "a").await, user(&client, "b").await);
    for (one, departments) in [
        (&a, json!([physics["id"], music["id"]])),
        (&b, json!([physics["id"]])),
    ] {
        let mut one = one.clone();
        one["departments"] = departments;
        let _ = client.put(&path_of(USERS, &one), &one).await.expect(204);
    }
    let page = client
        .query("/departments", "cql.allRecords=1 sortby name")
        .await
        .expect(200)
        .json();
    let counts: Vec<_> = page["departments"]
        .as_array()
        .expect("departments")
        .iter()
        .map(|one| one["usageNumber"].as_i64())
        .collect();
    assert_eq!(counts, [Some(1), Some(2)]);
    let of = client
        .query(USERS, &format!("departments=\"{}\"", id_of(&music)))
        .await
        .expect(200)
        .json();
    assert_eq!(of["users"][0]["username"], "a");

    let id = id_of(&physics);
    let refused = client
        .delete(&path_of("/departments", &physics))
        .await
        .expect(400);
    assert_eq!(
        refused.text,
        format!(
            "Cannot delete departments.id = {id} because id is still referenced from table users."
        )
    );
    let _ = client.delete(&path_of(USERS, &b)).await.expect(204);
    let mut left = a.clone();
    left["departments"] = json!([music["id"]]);
    let _ = client.put(&path_of(USERS, &a), &left).await.expect(204);
    assert_eq!(
        get(&client, &path_of("/departments", &physics)).await["usageNumber"],
        0
    );
    let _ = client
        .delete(&path_of("/departments", &physics))
        .await
        .expect(204);
    let _ = client
        .delete(&path_of("/departments", &physics))
        .await
        .expect(404);
}

#[tokio::test]
async fn a_department_goes_or_gets_its_first_user_but_not_both() {
    let library = library().await;
    let client = library.client().await;
    for round in 0..8 {
        let body = json!({"name": format!("n{round}"), "code": format!("c{round}")});
        let department = post(&client, "/departments", body).await;
        let path = path_of("/departments", &department);
        let body = json!({"username": format!("u{round}"), "departments": [department["id"]]});
        let (deleted, created) = tokio::join!(client.delete(&path), client.post(USERS, &body));
        let outcome = (deleted.status, created.status);
        assert!(matches!(outcome, (204, 422) | (400, 201)), "{outcome:?}");
    }
}

#[tokio::test]
async fn a_pair_of_sponsor_and_proxy_is_there_once_and_of_two() {
    let library = library().await;
    let client = library.client().await;
    let (sponsor, proxy) = (unknown(), unknown());
    let pair = json!({
        "userId": sponsor, "proxyUserId": proxy, "requestForSponsor": "Yes",
        "notificationsTo": "Sponsor", "accrueTo": "Sponsor", "status": "Active",
        "expirationDate": "2030-01-01",
    });
    let stored = post(&client, "/proxiesfor", pair.clone()).await;
    assert_eq!(stored["expirationDate"], "2030-01-01T00:00:00.000+00:00");
    let mut again = pair.clone();
    again["id"] = json!(unknown());
    let refused = client.post("/proxiesfor", &again).await.expect(422).json();
    let id = again["id"].as_str().expect("an id");
    assert_eq!(
        first_error(&refused),
        ["Proxy relationship already exists", "proxyFor", id]
    );
    let oneself = json!({"userId": sponsor, "proxyUserId": sponsor});
    let refused = client
        .post("/proxiesfor", &oneself)
        .await
        .expect(422)
        .json();
    assert_eq!(
        first_error(&refused)[1..],
        ["proxyUserId", sponsor.as_str()]
    );
    let path = path_of("/proxiesfor", &stored);
    assert_eq!(client.put(&path, &oneself).await.status, 400);
    let mut changed = stored.clone();
    changed["status"] = json!("Inactive");
    let _ = client.put(&path, &changed).await.expect(204);
    let found = client
        .query("/proxiesfor", &format!("proxyUserId=={proxy}"))
        .await
        .expect(200)
        .json();
    assert_eq!(found["proxiesFor"][0]["status"], "Inactive");
    // The other way round is another pair.
    let _ = post(
        &client,
        "/proxiesfor",
        json!({"userId": proxy, "proxyUserId": sponsor}),
    )
    .await;

    let tasks = (0..6).map(|_| {
        let (client, body) = (client.clone(), json!({"userId": HOME, "proxyUserId": WORK}));
        tokio::spawn(async move { client.post("/proxiesfor", &body).await.status })
    });
    let mut statuses = Vec::new();
    for task in tasks.collect::<Vec<_>>() {
        statuses.push(task.await.expect("the request is sent"));
    }
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 422, 422, 422, 422, 422]);
}

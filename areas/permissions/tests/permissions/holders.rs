//! `/perms/users`, as clients of FOLIO use it.

use serde_json::json;
use uuid::Uuid;

use super::{USERS, error_of, held, holder, set, staff, user};
use octavo_server_testkit::library;

#[tokio::test]
async fn a_permission_user_is_made_read_replaced_and_deleted() {
    let library = library().await;
    let admin = library.client().await;
    let id = user(&admin, "ada").await;
    let capitals = id.to_string().to_uppercase();
    let body = json!({"userId": capitals, "permissions": ["users.item.get", "notes.all", "users.item.get"]});
    let made = admin.post(USERS, &body).await.expect(201).json();
    assert_eq!(made["permissions"], json!(["users.item.get", "notes.all"]));
    assert_eq!(made["userId"], json!(id));
    assert!(made["metadata"]["createdDate"].is_string());
    let of_own = format!("{USERS}/{}", made["id"].as_str().expect("an id"));
    for path in [
        of_own.clone(),
        format!("{of_own}?indexField=id"),
        format!("{USERS}/{id}?indexField=userId"),
        format!("{USERS}/{capitals}?indexField=userId"),
    ] {
        assert_eq!(admin.get(&path).await.expect(200).json(), made, "{path}");
    }
    let found = admin.query(USERS, &format!("userId=={id}")).await;
    let found = found.expect(200).json();
    assert_eq!(found["totalRecords"], 1);
    assert_eq!(found["permissionUsers"][0], made);

    // The id in the path counts, and what a client says of the metadata does not.
    let body =
        json!({"userId": id, "permissions": ["notes.all"], "metadata": {"createdDate": "x"}});
    let replaced = admin.put(&of_own, &body).await.expect(200).json();
    assert_eq!(
        replaced,
        json!({"id": made["id"], "userId": id, "permissions": ["notes.all"]})
    );
    let now = admin.get(&of_own).await.expect(200).json();
    assert_eq!(
        now["metadata"]["createdDate"],
        made["metadata"]["createdDate"]
    );
    let _ = admin.delete(&of_own).await.expect(204);
    let own_id = made["id"].as_str().expect("an id");
    for (answer, text) in [
        (
            admin.get(&of_own).await,
            format!("No user with id {own_id}"),
        ),
        (
            admin.put(&of_own, &body).await,
            format!("No permissions user found with id {own_id}"),
        ),
        (
            admin.delete(&of_own).await,
            format!("No permissions user found with id {own_id}"),
        ),
        (
            admin.get(&format!("{of_own}/permissions")).await,
            format!("No user found by id {own_id}"),
        ),
        (
            admin
                .get(&format!("{USERS}/{id}/permissions?indexField=userId"))
                .await,
            format!("No user found by userId {id}"),
        ),
    ] {
        assert_eq!(answer.expect(404).text, text);
    }
}

#[tokio::test]
async fn permissions_are_given_and_taken_one_by_one() {
    let library = library().await;
    let admin = library.client().await;
    let user_id = user(&admin, "ada").await;
    let id = holder(&admin, user_id, &[]).await;
    let own = format!("{USERS}/{id}/permissions");
    let by_user = format!("{USERS}/{user_id}/permissions");
    let body = json!({"permissionName": "notes.item.get", "displayName": "is kept as it came"});
    assert_eq!(admin.post(&own, &body).await.expect(200).json(), body);
    let again = admin.post(&own, &body).await.expect(422);
    assert_eq!(
        error_of(&again),
        (
            format!("User with id {id} already has permission notes.item.get"),
            "'userId'".to_owned(),
            id.clone()
        )
    );
    let _ = set(&admin, "moo/all", &[]).await;
    let body = json!({"permissionName": "moo/all"});
    let path = format!("{by_user}?indexField=userId");
    let _ = admin.post(&path, &body).await.expect(200);
    assert_eq!(
        held(&admin, &id, "").await,
        json!(["notes.item.get", "moo/all"])
    );
    let path = format!("{by_user}/moo%2Fall?indexField=userId");
    let _ = admin.delete(&path).await.expect(204);
    let answer = admin.delete(&path).await.expect(400);
    assert_eq!(
        answer.text,
        format!("User with userId {user_id} does not contain moo/all")
    );
    assert_eq!(held(&admin, &id, "").await, json!(["notes.item.get"]));

    let nobody = Uuid::new_v4();
    let body = |name: &str| json!({"permissionName": name});
    for (answer, status, text) in [
        (
            admin.post(&own, &body("none.such")).await,
            400,
            "Permission by name 'none.such' does not exist".to_owned(),
        ),
        (
            admin.post(&own, &json!({})).await,
            400,
            "Permission by name 'null' does not exist".to_owned(),
        ),
        (
            admin.post(&own, &body("Notes.item.get")).await,
            400,
            "Permission by name 'Notes.item.get' does not exist".to_owned(),
        ),
        (
            admin
                .post(&format!("{USERS}/{nobody}/permissions"), &body("notes.all"))
                .await,
            400,
            format!("User with id {nobody} does not exist"),
        ),
        (
            admin
                .delete(&format!("{USERS}/{nobody}/permissions/notes.all"))
                .await,
            404,
            format!("User with id {nobody} does not exist"),
        ),
        (
            admin.get(&format!("{own}?indexField=name")).await,
            400,
            "Invalid value 'name' for indexField".to_owned(),
        ),
        (
            admin.get(&format!("{USERS}/12%2334/permissions")).await,
            400,
            "invalid input syntax for type uuid: \"12#34\"".to_owned(),
        ),
    ] {
        assert_eq!(answer.expect(status).text, text);
    }
}

#[tokio::test]
async fn what_does_not_fit_is_refused_in_folios_words() {
    let library = library().await;
    let admin = library.client().await;
    let user_id = user(&admin, "ada").await;
    let answer = admin
        .post(USERS, &json!({"userId": "12", "permissions": []}))
        .await
        .expect(400);
    assert_eq!(answer.text, "Invalid UUID string: 12");
    for (body, status, key) in [
        (json!({"permissions": []}), 422, "userId"),
        (json!({"userId": user_id, "rights": []}), 422, "rights"),
        (
            json!({"userId": user_id, "permissions": "all"}),
            400,
            "permissions",
        ),
        (
            json!({"userId": user_id, "permissions": [7]}),
            422,
            "permissions",
        ),
    ] {
        let answer = admin.post(USERS, &body).await.expect(status);
        assert!(answer.text.contains(key), "{body}: {}", answer.text);
    }
    let id = Uuid::new_v4();
    let body =
        json!({"id": id, "userId": user_id, "permissions": ["none.such", "notes.all", "nor.this"]});
    let message = format!(
        "Unable to update derived fields: Attempting to add non-existent permissions \
         none.such,nor.this to permission user with id {id}"
    );
    let answer = admin.post(USERS, &body).await.expect(422);
    let expected = (message, "id".to_owned(), id.to_string());
    assert_eq!(error_of(&answer), expected);
    let _ = admin
        .post(USERS, &json!({"id": id, "userId": user_id}))
        .await
        .expect(201);
    let answer = admin.put(&format!("{USERS}/{id}"), &body).await.expect(422);
    assert_eq!(error_of(&answer), expected);
    // A user has one list of permissions.
    let answer = admin
        .post(USERS, &json!({"userId": user_id}))
        .await
        .expect(400);
    assert!(
        answer.text.contains(&user_id.to_string()),
        "{}",
        answer.text
    );
    assert_eq!(held(&admin, &id.to_string(), "").await, json!([]));
}

#[tokio::test]
async fn what_a_user_holds_is_shown_by_name_in_full_and_expanded() {
    let library = library().await;
    let admin = library.client().await;
    let user_id = user(&admin, "ada").await;
    let _ = set(&admin, "inner", &["notes.item.get"]).await;
    let outer = set(&admin, "outer", &["inner", "notes.item.put"]).await;
    let id = holder(&admin, user_id, &["outer", "users.item.get"]).await;
    let page = admin.get(&format!("{USERS}/{id}/permissions")).await;
    assert_eq!(
        page.expect(200).json(),
        json!({"permissionNames": ["outer", "users.item.get"], "totalRecords": 2})
    );
    assert_eq!(
        held(&admin, &id, "?expanded=true").await,
        json!([
            "inner",
            "notes.item.get",
            "notes.item.put",
            "outer",
            "users.item.get"
        ])
    );
    let user = format!("{user_id}");
    let full = held(&admin, &user, "?indexField=userId&full=true").await;
    assert_eq!(full[0]["id"], json!(outer));
    assert_eq!(
        full[0]["subPermissions"],
        json!(["inner", "notes.item.put"])
    );
    assert_eq!(full[0]["grantedTo"], json!([id]));
    assert_eq!(full[1]["moduleName"], json!("mod-users"));
    let full = held(&admin, &user, "?indexField=userId&full=true&expanded=true").await;
    assert_eq!(full.as_array().map(Vec::len), Some(5));
    assert_eq!(full[0]["permissionName"], "inner");
    assert_eq!(full[0]["childOf"], json!(["outer"]));
}

#[tokio::test]
async fn the_administrators_set_expands_to_all_that_is_defined() {
    let library = library().await;
    let admin = library.client().await;
    let _ = set(&admin, "desk", &[]).await;
    let found = admin.query("/users", "username==diku_admin").await;
    let user = found.expect(200).json()["users"][0]["id"].clone();
    let user = user.as_str().expect("an id");
    let names = held(&admin, user, "?indexField=userId&expanded=true").await;
    let names = names.as_array().expect("names");
    for name in [
        "octavo.all",
        "desk",
        "users.all",
        "okapi.all",
        "perms.users.get",
    ] {
        assert!(names.contains(&json!(name)), "{name}");
    }
    // Stand-ins for what nobody defined are nobody's.
    assert!(!names.contains(&json!("circulation.requests.queue.reorder.collection.post")));
    assert_eq!(
        held(&admin, user, "?indexField=userId").await,
        json!(["octavo.all"])
    );
}

#[tokio::test]
async fn pages_are_counted_from_one() {
    let library = library().await;
    let admin = library.client().await;
    for at in 0..4 {
        let id = user(&admin, &format!("user{at}")).await;
        let _ = holder(&admin, id, &[]).await;
    }
    let ids = |path: String| {
        let admin = admin.clone();
        async move {
            let page = admin.get(&path).await.expect(200).json();
            assert_eq!(page["totalRecords"], 5, "{path}");
            let users = page["permissionUsers"].as_array().expect("users").clone();
            users.iter().map(super::id_of).collect::<Vec<_>>()
        }
    };
    let by_id = |rest: &str| format!("{USERS}?query=cql.allRecords=1%20sortBy%20id{rest}");
    let all = ids(by_id("")).await;
    assert_eq!(all.len(), 5);
    assert_eq!(ids(by_id("&start=2&length=3")).await, all[1..4]);
    assert_eq!(ids(by_id("&offset=1&limit=3")).await, all[1..4]);
    // The names of old win, unless they are left at what they are without being given.
    assert_eq!(
        ids(by_id("&start=4&length=2&offset=1&limit=1")).await,
        all[3..5]
    );
    assert_eq!(
        ids(by_id("&start=1&length=10&offset=4&limit=1")).await,
        all[4..]
    );
    for (parameter, value) in [
        ("start", "0"),
        ("length", "0"),
        ("length", "-1"),
        ("start", "x"),
    ] {
        let answer = admin.get(&format!("{USERS}?{parameter}={value}")).await;
        let text = answer.expect(400).text;
        assert!(
            text.starts_with(&format!("'{parameter}' parameter is incorrect")),
            "{text}"
        );
    }
}

#[tokio::test]
async fn what_is_given_and_taken_is_in_force_at_the_next_request() {
    let library = library().await;
    let admin = library.client().await;
    let (clerk, id) = staff(&library, &admin, "clerk", &[]).await;
    let _ = clerk.get("/users").await.expect(403);
    let desk = set(&admin, "desk", &["users.collection.get"]).await;
    let path = format!("{USERS}/{id}/permissions");
    let by_user = format!("{path}?indexField=userId");
    let body = json!({"permissionName": "desk"});
    for _ in 0..10 {
        let _ = admin.post(&by_user, &body).await.expect(200);
        let _ = clerk.get("/users").await.expect(200);
        let path = format!("{path}/desk?indexField=userId");
        let _ = admin.delete(&path).await.expect(204);
        let _ = clerk.get("/users").await.expect(403);
    }
    // Through the set, too.
    let _ = admin.post(&by_user, &body).await.expect(200);
    let own = format!("/perms/permissions/{desk}");
    for parts in [json!([]), json!(["users.collection.get"])] {
        let body = json!({"id": desk, "permissionName": "desk", "subPermissions": parts});
        let _ = admin.put(&own, &body).await.expect(200);
        let expected = if parts == json!([]) { 403 } else { 200 };
        let _ = clerk.get("/users").await.expect(expected);
    }
    let _ = admin.delete(&own).await.expect(204);
    let _ = clerk.get("/users").await.expect(403);
}

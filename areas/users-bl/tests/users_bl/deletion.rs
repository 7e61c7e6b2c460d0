//! Open transactions of a user, and the deletion of users who have none.

use serde_json::{Value, json};
use uuid::Uuid;

use super::{log_in, password, permit, user};
use octavo_server_testkit::library;

const FUTURE: &str = "2999-01-01T00:00:00.000+00:00";
const PAST: &str = "2001-01-01T00:00:00.000+00:00";

/// One record that keeps a user, and one of the same kind that does not.
fn kinds(user: Uuid) -> Vec<(&'static str, &'static str, Value, Value)> {
    let loan = |status: &str| {
        json!({"userId": user, "itemId": Uuid::new_v4(), "status": {"name": status},
               "action": "checkedout", "loanDate": PAST, "itemStatus": "Checked out"})
    };
    let request = |status: &str| {
        json!({"requesterId": user, "itemId": Uuid::new_v4(), "instanceId": Uuid::new_v4(),
               "holdingsRecordId": Uuid::new_v4(), "requestLevel": "Item", "requestType": "Hold",
               "requestDate": PAST, "status": status, "position": 1,
               "fulfillmentPreference": "Hold Shelf", "pickupServicePointId": Uuid::new_v4(),
               "instance": {"title": "Middlemarch", "identifiers": []}})
    };
    let account = |status: &str| {
        json!({"id": Uuid::new_v4(), "userId": user, "amount": 1.0, "remaining": 1.0, "status": {"name": status},
               "paymentStatus": {"name": "Outstanding"}, "feeFineId": Uuid::new_v4(),
               "ownerId": Uuid::new_v4()})
    };
    let block = |ends: &str| {
        json!({"userId": user, "type": "Manual", "desc": "Late", "borrowing": true,
               "expirationDate": ends})
    };
    let proxy = |sponsor: Uuid, proxy: Uuid| json!({"userId": sponsor, "proxyUserId": proxy});
    vec![
        ("loans", "/loan-storage/loans", loan("Open"), loan("Closed")),
        (
            "requests",
            "/request-storage/requests",
            request("Open - Awaiting pickup"),
            request("Closed - Filled"),
        ),
        ("feesFines", "/accounts", account("Open"), account("Closed")),
        ("blocks", "/manualblocks", block(FUTURE), block(PAST)),
        (
            "proxies",
            "/proxiesfor",
            proxy(Uuid::new_v4(), user),
            proxy(Uuid::new_v4(), Uuid::new_v4()),
        ),
    ]
}

#[tokio::test]
async fn a_user_is_deleted_only_when_nothing_is_open() {
    let library = library().await;
    let client = library.client().await;
    for at in 0..5 {
        let name = format!("reader-{at}");
        let id = user(&client, &name, json!({})).await;
        let (kind, path, open, closed) = kinds(id).swap_remove(at);
        let _ = client.post(path, &closed).await.expect(201);
        let counted = async || {
            let by_id = format!("/bl-users/by-id/{id}/open-transactions");
            let by_id = client.get(&by_id).await.expect(200).json();
            let by_name = format!("/bl-users/by-username/{name}/open-transactions");
            assert_eq!(client.get(&by_name).await.expect(200).json(), by_id);
            by_id
        };
        let mut expected = json!({"userId": id, "userBarcode": format!("b-{name}"),
                                  "hasOpenTransactions": false, "loans": 0, "requests": 0,
                                  "feesFines": 0, "proxies": 0, "blocks": 0});
        assert_eq!(counted().await, expected, "{kind}");

        let stored = client.post(path, &open).await.expect(201).json();
        expected["hasOpenTransactions"] = json!(true);
        expected[kind] = json!(1);
        assert_eq!(counted().await, expected, "{kind}");
        let user_path = format!("/bl-users/by-id/{id}");
        let refused = client.delete(&user_path).await.expect(409);
        assert_eq!(refused.json(), expected);
        let _ = client.get(&format!("/users/{id}")).await.expect(200);

        let record = stored["id"].as_str().expect("an id");
        let _ = client.delete(&format!("{path}/{record}")).await.expect(204);
        let _ = client.delete(&user_path).await.expect(204);
        let _ = client.get(&format!("/users/{id}")).await.expect(404);
    }
}

#[tokio::test]
async fn a_block_without_an_end_is_open_and_a_sponsor_is_bound_too() {
    let library = library().await;
    let client = library.client().await;
    let id = user(&client, "ada", json!({})).await;
    let block = json!({"userId": id, "type": "Manual", "desc": "Lost card", "borrowing": true});
    let _ = client.post("/manualblocks", &block).await.expect(201);
    let proxy = json!({"userId": id, "proxyUserId": Uuid::new_v4()});
    let _ = client.post("/proxiesfor", &proxy).await.expect(201);
    let refused = client
        .delete(&format!("/bl-users/by-id/{id}"))
        .await
        .expect(409);
    let open = refused.json();
    assert_eq!((&open["blocks"], &open["proxies"]), (&json!(1), &json!(1)));
}

#[tokio::test]
async fn with_the_user_goes_what_belongs_to_them_alone() {
    let library = library().await;
    let client = library.client().await;
    let id = user(&client, "ada", json!({})).await;
    password(&client, id, "first").await;
    let grants = permit(&library, id, &["users.item.get"]).await;
    let preference = json!({"userId": id, "holdShelf": true, "delivery": false});
    let path = "/request-preference-storage/request-preference";
    let preference = client.post(path, &preference).await.expect(201).json();
    let action = Uuid::new_v4();
    let reset = json!({"id": action, "userId": id, "expirationTime": FUTURE});
    let _ = client
        .post("/authn/password-reset-action", &reset)
        .await
        .expect(201);
    let change = json!({"userId": id, "password": "first", "newPassword": "second"});
    let _ = client.post("/authn/update", &change).await.expect(204);
    let ada = log_in(&library, "ada", "second").await;
    let _ = ada.get("/bl-users/_self").await.expect(200);

    let _ = client
        .delete(&format!("/bl-users/by-id/{id}"))
        .await
        .expect(204);
    let preference = preference["id"].as_str().expect("an id");
    let _ = client
        .get(&format!("{path}/{preference}"))
        .await
        .expect(404);
    let reset = format!("/authn/password-reset-action/{action}");
    let _ = client.get(&reset).await.expect(404);
    let exists = format!("/authn/credentials-existence?userId={id}");
    let exists = client.get(&exists).await.expect(200).json();
    assert_eq!(exists["credentialsExist"], false);
    for password in ["first", "second"] {
        let body = json!({"userId": id, "password": password});
        let known = client.post("/authn/password/repeatable", &body).await;
        assert_eq!(known.expect(200).json()["result"], "valid");
    }
    let store = &library.platform.store;
    let collection = store.catalog.get("permissions_users").expect("declared");
    let left = store.read(&library.tenant(), collection, grants).await;
    assert!(left.expect("the database answers").is_none());
    let _ = ada.get("/bl-users/_self").await.expect(401);
}

#[tokio::test]
async fn with_a_user_of_mod_users_go_password_permissions_and_tokens() {
    let library = library().await;
    let client = library.client().await;
    for by_query in [false, true] {
        let id = user(&client, "ada", json!({})).await;
        password(&client, id, "first").await;
        let grants = permit(&library, id, &["users.item.get"]).await;
        let action = Uuid::new_v4();
        let reset = json!({"id": action, "userId": id, "expirationTime": FUTURE});
        let path = "/authn/password-reset-action";
        let _ = client.post(path, &reset).await.expect(201);
        let ada = log_in(&library, "ada", "first").await;
        let _ = ada.get("/bl-users/_self").await.expect(200);
        let path = match by_query {
            true => "/users?query=username==ada".to_owned(),
            false => format!("/users/{id}"),
        };
        let _ = client.delete(&path).await.expect(204);
        let exists = format!("/authn/credentials-existence?userId={id}");
        let exists = client.get(&exists).await.expect(200).json();
        assert_eq!(exists["credentialsExist"], false);
        let reset = format!("/authn/password-reset-action/{action}");
        let _ = client.get(&reset).await.expect(404);
        let store = &library.platform.store;
        let collection = store.catalog.get("permissions_users").expect("declared");
        let left = store.read(&library.tenant(), collection, grants).await;
        assert!(left.expect("the database answers").is_none());
        let _ = ada.get("/bl-users/_self").await.expect(401);
        // Who is made again with the same id has none of the old tokens.
        let body = json!({"id": id, "username": "ada", "active": true,
                          "personal": {"lastName": "Other"}});
        let _ = client.post("/users", &body).await.expect(201);
        let _ = ada.get("/bl-users/_self").await.expect(401);
        let _ = client.delete(&format!("/users/{id}")).await.expect(204);
    }
}

#[tokio::test]
async fn missing_users_are_reported() {
    let library = library().await;
    let client = library.client().await;
    let id = Uuid::new_v4();
    let sentence = format!("User with id '{id}' not found");
    let path = format!("/bl-users/by-id/{id}");
    assert_eq!(client.delete(&path).await.expect(404).text, sentence);
    let open = client.get(&format!("{path}/open-transactions")).await;
    assert_eq!(open.expect(404).text, sentence);
    let open = client
        .get("/bl-users/by-username/nobody/open-transactions")
        .await;
    let sentence = "Users with username 'nobody' not found";
    assert_eq!(open.expect(404).text, sentence);
}

#[tokio::test]
async fn of_many_who_delete_a_user_one_does() {
    let library = library().await;
    let client = library.client().await;
    let id = user(&client, "ada", json!({})).await;
    let path = format!("/bl-users/by-id/{id}");
    let sent: Vec<_> = (0..6)
        .map(|_| {
            let (client, path) = (client.clone(), path.clone());
            tokio::spawn(async move { client.delete(&path).await.status })
        })
        .collect();
    let mut gone = 0;
    for one in sent {
        match one.await.expect("the request ends") {
            204 => gone += 1,
            404 => {}
            other => panic!("{other}"),
        }
    }
    assert_eq!(gone, 1);
}

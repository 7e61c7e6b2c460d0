//! Composite users: their content, and that one statement reads them.

use octavo_testkit::{Client, Library};
use octavo_trace::SpanKind;
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{log_in, password, permit, store, user};
use octavo_server_testkit::stock::{CIRC_DESK_1, CIRC_DESK_2, UNDERGRAD};
use octavo_server_testkit::{operated, traced};

/// Ada with everything that a user can have.
async fn ada(library: &Library, client: &Client) -> Uuid {
    let ada = user(client, "ada", json!({})).await;
    let sponsor = user(client, "sponsor", json!({})).await;
    let _ = permit(library, ada, &["inner.all", "users.item.get"]).await;
    for (name, parts) in [
        ("inner.all", json!(["inner.get", "inner.put", "inner.all"])),
        ("inner.get", json!([])),
    ] {
        let set = json!({"permissionName": name, "displayName": format!("The {name}"),
                         "subPermissions": parts});
        store(library, "permissions", set).await;
    }
    for proxy in [sponsor, Uuid::new_v4()] {
        let proxy = json!({"userId": ada, "proxyUserId": proxy, "status": "Active"});
        let _ = client.post("/proxiesfor", &proxy).await.expect(201);
    }
    let points = json!({"userId": ada, "servicePointsIds": [CIRC_DESK_2, CIRC_DESK_1],
                        "defaultServicePointId": CIRC_DESK_1});
    let _ = client
        .post("/service-points-users", &points)
        .await
        .expect(201);
    ada
}

fn names(composite: &Value) -> Vec<&str> {
    let permissions = composite["permissions"]["permissions"].as_array();
    let permissions = permissions.expect("a list of permissions");
    let mut names: Vec<&str> = permissions
        .iter()
        .filter_map(|one| one.as_str().or_else(|| one["permissionName"].as_str()))
        .collect();
    names.sort_unstable();
    names
}

#[tokio::test]
async fn a_user_comes_with_group_permissions_and_service_points() {
    let library = operated().await;
    let client = library.client().await;
    let id = ada(&library, &client).await;
    let by_id = client
        .get(&format!("/bl-users/by-id/{id}"))
        .await
        .expect(200)
        .json();
    assert_eq!(by_id["user"]["username"], "ada");
    assert_eq!(by_id["user"]["barcode"], "b-ada");
    assert_eq!(by_id["patronGroup"]["id"], UNDERGRAD);
    assert_eq!(by_id["patronGroup"]["group"], "undergrad");
    assert_eq!(names(&by_id), ["inner.all", "users.item.get"]);
    let points = &by_id["servicePointsUser"];
    assert_eq!(points["defaultServicePointId"], CIRC_DESK_1);
    let spelled: Vec<&Value> = points["servicePoints"]
        .as_array()
        .expect("service points")
        .iter()
        .map(|point| &point["id"])
        .collect();
    assert_eq!(spelled, [CIRC_DESK_2, CIRC_DESK_1]);
    assert!(points["servicePoints"][0]["name"].is_string());
    assert!(by_id.get("proxiesFor").is_none());

    let by_name = client
        .get("/bl-users/by-username/ADA")
        .await
        .expect(200)
        .json();
    assert_eq!(by_name, by_id);
    password(&client, id, "secret").await;
    let own = log_in(&library, "ada", "secret")
        .await
        .get("/bl-users/_self")
        .await;
    assert_eq!(own.expect(200).json(), by_id);
}

#[tokio::test]
async fn only_the_parts_that_are_named_are_given() {
    let library = operated().await;
    let client = library.client().await;
    let id = ada(&library, &client).await;
    let get = async |query: &str| {
        let path = format!("/bl-users/by-id/{id}?{query}");
        client.get(&path).await.expect(200).json()
    };
    let groups = get("include=groups").await;
    assert!(groups.get("servicePointsUser").is_none() && groups["patronGroup"].is_object());
    assert_eq!(groups["permissions"], json!({"permissions": []}));
    let proxies = get("include=proxiesfor&include=groups").await;
    assert_eq!(proxies["proxiesFor"].as_array().map(Vec::len), Some(2));
    assert_eq!(proxies["proxiesFor"][0]["userId"], json!(id));

    let all = ["inner.all", "inner.get", "inner.put", "users.item.get"];
    for query in [
        "expandPermissions=true",
        "include=perms&expandPermissions=true",
        "include=expanded_perms",
    ] {
        let expanded = get(query).await;
        assert_eq!(names(&expanded), all, "{query}");
        let shown = expanded["permissions"]["permissions"]
            .as_array()
            .expect("a list");
        let get = shown
            .iter()
            .find(|one| one["permissionName"] == "inner.get");
        assert_eq!(get.expect("it is there")["displayName"], "The inner.get");
    }
    let points = get("include=expanded_servicepoints").await;
    assert!(points["servicePointsUser"]["servicePoints"].is_array());
}

#[tokio::test]
async fn a_user_without_belongings_is_shown_all_the_same() {
    let library = operated().await;
    let client = library.client().await;
    let bare = json!({"patronGroup": null});
    let id = user(&client, "bare", bare).await;
    let path = format!("/bl-users/by-id/{id}?include=groups,perms,proxiesfor,servicepoints");
    let shown = client.get(&format!("{path}&expandPermissions=true")).await;
    let shown = shown.expect(200).json();
    assert_eq!(shown["permissions"], json!({"permissions": []}));
    for absent in ["patronGroup", "proxiesFor", "servicePointsUser"] {
        assert!(shown.get(absent).is_none(), "{absent}");
    }
    let unknown = Uuid::new_v4();
    let missing = client
        .get(&format!("/bl-users/by-id/{unknown}"))
        .await
        .expect(404);
    let sentence = format!("No record found for query '/users/{unknown}'");
    assert_eq!(missing.text, sentence);
    let missing = client.get("/bl-users/by-username/nobody").await.expect(404);
    assert!(
        missing.text.starts_with("No record found for query"),
        "{}",
        missing.text
    );
    let _ = client.get("/bl-users/by-id/no-uuid").await.expect(400);
}

#[tokio::test]
async fn the_set_of_everything_stands_for_all_that_is_defined() {
    let library = operated().await;
    let client = library.client().await;
    let _ = ada(&library, &client).await;
    let own = client.get("/bl-users/_self?expandPermissions=true").await;
    let own = own.expect(200).json();
    let names = names(&own);
    for name in [
        "inner.all",
        "inner.get",
        octavo_platform::identity::ALL_PERMISSIONS,
    ] {
        assert!(names.contains(&name), "{name}");
    }
}

#[tokio::test]
async fn lists_are_searched_and_paged() {
    let library = operated().await;
    let client = library.client().await;
    let id = ada(&library, &client).await;
    for name in ["bea", "cleo"] {
        let _ = user(&client, name, json!({})).await;
    }
    let query = "personal.lastName==Reader sortby username";
    let page = async |more: &str| {
        let path = format!("/bl-users?{more}");
        client.query(&path, query).await.expect(200).json()
    };
    let first = page("limit=2").await;
    assert_eq!(first["totalRecords"], 4);
    let listed = first["compositeUsers"].as_array().expect("users");
    assert_eq!(listed.len(), 2);
    assert_eq!(listed[0]["user"]["id"], json!(id));
    // FOLIO's lists have the user under another name than its schema.
    assert_eq!(listed[0]["users"], listed[0]["user"]);
    assert_eq!(listed[0]["patronGroup"]["id"], UNDERGRAD);
    assert_eq!(
        super::composites::names(&listed[0]),
        ["inner.all", "users.item.get"]
    );
    let second = page("limit=2&offset=2&include=groups").await;
    let listed = second["compositeUsers"].as_array().expect("users");
    assert_eq!(listed[0]["user"]["username"], "cleo");
    assert!(listed[0].get("permissions").is_none());
    let _ = client.query("/bl-users", "username==").await.expect(400);
    let large = page("limit=2147483647").await;
    assert_eq!(large["compositeUsers"].as_array().map(Vec::len), Some(4));
}

/// The statements of a traced request.
async fn statements(client: &Client, path: &str) -> usize {
    let (answer, tree) = traced(client, Method::GET, path, None).await;
    let _ = answer.expect(200);
    let mut statements = 0;
    tree.root.walk(0, &mut |node, _| {
        statements += usize::from(node.kind == SpanKind::Statement);
    });
    statements
}

#[tokio::test]
async fn a_composite_is_one_statement_whatever_is_in_it() {
    let library = operated().await;
    let client = library.client().await;
    let id = ada(&library, &client).await;
    for at in 0..20 {
        let _ = user(&client, &format!("reader-{at:02}"), json!({})).await;
    }
    let all = "include=groups,perms,proxiesfor,servicepoints";
    for path in [
        format!("/bl-users/by-id/{id}?{all}&expandPermissions=true"),
        format!("/bl-users/by-username/ada?{all}"),
        format!("/bl-users?{all}&limit=100"),
    ] {
        assert_eq!(statements(&client, &path).await, 1, "{path}");
    }
    // A page that is full takes two more, for the total, as any list does.
    let full = statements(&client, &format!("/bl-users?{all}&limit=10")).await;
    assert!(full <= 3, "{full}");
    let open = format!("/bl-users/by-id/{id}/open-transactions");
    assert_eq!(statements(&client, &open).await, 2);
}

#[tokio::test]
async fn each_route_asks_for_its_permission() {
    let library = operated().await;
    let admin = library.client().await;
    let id = user(&admin, "ada", json!({})).await;
    password(&admin, id, "secret").await;
    let ada = log_in(&library, "ada", "secret").await;
    for path in [
        "/bl-users".to_owned(),
        format!("/bl-users/by-id/{id}"),
        "/bl-users/by-username/ada".to_owned(),
        format!("/bl-users/by-id/{id}/open-transactions"),
        "/bl-users/by-username/ada/open-transactions".to_owned(),
    ] {
        let _ = ada.get(&path).await.expect(403);
    }
    let _ = ada
        .delete(&format!("/bl-users/by-id/{id}"))
        .await
        .expect(403);
    let link = json!({"userId": id});
    let _ = ada
        .post("/bl-users/password-reset/link", &link)
        .await
        .expect(403);
    let _ = ada.get("/bl-users/_self").await.expect(200);
    let _ = library.stranger().get("/bl-users/_self").await.expect(401);
}

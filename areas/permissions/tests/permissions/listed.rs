//! Lists of permissions: conditions, pages, and expanded parts.

use octavo_testkit::Client;
use serde_json::{Value, json};

use super::{PERMISSIONS, holder, set, user};
use octavo_server_testkit::library;

async fn listed(admin: &Client, query: &str) -> Vec<Value> {
    let page = admin.get(&format!("{PERMISSIONS}?{query}")).await;
    let page = page.expect(200).json();
    page["permissions"].as_array().expect("a list").clone()
}

async fn names(admin: &Client, query: &str) -> Vec<String> {
    let found = listed(admin, query).await;
    let mut names: Vec<String> = found
        .iter()
        .map(|one| one["permissionName"].as_str().expect("a name").to_owned())
        .collect();
    names.sort();
    names
}

#[tokio::test]
async fn lists_take_cql_an_order_and_pages() {
    let library = library().await;
    let admin = library.client().await;
    for name in ["desk.b", "desk.a", "desk.c"] {
        let _ = set(&admin, name, &[]).await;
    }
    assert_eq!(listed(&admin, "").await.len(), 10);
    let found = admin.query(PERMISSIONS, "permissionName==desk.*").await;
    assert_eq!(found.expect(200).json()["totalRecords"], 3);
    assert_eq!(
        names(&admin, "query=mutable==true").await,
        ["desk.a", "desk.b", "desk.c"]
    );
    let order = |rest: &str| {
        format!("query=permissionName==desk.*%20sortBy%20permissionName/sort.descending{rest}")
    };
    let found = listed(&admin, &order("&start=2&length=1")).await;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["permissionName"], "desk.b");
    // All at once, as the front end asks for them.
    let all = listed(&admin, "length=10000").await;
    assert!(all.len() > 700, "{}", all.len());
    assert!(all.iter().all(|one| one["dummy"] == json!(false)));
    let _ = admin
        .query(PERMISSIONS, "permissionName==(")
        .await
        .expect(400);
}

#[tokio::test]
async fn stand_ins_are_shown_to_who_asks_for_them() {
    let library = library().await;
    let admin = library.client().await;
    let query = "query=permissionName==circulation.requests.queue.reorder.collection.post";
    assert!(listed(&admin, query).await.is_empty());
    let query = format!("{query}&includeDummy=true");
    let found = listed(&admin, &query).await;
    assert_eq!(found[0]["dummy"], json!(true));
    assert_eq!(found[0]["visible"], json!(false));
    assert!(!found[0]["childOf"].as_array().expect("sets").is_empty());
    let id = user(&admin, "ada").await;
    let ada = holder(&admin, id, &[]).await;
    let body = json!({"permissionName": "circulation.requests.queue.reorder.collection.post"});
    let answer = admin
        .post(&format!("/perms/users/{ada}/permissions"), &body)
        .await;
    assert_eq!(
        answer.expect(400).text,
        "'circulation.requests.queue.reorder.collection.post' is flagged as a dummy permission and cannot be assigned to a user"
    );
    let body = json!({"userId": id, "permissions": ["circulation.requests.queue.reorder.collection.post"]});
    let answer = admin.put(&format!("/perms/users/{ada}"), &body).await;
    assert_eq!(
        answer.expect(400).text,
        "Cannot add permissions flagged as 'dummy' to users"
    );
}

#[tokio::test]
async fn parts_are_shown_by_name_expanded_or_as_definitions() {
    let library = library().await;
    let admin = library.client().await;
    let _ = set(&admin, "inner", &["notes.item.get"]).await;
    let _ = set(&admin, "outer", &["inner", "users.item.get"]).await;
    let id = user(&admin, "ada").await;
    let ada = holder(&admin, id, &["inner"]).await;
    let of_outer = |rest: &'static str| {
        let admin = admin.clone();
        async move {
            let query = format!("query=permissionName==outer{rest}");
            listed(&admin, &query).await[0]["subPermissions"].clone()
        }
    };
    assert_eq!(of_outer("").await, json!(["inner", "users.item.get"]));
    assert_eq!(
        of_outer("&expanded=true").await,
        json!(["inner", "notes.item.get", "users.item.get"])
    );
    // One level; it wins over the names of all levels.
    let shown = of_outer("&expandSubs=true&expanded=true").await;
    assert_eq!(shown[0]["permissionName"], "inner");
    assert_eq!(shown[0]["subPermissions"], json!(["notes.item.get"]));
    assert_eq!(shown[0]["grantedTo"], json!([ada]));
    assert_eq!(shown[1]["moduleName"], "mod-users");
    assert_eq!(
        of_outer("&expanded=yes").await,
        json!(["inner", "users.item.get"])
    );
}

#[tokio::test]
async fn conditions_reach_sets_and_holders() {
    let library = library().await;
    let admin = library.client().await;
    let _ = set(&admin, "inner", &[]).await;
    let _ = set(&admin, "outer", &["inner"]).await;
    let _ = set(&admin, "alone", &[]).await;
    let id = user(&admin, "ada").await;
    let ada = holder(&admin, id, &["outer", "alone"]).await;
    let own = |condition: &str| format!("query=mutable==true%20and%20({condition})");
    for (query, expected) in [
        (own("childOf==[]"), vec!["alone", "outer"]),
        (own("childOf=outer"), vec!["inner"]),
        (own("grantedTo==[]"), vec!["inner"]),
        (own(&format!("grantedTo=={ada}")), vec![]),
        (own(&format!("grantedTo==*{ada}*")), vec!["alone", "outer"]),
        (own(&format!("grantedTo={ada}")), vec!["alone", "outer"]),
        (own(&format!("grantedTo<>*{ada}*")), vec!["inner"]),
        (own("grantedTo=*"), vec!["alone", "inner", "outer"]),
        (
            "query=mutable==true%20not%20grantedTo==[]".to_owned(),
            vec!["alone", "outer"],
        ),
        ("memberOf=outer".to_owned(), vec!["inner"]),
        ("memberOf=none,outer".to_owned(), vec!["inner"]),
        ("ownedBy=Ada".to_owned(), vec!["alone", "outer"]),
        ("ownedBy=Ada&memberOf=outer".to_owned(), vec![]),
        ("ownedBy=nobody".to_owned(), vec![]),
    ] {
        assert_eq!(names(&admin, &query).await, expected, "{query}");
    }
    let many = vec!["x"; 101].join(",");
    let _ = admin
        .get(&format!("{PERMISSIONS}?memberOf={many}"))
        .await
        .expect(400);
}

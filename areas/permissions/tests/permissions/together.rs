//! Several clients who change permissions at the same moment.

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{PERMISSIONS, USERS, definition, held, holder, set, user};
use octavo_server_testkit::library;

#[tokio::test]
async fn what_two_give_to_one_user_is_kept() {
    let library = library().await;
    let admin = library.client().await;
    let mut names = Vec::new();
    for at in 0..24 {
        let name = format!("desk{at:02}");
        let _ = set(&admin, &name, &[]).await;
        names.push(name);
    }
    let id = user(&admin, "ada").await;
    let ada = holder(&admin, id, &[]).await;
    let path = format!("{USERS}/{ada}/permissions");
    let giving = names.iter().map(|name| {
        let (admin, path) = (&admin, &path);
        async move {
            let body = json!({"permissionName": name});
            admin.post(path, &body).await.status
        }
    });
    let statuses = join_all(giving).await;
    assert!(statuses.iter().all(|status| *status == 200), "{statuses:?}");
    let mut all: Vec<String> = serde_json::from_value(held(&admin, &ada, "").await).expect("names");
    all.sort();
    assert_eq!(all, names);
    // Concurrent assignments of one permission: one succeeds, the others are refused.
    let _ = set(&admin, "front", &[]).await;
    let body = json!({"permissionName": "front"});
    let giving = (0..8).map(|_| admin.post(&path, &body));
    let mut statuses: Vec<u16> = join_all(giving)
        .await
        .iter()
        .map(|answer| answer.status)
        .collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 422, 422, 422, 422, 422, 422, 422]);
    // And taken from all sides.
    let taking = names.iter().map(|name| {
        let (admin, path) = (&admin, format!("{path}/{name}"));
        async move { admin.delete(&path).await.status }
    });
    let statuses = join_all(taking).await;
    assert!(statuses.iter().all(|status| *status == 204), "{statuses:?}");
    assert_eq!(held(&admin, &ada, "").await, json!(["front"]));
}

#[tokio::test]
async fn a_permission_that_is_deleted_while_it_is_given_is_held_by_nobody() {
    let library = library().await;
    let admin = library.client().await;
    let mut users = Vec::new();
    for at in 0..6 {
        let id = user(&admin, &format!("user{at}")).await;
        users.push(holder(&admin, id, &[]).await);
    }
    let mut refused = 0;
    for round in 0..12 {
        let name = format!("desk{round}");
        let id = set(&admin, &name, &[]).await;
        let outer = json!({"permissionName": format!("outer{round}"), "subPermissions": [name]});
        let definition_path = format!("{PERMISSIONS}/{id}");
        let body = json!({"permissionName": name});
        let giving = users.iter().map(|user| {
            let (admin, body) = (&admin, &body);
            let path = format!("{USERS}/{user}/permissions");
            async move { admin.post(&path, body).await }
        });
        let (given, deleted, made) = tokio::join!(
            join_all(giving),
            async {
                // Somewhere between the others.
                for _ in 0..round {
                    tokio::task::yield_now().await;
                }
                admin.delete(&definition_path).await
            },
            admin.post(PERMISSIONS, &outer),
        );
        let _ = deleted.expect(204);
        for answer in given {
            match answer.status {
                200 => {}
                400 => {
                    refused += 1;
                    let expected = format!("Permission by name '{name}' does not exist");
                    assert_eq!(answer.text, expected);
                }
                other => panic!("{other}: {}", answer.text),
            }
        }
        assert!([201, 422].contains(&made.status), "{}", made.text);
        for user in &users {
            assert_eq!(held(&admin, user, "").await, json!([]), "{name}");
        }
        if made.status == 201 {
            let outer = definition(&admin, &format!("outer{round}")).await;
            assert_eq!(outer["subPermissions"], json!([]));
        }
    }
    tracing::info!(refused, "given too late");
}

#[tokio::test]
async fn a_cycle_is_not_closed_from_two_sides() {
    let library = library().await;
    let admin = library.client().await;
    for round in 0..10 {
        let (a, b) = (format!("a{round}"), format!("b{round}"));
        let (a_id, b_id) = (set(&admin, &a, &[]).await, set(&admin, &b, &[]).await);
        let put = |id: String, name: &str, part: &str| {
            let body = json!({"id": id, "permissionName": name, "subPermissions": [part]});
            let (admin, path) = (admin.clone(), format!("{PERMISSIONS}/{id}"));
            async move { admin.put(&path, &body).await }
        };
        let (one, other) = tokio::join!(put(a_id, &a, &b), put(b_id, &b, &a));
        let mut statuses = [one.status, other.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 422], "{} {}", one.text, other.text);
    }
}

#[tokio::test]
async fn sets_know_each_other_whoever_changes_them() {
    let library = library().await;
    let admin = library.client().await;
    let _ = set(&admin, "part", &[]).await;
    let making = (0..16).map(|at| {
        let admin = &admin;
        async move { set(admin, &format!("set{at:02}"), &["part", "notes.all"]).await }
    });
    let ids = join_all(making).await;
    let sets = |definition: &Value| {
        let sets = definition["childOf"].as_array().expect("sets").clone();
        let own = sets.iter().filter_map(Value::as_str);
        own.filter(|name| name.starts_with("set")).count()
    };
    assert_eq!(sets(&definition(&admin, "part").await), 16);
    assert_eq!(sets(&definition(&admin, "notes.all").await), 16);
    // Half of them go while the others lose the part.
    let changing = ids.iter().enumerate().map(|(at, id)| {
        let (admin, path) = (&admin, format!("{PERMISSIONS}/{id}"));
        async move {
            if at % 2 == 0 {
                return admin.delete(&path).await.status;
            }
            let name = format!("set{at:02}");
            let body = json!({"id": id, "permissionName": name, "subPermissions": ["notes.all"]});
            admin.put(&path, &body).await.status
        }
    });
    let statuses = join_all(changing).await;
    assert!(
        statuses.iter().all(|status| [200, 204].contains(status)),
        "{statuses:?}"
    );
    assert_eq!(sets(&definition(&admin, "part").await), 0);
    assert_eq!(sets(&definition(&admin, "notes.all").await), 8);
}

#[tokio::test]
async fn one_name_is_defined_once() {
    let library = library().await;
    let admin = library.client().await;
    let body = json!({"permissionName": "desk"});
    let making = (0..8).map(|_| admin.post(PERMISSIONS, &body));
    let mut statuses: Vec<u16> = join_all(making)
        .await
        .iter()
        .map(|answer| answer.status)
        .collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 422, 422, 422, 422, 422, 422, 422]);
}

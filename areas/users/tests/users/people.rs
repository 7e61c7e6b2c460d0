//! `/users`: stored properties, refusals and their messages, and concurrent requests.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::{
    HOME, STAFF, USERS, WORK, events, first_error, get, id_of, path_of, post, unknown, user,
};
use octavo_server_testkit::library;
use octavo_server_testkit::reader;

#[tokio::test]
async fn a_user_is_stored_with_all_that_it_has() {
    let library = library().await;
    let client = library.client().await;
    let department = post(
        &client,
        "/departments",
        json!({"name": "Physics", "code": "P"}),
    )
    .await;
    let sent = json!({
        "username": "  jane  ", "barcode": "77", "externalSystemId": "", "active": true,
        "type": "patron", "patronGroup": STAFF,
        "departments": [department["id"], department["id"]],
        "personal": {
            "lastName": "Doe", "pronouns": "she/her", "preferredContactTypeId": "002",
            "preferredContactTypeIds": ["002", "001"], "dateOfBirth": "1999-12-31",
            "addresses": [
                {"addressTypeId": HOME, "city": "Town", "primaryAddress": true},
                {"addressTypeId": WORK, "city": "City"},
            ],
        },
        "enrollmentDate": "2026-01-01", "tags": {"tagList": ["new"]},
        "preferredEmailCommunication": ["Support", "Support", "Programs"],
        "createdDate": "2001-01-01",
    });
    let answer = client.post(USERS, &sent).await.expect(201);
    let stored = answer.json();
    assert_eq!(answer.header("location"), stored["id"].as_str());
    assert_eq!(stored["username"], "jane");
    assert!(stored.get("externalSystemId").is_none());
    assert_eq!(stored["departments"], json!([department["id"]]));
    assert_eq!(
        stored["preferredEmailCommunication"],
        json!(["Support", "Programs"])
    );
    assert_ne!(stored["createdDate"], "2001-01-01T00:00:00.000+00:00");
    assert_eq!(stored["createdDate"], stored["updatedDate"]);
    assert!(stored["metadata"]["createdByUserId"].is_string());
    let path = path_of(USERS, &stored);
    assert_eq!(get(&client, &path).await, stored);

    let mut changed = stored.clone();
    changed["personal"]["lastName"] = json!("Roe");
    changed["createdDate"] = json!("2001-01-01");
    let _ = client.put(&path, &changed).await.expect(204);
    let now = get(&client, &path).await;
    assert_eq!(now["personal"]["lastName"], "Roe");
    assert_eq!(now["createdDate"], stored["createdDate"]);
    assert_ne!(now["updatedDate"], stored["updatedDate"]);

    let _ = client.delete(&path).await.expect(204);
    let gone = client.delete(&path).await.expect(404);
    assert_eq!(gone.text, id_of(&stored));
    let gone = client.put(&path, &changed).await.expect(404);
    assert_eq!(gone.text, id_of(&stored));

    let published = events(&library, "users.users").await;
    let published: Vec<_> = published
        .into_iter()
        .filter(|(_, old, new)| old["username"] == "jane" || new["username"] == "jane")
        .collect();
    let kinds: Vec<&str> = published.iter().map(|(kind, ..)| kind.as_str()).collect();
    assert_eq!(kinds, ["CREATE", "UPDATE", "DELETE"]);
    assert_eq!(published[1].1["personal"]["lastName"], "Doe");
    assert_eq!(published[1].2["personal"]["lastName"], "Roe");
}

#[tokio::test]
async fn what_is_taken_is_named_new_in_a_list_and_changed_in_a_sentence() {
    let library = library().await;
    let client = library.client().await;
    let body = json!({"username": "jane", "barcode": "Ä7", "externalSystemId": "e7"});
    let jane = post(&client, USERS, body).await;
    let other = user(&client, "other").await;
    let unique = "lower(f_unaccent(jsonb ->> 'externalSystemId'::text))";
    for (given, message, key, value, sentence) in [
        (
            json!({"username": "JÁNE"}),
            "User with this username already exists".to_owned(),
            "username".to_owned(),
            "jane",
            "User with this username already exists".to_owned(),
        ),
        (
            json!({"barcode": "a7"}),
            "This barcode has already been taken".to_owned(),
            "barcode".to_owned(),
            "a7",
            "This barcode has already been taken".to_owned(),
        ),
        (
            json!({"externalSystemId": "E7"}),
            format!("duplicate {unique} value violates unique constraint: e7"),
            unique.to_owned(),
            "e7",
            format!("Key ({unique})=(e7) already exists."),
        ),
    ] {
        let refused = client.post(USERS, &given).await.expect(422).json();
        assert_eq!(
            first_error(&refused),
            [message.as_str(), key.as_str(), value]
        );
        let mut changed = other.clone();
        for (name, value) in given.as_object().expect("an object") {
            changed[name] = value.clone();
        }
        let refused = client.put(&path_of(USERS, &other), &changed).await;
        assert_eq!(refused.expect(400).text, sentence);
    }
    let again = json!({"id": jane["id"], "username": "third"});
    let refused = client.post(USERS, &again).await.expect(422).json();
    let id = id_of(&jane);
    assert_eq!(
        first_error(&refused),
        ["User with this id already exists", "id", id.as_str()]
    );
    // Those without one do not stand in each other's way, even when they send an empty text.
    for _ in 0..2 {
        let _ = client
            .post(USERS, &json!({"barcode": " ", "username": ""}))
            .await
            .expect(201);
    }
}

#[tokio::test]
async fn what_a_user_names_has_to_be_there() {
    let library = library().await;
    let client = library.client().await;
    let stored = user(&client, "jane").await;
    let (nothing, path) = (unknown(), path_of(USERS, &stored));
    let address = |kind: &str| json!({"lastName": "A", "addresses": [{"addressTypeId": kind}]});
    let twice =
        json!({"lastName": "A", "addresses": [{"addressTypeId": HOME}, {"addressTypeId": HOME}]});
    let key = format!("Key (departments)=({nothing}) is not present in table \"departments\".");
    for (name, value, new, changed) in [
        (
            "patronGroup",
            json!(nothing),
            format!("Cannot add {nothing}. Patron group not found"),
            format!("Cannot add {nothing}. Patron group not found"),
        ),
        (
            "personal",
            address(&nothing),
            "You cannot add addresses with non-existent address types".to_owned(),
            "All addresses types defined for users must be existing".to_owned(),
        ),
        (
            "personal",
            twice,
            "Users are limited to one address per addresstype".to_owned(),
            "Users are limited to one address per addresstype".to_owned(),
        ),
        (
            "personal",
            json!({"lastName": "A", "dateOfBirth": "0000-12-31"}),
            "dateOfBirth must be at least 0001-01-01".to_owned(),
            "dateOfBirth must be at least 0001-01-01".to_owned(),
        ),
    ] {
        let refused = client.post(USERS, &json!({name: value})).await.expect(400);
        assert_eq!(refused.text, new);
        let mut with = stored.clone();
        with[name] = value;
        assert_eq!(client.put(&path, &with).await.expect(400).text, changed);
    }
    let refused = client.post(USERS, &json!({"departments": [nothing]})).await;
    let refused = refused.expect(422).json();
    assert_eq!(
        first_error(&refused),
        [key.as_str(), "departments", nothing.as_str()]
    );
    let mut with = stored.clone();
    with["departments"] = json!([nothing]);
    assert_eq!(client.put(&path, &with).await.expect(400).text, key);
    // None of these was stored.
    assert_eq!(get(&client, &path).await, stored);

    let shadow =
        json!({"type": "shadow", "personal": {"lastName": "A", "profilePictureLink": "x"}});
    let refused = client.post(USERS, &shadow).await.expect(500);
    assert_eq!(
        refused.text,
        "Profile Picture feature is not applicable for user's type SHADOW"
    );
    let long = json!({"personal": {"lastName": "A", "pronouns": "x".repeat(301)}});
    let refused = client.post(USERS, &long).await.expect(422).json();
    assert_eq!(
        first_error(&refused)[..2],
        ["size must be between 0 and 300", "personal.pronouns"]
    );
    let nameless = client
        .post(USERS, &json!({"personal": {}}))
        .await
        .expect(422)
        .json();
    assert_eq!(first_error(&nameless)[1], "personal.lastName");
}

#[tokio::test]
async fn the_id_of_a_user_stays() {
    let library = library().await;
    let client = library.client().await;
    let stored = user(&client, "jane").await;
    for other in [json!(unknown()), Value::Null] {
        let mut changed = stored.clone();
        changed["id"] = other;
        let refused = client
            .put(&path_of(USERS, &stored), &changed)
            .await
            .expect(400);
        assert_eq!(refused.text, "You cannot change the value of the id field");
    }
    let made = post(&client, USERS, json!({"id": "", "username": "made"})).await;
    assert!(uuid::Uuid::try_parse(&id_of(&made)).is_ok());
}

#[tokio::test]
async fn users_are_searched_as_the_staff_interface_does() {
    let library = library().await;
    let client = library.client().await;
    for (first, last, barcode) in [
        ("Ada", "Zebra", "11"),
        ("Bo", "Young", "12"),
        ("Cy", "Young", "13"),
    ] {
        let body = json!({"active": true, "barcode": barcode, "patronGroup": STAFF, "type": "patron",
                          "personal": {"firstName": first, "lastName": last, "email": format!("{first}@b.org")}});
        let _ = post(&client, USERS, body).await;
    }
    let found = async |query: &str| -> Vec<String> {
        let page = client.query(USERS, query).await.expect(200).json();
        let users = page["users"].as_array().expect("users");
        users
            .iter()
            .filter_map(|one| one["barcode"].as_str().map(str::to_owned))
            .collect()
    };
    let by_name = "sortby personal.lastName personal.firstName";
    assert_eq!(
        found(&format!("patronGroup.group==staff {by_name}")).await,
        ["12", "13", "11"]
    );
    assert_eq!(
        found(&format!("patronGroup=={STAFF} and barcode=1* {by_name}")).await,
        ["12", "13", "11"]
    );
    assert_eq!(
        found(&format!("keywords=\"young\" {by_name}")).await,
        ["12", "13"]
    );
    assert_eq!(found("keywords=\"cy@b.org\"").await, ["13"]);
    assert_eq!(found("keywords=\"zeb*\"").await, ["11"]);
    assert_eq!(
        found(&format!(
            "active==true and type==patron {by_name}/sort.descending"
        ))
        .await
        .len(),
        3
    );
    let word = "bo";
    let search = format!(
        "((username=\"{word}*\" or personal.firstName=\"{word}*\" or personal.preferredFirstName=\"{word}*\" \
         or personal.lastName=\"{word}*\" or personal.email=\"{word}*\" or barcode=\"{word}*\" \
         or id=\"{word}*\" or externalSystemId=\"{word}*\" or customFields=\"{word}*\")) {by_name}"
    );
    assert_eq!(found(&search).await, ["12"]);
}

#[tokio::test]
async fn of_two_who_want_a_name_at_once_one_gets_it() {
    let library = library().await;
    let client = library.client().await;
    // Users with and without addresses are written by different statements.
    let tasks = (0..8).map(|number| {
        let client = client.clone();
        let mut body = json!({"username": "Jane", "personal": {"lastName": number.to_string()}});
        if number % 2 == 0 {
            body["personal"]["addresses"] = json!([{"addressTypeId": HOME}]);
        }
        tokio::spawn(async move { client.post(USERS, &body).await })
    });
    let mut statuses = Vec::new();
    for task in tasks.collect::<Vec<_>>() {
        let answer = task.await.expect("the request is sent");
        if answer.status == 422 {
            assert_eq!(first_error(&answer.json())[1], "username");
        }
        statuses.push(answer.status);
    }
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 422, 422, 422, 422, 422, 422, 422]);
}

#[tokio::test]
async fn changes_at_once_leave_one_of_them_whole() {
    let library = library().await;
    let client = library.client().await;
    let stored = user(&client, "jane").await;
    let path = path_of(USERS, &stored);
    let tasks = (0..6).map(|number| {
        let (client, path, mut body) = (client.clone(), path.clone(), stored.clone());
        body["barcode"] = json!(format!("b{number}"));
        body["personal"]["lastName"] = json!(format!("b{number}"));
        tokio::spawn(async move { client.put(&path, &body).await.status })
    });
    for task in tasks.collect::<Vec<_>>() {
        assert_eq!(task.await.expect("the request is sent"), 204);
    }
    let now = get(&client, &path).await;
    assert_eq!(now["barcode"], now["personal"]["lastName"]);
    // Each event begins where the one before it ended.
    let published = events(&library, "users.users").await;
    let published: Vec<_> = published
        .iter()
        .filter(|(kind, _, new)| kind == "UPDATE" && new["id"] == stored["id"])
        .collect();
    assert_eq!(published.len(), 6);
    assert!(published.windows(2).all(|pair| pair[0].2 == pair[1].1));
}

#[tokio::test]
async fn a_user_who_becomes_inactive_is_out_and_one_who_is_deleted_too() {
    let library = library().await;
    let admin = library.client().await;
    let (client, id) = reader(&library, &admin).await;
    let path = format!("{USERS}/{id}");
    // Without permissions, but somebody.
    assert_eq!(client.get(USERS).await.status, 403);
    let mut stored = get(&admin, &path).await;
    stored["active"] = json!(false);
    let _ = admin.put(&path, &stored).await.expect(204);
    super::until(|| async { client.get(USERS).await.status == 401 }).await;
    stored["active"] = json!(true);
    let _ = admin.put(&path, &stored).await.expect(204);
    super::until(|| async { client.get(USERS).await.status == 403 }).await;
    let _ = admin.delete(&path).await.expect(204);
    super::until(|| async { client.get(USERS).await.status == 401 }).await;
}

#[tokio::test]
async fn blocks_go_with_the_user_they_were_put_on() {
    let library = library().await;
    let client = library.client().await;
    let (jane, john) = (user(&client, "jane").await, user(&client, "john").await);
    for one in [&jane, &jane, &john] {
        let block = json!({"type": "Manual", "desc": "x", "userId": one["id"], "borrowing": true});
        let _ = post(&client, "/manualblocks", block).await;
    }
    let _ = client.delete(&path_of(USERS, &jane)).await.expect(204);
    let left = get(&client, "/manualblocks").await;
    let left: HashSet<&str> = left["manualblocks"]
        .as_array()
        .expect("blocks")
        .iter()
        .filter_map(|one| one["userId"].as_str())
        .collect();
    assert_eq!(left, HashSet::from([id_of(&john).as_str()]));
}

#[tokio::test]
async fn users_are_cleared_by_a_query_only() {
    let library = library().await;
    let client = library.client().await;
    let refused = client.delete(USERS).await.expect(400);
    assert_eq!(refused.text, "Expected CQL but query parameter is empty");
    let _ = (user(&client, "temp1").await, user(&client, "temp2").await);
    let _ = client
        .delete("/users?query=username==temp*")
        .await
        .expect(204);
    let left = client
        .query(USERS, "username==temp*")
        .await
        .expect(200)
        .json();
    assert_eq!(left["totalRecords"], 0);
}

#[tokio::test]
async fn a_name_that_is_still_being_typed_is_found() {
    let library = library().await;
    let client = library.client().await;
    for (first, last) in [("Amara", "Okafor"), ("Amaranth", "Green")] {
        let personal = json!({"firstName": first, "lastName": last});
        let body = json!({"username": last, "active": true, "personal": personal});
        post(&client, USERS, body).await;
    }
    for (query, names) in [
        // As the form sends what is typed, with a star after it.
        (
            "keywords=\"Amara*\" sortBy username",
            vec!["Green", "Okafor"],
        ),
        ("keywords=\"Amara *\"", vec!["Okafor"]),
        ("keywords=\"amara oka*\"", vec!["Okafor"]),
        ("keywords=\"amara * okafor *\"", vec!["Okafor"]),
        ("keywords all \"okafor * amara\"", vec!["Okafor"]),
        ("keywords=\"* okafor\"", vec!["Okafor"]),
        (
            "personal.firstName=\"amara *\" and username=\" \"",
            vec!["Okafor"],
        ),
    ] {
        let found = client.query(USERS, query).await.expect(200).json();
        let found: Vec<&str> = found["users"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(|one| one["username"].as_str())
            .collect();
        assert_eq!(found, names, "{query}");
    }
    let left = client.query(USERS, "keywords=\"*mara\"").await.expect(400);
    assert!(
        left.text.contains("only at the end of a word"),
        "{}",
        left.text
    );
    let id = client.query(USERS, "id==\"*123\"").await.expect(400);
    assert!(
        id.text.contains("only right truncation supported"),
        "{}",
        id.text
    );
}

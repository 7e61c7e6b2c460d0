//! `/custom-fields`: definitions, their order and references, and users' values of them.

use octavo_testkit::Client;
use serde_json::{Value, json};

use super::{USERS, first_error, get, id_of, path_of, post, unknown, user};
use octavo_server_testkit::library;

const FIELDS: &str = "/custom-fields";

async fn field(client: &Client, name: &str, kind: &str, more: Value) -> Value {
    let mut body = json!({"name": name, "type": kind, "entityType": "user"});
    for (key, value) in more.as_object().expect("an object") {
        body[key] = value.clone();
    }
    post(client, FIELDS, body).await
}

fn select(several: bool, values: Value) -> Value {
    json!({"selectField": {"multiSelect": several, "options": {"values": values}}})
}

fn names(page: &Value) -> Vec<(&str, i64)> {
    let fields = page["customFields"].as_array().expect("fields");
    fields
        .iter()
        .map(|one| {
            (
                one["refId"].as_str().unwrap_or_default(),
                one["order"].as_i64().unwrap_or(0),
            )
        })
        .collect()
}

#[tokio::test]
async fn definitions_get_references_options_and_an_order() {
    let library = library().await;
    let client = library.client().await;
    assert_eq!(
        get(&client, &format!("{FIELDS}?limit=2147483647")).await["totalRecords"],
        0
    );
    let colour = field(
        &client,
        "Favourite colour",
        "SINGLE_SELECT_DROPDOWN",
        select(
            false,
            json!([{"value": "red"}, {"value": "blue", "default": true}]),
        ),
    )
    .await;
    assert_eq!(
        (colour["refId"].as_str(), colour["order"].as_i64()),
        (Some("favouriteColour"), Some(1))
    );
    assert_eq!(
        (&colour["visible"], &colour["required"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(
        colour["selectField"]["options"],
        json!({"values": [{"value": "red", "default": false, "id": "opt_1"},
                          {"value": "blue", "default": true, "id": "opt_2"}], "sortingOrder": "CUSTOM"})
    );
    assert_eq!(colour["metadata"]["createdByUsername"], "diku_admin");
    let _ = field(
        &client,
        "favourite COLOUR",
        "TEXTBOX_SHORT",
        json!({"order": 77, "refId": "mine"}),
    )
    .await;
    let _ = field(
        &client,
        "Member",
        "SINGLE_CHECKBOX",
        json!({"checkboxField": {}}),
    )
    .await;
    let all = get(&client, FIELDS).await;
    assert_eq!(
        names(&all),
        [
            ("favouriteColour", 1),
            ("favouriteColour_2", 2),
            ("member", 3)
        ]
    );
    assert_eq!(all["customFields"][1]["textField"]["fieldFormat"], "TEXT");
    let found = client
        .query(FIELDS, "name==member")
        .await
        .expect(200)
        .json();
    assert_eq!(found["totalRecords"], 1);

    let path = path_of(FIELDS, &colour);
    let mut changed = colour.clone();
    changed["name"] = json!("Dearest colour");
    changed["order"] = json!(9);
    changed["displayInAccordion"] = json!("loans");
    let _ = client.put(&path, &changed).await.expect(204);
    let now = get(&client, &path).await;
    assert_eq!(
        (now["refId"].as_str(), now["order"].as_i64()),
        (Some("favouriteColour"), Some(1))
    );
    assert_eq!(
        (now["name"].as_str(), now["displayInAccordion"].as_str()),
        (Some("Dearest colour"), Some("loans"))
    );
    assert_eq!(now["metadata"]["createdByUsername"], "diku_admin");
    assert_eq!(
        now["metadata"]["createdDate"],
        colour["metadata"]["createdDate"]
    );

    let _ = client.delete(&path).await.expect(204);
    assert_eq!(
        names(&get(&client, FIELDS).await),
        [("favouriteColour_2", 1), ("member", 2)]
    );
    let gone = client.get(&path).await.expect(404);
    assert_eq!(
        gone.text,
        format!("CustomField not found by id: {}", id_of(&colour))
    );
    let _ = client.delete(&path).await.expect(404);
    let _ = client.put(&path, &changed).await.expect(404);
}

#[tokio::test]
async fn definitions_that_make_no_sense_are_refused_with_one_error() {
    let library = library().await;
    let client = library.client().await;
    let refused = client
        .post(
            FIELDS,
            &json!({"name": "A", "type": "RADIO_BUTTON", "entityType": "user"}),
        )
        .await
        .expect(422)
        .json();
    assert_eq!(
        refused["message"],
        "The 'selectField' property should be defined"
    );
    assert_eq!(
        (&refused["code"], &refused["type"]),
        (&json!("-1"), &json!("1"))
    );
    let refused = client
        .post(FIELDS, &json!({"name": "A"}))
        .await
        .expect(422)
        .json();
    assert_eq!(refused["errors"].as_array().map(Vec::len), Some(2));
    let text = field(
        &client,
        "Text",
        "TEXTBOX_SHORT",
        json!({"textField": {"fieldFormat": "EMAIL"}}),
    )
    .await;
    let mut other = text.clone();
    other["textField"]["fieldFormat"] = json!("URL");
    let refused = client
        .put(&path_of(FIELDS, &text), &other)
        .await
        .expect(422)
        .json();
    assert_eq!(
        refused["message"],
        "The format of the custom field can not be changed: newFormat = URL, oldFormat = EMAIL"
    );
    assert_eq!(
        refused["parameters"],
        json!([{"key": "fieldFormat", "value": "\"URL\""}])
    );
    other["type"] = json!("TEXTBOX_LONG");
    let refused = client
        .put(&path_of(FIELDS, &text), &other)
        .await
        .expect(422)
        .json();
    assert_eq!(refused["parameters"][0]["key"], "type");
}

#[tokio::test]
async fn values_of_users_fit_the_definitions() {
    let library = library().await;
    let client = library.client().await;
    let options = select(true, json!([{"value": "x"}, {"value": "y"}]));
    let _ = field(&client, "Several", "MULTI_SELECT_DROPDOWN", options).await;
    let _ = field(&client, "Born", "DATE_PICKER", json!({})).await;
    let wrong =
        json!({"several": ["opt_1", "opt_9"], "born": "yesterday", "unheard": "of", "empty": ""});
    let refused = client
        .post(USERS, &json!({"customFields": wrong}))
        .await
        .expect(422)
        .json();
    let errors = refused["errors"].as_array().expect("errors");
    let messages: Vec<_> = errors
        .iter()
        .filter_map(|one| one["message"].as_str())
        .collect();
    assert_eq!(
        messages,
        [
            "Field several can only have following values: [opt_1, opt_2]",
            "Invalid date format: yesterday",
            "Custom field with refId unheard is not found",
        ]
    );
    assert_eq!(
        first_error(&refused)[1..],
        ["several", "[\"opt_1\",\"opt_9\"]"]
    );
    let right = json!({"several": ["opt_1"], "born": "2001-02-03", "empty": ""});
    let mut stored = post(
        &client,
        USERS,
        json!({"username": "a", "customFields": right}),
    )
    .await;
    assert_eq!(
        stored["customFields"],
        json!({"several": ["opt_1"], "born": "2001-02-03"})
    );
    stored["customFields"]["born"] = json!(7);
    let refused = client
        .put(&path_of(USERS, &stored), &stored)
        .await
        .expect(422)
        .json();
    assert_eq!(
        first_error(&refused),
        ["Field with type DATE_PICKER must be a string", "born", "7"]
    );
}

#[tokio::test]
async fn use_is_counted_and_values_go_with_what_they_were_values_of() {
    let library = library().await;
    let client = library.client().await;
    let options = json!([{"value": "x"}, {"value": "y"}, {"value": "z", "default": true}]);
    let colour = field(
        &client,
        "Colour",
        "MULTI_SELECT_DROPDOWN",
        select(true, options),
    )
    .await;
    let note = field(&client, "Note", "TEXTBOX_LONG", json!({})).await;
    let mut users = Vec::new();
    for (name, value) in [
        ("a", json!(["opt_1", "opt_2"])),
        ("b", json!("opt_1")),
        ("c", json!(["opt_2"])),
    ] {
        let fields = json!({"colour": value, "note": "kept"});
        users.push(
            post(
                &client,
                USERS,
                json!({"username": name, "customFields": fields}),
            )
            .await,
        );
    }
    let _ = user(&client, "without").await;
    let path = path_of(FIELDS, &colour);
    let stats = get(&client, &format!("{path}/stats")).await;
    assert_eq!(
        stats,
        json!({"fieldId": colour["id"], "entityType": "user", "count": 3})
    );
    for (option, count) in [("opt_1", 2), ("opt_2", 2), ("opt_3", 0)] {
        let stats = get(&client, &format!("{path}/options/{option}/stats")).await;
        let wanted = json!({"optionId": option, "customFieldId": colour["id"], "entityType": "user", "count": count});
        assert_eq!(stats, wanted);
    }
    let refused = client
        .get(&format!("{path}/options/opt_9/stats"))
        .await
        .expect(422)
        .json();
    assert_eq!(refused["parameters"][0]["key"], "optId");
    let text = path_of(FIELDS, &note);
    let refused = client
        .get(&format!("{text}/options/opt_1/stats"))
        .await
        .expect(422)
        .json();
    assert_eq!(refused["parameters"][0]["key"], "type");
    let _ = client
        .get(&format!("{FIELDS}/{}/stats", unknown()))
        .await
        .expect(404);

    let mut fewer = colour.clone();
    fewer["selectField"]["options"]["values"] = json!([
        {"id": "opt_2", "value": "y"}, {"id": "opt_3", "value": "z", "default": true}]);
    let _ = client.put(&path, &fewer).await.expect(204);
    let mut values = Vec::new();
    for one in &users {
        values.push(get(&client, &path_of(USERS, one)).await["customFields"]["colour"].clone());
    }
    assert_eq!(values, [json!("opt_2"), json!("opt_3"), json!(["opt_2"])]);

    let _ = client.delete(&path).await.expect(204);
    for one in &users {
        let left = get(&client, &path_of(USERS, one)).await;
        assert_eq!(left["customFields"], json!({"note": "kept"}));
    }
}

#[tokio::test]
async fn the_whole_list_is_put_in_an_order_and_those_left_out_go() {
    let library = library().await;
    let client = library.client().await;
    let a = field(&client, "A", "TEXTBOX_SHORT", json!({})).await;
    let b = field(&client, "B", "TEXTBOX_SHORT", json!({})).await;
    let c = field(&client, "C", "TEXTBOX_SHORT", json!({})).await;
    let stored = post(
        &client,
        USERS,
        json!({"username": "u", "customFields": {"a": "1", "b": "2"}}),
    )
    .await;
    let new = json!({"name": "b", "type": "DATE_PICKER", "entityType": "user"});
    let list = json!({"customFields": [c, new, b], "entityType": "user"});
    let _ = client.put(FIELDS, &list).await.expect(204);
    assert_eq!(
        names(&get(&client, FIELDS).await),
        [("c", 1), ("b_2", 2), ("b", 3)]
    );
    let left = get(&client, &path_of(USERS, &stored)).await;
    assert_eq!(left["customFields"], json!({"b": "2"}));
    let _ = client.get(&path_of(FIELDS, &a)).await.expect(404);

    // All or nothing.
    let mut wrong = b.clone();
    wrong["type"] = json!("DATE_PICKER");
    let list = json!({"customFields": [wrong], "entityType": "user"});
    let _ = client.put(FIELDS, &list).await.expect(422);
    assert_eq!(get(&client, FIELDS).await["totalRecords"], 3);
    let list = json!({"customFields": [b], "entityType": "po_line"});
    let refused = client.put(FIELDS, &list).await.expect(422).json();
    assert_eq!(
        refused["message"],
        "Collection entityType 'po_line' does not match custom fields entityType 'user'"
    );
    let refused = client
        .put(FIELDS, &json!({"entityType": "user"}))
        .await
        .expect(422)
        .json();
    assert_eq!(first_error(&refused)[1], "customFields");
}

#[tokio::test]
async fn definitions_made_at_once_have_references_and_places_of_their_own() {
    let library = library().await;
    let client = library.client().await;
    let tasks = (0..6).map(|_| {
        let client = client.clone();
        tokio::spawn(async move { field(&client, "Same", "DATE_PICKER", json!({})).await })
    });
    for task in tasks.collect::<Vec<_>>() {
        let _ = task.await.expect("it is stored");
    }
    let all = get(&client, FIELDS).await;
    let wanted = [
        ("same", 1),
        ("same_2", 2),
        ("same_3", 3),
        ("same_4", 4),
        ("same_5", 5),
        ("same_6", 6),
    ];
    assert_eq!(names(&all), wanted);
}

#[tokio::test]
async fn a_value_that_is_stored_while_its_field_goes_goes_too() {
    let library = library().await;
    let client = library.client().await;
    for round in 0..8 {
        let made = field(&client, "Gone", "TEXTBOX_SHORT", json!({})).await;
        let path = path_of(FIELDS, &made);
        let stored = user(&client, &format!("u{round}")).await;
        let mut with = stored.clone();
        with["customFields"] = json!({"gone": "x"});
        let user_path = path_of(USERS, &stored);
        let (deleted, changed) = tokio::join!(client.delete(&path), client.put(&user_path, &with));
        assert_eq!(deleted.status, 204, "{}", deleted.text);
        assert!(matches!(changed.status, 204 | 422), "{}", changed.text);
        let left = get(&client, &user_path).await;
        assert!(left["customFields"]["gone"].is_null(), "{left}");
    }
}

#[tokio::test]
async fn values_of_more_users_than_one_statement_takes_go_whole() {
    let library = library().await;
    let client = library.client().await;
    let options = json!([{"value": "x"}, {"value": "y"}]);
    let colour = field(&client, "Colour", "RADIO_BUTTON", select(false, options)).await;
    let users = "INSERT INTO tenant_diku.users (id, jsonb) SELECT id, jsonb_build_object('id', id,
       'customFields', jsonb_build_object('colour', 'opt_' || number % 2 + 1))
     FROM generate_series(1, 4400) AS number, LATERAL (SELECT gen_random_uuid() AS id
       WHERE number > 0) AS made";
    let database = &library.platform.store.database;
    database
        .execute(users, &[])
        .await
        .expect("the users are stored");
    let path = path_of(FIELDS, &colour);
    let count = async || get(&client, &format!("{path}/stats")).await["count"].clone();
    assert_eq!(count().await, 4_400);
    let mut fewer = colour.clone();
    fewer["selectField"]["options"]["values"] = json!([{"id": "opt_2", "value": "y"}]);
    let _ = client.put(&path, &fewer).await.expect(204);
    assert_eq!(count().await, 2_200);
    let _ = client.delete(&path).await.expect(204);
    let left = "SELECT count(*) FROM tenant_diku.users WHERE jsonb->'customFields' ? 'colour'";
    let rows = database
        .query(left, &[])
        .await
        .expect("the users can be read");
    assert_eq!(rows[0].get::<_, i64>(0), 0);
}

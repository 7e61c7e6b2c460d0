//! Properties that an import does not change, and users who become inactive.

use super::*;
use octavo_server_testkit::library;

#[tokio::test]
async fn what_is_not_present_stays_when_that_is_wanted() {
    let library = library().await;
    let client = library.client().await;
    let mut first = sent(1);
    first["tags"] = json!({"tagList": ["kept"]});
    first["requestPreference"] = json!({"holdShelf": true, "delivery": false});
    first["personal"]["preferredFirstName"] = json!("Al");
    first["personal"]["addresses"] = json!([{"addressTypeId": "Home", "city": "Oslo"},
                                            {"addressTypeId": "Work", "city": "Bergen"}]);
    assert_eq!(counts(&run(&client, &import(&[first])).await), [1, 0, 0, 1]);
    let part = json!({"username": "reader1", "externalSystemId": "1",
        "personal": {"lastName": "Roe", "addresses": [{"addressTypeId": "Work", "city": "Rome"}]}});
    let part = with(import(&[part]), json!({"updateOnlyPresentFields": true}));
    assert_eq!(counts(&run(&client, &part).await), [0, 1, 0, 1]);
    let stored = user(&client, "1").await;
    assert_eq!(
        (&stored["barcode"], &stored["active"]),
        (&json!("b1"), &json!(true))
    );
    assert_eq!(stored["tags"]["tagList"], json!(["kept"]));
    let personal = &stored["personal"];
    assert_eq!(
        (&personal["lastName"], &personal["preferredFirstName"]),
        (&json!("Roe"), &json!("Al"))
    );
    let cities: Vec<&str> = personal["addresses"]
        .as_array()
        .expect("addresses")
        .iter()
        .filter_map(|one| one["city"].as_str())
        .collect();
    assert_eq!(cities, ["Oslo", "Rome"]);
    let preferences = client
        .get("/request-preference-storage/request-preference")
        .await;
    assert_eq!(preferences.expect(200).json()["totalRecords"], 1);
    // Without it a user is what came.
    let plain = json!({"username": "reader1", "externalSystemId": "1",
                       "personal": {"lastName": "Roe"}});
    assert_eq!(counts(&run(&client, &import(&[plain])).await), [0, 1, 0, 1]);
    let stored = user(&client, "1").await;
    assert!(
        stored.get("barcode").is_none() && stored.get("tags").is_none(),
        "{stored}"
    );
}

#[tokio::test]
async fn users_of_the_source_who_do_not_come_become_inactive() {
    let library = library().await;
    let client = library.client().await;
    let of = |source: &str, numbers: std::ops::Range<usize>| {
        let users: Vec<Value> = numbers
            .map(|number| {
                let mut user = sent(number);
                user["username"] = json!(format!("{source}{number}"));
                user["barcode"] = json!(format!("{source}{number}"));
                user
            })
            .collect();
        with(
            import(&users),
            json!({"sourceType": source, "deactivateMissingUsers": true}),
        )
    };
    assert_eq!(
        run(&client, &of("sis", 0..4)).await["message"],
        "Users were imported successfully."
    );
    let _ = run(&client, &of("hr", 0..2)).await;
    assert_eq!(user(&client, "sis_3").await["active"], true);
    // One cannot be stored: nobody is touched.
    let mut broken = of("sis", 0..2);
    broken["users"][1]["patronGroup"] = json!("nobody");
    let answer = run(&client, &broken).await;
    assert_eq!(
        answer["message"],
        "Users were imported successfully. Users were not deactivated because of import failures."
    );
    assert_eq!(counts(&answer), [0, 1, 1, 2]);
    assert_eq!(user(&client, "sis_3").await["active"], true);
    let answer = run(&client, &of("sis", 0..2)).await;
    assert_eq!(answer["message"], "Deactivated missing users.");
    assert_eq!(counts(&answer), [0, 2, 0, 2]);
    for (id, active) in [
        ("sis_0", true),
        ("sis_1", true),
        ("sis_2", false),
        ("sis_3", false),
        ("hr_0", true),
        ("hr_1", true),
    ] {
        assert_eq!(user(&client, id).await["active"], json!(active), "{id}");
    }
    let admin = client
        .query("/users", "username==diku_admin")
        .await
        .expect(200)
        .json();
    assert_eq!(admin["users"][0]["active"], true);
}

#[tokio::test]
async fn who_becomes_inactive_is_out_at_once() {
    let library = library().await;
    let client = library.client().await;
    let _ = run(&client, &import(&[sent(1)])).await;
    let id = user(&client, "1").await["id"].clone();
    let credentials = json!({"userId": id, "password": "secret"});
    let _ = client
        .post("/authn/credentials", &credentials)
        .await
        .expect(201);
    let reader = Client::log_in(library.address, "diku", "reader1", "secret").await;
    let _ = reader.get("/bl-users/_self").await.expect(200);
    let mut gone = sent(1);
    gone["active"] = json!(false);
    let _ = run(&client, &import(&[gone])).await;
    let _ = reader.get("/bl-users/_self").await.expect(401);
}

//! Storing, finding, changing and deleting calendars.

use serde_json::{Value, json};

use super::{CALENDARS, calendar, hours, library, path, stored};
use octavo_server_testkit::stock::{CIRC_DESK_1, CIRC_DESK_2};

fn names(page: &Value) -> Vec<&str> {
    let calendars = page["calendars"].as_array().expect("calendars");
    calendars
        .iter()
        .filter_map(|one| one["name"].as_str())
        .collect()
}

#[tokio::test]
async fn a_calendar_is_stored_as_it_was_sent_under_an_id_of_its_own() {
    let library = library().await;
    let client = library.client().await;
    let mut sent = calendar("Spring", "2026-01-01", "2026-06-30");
    let own = "11111111-1111-4111-8111-111111111111";
    sent["id"] = json!(own);
    sent["metadata"] = json!({"createdDate": "1999-01-01T00:00:00.000+00:00"});
    sent["unheardOf"] = json!(true);
    sent["normalHours"] = json!([hours("monday", "9:00", "17:00:59")]);
    assert_eq!(client.post(CALENDARS, &sent).await.status, 400);
    sent["normalHours"] = json!([hours("monday", "09:00", "17:00:59")]);
    sent["exceptions"] = json!([{"name": "Fest", "startDate": "2026-05-01", "endDate": "2026-05-02",
        "openings": [{"startDate": "2026-05-01", "startTime": "10:00", "endDate": "2026-05-02",
                      "endTime": "01:30"}]}]);
    let answer = stored(&client, &sent).await;
    assert_ne!(answer["id"], own);
    assert_eq!(answer.get("unheardOf"), None);
    assert_eq!(
        answer["normalHours"],
        json!([hours("MONDAY", "09:00:00", "17:00:00")])
    );
    assert_eq!(
        answer["exceptions"][0]["openings"][0]["endTime"],
        "01:30:00"
    );
    assert_eq!(answer["assignments"], json!([CIRC_DESK_1]));
    assert_eq!(answer["startDate"], "2026-01-01");
    assert!(answer["metadata"]["createdByUserId"].is_string());
    assert_ne!(
        answer["metadata"]["createdDate"],
        sent["metadata"]["createdDate"]
    );
    let read = client.get(&path(&answer)).await.expect(200).json();
    assert_eq!(read, answer);

    // A change keeps who made it, and may overlap what it was before.
    let mut changed = answer.clone();
    changed["name"] = json!("Spring and May");
    changed["metadata"]["createdDate"] = json!("1999-01-01T00:00:00.000+00:00");
    changed["id"] = json!(own);
    let put = client
        .put(&path(&answer), &changed)
        .await
        .expect(200)
        .json();
    assert_eq!(put["name"], "Spring and May");
    assert_eq!(put["id"], answer["id"]);
    assert_eq!(
        put["metadata"]["createdDate"],
        answer["metadata"]["createdDate"]
    );
    assert_eq!(client.get(&path(&answer)).await.expect(200).json(), put);

    let _ = client.delete(&path(&answer)).await.expect(204);
    let gone = client.get(&path(&answer)).await.expect(404).json();
    assert_eq!(gone["errors"][0]["code"], "calendarNotFound");
}

#[tokio::test]
async fn calendars_are_found_by_id_service_point_and_date() {
    let library = library().await;
    let client = library.client().await;
    let autumn = stored(&client, &calendar("Autumn", "2026-09-01", "2026-12-31")).await;
    let spring = stored(&client, &calendar("Spring", "2026-01-01", "2026-05-31")).await;
    let mut other = calendar("Summer elsewhere", "2026-06-01", "2026-08-31");
    other["assignments"] = json!([CIRC_DESK_2]);
    let summer = stored(&client, &other).await;
    other["name"] = json!("Nowhere");
    other["assignments"] = json!([]);
    let _ = stored(&client, &other).await;

    let id = |calendar: &Value| calendar["id"].as_str().expect("an id").to_owned();
    let (autumn, spring, summer) = (id(&autumn), id(&spring), id(&summer));
    let cases = [
        (
            String::new(),
            vec!["Spring", "Nowhere", "Summer elsewhere", "Autumn"],
        ),
        (format!("id={autumn}&id={spring}"), vec!["Spring", "Autumn"]),
        (
            format!("id={autumn},{summer}"),
            vec!["Summer elsewhere", "Autumn"],
        ),
        (
            format!("servicePointId={CIRC_DESK_1}"),
            vec!["Spring", "Autumn"],
        ),
        (
            format!(
                "servicePointId={CIRC_DESK_1}&servicePointId={CIRC_DESK_2}&startDate=2026-05-31"
            ),
            vec!["Spring", "Summer elsewhere", "Autumn"],
        ),
        (
            "startDate=2026-06-01&endDate=2026-08-31".to_owned(),
            vec!["Nowhere", "Summer elsewhere"],
        ),
        ("endDate=2026-05-31".to_owned(), vec!["Spring"]),
        (format!("id={autumn}&endDate=2026-08-31"), vec![]),
        ("startDate=2027-01-01".to_owned(), vec![]),
    ];
    for (query, expected) in cases {
        let page = client
            .get(&format!("{CALENDARS}?{query}"))
            .await
            .expect(200)
            .json();
        // Two begin on the same day; they are ordered by id.
        let mut found = names(&page);
        let mut wanted = expected.clone();
        assert_eq!(page["totalRecords"], expected.len(), "{query}");
        found.sort_unstable();
        wanted.sort_unstable();
        assert_eq!(found, wanted, "{query}");
    }
    let all = client.get(CALENDARS).await.expect(200).json();
    assert_eq!((names(&all)[0], names(&all)[3]), ("Spring", "Autumn"));
    let page = client
        .get(&format!("{CALENDARS}?offset=3&limit=1"))
        .await
        .expect(200)
        .json();
    assert_eq!(
        (names(&page), &page["totalRecords"]),
        (vec!["Autumn"], &json!(4))
    );
    let page = client
        .get(&format!("{CALENDARS}?limit=0"))
        .await
        .expect(200)
        .json();
    assert_eq!((names(&page).len(), &page["totalRecords"]), (0, &json!(4)));
    let page = client
        .get(&format!("{CALENDARS}?limit=2147483647"))
        .await
        .expect(200)
        .json();
    assert_eq!(names(&page).len(), 4);
}

#[tokio::test]
async fn several_are_deleted_at_once_or_none() {
    let library = library().await;
    let client = library.client().await;
    let one = stored(&client, &calendar("One", "2026-01-01", "2026-01-31")).await;
    let two = stored(&client, &calendar("Two", "2026-02-01", "2026-02-28")).await;
    let (one, two) = (
        one["id"].as_str().expect("an id"),
        two["id"].as_str().expect("an id"),
    );
    let unknown = "22222222-2222-4222-8222-222222222222";
    let refused = client
        .delete(&format!("{CALENDARS}?id={one}&id={unknown}"))
        .await
        .expect(404)
        .json();
    assert_eq!(refused["errors"][0]["code"], "calendarNotFound");
    assert_eq!(refused["errors"][0]["data"]["notFound"], json!([unknown]));
    assert_eq!(client.get(CALENDARS).await.json()["totalRecords"], 2);
    let _ = client
        .delete(&format!("{CALENDARS}?id={one}&id={two}&id={one}"))
        .await
        .expect(204);
    assert_eq!(client.get(CALENDARS).await.json()["totalRecords"], 0);
    let refused = client.delete(CALENDARS).await.expect(400).json();
    assert_eq!(refused["errors"][0]["code"], "invalidParameter");
}

#[tokio::test]
async fn the_demo_librarys_calendars_are_as_calendars_must_be() {
    let library = library().await;
    let client = library.client().await;
    let now = "2026-03-14T09:26:53Z".parse().expect("an instant");
    let places = octavo_demo::locations(now);
    let calendars = places.filter(|place| place.table == octavo_demo::table::CALENDAR);
    let mut count = 0;
    for document in calendars {
        let sent: Value = serde_json::from_str(&document.json).expect("JSON");
        let answer = stored(&client, &sent).await;
        // Stored as it was: the loader stores documents unread.
        for property in [
            "name",
            "startDate",
            "assignments",
            "normalHours",
            "exceptions",
        ] {
            assert_eq!(answer[property], sent[property]);
        }
        count += 1;
    }
    assert_eq!(count, 3);
}

//! Patrons' visits that have been quiet: found for clients, ended by the timer.

use serde_json::{Value, json};

use super::stocked;
use super::support::{refused, sql, timer};
use octavo_server_testkit::composition;

const EXPIRED: &str = "/patron-action-session-storage/expired-session-patron-ids";
const TIMER: &str = "/circulation/notice-session-expiration-by-timeout";

#[tokio::test]
async fn quiet_visits_are_found_and_ended_and_others_are_not() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let patron = |number: u8| format!("0b117416-8dcf-45a1-be9a-ffaa847c440{number}");
    // Two quiet ones, one of whom continues with another action, and one that is busy.
    for (number, action, minutes) in [
        (1, "Check-out", 60),
        (1, "Check-out", 50),
        (1, "Check-in", 1),
        (2, "Check-in", 40),
        (3, "Check-out", 90),
        (3, "Check-out", 0),
    ] {
        let row = format!(
            "INSERT INTO tenant_diku.patron_action_session (id, jsonb)
             SELECT id, jsonb_build_object('id', id, 'patronId', '{}', 'loanId', id,
               'actionType', '{action}', 'metadata', jsonb_build_object('createdDate',
                 to_char(now() AT TIME ZONE 'UTC' - {minutes} * interval '1 minute',
                   'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"+00:00\"')))
             FROM (SELECT gen_random_uuid() AS id) AS one RETURNING 1::bigint",
            patron(number)
        );
        sql(&library, &row).await;
    }
    let limit = (jiff::Timestamp::now() - jiff::SignedDuration::from_mins(30)).to_string();
    let path = format!("{EXPIRED}?session_inactivity_time_limit={limit}");
    let quiet =
        |number: u8, action: &str| json!({"patronId": patron(number), "actionType": action});
    let found = client.get(&path).await.expect(200).json();
    let both = [quiet(1, "Check-out"), quiet(2, "Check-in")];
    assert_eq!(found, json!({"expiredSessions": both}));
    for (more, expected) in [
        ("&limit=1", vec![&both[0]]),
        ("&action_type=Check-in", vec![&both[1]]),
        ("&limit=0", vec![]),
    ] {
        let found: Value = client
            .get(&format!("{path}{more}"))
            .await
            .expect(200)
            .json();
        assert_eq!(found, json!({"expiredSessions": expected}), "{more}");
    }
    let path = format!("{EXPIRED}?session_inactivity_time_limit=yesterday");
    let key = "session_inactivity_time_limit";
    refused(
        client.get(&path).await,
        "Date cannot be parsed",
        key,
        "yesterday",
    );
    let path = format!("{EXPIRED}?session_inactivity_time_limit={limit}&action_type=Stroll");
    refused(
        client.get(&path).await,
        "Invalid action type value",
        "action_type",
        "Stroll",
    );
    let _ = client.get(EXPIRED).await.expect(400);

    let count = "SELECT count(*) FROM tenant_diku.patron_action_session";
    let setting = json!({"name": "other_settings",
                         "value": {"checkoutTimeout": true, "checkoutTimeoutDuration": 45}});
    let _ = client
        .post("/circulation/settings", &setting)
        .await
        .expect(201);
    assert_eq!(timer(&library, &library.platform, TIMER).await, 204);
    assert_eq!(sql(&library, count).await, [4]);
    // Three minutes are the default; two processes do it at once.
    let setting = json!({"name": "other_settings", "value": {"checkoutTimeout": false}});
    let _ = client
        .post("/circulation/settings", &setting)
        .await
        .expect(201);
    let other = library.beside(composition).await;
    let _ = client
        .at(other.address)
        .get("/loan-storage/loans?limit=0")
        .await
        .expect(200);
    let (one, two) = tokio::join!(
        timer(&library, &library.platform, TIMER),
        timer(&library, &other.platform, TIMER),
    );
    assert_eq!((one, two), (204, 204));
    assert_eq!(sql(&library, count).await, [3]);
}

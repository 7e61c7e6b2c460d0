//! Patron records are sent as in the published plan; only those that a run created itself are
//! changed and deleted.

use octavo_driver::drive;
use octavo_driver::workload;

use crate::canned::{ALWAYS, Canned, WRITES, can, compare, play};
use crate::mini_folio::MiniFolio;
use crate::support::options;

const PATRON: [Canned; 9] = [
    (
        "PUT /perms/users/perm-1",
        200,
        r#"{"userId":"u-1"}"#,
        ALWAYS,
    ),
    (
        "GET /users?query=username==diku_admin",
        200,
        r#"{"users":[{"id":"me"}]}"#,
        ALWAYS,
    ),
    (
        "GET /users?query=active==true",
        200,
        r#"{"users":[{"id":"u-1","barcode":"b","personal":{"lastName":"Lem"}}]}"#,
        ALWAYS,
    ),
    (
        "GET /users/u-1",
        200,
        r#"{"id":"u-1","personal":{"lastName":"Lem","email":"old"}}"#,
        ALWAYS,
    ),
    (
        "GET /perms/users/u-1?",
        200,
        r#"{"id":"perm-1","userId":"u-1"}"#,
        ALWAYS,
    ),
    (
        "GET /service-points-users",
        200,
        r#"{"servicePointsUsers":[{"id":"spu-1"}]}"#,
        ALWAYS,
    ),
    (
        "GET /request-preference-storage",
        200,
        r#"{"requestPreferences":[{"id":"pref-1"}]}"#,
        ALWAYS,
    ),
    (
        "POST /request-preference-storage",
        201,
        r#"{"id":"pref-1"}"#,
        ALWAYS,
    ),
    ("POST /perms/users", 201, r#"{"userId":"u-1"}"#, ALWAYS),
];

#[test]
fn a_patron_record_is_created_with_preferences_and_permissions() {
    let folio = MiniFolio::start(0, 0);
    can(&folio, &PATRON);
    can(&folio, &WRITES);
    let (seen, summary) = play(&folio, "users-and-permissions", "create");
    let seen = &seen[1..];
    let body = |at: usize| serde_json::from_str::<serde_json::Value>(&seen[at].body).unwrap();
    let id = body(19)["id"].as_str().unwrap().to_owned();
    assert!(uuid::Uuid::parse_str(&id).is_ok());
    let plan = include_str!("plans/users-create.txt");
    assert_eq!(plan.lines().count(), 5 + 14 + 43);
    let values = [("uuid", id.as_str()), ("current_userID", "me")];
    compare(seen, plan, &values);
    assert_eq!(body(19)["patronGroup"], "pg-1");
    assert_eq!(
        (&body(20)["userId"], &body(21)["userId"]),
        (&id.clone().into(), &id.into())
    );
    assert_eq!(summary.transactions.len(), 4);
}

#[test]
fn a_patron_record_is_viewed_with_its_loans() {
    let folio = MiniFolio::start(0, 0);
    can(&folio, &PATRON);
    let (seen, _) = play(&folio, "users-and-permissions", "view-open-loans");
    let values = [
        ("uuid", "u-1"),
        ("keyword", "Lem"),
        ("current_userID", "me"),
    ];
    compare(&seen[1..], include_str!("plans/users-view.txt"), &values);
    let (seen, _) = play(&folio, "users-and-permissions", "search");
    let own = seen.len() - 4;
    compare(&seen[own..], include_str!("plans/users-search.txt"), &[]);
}

#[test]
fn only_users_that_were_created_are_changed_and_deleted() {
    let rows = crate::support::TempFile::new("u-1,Lem\n");
    let run = |branch: &str, canned: &[Canned]| {
        let folio = MiniFolio::start(0, 0);
        can(&folio, canned);
        can(&folio, &PATRON);
        can(&folio, &WRITES);
        let only = [branch.to_owned()];
        let workload = workload::load_branches("users-and-permissions", &only).unwrap();
        let mut options = options(&folio.url, workload, 1);
        options.weights = Some(vec![1]);
        options.files = vec![("created-users".to_owned(), rows.path().to_owned())];
        let summary = drive::run(options).unwrap();
        assert_eq!(summary.totals.errors, 0, "{:#?}", summary.failures);
        folio.seen_by_users().split_off(2)
    };
    let values = [
        ("uuid", "u-1"),
        ("keyword", "Lem"),
        ("current_userID", "me"),
        ("users_perm_id", "perm-1"),
        ("service_points_users_id", "spu-1"),
        ("request_preferences_id", "pref-1"),
    ];
    let seen = run("edit", &[]);
    compare(&seen, include_str!("plans/users-edit.txt"), &values);
    let put = &seen[seen.len() - 4];
    let put: serde_json::Value = serde_json::from_str(&put.body).unwrap();
    let personal = serde_json::json!({ "lastName": "Lem", "email": "new@mail.com" });
    assert_eq!(
        put,
        serde_json::json!({ "id": "u-1", "personal": personal })
    );
    assert_eq!(
        seen[seen.len() - 3].body,
        r#"{"id":"perm-1","userId":"u-1"}"#
    );
    let open = "GET /bl-users/by-id/u-1/open-transactions";
    let plan = include_str!("plans/users-delete.txt");
    let free: Canned = (open, 200, r#"{"hasOpenTransactions":false}"#, ALWAYS);
    compare(&run("delete", &[free]), plan, &values);
    let busy: Canned = (open, 200, r#"{"hasOpenTransactions":true}"#, ALWAYS);
    let (without, delete) = plan.trim_end().rsplit_once('\n').unwrap();
    assert!(delete.starts_with("DELETE "));
    compare(&run("delete", &[busy]), without, &values);
    // A workload that begins without users of its own has nothing to delete.
    let folio = MiniFolio::start(0, 0);
    can(&folio, &PATRON);
    let only = ["delete".to_owned()];
    let workload = workload::load_branches("users-and-permissions", &only).unwrap();
    let error = drive::run(options(&folio.url, workload, 1)).unwrap_err();
    assert!(
        error.to_string().contains("nothing for created-users"),
        "{error}"
    );
}

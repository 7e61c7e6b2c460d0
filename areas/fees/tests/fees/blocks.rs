//! Patron blocks that arise by themselves.

use jiff::{SignedDuration, Timestamp};
use octavo_testkit::Client;
use serde_json::{Value, json};
use uuid::Uuid;

use octavo_server_testkit::library;

const FACULTY: &str = "503a81cd-6c26-400f-b620-14c08943697c";
const CHARGED_OUT: &str = "3d7c52dc-c732-4223-8bf8-e5917801386f";
const LOST: &str = "72b67965-5b73-4840-bc0b-be8f3f6e047e";
const OVERDUE: &str = "584fbd4f-6a34-4730-a6ca-73a6a6a9d845";
const OVERDUE_RECALLS: &str = "e5b45031-a202-4abb-917b-e1df9346fe2c";
const RECALL_DAYS: &str = "08530ac4-07f2-48e6-9dda-a97bc2bf7053";
const BALANCE: &str = "cf7a0d5f-a327-4ca1-aa9e-dc55ec006b8a";

/// A patron of the faculty.
struct Patron<'a> {
    client: &'a Client,
    id: Uuid,
}

impl<'a> Patron<'a> {
    async fn new(client: &'a Client) -> Patron<'a> {
        let id = Uuid::new_v4();
        let user = json!({"id": id, "username": format!("patron-{id}"), "active": true,
                          "patronGroup": FACULTY, "personal": {"lastName": "Patron"}});
        let _ = client.post("/users", &user).await.expect(201);
        Patron { client, id }
    }

    async fn borrows(&self, due_in: SignedDuration, more: Value) -> Uuid {
        let id = Uuid::new_v4();
        let mut loan = json!({"id": id, "userId": self.id, "itemId": Uuid::new_v4(),
                              "status": {"name": "Open"}, "action": "checkedout",
                              "itemStatus": "Checked out",
                              "loanDate": "2024-01-01T00:00:00Z",
                              "dueDate": (Timestamp::now() + due_in).to_string()});
        for (name, value) in more.as_object().expect("properties") {
            loan[name] = value.clone();
        }
        let _ = self
            .client
            .post("/loan-storage/loans", &loan)
            .await
            .expect(201);
        id
    }

    async fn owes(&self, remaining: f64, loan: Option<Uuid>) {
        let mut account = json!({"id": Uuid::new_v4(), "userId": self.id, "amount": remaining, "remaining": remaining,
                                 "status": {"name": "Open"},
                                 "paymentStatus": {"name": "Outstanding"},
                                 "feeFineId": Uuid::new_v4(), "ownerId": Uuid::new_v4()});
        if let Some(loan) = loan {
            account["loanId"] = json!(loan);
        }
        let _ = self.client.post("/accounts", &account).await.expect(201);
    }

    /// The blocks as (condition, borrowing, renewals).
    async fn blocks(&self) -> Vec<(String, bool, bool)> {
        let path = format!("/automated-patron-blocks/{}?limit=100", self.id);
        let answer = self.client.get(&path).await.expect(200).json();
        let blocks = answer["automatedPatronBlocks"].as_array().expect("a list");
        // Strict clients know nothing else of this list.
        assert_eq!(answer.as_object().map(serde_json::Map::len), Some(1));
        let flag = |block: &Value, name: &str| block[name].as_bool().expect("a flag");
        blocks
            .iter()
            .map(|block| {
                assert_eq!(block["message"], "Please see the desk");
                let id = block["patronBlockConditionId"]
                    .as_str()
                    .expect("an id")
                    .to_owned();
                (
                    id,
                    flag(block, "blockBorrowing"),
                    flag(block, "blockRenewals"),
                )
            })
            .collect()
    }
}

/// Makes a condition block everything beyond a limit.
async fn limit(client: &Client, condition: &str, value: f64) {
    let path = format!("/patron-block-conditions/{condition}");
    let mut stored = client.get(&path).await.expect(200).json();
    for flag in ["blockBorrowing", "blockRenewals", "blockRequests"] {
        stored[flag] = json!(true);
    }
    stored["message"] = json!("Please see the desk");
    let _ = client.put(&path, &stored).await.expect(204);
    let limit = json!({"id": Uuid::new_v4(), "patronGroupId": FACULTY,
                       "conditionId": condition, "value": value});
    let _ = client
        .post("/patron-block-limits", &limit)
        .await
        .expect(201);
}

fn hours(hours: i64) -> SignedDuration {
    SignedDuration::from_hours(hours)
}

fn all(condition: &str) -> Vec<(String, bool, bool)> {
    vec![(condition.to_owned(), true, true)]
}

#[tokio::test]
async fn reaching_the_number_of_loans_stops_borrowing_and_passing_it_the_rest() {
    let library = library().await;
    let client = library.client().await;
    limit(&client, CHARGED_OUT, 2.0).await;
    let patron = Patron::new(&client).await;
    assert_eq!(patron.blocks().await, []);
    let _ = patron.borrows(hours(24), json!({})).await;
    let _ = patron
        .borrows(hours(24), json!({"itemStatus": "Claimed returned"}))
        .await;
    let _ = patron
        .borrows(hours(24), json!({"status": {"name": "Closed"}}))
        .await;
    assert_eq!(patron.blocks().await, []);
    let _ = patron.borrows(hours(24), json!({})).await;
    assert_eq!(
        patron.blocks().await,
        [(CHARGED_OUT.to_owned(), true, false)]
    );
    let _ = patron.borrows(hours(24), json!({})).await;
    assert_eq!(patron.blocks().await, all(CHARGED_OUT));
    let other = Patron::new(&client).await;
    assert_eq!(other.blocks().await, []);
}

#[tokio::test]
async fn what_is_late_or_lost_counts() {
    let library = library().await;
    let client = library.client().await;
    limit(&client, OVERDUE, 1.0).await;
    limit(&client, LOST, 0.0).await;
    let policy = json!({"id": Uuid::new_v4(), "name": "A week's grace", "loanable": true,
        "renewable": false,
        "loansPolicy": {"profileId": "Rolling", "period": {"duration": 3, "intervalId": "Weeks"},
            "closedLibraryDueDateManagementId": "CURRENT_DUE_DATE_TIME",
            "gracePeriod": {"duration": 1, "intervalId": "Weeks"}}});
    let _ = client
        .post("/loan-policy-storage/loan-policies", &policy)
        .await
        .expect(201);
    let patron = Patron::new(&client).await;
    let graceful = json!({"loanPolicyId": policy["id"]});
    let _ = patron.borrows(hours(-24), json!({})).await;
    let _ = patron.borrows(hours(-24), graceful.clone()).await;
    let _ = patron
        .borrows(hours(-24), json!({"itemStatus": "Claimed returned"}))
        .await;
    assert_eq!(patron.blocks().await, []);
    let _ = patron.borrows(hours(-24 * 8), graceful).await;
    assert_eq!(patron.blocks().await, all(OVERDUE));

    let patron = Patron::new(&client).await;
    let _ = patron
        .borrows(hours(24), json!({"itemStatus": "Aged to lost"}))
        .await;
    assert_eq!(patron.blocks().await, all(LOST));
}

#[tokio::test]
async fn recalls_that_are_late_count_by_number_and_by_days() {
    let library = library().await;
    let client = library.client().await;
    limit(&client, OVERDUE_RECALLS, 1.0).await;
    limit(&client, RECALL_DAYS, 3.0).await;
    let patron = Patron::new(&client).await;
    let recalled = json!({"dueDateChangedByRecall": true});
    let _ = patron.borrows(hours(-24 * 9), json!({})).await;
    let _ = patron.borrows(hours(-24 * 2), recalled.clone()).await;
    assert_eq!(patron.blocks().await, []);
    let _ = patron.borrows(hours(-1), recalled.clone()).await;
    assert_eq!(patron.blocks().await, all(OVERDUE_RECALLS));
    let patron = Patron::new(&client).await;
    // Three days and an hour are in the fourth day.
    let _ = patron.borrows(hours(-73), recalled).await;
    assert_eq!(patron.blocks().await, all(RECALL_DAYS));
}

#[tokio::test]
async fn debts_count_but_not_those_on_what_is_claimed_returned() {
    let library = library().await;
    let client = library.client().await;
    limit(&client, BALANCE, 10.5).await;
    let patron = Patron::new(&client).await;
    let claimed = patron
        .borrows(hours(24), json!({"itemStatus": "Claimed returned"}))
        .await;
    patron.owes(50.0, Some(claimed)).await;
    patron.owes(10.5, None).await;
    assert_eq!(patron.blocks().await, []);
    patron.owes(0.01, None).await;
    assert_eq!(patron.blocks().await, all(BALANCE));
}

#[tokio::test]
async fn conditions_and_limits_have_rules_of_their_own() {
    let library = library().await;
    let client = library.client().await;
    let unknown = format!("/automated-patron-blocks/{}", Uuid::new_v4());
    assert_eq!(
        client.get(&unknown).await.expect(200).json()["automatedPatronBlocks"],
        json!([])
    );
    let malformed = client.get("/automated-patron-blocks/7").await.expect(400);
    assert_eq!(malformed.text, "Invalid user UUID: \"7\"");

    let path = format!("/patron-block-conditions/{LOST}");
    let mut condition = client.get(&path).await.expect(200).json();
    condition["message"] = json!("Please see the desk");
    let refused = client.put(&path, &condition).await.expect(422).json();
    assert_eq!(
        refused["errors"][0]["parameters"][0]["key"],
        "patron block condition id"
    );
    condition["blockRequests"] = json!(true);
    let _ = client.put(&path, &condition).await.expect(204);
    assert_eq!(client.delete(&path).await.status, 404);
    assert_eq!(
        client
            .post("/patron-block-conditions", &condition)
            .await
            .status,
        404
    );

    let mut limit = json!({"id": Uuid::new_v4(), "patronGroupId": FACULTY, "conditionId": LOST,
                           "value": 1.5});
    let refused = client
        .post("/patron-block-limits", &limit)
        .await
        .expect(422)
        .json();
    assert_eq!(
        refused["errors"][0]["message"],
        "Must be blank or an integer from 0 to 999999"
    );
    limit["conditionId"] = json!(BALANCE);
    let _ = client
        .post("/patron-block-limits", &limit)
        .await
        .expect(201);
    limit["value"] = json!(-1);
    let path = format!(
        "/patron-block-limits/{}",
        limit["id"].as_str().expect("an id")
    );
    let refused = client.put(&path, &limit).await.expect(422).json();
    assert_eq!(
        refused["errors"][0]["message"],
        "Must be blank or a number from 0.00 to 999999.99"
    );
    let _ = client.delete(&path).await.expect(204);
}

//! A due date changed by hand, information added to a loan, and a recall.

use octavo_circulation::app::{Declined, Desk, recall};
use octavo_circulation::config_cache::ConfigCache;
use octavo_circulation::store::{Tables, loan, policy};
use octavo_library::LoanId;
use octavo_records::Stamp;
use serde_json::{Value, json};
use uuid::Uuid;

use super::lent::{Lent, OwnPolicy, parameters};
use super::{IN, check_in, messages, stocked};
use octavo_server_testkit::stock::CIRC_DESK_1;

const FAR: &str = "2125-11-01T10:00:00Z";

fn path(loan: &str) -> String {
    format!("/circulation/loans/{loan}/change-due-date")
}

#[tokio::test]
async fn a_due_date_is_changed_and_told() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let lent = Lent::new(&stock, "1", FAR).await;
    let billed = json!({"lastFeeBilled": {"number": 1, "date": "2026-11-20T10:00:00Z"}});
    let recalled = json!({"reminders": billed, "dueDateChangedByRecall": true});
    lent.with(client, recalled).await;
    // A date in the past is as good as any.
    let body = json!({"dueDate": "2020-01-02T03:04:05+01:00"});
    let answer = client.post(&path(&lent.loan), &body).await.expect(204);
    assert_eq!(answer.text, "");
    let loan = lent.loan(client).await;
    assert_eq!(loan["dueDate"], "2020-01-02T02:04:05.000+00:00");
    assert_eq!(loan["dueDateChangedByRecall"], false);
    assert!(loan.get("reminders").is_none());
    let sql = "SELECT new FROM tenant_diku.outbox \
               WHERE topic = 'circulation.LOAN_DUE_DATE_CHANGED'";
    let database = &library.platform.store.database;
    let rows = database.query(sql, &[]).await.expect("the outbox");
    let event: Value = rows[0].get(0);
    assert_eq!(
        event,
        json!({"userId": lent.patron, "loanId": lent.loan, "dueDateChangedByRecall": false,
               "dueDate": "2020-01-02T02:04:05.000Z"})
    );
    let sql =
        "SELECT jsonb FROM tenant_diku.circulation_logs WHERE jsonb->>'action' <> 'Checked out'";
    let rows = database.query(sql, &[]).await.expect("the log");
    let line: Value = rows[0].get(0);
    assert_eq!(line["object"], "Loan");
    assert_eq!(line["action"], "Changed due date");
    assert_eq!(line["userBarcode"], "p-1");
    assert_eq!(line["items"][0]["itemBarcode"], "i-1");
    assert_eq!(line["servicePointId"], CIRC_DESK_1);
    assert_eq!(line["linkToIds"]["userId"], json!(lent.patron));
    // While a recall waits the loan stays marked.
    lent.with(client, json!({"dueDateChangedByRecall": true}))
        .await;
    let _ = lent.requested(&stock, "Recall", "p-recalls").await;
    let _ = client.post(&path(&lent.loan), &body).await.expect(204);
    assert_eq!(lent.loan(client).await["dueDateChangedByRecall"], true);
}

#[tokio::test]
async fn some_loans_keep_their_due_date() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let lent = Lent::new(&stock, "2", FAR).await;
    let body = json!({"dueDate": "2130-01-01T00:00:00Z"});
    let nothing = Uuid::new_v4();
    let answer = client
        .post(&path(&nothing.to_string()), &body)
        .await
        .expect(404);
    assert_eq!(
        answer.text,
        format!("loan record with ID \"{nothing}\" cannot be found")
    );
    let before = lent.records(client).await;
    let answer = client
        .post(&path(&lent.loan), &json!({}))
        .await
        .expect(422)
        .json();
    assert_eq!(
        messages(&answer),
        ["A new due date is required in order to change the due date"]
    );
    let no_date = ("dueDate".to_owned(), Value::Null);
    assert_eq!(parameters(&answer["errors"][0]), [no_date]);
    let soon = json!({"dueDate": "soon"});
    let _ = client.post(&path(&lent.loan), &soon).await.expect(422);
    let number = json!({"dueDate": 7});
    let _ = client.post(&path(&lent.loan), &number).await.expect(422);
    assert_eq!(lent.records(client).await, before);
    for status in ["Declared lost", "Claimed returned", "Aged to lost"] {
        lent.status(client, status).await;
        let before = lent.records(client).await;
        let answer = client
            .post(&path(&lent.loan), &body)
            .await
            .expect(422)
            .json();
        assert_eq!(messages(&answer), [format!("item is {status}")]);
        let item = ("itemId".to_owned(), json!(lent.item));
        assert_eq!(parameters(&answer["errors"][0]), [item]);
        assert_eq!(lent.records(client).await, before);
    }
    lent.status(client, "Checked out").await;
    let _ = client
        .post(IN, &check_in("i-2", CIRC_DESK_1))
        .await
        .expect(200);
    let answer = client
        .post(&path(&lent.loan), &body)
        .await
        .expect(422)
        .json();
    assert_eq!(messages(&answer), ["Loan is closed"]);
    let loan = ("loanId".to_owned(), json!(lent.loan));
    assert_eq!(parameters(&answer["errors"][0]), [loan]);
}

#[tokio::test]
async fn information_is_added_to_a_loan() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let lent = Lent::new(&stock, "3", FAR).await;
    let path = format!("/circulation/loans/{}/add-info", lent.loan);
    for action in ["patronInfoAdded", "staffInfoAdded"] {
        let body = json!({"action": action, "actionComment": format!("A word ({action})")});
        let _ = client.post(&path, &body).await.expect(204);
        let loan = lent.loan(client).await;
        assert_eq!(loan["action"], action);
        assert_eq!(loan["actionComment"], format!("A word ({action})"));
    }
    let sql = "SELECT jsonb->>'action' FROM tenant_diku.circulation_logs ORDER BY jsonb->>'date'";
    let database = &library.platform.store.database;
    let rows = database.query(sql, &[]).await.expect("the log");
    let lines: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
    assert_eq!(
        lines,
        ["Checked out", "Patron info added", "Staff info added"]
    );
    let before = lent.records(client).await;
    for body in [
        json!({}),
        json!({"action": "patronInfoAdded", "actionComment": " "}),
        json!({"action": "renewed", "actionComment": "A word"}),
    ] {
        let answer = client.post(&path, &body).await.expect(422).json();
        assert_eq!(
            messages(&answer),
            [
                "An action of type patronInfoAdded or staffInfoAdded, with associated \
                 actionComment, required in order to add info"
            ]
        );
        let action = ("action".to_owned(), Value::Null);
        assert_eq!(parameters(&answer["errors"][0]), [action]);
    }
    assert_eq!(lent.records(client).await, before);
    let nothing = format!("/circulation/loans/{}/add-info", Uuid::new_v4());
    let body = json!({"action": "staffInfoAdded", "actionComment": "A word"});
    let _ = client.post(&nothing, &body).await.expect(404);
}

#[tokio::test]
async fn a_recall_brings_the_due_date_forward_once() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let policy = OwnPolicy::new(&stock).await;
    let week = json!({"requestManagement": {"recalls": {
        "recallReturnInterval": {"duration": 7, "intervalId": "Days"}}}});
    policy.say(client, &week).await;
    let lent = Lent::new(&stock, "4", FAR).await;
    // The storage does nothing of the kind.
    let _ = lent.requested(&stock, "Recall", "p-recalls").await;
    let before = lent.loan(client).await;
    assert!(before.get("dueDateChangedByRecall").is_none());

    let store = &library.platform.store;
    let (tenant, cache) = (library.tenant(), ConfigCache::default());
    let desk = Desk {
        context: octavo_records::Context {
            store,
            tenant: &tenant,
            stamp: Stamp::now(None),
        },
        cache: &cache,
    };
    let id = LoanId::parse(&lent.loan).expect("an id");
    let shorten = async || -> Result<_, Declined> {
        let transaction = store.database.transaction().await?;
        let tables: Tables<'_> = desk.tables();
        let terms = policy::tenant_terms(&transaction, tables).await?;
        let held = loan::at_hand(&transaction, tables, id).await?;
        let held = held.expect("the loan");
        let recalled = recall::shorten(desk, &transaction, &terms, &held).await?;
        transaction.commit().await?;
        Ok(recalled)
    };
    let recalled = shorten().await.expect("a recall").expect("a change");
    assert_eq!(recalled.loan_id, id);
    let loan = lent.loan(client).await;
    assert_eq!(loan["action"], "recallrequested");
    assert_eq!(loan["dueDateChangedByRecall"], true);
    // A week from now is long before the loan was due.
    assert!(loan["dueDate"].as_str() < before["dueDate"].as_str());
    assert_eq!(shorten().await.expect("no fault"), None);
    assert_eq!(lent.loan(client).await["dueDate"], loan["dueDate"]);
    let sql = "SELECT jsonb->>'action' FROM tenant_diku.circulation_logs ORDER BY jsonb->>'date'";
    let rows = store.database.query(sql, &[]).await.expect("the log");
    let lines: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
    assert_eq!(lines, ["Checked out", "Recall requested"]);
}

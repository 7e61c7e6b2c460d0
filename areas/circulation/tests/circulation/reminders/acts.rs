//! Acts that set or change a due date, and how reminders follow it.

use octavo_circulation::app::recall;
use octavo_circulation::store::{Tables, loan, policy};
use octavo_library::LoanId;

use super::*;
use crate::messages;

const RENEW: &str = "/circulation/renew-by-barcode";

#[tokio::test]
async fn a_policy_without_reminders_plans_none_and_a_calendar_without_days_neither() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let _ = OwnPolicy::new(&stock).await;
    let lent = Lent::new(&stock, "1", LENT).await;
    assert_eq!(notices(client, &lent.loan).await.len(), 0);
    reminding(client, json!({"reminderSchedule": []})).await;
    let lent = Lent::new(&stock, "2", LENT).await;
    assert_eq!(notices(client, &lent.loan).await.len(), 0);
    // No day is known to be open.
    reminding(client, schedule()).await;
    let lent = Lent::new(&stock, "3", LENT).await;
    assert_eq!(notices(client, &lent.loan).await.len(), 0);
    let mut counting = schedule();
    counting["countClosed"] = json!(true);
    reminding(client, counting).await;
    let lent = Lent::new(&stock, "4", LENT).await;
    assert_eq!(due(client, &lent.loan).await, "2024-03-03T10:00");
}

#[tokio::test]
async fn a_renewal_begins_them_anew() {
    let (library, stock) = reminding_library().await;
    let client = &stock.client;
    let lent = Lent::new(&stock, "1", LENT).await;
    assert_eq!(run(&library, "2024-03-04T10:00:00Z").await, billed());
    let planned = notices(client, &lent.loan).await;
    let renewed = client.post(RENEW, &lent.renewal()).await.expect(200).json();
    assert_eq!(renewed["dueDate"], "2024-04-01T10:00:00.000Z");
    assert!(renewed.get("reminders").is_none());
    assert_eq!(due(client, &lent.loan).await, "2024-04-02T10:00");
    assert_ne!(notices(client, &lent.loan).await[0]["id"], planned[0]["id"]);
    // Those of the time before are not sent any more; from the new date on it is the first again.
    assert_eq!(
        run(&library, "2024-03-15T10:00:00Z").await,
        Reminded::default()
    );
    assert_eq!(run(&library, "2024-04-02T10:00:00Z").await, billed());
    assert_eq!(number(&lent, client).await, 1);
    assert_eq!(accounts(client, &lent.loan).await.len(), 2);
    assert_in_order(&library).await;
}

#[tokio::test]
async fn a_loan_with_reminders_is_renewed_only_where_the_policy_allows_it() {
    let (library, stock) = reminding_library().await;
    let client = &stock.client;
    let mut strict = schedule();
    strict["allowRenewalOfItemsWithReminderFees"] = json!(false);
    reminding(client, strict).await;
    let lent = Lent::new(&stock, "1", LENT).await;
    // Before the first reminder nothing prevents it.
    let _ = client.post(RENEW, &lent.renewal()).await.expect(200);
    assert_eq!(run(&library, "2024-04-02T10:00:00Z").await, billed());
    let planned = notices(client, &lent.loan).await;
    let refused = client.post(RENEW, &lent.renewal()).await.expect(422).json();
    let message = "Renewals not allowed for loans with reminders.";
    assert_eq!(messages(&refused), [message]);
    assert_eq!(notices(client, &lent.loan).await, planned);
    let path = format!("/circulation/loans/{}", lent.loan);
    let shown = client.get(&path).await.expect(200).json();
    assert_eq!(shown["reminders"]["renewalBlocked"], true);
    // An override lifts it, and the reminders begin again.
    let mut body = lent.renewal();
    body["overrideBlocks"] = json!({"renewalBlock": {}, "comment": "Paid at the desk"});
    let renewed = client.post(RENEW, &body).await.expect(200).json();
    assert_eq!(renewed["action"], "renewedThroughOverride");
    assert_eq!(number(&lent, client).await, Value::Null);
    assert_eq!(due(client, &lent.loan).await, "2024-05-02T10:00");
    assert_in_order(&library).await;
}

#[tokio::test]
async fn a_new_due_date_begins_them_anew_whoever_sets_it() {
    let (library, stock) = reminding_library().await;
    let client = &stock.client;
    let lent = Lent::new(&stock, "1", LENT).await;
    assert_eq!(run(&library, "2024-03-04T10:00:00Z").await, billed());
    let path = format!("/circulation/loans/{}/change-due-date", lent.loan);
    let body = json!({"dueDate": "2024-03-14T12:00:00Z"});
    let _ = client.post(&path, &body).await.expect(204);
    assert_eq!(number(&lent, client).await, Value::Null);
    // Friday is open.
    assert_eq!(due(client, &lent.loan).await, "2024-03-15T12:00");

    // The loan written whole: with the same date nothing moves, with another one it does.
    let path = format!("/circulation/loans/{}", lent.loan);
    let mut loan = client.get(&path).await.expect(200).json();
    let planned = notices(client, &lent.loan).await;
    let _ = client.put(&path, &loan).await.expect(204);
    assert_eq!(notices(client, &lent.loan).await, planned);
    loan["dueDate"] = json!("2024-03-20T12:00:00Z");
    let _ = client.put(&path, &loan).await.expect(204);
    assert_eq!(due(client, &lent.loan).await, "2024-03-21T12:00");
    assert_in_order(&library).await;
}

#[tokio::test]
async fn a_recall_begins_them_anew() {
    let (library, stock) = reminding_library().await;
    let client = &stock.client;
    let lent = Lent::new(&stock, "1", LENT).await;
    let mut loan = lent.loan(client).await;
    loan["reminders"] = json!({"lastFeeBilled": {"number": 1, "date": "2024-03-04T10:00:00Z"}});
    let path = format!("/loan-storage/loans/{}", lent.loan);
    let _ = client.put(&path, &loan).await.expect(204);
    let planned = notices(client, &lent.loan).await;
    let (tenant, cache) = (library.tenant(), ConfigCache::default());
    let store = &library.platform.store;
    let at = "2024-02-10T10:00:00Z".parse().expect("an instant");
    let desk = Desk {
        context: octavo_records::Context {
            store,
            tenant: &tenant,
            stamp: Stamp { user_id: None, at },
        },
        cache: &cache,
    };
    let tables = Tables {
        tenant: &tenant,
        catalog: &store.catalog,
    };
    let id = LoanId::parse(&lent.loan).expect("an id");
    let transaction = store.database.transaction().await.expect("a transaction");
    let held = loan::at_hand(&transaction, tables, id).await.expect("read");
    let terms = policy::tenant_terms(&transaction, tables)
        .await
        .expect("terms");
    let recalled = recall::shorten(desk, &transaction, &terms, &held.expect("a loan")).await;
    let _ = recalled.expect("a recall").expect("a change");
    transaction.commit().await.expect("committed");
    assert_eq!(number(&lent, client).await, Value::Null);
    let again = notices(client, &lent.loan).await;
    assert_eq!(again.len(), 1);
    assert_ne!(again[0]["id"], planned[0]["id"]);
    assert_in_order(&library).await;
}

//! Fees that circulation charges by itself: each fee's notice, and the fines of a visit together.

use octavo_circulation::app::digest_notices::{FINES, send_digests};
use octavo_circulation::app::due_notices::OF_FEES;
use octavo_circulation::app::fee_notices::{FeeToNotify, charged};
use octavo_circulation::store::loan::at_hand;
use octavo_circulation::store::policy::tenant_terms;
use octavo_library::{FeeFineActionId, LoanId};
use uuid::Uuid;

use super::*;

const SESSION: &str = "2c0a3be2-2a8f-4c8b-a5d0-5b3f0f6f0d11";

/// A charge for a loan, with its notices to come; returns the account.
async fn charge(library: &Library, client: &Client, lent: &Lent, event: Event) -> Value {
    let kind = match event {
        Event::AgedToLostFineCharged => "Lost item fee",
        _ => "Overdue fine",
    };
    let account = json!({"id": Uuid::new_v4(), "amount": 2.5, "remaining": 2.5, "status": {"name": "Open"},
        "paymentStatus": {"name": "Outstanding"}, "feeFineType": kind, "feeFineOwner": "Town",
        "feeFineId": "9523cb96-e752-40c2-89da-60f3961a488d", "ownerId": Uuid::new_v4(),
        "userId": lent.patron, "loanId": lent.loan, "itemId": lent.item});
    let account = client.post("/accounts", &account).await.expect(201).json();
    let action = json!({"accountId": account["id"], "typeAction": kind, "amountAction": 2.5,
        "balance": 2.5, "dateAction": "2024-03-05T10:00:00.000+00:00", "userId": lent.patron,
        "source": "System", "comments": "STAFF : seen \n PATRON : Sorry"});
    let action = client
        .post("/feefineactions", &action)
        .await
        .expect(201)
        .json();
    let (tenant, cache) = (library.tenant(), ConfigCache::default());
    let desk = desk_at(&library.platform, &tenant, &cache, "2024-03-05T10:00:00Z");
    let transaction = library.platform.store.database.transaction().await;
    let transaction = transaction.expect("a transaction");
    let terms = tenant_terms(&transaction, desk.tables())
        .await
        .expect("the terms");
    let rules = desk.rules(&transaction, &terms).await.expect("the rules");
    let config = desk.config(&transaction, &terms).await.expect("the house");
    let loan_id = LoanId::parse(&lent.loan).expect("an id");
    let found = at_hand(&transaction, desk.tables(), loan_id).await;
    let found = found.expect("it can be read").expect("the loan");
    let (item, borrower) = (
        found.item.expect("the item"),
        found.patron.expect("the borrower"),
    );
    let fee = FeeToNotify {
        event,
        loan_id,
        item: &item.item,
        borrower: &borrower,
        action_id: action["id"]
            .as_str()
            .and_then(FeeFineActionId::parse)
            .expect("an id"),
        at: desk.stamp.at,
        session_id: (event == Event::OverdueFineReturned).then(|| SESSION.parse().expect("an id")),
    };
    let put = charged(desk, &transaction, (&rules, &config), &[fee]).await;
    put.expect("the notices are written");
    transaction.commit().await.expect("permanent");
    account
}

async fn charging() -> (Library, Stock, SmtpServer) {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let server = mail_server(client).await;
    let fee = "{{feeCharge.type}} {{feeCharge.amount}} of {{feeCharge.owner}} \
               {{feeCharge.paymentStatus}} {{feeCharge.additionalInfo}}";
    let each = format!("{{{{#feeCharges}}}}{{{{item.barcode}}}}: {fee};{{{{/feeCharges}}}}");
    template(client, 1, &format!("<p>Fines: {each}</p>")).await;
    template(
        client,
        2,
        &format!("<p>Lost {{{{item.barcode}}}}: {fee}</p>"),
    )
    .await;
    let _ = OwnPolicy::new(&stock).await;
    let notices = json!({"feeFineNotices": [
        notice(1, "Upon At", "Overdue fine returned"),
        every(by(notice(2, "After", "Aged to lost - fine charged"), 1, "Days"), 1, "Weeks"),
    ]});
    let _ = telling(client, notices).await;
    (library, stock, server)
}

#[tokio::test]
async fn the_fines_of_a_visit_are_told_of_together_when_it_has_ended() {
    let (library, stock, server) = charging().await;
    let client = &stock.client;
    let one = Lent::new(&stock, "1", LENT).await;
    address(client, &one.patron, "b@example.org").await;
    let item = stock.item("i-2").await;
    let made = client.post(OUT, &check_out("i-2", "p-1")).await;
    let loan = made.expect(201).json()["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    let two = Lent {
        item,
        loan,
        item_barcode: "i-2".to_owned(),
        ..one.clone()
    };
    for lent in [&one, &two] {
        let mut body = check_in(&lent.item_barcode, CIRC_DESK_1);
        body["sessionId"] = json!(SESSION);
        let _ = client.post(IN, &body).await.expect(200);
        let _ = charge(&library, client, lent, Event::OverdueFineReturned).await;
    }
    let digest = async || {
        let (tenant, cache) = (library.tenant(), ConfigCache::default());
        let desk = desk_at(&library.platform, &tenant, &cache, "2024-03-05T10:00:30Z");
        send_digests(desk, unhurried(&Room::default()), FINES)
            .await
            .expect("a run")
    };
    // The visit continues.
    assert_eq!(digest().await, Sent::default());
    let body = json!({"endSessions": [{"patronId": one.patron, "actionType": "Check-in"}]});
    let path = "/circulation/end-patron-action-session";
    let _ = client.post(path, &body).await.expect(204);
    assert_eq!(digest().await, sent(1, 2, 0, 0));
    assert_eq!(digest().await, Sent::default());
    let texts = delivered(&library, &server, 1).await;
    for item in ["i-1", "i-2"] {
        let fine = format!("{item}: Overdue fine 2.50 of Town Outstanding Sorry;");
        assert!(texts[0].contains(&fine), "{fine} in {texts:?}");
    }
}

#[tokio::test]
async fn a_fee_for_a_lost_item_is_told_of_until_it_is_paid() {
    let (library, stock, server) = charging().await;
    let client = &stock.client;
    let lent = Lent::new(&stock, "1", LENT).await;
    address(client, &lent.patron, "b@example.org").await;
    let account = charge(&library, client, &lent, Event::AgedToLostFineCharged).await;
    let here = &library.platform;
    let run = async |at| run_in(&library, here, &OF_FEES, at).await;
    assert_eq!(run("2024-03-06T09:59:00Z").await, Sent::default());
    assert_eq!(run("2024-03-06T10:00:30Z").await, sent(1, 0, 1, 0));
    assert_eq!(run("2024-03-13T10:00:30Z").await, sent(1, 0, 1, 0));
    let texts = delivered(&library, &server, 2).await;
    let lost = "b@example.org: Lost i-1: Lost item fee 2.50 of Town Outstanding Sorry";
    assert_eq!(texts, [lost, lost]);
    let path = format!("/accounts/{}", account["id"].as_str().expect("an id"));
    let mut closed = client.get(&path).await.expect(200).json();
    closed["status"] = json!({"name": "Closed"});
    let _ = client.put(&path, &closed).await.expect(204);
    assert_eq!(run("2024-03-20T10:00:30Z").await, sent(0, 1, 0, 0));
    assert!(to_come(client, "cql.allRecords=1").await.is_empty());
    assert_eq!(logged(&library).await.len(), 2);
}

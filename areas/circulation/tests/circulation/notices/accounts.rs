//! Notices about fees that staff charge and act on, if staff ask for them.

use super::*;

/// An owner and a type of fee with these templates, and an account of a patron about an item.
async fn account(stock: &Stock, owner: Value, kind: Value) -> (String, Value) {
    let client = &stock.client;
    let patron = stock.patron("p-1").await;
    address(client, &patron, "p@example.org").await;
    let item = stock.item("i-1").await;
    let mut own = json!({"id": uuid(), "owner": "Town"});
    merge(&mut own, owner);
    let owner = client.post("/owners", &own).await.expect(201).json();
    let mut own =
        json!({"id": uuid(), "feeFineType": "Damage", "automatic": false, "ownerId": owner["id"]});
    merge(&mut own, kind);
    let kind = client.post("/feefines", &own).await.expect(201).json();
    let account = json!({"id": uuid(), "userId": patron, "itemId": item, "ownerId": owner["id"],
        "feeFineOwner": "Town", "feeFineId": kind["id"], "feeFineType": "Damage", "amount": 4.5,
        "remaining": 4.5, "status": {"name": "Open"}, "paymentStatus": {"name": "Outstanding"}});
    let account = client.post("/accounts", &account).await.expect(201).json();
    (patron, account)
}

fn uuid() -> String {
    uuid::Uuid::new_v4().to_string()
}

fn merge(into: &mut Value, more: Value) {
    if let (Some(into), Value::Object(more)) = (into.as_object_mut(), more) {
        into.extend(more);
    }
}

async fn act(client: &Client, account: &Value, what: &str, notify: bool) {
    let id = account["id"].as_str().expect("an id");
    let body = json!({"amount": "1.25", "comments": "STAFF : wet \n PATRON : Thank you",
        "notifyPatron": notify, "servicePointId": CIRC_DESK_1, "userName": "Desk, Jane",
        "paymentMethod": "Cash"});
    let path = format!("/accounts/{id}/{what}");
    let _ = client.post(&path, &body).await.expect(201);
}

async fn charge(client: &Client, patron: &str, account: &Value, notify: bool) {
    let action = json!({"id": uuid(), "accountId": account["id"], "userId": patron,
        "typeAction": "Damage", "amountAction": 4.5, "balance": 4.5, "notify": notify,
        "dateAction": "2026-03-01T10:00:00Z", "comments": "PATRON : Coffee on page 3"});
    let _ = client.post("/feefineactions", &action).await.expect(201);
}

const CHARGE: &str = "{{user.lastName}} {{item.title}} {{item.barcode}}: {{feeCharge.type}} \
    {{feeCharge.amount}} of {{feeCharge.owner}}, {{feeCharge.remainingAmount}} left. {{feeCharge.additionalInfo}}";

#[tokio::test]
async fn charges_and_what_is_done_with_them_are_told_of_where_staff_say_so() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let server = mail_server(client).await;
    template(client, 1, &format!("<p>Charge: {CHARGE}</p>")).await;
    let act_text = "{{feeAction.type}} {{feeAction.amount}}, {{feeAction.remainingAmount}} left. {{feeAction.additionalInfo}}";
    template(client, 2, &format!("<p>Act: {act_text} ({CHARGE})</p>")).await;
    // The fee type's own template has precedence over its owner's.
    let owner =
        json!({"defaultChargeNoticeId": template_id(1), "defaultActionNoticeId": template_id(1)});
    let (patron, account) = account(&stock, owner, json!({"actionNoticeId": template_id(2)})).await;
    charge(client, &patron, &account, false).await;
    act(client, &account, "waive", false).await;
    assert_eq!(server.delivered().len(), 0);
    charge(client, &patron, &account, true).await;
    let texts = delivered(&library, &server, 1).await;
    assert_eq!(
        texts,
        [
            "p@example.org: Charge: Brooke Middlemarch i-1: Damage 4.50 of Town, 3.25 left. Coffee on page 3"
        ]
    );
    for what in ["pay", "refund"] {
        act(client, &account, what, true).await;
    }
    // Of a refund's two actions the credit has no notice.
    let texts = delivered(&library, &server, 3).await;
    let about = "Brooke Middlemarch i-1: Damage 4.50 of Town,";
    assert!(
        texts[0].starts_with(&format!(
            "p@example.org: Act: Paid partially 1.25, 2.00 left. Thank you ({about} 2.00 left."
        )),
        "{texts:?}"
    );
    assert!(
        texts[1].starts_with("p@example.org: Act: Refunded fully 1.25, 3.25 left. Thank you ("),
        "{texts:?}"
    );
    let said = |template: u8, event: &str| {
        format!("Send: Template: Template {template}. Triggering event: {event}.")
    };
    assert_eq!(
        logged(&library).await,
        [
            said(1, "Damage"),
            said(2, "Paid partially"),
            said(2, "Refunded fully")
        ]
    );
    assert_in_order(&library).await;
}

#[tokio::test]
async fn a_template_that_is_gone_is_told_to_the_staff_and_none_tells_nobody() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let server = mail_server(client).await;
    let gone = template_id(7);
    let owner = json!({"defaultActionNoticeId": gone});
    let (patron, account) = account(&stock, owner, json!({})).await;
    charge(client, &patron, &account, true).await;
    assert!(logged(&library).await.is_empty());
    act(client, &account, "pay", true).await;
    assert_eq!(
        logged(&library).await,
        [format!(
            "Send error: Template: unknown. Triggering event: Paid partially. Error message: \
             template record with ID \"{gone}\" cannot be found"
        )]
    );
    assert_eq!(server.delivered().len(), 0);
}

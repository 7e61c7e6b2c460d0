//! The lines of each type of event, as tables: action, source, and description.

use serde_json::json;

use super::*;

const ITEM: &str = "47111bf0-3331-5e36-9ce2-93677e07daa6";
const PATRON: &str = "9c8fd0eb-2c0f-5105-af4a-bddf26f0d5e9";
const STAFF: &str = "e7a0aaac-4fcb-5639-9b02-f326703eeb59";
const REQUEST: &str = "9e865b59-f283-579a-b8fe-ce05280626e9";

fn user(id: &str) -> UserId {
    UserId::parse(id).expect("an id")
}

fn known() -> Known {
    let person = |id: &str, barcode: &str, name: &str| {
        let person = Person {
            id: user(id),
            barcode: Some(barcode.to_owned()),
            name: Some(name.to_owned()),
        };
        (user(id), person)
    };
    let item = LogItem {
        item_id: ItemId::parse(ITEM),
        item_barcode: Some("RL-1".to_owned()),
        ..LogItem::default()
    };
    Known {
        users: HashMap::from([
            person(PATRON, "P-1001", "Brook, Ilse"),
            person(STAFF, "S-1", "Stream, Mona"),
        ]),
        items: HashMap::from([(item.item_id.expect("an id"), item)]),
        template: Some("Due soon".to_owned()),
        cancellation_reason: Some("Not needed any more".to_owned()),
        ..Known::default()
    }
}

/// The lines: action, source, description.
fn lines(event: Value) -> Vec<(String, Option<String>, String)> {
    let lines = LogRecordEvent::read(event).expect("a type").lines(&known());
    let lines = lines.expect("lines").into_iter();
    lines
        .map(|one| {
            let entry = one.entry;
            (
                format!("{}: {}", entry.object, entry.action),
                one.source,
                entry.description,
            )
        })
        .collect()
}

fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

#[test]
fn a_check_in_tells_of_item_loan_and_requests() {
    let mut event = json!({"logEventType": "CHECK_IN_EVENT", "isLoanClosed": true,
        "systemReturnDate": "2025-03-04T09:31:12.480Z", "returnDate": "2025-03-04T09:30:00.000Z",
        "dueDate": "2025-03-01T23:59:59.000Z", "zoneId": "Europe/Berlin", "userId": PATRON,
        "userBarcode": "P-1001", "itemId": ITEM, "itemBarcode": "RL-1",
        "itemStatusName": "In transit", "destinationServicePoint": "North desk",
        "source": "Stream, Mona", "requests": [{"id": REQUEST, "requestType": "Hold",
            "oldRequestStatus": "Open - Not yet filled", "newRequestStatus": "Open - In transit",
            "pickUpServicePoint": "North desk"}]});
    assert_eq!(
        lines(event.clone()),
        [
            (
                "N/A: Checked in".to_owned(),
                some("Stream, Mona"),
                "Item status: In transit to North desk.".to_owned()
            ),
            (
                "Loan: Closed loan".to_owned(),
                some("Stream, Mona"),
                "Item status: In transit. Backdated to: 2025-03-04 10:30:00. Overdue due date: \
                 2025-03-02 00:59:59."
                    .to_owned()
            ),
            (
                "Request: Request status changed".to_owned(),
                some("Stream, Mona"),
                "Type: Hold. Pickup service point: North desk. New request status: Open - In \
                 transit (from: Open - Not yet filled)."
                    .to_owned()
            ),
        ]
    );
    event["isLoanClosed"] = json!(false);
    event["requests"] = Value::Null;
    assert_eq!(lines(event).len(), 1);
}

#[test]
fn acts_are_told_with_their_words() {
    let loan = |action: &str, description: Option<&str>| {
        json!({"logEventType": "LOAN", "payload": {"action": action, "userId": PATRON,
            "itemId": ITEM, "updatedByUserId": STAFF, "description": description}})
    };
    let fee = |more: Value| {
        let mut payload = json!({"amount": 12.5, "source": "Stream, Mona", "userId": PATRON,
            "date": "2025-03-04T09:30:00.000Z", "feeFineOwner": "Weir House",
            "type": "Damage fee", "automated": false});
        for (name, value) in more.as_object().expect("an object") {
            payload[name] = value.clone();
        }
        json!({"logEventType": "FEE_FINE", "payload": payload})
    };
    let block = |kind: &str| {
        json!({"logEventType": kind, "payload": {"desc": "Card left", "borrowing": true,
            "renewals": true, "requests": false, "patronMessage": "See the desk",
            "expirationDate": "2025-05-01T00:00:00.000+00:00", "userId": PATRON,
            "metadata": {"updatedByUserId": STAFF}}})
    };
    let request = |of: Value| {
        let mut request = json!({"id": REQUEST, "requestType": "Hold", "itemId": ITEM,
            "requesterId": PATRON, "status": "Open - Not yet filled",
            "metadata": {"updatedByUserId": STAFF}});
        for (name, value) in of.as_object().expect("an object") {
            request[name] = value.clone();
        }
        request
    };
    let requests = |kind: &str, requests: Value| json!({"logEventType": kind, "payload": {"requests": requests}});
    let (staff, system) = (some("Stream, Mona"), some("System"));
    for (event, action, source, words) in [
        (
            json!({"logEventType": "CHECK_OUT_EVENT", "itemId": ITEM, "source": "Stream, Mona"}),
            "Loan: Checked out",
            staff.clone(),
            "Checked out to proxy: no.",
        ),
        (
            json!({"logEventType": "CHECK_OUT_THROUGH_OVERRIDE_EVENT", "itemId": ITEM,
                "source": "Stream, Mona", "proxyBarcode": "P-7"}),
            "Loan: Checked out through override",
            staff.clone(),
            "Checked out to proxy: P-7.",
        ),
        (
            loan("Renewed", Some("New due date: soon")),
            "Loan: Renewed",
            staff.clone(),
            "New due date: soon",
        ),
        (
            loan("Age to lost", None),
            "Loan: Age to lost",
            system.clone(),
            "",
        ),
        (
            loan("Anonymize", None),
            "Loan: Anonymize",
            system.clone(),
            "",
        ),
        (
            fee(json!({"action": "Billed", "comments": "STAFF : torn"})),
            "Fee/Fine: Billed",
            staff.clone(),
            "Fee/Fine type: Damage fee. Fee/Fine owner: Weir House. Amount: 12.50. manual. \
             Additional information to staff: STAFF : torn",
        ),
        (
            fee(
                json!({"action": "Paid partially", "amount": 5, "balance": 7.5,
                "paymentMethod": "Cash", "comments": "STAFF : at the desk"}),
            ),
            "Fee/Fine: Paid partially",
            staff.clone(),
            "Fee/Fine type: Damage fee. Amount: 5.00. Balance: 7.50. Payment method: Cash. \
             Additional information to staff: at the desk. Additional information to patron: .",
        ),
        (
            block("MANUAL_BLOCK_CREATED_EVENT"),
            "Manual Block: Created",
            staff.clone(),
            "Block actions: borrowing, renewals. Description: Card left. Message to patron: See \
             the desk. Expiration date: 2025-05-01.",
        ),
        (
            block("MANUAL_BLOCK_DELETED_EVENT"),
            "Manual Block: Deleted",
            staff.clone(),
            "Block actions: borrowing, renewals. Description: Card left. Message to patron: See \
             the desk. Expiration date: 2025-05-01.",
        ),
        (
            json!({"logEventType": "NOTICE", "payload": {"userId": PATRON, "items": [
                {"itemId": ITEM, "triggeringEvent": "Due date", "templateId": REQUEST}]}}),
            "Notice: Send",
            system.clone(),
            "Template: Due soon. Triggering event: Due date.",
        ),
        (
            json!({"logEventType": "NOTICE_ERROR", "payload": {"userId": PATRON,
                "errorMessage": "no address", "items": [{"itemId": ITEM}]}}),
            "Notice: Send error",
            system.clone(),
            "Template: Due soon. Triggering event: unknown. Error message: no address",
        ),
        (
            requests(
                "REQUEST_CREATED_EVENT",
                json!({"created": request(json!({}))}),
            ),
            "Request: Created",
            staff.clone(),
            "Type: Hold.",
        ),
        (
            requests(
                "REQUEST_UPDATED_EVENT",
                json!({"original": request(json!({})),
                "updated": request(json!({"status": "Closed - Cancelled",
                    "cancellationReasonId": REQUEST}))}),
            ),
            "Request: Cancelled",
            staff.clone(),
            "Type: Hold. Reason for cancellation: Not needed any more.",
        ),
        (
            requests(
                "REQUEST_MOVED_EVENT",
                json!({
                "original": request(json!({"item": {"barcode": "A"}})),
                "updated": request(json!({"item": {"barcode": "B"}}))}),
            ),
            "Request: Moved",
            staff.clone(),
            "Type: Hold. New item barcode: B (from: A).",
        ),
        (
            requests(
                "REQUEST_REORDERED_EVENT",
                json!({
                "reordered": [request(json!({"position": 2, "previousPosition": 1}))]}),
            ),
            "Request: Queue position reordered",
            staff.clone(),
            "Type: Hold. New queue position: 2 (from: 1).",
        ),
        (
            requests(
                "REQUEST_EXPIRED_EVENT",
                json!({
                "original": request(json!({"status": "Open - Awaiting pickup"})),
                "updated": request(json!({"status": "Closed - Pickup expired"}))}),
            ),
            "Request: Pickup expired",
            system.clone(),
            "Type: Hold. New request status: Closed - Pickup expired (from: Open - Awaiting pickup).",
        ),
    ] {
        assert_eq!(
            lines(event.clone()),
            [(action.to_owned(), source, words.to_owned())],
            "{event}"
        );
    }
}

#[test]
fn a_forgotten_borrower_is_not_in_the_line_that_says_so() {
    let event = json!({"logEventType": "LOAN", "payload": {"action": "Anonymize", "userId": PATRON,
        "userBarcode": "P-1001", "loanId": REQUEST}});
    let told = LogRecordEvent::read(event).expect("a type");
    assert!(told.forgets().is_some());
    let line = &told.lines(&known()).expect("a line")[0].entry;
    assert_eq!(
        (&line.user_barcode, line.link_to_ids.user_id),
        (&None, None)
    );
}

#[test]
fn events_of_which_nothing_is_known_make_no_line() {
    for (event, reason) in [
        (json!("LOAN"), Unfit::NotAnObject),
        (json!({"payload": {}}), Unfit::Kind),
        (
            json!({"logEventType": "REQUEST_CANCELLED_EVENT"}),
            Unfit::Kind,
        ),
    ] {
        assert_eq!(LogRecordEvent::read(event).expect_err("nothing"), reason);
    }
    for (kind, payload, reason) in [
        ("LOAN", json!({"action": "Burnt"}), Unfit::Action),
        ("LOAN", json!({}), Unfit::Lacks("an action")),
        (
            "FEE_FINE",
            json!({"action": "Billed"}),
            Unfit::Lacks("a date"),
        ),
        (
            "MANUAL_BLOCK_CREATED_EVENT",
            json!({}),
            Unfit::Lacks("a userId"),
        ),
        (
            "REQUEST_UPDATED_EVENT",
            json!({}),
            Unfit::Lacks("the request"),
        ),
    ] {
        let told = LogRecordEvent::read(json!({"logEventType": kind, "payload": payload}))
            .expect("a type");
        assert_eq!(told.lines(&known()).expect_err("no line"), reason, "{kind}");
    }
}

#[test]
fn some_events_say_when_they_happened() {
    let told = |event: Value| LogRecordEvent::read(event).expect("a type").has_a_time();
    let stamp = json!({"updatedDate": "2025-03-04T09:30:00.000+00:00"});
    assert!(told(
        json!({"logEventType": "CHECK_OUT_EVENT", "loanId": REQUEST})
    ));
    assert!(told(
        json!({"logEventType": "LOAN", "payload": {"date": "2025-03-04"}})
    ));
    assert!(told(
        json!({"logEventType": "MANUAL_BLOCK_CREATED_EVENT", "payload": {"metadata": stamp}})
    ));
    assert!(told(json!({"logEventType": "REQUEST_REORDERED_EVENT",
        "payload": {"requests": {"reordered": [{"metadata": stamp}]}}})));
    assert!(!told(
        json!({"logEventType": "CHECK_IN_EVENT", "itemId": ITEM})
    ));
    assert!(!told(
        json!({"logEventType": "NOTICE", "payload": {"items": []}})
    ));
}

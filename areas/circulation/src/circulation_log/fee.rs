//! The log line about an action on an account, with FOLIO's descriptions, and its event in the form of mod-feesfines.

use octavo_library::wire_time;
use serde_json::{Map, Value, json};

use super::log_record::set;

/// FOLIO's ids of the automatic fee types.
const AUTOMATIC: [&str; 6] = [
    "9523cb96-e752-40c2-89da-60f3961a488d",
    "d20df2fb-45fd-4184-b238-0d25747ffdd9",
    "cf238f9f-7018-47b7-b815-bb2db798e19f",
    "c7dede15-aa48-45ed-860b-f996540180e0",
    "73785370-d3bd-4d92-942d-ae2268e02ded",
    "6b830703-f828-4e38-a0bb-ee81deacbd03",
];

/// The action as the log's filters name it; `None` for actions that are not logged.
fn action_of(action: &Map<String, Value>) -> Option<&str> {
    let name = text(action, "typeAction");
    match name {
        "Paid fully"
        | "Paid partially"
        | "Waived fully"
        | "Waived partially"
        | "Refunded fully"
        | "Refunded partially"
        | "Transferred fully"
        | "Transferred partially"
        | "Credited fully"
        | "Cancelled as error" => Some(name),
        "Credited partially" => None,
        _ if name.eq_ignore_ascii_case("Staff info only") => Some("Staff information only added"),
        // The first action of an account names its type, and has no payment method.
        _ if action.contains_key("paymentMethod") || name.starts_with("Cancelled ") => None,
        _ => Some("Billed"),
    }
}

/// Whether an action on an account is the charge: it names the fee type, and no payment method.
#[must_use]
pub fn is_charge(action: &Map<String, Value>) -> bool {
    let name = text(action, "typeAction");
    let acts = [
        "Paid ",
        "Waived ",
        "Refunded ",
        "Transferred ",
        "Credited ",
        "Cancelled ",
    ];
    !action.contains_key("paymentMethod") && !acts.iter().any(|act| name.starts_with(act))
}

/// The line about a stored action. The database adds the patron's barcode and the item's location.
#[must_use]
pub fn fee_line(
    action: &Map<String, Value>,
    account: &Map<String, Value>,
    date: &str,
) -> Option<Value> {
    let name = action_of(action)?;
    let line = json!({
        "object": "Fee/Fine",
        "action": name,
        "date": date,
        "source": action.get("source"),
        "servicePointId": action.get("createdAt"),
        "description": description(name, action, account),
        "items": [{"itemId": account.get("itemId"), "itemBarcode": account.get("barcode"),
                   "loanId": account.get("loanId")}],
        "linkToIds": {"userId": account.get("userId"), "feeFineId": account.get("id")},
        "logRecord": record(name, action, account, date),
    });
    Some(line)
}

/// The event; the database takes it out of the line.
fn record(
    name: &str,
    action: &Map<String, Value>,
    account: &Map<String, Value>,
    date: &str,
) -> Value {
    let mut payload = json!({
        "action": name,
        "date": wire_time::to_wire(&date.into()),
        "automated": AUTOMATIC.contains(&text(account, "feeFineId")),
    });
    for (property, of) in [
        ("source", "source"),
        ("servicePointId", "createdAt"),
        ("comments", "comments"),
    ] {
        set(&mut payload, property, stated(action, of));
    }
    for (property, of) in [
        ("userId", "userId"),
        ("accountId", "id"),
        ("feeFineId", "feeFineId"),
        ("feeFineOwner", "feeFineOwner"),
        ("itemBarcode", "barcode"),
        ("itemId", "itemId"),
        ("loanId", "loanId"),
        ("type", "feeFineType"),
    ] {
        set(&mut payload, property, stated(account, of));
    }
    // A charge has no balance, and staff's words no amount either.
    let acts = name != "Billed" && name != "Staff information only added";
    if acts || name == "Billed" {
        set(&mut payload, "amount", stated(action, "amountAction"));
    }
    if acts {
        set(&mut payload, "balance", stated(action, "balance"));
        set(
            &mut payload,
            "paymentMethod",
            stated(action, "paymentMethod"),
        );
    }
    json!({"logEventType": "FEE_FINE", "payload": payload})
}

/// A property that is neither null nor blank.
fn stated<'a>(document: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    let value = document.get(name)?;
    let is_blank = value.as_str().is_some_and(|text| text.trim().is_empty());
    (!value.is_null() && !is_blank).then_some(value)
}

fn description(name: &str, action: &Map<String, Value>, account: &Map<String, Value>) -> String {
    act_words(&Act {
        name,
        fee_type: text(account, "feeFineType"),
        owner: text(account, "feeFineOwner"),
        is_automatic: AUTOMATIC.contains(&text(account, "feeFineId")),
        amount: action.get("amountAction"),
        balance: action.get("balance"),
        method: text(action, "paymentMethod"),
        comments: text(action, "comments"),
    })
}

/// An act on an account, as its words name it.
pub(super) struct Act<'a> {
    /// As the log's filters name it.
    pub name: &'a str,
    pub fee_type: &'a str,
    pub owner: &'a str,
    pub is_automatic: bool,
    pub amount: Option<&'a Value>,
    pub balance: Option<&'a Value>,
    /// The method of payment, the reason of a waiver and the like.
    pub method: &'a str,
    pub comments: &'a str,
}

/// An act on an account in FOLIO's words.
pub(super) fn act_words(act: &Act<'_>) -> String {
    let (staff, patron) = (
        comment_part(act.comments, "STAFF : "),
        comment_part(act.comments, "PATRON : "),
    );
    let amount = money(act.amount);
    let kind = act.fee_type;
    let method = match act.name.split_once(' ').map_or(act.name, |(verb, _)| verb) {
        "Paid" => "Payment method",
        "Waived" => "Waive reason",
        "Refunded" => "Refund reason",
        "Transferred" => "Transfer account",
        "Cancelled" => {
            return format!(
                "Amount: {amount}. Cancellation reason: {staff}. Additional information to \
                 patron: {patron}."
            );
        }
        "Staff" => return staff,
        "Billed" => {
            let how = match act.is_automatic {
                true => "automated",
                false => "manual",
            };
            let (owner, comments) = (act.owner, act.comments);
            return format!(
                "Fee/Fine type: {kind}. Fee/Fine owner: {owner}. Amount: {amount}. {how}. \
                 Additional information to staff: {comments}"
            );
        }
        _ => return String::new(),
    };
    let (balance, by) = (money(act.balance), act.method);
    format!(
        "Fee/Fine type: {kind}. Amount: {amount}. Balance: {balance}. {method}: {by}. Additional \
         information to staff: {staff}. Additional information to patron: {patron}."
    )
}

fn text<'a>(document: &'a Map<String, Value>, name: &str) -> &'a str {
    document
        .get(name)
        .and_then(Value::as_str)
        .unwrap_or_default()
}

fn money(amount: Option<&Value>) -> String {
    octavo_fees::accounting::Money::of(amount).to_string()
}

/// The staff or patron part of comments.
fn comment_part(comments: &str, whom: &str) -> String {
    let lines = comments.split('\n').map(str::trim);
    let parts: Vec<String> = lines
        .filter(|line| line.contains(whom))
        .map(|line| line.replace(whom, ""))
        .collect();
    parts.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(action: Value, account: Value) -> Option<(String, String)> {
        let object = |value: Value| value.as_object().cloned().expect("an object");
        let line = fee_line(
            &object(action),
            &object(account),
            "2026-01-01T00:00:00.000+00:00",
        )?;
        let part = |name: &str| line[name].as_str().expect("a text").to_owned();
        Some((part("action"), part("description")))
    }

    #[test]
    fn the_event_of_an_act_has_what_it_has_changed() {
        let object = |value: Value| value.as_object().cloned().expect("an object");
        let account = object(json!({"id": "7", "userId": "u", "feeFineId": AUTOMATIC[0],
            "feeFineType": "Overdue fine", "feeFineOwner": "Main", "barcode": "I1",
            "itemId": "i", "loanId": "l"}));
        let event = |action: Value| {
            let date = "2026-01-01T00:00:00.000+00:00";
            let line = fee_line(&object(action), &account, date).expect("a line");
            line["logRecord"]["payload"].clone()
        };
        let of_account = |more: Value| {
            let mut all = object(json!({"date": "2026-01-01T00:00:00.000Z", "userId": "u",
                "accountId": "7", "feeFineId": AUTOMATIC[0], "feeFineOwner": "Main",
                "itemBarcode": "I1", "itemId": "i", "loanId": "l", "type": "Overdue fine",
                "automated": true, "source": "Desk, Jane", "servicePointId": "s"}));
            all.extend(object(more));
            Value::Object(all)
        };
        let action = |more: Value| {
            let mut all = object(
                json!({"source": "Desk, Jane", "createdAt": "s", "balance": 7.5,
                "amountAction": 5.0}),
            );
            all.extend(object(more));
            Value::Object(all)
        };
        assert_eq!(
            event(action(
                json!({"typeAction": "Paid partially", "paymentMethod": "Cash", "comments": " "})
            )),
            of_account(
                json!({"action": "Paid partially", "amount": 5.0, "balance": 7.5,
                              "paymentMethod": "Cash"})
            )
        );
        assert_eq!(
            event(action(
                json!({"typeAction": "Overdue fine", "comments": null})
            )),
            of_account(json!({"action": "Billed", "amount": 5.0}))
        );
        assert_eq!(
            event(action(
                json!({"typeAction": "Staff info only", "comments": "STAFF : seen"})
            )),
            of_account(json!({"action": "Staff information only added",
                              "comments": "STAFF : seen"}))
        );
    }

    #[test]
    fn acts_are_told_in_sentences() {
        let account = json!({"feeFineType": "Damage", "feeFineOwner": "Main", "id": "7"});
        let action = |name: &str| {
            json!({"typeAction": name, "amountAction": 4.5, "balance": 1, "paymentMethod": "Cash",
                   "comments": "STAFF : seen \n PATRON : thanks"})
        };
        let table = [
            ("Paid partially", "Payment method: Cash"),
            ("Waived fully", "Waive reason: Cash"),
            ("Refunded fully", "Refund reason: Cash"),
            ("Transferred partially", "Transfer account: Cash"),
        ];
        for (name, by) in table {
            let meant = format!(
                "Fee/Fine type: Damage. Amount: 4.50. Balance: 1.00. {by}. Additional information \
                 to staff: seen. Additional information to patron: thanks."
            );
            let event = line(action(name), account.clone());
            assert_eq!(event, Some((name.to_owned(), meant)));
        }
        let event = line(action("Cancelled as error"), account.clone()).expect("a line");
        assert_eq!(
            event.1,
            "Amount: 4.50. Cancellation reason: seen. Additional information to patron: thanks."
        );
        let staff = line(action("Staff info only"), account.clone()).expect("a line");
        assert_eq!(
            staff,
            ("Staff information only added".to_owned(), "seen".to_owned())
        );
        for unknown in ["Credited partially", "Cancelled item returned", "Damage"] {
            assert_eq!(line(action(unknown), account.clone()), None, "{unknown}");
        }
        let charge = json!({"typeAction": "Damage", "amountAction": 4.5, "comments": "STAFF : x"});
        let billed = line(charge, account).expect("a line");
        assert_eq!(billed.0, "Billed");
        assert_eq!(
            billed.1,
            "Fee/Fine type: Damage. Fee/Fine owner: Main. Amount: 4.50. manual. Additional \
             information to staff: STAFF : x"
        );
    }
}

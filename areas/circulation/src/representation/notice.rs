//! FOLIO's template tokens of notices.

use jiff::Timestamp;
use octavo_fees::accounting::Money;
use octavo_fees::app::charge::Charge;
use octavo_library::{Loan, wire_time};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::item::set;
use super::slip::slip;
use crate::circulation_config::CirculationConfig;
use crate::circulation_log::is_charge;
use crate::countries;
use crate::store::account_notice::AccountSubject;
use crate::store::item::ItemAtDesk;
use crate::store::notice::{FeeSubject, Person};
use crate::store::request_notice::RequestSubject;

/// The tokens of a notice about a loan and its new charge.
#[must_use]
pub fn loan_notice(
    subject: Subject<'_>,
    charge: Option<(&Charge<'_>, Timestamp)>,
    config: &CirculationConfig,
) -> Value {
    let mut tokens = of_loan(subject, config);
    if let Some((charge, at)) = charge {
        tokens["feeCharge"] = fee_charge(charge, at);
    }
    tokens
}

/// The records for the tokens of a loan notice.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    pub loan: &'a Loan,
    /// The last information that was added for the borrower.
    pub comment: Option<&'a str>,
    pub item: &'a ItemAtDesk,
    /// The item's document as it is now.
    pub document: &'a Map<String, Value>,
    pub borrower: &'a Person,
}

/// The tokens of a notice about a loan.
#[must_use]
pub fn of_loan(subject: Subject<'_>, config: &CirculationConfig) -> Value {
    with_user(subject.borrower, one_loan(subject, config))
}

/// The tokens of one loan among several of a borrower.
#[must_use]
pub fn one_loan(subject: Subject<'_>, config: &CirculationConfig) -> Map<String, Value> {
    let mut tokens = Map::new();
    let item = slip(subject.item, subject.document, config);
    tokens.insert("item".into(), item);
    let loan = loan_tokens(subject.loan, subject.comment, config);
    tokens.insert("loan".into(), loan);
    tokens
}

/// The tokens of a notice about several things of one person: `loans`, or `feeCharges`.
#[must_use]
pub fn several(person: &Person, name: &str, all: Vec<Map<String, Value>>) -> Value {
    let all: Vec<Value> = all.into_iter().map(Value::Object).collect();
    let mut tokens = Map::new();
    tokens.insert(name.into(), Value::Array(all));
    with_user(person, tokens)
}

fn with_user(person: &Person, mut tokens: Map<String, Value>) -> Value {
    let mut user = person.tokens.clone();
    name_country(&mut user);
    tokens.insert("user".into(), user);
    Value::Object(tokens)
}

/// The tokens of a notice about a request; `document` is the item's current one.
#[must_use]
pub fn of_request(
    subject: &RequestSubject,
    requester: &Person,
    document: Option<&Map<String, Value>>,
    config: &CirculationConfig,
) -> Value {
    let mut tokens = Map::new();
    let item = match &subject.item {
        Some(item) => slip(item, document.unwrap_or(&item.document), config),
        None => of_instance(&subject.instance, config),
    };
    tokens.insert("item".into(), item);
    tokens.insert("request".into(), subject.tokens.clone());
    if let Some((loan, comment)) = &subject.loan {
        let loan = loan_tokens(loan, comment.as_deref(), config);
        tokens.insert("loan".into(), loan);
    }
    with_user(requester, tokens)
}

/// The tokens of a title without an item.
fn of_instance(instance: &Value, config: &CirculationConfig) -> Value {
    let nothing = ItemAtDesk {
        document: Map::new(),
        id: Default::default(),
        holdings_record_id: Default::default(),
        holdings_copy_number: None,
        instance_id: Default::default(),
        instance: instance.clone(),
    };
    let mut told = slip(&nothing, &nothing.document, config);
    if let Some(told) = told.as_object_mut() {
        for of_item in ["copy", "yearCaption", "administrativeNotes"] {
            told.shift_remove(of_item);
        }
    }
    told
}

/// The tokens of a notice about an account that staff have charged or acted on. Properties of a deleted
/// item are taken from the account.
#[must_use]
pub fn of_account(subject: &AccountSubject, config: &CirculationConfig) -> Value {
    let mut tokens = Map::new();
    let item = subject.item.as_ref();
    let item = item.map(|item| slip(item, &item.document, config));
    let mut item = match item {
        Some(Value::Object(item)) => item,
        _ => Map::new(),
    };
    let account = subject.fee.account.as_ref();
    for (token, kept) in [
        ("barcode", "barcode"),
        ("title", "title"),
        ("callNumber", "callNumber"),
        ("effectiveLocationSpecific", "location"),
        ("materialType", "materialType"),
    ] {
        if let Some(value) = account.and_then(|account| account.get(kept)) {
            item.entry(token).or_insert_with(|| value.clone());
        }
    }
    tokens.insert("item".into(), Value::Object(item));
    tokens.insert("feeCharge".into(), charged(&subject.fee));
    if !is_charge(&subject.fee.action) {
        let mut told = acted(&subject.fee);
        let comments = subject.fee.action.get("comments").and_then(Value::as_str);
        told["additionalInfo"] = for_patron(comments.unwrap_or_default()).into();
        tokens.insert("feeAction".into(), told);
    }
    match &subject.patron {
        Some(patron) => with_user(patron, tokens),
        None => Value::Object(tokens),
    }
}

/// The tokens of a charge, `feeCharge`.
#[must_use]
pub fn charged(fee: &FeeSubject) -> Value {
    let Some(account) = &fee.account else {
        return Value::Null;
    };
    let at = account
        .get("metadata")
        .map(|one| wire_time::to_wire(&one["createdDate"]));
    let comments = fee
        .charge
        .as_ref()
        .and_then(|charge| charge.get("comments"));
    let comments = comments.and_then(Value::as_str).unwrap_or_default();
    let mut told = Map::new();
    for (name, value) in [
        ("owner", account.get("feeFineOwner").cloned()),
        ("type", account.get("feeFineType").cloned()),
        (
            "paymentStatus",
            account
                .get("paymentStatus")
                .map(|status| status["name"].clone()),
        ),
        ("amount", account.get("amount").map(money)),
        ("remainingAmount", account.get("remaining").map(money)),
        ("chargeDate", at.clone()),
        ("chargeDateTime", at),
        (
            "additionalInfo",
            fee.charge.as_ref().map(|_| for_patron(comments).into()),
        ),
    ] {
        set(&mut told, name, value.unwrap_or_default());
    }
    Value::Object(told)
}

/// The tokens of an action on a charge, `feeAction`.
#[must_use]
pub fn acted(fee: &FeeSubject) -> Value {
    let own = |name: &str| fee.action.get(name).cloned().unwrap_or_default();
    let mut told = Map::new();
    for (name, value) in [
        ("type", own("typeAction")),
        ("actionDate", wire_time::to_wire(&own("dateAction"))),
        ("actionDateTime", wire_time::to_wire(&own("dateAction"))),
        ("amount", money(&own("amountAction"))),
        ("remainingAmount", money(&own("balance"))),
    ] {
        set(&mut told, name, value);
    }
    Value::Object(told)
}

/// An amount with two decimals.
fn money(value: &Value) -> Value {
    match Money::deserialize(value) {
        Ok(money) => json!(money.to_string()),
        Err(_) => Value::Null,
    }
}

/// The patron's part of an action's comments, in FOLIO's form.
fn for_patron(comments: &str) -> &str {
    let mut parts = comments.split(" \n ").map(|part| part.split_once(" : "));
    let part = parts.find_map(|part| part.filter(|(whom, _)| *whom == "PATRON"));
    part.map_or("", |(_, text)| text)
}

fn loan_tokens(loan: &Loan, comment: Option<&str>, config: &CirculationConfig) -> Value {
    let taken = loan.renewal_count.unwrap_or_default();
    let mut tokens = Map::new();
    let mut put = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            tokens.insert(name.to_owned(), Value::String(value));
        }
    };
    put(
        "initialBorrowDate",
        Some(wire_time::format_z(loan.loan_date)),
    );
    put("dueDate", loan.due_date.map(wire_time::format_z));
    put("checkedInDate", loan.return_date.map(wire_time::format_z));
    put("numberOfRenewalsTaken", Some(taken.to_string()));
    let policy = loan.loan_policy_id.and_then(|id| config.loan_policy(id));
    if let Some((policy, _)) = policy {
        let renewals = policy.renewals_policy.as_ref();
        let unlimited = renewals.is_some_and(|renewals| renewals.unlimited);
        let allowed = renewals.and_then(|renewals| renewals.number_allowed);
        // A whole number that may be written `2.0`; negative ones count as zero.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let allowed = allowed.unwrap_or_default().clamp(0.0, 1e9) as u32;
        let told = |number: u32| match unlimited {
            true => "unlimited".to_owned(),
            false => number.to_string(),
        };
        put("numberOfRenewalsAllowed", Some(told(allowed)));
        let left = allowed.saturating_sub(taken);
        put("numberOfRenewalsRemaining", Some(told(left)));
    }
    if let Some(comment) = comment {
        tokens.insert("additionalInfo".to_owned(), json!(comment));
    }
    Value::Object(tokens)
}

fn fee_charge(charge: &Charge<'_>, at: Timestamp) -> Value {
    let (amount, at) = (charge.amount.to_string(), wire_time::format_z(at));
    json!({
        "owner": charge.owner.1,
        "type": charge.fee_type.1,
        "paymentStatus": "Outstanding",
        "amount": amount,
        "remainingAmount": amount,
        "chargeDate": at,
        "chargeDateTime": at,
    })
}

/// Replaces the country code by its name; an unknown code is removed.
pub fn name_country(person: &mut Value) {
    let Some(person) = person.as_object_mut() else {
        return;
    };
    let code = person.shift_remove("primaryCountry");
    let name = code.as_ref().and_then(Value::as_str);
    if let Some(name) = name.and_then(countries::name) {
        person.insert("primaryCountry".to_owned(), json!(name));
    }
}

//! What a notice about a loan can tell: FOLIO's tokens, as templates name them.

use jiff::Timestamp;
use octavo_fees::app::charge::Charge;
use octavo_records::instant;
use serde_json::{Map, Value, json};

use super::slip::slip;
use crate::countries;
use crate::facts::Loan;
use crate::house::House;
use crate::store::notice::Subject;

/// The tokens of a notice about a loan, and about what is charged for it.
#[must_use]
pub fn loan_notice(
    subject: &Subject,
    loan: &Loan,
    charge: Option<(&Charge<'_>, Timestamp)>,
    house: &House,
) -> Value {
    let mut user = subject.user.clone();
    name_country(&mut user);
    let mut tokens = json!({
        "user": user,
        "item": slip(&subject.item, &subject.item.document, house),
        "loan": loan_tokens(loan, house),
    });
    if let Some((charge, at)) = charge {
        tokens["feeCharge"] = fee_charge(charge, at);
    }
    tokens
}

fn loan_tokens(loan: &Loan, house: &House) -> Value {
    let taken = loan.renewal_count.unwrap_or_default();
    let mut tokens = Map::new();
    let mut put = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            tokens.insert(name.to_owned(), Value::String(value));
        }
    };
    put("initialBorrowDate", Some(instant::format(loan.loan_date)));
    put("dueDate", loan.due_date.map(instant::format));
    put("checkedInDate", loan.return_date.map(instant::format));
    put("numberOfRenewalsTaken", Some(taken.to_string()));
    let policy = loan.loan_policy_id.and_then(|id| house.loan_policy(id));
    if let Some((policy, _)) = policy {
        let renewals = policy.renewals_policy.as_ref();
        let unlimited = renewals.is_some_and(|renewals| renewals.unlimited);
        let allowed = renewals.and_then(|renewals| renewals.number_allowed);
        // A whole number that may come as `2.0`; nothing of it counts below zero.
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
    Value::Object(tokens)
}

fn fee_charge(charge: &Charge<'_>, at: Timestamp) -> Value {
    let (amount, at) = (charge.amount.to_string(), instant::format(at));
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

/// The country is told by its name; a code that there is not is left out.
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

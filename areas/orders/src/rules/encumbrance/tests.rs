//! The worked cases of one encumbrance: what orders send, before finance moves the budgets.

use serde_json::json;

use super::*;
use crate::rules::doc::object;
use crate::rules::invoiced::InvoicedLine;

const FUND: Uuid = Uuid::from_u128(1);
const OTHER: Uuid = Uuid::from_u128(2);
const LINE: Uuid = Uuid::from_u128(3);

fn year() -> FiscalYear {
    FiscalYear {
        id: Uuid::from_u128(4),
        code: "FY2026".to_owned(),
        series: "FY".to_owned(),
        currency: "USD".to_owned(),
        start: "2026-01-01T00:00:00Z".parse().expect("an instant"),
        end: "2026-12-31T00:00:00Z".parse().expect("an instant"),
    }
}

fn amount(text: &str) -> Amount {
    Amount::parse(text).expect("an amount")
}

/// `amount/initial/awaiting/expended/credited status`, as the cases write it.
fn stored(figures: &str, status: EncumbranceStatus) -> FundTransaction {
    let numbers: Vec<Amount> = figures.split('/').map(amount).collect();
    let mut one = FundTransaction::new(
        Kind::Encumbrance,
        Source::PoLine,
        year().id,
        numbers[0],
        "USD",
    );
    one.from_fund_id = Some(FUND);
    one.encumbrance = Some(Encumbrance {
        initial_amount_encumbered: numbers[1],
        amount_awaiting_payment: numbers[2],
        amount_expended: numbers[3],
        amount_credited: numbers[4],
        status,
        order_type: OrderType::OneTime,
        order_status: Some(OrderStatus::Open),
        subscription: false,
        re_encumber: false,
        source_purchase_order_id: Uuid::nil(),
        source_po_line_id: LINE,
    });
    one
}

fn shown(one: &FundTransaction) -> String {
    let part = one.encumbrance.as_ref().expect("an encumbrance");
    format!(
        "{}/{}/{}/{}/{} {:?}",
        one.amount,
        part.initial_amount_encumbered,
        part.amount_awaiting_payment,
        part.amount_expended,
        part.amount_credited,
        part.status
    )
}

fn line(price: f64, funds: &[Uuid]) -> Doc {
    let rows: Vec<Value> = funds
        .iter()
        .map(|fund| json!({"fundId": fund, "distributionType": "percentage", "value": 100}))
        .collect();
    object(json!({"id": LINE, "fundDistribution": rows,
                  "cost": {"currency": "USD", "listUnitPrice": price, "quantityPhysical": 1}}))
}

fn invoice_line(status: &str, releases: bool) -> InvoicedLine {
    InvoicedLine {
        of_line: LINE,
        status: status.to_owned(),
        releases,
        total: Decimal::ZERO,
        invoice_id: Uuid::from_u128(9),
        invoice_status: status.to_owned(),
        fiscal_year_id: None,
        currency: "USD".to_owned(),
        rate: None,
    }
}

fn planned(
    before: Option<FundTransaction>,
    line: &mut Doc,
    invoices: &[(&str, bool)],
    aim: Aim,
) -> Result<Plan, Code> {
    let order = object(json!({"id": Uuid::nil(), "orderType": "One-Time"}));
    let stored: Vec<FundTransaction> = before.into_iter().collect();
    let lines = invoices
        .iter()
        .map(|(status, releases)| invoice_line(status, *releases))
        .collect();
    let facts = Facts {
        order: &order,
        year: &year(),
        rates: &HashMap::new(),
        stored: &stored,
        invoiced: &Invoiced { lines },
        pending: &[],
    };
    let mut lines = [std::mem::take(line)];
    let outcome = plan(&facts, &mut lines, aim);
    let [changed] = lines;
    *line = changed;
    outcome.map_err(|refusal| refusal.code().expect("a code"))
}

use EncumbranceStatus::{Pending, Released, Unreleased};

#[test]
fn a_stored_encumbrance_follows_its_line() {
    for (before, status, price, invoices, aim, after) in [
        // D2, D9: the price changes.
        (
            "100/100/0/0/0",
            Unreleased,
            120.0,
            vec![],
            Aim::Change,
            "120/120/0/0/0 Unreleased",
        ),
        (
            "70/120/0/50/0",
            Unreleased,
            150.0,
            vec![],
            Aim::Change,
            "100/150/0/50/0 Unreleased",
        ),
        (
            "0/120/90/50/0",
            Unreleased,
            130.0,
            vec![],
            Aim::Change,
            "0/130/90/50/0 Unreleased",
        ),
        (
            "0/120/0/50/0",
            Released,
            150.0,
            vec![],
            Aim::Change,
            "0/150/0/50/0 Released",
        ),
        // D11: reopened; with an invoice that releases it stays released.
        (
            "0/150/0/50/0",
            Released,
            150.0,
            vec![],
            Aim::Reopen,
            "100/150/0/50/0 Unreleased",
        ),
        (
            "0/150/0/50/0",
            Released,
            150.0,
            vec![("Paid", true)],
            Aim::Reopen,
            "0/150/0/50/0 Released",
        ),
        // D13: opened after it was unopened.
        (
            "0/0/0/50/0",
            Pending,
            150.0,
            vec![],
            Aim::Open,
            "100/150/0/50/0 Unreleased",
        ),
    ] {
        let mut line = line(price, &[FUND]);
        let before = stored(before, status);
        // One that stays as it is is not sent.
        let unchanged = before.clone();
        let plan = planned(Some(before), &mut line, &invoices, aim).expect("it is possible");
        let sent = plan.batch.update.first().unwrap_or(&unchanged);
        assert_eq!(shown(sent), after);
        assert_eq!(
            id(
                line["fundDistribution"][0].as_object().expect("a row"),
                "encumbrance"
            ),
            Some(unchanged.id)
        );
        assert!(plan.batch.create.is_empty() && plan.batch.delete.is_empty());
    }
}

#[test]
fn a_new_fund_takes_over_what_was_paid() {
    // D21, D22 and D27.
    for (before, status, price, invoices, aim, after) in [
        (
            "70/120/0/50/0",
            Unreleased,
            120.0,
            vec![("Paid", false)],
            Aim::Change,
            "70/120/0/50/0 Unreleased",
        ),
        (
            "70/120/0/50/0",
            Unreleased,
            40.0,
            vec![("Paid", true)],
            Aim::Change,
            "0/40/0/50/0 Released",
        ),
        (
            "0/0/0/50/0",
            Pending,
            120.0,
            vec![("Paid", false)],
            Aim::Open,
            "70/120/0/50/0 Unreleased",
        ),
        (
            "100/100/0/0/0",
            Unreleased,
            100.0,
            vec![],
            Aim::Change,
            "100/100/0/0/0 Unreleased",
        ),
    ] {
        let mut line = line(price, &[OTHER]);
        let before = stored(before, status);
        let old = before.clone();
        let plan = planned(Some(before), &mut line, &invoices, aim).expect("it is possible");
        assert_eq!(plan.batch.delete, [old.id]);
        assert_eq!(plan.release.len(), usize::from(!old.amount.is_zero()));
        assert_eq!(shown(&plan.batch.create[0]), after);
        assert_eq!(plan.batch.create[0].from_fund_id, Some(OTHER));
        assert_eq!(plan.growth[&FUND], -old.amount);
    }
}

#[test]
fn lines_of_one_order_take_over_their_own_first() {
    const SECOND: Uuid = Uuid::from_u128(5);
    // D27, and a line that has no fund any more beside one that has a new one.
    for (funds, after) in [
        (
            vec![OTHER],
            vec!["70/120/0/50/0 Unreleased", "70/120/0/50/0 Unreleased"],
        ),
        (vec![], vec!["20/120/0/100/0 Unreleased"]),
    ] {
        let of_first = stored("0/0/0/50/0", Pending);
        let mut of_second = stored("0/0/0/50/0", Pending);
        if let Some(part) = &mut of_second.encumbrance {
            part.source_po_line_id = SECOND;
        }
        let mut second = line(120.0, &[OTHER]);
        second.insert("id".to_owned(), json!(SECOND));
        let about = [LINE, SECOND].map(|of_line| InvoicedLine {
            of_line,
            ..invoice_line("Paid", false)
        });
        let order = object(json!({"id": Uuid::nil(), "orderType": "One-Time"}));
        let facts = Facts {
            order: &order,
            year: &year(),
            rates: &HashMap::new(),
            stored: &[of_first, of_second],
            invoiced: &Invoiced {
                lines: about.into(),
            },
            pending: &[],
        };
        let plan = plan(&facts, &mut [line(120.0, &funds), second], Aim::Open);
        let plan = plan.expect("it is possible");
        let made: Vec<String> = plan.batch.create.iter().map(shown).collect();
        assert_eq!(made, after);
        let growth: Amount = plan.batch.create.iter().map(|one| one.amount).sum();
        assert_eq!(plan.growth[&OTHER], growth);
        assert_eq!(plan.batch.delete.len(), 2);
    }
}

#[test]
fn what_invoices_need_does_not_go() {
    for (before, funds, invoices, aim, outcome) in [
        // D20.
        (
            "70/120/50/0/0",
            vec![OTHER],
            vec![("Approved", false)],
            Aim::Change,
            Some(Code::PoLineHasRelatedApprovedInvoice),
        ),
        // D23, D24.
        (
            "70/120/0/50/0",
            vec![],
            vec![("Paid", false)],
            Aim::Change,
            Some(Code::DeleteWithExpendedAmount),
        ),
        (
            "100/120/0/30/30",
            vec![],
            vec![("Paid", false)],
            Aim::Change,
            None,
        ),
        (
            "0/0/0/50/0",
            vec![],
            vec![],
            Aim::Pending,
            Some(Code::DeleteWithExpendedAmount),
        ),
    ] {
        let mut line = line(120.0, &funds);
        let before = stored(before, Unreleased);
        let outcome_ = planned(Some(before), &mut line, &invoices, aim).err();
        assert_eq!(outcome_, outcome);
    }
}

#[test]
fn rates_are_given_by_the_first_line_of_a_currency() {
    let of = |currency: &str, rate: Value| {
        object(json!({"cost": {"currency": currency, "exchangeRate": rate}}))
    };
    let rates = given_rates(
        &[
            of("EUR", Value::Null),
            of("EUR", json!(1.2)),
            of("EUR", json!(1.3)),
            of("USD", json!(1.3)),
            of("GBP", Value::Null),
        ],
        "USD",
    );
    assert_eq!(rates["EUR"], Some("1.2".parse().expect("a number")));
    assert_eq!(rates["USD"], Some(Decimal::ONE));
    assert_eq!(rates["GBP"], None);
}

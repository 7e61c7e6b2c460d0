//! The life of encumbrances, budgets after each type of transaction, and limits at their borders.

use std::collections::HashMap;

use serde_json::{Map, json};
use uuid::Uuid;

use super::{Account, Batch, BatchRefusal, Books, apply, budget_keys, check_known, check_sent};
use crate::money::Amount;
use crate::records::{
    AwaitingPayment, Budget, Encumbrance, EncumbranceStatus, FundTransaction, Kind, OrderStatus,
    OrderType, Source,
};

const YEAR: Uuid = Uuid::from_u128(2026);
const HIST: Uuid = Uuid::from_u128(1);
const LAW: Uuid = Uuid::from_u128(2);
const INVOICE: Uuid = Uuid::from_u128(77);

fn amount(text: &str) -> Amount {
    Amount::parse(text).expect("an amount")
}

/// A small finance office: books that are kept from act to act.
struct Office {
    accounts: HashMap<Uuid, Account>,
    stored: HashMap<Uuid, FundTransaction>,
}

impl Office {
    fn new(funds: &[(Uuid, &str)]) -> Office {
        let account = |(fund, code): &(Uuid, &str)| {
            let document = json!({"id": Uuid::from_u128(fund.as_u128() + 100), "name": code,
                "fundId": fund, "fiscalYearId": YEAR, "budgetStatus": "Active"});
            let map: Map<_, _> = document.as_object().expect("an object").clone();
            let account = Account {
                budget: Budget::read(map).expect("a budget"),
                fund_code: (*code).to_owned(),
                restrict_encumbrance: true,
                restrict_expenditures: true,
            };
            (*fund, account)
        };
        Office {
            accounts: funds.iter().map(account).collect(),
            stored: HashMap::new(),
        }
    }

    fn books(&self, batch: &Batch) -> Books {
        let accounts = self.accounts.iter();
        let pending = self.stored.values();
        let taken = batch.create.iter().map(|one| one.id);
        Books {
            accounts: accounts
                .map(|(fund, one)| ((*fund, YEAR), one.clone()))
                .collect(),
            stored: self.stored.clone(),
            pending_payments: pending
                .filter(|one| one.kind == Kind::PendingPayment)
                .cloned()
                .collect(),
            taken: taken.filter(|id| self.stored.contains_key(id)).collect(),
        }
    }

    fn act(&mut self, batch: &Batch) -> Result<(), BatchRefusal> {
        check_sent(batch)?;
        let books = self.books(batch);
        check_known(batch, &books)?;
        let done = apply(batch, books)?;
        for id in done.delete {
            self.stored.remove(&id);
        }
        for one in done.create.into_iter().chain(done.replace) {
            self.stored.insert(one.id, one);
        }
        for budget in done.budgets {
            let account = self.accounts.get_mut(&budget.fund_id).expect("an account");
            account.budget = budget;
        }
        Ok(())
    }

    fn create(&mut self, one: FundTransaction) -> Uuid {
        let id = one.id;
        self.act(&Batch::creating(vec![one])).expect("it is done");
        id
    }

    fn update(&mut self, id: Uuid, change: impl FnOnce(&mut FundTransaction)) {
        let mut one = self.stored[&id].clone();
        change(&mut one);
        self.act(&Batch::updating(vec![one])).expect("it is done");
    }

    /// init to from net | enc await exp cred | funding unavailable available cash overExpended
    /// overEncumbrance
    fn shows(&self, fund: Uuid) -> String {
        let sums = self.accounts[&fund].budget.sums;
        let stored: Vec<String> = sums.to_array().iter().map(Amount::to_string).collect();
        let computed = sums.computed();
        let computed = [
            computed.total_funding,
            computed.unavailable,
            computed.available,
            computed.cash_balance,
            computed.over_expended,
            computed.over_encumbrance,
        ];
        let computed: Vec<String> = computed.iter().map(Amount::to_string).collect();
        format!(
            "{} | {} | {}",
            stored[..4].join(" "),
            stored[4..].join(" "),
            computed.join(" ")
        )
    }

    /// amount/initial/awaiting/expended/credited status
    fn encumbrance(&self, id: Uuid) -> String {
        let one = &self.stored[&id];
        let of = one.encumbrance.as_ref().expect("an encumbrance");
        format!(
            "{}/{}/{}/{}/{} {:?}",
            one.amount,
            of.initial_amount_encumbered,
            of.amount_awaiting_payment,
            of.amount_expended,
            of.amount_credited,
            of.status
        )
    }

    /// What an order sends when its line costs so much.
    fn price(&mut self, id: Uuid, initial: &str) {
        self.update(id, |one| {
            let encumbrance = one.encumbrance.as_mut().expect("an encumbrance");
            encumbrance.initial_amount_encumbered = amount(initial);
            one.amount = encumbrance.left().or_zero();
        });
    }

    fn status(&mut self, id: Uuid, status: EncumbranceStatus) {
        self.update(id, |one| {
            one.encumbrance.as_mut().expect("an encumbrance").status = status;
        });
    }

    fn cancel(&mut self, id: Uuid) {
        self.update(id, |one| one.invoice_cancelled = Some(true));
    }
}

fn made(kind: Kind, value: &str) -> FundTransaction {
    let source = match kind {
        Kind::Encumbrance => Source::PoLine,
        Kind::PendingPayment | Kind::Payment | Kind::Credit => Source::Invoice,
        _ => Source::User,
    };
    FundTransaction::new(kind, source, YEAR, amount(value), "USD")
}

fn allocation(value: &str, from: Option<Uuid>, to: Option<Uuid>) -> FundTransaction {
    let mut one = made(Kind::Allocation, value);
    (one.from_fund_id, one.to_fund_id) = (from, to);
    one
}

fn transfer(value: &str, from: Option<Uuid>, to: Option<Uuid>) -> FundTransaction {
    FundTransaction {
        kind: Kind::Transfer,
        ..allocation(value, from, to)
    }
}

fn encumbrance(value: &str) -> FundTransaction {
    let mut one = made(Kind::Encumbrance, value);
    one.from_fund_id = Some(HIST);
    one.encumbrance = Some(Encumbrance {
        amount_awaiting_payment: Amount::ZERO,
        amount_credited: Amount::ZERO,
        amount_expended: Amount::ZERO,
        initial_amount_encumbered: amount(value),
        status: EncumbranceStatus::Unreleased,
        order_type: OrderType::OneTime,
        order_status: Some(OrderStatus::Open),
        subscription: false,
        re_encumber: true,
        source_purchase_order_id: Uuid::from_u128(5),
        source_po_line_id: Uuid::from_u128(6),
    });
    one
}

fn pending(value: &str, encumbrance: Option<Uuid>, releases: bool) -> FundTransaction {
    let mut one = made(Kind::PendingPayment, value);
    one.from_fund_id = Some(HIST);
    one.source_invoice_id = Some(INVOICE);
    one.awaiting_payment = Some(AwaitingPayment {
        encumbrance_id: encumbrance,
        release_encumbrance: releases,
    });
    one
}

fn paid(kind: Kind, value: &str, encumbrance: Option<Uuid>) -> FundTransaction {
    let mut one = made(kind, value);
    match kind {
        Kind::Credit => one.to_fund_id = Some(HIST),
        _ => one.from_fund_id = Some(HIST),
    }
    one.source_invoice_id = Some(INVOICE);
    one.payment_encumbrance_id = encumbrance;
    one
}

#[test]
fn a_budget_after_each_type_of_transaction() {
    let mut office = Office::new(&[(HIST, "HIST"), (LAW, "LAW")]);
    let mut told = Vec::new();
    let mut note = |office: &Office, name: &str| told.push((name.to_owned(), office.shows(HIST)));
    office.create(allocation("1000", None, Some(HIST)));
    note(&office, "E0");
    office.create(allocation("250", None, Some(HIST)));
    note(&office, "E1");
    office.create(allocation("100", Some(HIST), Some(LAW)));
    note(&office, "E2");
    office.create(transfer("50", Some(LAW), Some(HIST)));
    note(&office, "E3");
    let order = office.create(encumbrance("400"));
    note(&office, "E4");
    office.create(pending("150", Some(order), false));
    note(&office, "E5");
    let payment = office.create(paid(Kind::Payment, "150", Some(order)));
    note(&office, "E6");
    office.create(pending("-40", None, false));
    note(&office, "E7");
    let credit = office.create(paid(Kind::Credit, "40", None));
    note(&office, "E8");
    office.status(order, EncumbranceStatus::Released);
    note(&office, "E9");
    office.status(order, EncumbranceStatus::Unreleased);
    note(&office, "E10");
    let large = office.create(pending("1300", None, false));
    note(&office, "E11");
    office.cancel(large);
    note(&office, "E12");
    office.cancel(payment);
    note(&office, "E13");
    office.cancel(credit);
    note(&office, "E14");
    let expected = [
        ("E0", "1000 0 0 0 | 0 0 0 0 | 1000 0 1000 1000 0 0"),
        ("E1", "1000 250 0 0 | 0 0 0 0 | 1250 0 1250 1250 0 0"),
        ("E2", "1000 250 100 0 | 0 0 0 0 | 1150 0 1150 1150 0 0"),
        ("E3", "1000 250 100 50 | 0 0 0 0 | 1200 0 1200 1200 0 0"),
        ("E4", "1000 250 100 50 | 400 0 0 0 | 1200 400 800 1200 0 0"),
        (
            "E5",
            "1000 250 100 50 | 250 150 0 0 | 1200 400 800 1200 0 0",
        ),
        (
            "E6",
            "1000 250 100 50 | 250 0 150 0 | 1200 400 800 1050 0 0",
        ),
        (
            "E7",
            "1000 250 100 50 | 250 -40 150 0 | 1200 360 840 1050 0 0",
        ),
        (
            "E8",
            "1000 250 100 50 | 250 0 150 40 | 1200 360 840 1090 0 0",
        ),
        (
            "E9",
            "1000 250 100 50 | 0 0 150 40 | 1200 110 1090 1090 0 0",
        ),
        (
            "E10",
            "1000 250 100 50 | 250 0 150 40 | 1200 360 840 1090 0 0",
        ),
        (
            "E11",
            "1000 250 100 50 | 250 1300 150 40 | 1200 1660 -460 1090 210 250",
        ),
        (
            "E12",
            "1000 250 100 50 | 250 0 150 40 | 1200 360 840 1090 0 0",
        ),
        (
            "E13",
            "1000 250 100 50 | 400 0 0 40 | 1200 360 840 1240 0 0",
        ),
        ("E14", "1000 250 100 50 | 400 0 0 0 | 1200 400 800 1200 0 0"),
    ];
    for (seen, (name, expected)) in told.iter().zip(expected) {
        assert_eq!((seen.0.as_str(), seen.1.as_str()), (name, expected));
    }
    assert!(office.shows(LAW).starts_with("0 100 0 -50"));
    office.create(allocation("70", None, Some(LAW)));
    assert!(office.shows(LAW).starts_with("70 100 0 -50"));
    let voided = &office.stored[&payment];
    assert_eq!(voided.amount, Amount::ZERO);
    assert_eq!(voided.voided_amount, Some(amount("150")));
}

#[test]
fn the_life_of_one_encumbrance() {
    use EncumbranceStatus::{Pending, Released, Unreleased};
    let mut office = Office::new(&[(HIST, "HIST")]);
    office.create(allocation("1000", None, Some(HIST)));
    let order = office.create(encumbrance("100"));
    let is = |office: &Office, name: &str, record: &str, budget: &str| {
        assert_eq!(office.encumbrance(order), record, "{name}");
        let shown = office.shows(HIST);
        let sums = shown.split(" | ").nth(1).expect("the sums");
        assert_eq!(sums, budget, "{name}");
    };
    is(&office, "D1", "100/100/0/0/0 Unreleased", "100 0 0 0");
    office.price(order, "120");
    is(&office, "D2", "120/120/0/0/0 Unreleased", "120 0 0 0");
    office.create(pending("50", Some(order), false));
    is(&office, "D3", "70/120/50/0/0 Unreleased", "70 50 0 0");
    let first = office.create(paid(Kind::Payment, "50", Some(order)));
    is(&office, "D4", "70/120/0/50/0 Unreleased", "70 0 50 0");
    let second = office.create(pending("90", Some(order), false));
    is(&office, "D5", "0/120/90/50/0 Unreleased", "0 90 50 0");
    office.cancel(second);
    is(&office, "D6", "90/120/0/50/0 Unreleased", "90 0 50 0");
    office.status(order, Released);
    is(&office, "D7", "0/120/0/50/0 Released", "0 0 50 0");
    office.status(order, Unreleased);
    is(&office, "D8", "70/120/0/50/0 Unreleased", "70 0 50 0");
    office.price(order, "150");
    is(&office, "D9", "100/150/0/50/0 Unreleased", "100 0 50 0");
    office.status(order, Released);
    is(&office, "D10", "0/150/0/50/0 Released", "0 0 50 0");
    office.status(order, Unreleased);
    is(&office, "D11", "100/150/0/50/0 Unreleased", "100 0 50 0");
    office.status(order, Pending);
    is(&office, "D12", "0/0/0/50/0 Pending", "0 0 50 0");
    office.update(order, |one| {
        let encumbrance = one.encumbrance.as_mut().expect("an encumbrance");
        encumbrance.status = Unreleased;
        encumbrance.initial_amount_encumbered = amount("150");
        encumbrance.amount_expended = Amount::ZERO;
    });
    is(&office, "D13", "100/150/0/50/0 Unreleased", "100 0 50 0");
    office.create(pending("-30", Some(order), false));
    is(
        &office,
        "D14",
        "130/150/-30/50/0 Unreleased",
        "130 -30 50 0",
    );
    let credit = office.create(paid(Kind::Credit, "30", Some(order)));
    is(&office, "D15", "130/150/0/50/30 Unreleased", "130 0 50 30");
    office.cancel(credit);
    is(&office, "D16", "100/150/0/50/0 Unreleased", "100 0 50 0");
    office.cancel(first);
    is(&office, "D17", "150/150/0/0/0 Unreleased", "150 0 0 0");
    let third = office.create(pending("60", Some(order), true));
    is(&office, "D18", "0/150/60/0/0 Released", "0 60 0 0");
    office.cancel(third);
    is(&office, "cancelled", "0/150/0/0/0 Released", "0 0 0 0");
    office.status(order, Unreleased);
    is(&office, "D19", "150/150/0/0/0 Unreleased", "150 0 0 0");
}

#[test]
fn what_was_overspent_is_unreleased_below_zero() {
    let mut office = Office::new(&[(HIST, "HIST")]);
    office.create(allocation("1000", None, Some(HIST)));
    let mut one = encumbrance("40");
    one.amount = Amount::ZERO;
    let of = one.encumbrance.as_mut().expect("an encumbrance");
    (of.status, of.amount_expended) = (EncumbranceStatus::Released, amount("65"));
    let order = office.create(one);
    office.status(order, EncumbranceStatus::Unreleased);
    assert_eq!(office.encumbrance(order), "-25/40/0/65/0 Unreleased");
    assert!(office.shows(HIST).contains("| -25 0 0 0 |"));
}

/// Allocated 200, net 40; encumbrance 95 %, expenditure 90 %.
fn limited() -> (Office, Uuid) {
    let mut office = Office::new(&[(HIST, "HIST"), (LAW, "LAW")]);
    office.create(allocation("1000", None, Some(LAW)));
    office.create(allocation("200", None, Some(HIST)));
    office.create(transfer("40", Some(LAW), Some(HIST)));
    office.create(pending("20", None, false));
    office.create(paid(Kind::Payment, "20", None));
    office.create(pending("-5", None, false));
    office.create(paid(Kind::Credit, "5", None));
    let order = office.create(encumbrance("150"));
    office.create(pending("30", None, false));
    let budget = &mut office.accounts.get_mut(&HIST).expect("it").budget;
    budget.allowable_encumbrance = Some(amount("95"));
    budget.allowable_expenditure = Some(amount("90"));
    assert!(
        office
            .shows(HIST)
            .ends_with("| 150 30 20 5 | 240 195 45 225 0 0")
    );
    (office, order)
}

#[test]
fn limits_at_their_borders() {
    use BatchRefusal::{EncumbranceRestricted, ExpenditureRestricted};
    let tries = |change: fn(&mut Office), one: FundTransaction| {
        let (mut office, _) = limited();
        change(&mut office);
        office.act(&Batch::creating(vec![one]))
    };
    let as_is = |_: &mut Office| {};
    let only_expenditures = |office: &mut Office| {
        office
            .accounts
            .get_mut(&HIST)
            .expect("it")
            .restrict_encumbrance = false;
    };
    assert_eq!(tries(as_is, encumbrance("33.00")), Ok(()), "F1");
    let refused = tries(as_is, encumbrance("33.01")).expect_err("F2");
    assert_eq!(refused.code(), Some("budgetRestrictedEncumbranceError"));
    let parameters = refused.parameters();
    let told = |name: &str| {
        let mut parameters = parameters.iter();
        parameters
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.clone())
    };
    for (name, value) in [
        ("fundCode", "HIST"),
        ("remaining", "-0.01"),
        ("allowableEncumbered", "0.95"),
        ("allocated", "200"),
        ("netTransfers", "40"),
        ("encumbered", "183.01"),
        ("awaitingPayment", "30"),
        ("credited", "5"),
        ("expended", "20"),
    ] {
        assert_eq!(told(name).as_deref(), Some(value), "{name}");
    }
    assert!(
        matches!(
            tries(as_is, pending("171", None, false)),
            Err(EncumbranceRestricted(_))
        ),
        "F5"
    );
    assert_eq!(
        tries(only_expenditures, pending("171", None, false)),
        Ok(()),
        "F6"
    );
    match tries(only_expenditures, pending("171.01", None, false)) {
        Err(ExpenditureRestricted(limit)) => assert_eq!(limit.remaining, amount("-0.01")),
        other => panic!("F6: {other:?}"),
    }
    assert_eq!(tries(as_is, paid(Kind::Payment, "30", None)), Ok(()), "F7");
    assert_eq!(
        tries(as_is, transfer("30", Some(HIST), Some(LAW))),
        Ok(()),
        "F8"
    );
    let refused = tries(as_is, transfer("40", Some(HIST), Some(LAW)));
    assert!(matches!(refused, Err(EncumbranceRestricted(_))), "F9");
    let unlimited = |office: &mut Office| {
        office
            .accounts
            .get_mut(&HIST)
            .expect("it")
            .budget
            .allowable_encumbrance = None;
    };
    assert_eq!(tries(unlimited, encumbrance("500")), Ok(()), "F10");
}

#[test]
fn edits_and_releases_of_one_batch_net_out() {
    for (initial, passes) in [("183", true), ("183.01", false)] {
        let (mut office, order) = limited();
        let mut one = office.stored[&order].clone();
        one.amount = amount(initial);
        let done = office.act(&Batch::updating(vec![one]));
        assert_eq!(done.is_ok(), passes, "F4 {initial}");
    }
    let (mut office, order) = limited();
    let mut released = office.stored[&order].clone();
    released.encumbrance.as_mut().expect("it").status = EncumbranceStatus::Released;
    let batch = Batch {
        create: vec![encumbrance("180")],
        update: vec![released],
        ..Batch::default()
    };
    assert_eq!(office.act(&batch), Ok(()), "F14");
    assert!(office.shows(HIST).contains("| 180 30 20 5 |"));
    let (mut office, _) = limited();
    let three = ["10", "20", "3.01"].map(encumbrance).to_vec();
    assert!(office.act(&Batch::creating(three)).is_err(), "N18");
    assert!(office.shows(HIST).contains("| 150 30 20 5 |"));
}

#[test]
fn refusals_before_anything_is_read_come_in_order() {
    let refused = |batch: Batch| check_sent(&batch).expect_err("it is refused");
    let one = |change: fn(&mut FundTransaction), base: FundTransaction| {
        let mut base = base;
        change(&mut base);
        base
    };
    assert_eq!(refused(Batch::default()), BatchRefusal::Empty);
    let bare = one(|it| it.encumbrance = None, encumbrance("1"));
    let id = bare.id;
    assert_eq!(
        refused(Batch::creating(vec![bare])),
        BatchRefusal::OrderMissing(id)
    );
    for base in [pending("1", None, false), paid(Kind::Payment, "1", None)] {
        let bare = one(|it| it.source_invoice_id = None, base);
        let id = bare.id;
        assert_eq!(
            refused(Batch::creating(vec![bare])),
            BatchRefusal::InvoiceMissing(id)
        );
    }
    let twice = encumbrance("1");
    let ids = vec![twice.id];
    assert_eq!(
        refused(Batch::creating(vec![twice.clone(), twice])),
        BatchRefusal::Twice("create", ids)
    );
    for value in ["0", "-5"] {
        let batch = Batch::creating(vec![allocation(value, None, Some(HIST))]);
        assert_eq!(refused(batch), BatchRefusal::AllocationNotPositive);
    }
    let batch = Batch::creating(vec![allocation("5", None, None)]);
    assert_eq!(refused(batch), BatchRefusal::FundMissing);
    let bare = transfer("5", Some(HIST), None);
    let id = bare.id;
    assert_eq!(
        refused(Batch::creating(vec![bare])),
        BatchRefusal::TransferWithoutTarget(id)
    );
    let negative = paid(Kind::Payment, "-1", None);
    let id = negative.id;
    assert_eq!(
        refused(Batch::creating(vec![negative])),
        BatchRefusal::NegativePayment(id)
    );
    assert_eq!(
        check_sent(&Batch::creating(vec![transfer("5", None, Some(HIST))])),
        Ok(())
    );
}

#[test]
fn refusals_of_what_is_stored_come_in_order() {
    let mut office = Office::new(&[(HIST, "HIST"), (LAW, "LAW")]);
    office.create(allocation("1000", None, Some(HIST)));
    let order = office.create(encumbrance("10"));
    let (unknown, elsewhere) = (Uuid::from_u128(404), Uuid::from_u128(9));
    let gone = Batch {
        delete: vec![unknown],
        ..Batch::default()
    };
    assert_eq!(office.act(&gone), Err(BatchRefusal::DeleteUnknown));
    let stored = office.stored[&order].clone();
    assert_eq!(
        office.act(&Batch::creating(vec![stored])),
        Err(BatchRefusal::AlreadyExists(order))
    );
    let strange = encumbrance("1");
    let id = strange.id;
    assert_eq!(
        office.act(&Batch::updating(vec![strange])),
        Err(BatchRefusal::UpdateUnknown(id))
    );
    let linked = Batch::creating(vec![pending("1", Some(unknown), false)]);
    assert_eq!(
        office.act(&linked),
        Err(BatchRefusal::EncumbrancesNotFound(vec![unknown]))
    );
    for one in [
        allocation("1", None, Some(elsewhere)),
        transfer("1", None, Some(elsewhere)),
    ] {
        let refused = office.act(&Batch::creating(vec![one])).expect_err("N11");
        assert_eq!(refused, BatchRefusal::NoBudget(vec![elsewhere]));
        assert_eq!(
            (refused.status(), refused.code()),
            (500, Some("genericError"))
        );
    }
    let first = office
        .stored
        .values()
        .find(|one| one.kind == Kind::Allocation);
    let first = first.expect("the allocation").clone();
    assert_eq!(
        office.act(&Batch::updating(vec![first])),
        Err(BatchRefusal::UpdateOf(Kind::Allocation))
    );
    let patched = Batch {
        patches: 1,
        ..Batch::default()
    };
    assert_eq!(office.act(&patched), Err(BatchRefusal::Patches));
    let budget = &mut office.accounts.get_mut(&HIST).expect("it").budget;
    budget.status = crate::records::BudgetStatus::Frozen;
    let refused = office
        .act(&Batch::creating(vec![encumbrance("1")]))
        .expect_err("N10");
    assert_eq!(refused, BatchRefusal::BudgetNotActive("HIST".to_owned()));
    let deletion = Batch {
        delete: vec![order],
        ..Batch::default()
    };
    assert!(budget_keys(&deletion, &office.books(&deletion)).is_empty());
    assert_eq!(office.act(&deletion), Ok(()), "a deletion needs no budget");
    assert!(
        office.shows(HIST).contains("| 10 0 0 0 |"),
        "and changes none: N20"
    );
}

mod any_order {
    use proptest::prelude::*;

    use super::*;
    use crate::rules::recalculation::sums;

    impl Office {
        fn of_kind(&self, kind: Kind, at: usize) -> Option<FundTransaction> {
            let mut found: Vec<&FundTransaction> = self
                .stored
                .values()
                .filter(|one| one.kind == kind)
                .collect();
            found.sort_by_key(|one| one.id);
            let at = at.checked_rem(found.len())?;
            found.get(at).map(|one| (*one).clone())
        }

        /// Does what the numbers say, if there is something to do it with.
        fn step(&mut self, what: u8, at: usize, cents: i64) {
            let value = Amount::cents(cents).to_string();
            match what {
                0 => {
                    self.create(encumbrance(&value));
                }
                1 | 2 => {
                    let on = self.of_kind(Kind::Encumbrance, at).map(|one| one.id);
                    let mut one = pending(&value, on, what == 2);
                    // Each has an invoice of its own, so that each is paid alone.
                    one.source_invoice_id = Some(one.id);
                    self.create(one);
                }
                3 => {
                    if let Some(one) = self.of_kind(Kind::PendingPayment, at)
                        && !one.is_cancelled()
                    {
                        let kind = match one.amount.is_negative() {
                            true => Kind::Credit,
                            false => Kind::Payment,
                        };
                        let amount = one.amount.abs().to_string();
                        let mut paid = paid(kind, &amount, one.linked_encumbrance());
                        paid.source_invoice_id = one.source_invoice_id;
                        self.create(paid);
                    }
                }
                4..=6 => {
                    let kinds = [Kind::PendingPayment, Kind::Payment, Kind::Credit];
                    if let Some(one) = self.of_kind(kinds[usize::from(what - 4)], at) {
                        self.cancel(one.id);
                    }
                }
                7 | 8 => {
                    if let Some(one) = self.of_kind(Kind::Encumbrance, at) {
                        let status = match what {
                            7 => EncumbranceStatus::Released,
                            _ => EncumbranceStatus::Unreleased,
                        };
                        self.status(one.id, status);
                    }
                }
                _ => {
                    if let Some(one) = self.of_kind(Kind::Encumbrance, at) {
                        self.price(one.id, &Amount::cents(cents.abs()).to_string());
                    }
                }
            }
        }
    }

    proptest! {
        #[test]
        fn the_sums_are_those_of_the_transactions(
            steps in proptest::collection::vec((0_u8..10, 0_usize..8, -2_000_i64..20_000), 1..40),
        ) {
            let mut office = Office::new(&[(HIST, "HIST")]);
            office.create(allocation("1000", None, Some(HIST)));
            for (what, at, cents) in steps {
                office.step(what, at, cents);
                let all: Vec<FundTransaction> = office.stored.values().cloned().collect();
                prop_assert_eq!(sums(HIST, &all, 2), office.accounts[&HIST].budget.sums);
            }
        }
    }
}

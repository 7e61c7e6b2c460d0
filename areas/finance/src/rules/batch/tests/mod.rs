//! Worked cases of batches: a small finance office, and what becomes of its books.

mod any_order;
mod limits;
mod lives;
mod refusals;

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

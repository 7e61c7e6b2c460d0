//! The encumbrances that the distributions of invoice lines take their money from.

use octavo_finance::records::{EncumbranceStatus, FundTransaction};
use uuid::Uuid;

use super::distribution::Distribution;

/// For each distribution of a line the encumbrance of the order line with the same fund and class.
#[must_use]
pub fn matching(
    po_line: Option<Uuid>,
    distributions: &[Distribution],
    encumbrances: &[FundTransaction],
) -> Vec<Option<Uuid>> {
    let of = |distribution: &Distribution| {
        let po_line = po_line?;
        let mut all = encumbrances.iter();
        let found = all.find(|one| {
            of_po_line(one) == Some(po_line)
                && one.from_fund_id == Some(distribution.fund_id)
                && one.expense_class_id == distribution.expense_class_id
        });
        found.map(|one| one.id)
    };
    distributions.iter().map(of).collect()
}

/// The order line of an encumbrance.
#[must_use]
pub fn of_po_line(transaction: &FundTransaction) -> Option<Uuid> {
    Some(transaction.encumbrance.as_ref()?.source_po_line_id)
}

/// A line of an approved invoice: its order line and the funds of its distributions.
pub type Charged = (Uuid, Vec<Uuid>);

/// The unreleased encumbrances of the order lines whose fund no line of the invoice on the order line charges:
/// the order was not paid from there. FOLIO releases them whatever the lines say about releasing.
#[must_use]
pub fn uncharged(charged: &[Charged], encumbrances: &[FundTransaction]) -> Vec<FundTransaction> {
    let is_uncharged = |one: &&FundTransaction| {
        let Some(po_line) = of_po_line(one) else {
            return false;
        };
        let mut on_it = charged.iter().filter(|(of, _)| *of == po_line).peekable();
        let status = one.encumbrance.as_ref().map(|part| part.status);
        let fund = one.from_fund_id.unwrap_or_default();
        on_it.peek().is_some()
            && status == Some(EncumbranceStatus::Unreleased)
            && on_it.all(|(_, funds)| !funds.contains(&fund))
    };
    encumbrances.iter().filter(is_uncharged).cloned().collect()
}

#[cfg(test)]
mod tests {
    use octavo_finance::Amount;
    use octavo_finance::records::{Encumbrance, Kind, OrderStatus, OrderType, Source};

    use super::*;

    fn encumbrance(id: u128, po_line: u128, fund: u128, class: Option<u128>) -> FundTransaction {
        let year = Uuid::from_u128(1);
        let amount = Amount::cents(6000);
        let mut one = FundTransaction::new(Kind::Encumbrance, Source::PoLine, year, amount, "USD");
        one.id = Uuid::from_u128(id);
        one.from_fund_id = Some(Uuid::from_u128(fund));
        one.expense_class_id = class.map(Uuid::from_u128);
        one.encumbrance = Some(Encumbrance {
            amount_awaiting_payment: Amount::ZERO,
            amount_credited: Amount::ZERO,
            amount_expended: Amount::ZERO,
            initial_amount_encumbered: amount,
            status: EncumbranceStatus::Unreleased,
            order_type: OrderType::OneTime,
            order_status: Some(OrderStatus::Open),
            subscription: false,
            re_encumber: false,
            source_purchase_order_id: Uuid::from_u128(2),
            source_po_line_id: Uuid::from_u128(po_line),
        });
        one
    }

    fn distribution(fund: u128, class: Option<u128>) -> Distribution {
        Distribution {
            fund_id: Uuid::from_u128(fund),
            expense_class_id: class.map(Uuid::from_u128),
            encumbrance: None,
            is_percentage: true,
            value: rust_decimal::Decimal::ONE_HUNDRED,
        }
    }

    #[test]
    fn fund_and_class_of_one_order_line_match() {
        let all = [
            encumbrance(11, 7, 1, None),
            encumbrance(12, 7, 1, Some(5)),
            encumbrance(13, 8, 2, None),
        ];
        let rows = [
            distribution(1, Some(5)),
            distribution(1, None),
            distribution(2, None),
        ];
        let ids = |po_line: Option<u128>| {
            let found = matching(po_line.map(Uuid::from_u128), &rows, &all);
            let numbers = found.into_iter().map(|id| id.map(|id| id.as_u128()));
            numbers.collect::<Vec<_>>()
        };
        assert_eq!(ids(Some(7)), [Some(12), Some(11), None]);
        assert_eq!(ids(Some(8)), [None, None, Some(13)]);
        assert_eq!(ids(None), [None, None, None]);
    }

    /// K10–K12 of the worked examples: HIST is fund 1, LAW fund 2.
    #[test]
    fn encumbrances_of_other_funds_are_released() {
        let all = [encumbrance(11, 7, 1, None), encumbrance(12, 7, 2, None)];
        let released = |charged: &[(u128, Vec<u128>)]| {
            let charged: Vec<Charged> = charged
                .iter()
                .map(|(line, funds)| {
                    let funds = funds.iter().map(|fund| Uuid::from_u128(*fund)).collect();
                    (Uuid::from_u128(*line), funds)
                })
                .collect();
            let found = uncharged(&charged, &all);
            found.iter().map(|one| one.id.as_u128()).collect::<Vec<_>>()
        };
        assert_eq!(released(&[(7, vec![1])]), [12]);
        assert_eq!(released(&[(7, vec![1, 2])]), [] as [u128; 0]);
        assert_eq!(released(&[(7, vec![1]), (7, vec![2])]), [] as [u128; 0]);
        assert_eq!(released(&[(9, vec![1])]), [] as [u128; 0]);
    }
}

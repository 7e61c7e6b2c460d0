//! Allocates an amount to several accounts: evenly, but no account gets more than remains of it; the
//! smallest are served first, and the rest is allocated to the others.

use super::Money;

/// Spreads an amount over what each account can take; returns the shares in the same order. Indivisible
/// cents go to the smallest accounts with room. An excess over all accounts is not allocated.
#[must_use]
pub fn spread(amount: Money, rooms: &[Money]) -> Vec<Money> {
    let mut shares = vec![Money::ZERO; rooms.len()];
    let mut order: Vec<usize> = (0..rooms.len())
        .filter(|at| rooms[*at].is_positive())
        .collect();
    order.sort_by_key(|at| rooms[*at]);
    let mut left = amount;
    let mut even = left.part_of(order.len());
    for (done, at) in order.iter().enumerate() {
        let share = rooms[*at].min(even).min(left);
        shares[*at] = share;
        left = left - share;
        if share < even {
            even = left.part_of(order.len() - done - 1);
        }
    }
    // Fewer cents than accounts are left, so one each is enough where there is room.
    for at in &order {
        if left.is_positive() && shares[*at] < rooms[*at] {
            shares[*at] += Money::CENT;
            left = left - Money::CENT;
        }
    }
    shares
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn money(text: &str) -> Money {
        Money::parse(text).expect("an amount")
    }

    fn shares(amount: &str, rooms: &[&str]) -> Vec<String> {
        let rooms: Vec<Money> = rooms.iter().map(|room| money(room)).collect();
        let shares = spread(money(amount), &rooms);
        shares.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn all_get_the_same_and_none_more_than_it_can_take() {
        let table: [(&str, &[&str], &[&str]); 9] = [
            ("30", &["10", "10", "10"], &["10.00", "10.00", "10.00"]),
            ("15", &["10", "10", "10"], &["5.00", "5.00", "5.00"]),
            ("15", &["10", "1", "10"], &["7.00", "1.00", "7.00"]),
            ("15", &["100", "1", "2"], &["12.00", "1.00", "2.00"]),
            ("10", &["10", "10", "10"], &["3.34", "3.33", "3.33"]),
            ("10", &["3.34", "3.33", "3.33"], &["3.34", "3.33", "3.33"]),
            ("0.01", &["5", "4", "3"], &["0.00", "0.00", "0.01"]),
            ("7", &["0", "7"], &["0.00", "7.00"]),
            ("7", &["7"], &["7.00"]),
        ];
        for (amount, rooms, meant) in table {
            assert_eq!(shares(amount, rooms), meant, "{amount} over {rooms:?}");
        }
        assert!(spread(money("1"), &[]).is_empty());
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_nothing_is_too_much(
            rooms in prop::collection::vec(0_u32..100_000, 1..40),
            part in 0_u32..=100,
        ) {
            let cents = |cents: u64| money(&format!("{}.{:02}", cents / 100, cents % 100));
            let total: u64 = rooms.iter().map(|room| u64::from(*room)).sum();
            let amount = cents(total * u64::from(part) / 100);
            let rooms: Vec<Money> = rooms.iter().map(|room| cents(u64::from(*room))).collect();
            let shares = spread(amount, &rooms);
            prop_assert_eq!(shares.iter().copied().sum::<Money>(), amount);
            prop_assert!(shares.iter().zip(&rooms).all(|(share, room)| share <= room));
            prop_assert!(shares.iter().all(|share| !share.is_negative()));
        }
    }
}

//! What an order and its line become that are mapped from an imported record: which order a record belongs to,
//! and what the import decides in place of the mapping.

use jiff::civil::Date;
use serde_json::json;

use super::doc::{Doc, object_in, set, text};
use super::line::{Format, Kind, Line, Making};

/// The number of a record's order in its job.
#[must_use]
pub fn number(position: i64, limit: i64) -> i64 {
    position.div_euclid(limit.max(1))
}

/// The number of lines of an order of a job: the limit, and what is left for the last one.
#[must_use]
pub fn lines_of(number: i64, limit: i64, total: Option<i64>) -> i64 {
    let limit = limit.max(1);
    match total {
        Some(total) => (total - number * limit).clamp(1, limit),
        None => limit,
    }
}

/// What is made in the inventory for a line, by what the job's profile makes.
#[must_use]
pub fn making(instance: bool, holdings: bool, items: bool) -> Making {
    match (instance, holdings, items) {
        (true, true, true) => Making::Items,
        (true, true, false) => Making::Holdings,
        (true, false, _) => Making::Instance,
        (false, ..) => Making::Nothing,
    }
}

/// Writes it into a line, for the kinds that its format has.
pub fn set_making(line: &mut Doc, making: Making) {
    let format = Line(line).format();
    let named = text(line, "orderFormat").is_some();
    let kinds: &[Kind] = match format {
        Format::Mix => &Kind::BOTH,
        Format::Electronic => &[Kind::Electronic],
        Format::Physical | Format::Other if named => &[Kind::Physical],
        Format::Physical | Format::Other => &[],
    };
    for kind in kinds {
        set(
            object_in(line, kind.part()),
            "createInventory",
            making.name(),
        );
    }
}

/// The days until a resource is to be activated, where the mapping gives a date: the days of the period until
/// then, without its months, as in FOLIO.
pub fn set_activation_due(line: &mut Doc, today: Date) {
    let due = text(line, "eresource.activationDue");
    let Some(due) = due.and_then(|due| due.parse::<Date>().ok()) else {
        return;
    };
    let days = match due > today {
        true => {
            let period = today.until((jiff::Unit::Year, due));
            period.map_or(1, |period| i64::from(period.get_days()))
        }
        false => 1,
    };
    set(object_in(line, "eresource"), "activationDue", json!(days));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::doc::object;

    #[test]
    fn records_are_spread_over_orders() {
        for (position, limit, total, wanted) in [
            (0, 1, Some(3), (0, 1)),
            (2, 1, Some(3), (2, 1)),
            (4, 3, Some(5), (1, 2)),
            (2, 3, Some(5), (0, 3)),
            (5, 3, Some(6), (1, 3)),
            (7, 3, None, (2, 3)),
        ] {
            let number = number(position, limit);
            assert_eq!(
                (number, lines_of(number, limit, total)),
                wanted,
                "{position}"
            );
        }
    }

    #[test]
    fn the_profile_decides_what_is_made() {
        assert_eq!(making(true, true, true), Making::Items);
        assert_eq!(making(true, true, false), Making::Holdings);
        assert_eq!(making(true, false, true), Making::Instance);
        assert_eq!(making(false, true, true), Making::Nothing);
        let mut line = object(json!({"orderFormat": "P/E Mix",
                                     "physical": {"createInventory": "None"}}));
        set_making(&mut line, Making::Holdings);
        assert_eq!(line["physical"]["createInventory"], "Instance, Holding");
        assert_eq!(line["eresource"]["createInventory"], "Instance, Holding");
        let mut line = object(json!({"orderFormat": "Electronic Resource"}));
        set_making(&mut line, Making::Nothing);
        assert_eq!(line.get("physical"), None);
        assert_eq!(line["eresource"]["createInventory"], "None");
    }

    #[test]
    fn days_until_activation_leave_months_out() {
        let today: Date = "2026-01-31".parse().unwrap();
        for (due, wanted) in [
            ("2026-02-05", 5),
            ("2026-02-28", 28),
            ("2026-01-31", 1),
            ("2025-01-01", 1),
        ] {
            let mut line = object(json!({"eresource": {"activationDue": due}}));
            set_activation_due(&mut line, today);
            assert_eq!(line["eresource"]["activationDue"], wanted, "{due}");
        }
        let mid: Date = "2026-01-10".parse().unwrap();
        let mut line = object(json!({"eresource": {"activationDue": "2026-02-10"}}));
        set_activation_due(&mut line, mid);
        assert_eq!(line["eresource"]["activationDue"], 0);
        let mut line = object(json!({"eresource": {"activationDue": "12"}}));
        set_activation_due(&mut line, mid);
        assert_eq!(line["eresource"]["activationDue"], "12");
    }
}

//! The opening days of a service point, as far as a due date needs them.

use std::collections::BTreeMap;

use jiff::civil::{Date, Time};

/// What is known about opening days.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Openings {
    /// The service point has no calendar. Managements that keep the due date work all the same;
    /// those that ask for an open day refuse.
    #[default]
    NoCalendar,
    /// The service point has a calendar.
    Calendar(Calendar),
}

/// The open days of a service point; days not listed are closed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Calendar {
    days: BTreeMap<Date, OpenDay>,
}

/// The hours of an open day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpenDay {
    /// Open from midnight to midnight.
    AllDay,
    /// Opening and closing times, in order and apart.
    Hours(Vec<(Time, Time)>),
}

/// A day that is open.
#[derive(Debug, Clone, Copy)]
pub(super) struct Day<'a> {
    pub date: Date,
    pub hours: &'a OpenDay,
}

/// The open days around a date: the last before, the date itself if open, the first after.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Adjacent<'a> {
    pub previous: Option<Day<'a>>,
    pub requested: Option<Day<'a>>,
    pub next: Option<Day<'a>>,
}

impl Calendar {
    /// A calendar of open days, in any order.
    pub fn new(days: impl IntoIterator<Item = (Date, OpenDay)>) -> Self {
        Self {
            days: days.into_iter().collect(),
        }
    }
}

impl Openings {
    pub(super) fn around(&self, date: Date) -> Adjacent<'_> {
        let Self::Calendar(calendar) = self else {
            return Adjacent::default();
        };
        let day = |(date, hours): (&Date, _)| Day { date: *date, hours };
        Adjacent {
            previous: calendar.days.range(..date).next_back().map(day),
            requested: calendar.days.get_key_value(&date).map(day),
            next: calendar
                .days
                .range((std::ops::Bound::Excluded(date), std::ops::Bound::Unbounded))
                .next()
                .map(day),
        }
    }
}

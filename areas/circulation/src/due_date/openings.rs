//! The opening days of a service point, as far as a due date needs them.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::civil::{Date, Time};
use octavo_calendar::{Opening, PointCalendars};

/// The last minute of a day that is open throughout.
const LAST_MINUTE: Time = Time::constant(23, 59, 0, 0);

/// What is known about opening days.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Openings {
    /// The service point has no calendar. Managements that keep the due date work anyway; those that ask
    /// for an open day refuse.
    #[default]
    NoCalendar,
    /// Open days by date.
    Calendar(Calendar),
    /// The service point's calendars.
    Point(Arc<PointCalendars>),
}

/// Open days by date; days not listed are closed.
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
#[derive(Debug, Clone)]
pub(super) struct Day {
    pub date: Date,
    pub hours: OpenDay,
}

/// The open days around a date: the last before, the date itself if open, the first after.
#[derive(Debug, Clone, Default)]
pub(super) struct Adjacent {
    pub previous: Option<Day>,
    pub requested: Option<Day>,
    pub next: Option<Day>,
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
    /// Whether a day is open; none is without a calendar.
    #[must_use]
    pub fn is_open(&self, date: Date) -> bool {
        self.around(date).requested.is_some()
    }

    /// The first open day from a date on.
    #[must_use]
    pub fn open_from(&self, date: Date) -> Option<Date> {
        let around = self.around(date);
        around.requested.or(around.next).map(|day| day.date)
    }

    /// The hours of a day, as mod-calendar lists them: a day that is open throughout lasts until
    /// 23:59.
    #[must_use]
    pub fn hours_on(&self, date: Date) -> Vec<(Time, Time)> {
        match self {
            Self::NoCalendar => Vec::new(),
            Self::Calendar(calendar) => match calendar.days.get(&date) {
                None => Vec::new(),
                Some(OpenDay::AllDay) => vec![(Time::midnight(), LAST_MINUTE)],
                Some(OpenDay::Hours(hours)) => hours.clone(),
            },
            Self::Point(calendars) => {
                let openings = calendars.day(date).openings;
                let hours = openings.iter().map(|one| (one.start, one.end));
                hours.collect()
            }
        }
    }

    /// How many minutes of two days and of those between them are open, in local time.
    #[must_use]
    pub fn open_minutes(&self, from: Date, until: Date) -> i64 {
        match self {
            _ if until < from => 0,
            Self::NoCalendar => 0,
            Self::Calendar(calendar) => {
                let days = calendar.days.range(from..=until);
                let hours = days.flat_map(|(date, _)| self.hours_on(*date));
                hours
                    .map(|(start, end)| Opening { start, end }.minutes())
                    .sum()
            }
            Self::Point(calendars) => calendars.open_minutes(from, until),
        }
    }

    pub(super) fn around(&self, date: Date) -> Adjacent {
        match self {
            Self::NoCalendar => Adjacent::default(),
            Self::Calendar(calendar) => calendar.around(date),
            Self::Point(calendars) => Adjacent {
                previous: calendars.previous_open(date).and_then(Day::open),
                requested: Day::open(calendars.day(date)),
                next: calendars.next_open(date).and_then(Day::open),
            },
        }
    }
}

impl Calendar {
    fn around(&self, date: Date) -> Adjacent {
        let day = |(date, hours): (&Date, &OpenDay)| Day {
            date: *date,
            hours: hours.clone(),
        };
        Adjacent {
            previous: self.days.range(..date).next_back().map(day),
            requested: self.days.get_key_value(&date).map(day),
            next: self
                .days
                .range((std::ops::Bound::Excluded(date), std::ops::Bound::Unbounded))
                .next()
                .map(day),
        }
    }
}

impl Day {
    /// A day of the calendars, if it is open.
    fn open(day: octavo_calendar::Day) -> Option<Day> {
        let hours = if day.all_day {
            OpenDay::AllDay
        } else {
            let hours = day.openings.iter();
            OpenDay::Hours(hours.map(|opening| (opening.start, opening.end)).collect())
        };
        let date = day.date;
        day.open.then_some(Day { date, hours })
    }
}

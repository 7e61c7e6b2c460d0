//! Compiled calendars: the opening hours of a service point on a day, and the open days around it. Pure;
//! the arithmetic is mod-calendar's.

mod calendar;
mod minutes;
#[cfg(test)]
mod tests;
mod week;

pub(crate) use week::split;

use std::collections::HashMap;
use std::sync::Arc;

use jiff::civil::{Date, Time};
use uuid::Uuid;

use crate::record::CalendarRecord;
use calendar::CompiledCalendar;

/// The calendars of a tenant by service point.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Calendars {
    points: HashMap<Uuid, Arc<PointCalendars>>,
}

/// The calendars of one service point, one after another.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PointCalendars {
    /// By date; they do not overlap.
    calendars: Vec<Arc<CompiledCalendar>>,
}

/// One day of a service point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Day {
    pub date: Date,
    /// Open from midnight to midnight, or closed all day.
    pub all_day: bool,
    /// Open at some time.
    pub open: bool,
    /// The hours are from an exception.
    pub exceptional: bool,
    pub exception_name: Option<Arc<str>>,
    /// The hours, in order.
    pub openings: Vec<Opening>,
}

/// Hours of a day; the last minute belongs to them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Opening {
    /// Opening time.
    pub start: Time,
    /// Closing time.
    pub end: Time,
}

/// The first minute of a day.
pub(crate) const MIDNIGHT: Time = Time::constant(0, 0, 0, 0);
/// The last minute of a day, as mod-calendar writes an opening that continues.
pub(crate) const LAST_MINUTE: Time = Time::constant(23, 59, 0, 0);

impl Calendars {
    /// Compiles calendars, in any order.
    #[must_use]
    pub fn new(records: &[CalendarRecord]) -> Calendars {
        let mut points: HashMap<Uuid, PointCalendars> = HashMap::new();
        for record in records {
            let compiled = Arc::new(CompiledCalendar::new(record));
            for point in &record.assignments {
                let of_point = points.entry(*point).or_default();
                of_point.calendars.push(Arc::clone(&compiled));
            }
        }
        let sorted = |mut point: PointCalendars| {
            point.calendars.sort_by_key(|calendar| calendar.start);
            Arc::new(point)
        };
        Calendars {
            points: points
                .into_iter()
                .map(|(id, point)| (id, sorted(point)))
                .collect(),
        }
    }

    /// The calendars of a service point, if it has any.
    #[must_use]
    pub fn of(&self, service_point: Uuid) -> Option<&Arc<PointCalendars>> {
        self.points.get(&service_point)
    }

    /// A day of a service point; closed without a calendar.
    #[must_use]
    pub fn openings(&self, service_point: Uuid, date: Date) -> Day {
        self.of(service_point)
            .map_or_else(|| Day::closed(date), |point| point.day(date))
    }

    /// The last open day before, the day itself, the first open day after. Without one, the adjacent day
    /// is returned, closed.
    #[must_use]
    pub fn surrounding(&self, service_point: Uuid, date: Date) -> [Day; 3] {
        match self.of(service_point) {
            Some(point) => point.surrounding(date),
            None => PointCalendars::default().surrounding(date),
        }
    }
}

impl PointCalendars {
    /// The day's hours in a calendar; `None` if no calendar covers it.
    #[must_use]
    pub fn listed(&self, date: Date) -> Option<Day> {
        let behind = self.calendars.partition_point(|one| one.start <= date);
        let calendar = self.calendars[..behind].last()?;
        calendar.listed(date)
    }

    /// The day, closed if no calendar covers it.
    #[must_use]
    pub fn day(&self, date: Date) -> Day {
        self.listed(date).unwrap_or_else(|| Day::closed(date))
    }

    /// The last open day before a date.
    #[must_use]
    pub fn previous_open(&self, date: Date) -> Option<Day> {
        let until = date.yesterday().ok()?;
        let behind = self.calendars.partition_point(|one| one.start <= until);
        let before = self.calendars[..behind].iter().rev();
        before
            .filter_map(|calendar| calendar.previous_open(until))
            .next()
    }

    /// The first open day after a date.
    #[must_use]
    pub fn next_open(&self, date: Date) -> Option<Day> {
        let from = date.tomorrow().ok()?;
        let over = self.calendars.partition_point(|one| one.end < from);
        let after = self.calendars[over..].iter();
        after.filter_map(|calendar| calendar.next_open(from)).next()
    }

    /// As [`Calendars::surrounding`].
    #[must_use]
    pub fn surrounding(&self, date: Date) -> [Day; 3] {
        let closed = |other: Result<Date, jiff::Error>| Day::closed(other.unwrap_or(date));
        [
            self.previous_open(date)
                .unwrap_or_else(|| closed(date.yesterday())),
            self.day(date),
            self.next_open(date)
                .unwrap_or_else(|| closed(date.tomorrow())),
        ]
    }
}

impl Day {
    /// A day that no calendar covers.
    #[must_use]
    pub fn closed(date: Date) -> Day {
        Day {
            date,
            all_day: true,
            open: false,
            exceptional: false,
            exception_name: None,
            openings: Vec::new(),
        }
    }
}

impl Opening {
    /// From the first to the last minute of a day.
    fn is_all_day(self) -> bool {
        whole_minute(self.start) == MIDNIGHT && whole_minute(self.end) == LAST_MINUTE
    }
}

fn whole_minute(time: Time) -> Time {
    Time::new(time.hour(), time.minute(), 0, 0).unwrap_or(time)
}

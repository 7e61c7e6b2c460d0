//! One calendar, compiled: a week of hours and exceptions in order.

use std::sync::Arc;

use jiff::civil::Date;

use super::week::Week;
use super::{Day, LAST_MINUTE, MIDNIGHT, Opening};
use crate::record::{CalendarRecord, ExceptionHours, ExceptionRange};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CompiledCalendar {
    pub start: Date,
    pub end: Date,
    pub(super) week: Week,
    /// By date; they do not overlap.
    pub(super) exceptions: Vec<Exception>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Exception {
    name: Arc<str>,
    pub start: Date,
    pub end: Date,
    pub openings: Vec<ExceptionHours>,
}

impl CompiledCalendar {
    pub fn new(record: &CalendarRecord) -> CompiledCalendar {
        let mut exceptions: Vec<Exception> = record.exceptions.iter().map(Exception::new).collect();
        exceptions.sort_by_key(|exception| exception.start);
        CompiledCalendar {
            start: record.start_date,
            end: record.end_date,
            week: Week::new(&record.normal_hours),
            exceptions,
        }
    }

    /// A day for which this calendar has an exception or normal hours.
    pub fn listed(&self, date: Date) -> Option<Day> {
        if date < self.start || self.end < date {
            return None;
        }
        if let Some(exception) = self.exception_on(date) {
            return Some(exception.day(date));
        }
        let hours = self.week.on(date)?;
        Some(Day {
            date,
            all_day: hours.all_day,
            open: true,
            exceptional: false,
            exception_name: None,
            openings: hours.openings.clone(),
        })
    }

    /// The first open day from a date on. It steps from exception to exception, not from day to day: a
    /// calendar may last for centuries.
    pub fn next_open(&self, from: Date) -> Option<Day> {
        let mut at = from.max(self.start);
        while at <= self.end {
            if let Some(exception) = self.exception_on(at) {
                if let Some(date) = exception.next_open(at) {
                    return self.listed(date);
                }
                at = exception.end.tomorrow().ok()?;
                continue;
            }
            let behind = self.exceptions.partition_point(|one| one.start <= at);
            let until = match self.exceptions.get(behind) {
                Some(next) => next.start.yesterday().ok()?.min(self.end),
                None => self.end,
            };
            if let Some(date) = self.week.next_open(at, until) {
                return self.listed(date);
            }
            at = until.tomorrow().ok()?;
        }
        None
    }

    /// The last open day up to a date.
    pub fn previous_open(&self, until: Date) -> Option<Day> {
        let mut at = until.min(self.end);
        while at >= self.start {
            if let Some(exception) = self.exception_on(at) {
                if let Some(date) = exception.previous_open(at) {
                    return self.listed(date);
                }
                at = exception.start.yesterday().ok()?;
                continue;
            }
            let behind = self.exceptions.partition_point(|one| one.start <= at);
            let from = match self.exceptions[..behind].last() {
                Some(before) => before.end.tomorrow().ok()?.max(self.start),
                None => self.start,
            };
            if let Some(date) = self.week.previous_open(at, from) {
                return self.listed(date);
            }
            at = from.yesterday().ok()?;
        }
        None
    }

    fn exception_on(&self, date: Date) -> Option<&Exception> {
        let behind = self.exceptions.partition_point(|one| one.start <= date);
        let last = self.exceptions[..behind].last()?;
        (date <= last.end).then_some(last)
    }
}

impl Exception {
    fn new(range: &ExceptionRange) -> Exception {
        Exception {
            name: Arc::from(range.name.as_str()),
            start: range.start_date,
            end: range.end_date,
            openings: range.openings.clone(),
        }
    }

    fn day(&self, date: Date) -> Day {
        let on_date = |hours: &&ExceptionHours| hours.start_date <= date && date <= hours.end_date;
        let mut openings: Vec<Opening> = self
            .openings
            .iter()
            .filter(on_date)
            .map(|hours| part_on(hours, date))
            .collect();
        openings.sort();
        Day {
            date,
            all_day: match openings[..] {
                [] => true,
                [one] => one.is_all_day(),
                _ => false,
            },
            open: !openings.is_empty(),
            exceptional: true,
            exception_name: Some(Arc::clone(&self.name)),
            openings,
        }
    }

    fn next_open(&self, from: Date) -> Option<Date> {
        let reaching = self.openings.iter().filter(|hours| from <= hours.end_date);
        let dates = reaching.map(|hours| hours.start_date.max(from));
        dates.min().filter(|date| *date <= self.end)
    }

    fn previous_open(&self, until: Date) -> Option<Date> {
        let begun = self.openings.iter();
        let begun = begun.filter(|hours| hours.start_date <= until);
        let dates = begun.map(|hours| hours.end_date.min(until));
        dates.max().filter(|date| self.start <= *date)
    }
}

/// The part of an opening that lies on a date.
pub(super) fn part_on(hours: &ExceptionHours, date: Date) -> Opening {
    let first = hours.start_date == date;
    let last = hours.end_date == date;
    Opening {
        start: if first { hours.start_time } else { MIDNIGHT },
        end: if last { hours.end_time } else { LAST_MINUTE },
    }
}

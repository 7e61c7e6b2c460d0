//! Finds all errors of a calendar, in mod-calendar's order.

use jiff::civil::{Date, DateTime};
use uuid::Uuid;

use super::Problem;
use super::overlaps::{overlapping, overlapping_hours};
use crate::record::{CalendarRecord, ExceptionHours, ExceptionRange};

/// Another calendar of the same service points on the same days.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overlap {
    pub name: String,
    /// Its first day.
    pub start: Date,
    /// Its last day.
    pub end: Date,
    /// Its service points.
    pub assignments: Vec<Uuid>,
}

const NORMAL_HOURS_MAX: usize = 500;
/// Openings of all exceptions together.
const OPENINGS_MAX: usize = 5_000;
const NAME_CHARS_MAX: usize = 1_000;
/// Calendars of one tenant: all of them are held in memory, compiled.
const CALENDARS_MAX: usize = 20_000;

/// All errors of a calendar. `others` are the calendars that share service points and days with it,
/// `stored` is the tenant's number of calendars including it.
#[must_use]
pub fn validate(calendar: &CalendarRecord, others: &[Overlap], stored: usize) -> Vec<Problem> {
    let limits = limits(calendar, stored);
    if !limits.is_empty() {
        return limits;
    }
    let mut problems = Vec::new();
    if calendar.name.trim().is_empty() {
        let name = calendar.name.clone();
        problems.push(Problem::NoName { name });
    }
    let (start, end) = (calendar.start_date, calendar.end_date);
    if start > end {
        problems.push(Problem::DateRange { start, end });
    }
    problems.extend(others.iter().map(|other| conflict(calendar, other)));
    let hours = overlapping_hours(&calendar.normal_hours);
    if !hours.is_empty() {
        problems.push(Problem::NormalHours(hours));
    }
    exceptions(calendar, &mut problems);
    problems
}

fn limits(calendar: &CalendarRecord, stored: usize) -> Vec<Problem> {
    let openings = calendar.exceptions.iter().map(|range| range.openings.len());
    let names = calendar.exceptions.iter().map(|range| &range.name);
    let chars = names
        .chain([&calendar.name])
        .map(|name| name.chars().count());
    [
        ("normalHours", calendar.normal_hours.len(), NORMAL_HOURS_MAX),
        ("openings of exceptions", openings.sum(), OPENINGS_MAX),
        (
            "characters of name",
            chars.max().unwrap_or(0),
            NAME_CHARS_MAX,
        ),
        ("calendars", stored, CALENDARS_MAX),
    ]
    .into_iter()
    .filter(|(_, found, most)| found > most)
    .map(|(what, _, most)| Problem::TooMany { what, most })
    .collect()
}

fn conflict(calendar: &CalendarRecord, other: &Overlap) -> Problem {
    let own = calendar.assignments.iter();
    Problem::DateOverlap {
        name: other.name.clone(),
        start: other.start,
        end: other.end,
        shared: own
            .filter(|point| other.assignments.contains(point))
            .copied()
            .collect(),
    }
}

fn exceptions(calendar: &CalendarRecord, problems: &mut Vec<Problem>) {
    let ranges = &calendar.exceptions;
    let (start, end) = (calendar.start_date, calendar.end_date);
    let that = |wanted: &dyn Fn(&ExceptionRange) -> bool| {
        let found = ranges.iter().filter(|range| wanted(range));
        found.cloned().collect::<Vec<_>>()
    };
    let nameless = that(&|range| range.name.trim().is_empty());
    if !nameless.is_empty() {
        problems.push(Problem::ExceptionName(nameless));
    }
    let backwards = that(&|range| range.start_date > range.end_date);
    problems.extend(backwards.into_iter().map(Problem::ExceptionDateOrder));
    let outside = that(&|range| {
        let inside = |date| start <= date && date <= end;
        !inside(range.start_date) || !inside(range.end_date)
    });
    let outside = outside.into_iter();
    problems.extend(outside.map(|range| Problem::ExceptionDateBoundary { range, start, end }));
    let dates: Vec<_> = ranges
        .iter()
        .map(|range| (range.start_date, range.end_date))
        .collect();
    let met = overlapping(&dates);
    if !met.is_empty() {
        let conflicts = met.into_iter().map(|at| ranges[at].clone());
        problems.push(Problem::Exceptions(conflicts.collect()));
    }
    problems.extend(ranges.iter().filter_map(openings_outside));
    problems.extend(ranges.iter().filter_map(openings_in_conflict));
}

fn openings_outside(range: &ExceptionRange) -> Option<Problem> {
    let inside = |date| range.start_date <= date && date <= range.end_date;
    let outside: Vec<ExceptionHours> = range
        .openings
        .iter()
        .filter(|hours| !inside(hours.start_date) || !inside(hours.end_date))
        .copied()
        .collect();
    let range = range.clone();
    (!outside.is_empty()).then_some(Problem::OpeningBoundary { range, outside })
}

fn openings_in_conflict(range: &ExceptionRange) -> Option<Problem> {
    let between = |hours: &ExceptionHours| -> (DateTime, DateTime) {
        (
            hours.start_date.to_datetime(hours.start_time),
            hours.end_date.to_datetime(hours.end_time),
        )
    };
    let times: Vec<_> = range.openings.iter().map(between).collect();
    let met = overlapping(&times);
    let wrong = |at: &usize| met.contains(at) || times[*at].0 > times[*at].1;
    let conflicts: Vec<ExceptionHours> = (0..times.len())
        .filter(wrong)
        .map(|at| range.openings[at])
        .collect();
    let range = range.clone();
    (!conflicts.is_empty()).then_some(Problem::Openings { range, conflicts })
}

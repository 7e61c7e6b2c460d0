//! The errors of a calendar, with mod-calendar's codes and messages.

use jiff::civil::Date;
use uuid::Uuid;

use super::words::{hours_list, list, medium, normal_list, range_list};
use crate::record::{ExceptionHours, ExceptionRange, NormalHours};

/// An error of a calendar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    NoName {
        /// The blank name.
        name: String,
    },
    /// It ends before it begins.
    DateRange {
        /// Its first day.
        start: Date,
        /// Its last day.
        end: Date,
    },
    /// It shares a day and a service point with another calendar.
    DateOverlap {
        /// The name of the other one.
        name: String,
        /// The first day of the other one.
        start: Date,
        /// The last day of the other one.
        end: Date,
        /// The service points in common.
        shared: Vec<Uuid>,
    },
    /// Normal hours overlap.
    NormalHours(Vec<NormalHours>),
    /// An exception has no name.
    ExceptionName(Vec<ExceptionRange>),
    /// An exception ends before it begins.
    ExceptionDateOrder(ExceptionRange),
    /// An exception is not inside the calendar.
    ExceptionDateBoundary {
        range: ExceptionRange,
        /// The first day of the calendar.
        start: Date,
        /// The last day of the calendar.
        end: Date,
    },
    /// Exceptions overlap.
    Exceptions(Vec<ExceptionRange>),
    /// Openings are not inside their exception.
    OpeningBoundary {
        range: ExceptionRange,
        /// The openings.
        outside: Vec<ExceptionHours>,
    },
    /// Openings of an exception overlap, or end before they begin.
    Openings {
        range: ExceptionRange,
        /// The openings.
        conflicts: Vec<ExceptionHours>,
    },
    /// A limit is exceeded; mod-calendar has no limits.
    TooMany {
        /// What is limited.
        what: &'static str,
        /// The limit.
        most: usize,
    },
}

impl Problem {
    /// mod-calendar's code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Problem::NoName { .. } => "calendarNoName",
            Problem::DateRange { .. } => "calendarInvalidDateRange",
            Problem::DateOverlap { .. } => "calendarDateOverlap",
            Problem::NormalHours(_) => "calendarInvalidNormalOpenings",
            Problem::ExceptionName(_) => "calendarInvalidExceptionName",
            Problem::ExceptionDateOrder(_) => "calendarInvalidExceptionDateOrder",
            Problem::ExceptionDateBoundary { .. } => "calendarInvalidExceptionDateBoundary",
            Problem::Exceptions(_) => "calendarInvalidExceptions",
            Problem::OpeningBoundary { .. } => "calendarInvalidExceptionOpeningBoundary",
            Problem::Openings { .. } => "calendarInvalidExceptionOpenings",
            Problem::TooMany { .. } => "invalidRequest",
        }
    }

    /// A sentence for a person.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            Problem::NoName { .. } => "Please provide a non-empty calendar name".to_owned(),
            Problem::DateRange { start, end } => format!(
                "Start date ({}) cannot be after end date ({})",
                medium(*start),
                medium(*end)
            ),
            Problem::DateOverlap {
                name, start, end, ..
            } => format!(
                "This calendar overlaps with another calendar (“{name}” from {} to {})",
                medium(*start),
                medium(*end)
            ),
            Problem::NormalHours(hours) => format!(
                "The following openings conflict with each other: {}",
                list(&normal_list(hours))
            ),
            Problem::ExceptionName(_) => "At least one exception is missing a name".to_owned(),
            Problem::ExceptionDateOrder(range) => format!(
                "The start date ({}) is after the end date ({}) for exception “{}”",
                medium(range.start_date),
                medium(range.end_date),
                range.name
            ),
            Problem::ExceptionDateBoundary { range, start, end } => format!(
                "The exception “{}” ({} to {}) is not fully enclosed by the calendar's start and \
                 end dates ({} to {})",
                range.name,
                medium(range.start_date),
                medium(range.end_date),
                medium(*start),
                medium(*end)
            ),
            Problem::Exceptions(ranges) => format!(
                "The following exceptions conflict with each other: {}",
                list(&range_list(ranges))
            ),
            Problem::OpeningBoundary { range, outside } => format!(
                "The exception “{}” has {} outside of the exception's bounds: {}",
                range.name,
                match outside.len() {
                    1 => "an opening",
                    _ => "openings",
                },
                list(&hours_list(outside))
            ),
            Problem::Openings { range, conflicts } => format!(
                "The following openings within “{}” conflict with each other: {}",
                range.name,
                list(&hours_list(conflicts))
            ),
            Problem::TooMany { what, most } => {
                format!("There are too many {what}; {most} is the most. Use fewer")
            }
        }
    }

    /// Whether it is a conflict with another calendar.
    #[must_use]
    pub fn is_conflict(&self) -> bool {
        matches!(self, Problem::DateOverlap { .. })
    }
}

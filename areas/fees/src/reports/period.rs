//! The period of a report, as instants in the tenant's time zone.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};

/// From the beginning of one day to the end of another; open-ended without an end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Period {
    /// The first instant.
    pub from: Option<Timestamp>,
    /// The first instant after it.
    pub to: Option<Timestamp>,
}

/// Why a period is invalid, with FOLIO's messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PeriodError {
    /// An end without a beginning.
    #[error("Start date should not be empty when end date is specified")]
    NoStart,
    /// A text that is not a date.
    #[error("Invalid startDate or endDate parameter")]
    NoDate,
}

impl Period {
    /// The days from the first to the last, both whole.
    ///
    /// # Errors
    /// When a text is not a date.
    pub fn new(
        start: Option<&str>,
        end: Option<&str>,
        zone: &TimeZone,
    ) -> Result<Period, PeriodError> {
        let begins = |date: Date| {
            let midnight = date.at(0, 0, 0, 0).to_zoned(zone.clone());
            midnight
                .map(|at| at.timestamp())
                .map_err(|_| PeriodError::NoDate)
        };
        let (start, end) = (start.map(date).transpose()?, end.map(date).transpose()?);
        let next = |date: Date| date.checked_add(1.day()).map_err(|_| PeriodError::NoDate);
        Ok(Period {
            from: start.map(begins).transpose()?,
            to: end.map(next).transpose()?.map(begins).transpose()?,
        })
    }
}

fn date(text: &str) -> Result<Date, PeriodError> {
    let known = |character: char| character.is_ascii_digit() || character == '-';
    if text.len() > 10 || text.starts_with('-') || !text.chars().all(known) {
        return Err(PeriodError::NoDate);
    }
    Date::strptime("%Y-%m-%d", text).map_err(|_| PeriodError::NoDate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_time_zone() {
        let zone = TimeZone::get("America/New_York").expect("a zone");
        let period = Period::new(Some("2026-03-08"), Some("2026-03-08"), &zone).expect("a day");
        let text = |at: Option<Timestamp>| at.map(|at| at.to_string());
        // The day on which clocks are put forward has 23 hours.
        assert_eq!(text(period.from).as_deref(), Some("2026-03-08T05:00:00Z"));
        assert_eq!(text(period.to).as_deref(), Some("2026-03-09T04:00:00Z"));
        assert_eq!(Period::new(None, None, &zone), Ok(Period::default()));
    }

    #[test]
    fn what_is_no_date_is_refused() {
        for text in [
            "",
            "2026",
            "2026-13-01",
            "2026-02-30",
            "01/02/2026",
            "2026-01-01T00:00:00Z",
            "9999-12-31",
            "-026-01-01",
        ] {
            let refused = Period::new(Some("2026-01-01"), Some(text), &TimeZone::UTC);
            assert_eq!(refused, Err(PeriodError::NoDate), "{text}");
        }
    }
}

//! How long a loan is overdue, in minutes. Days are not visited one by one, however many: only those of
//! the due date, of the return, and of clock changes.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::{Hours, Overdue};

/// The minutes that count, from the minute of the due date to that of the return.
#[must_use]
pub fn overdue_minutes(loan: Overdue<'_>) -> i64 {
    let Overdue { due, until, .. } = loan;
    if due >= until {
        return 0;
    }
    match loan.hours {
        None => minute(until) - minute(due),
        Some(hours) => hours.between(due, until),
    }
}

/// The minute that an instant lies in.
fn minute(at: Timestamp) -> i64 {
    at.as_second().div_euclid(60)
}

impl Hours<'_> {
    fn between(self, due: Timestamp, until: Timestamp) -> i64 {
        let date = |at: Timestamp| at.to_zoned(self.zone.clone()).date();
        let (first, last) = (date(due), date(until));
        let mut minutes = self.of_day(first, due, until);
        if first == last {
            return minutes;
        }
        minutes += self.of_day(last, due, until);
        let (Ok(from), Ok(to)) = (first.tomorrow(), last.yesterday()) else {
            return minutes;
        };
        if from <= to {
            minutes += self.openings.open_minutes(from, to);
            for day in changes_of_clocks(self.zone, due, until) {
                if from <= day && day <= to {
                    minutes += self.of_day(day, due, until) - self.openings.open_minutes(day, day);
                }
            }
        }
        minutes
    }

    /// The minutes of a day that lie between the two.
    fn of_day(self, date: Date, due: Timestamp, until: Timestamp) -> i64 {
        let at = |time| {
            let zoned = date.to_datetime(time).to_zoned(self.zone.clone());
            zoned.ok().map(|zoned| zoned.timestamp())
        };
        let openings = self.openings.hours_on(date);
        let parts = openings.into_iter().filter_map(|(opens, closes)| {
            let (mut start, mut end) = (at(opens)?, at(closes)?);
            if start < due && due < end {
                start = due;
            }
            if start < until && until < end {
                end = until;
            }
            let counts = start < end && due < end && start < until;
            counts.then(|| minute(end) - minute(start))
        });
        parts.sum()
    }
}

/// The days between two instants on which the clocks were changed.
fn changes_of_clocks(zone: &TimeZone, from: Timestamp, until: Timestamp) -> Vec<Date> {
    let changes = zone.following(from).map(|change| change.timestamp());
    let mut days: Vec<Date> = changes
        .take_while(|at| *at < until)
        .flat_map(|at| {
            let before = at.checked_sub(SignedDuration::from_millis(1)).unwrap_or(at);
            [before, at].map(|at| at.to_zoned(zone.clone()).date())
        })
        .collect();
    days.dedup();
    days
}

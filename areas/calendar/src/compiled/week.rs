//! Normal hours as a table of seven days.

use jiff::civil::{Date, Time};

use super::{LAST_MINUTE, MIDNIGHT, Opening, whole_minute};
use crate::record::{NormalHours, Weekday};

/// The hours of each weekday, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Week {
    days: [DayHours; 7],
}

/// The hours of one weekday.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct DayHours {
    pub openings: Vec<Opening>,
    pub all_day: bool,
}

/// Splits an opening by day: one past midnight lasts until 23:59 and from 00:00 on. One that ends
/// earlier on the weekday of its start lasts nearly a week.
pub(crate) fn split(hours: &NormalHours) -> Vec<(Weekday, Opening)> {
    let part = |day: Weekday, start: Time, end: Time| (day, Opening { start, end });
    if hours.start_day == hours.end_day && hours.start_time > hours.end_time {
        return Weekday::ALL
            .into_iter()
            .flat_map(|day| match day == hours.start_day {
                true => vec![
                    part(day, MIDNIGHT, hours.end_time),
                    part(day, hours.start_time, LAST_MINUTE),
                ],
                false => vec![part(day, MIDNIGHT, LAST_MINUTE)],
            })
            .collect();
    }
    hours
        .start_day
        .through(hours.end_day)
        .map(|day| {
            let first = day == hours.start_day;
            let last = day == hours.end_day;
            let start = if first { hours.start_time } else { MIDNIGHT };
            let end = if last { hours.end_time } else { LAST_MINUTE };
            part(day, start, end)
        })
        .collect()
}

impl Week {
    pub fn new(normal_hours: &[NormalHours]) -> Week {
        let mut week = Week::default();
        for (day, opening) in normal_hours.iter().flat_map(split) {
            week.days[day.place()].openings.push(opening);
        }
        for day in &mut week.days {
            day.openings.sort();
            day.all_day = covers_the_day(&day.openings);
        }
        week
    }

    /// The hours of the date's weekday; `None` when closed.
    pub fn on(&self, date: Date) -> Option<&DayHours> {
        Some(&self.days[Weekday::of(date).place()]).filter(|day| !day.openings.is_empty())
    }

    pub fn next_open(&self, from: Date, until: Date) -> Option<Date> {
        from.series(jiff::Span::new().days(1))
            .take(7)
            .take_while(|date| *date <= until)
            .find(|date| self.on(*date).is_some())
    }

    pub fn previous_open(&self, until: Date, from: Date) -> Option<Date> {
        until
            .series(jiff::Span::new().days(-1))
            .take(7)
            .take_while(|date| *date >= from)
            .find(|date| self.on(*date).is_some())
    }
}

/// Whether hours, each beginning a minute after the one before ends, last the whole day.
fn covers_the_day(openings: &[Opening]) -> bool {
    let (Some(first), Some(last)) = (openings.first(), openings.last()) else {
        return false;
    };
    let whole = Opening {
        start: first.start,
        end: last.end,
    };
    whole.is_all_day()
        && openings.windows(2).all(|pair| {
            let minute = jiff::SignedDuration::from_mins(1);
            whole_minute(pair[0].end.wrapping_add(minute)) == whole_minute(pair[1].start)
        })
}

//! How long a service point is open between two days, without visiting each day: whole weeks are
//! multiplied, exceptions are visited. Hours are local times, whatever the clock changes.

use jiff::civil::Date;

use super::calendar::{CompiledCalendar, Exception};
use super::week::Week;
use super::{Day, Opening, PointCalendars, whole_minute};

/// From midnight to the last minute.
const WHOLE_DAY: i64 = 23 * 60 + 59;

impl Opening {
    /// Its length from the minute of its start to the minute of its end; zero if it ends before.
    #[must_use]
    pub fn minutes(self) -> i64 {
        let minute = |time| {
            let time = whole_minute(time);
            i64::from(time.hour()) * 60 + i64::from(time.minute())
        };
        (minute(self.end) - minute(self.start)).max(0)
    }
}

impl Day {
    /// How long it is open.
    #[must_use]
    pub fn minutes(&self) -> i64 {
        self.openings.iter().map(|opening| opening.minutes()).sum()
    }
}

impl PointCalendars {
    /// How long the service point is open from one day to another, both of them whole.
    #[must_use]
    pub fn open_minutes(&self, from: Date, until: Date) -> i64 {
        let behind = self.calendars.partition_point(|one| one.start <= until);
        let reaching = self.calendars[..behind].iter();
        let minutes = reaching.map(|one| one.open_minutes(from.max(one.start), until.min(one.end)));
        minutes.sum()
    }
}

impl CompiledCalendar {
    fn open_minutes(&self, from: Date, until: Date) -> i64 {
        if until < from {
            return 0;
        }
        let mut minutes = self.week.minutes(from, until);
        let over = self.exceptions.partition_point(|one| one.end < from);
        let reaching = self.exceptions[over..].iter();
        for exception in reaching.take_while(|one| one.start <= until) {
            let (first, last) = (exception.start.max(from), exception.end.min(until));
            minutes += exception.minutes(first, last) - self.week.minutes(first, last);
        }
        minutes
    }
}

impl Exception {
    fn minutes(&self, from: Date, until: Date) -> i64 {
        let parts = self.openings.iter().map(|hours| {
            let (first, last) = (hours.start_date.max(from), hours.end_date.min(until));
            if last < first {
                return 0;
            }
            let ends = [Some(first), (first < last).then_some(last)];
            let ends = ends.into_iter().flatten();
            let ends: i64 = ends
                .map(|date| super::calendar::part_on(hours, date).minutes())
                .sum();
            ends + WHOLE_DAY * (days(first, last) - 2).max(0)
        });
        parts.sum()
    }
}

impl Week {
    fn minutes(&self, from: Date, until: Date) -> i64 {
        let of_day = |date: Date| {
            let hours = self.on(date);
            hours.map_or(0, |hours| {
                hours.openings.iter().map(|one| one.minutes()).sum()
            })
        };
        let week = from.series(jiff::Span::new().days(1)).take(7);
        let week: Vec<i64> = week.map(of_day).collect();
        let (weeks, rest) = (days(from, until) / 7, days(from, until) % 7);
        let rest = week.iter().take(usize::try_from(rest).unwrap_or_default());
        weeks * week.iter().sum::<i64>() + rest.sum::<i64>()
    }
}

/// How many days there are from one to another, both counted.
fn days(from: Date, until: Date) -> i64 {
    from.duration_until(until).as_hours() / 24 + 1
}

//! A calendar as it is stored: normal hours by the week, and exceptions by date.

use jiff::civil::{Date, Time};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The hours of some service points over a range of dates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CalendarRecord {
    /// Its name.
    pub name: String,
    /// The first day.
    pub start_date: Date,
    /// The last day, included.
    pub end_date: Date,
    /// The assigned service points.
    pub assignments: Vec<Uuid>,
    /// The hours of every week.
    pub normal_hours: Vec<NormalHours>,
    /// Days with other hours, or closed.
    pub exceptions: Vec<ExceptionRange>,
}

/// One opening of every week, to the minute. The last minute belongs to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NormalHours {
    /// The day on which it begins.
    pub start_day: Weekday,
    /// When it begins.
    pub start_time: Time,
    /// The day on which it ends; an earlier weekday is one of the next week.
    pub end_day: Weekday,
    /// When it ends.
    pub end_time: Time,
}

/// Days on which normal hours do not apply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExceptionRange {
    /// What people call it.
    pub name: String,
    /// The first day.
    pub start_date: Date,
    /// The last day, included.
    pub end_date: Date,
    /// The hours instead; closed if empty.
    pub openings: Vec<ExceptionHours>,
}

/// One opening of an exception.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExceptionHours {
    /// The day on which it begins.
    pub start_date: Date,
    /// When it begins.
    pub start_time: Time,
    /// The day on which it ends.
    pub end_date: Date,
    /// When it ends.
    pub end_time: Time,
}

/// A day of the week, under mod-calendar's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Weekday {
    Sunday,
    Monday,
    Tuesday,
    Wednesday,
    Thursday,
    Friday,
    Saturday,
}

impl Weekday {
    /// The week as mod-calendar counts it.
    pub const ALL: [Weekday; 7] = [
        Weekday::Sunday,
        Weekday::Monday,
        Weekday::Tuesday,
        Weekday::Wednesday,
        Weekday::Thursday,
        Weekday::Friday,
        Weekday::Saturday,
    ];

    /// Its index in the week, from 0.
    #[must_use]
    pub fn place(self) -> usize {
        self as usize
    }

    #[must_use]
    pub fn of(date: Date) -> Weekday {
        let place = date.weekday().to_sunday_zero_offset();
        Self::ALL[usize::try_from(place).unwrap_or(0)]
    }

    /// The day of this name, in any case of letters.
    #[must_use]
    pub fn named(text: &str) -> Option<Weekday> {
        Self::ALL
            .into_iter()
            .find(|day| format!("{day:?}").eq_ignore_ascii_case(text))
    }

    /// The days from this one to another, both included; through the week's end if need be.
    pub fn through(self, last: Weekday) -> impl Iterator<Item = Weekday> {
        let days = (last.place() + 7 - self.place()) % 7;
        (0..=days).map(move |step| Self::ALL[(self.place() + step) % 7])
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn weeks_go_round() {
        use Weekday::{Friday, Monday, Saturday, Sunday};
        let days = |from: Weekday, to| from.through(to).collect::<Vec<_>>();
        assert_eq!(days(Friday, Monday), [Friday, Saturday, Sunday, Monday]);
        assert_eq!(days(Monday, Monday), [Monday]);
        assert_eq!(days(Sunday, Saturday).len(), 7);
        assert_eq!(Weekday::of(date(2024, 6, 9)), Sunday);
        assert_eq!(Weekday::of(date(2024, 6, 15)), Saturday);
        assert_eq!(Weekday::named("frIDay"), Some(Friday));
        assert_eq!(Weekday::named("INVALID"), None);
    }
}

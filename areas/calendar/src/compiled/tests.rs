//! Opening hours of days, computed by hand, and searches compared with a visit of every day.

use jiff::ToSpan;
use jiff::civil::{date, time};
use proptest::prelude::*;

use super::*;
use crate::record::{ExceptionHours, ExceptionRange, NormalHours, Weekday};

const POINT: Uuid = Uuid::from_u128(1);

fn hours(start_day: Weekday, start: &str, end_day: Weekday, end: &str) -> NormalHours {
    NormalHours {
        start_day,
        start_time: start.parse().unwrap(),
        end_day,
        end_time: end.parse().unwrap(),
    }
}

fn exception(
    name: &str,
    start: Date,
    end: Date,
    openings: &[(Date, &str, Date, &str)],
) -> ExceptionRange {
    let hours = |(start_date, start, end_date, end): &(Date, &str, Date, &str)| ExceptionHours {
        start_date: *start_date,
        start_time: start.parse().unwrap(),
        end_date: *end_date,
        end_time: end.parse().unwrap(),
    };
    ExceptionRange {
        name: name.to_owned(),
        start_date: start,
        end_date: end,
        openings: openings.iter().map(hours).collect(),
    }
}

fn calendar(
    start: Date,
    end: Date,
    normal_hours: Vec<NormalHours>,
    exceptions: Vec<ExceptionRange>,
) -> CalendarRecord {
    CalendarRecord {
        name: "Hours".to_owned(),
        start_date: start,
        end_date: end,
        assignments: vec![POINT],
        normal_hours,
        exceptions,
    }
}

fn shown(day: &Day) -> String {
    let openings: Vec<String> = day
        .openings
        .iter()
        .map(|one| {
            format!(
                "{}-{}",
                &one.start.to_string()[..5],
                &one.end.to_string()[..5]
            )
        })
        .collect();
    let mut text = format!("{} {}", day.date, openings.join(" "));
    for (holds, word) in [(day.all_day, " all day"), (day.open, " open")] {
        text.push_str(if holds { word } else { "" });
    }
    if let Some(name) = &day.exception_name {
        assert!(day.exceptional);
        text.push_str(&format!(" by {name}"));
    }
    text
}

#[test]
fn days_follow_from_normal_hours_and_exceptions() {
    use Weekday::{Friday, Monday, Saturday, Tuesday, Wednesday};
    // 2024-06-03 is a Monday.
    let record = calendar(
        date(2024, 6, 1),
        date(2024, 6, 30),
        vec![
            hours(Monday, "13:00", Monday, "17:00"),
            hours(Monday, "09:00", Monday, "12:00"),
            hours(Tuesday, "00:00", Tuesday, "11:59"),
            hours(Tuesday, "12:00", Tuesday, "23:59"),
            hours(Wednesday, "00:00", Wednesday, "11:59"),
            hours(Wednesday, "12:01", Wednesday, "23:59"),
            hours(Friday, "20:00", Saturday, "02:00"),
        ],
        vec![
            exception("Holiday", date(2024, 6, 10), date(2024, 6, 11), &[]),
            exception(
                "Long night",
                date(2024, 6, 13),
                date(2024, 6, 15),
                &[(date(2024, 6, 14), "22:00", date(2024, 6, 15), "23:59")],
            ),
        ],
    );
    let calendars = Calendars::new(&[record]);
    let table = [
        (date(2024, 5, 31), "2024-05-31  all day"),
        // Friday's hours reach into the calendar's first day, as mod-calendar has it.
        (date(2024, 6, 1), "2024-06-01 00:00-02:00 open"),
        (date(2024, 6, 2), "2024-06-02  all day"),
        (date(2024, 6, 3), "2024-06-03 09:00-12:00 13:00-17:00 open"),
        (
            date(2024, 6, 4),
            "2024-06-04 00:00-11:59 12:00-23:59 all day open",
        ),
        (date(2024, 6, 5), "2024-06-05 00:00-11:59 12:01-23:59 open"),
        (date(2024, 6, 6), "2024-06-06  all day"),
        (date(2024, 6, 7), "2024-06-07 20:00-23:59 open"),
        (date(2024, 6, 8), "2024-06-08 00:00-02:00 open"),
        (date(2024, 6, 10), "2024-06-10  all day by Holiday"),
        (date(2024, 6, 11), "2024-06-11  all day by Holiday"),
        (date(2024, 6, 13), "2024-06-13  all day by Long night"),
        (
            date(2024, 6, 14),
            "2024-06-14 22:00-23:59 open by Long night",
        ),
        (
            date(2024, 6, 15),
            "2024-06-15 00:00-23:59 all day open by Long night",
        ),
        (date(2024, 7, 1), "2024-07-01  all day"),
    ];
    for (day, expected) in table {
        assert_eq!(shown(&calendars.openings(POINT, day)), expected);
    }
    let around = |day| calendars.surrounding(POINT, day).map(|day| shown(&day));
    assert_eq!(
        around(date(2024, 6, 10)),
        [
            "2024-06-08 00:00-02:00 open",
            "2024-06-10  all day by Holiday",
            "2024-06-12 00:00-11:59 12:01-23:59 open"
        ]
    );
    assert_eq!(around(date(2024, 6, 1))[0], "2024-05-31  all day");
    assert_eq!(around(date(2024, 6, 30))[2], "2024-07-01  all day");
    assert_eq!(
        calendars.surrounding(Uuid::nil(), date(2024, 6, 3))[1],
        Day::closed(date(2024, 6, 3))
    );
}

#[test]
fn an_opening_may_last_all_week() {
    use Weekday::{Saturday, Sunday, Thursday};
    let week = |normal| {
        let record = calendar(date(2024, 1, 1), date(2024, 12, 31), vec![normal], vec![]);
        Calendars::new(&[record])
    };
    let always = week(hours(Sunday, "00:00", Saturday, "23:59"));
    let days = date(2024, 3, 1).series(1.day()).take(7);
    for day in days {
        assert!(always.openings(POINT, day).all_day && always.openings(POINT, day).open);
    }
    // From Thursday noon to Thursday morning.
    let nearly = week(hours(Thursday, "12:00", Thursday, "08:00"));
    let thursday = nearly.openings(POINT, date(2024, 3, 7));
    assert_eq!(shown(&thursday), "2024-03-07 00:00-08:00 12:00-23:59 open");
    assert!(nearly.openings(POINT, date(2024, 3, 8)).all_day);
}

#[test]
fn calendars_follow_one_another() {
    use Weekday::{Monday, Wednesday};
    let first = calendar(
        date(2024, 1, 1),
        date(2024, 3, 31),
        vec![hours(Monday, "09:00", Monday, "17:00")],
        vec![],
    );
    let silent = calendar(date(2024, 4, 1), date(2024, 6, 30), vec![], vec![]);
    let last = calendar(
        date(2024, 9, 1),
        date(2024, 12, 31),
        vec![hours(Wednesday, "10:00", Wednesday, "12:00")],
        vec![],
    );
    let calendars = Calendars::new(&[last, silent, first]);
    let dates = |day| {
        calendars
            .surrounding(POINT, day)
            .map(|day| day.date.to_string())
    };
    assert_eq!(
        dates(date(2024, 5, 1)),
        ["2024-03-25", "2024-05-01", "2024-09-04"]
    );
    assert_eq!(
        dates(date(2024, 8, 1)),
        ["2024-03-25", "2024-08-01", "2024-09-04"]
    );
    assert_eq!(
        dates(date(2024, 9, 4)),
        ["2024-03-25", "2024-09-04", "2024-09-11"]
    );
    assert_eq!(
        dates(date(2030, 1, 1)),
        ["2024-12-25", "2030-01-01", "2030-01-02"]
    );
    assert_eq!(
        dates(date(1990, 1, 1)),
        ["1989-12-31", "1990-01-01", "2024-01-01"]
    );
    for end in [Date::MIN, Date::MAX] {
        let [before, on, after] = calendars.surrounding(POINT, end);
        assert!(before.date <= on.date && on.date <= after.date);
    }
}

/// Weekly hours, and exceptions a few days apart, in the first half of 2024.
fn any_calendar() -> impl Strategy<Value = CalendarRecord> {
    let day = prop::sample::select(Weekday::ALL.to_vec());
    let normal = prop::collection::vec((day, 0_i8..23), 0..3);
    let exceptions = prop::collection::vec((0_i32..60, 0_i32..20, any::<bool>(), 0_i32..20), 0..5);
    (0_i32..40, 0_i32..150, normal, exceptions).prop_map(|(start, length, normal, exceptions)| {
        let start = date(2024, 1, 1) + start.days();
        let end = start + length.days();
        let normal = normal.into_iter().map(|(day, hour)| NormalHours {
            start_day: day,
            start_time: time(hour, 0, 0, 0),
            end_day: day,
            end_time: time(hour + 1, 0, 0, 0),
        });
        let mut at = start;
        let mut ranges = Vec::new();
        for (gap, long, open, from) in exceptions {
            let first = at + gap.days();
            let last = (first + long.days()).min(end);
            if first > end {
                break;
            }
            let opening = (first + from.days()).min(last);
            let openings: &[_] = &[(opening, "08:00", last, "10:00")];
            ranges.push(exception(
                "E",
                first,
                last,
                if open { openings } else { &[] },
            ));
            at = last + 1.day();
        }
        calendar(start, end, normal.collect(), ranges)
    })
}

proptest! {
    #[test]
    fn searches_find_what_looking_at_every_day_finds(
        first in any_calendar(), behind in any_calendar(), from in -20_i32..420,
    ) {
        let mut second = behind;
        let moved = first.end_date.until(second.start_date).unwrap().get_days();
        let by = (1 - moved).max(0).days();
        second.start_date += by;
        second.end_date += by;
        for range in &mut second.exceptions {
            range.start_date += by;
            range.end_date += by;
            for hours in &mut range.openings {
                hours.start_date += by;
                hours.end_date += by;
            }
        }
        let calendars = Calendars::new(&[second, first]);
        let point = calendars.of(POINT).unwrap();
        let date = date(2024, 1, 1) + from.days();
        let open = |day: &Date| point.day(*day).open;
        let next = date.series(1.day()).skip(1).take(900).find(open);
        let previous = date.series((-1).day()).skip(1).take(900).find(open);
        prop_assert_eq!(point.next_open(date).map(|day| day.date), next);
        prop_assert_eq!(point.previous_open(date).map(|day| day.date), previous);
    }

    #[test]
    fn minutes_are_those_of_all_days_together(
        one in any_calendar(), from in -20_i32..420, days in 0_i32..420,
    ) {
        let calendars = Calendars::new(&[one]);
        let point = calendars.of(POINT).unwrap();
        let from = date(2024, 1, 1) + from.days();
        let until = from + days.days();
        let each = from.series(1.day()).take_while(|day| *day <= until);
        let sum: i64 = each.map(|day| point.day(day).minutes()).sum();
        prop_assert_eq!(point.open_minutes(from, until), sum);
        prop_assert_eq!(point.open_minutes(until + 1.days(), from), 0);
    }
}

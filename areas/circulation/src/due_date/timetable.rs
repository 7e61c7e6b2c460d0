//! Three adjacent open days as alternating open and closed stretches, beginning and ending with an open
//! one. An instant outside all stretches is not on the timetable.

use jiff::{Timestamp, Zoned, civil, tz::TimeZone};

use super::openings::{Adjacent, Day, OpenDay};

/// A stretch of time; the end does not belong to it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Stretch {
    pub start: Zoned,
    pub end: Zoned,
    pub open: bool,
}

/// Stretches in order, each beginning where the one before ends.
#[derive(Debug, Clone, Default)]
pub(super) struct Timetable {
    pub stretches: Vec<Stretch>,
}

impl Timetable {
    pub fn new(days: &Adjacent, zone: &TimeZone) -> Self {
        let mut table = Self::default();
        for day in [&days.previous, &days.requested, &days.next]
            .into_iter()
            .flatten()
        {
            for (start, end) in open_hours(day, zone) {
                table.push_open(start, end);
            }
        }
        table
    }

    /// The index of an instant's stretch.
    pub fn find(&self, instant: Timestamp) -> Option<usize> {
        self.stretches
            .iter()
            .position(|stretch| stretch.contains(instant))
    }

    /// Appends an open stretch: one that begins where the last ends lengthens it.
    fn push_open(&mut self, start: Zoned, end: Zoned) {
        if let Some(last) = self.stretches.last_mut() {
            if last.end >= start {
                if end > last.end {
                    last.end = end;
                }
                return;
            }
            let gap = Stretch {
                start: last.end.clone(),
                end: start.clone(),
                open: false,
            };
            self.stretches.push(gap);
        }
        self.stretches.push(Stretch {
            start,
            end,
            open: true,
        });
    }
}

impl Stretch {
    pub fn contains(&self, instant: Timestamp) -> bool {
        self.start.timestamp() <= instant && instant < self.end.timestamp()
    }
}

fn open_hours(day: &Day, zone: &TimeZone) -> Vec<(Zoned, Zoned)> {
    let at = |date_time: civil::DateTime| date_time.to_zoned(zone.clone()).ok();
    let hours = match &day.hours {
        OpenDay::AllDay => {
            let tomorrow = day.date.tomorrow().ok();
            let start = at(day.date.at(0, 0, 0, 0));
            let end = tomorrow.and_then(|date| at(date.at(0, 0, 0, 0)));
            return start.zip(end).into_iter().collect();
        }
        OpenDay::Hours(hours) => hours,
    };
    hours
        .iter()
        .filter_map(|(opens, closes)| {
            at(day.date.to_datetime(*opens)).zip(at(day.date.to_datetime(*closes)))
        })
        .filter(|(start, end)| start < end)
        .collect()
}

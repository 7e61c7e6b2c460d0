//! Units of delays, and cron schedules.

use std::time::Duration;

use cronexpr::{Crontab, MakeTimestamp, parse_crontab};
use jiff::Timestamp;

use crate::registry::descriptor::CronSchedule;

/// The length of a unit.
pub(super) fn unit(name: &str) -> Option<Duration> {
    Some(match name {
        "millisecond" => Duration::from_millis(1),
        "second" => Duration::from_secs(1),
        "minute" => Duration::from_secs(60),
        "hour" => Duration::from_secs(3_600),
        "day" => Duration::from_secs(86_400),
        _ => return None,
    })
}

/// The error in a schedule; `None` when it is valid.
pub(super) fn fault(schedule: &CronSchedule) -> Option<String> {
    let error = crontab(schedule).err()?;
    Some(format!(
        "schedule {:?}, zone {:?}: {error}; cron has five fields, as in \"0 3 * * *\"",
        schedule.cron,
        schedule.zone.as_deref().unwrap_or("UTC")
    ))
}

/// The next time of a schedule.
pub(super) fn next(schedule: &CronSchedule, now: Timestamp) -> Option<Timestamp> {
    let next = crontab(schedule).ok()?.find_next(MakeTimestamp(now)).ok()?;
    Some(next.timestamp())
}

fn crontab(schedule: &CronSchedule) -> Result<Crontab, String> {
    let zone = schedule.zone.as_deref().unwrap_or("UTC");
    let expression = format!("{} {zone}", schedule.cron);
    parse_crontab(&expression).map_err(|error| {
        error
            .to_string()
            .lines()
            .last()
            .unwrap_or_default()
            .to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(cron: &str, zone: Option<&str>) -> CronSchedule {
        CronSchedule {
            cron: cron.to_owned(),
            zone: zone.map(str::to_owned),
        }
    }

    #[test]
    fn hours_are_utc_unless_a_zone_is_given() {
        let now: Timestamp = "2026-03-28T12:00:00Z".parse().expect("an instant");
        for (cron, zone, expected) in [
            ("0 3 * * *", None, "2026-03-29T03:00:00Z"),
            ("0 3 * * *", Some("Europe/Berlin"), "2026-03-29T01:00:00Z"),
            ("*/15 * * * *", None, "2026-03-28T12:15:00Z"),
            (
                "0 0 1 * *",
                Some("America/New_York"),
                "2026-04-01T04:00:00Z",
            ),
        ] {
            let schedule = schedule(cron, zone);
            assert_eq!(fault(&schedule), None);
            assert_eq!(
                next(&schedule, now).map(|one| one.to_string()).as_deref(),
                Some(expected)
            );
        }
        for (cron, zone) in [
            ("* * *", None),
            ("61 * * * *", None),
            ("0 3 * * *", Some("Mars/Olympus")),
        ] {
            assert!(fault(&schedule(cron, zone)).is_some(), "{cron} {zone:?}");
        }
    }
}

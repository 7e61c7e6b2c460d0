//! The hold shelf expiration of an item at a pickup service point.

use jiff::{Timestamp, tz::TimeZone};
use serde::Deserialize;

use super::closed_library::{end_of_day, local_date, move_by};
use super::openings::Openings;
use super::period::{add, exact_offset};
use crate::loan_policy::{ClosedLibraryManagement as Management, Period};
use crate::refusal::Refusal;

/// The hold shelf settings of a stored service point.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HoldShelf {
    /// The hold shelf period.
    pub hold_shelf_expiry_period: Option<Period>,
    /// What to do when the library is closed on the last day.
    pub hold_shelf_closed_library_date_management: Option<String>,
}

/// The expiration of a hold shelf period that begins now; `None` without a valid period. Periods of days
/// and longer end at the end of a day, those of hours and minutes exactly.
///
/// # Errors
/// When the calendar does not cover the days needed.
pub fn hold_shelf_expiration(
    now: Timestamp,
    shelf: &HoldShelf,
    openings: &Openings,
    zone: &TimeZone,
) -> Result<Option<Timestamp>, Refusal> {
    let Some(period) = &shelf.hold_shelf_expiry_period else {
        return Ok(None);
    };
    let Ok(mut end) = add(now, Some(period), zone) else {
        return Ok(None);
    };
    let short = matches!(period.interval_id.as_deref(), Some("Hours" | "Minutes"));
    if !short {
        end = end_of_day(local_date(end, zone), zone)?;
    }
    let management = match shelf.management() {
        Management::CurrentDueDate if short => Management::CurrentDueDateTime,
        other => other,
    };
    // When FOLIO moves the end to an opening, it counts the whole period from opening time.
    move_by(
        management,
        end,
        end,
        exact_offset(Some(period)),
        openings,
        zone,
    )
    .map(Some)
}

impl HoldShelf {
    fn management(&self) -> Management {
        let name = self
            .hold_shelf_closed_library_date_management
            .as_deref()
            .unwrap_or_default();
        match name.to_ascii_lowercase().as_str() {
            "move_to_the_end_of_the_previous_open_day" => Management::EndOfThePreviousOpenDay,
            "move_to_the_end_of_the_next_open_day" => Management::EndOfTheNextOpenDay,
            "keep_the_current_due_date_time" => Management::CurrentDueDateTime,
            "move_to_end_of_current_service_point_hours" => {
                Management::EndOfTheCurrentServicePointHours
            }
            "move_to_beginning_of_next_open_service_point_hours" => {
                Management::BeginningOfTheNextOpenServicePointHours
            }
            _ => Management::CurrentDueDate,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn waits_end_with_the_day_or_on_time() {
        // Now is 2024-06-07T15:00 in New York (19:00Z, -4), a Friday.
        let keep = "Keep_the_current_due_date";
        let table = [
            (Some((3, "Days")), keep, Some("2024-06-11T03:59:59Z")),
            (Some((1, "Weeks")), "", Some("2024-06-15T03:59:59Z")),
            (Some((1, "Months")), keep, Some("2024-07-08T03:59:59Z")),
            (Some((3, "Hours")), keep, Some("2024-06-07T22:00:00Z")),
            (
                Some((3, "Days")),
                "Keep_the_current_due_date_time",
                Some("2024-06-11T03:59:59Z"),
            ),
            (Some((0, "Days")), keep, None),
            (Some((3, "Fortnights")), keep, None),
            (None, keep, None),
        ];
        let now = "2024-06-07T19:00:00Z".parse().unwrap();
        let zone = TimeZone::get("America/New_York").unwrap();
        for (period, management, expected) in table {
            let shelf: HoldShelf = serde_json::from_value(json!({
                "holdShelfExpiryPeriod": period
                    .map(|(duration, interval)| json!({"duration": duration, "intervalId": interval})),
                "holdShelfClosedLibraryDateManagement": management
            }))
            .unwrap();
            let end = hold_shelf_expiration(now, &shelf, &Openings::NoCalendar, &zone).unwrap();
            let end = end.map(|end| end.to_string());
            assert_eq!(end.as_deref(), expected, "{period:?} {management}");
        }
    }

    #[test]
    fn an_open_day_needs_a_calendar() {
        let shelf = HoldShelf {
            hold_shelf_expiry_period: Some(Period {
                duration: Some(1),
                interval_id: Some("Days".into()),
            }),
            hold_shelf_closed_library_date_management: Some(
                "Move_to_the_end_of_the_next_open_day".into(),
            ),
        };
        let now = Timestamp::UNIX_EPOCH;
        let found = hold_shelf_expiration(now, &shelf, &Openings::NoCalendar, &TimeZone::UTC);
        assert_eq!(found, Err(Refusal::CalendarTimetableAbsent));
    }
}

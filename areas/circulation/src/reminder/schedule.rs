//! The schedule of reminders in an overdue fine policy, read leniently.

use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use octavo_fees::accounting::Money;
use octavo_library::TemplateId;
use serde::Deserialize;

/// The format of a reminder without a notice.
const NO_NOTICE: &str = "None";

/// `reminderFeesPolicy` of an overdue fine policy.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RemindersPolicy {
    /// Whether a reminder may be due on a closed day.
    pub count_closed: Option<bool>,
    /// Whether a loan with reminder fees may be renewed.
    pub allow_renewal_of_items_with_reminder_fees: Option<bool>,
    /// The reminders, one after another.
    #[serde(default)]
    pub reminder_schedule: Vec<Reminder>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reminder {
    /// How many units after the one before, or after the due date.
    pub interval: i64,
    /// The unit: `minute`, `hour`, `day`, `week` or `month`, one or several, in any case of letters.
    pub time_unit_id: String,
    /// The fee; 0 for a notice without a fee.
    pub reminder_fee: Money,
    /// `Email`, `Print` or `None`.
    pub notice_format: Option<String>,
    /// The template.
    pub notice_template_id: Option<TemplateId>,
}

impl RemindersPolicy {
    /// Whether there is any reminder.
    #[must_use]
    pub fn reminds(&self) -> bool {
        !self.reminder_schedule.is_empty()
    }

    /// A reminder by its number, from 1.
    #[must_use]
    pub fn number(&self, number: u32) -> Option<&Reminder> {
        let place = usize::try_from(number).ok()?.checked_sub(1)?;
        self.reminder_schedule.get(place)
    }
}

impl Reminder {
    /// The format of the notice; without one none is sent.
    #[must_use]
    pub fn format(&self) -> &str {
        self.notice_format.as_deref().unwrap_or(NO_NOTICE)
    }

    /// Whether there is a notice: a reminder may be only a fee.
    #[must_use]
    pub fn has_notice(&self) -> bool {
        self.format() != NO_NOTICE
    }

    /// The reminder's time after an instant, in UTC; `None` for an unknown unit.
    pub(super) fn after(&self, from: Timestamp) -> Option<Timestamp> {
        let unit = self.time_unit_id.to_ascii_lowercase();
        let number = self.interval;
        let span = match unit.strip_suffix('s').unwrap_or(&unit) {
            "minute" => Span::new().try_minutes(number),
            "hour" => Span::new().try_hours(number),
            "day" => Span::new().try_days(number),
            "week" => Span::new().try_weeks(number),
            "month" => Span::new().try_months(number),
            _ => return None,
        };
        let later = from.to_zoned(TimeZone::UTC).checked_add(span.ok()?);
        Some(later.ok()?.timestamp())
    }
}

//! Which fiscal year of a series is current, and which is planned.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use uuid::Uuid;

/// A fiscal year as other areas see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FiscalYear {
    pub id: Uuid,
    pub code: String,
    pub series: String,
    pub currency: String,
    pub start: Timestamp,
    pub end: Timestamp,
}

impl FiscalYear {
    /// Whether it contains an instant.
    #[must_use]
    pub fn contains(&self, at: Timestamp) -> bool {
        self.start <= at && at <= self.end
    }
}

/// The years of a series that have not ended by today's date of the tenant, the earliest first, from the
/// current one on: the first, but the second where both contain now.
fn from_current<'a>(
    years: &'a [FiscalYear],
    now: Timestamp,
    zone: &TimeZone,
) -> impl Iterator<Item = &'a FiscalYear> {
    let today = now.to_zoned(zone.clone()).date();
    let date = |at: Timestamp| at.to_zoned(TimeZone::UTC).date();
    let mut open: Vec<&FiscalYear> = years.iter().filter(|one| date(one.end) >= today).collect();
    open.sort_by_key(|one| (one.start, one.id));
    let both =
        matches!(open[..], [first, second, ..] if first.contains(now) && second.contains(now));
    open.into_iter().skip(usize::from(both))
}

/// The current year of a series.
#[must_use]
pub fn current<'a>(
    years: &'a [FiscalYear],
    now: Timestamp,
    zone: &TimeZone,
) -> Option<&'a FiscalYear> {
    from_current(years, now, zone).next()
}

/// The year after the current one.
#[must_use]
pub fn planned<'a>(
    years: &'a [FiscalYear],
    now: Timestamp,
    zone: &TimeZone,
) -> Option<&'a FiscalYear> {
    from_current(years, now, zone).nth(1)
}

/// The series of a fiscal year's code: letters, followed by four digits. `None` for another form.
#[must_use]
pub fn series(code: &str) -> Option<&str> {
    let split = code.len().checked_sub(4)?;
    if !code.is_char_boundary(split) {
        return None;
    }
    let (letters, digits) = code.split_at(split);
    let is_series = !letters.is_empty() && letters.bytes().all(|byte| byte.is_ascii_alphabetic());
    (is_series && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(letters)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn year(number: u128, start: &str, end: &str) -> FiscalYear {
        let at = |date: &str, time: &str| format!("{date}T{time}Z").parse().expect("an instant");
        FiscalYear {
            id: Uuid::from_u128(number),
            code: format!("FY{number}"),
            series: "FY".to_owned(),
            currency: "USD".to_owned(),
            start: at(start, "00:00:00"),
            end: at(end, "23:59:59"),
        }
    }

    #[test]
    fn the_current_year_is_the_first_that_has_not_ended() {
        let years = [
            year(2027, "2027-01-01", "2027-12-31"),
            year(2025, "2025-01-01", "2025-12-31"),
            year(2026, "2026-01-01", "2026-12-31"),
        ];
        let code = |now: &str, planned_one: bool| {
            let now = now.parse().expect("an instant");
            let found = match planned_one {
                true => planned(&years, now, &TimeZone::UTC),
                false => current(&years, now, &TimeZone::UTC),
            };
            found.map(|one| one.code.clone())
        };
        assert_eq!(
            code("2026-06-01T00:00:00Z", false).as_deref(),
            Some("FY2026")
        );
        assert_eq!(
            code("2026-06-01T00:00:00Z", true).as_deref(),
            Some("FY2027")
        );
        assert_eq!(
            code("2024-06-01T00:00:00Z", false).as_deref(),
            Some("FY2025")
        );
        assert_eq!(code("2027-06-01T00:00:00Z", true), None);
        assert_eq!(code("2028-01-01T00:00:00Z", false), None);
    }

    #[test]
    fn of_two_years_that_contain_now_the_later_is_current() {
        let years = [
            year(1, "2026-01-01", "2026-12-31"),
            year(2, "2026-06-01", "2027-05-31"),
        ];
        let at = |now: &str| {
            let now = now.parse().expect("an instant");
            current(&years, now, &TimeZone::UTC).map(|one| one.code.as_str())
        };
        assert_eq!(at("2026-05-01T00:00:00Z"), Some("FY1"));
        assert_eq!(at("2026-07-01T00:00:00Z"), Some("FY2"));
    }

    #[test]
    fn a_code_is_a_series_and_four_digits() {
        for (code, expected) in [
            ("FY2026", Some("FY")),
            ("fisc2026", Some("fisc")),
            ("2026", None),
            ("FY26", None),
            ("FY 2026", None),
            ("FY2026x", None),
            ("é026", None),
        ] {
            assert_eq!(series(code), expected, "{code}");
        }
    }
}

//! The link to the page that sets a password: its address and lifetime.

use jiff::SignedDuration;

/// The default address of FOLIO's user interface.
const HOST_DEFAULT: &str = "http://localhost:3000";
const RESET_PATH_DEFAULT: &str = "/reset-password";
const FORGOT_PATH_DEFAULT: &str = "/forgot-password";
/// The default lifetime of a link.
const LIFE_DEFAULT: SignedDuration = SignedDuration::from_hours(24);
/// The longest configurable lifetime: four weeks.
const LIFE_MAX: SignedDuration = SignedDuration::from_hours(4 * 7 * 24);

/// The library's settings, named by FOLIO's codes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LinkSettings {
    /// `FOLIO_HOST`.
    pub host: Option<String>,
    /// `RESET_PASSWORD_UI_PATH`.
    pub reset_path: Option<String>,
    /// `FORGOT_PASSWORD_UI_PATH`.
    pub forgot_path: Option<String>,
    /// `RESET_PASSWORD_LINK_EXPIRATION_TIME`.
    pub life: Option<String>,
    /// `RESET_PASSWORD_LINK_EXPIRATION_UNIT_OF_TIME`.
    pub life_unit: Option<String>,
}

impl LinkSettings {
    /// Reads entries of code and value; the first of a code wins.
    #[must_use]
    pub fn read(entries: &[(String, String)]) -> LinkSettings {
        let of = |code: &str| {
            let found = entries
                .iter()
                .find(|(name, value)| name.eq_ignore_ascii_case(code) && !value.trim().is_empty());
            found.map(|(_, value)| value.trim().to_owned())
        };
        LinkSettings {
            host: of("FOLIO_HOST"),
            reset_path: of("RESET_PASSWORD_UI_PATH"),
            forgot_path: of("FORGOT_PASSWORD_UI_PATH"),
            life: of("RESET_PASSWORD_LINK_EXPIRATION_TIME"),
            life_unit: of("RESET_PASSWORD_LINK_EXPIRATION_UNIT_OF_TIME"),
        }
    }

    /// The lifetime of a link. A number without a unit is in hours; more than four weeks becomes four
    /// weeks; an invalid value counts as absent.
    #[must_use]
    pub fn life(&self) -> SignedDuration {
        let number = self.life.as_deref().and_then(|text| text.parse().ok());
        let unit = self.life_unit.as_deref().unwrap_or("hours");
        let minutes = match unit.to_ascii_lowercase().as_str() {
            "minutes" => Some(1),
            "hours" => Some(60),
            "days" => Some(24 * 60),
            "weeks" => Some(7 * 24 * 60),
            _ => None,
        };
        match (number, minutes) {
            (Some(number), Some(minutes)) if number > 0 => {
                let minutes =
                    minutes.min(LIFE_MAX.as_mins()) * i64::from(u32::min(number, 100_000));
                SignedDuration::from_mins(minutes).min(LIFE_MAX)
            }
            _ => LIFE_DEFAULT,
        }
    }

    #[must_use]
    pub fn reset_link(&self, token: &str, tenant: &str) -> String {
        let path = self.reset_path.as_deref().unwrap_or(RESET_PATH_DEFAULT);
        format!("{}{path}/{token}?tenant={tenant}", self.host())
    }

    /// The link to the page that asks for another link.
    #[must_use]
    pub fn forgot_link(&self) -> String {
        let path = self.forgot_path.as_deref().unwrap_or(FORGOT_PATH_DEFAULT);
        format!("{}{path}", self.host())
    }

    fn host(&self) -> &str {
        self.host.as_deref().unwrap_or(HOST_DEFAULT)
    }
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;

    use super::LinkSettings;

    fn settings(entries: &[(&str, &str)]) -> LinkSettings {
        let owned: Vec<_> = entries
            .iter()
            .map(|&(code, value)| (code.to_owned(), value.to_owned()))
            .collect();
        LinkSettings::read(&owned)
    }

    #[test]
    fn links_lead_where_the_library_says() {
        let none = settings(&[]);
        assert_eq!(
            none.reset_link("a.b.c", "diku"),
            "http://localhost:3000/reset-password/a.b.c?tenant=diku"
        );
        let set = settings(&[
            ("FOLIO_HOST", "https://library.example.org"),
            ("reset_password_ui_path", "/new-password"),
            ("FORGOT_PASSWORD_UI_PATH", " "),
        ]);
        assert_eq!(
            set.reset_link("t", "diku"),
            "https://library.example.org/new-password/t?tenant=diku"
        );
        assert_eq!(
            set.forgot_link(),
            "https://library.example.org/forgot-password"
        );
    }

    #[test]
    fn lives_have_units_and_an_end() {
        let life = |time: &str, unit: &str| {
            settings(&[
                ("RESET_PASSWORD_LINK_EXPIRATION_TIME", time),
                ("RESET_PASSWORD_LINK_EXPIRATION_UNIT_OF_TIME", unit),
            ])
            .life()
        };
        let hours = SignedDuration::from_hours;
        for (time, unit, expected) in [
            ("", "", hours(24)),
            ("5", "", hours(5)),
            ("90", "minutes", SignedDuration::from_mins(90)),
            ("2", "Days", hours(48)),
            ("1", "WEEKS", hours(168)),
            ("5", "weeks", hours(672)),
            ("4000000000", "weeks", hours(672)),
            ("99999999999", "weeks", hours(24)),
            ("0", "hours", hours(24)),
            ("-1", "hours", hours(24)),
            ("3", "moons", hours(24)),
        ] {
            assert_eq!(life(time, unit), expected, "{time} {unit}");
        }
    }
}

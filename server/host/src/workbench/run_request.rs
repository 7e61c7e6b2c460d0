//! What a caller may ask of a run, and the command line that it becomes.

use std::path::Path;

use octavo_platform::ApiError;
use serde::Deserialize;

use super::Workbench;

const USERS: std::ops::RangeInclusive<u32> = 1..=200;
const SECONDS: std::ops::RangeInclusive<u32> = 1..=3_600;
const NAME_CHARACTERS_MAX: usize = 100;

/// A run as it is asked for.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct RunRequest {
    /// A workload that comes with the program.
    pub workload: String,
    /// What it is called in lists and reports.
    #[serde(default)]
    pub name: String,
    pub virtual_users: u32,
    #[serde(default)]
    pub ramp_up_seconds: u32,
    pub duration_seconds: u32,
    /// Without the pauses that people make.
    #[serde(default)]
    pub without_pauses: bool,
    /// The caller's own: each virtual user logs in with it.
    pub password: String,
}

impl RunRequest {
    pub(super) fn read(body: &[u8], workbench: &Workbench) -> Result<Self, ApiError> {
        // A message of the parser may repeat a value, and one of them is a password.
        let request: RunRequest = serde_json::from_slice(body).map_err(|error| {
            ApiError::bad_request(format!(
                "The body must be an object with workload, virtualUsers, durationSeconds and \
                 password, and may have name, rampUpSeconds and withoutPauses; it is not at line \
                 {}, column {}",
                error.line(),
                error.column()
            ))
        })?;
        request.check(workbench)?;
        Ok(request)
    }

    fn check(&self, workbench: &Workbench) -> Result<(), ApiError> {
        let known = &workbench.workloads;
        if !known.iter().any(|one| one.id == self.workload) {
            let names: Vec<&str> = known.iter().map(|one| one.id.as_str()).collect();
            return Err(ApiError::invalid(
                format!("workload must be one of: {}", names.join(", ")),
                "workload",
                &self.workload,
            ));
        }
        within("virtualUsers", self.virtual_users, &USERS)?;
        within("durationSeconds", self.duration_seconds, &SECONDS)?;
        within(
            "rampUpSeconds",
            self.ramp_up_seconds,
            &(0..=self.duration_seconds),
        )?;
        if self.name.chars().count() > NAME_CHARACTERS_MAX || self.name.starts_with('-') {
            return Err(ApiError::invalid(
                format!(
                    "name must have at most {NAME_CHARACTERS_MAX} characters and not begin with a hyphen"
                ),
                "name",
                &self.name,
            ));
        }
        Ok(())
    }

    /// The arguments after the program's name. The password is not among them, since every process
    /// of the machine can read these.
    pub(super) fn arguments(
        &self,
        url: &str,
        tenant: &str,
        user: &str,
        is_self_signed: bool,
        folder: &Path,
    ) -> Vec<std::ffi::OsString> {
        let mut words: Vec<std::ffi::OsString> =
            ["workload", "run", &self.workload].map(Into::into).into();
        let users = self.virtual_users.to_string();
        let (ramp_up, duration) = (
            format!("{}s", self.ramp_up_seconds),
            format!("{}s", self.duration_seconds),
        );
        let mut option = |name: &str, value: &std::ffi::OsStr| {
            words.push(name.into());
            words.push(value.into());
        };
        option("--url", url.as_ref());
        option("--tenant", tenant.as_ref());
        option("--user", user.as_ref());
        option("--virtual-users", users.as_ref());
        option("--ramp-up", ramp_up.as_ref());
        option("--duration", duration.as_ref());
        option("--report", folder.as_os_str());
        option("--live-report", "1s".as_ref());
        if !self.name.is_empty() {
            option("--name", self.name.as_ref());
        }
        if self.without_pauses {
            option("--think-time", "none".as_ref());
        }
        if is_self_signed {
            words.push("--insecure".into());
        }
        words
    }
}

fn within(name: &str, number: u32, bounds: &std::ops::RangeInclusive<u32>) -> Result<(), ApiError> {
    if bounds.contains(&number) {
        return Ok(());
    }
    Err(ApiError::invalid(
        format!(
            "{name} must be a whole number from {} to {}",
            bounds.start(),
            bounds.end()
        ),
        name,
        number.to_string(),
    ))
}

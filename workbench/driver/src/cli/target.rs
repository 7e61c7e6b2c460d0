//! The server and the login.

use std::path::PathBuf;

use clap::Args;
use octavo_client::Trust;

use crate::session::Target;

/// Tenant and login, and trusted certificates.
#[derive(Debug, Clone, Args)]
pub struct LoginArgs {
    /// The tenant
    #[arg(long, default_value = "diku")]
    pub tenant: String,
    /// The user who logs in; needs the permissions for what the workload does
    #[arg(long, default_value = "diku_admin", value_name = "NAME")]
    pub user: String,
    /// The user's password
    #[arg(
        long,
        env = "OCTAVO_WORKLOAD_PASSWORD",
        default_value = "admin",
        hide_env_values = true
    )]
    pub password: String,
    /// Trust any certificate, also self-signed ones
    #[arg(long, conflicts_with = "certificate_authority")]
    pub insecure: bool,
    /// Trust the authorities in this PEM file instead of the system's
    #[arg(long, value_name = "FILE")]
    pub certificate_authority: Option<PathBuf>,
}

impl LoginArgs {
    fn target(&self, url: &str) -> Target {
        let trust = match (&self.certificate_authority, self.insecure) {
            (Some(file), _) => Trust::Authorities(file.clone()),
            (None, true) => Trust::Anything,
            (None, false) => Trust::System,
        };
        Target {
            url: url.to_owned(),
            trust,
            tenant: self.tenant.clone(),
            username: self.user.clone(),
            password: self.password.clone(),
        }
    }
}

/// The server and the login.
#[derive(Debug, Clone, Args)]
pub struct TargetArgs {
    /// The server's address; its path is put before FOLIO's own paths
    #[arg(long, default_value = "http://127.0.0.1:9130", value_name = "URL")]
    pub url: String,
    /// Tenant and login
    #[command(flatten)]
    pub login: LoginArgs,
}

impl TargetArgs {
    pub fn target(&self) -> Target {
        self.login.target(&self.url)
    }
}

/// A server that is asked which requests it supports.
#[derive(Debug, Clone, Args)]
pub struct AgainstArgs {
    /// Ask the server at this address which of the requests it supports
    #[arg(long, value_name = "URL")]
    pub against: Option<String>,
    /// Tenant and login
    #[command(flatten)]
    pub login: LoginArgs,
}

impl AgainstArgs {
    pub(super) fn target(&self) -> Option<Target> {
        let url = self.against.as_ref()?;
        Some(self.login.target(url))
    }
}

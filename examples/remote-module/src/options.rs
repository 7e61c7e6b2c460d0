//! What the module can be told at its start; all of it is there to try the gateway with.

use clap::{Args, ValueEnum};

/// Variants of the module.
#[derive(Debug, Clone, Args)]
pub struct Options {
    /// The version in the module's id, for upgrades
    #[arg(long, value_name = "VERSION", default_value = "1.0.0")]
    pub module_version: String,
    /// Prepare and leave tenants in the background, so many milliseconds long: 201 and a job
    #[arg(
        long,
        value_name = "MS",
        num_args = 0..=1,
        default_missing_value = "500"
    )]
    pub slow_tenant: Option<u64>,
    /// Milliseconds between two calls of the timer
    #[arg(long, value_name = "MS", default_value_t = 600_000)]
    pub timer_delay: u32,
    /// Also be told of the permissions of other modules (`_tenantPermissions`)
    #[arg(long)]
    pub permissions_listener: bool,
    /// Be a filter that keeps a log of requests, and nothing else
    #[arg(long, value_enum, value_name = "PHASE")]
    pub filter: Option<Phase>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            module_version: "1.0.0".to_owned(),
            slow_tenant: None,
            timer_delay: 600_000,
            permissions_listener: false,
            filter: None,
        }
    }
}

/// When a filter is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Phase {
    /// With what checks tokens.
    Auth,
    /// Before the module that answers.
    Pre,
    /// After it.
    Post,
}

impl Phase {
    /// FOLIO's word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Phase::Auth => "auth",
            Phase::Pre => "pre",
            Phase::Post => "post",
        }
    }
}

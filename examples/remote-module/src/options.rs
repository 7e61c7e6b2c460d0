//! The options of the module; all of them exist to test a gateway.

use clap::{Args, ValueEnum};

/// Variants of the module.
#[derive(Debug, Clone, Args)]
pub struct Options {
    /// The version in the module's id, for upgrades
    #[arg(long, value_name = "VERSION", default_value = "1.0.0")]
    pub module_version: String,
    /// Enable and disable tenants in the background, taking so many milliseconds: 201 and a job
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
    /// Also receive the permissions of other modules (`_tenantPermissions`)
    #[arg(long)]
    pub permissions_listener: bool,
    /// Act as a filter that logs requests, and nothing else
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

/// The phase in which a filter is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Phase {
    /// Together with the check of the token.
    Auth,
    /// Before the module that handles the request.
    Pre,
    /// After it.
    Post,
}

impl Phase {
    /// FOLIO's name of the phase.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Phase::Auth => "auth",
            Phase::Pre => "pre",
            Phase::Post => "post",
        }
    }
}

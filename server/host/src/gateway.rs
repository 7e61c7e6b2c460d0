//! The command line's options of the gateway.

use std::net::IpAddr;
use std::time::Duration;

use clap::Args;
use octavo_platform::Governance;
use octavo_platform::proxy::RemoteLimits;
use octavo_records::Tenant;

/// The gateway's options.
#[derive(Debug, Clone, Args)]
pub struct GatewayArgs {
    /// Let users of this tenant with the permissions for it operate the installation: create
    /// tenants, register modules and their addresses. Users of the tenant `supertenant` always may
    #[arg(long = "operator", env = "OCTAVO_OPERATORS", value_name = "TENANT", value_delimiter = ',', value_parser = tenant_id)]
    pub operators: Vec<String>,
    /// Let the module mod-authtoken be disabled for a tenant: its requests then need no token
    #[arg(long)]
    pub allow_disable_auth: bool,
    /// The address at which remote modules call this gateway [default: where it listens]
    #[arg(long, env = "OCTAVO_OKAPI_URL", value_name = "URL", value_parser = url)]
    pub okapi_url: Option<String>,
    /// Let pages of this origin, as in https://library.example.org, send requests with cookies; any
    /// other page needs a token of its own
    #[arg(long = "allow-origin", env = "OCTAVO_ALLOW_ORIGINS", value_name = "ORIGIN", value_delimiter = ',', value_parser = origin)]
    pub allow_origins: Vec<String>,
    /// Trust a proxy at this address to report the client's address in X-Forwarded-For
    #[arg(
        long = "proxy",
        env = "OCTAVO_PROXIES",
        value_name = "IP",
        value_delimiter = ','
    )]
    pub proxies: Vec<IpAddr>,
    /// How long a remote module may take until the head of its response, and between two chunks of
    /// the body
    #[arg(long, default_value_t = 60, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub remote_timeout: u64,
}

fn tenant_id(text: &str) -> Result<String, String> {
    Tenant::new(text)
        .map(|tenant| tenant.id().to_owned())
        .map_err(|error| error.to_string())
}

/// An origin as browsers send it: scheme, host and port, no path.
fn origin(text: &str) -> Result<String, String> {
    let known = url(text)?;
    let (_, host) = known.split_once("://").unwrap_or_default();
    match host.contains(['/', '?', '#', '@', '*']) {
        true => Err("it is not an origin like https://library.example.org".to_owned()),
        false => Ok(known.to_ascii_lowercase()),
    }
}

fn url(text: &str) -> Result<String, String> {
    let uri: http::Uri = text.parse().map_err(|_| "it is not a URL".to_owned())?;
    match (uri.scheme_str(), uri.host()) {
        (Some("http" | "https"), Some(_)) => Ok(text.trim_end_matches('/').to_owned()),
        _ => Err("it is no address like http://host:port".to_owned()),
    }
}

impl GatewayArgs {
    /// The options for the platform; `demo` is a tenant whose users have all permissions.
    #[must_use]
    pub fn governance(&self, demo: Option<&str>) -> Governance {
        let mut operators = self.operators.clone();
        operators.extend(demo.map(str::to_owned));
        let mut origins = self.allow_origins.clone();
        if demo.is_some() {
            // The development server of FOLIO's front end.
            origins.push("http://localhost:3000".to_owned());
        }
        Governance {
            operators,
            allow_disable_auth: self.allow_disable_auth || demo.is_some(),
            address: self.okapi_url.clone(),
            proxies: self.proxies.iter().map(IpAddr::to_canonical).collect(),
            origins,
            strict_transport: false,
            checks_contents: false,
        }
    }

    /// Time-outs for remote modules.
    #[must_use]
    pub fn limits(&self) -> RemoteLimits {
        let wait = Duration::from_secs(self.remote_timeout);
        RemoteLimits {
            head: wait,
            idle: wait,
            ..RemoteLimits::default()
        }
    }
}

//! Spans of requests to a collector of OpenTelemetry, by OTLP over HTTP with JSON: its options, and which requests are
//! sent. What of them, and how, is in the build with the feature `otlp`.

#[cfg(feature = "otlp")]
mod exporter;
#[cfg(feature = "otlp")]
mod spans;

use std::sync::Arc;

use clap::Args;
use octavo_platform::Platform;

/// Options of the export of spans.
#[derive(Debug, Args)]
pub struct OtlpArgs {
    /// Send the spans of requests to this collector of OpenTelemetry: `http://HOST:4318`
    #[arg(long, env = "OTEL_EXPORTER_OTLP_ENDPOINT", value_name = "URL")]
    pub otlp: Option<String>,
    /// The share of requests that are sent, of those that belong to no trace of their client
    #[arg(long, env = "OTEL_TRACES_SAMPLER_ARG", default_value_t = 0.0, value_name = "SHARE", value_parser = share)]
    pub otlp_share: f64,
    /// Headers for the collector, such as a key: NAME=VALUE,…
    #[arg(
        long,
        env = "OTEL_EXPORTER_OTLP_HEADERS",
        value_name = "NAME=VALUE,…",
        hide_env_values = true
    )]
    pub otlp_headers: Option<String>,
}

fn share(text: &str) -> Result<f64, String> {
    let share: f64 = text.parse().map_err(|_| "it is a number".to_owned())?;
    match (0.0..=1.0).contains(&share) {
        true => Ok(share),
        false => Err("it is from 0 to 1".to_owned()),
    }
}

/// Whether a request is sent: as its client has decided for the whole trace, else by a share of all.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sampling {
    pub share: f64,
}

impl Sampling {
    /// `drawn` is a number from 0 to 1, exclusive.
    #[must_use]
    pub fn takes(self, sampled: Option<bool>, drawn: f64) -> bool {
        sampled.unwrap_or(drawn < self.share)
    }
}

/// Sends spans from now on, if the options say so.
///
/// # Errors
/// When an option is wrong, or this program was built without the feature.
#[cfg(feature = "otlp")]
pub fn begin(
    args: &OtlpArgs,
    platform: &Arc<Platform>,
) -> anyhow::Result<Option<impl Future<Output = ()> + Send + use<>>> {
    let Some(endpoint) = &args.otlp else {
        return Ok(None);
    };
    let sampling = Sampling {
        share: args.otlp_share,
    };
    let headers = args.otlp_headers.as_deref().unwrap_or_default();
    let (exporter, sending) = exporter::new(endpoint, headers, sampling)?;
    platform
        .gateway
        .sources
        .add(Arc::clone(exporter.status()) as _);
    let _ = platform.gateway.exporter.set(exporter);
    Ok(Some(sending))
}

/// Refuses: this program was built without the export.
///
/// # Errors
/// With `--otlp`.
#[cfg(not(feature = "otlp"))]
pub fn begin(args: &OtlpArgs, _: &Arc<Platform>) -> anyhow::Result<Option<std::future::Ready<()>>> {
    match args.otlp {
        None => Ok(None),
        Some(_) => anyhow::bail!(
            "this program sends no spans: build it with `make dist`, or with \
             `cargo build --release --features otlp`"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_client_decides_and_where_it_does_not_a_share_of_all() {
        let tenth = Sampling { share: 0.1 };
        for (sampled, drawn, expected) in [
            (Some(true), 0.9, true),
            (Some(false), 0.0, false),
            (None, 0.05, true),
            (None, 0.1, false),
        ] {
            assert_eq!(tenth.takes(sampled, drawn), expected, "{sampled:?} {drawn}");
        }
        assert!(!Sampling { share: 0.0 }.takes(None, 0.0));
        assert!(Sampling { share: 1.0 }.takes(None, 0.999));
    }

    #[test]
    fn a_share_is_from_none_to_all() {
        assert_eq!(share("0.25"), Ok(0.25));
        for wrong in ["-0.1", "1.1", "all", "NaN"] {
            assert!(share(wrong).is_err(), "{wrong}");
        }
    }
}

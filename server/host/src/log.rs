//! Logging, and what must never be logged: libraries print bound values, headers and keys below
//! `warn`, so they are limited to that whatever level the operator sets.

use clap::ValueEnum;
use tracing::{Level, Metadata};
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, fmt};

/// The form of the log's lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line, for programs that collect logs.
    Json,
}

/// Sends the log to standard error as text.
#[must_use]
pub fn to_stderr() -> Option<String> {
    to_stderr_as(LogFormat::Text)
}

/// Sends the log to standard error, at the levels in `OCTAVO_LOG` (by default `info`). Returns the
/// error in that variable, if there is one: then `info` applies.
#[must_use]
pub fn to_stderr_as(format: LogFormat) -> Option<String> {
    let asked = std::env::var("OCTAVO_LOG")
        .ok()
        .filter(|text| !text.trim().is_empty());
    let (filter, complaint) = match asked.as_deref().map(EnvFilter::try_new) {
        None => (EnvFilter::new("info"), None),
        Some(Ok(filter)) => (filter, None),
        Some(Err(error)) => (EnvFilter::new("info"), Some(format!("OCTAVO_LOG: {error}"))),
    };
    let colours = std::io::IsTerminal::is_terminal(&std::io::stderr());
    let registry = tracing_subscriber::registry()
        .with(filter)
        .with(filter_fn(may_be_logged));
    let lines = fmt::layer().with_writer(std::io::stderr);
    // A second installation would only report the first.
    let _ = match format {
        LogFormat::Text => registry.with(lines.with_ansi(colours)).try_init(),
        // The request's ids as properties of the line itself; the list of all spans repeats them.
        LogFormat::Json => registry
            .with(lines.json().flatten_event(true).with_span_list(false))
            .try_init(),
    };
    complaint
}

fn may_be_logged(metadata: &Metadata<'_>) -> bool {
    allowed(metadata.target(), *metadata.level())
}

/// Our own crates keep values out of their messages; others are logged only from `warn` on.
fn allowed(target: &str, level: Level) -> bool {
    level <= Level::WARN || target.starts_with("octavo")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_rooms_speak_below_warn() {
        assert!(allowed("octavo_postgres::lanes", Level::TRACE));
        assert!(allowed("tokio_postgres::query", Level::WARN));
        assert!(!allowed("tokio_postgres::query", Level::DEBUG));
        assert!(!allowed("h2::codec", Level::INFO));
    }
}

//! The command line's options of read replicas.

use std::time::Duration;

use anyhow::Context;
use clap::Args;
use jiff::SignedDuration;
use octavo_postgres::{Config, ReaderOptions};

use super::database::parse;

/// The longest wait of a read for a replica; the writer answers sooner.
const WAIT_MOST: Duration = Duration::from_secs(10);

/// Read replicas.
#[derive(Debug, Clone, Args)]
pub struct ReaderArgs {
    /// Read from this streaming replica of the database; repeat it for several
    ///
    /// Each names one server, as in postgresql://octavo@replica.example.org/octavo, and no pooler
    /// or balancer. A read goes to a replica that has everything committed before the read began,
    /// otherwise to the writer; so no client sees older data than without replicas. A replica that
    /// lags, is down or is back again is detected automatically. Large pages (limit above 1,000)
    /// and all writes stay on the writer. The variable takes several, separated by commas.
    #[arg(
        long = "reader-url",
        env = "OCTAVO_READER_URLS",
        value_name = "URL",
        value_delimiter = ',',
        hide_env_values = true
    )]
    pub urls: Vec<String>,
    /// How long a read waits for a replica to catch up before it goes to the writer; 10s at most
    #[arg(
        long = "reader-wait",
        env = "OCTAVO_READER_WAIT",
        value_name = "DURATION",
        default_value = "50ms",
        value_parser = wait
    )]
    pub wait: Duration,
}

impl ReaderArgs {
    /// The options for reading from replicas, if there are any.
    ///
    /// # Errors
    /// A message with the remedy, without passwords.
    pub fn options(&self, lanes: usize) -> anyhow::Result<Option<ReaderOptions>> {
        let named = self.urls.iter().filter(|url| !url.trim().is_empty());
        let places: Vec<Config> = named
            .map(|url| place(url.trim()))
            .collect::<anyhow::Result<_>>()?;
        Ok((!places.is_empty()).then(|| ReaderOptions {
            lanes,
            wait: self.wait,
            ..ReaderOptions::new(places)
        }))
    }
}

fn place(url: &str) -> anyhow::Result<Config> {
    let config = parse(url).context("--reader-url cannot be used")?;
    if config.get_hosts().len().max(config.get_hostaddrs().len()) > 1 {
        anyhow::bail!(
            "--reader-url names several servers at once; give it once for each of them, since \
             each is a replica with a position of its own"
        );
    }
    Ok(config)
}

fn wait(text: &str) -> Result<Duration, String> {
    let parsed = text.parse().ok().map(Duration::from_secs).or_else(|| {
        let signed = text.parse::<SignedDuration>().ok()?;
        Duration::try_from(signed).ok()
    });
    let wait = parsed
        .ok_or_else(|| format!("`{text}` is no duration; write 50ms, 2s or plain seconds"))?;
    if wait > WAIT_MOST {
        return Err(format!(
            "longer than {} s; the writer answers sooner",
            WAIT_MOST.as_secs()
        ));
    }
    Ok(wait)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        readers: ReaderArgs,
    }

    fn options(arguments: &[&str]) -> anyhow::Result<Option<ReaderOptions>> {
        let line = Line::try_parse_from([&["octavo"], arguments].concat())?;
        line.readers.options(2)
    }

    #[test]
    fn each_url_is_a_replica_and_none_is_none() {
        assert!(options(&[]).unwrap().is_none());
        assert!(options(&["--reader-url", ""]).unwrap().is_none());
        let (one, other) = ("postgresql://a@one/o", "postgresql://a@two/o");
        for given in [
            vec!["--reader-url", one, "--reader-url", other],
            vec!["--reader-url", "postgresql://a@one/o, postgresql://a@two/o"],
        ] {
            let options = options(&given).unwrap().unwrap();
            assert_eq!(options.places.len(), 2, "{given:?}");
            assert_eq!(options.wait, ReaderOptions::WAIT);
        }
        let waiting = options(&["--reader-url", one, "--reader-wait", "2s"]);
        assert_eq!(waiting.unwrap().unwrap().wait, Duration::from_secs(2));
    }

    #[test]
    fn what_cannot_be_used_is_reported_without_its_password() {
        for (given, part) in [
            (
                ["--reader-url", "postgresql://a:hunter2@db:x/o"],
                "--reader-url",
            ),
            (
                ["--reader-url", "host=a\u{20}user=hunter2 sslmode=require"],
                "TLS",
            ),
            (["--reader-wait", "1h"], "longer than 10 s"),
            (["--reader-wait", "soon"], "is no duration"),
        ] {
            let error = options(&given).expect_err(part);
            let message = format!("{error:#}");
            assert!(message.contains(part), "{message}");
            assert!(!message.contains("hunter2"), "{message}");
        }
        let several = place("host=one,two user=a dbname=o").expect_err("two servers");
        assert!(several.to_string().contains("once for each"), "{several}");
    }
}

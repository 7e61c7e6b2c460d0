//! The progress line of a run: rewritten each second on a terminal, otherwise printed every five
//! seconds. Silent runs print nothing.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle as BarStyle};

use super::observer::Live;

/// How progress is displayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProgressStyle {
    /// One line on the terminal, rewritten each second.
    Terminal,
    /// A line on standard error every five seconds.
    Lines,
    /// Nothing.
    Silent,
}

/// The progress of one run.
pub(super) struct Progress {
    style: ProgressStyle,
    bar: ProgressBar,
    /// When the last line was made, with requests and transactions by then.
    last: (Duration, u64, u64),
    /// Seconds since a line was printed.
    seconds: u32,
}

/// Seconds between printed lines.
const LINES_EVERY: u32 = 5;

impl Progress {
    pub(super) fn new(style: ProgressStyle) -> Self {
        let bar = match style {
            ProgressStyle::Terminal => {
                let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stdout());
                let template = BarStyle::with_template("{spinner} {msg}");
                bar.set_style(template.unwrap_or_else(|_| BarStyle::default_spinner()));
                bar
            }
            _ => ProgressBar::hidden(),
        };
        Self {
            style,
            bar,
            last: (Duration::ZERO, 0, 0),
            seconds: 0,
        }
    }

    /// Called each second.
    pub(super) fn second(&mut self, live: &Live<'_>) {
        self.seconds += 1;
        match self.style {
            ProgressStyle::Silent => {}
            ProgressStyle::Terminal => {
                let line = self.line(live);
                self.bar.set_message(line);
                self.bar.tick();
            }
            ProgressStyle::Lines if self.seconds.is_multiple_of(LINES_EVERY) => {
                eprintln!("{}", self.line(live));
            }
            ProgressStyle::Lines => {}
        }
    }

    fn line(&mut self, live: &Live<'_>) -> String {
        let transactions = live.transactions.iter().map(|one| one.len()).sum::<u64>();
        let (requests, errors) = live.requests;
        let (then, requests_then, transactions_then) = self.last;
        let seconds = live.elapsed.saturating_sub(then).as_secs_f64().max(0.001);
        let requests_per_s = (requests - requests_then) as f64 / seconds;
        let transactions_per_s = (transactions - transactions_then) as f64 / seconds;
        self.last = (live.elapsed, requests, transactions);
        let stage = match live.stage {
            (_, 1) => String::new(),
            (number, all) => format!("  stage {}/{all}", number + 1),
        };
        let due = live
            .rate
            .map_or(String::new(), |rate| format!("{rate:.0}/s due  "));
        let mut line = format!(
            "{}/{} s{stage}  {due}{} users  {requests_per_s:.0} requests/s  \
             {transactions_per_s:.1} transactions/s  {errors} errors",
            live.elapsed.as_secs(),
            live.whole.as_secs(),
            live.users,
        );
        for (name, series) in live.names.iter().zip(live.transactions) {
            if !series.is_empty() {
                let figures = series.statistics();
                line.push_str(&format!(
                    "  {name} p50 {:.1} p95 {:.1} p99 {:.1} ms",
                    figures.p50_ms, figures.p95_ms, figures.p99_ms
                ));
            }
        }
        line
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

//! The progress of an index build: a bar at a terminal, lines elsewhere.

use std::sync::Mutex;
use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use octavo_postgres::{BuildPhase, BuildProgress};

/// Shows the builds of a command, one after the other.
#[derive(Debug, Default)]
pub struct BuildDisplay {
    bar: Mutex<Option<ProgressBar>>,
}

impl BuildDisplay {
    pub fn show(&self, news: &BuildProgress) {
        let mut shown = self
            .bar
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        match news.phase {
            BuildPhase::Started => {
                eprintln!("  making {} while {} is used", news.index, news.table);
                *shown = Some(bar());
            }
            BuildPhase::Running => {
                if let Some(bar) = shown.as_ref() {
                    bar.set_length(news.blocks_total.max(0).unsigned_abs());
                    bar.set_position(news.blocks_done.max(0).unsigned_abs());
                    bar.set_message(news.step.clone());
                }
            }
            BuildPhase::Finished => {
                if let Some(bar) = shown.take() {
                    bar.finish_and_clear();
                }
                eprintln!("  built {} in {}", news.index, taken(news.elapsed));
            }
        }
    }
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::no_length();
    if let Ok(style) =
        ProgressStyle::with_template("  {wide_bar} {human_pos}/{human_len} blocks  {msg}")
    {
        bar.set_style(style);
    }
    bar
}

fn taken(elapsed: Duration) -> String {
    match elapsed.as_secs() {
        0..60 => format!("{:.1} s", elapsed.as_secs_f64()),
        _ => HumanDuration(elapsed).to_string(),
    }
}

//! Several runs: side by side, and as a history.

use octavo_figures::run::Run;
use octavo_report::{html_comparison, html_trends, markdown_comparison, markdown_trends};

use crate::sample::{self, SampleOptions};

fn release(name: &'static str, begun: &'static str, slower: f64, seed: u64) -> Run {
    sample::run(&SampleOptions {
        seconds: 60.0,
        step_s: 1.0,
        probed: false,
        name,
        begun,
        slower,
        seed,
        ..SampleOptions::default()
    })
}

#[test]
fn runs_stand_side_by_side_and_only_real_changes_have_a_colour() {
    let first = release("1.1", "2026-01-01T00:00:00Z", 1.0, 1);
    let same = release("1.2", "2026-02-01T00:00:00Z", 1.0, 2);
    let slow = release("1.2", "2026-03-01T00:00:00Z", 1.6, 3);
    let runs = [&first, &same, &slow];
    let text = markdown_comparison(&runs);
    assert!(text.contains("1.2 (3)"), "{text}");
    let row = text
        .lines()
        .find(|line| line.starts_with("| Check-Out Controller"));
    let row = row.unwrap_or_else(|| panic!("{text}"));
    let cells: Vec<&str> = row.split('|').map(str::trim).collect();
    assert!(!cells[4].contains("**") && cells[5].contains("**"), "{row}");
    assert!(cells[5].contains("(+"), "{row}");
    assert!(
        text.contains("1.2: No change against 1.1 is more than chance."),
        "{text}"
    );
    let page = html_comparison(&runs);
    assert!(page.contains("class=\"n bad\"") && page.contains("\"percentile\""));
    assert!(html_comparison(&[]).contains("No runs to compare"));
}

#[test]
fn a_history_is_ordered_and_has_slopes() {
    let mut other = release("other load", "2026-03-15T00:00:00Z", 1.0, 9);
    other.facts.virtual_users = 8;
    let history = [
        release("1.3", "2026-03-01T00:00:00Z", 1.4, 3),
        release("1.1", "2026-01-01T00:00:00Z", 1.0, 1),
        other,
        release("1.4", "2026-04-01T00:00:00Z", 1.6, 4),
        release("1.2", "2026-02-01T00:00:00Z", 1.2, 2),
    ];
    let text = markdown_trends(&history);
    let order: Vec<usize> = ["| 1.1 ", "| 1.2 ", "| 1.3 ", "| 1.4 "]
        .iter()
        .map(|name| text.find(name).unwrap_or_else(|| panic!("{name}: {text}")))
        .collect();
    assert!(order.is_sorted(), "{order:?}");
    assert!(
        text.contains("Over 4 runs the 95th percentile of Check-Out Controller grew by"),
        "{text}"
    );
    // A run with another load belongs to another history.
    assert!(
        text.contains("30 virtual users") && text.contains("8 virtual users"),
        "{text}"
    );
    assert!(
        text.contains("From three runs on there are slopes."),
        "{text}"
    );
    let page = html_trends(&history);
    assert!(page.contains("id=\"trend-2\"") && page.contains("\"names\":[\"1.1\""));
    assert!(markdown_trends(&[]).contains("There are no runs in the history."));
}

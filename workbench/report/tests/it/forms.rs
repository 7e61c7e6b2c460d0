//! HTML, Markdown and JSON of a report: all sections, no external resources, and safe against
//! hostile text from a server.

use octavo_figures::run::*;
use octavo_report::{Baseline, Report, html, json, markdown};

use crate::sample::{self, SampleOptions};

const HOSTILE: &str = "</script><script>alert(1)</script>\"'>`|``x``|\\|<img src=x onerror=alert(2)>\n# h\n|a|b|\n```\n[l](javascript:alert(3)) ${x} <!--";

fn small() -> SampleOptions {
    SampleOptions {
        seconds: 60.0,
        step_s: 1.0,
        ..SampleOptions::default()
    }
}

/// A run in which every text from a server or a workload is hostile.
fn hostile() -> Run {
    let mut run = sample::run(&SampleOptions {
        open: true,
        ..small()
    });
    let bad = || HOSTILE.to_owned();
    run.facts.workload = bad();
    run.facts.server = bad();
    run.facts.tenant = bad();
    run.facts.arrival = bad();
    run.facts.think_time = bad();
    run.facts.name = Some(bad());
    run.facts.distribution = vec![(bad(), 1)];
    for one in &mut run.transactions {
        one.name = bad();
        one.requests.iter_mut().for_each(|one| one.label = bad());
    }
    run.stages = vec![StageSummary {
        name: bad(),
        load: bad(),
        from_s: 0.0,
        measured_s: 60.0,
        requests: 1,
        errors: 0,
        transactions: run.transactions.clone(),
        other_requests: Vec::new(),
    }];
    for one in &mut run.server_timing {
        one.stage = bad();
        one.by_label.iter_mut().for_each(|one| one.0 = bad());
    }
    run.failures = vec![FailureSummary {
        label: bad(),
        kind: bad(),
        count: 3,
        first_status: 500,
        first_body: bad(),
    }];
    run.substitutions = vec![Substitution {
        branch: bad(),
        feeder: bad(),
        count: 1,
    }];
    run.generator.bottleneck = Some(bad());
    run.ended_early = Some(bad());
    run.notes = vec![bad()];
    let probed = &mut run.probed;
    for one in &mut probed.series {
        one.source = bad();
        one.unit = bad();
    }
    probed.series.push(ProbedSeries {
        source: bad(),
        measure: bad(),
        unit: bad(),
        points: vec![(1.0, 1.0), (2.0, f64::NAN)],
    });
    probed
        .statements
        .iter_mut()
        .for_each(|one| one.query = bad());
    probed.missing_indexes = vec![MissingIndex {
        table: bad(),
        what: bad(),
        count: 1,
        source: bad(),
    }];
    probed.growth.iter_mut().for_each(|one| one.table = bad());
    probed.infrastructure = vec![(bad(), bad())];
    probed.notes = vec![bad()];
    run
}

/// The names of all elements, in order.
fn tags(page: &str) -> Vec<&str> {
    let starts = page.split('<').skip(1);
    starts
        .filter(|rest| rest.starts_with(|letter: char| letter.is_ascii_alphabetic()))
        .map(|rest| rest.split([' ', '>', '\n']).next().unwrap_or_default())
        .collect()
}

/// The page without the content of its scripts and styles.
fn without_scripts(page: &str) -> String {
    let mut text = String::new();
    let mut rest = page;
    for name in ["style", "script", "script", "script"] {
        let (before, after) = rest.split_once(&format!("<{name}")).expect("an element");
        let (_, after) = after.split_once(&format!("</{name}>")).expect("its end");
        text.push_str(before);
        rest = after;
    }
    text + rest
}

#[test]
fn a_page_has_all_sections_in_folios_order() {
    let run = sample::run(&small());
    let page = html(&Report::of(&run));
    let wanted = [
        "overview",
        "summary",
        "test-runs",
        "response-times",
        "over-time",
        "server-timing",
        "slow-requests",
        "cpu",
        "memory",
        "database",
        "slow-queries",
        "missing-indexes",
        "longevity",
        "infrastructure",
        "method",
    ];
    let mut from = 0;
    for id in wanted {
        let at = page.find(&format!("<section id=\"{id}\">"));
        let at = at.unwrap_or_else(|| panic!("{id} is missing"));
        assert!(at > from, "{id} is out of order");
        assert!(
            page.contains(&format!("<a href=\"#{id}\">")),
            "{id} is not in the contents"
        );
        from = at;
    }
    // Tables are there without a script.
    let bare = without_scripts(&page);
    assert!(
        bare.contains("Check-Out Controller") && bare.contains("<td class=\"n\">"),
        "{bare}"
    );
}

#[test]
fn nothing_is_loaded_from_elsewhere() {
    let run = sample::run(&small());
    let page = html(&Report::of(&run));
    assert!(page.contains("default-src 'none'"));
    assert!(
        page.contains("The MIT License"),
        "the library's licence goes with it"
    );
    let bare = without_scripts(&page);
    for attribute in [
        "src=", "<link", "<iframe", "<object", "<base", "@import", "url(",
    ] {
        assert!(!bare.contains(attribute), "{attribute}");
    }
    // Anchors of the contents are the only references.
    assert_eq!(
        bare.matches("href=").count(),
        bare.matches("href=\"#").count()
    );
    for loading in [
        "@import",
        "url(",
        "fetch(",
        "XMLHttpRequest",
        "import(",
        "WebSocket",
        "sendBeacon",
        ".src=",
    ] {
        assert!(!page.contains(loading), "{loading}");
    }
}

#[test]
fn hostile_text_stays_text_in_html() {
    let run = hostile();
    let report = Report::of(&run).beside(&run);
    let page = html(&report);
    // Elements are the same as those of a harmless report, and only our script can run.
    let bare = without_scripts(&page);
    let tags = tags(&bare);
    let known = [
        "html",
        "head",
        "meta",
        "title",
        "body",
        "header",
        "h1",
        "h2",
        "h3",
        "p",
        "div",
        "nav",
        "ol",
        "ul",
        "li",
        "a",
        "main",
        "noscript",
        "section",
        "dl",
        "dt",
        "dd",
        "b",
        "small",
        "span",
        "table",
        "caption",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "code",
        "details",
        "summary",
        "pre",
        "figure",
        "figcaption",
    ];
    let strange: Vec<_> = tags.iter().filter(|tag| !known.contains(tag)).collect();
    assert!(strange.is_empty(), "{strange:?}");
    assert_eq!(page.matches("<script").count(), 3);
    assert_eq!(page.matches("</script>").count(), 3);
    assert!(!page.contains("<img") && !page.contains("<!--"));
    assert!(page.contains("&lt;script&gt;alert(1)"));
    // The data is unchanged.
    let data = page.split_once("id=\"plot-data\">").unwrap().1;
    let data = data.split_once("</script>").unwrap().0;
    let plots: serde_json::Value = serde_json::from_str(data).unwrap();
    let titles: Vec<_> = plots
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|one| one["title"].as_str())
        .collect();
    assert!(titles.contains(&HOSTILE), "{titles:?}");
}

#[test]
fn hostile_text_stays_text_in_markdown() {
    let run = hostile();
    let text = markdown(&Report::of(&run).beside(&run));
    let mut fence: Option<String> = None;
    let mut columns = None;
    for line in text.lines() {
        let ticks: String = line.chars().take_while(|letter| *letter == '`').collect();
        match &fence {
            Some(open) if ticks == *open && line == ticks => fence = None,
            Some(_) => continue,
            None if ticks.len() >= 3 => fence = Some(ticks),
            None => {
                // Headings are ours, as is everything outside of code that could be an element.
                assert!(!line.starts_with("# h"), "{line}");
                let bare = without_code(line);
                let bare = bare.replace("<code>", "").replace("</code>", "");
                assert!(!bare.contains('<'), "{line}");
                assert!(!bare.contains("[l]"), "{line}");
                // All rows of a table have as many cells as its head.
                let own = line.starts_with('|').then(|| cells(line));
                if let (Some(head), Some(own)) = (columns, own) {
                    assert_eq!(head, own, "{line}");
                }
                columns = own;
            }
        }
    }
    assert_eq!(fence, None);
}

/// A line without its code, whose fences are equally long at both ends.
fn without_code(line: &str) -> String {
    let line = line.replace("\\`", "");
    let mut text = String::new();
    let mut rest = line.as_str();
    while let Some(at) = rest.find('`') {
        text.push_str(&rest[..at]);
        let ticks = rest[at..]
            .chars()
            .take_while(|letter| *letter == '`')
            .count();
        let inner = &rest[at + ticks..];
        let fence = "`".repeat(ticks);
        let end = inner
            .find(&format!(" {fence} "))
            .expect("an end of the code");
        rest = &inner[end + ticks + 1..];
    }
    text + rest
}

/// The number of unescaped bars.
fn cells(line: &str) -> usize {
    let letters: Vec<char> = line.chars().collect();
    let bar = |at: &usize| {
        let before = letters[..*at]
            .iter()
            .rev()
            .take_while(|one| **one == '\\')
            .count();
        letters[*at] == '|' && before % 2 == 0
    };
    (0..letters.len()).filter(bar).count()
}

#[test]
fn markdown_has_the_same_sections_and_aligned_tables() {
    let run = sample::run(&small());
    let text = markdown(&Report::of(&run));
    for heading in [
        "# check-in-check-out: performance report",
        "## Overview",
        "## Summary",
        "## Test runs",
        "## Response times",
        "## Requests of 100 ms and more",
        "## CPU",
        "## Database",
        "## Slow queries",
        "## Missing indexes",
        "## Longevity",
        "## Infrastructure",
    ] {
        assert!(
            text.lines().any(|line| line == heading),
            "{heading}\n{text}"
        );
    }
    assert!(text.contains("| Check-In Controller  |"), "{text}");
    assert!(text.contains("---: |"), "{text}");
}

#[test]
fn what_was_not_probed_says_how_to() {
    let run = sample::run(&SampleOptions {
        probed: false,
        ..small()
    });
    for text in [html(&Report::of(&run)), markdown(&Report::of(&run))] {
        assert!(text.contains("Not probed: give --probe-pid"), "{text}");
        assert!(text.contains("Not probed: give --probe-postgres"), "{text}");
    }
}

#[test]
fn times_from_when_due_and_from_when_sent_stand_apart() {
    let open = sample::run(&SampleOptions {
        open: true,
        ..small()
    });
    let text = markdown(&Report::of(&open));
    let due = text.find("### From when it was due").unwrap();
    let sent = text.find("### From when it was sent").unwrap();
    assert!(due < sent);
    let closed = sample::run(&small());
    assert!(!markdown(&Report::of(&closed)).contains("From when it was"));
}

#[test]
fn an_empty_run_and_one_without_histograms_are_reported() {
    let mut run = sample::run(&SampleOptions {
        probed: false,
        ..small()
    });
    run.timeline = Timeline::default();
    for one in &mut run.transactions {
        for figures in one
            .figures
            .iter_mut()
            .chain(one.requests.iter_mut().map(|one| &mut one.figures))
        {
            figures.series = Default::default();
        }
    }
    assert!(html(&Report::of(&run)).contains("no timeline"));
    run.transactions.clear();
    run.totals = Totals::default();
    run.measured_s = 0.0;
    let page = html(&Report::of(&run).beside(&run));
    assert!(
        page.contains("No request was measured.") && !page.contains("NaN"),
        "{page}"
    );
}

#[test]
fn an_hour_fits_into_three_megabytes() {
    let mut run = sample::run(&SampleOptions {
        seconds: 3600.0,
        step_s: 5.0,
        per_s: 1.5,
        open: true,
        ..SampleOptions::default()
    });
    // A workload of twenty transactions.
    let (first, name) = (run.transactions[1].clone(), |at| {
        format!("Transaction {at}")
    });
    for at in 2..20 {
        run.transactions.push(TransactionSummary {
            name: name(at),
            ..first.clone()
        });
    }
    for step in &mut run.timeline.steps {
        let series = step.transactions[1].clone();
        step.transactions.resize(20, series);
    }
    let page = html(&Report::of(&run));
    assert!(page.len() < 3_000_000, "{}", page.len());
    assert!(page.contains("8 more transactions have no plot"));
}

#[test]
fn json_has_figures_and_conclusions_without_histograms() {
    let run = sample::run(&small());
    let published = Baseline::of("check-in-check-out", "nolana", 30).unwrap();
    let report = Report::of(&run).beside_published(published);
    let value: serde_json::Value = serde_json::from_str(&json(&report)).unwrap();
    assert_eq!(value["report_format"], 1);
    assert_eq!(value["run"]["workload"], "check-in-check-out");
    assert!(value["run"]["transactions"][0]["statistics"]["p95_ms"].is_number());
    assert!(value["run"].get("timeline").is_none());
    assert!(value["run"]["transactions"][0].get("series").is_none());
    assert!(value["summary"].as_array().unwrap().len() > 3);
    assert_eq!(value["comparisons"][0]["with"], "Nolana (25 users)");
    assert!(value["comparisons"][0]["changes"][0]["real"].is_boolean());
    assert!(value["probed_ranges"].as_array().unwrap().len() > 5);
}

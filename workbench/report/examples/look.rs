//! Writes example reports: of a run's record, or of invented runs.
//!
//! `cargo run -p octavo-report --example look -- FOLDER [run.json …]`

use std::fs;
use std::path::Path;

use octavo_figures::run::Run;
use octavo_report::{Baseline, Report};

#[path = "../tests/it/sample.rs"]
mod sample;

use sample::SampleOptions;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("name a folder to write to")?;
    let folder = Path::new(&folder);
    fs::create_dir_all(folder)?;
    let mut runs: Vec<Run> = Vec::new();
    for path in arguments {
        runs.push(serde_json::from_str(&fs::read_to_string(path)?)?);
    }
    if runs.is_empty() {
        runs = samples();
    }
    for (at, run) in runs.iter().enumerate() {
        let facts = &run.facts;
        let baselines = ["Morning Glory", "Sunflower"].into_iter();
        let baselines = baselines
            .filter_map(|release| Baseline::of(&facts.workload, release, facts.virtual_users).ok());
        let mut report = baselines.fold(Report::of(run), Report::beside_published);
        if let (0, Some(other)) = (at, runs.get(1)) {
            report = report.beside(other);
        }
        fs::write(
            folder.join(format!("run-{at}.html")),
            octavo_report::html(&report),
        )?;
        fs::write(
            folder.join(format!("run-{at}.md")),
            octavo_report::markdown(&report),
        )?;
        fs::write(
            folder.join(format!("run-{at}.report.json")),
            octavo_report::json(&report),
        )?;
        fs::write(
            folder.join(format!("run-{at}.txt")),
            octavo_report::table(run),
        )?;
        fs::write(
            folder.join(format!("run-{at}.json")),
            serde_json::to_string(run)?,
        )?;
    }
    let some: Vec<&Run> = runs.iter().take(3).collect();
    fs::write(
        folder.join("comparison.html"),
        octavo_report::html_comparison(&some),
    )?;
    fs::write(
        folder.join("comparison.md"),
        octavo_report::markdown_comparison(&some),
    )?;
    fs::write(
        folder.join("trends.html"),
        octavo_report::html_trends(&runs),
    )?;
    fs::write(
        folder.join("trends.md"),
        octavo_report::markdown_trends(&runs),
    )?;
    Ok(())
}

fn samples() -> Vec<Run> {
    let wanted = [
        SampleOptions {
            seconds: 4.0 * 3600.0,
            step_s: 20.0,
            open: true,
            ageing: 0.25,
            name: "1.4 longevity",
            begun: "2026-11-05T08:00:00Z",
            ..SampleOptions::default()
        },
        SampleOptions {
            name: "1.1",
            slower: 1.3,
            begun: "2026-08-01T08:00:00Z",
            seed: 2,
            ..SampleOptions::default()
        },
        SampleOptions {
            name: "1.2",
            slower: 1.12,
            begun: "2026-09-01T08:00:00Z",
            seed: 3,
            ..SampleOptions::default()
        },
        SampleOptions {
            name: "1.3",
            slower: 1.1,
            begun: "2026-10-01T08:00:00Z",
            seed: 4,
            ..SampleOptions::default()
        },
        SampleOptions {
            name: "1.4",
            probed: false,
            begun: "2026-11-01T08:00:00Z",
            seed: 5,
            ..SampleOptions::default()
        },
    ];
    wanted.iter().map(sample::run).collect()
}

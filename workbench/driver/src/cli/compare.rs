//! `workload compare`, `report`, `merge` and `trends`: commands on completed runs.

use std::io::IsTerminal;
use std::path::Path;

use anyhow::{Context, anyhow};
use octavo_figures::baseline::Published;
use octavo_figures::compare::{Change, Measured, of_runs, with_baseline};
use octavo_figures::condition::Condition;
use octavo_figures::run::Run;
use octavo_report::{Baseline, Report};

use super::arguments::CompareArgs;
use super::folder::{TooNew, read_run, read_runs, replace};
use super::foreign;
use super::print;

/// The published figures of a release for the run's workload.
pub(super) fn published(release: &str, run: &Measured) -> anyhow::Result<Baseline> {
    let workload = run.workload.as_deref().unwrap_or("");
    let users = run.virtual_users.unwrap_or(0);
    Baseline::of(workload, release, users).map_err(|error| anyhow!(error))
}

fn figure_of(baseline: &Baseline, name: &str, figure: &str) -> Option<f64> {
    let wanted = |one: &&Published| one.name == name && one.statistic == figure;
    baseline.figures.iter().find(wanted).map(|one| one.ms)
}

/// Prints the comparison; returns the conditions that came true.
pub(super) fn compare(arguments: &CompareArgs) -> anyhow::Result<Vec<String>> {
    let runs = arguments
        .runs
        .iter()
        .map(|path| read(path))
        .collect::<anyhow::Result<Vec<Measured>>>()?;
    let Some((last, earlier)) = runs.split_last() else {
        return Err(anyhow!("give one run and --baseline, or two runs"));
    };
    if earlier.is_empty() && arguments.baseline.is_none() {
        return Err(anyhow!("give one run and --baseline, or two runs"));
    }
    let release = arguments.baseline.as_ref();
    let release = release.map(|name| published(name, last)).transpose()?;
    let text = comparisons(release.as_ref(), &runs)?;
    print(&text)?;
    if let Some(file) = &arguments.html {
        let runs = read_runs(&arguments.runs)?;
        let page = match &release {
            Some(release) => {
                let report = Report::of(runs.last().context("a run")?);
                octavo_report::html(&report.beside_published(release.clone()))
            }
            None => octavo_report::html_comparison(&runs.iter().collect::<Vec<_>>()),
        };
        replace(file, &page)?;
    }
    broken(&arguments.fail_if, last, release.as_ref(), earlier.first())
}

/// The tables of runs against a release, or against the first of them.
pub(super) fn comparisons(release: Option<&Baseline>, runs: &[Measured]) -> anyhow::Result<String> {
    let mut text = String::new();
    let colour = std::io::stdout().is_terminal();
    let mut add = |changes: Vec<Change>, before: &str, after: &str| {
        match changes.is_empty() {
            true => text.push_str(&format!("{before} and {after} have no figure in common.\n")),
            false => text.push_str(&octavo_report::comparison(&changes, before, after, colour)),
        }
        !changes.is_empty()
    };
    let mut compared = false;
    if let Some(release) = release {
        for run in runs {
            let changes = with_baseline(&release.figures, run);
            compared |= add(changes, &release.called(), &called(run));
        }
    } else if let Some((first, others)) = runs.split_first() {
        for run in others {
            check_alike(first, run)?;
            compared |= add(of_runs(first, run), &called(first), &called(run));
        }
    }
    match compared {
        true => Ok(text),
        false => Err(anyhow!("these have no figure in common")),
    }
}

/// Refuses to compare runs that differ in workload or in how time was measured.
fn check_alike(first: &Measured, other: &Measured) -> anyhow::Result<()> {
    if let (Some(one), Some(two)) = (&first.workload, &other.workload)
        && one != two
    {
        return Err(anyhow!(
            "these are runs of different workloads: {one} and {two}"
        ));
    }
    if first.open != other.open {
        return Err(anyhow!(
            "one of these runs was open and the other a closed loop: the first one's times count from \
             when something was due, the other's from when it was sent"
        ));
    }
    Ok(())
}

fn called(run: &Measured) -> String {
    match run.virtual_users {
        Some(users) => format!("{}, {users} users", run.called),
        None => run.called.clone(),
    }
}

/// The conditions that came true.
pub(super) fn broken(
    conditions: &[Condition],
    run: &Measured,
    release: Option<&Baseline>,
    earlier: Option<&Measured>,
) -> anyhow::Result<Vec<String>> {
    let mut broken_conditions = Vec::new();
    for condition in conditions {
        let figure = |name: &str, figure: &str| match (release, earlier) {
            (Some(release), _) => figure_of(release, name, figure),
            (None, Some(earlier)) => earlier.named(name)?.statistics.by_name(figure),
            (None, None) => None,
        };
        let has = release.is_some() || earlier.is_some();
        let broken = condition.judge(run, has.then_some(&figure));
        broken_conditions.extend(broken?.into_iter().map(|one| one.description));
    }
    Ok(broken_conditions)
}

/// Reads a run of any tool.
pub(super) fn read(path: &Path) -> anyhow::Result<Measured> {
    match read_run(path) {
        Ok(run) => Ok(Measured::from(&run)),
        // A folder with run.json in it, or a file that looks like one, is meant to be ours.
        Err(error) if path.join("run.json").exists() || error.is::<TooNew>() => Err(error),
        Err(_) => foreign::read(path),
    }
}

/// Reads the runs of a history folder, oldest first.
pub(super) fn history(folder: &Path) -> anyhow::Result<Vec<Run>> {
    let entries = std::fs::read_dir(folder)
        .with_context(|| format!("{} cannot be read", folder.display()))?;
    let mut runs = Vec::new();
    for entry in entries {
        let path = entry
            .with_context(|| format!("{} cannot be read", folder.display()))?
            .path();
        if path.extension().is_some_and(|end| end == "json") {
            runs.push(read_run(&path)?);
        }
    }
    if runs.is_empty() {
        return Err(anyhow!(
            "{} holds no run; `workload run --history {0}` puts one there",
            folder.display()
        ));
    }
    runs.sort_by_key(|run| run.facts.started_at);
    Ok(runs)
}

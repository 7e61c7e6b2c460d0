//! `workload run`: the run with everything around it.

use std::io::IsTerminal;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use octavo_figures::compare::Measured;
use octavo_figures::run::Run;
use octavo_report::{Baseline, Report};

use super::compare::{broken, comparisons, published};
use super::folder::{Folder, RunRequest, file_name, read_run, read_runs, replace};
use super::probing::Probing;
use super::run_arguments::RunArgs;
use super::{CLEAN, FAILED, WITH_ERRORS, generators, is_stdout, print, unusable, write_json};
use crate::drive::{self, Live, Observer, ProgressStyle, RunOptions};
use crate::page::Page;
use crate::workload;

/// How often the record in the report folder is updated.
const KEPT_EVERY: Duration = Duration::from_secs(30);

/// Runs the command; returns the exit status.
pub(super) fn run(given: &RunArgs) -> anyhow::Result<u8> {
    let (arguments, earlier) = match resumed(given) {
        Ok(resumed) => resumed,
        Err(error) => return Ok(unusable(&format!("{error:#}"))),
    };
    let outcome = match measured(&arguments, earlier) {
        Ok(outcome) => outcome,
        Err(error) => return Ok(unusable(&format!("{error:#}"))),
    };
    conclude(&arguments, outcome)
}

/// A completed run and the folder of its report.
struct Outcome {
    run: Run,
    folder: Option<Folder>,
}

/// The arguments: as given, or those of an interrupted run, with its results so far.
fn resumed(given: &RunArgs) -> anyhow::Result<(RunArgs, Option<Run>)> {
    let Some(path) = &given.output.resume else {
        return Ok((given.clone(), None));
    };
    let asked = Folder::open(path).asked()?;
    let mut arguments = RunArgs::from_words(&asked.words)
        .map_err(|error| anyhow!("the run in {} cannot be resumed: {error}", path.display()))?;
    let given_password = &given.target.login.password;
    arguments.target.login.password.clone_from(given_password);
    arguments.output.report = Some(path.clone());
    let earlier = read_run(path)?;
    let done = earlier.timeline.end_s();
    if done + 1.0 > asked.planned_s
        || earlier
            .until
            .as_ref()
            .is_some_and(|until| until.measured.is_some())
    {
        return Err(anyhow!(
            "the run in {} is complete: {done:.0} of {:.0} s",
            path.display(),
            asked.planned_s
        ));
    }
    Ok((arguments, Some(earlier)))
}

fn measured(arguments: &RunArgs, earlier: Option<Run>) -> anyhow::Result<Outcome> {
    let name = arguments.workload.as_deref().unwrap_or_default();
    let workload = workload::load_branches(name, &arguments.load.only)?;
    if let (Some(users), Some(_)) = (workload.grouped_users(), arguments.load.virtual_users) {
        return Err(anyhow!(
            "{name} says itself how many virtual users each of its groups has ({users} in all); leave \
             out --virtual-users, or change the groups in a copy (octavo workload show {name})"
        ));
    }
    if let Some(release) = &arguments.output.baseline {
        // Reported now rather than after an hour of load.
        octavo_figures::baseline::baseline(&workload.name, release, arguments.users())
            .map_err(|error| anyhow!(error))?;
    }
    let to_stdout = is_stdout(arguments.output.json.as_deref());
    let progress = match std::io::stdout().is_terminal() && !to_stdout {
        true => ProgressStyle::Terminal,
        false => ProgressStyle::Lines,
    };
    let mut options = arguments.options(workload, progress);
    let folder = arguments
        .output
        .report
        .as_deref()
        .map(Folder::create)
        .transpose()?;
    if let (Some(folder), None) = (&folder, &earlier) {
        folder.keep_asked(&asked(&options))?;
    }
    let report = folder.is_some() && !arguments.load.is_part();
    let probing = Probing::start(&arguments.probe, &options.target, report);
    let mut probing = probing.context("cannot start the probes")?;
    if arguments.load.generators.get() > 1 {
        if let Some(probing) = &mut probing {
            probing.run_begins(Instant::now(), Duration::ZERO);
        }
        let mut run = generators::run(arguments, &words(), options.seed)?;
        run.probed = probing.map(Probing::finish).unwrap_or_default();
        return Ok(Outcome { run, folder });
    }
    if let Some(earlier) = &earlier {
        options.offset = Duration::from_secs_f64(earlier.timeline.end_s());
    }
    let mut watch = Watch::new(
        folder.clone(),
        earlier.clone(),
        arguments.output.live_report,
    );
    watch.page = page(arguments, &options)?;
    watch.probing = probing;
    let mut run = drive::run_watched(options, &mut watch)?;
    if let Some(probing) = watch.probing.take() {
        run.probed = probing.finish();
    }
    let mut run = together(earlier, run)?;
    let complaint = watch.complaint.take();
    run.notes
        .extend(complaint.map(|error| format!("While the run went on: {error}.")));
    if let Some(page) = &watch.page {
        page.over();
    }
    Ok(Outcome { run, folder })
}

/// Shows the run in a browser, and waits for Start if requested.
fn page(arguments: &RunArgs, options: &RunOptions) -> anyhow::Result<Option<Page>> {
    let Some(address) = arguments.output.page else {
        return Ok(None);
    };
    let target = &options.target;
    let title = format!(
        "{} at {}, tenant {}",
        options.workload.name, target.url, target.tenant
    );
    let wait = arguments.output.wait;
    let page = Page::start(address, &title, options.control.clone(), wait)?;
    eprintln!("Live in a browser on this machine: {}", page.address);
    page.wait();
    match options.control.stopped() {
        Some(_) => Err(anyhow!("the run was stopped before it began")),
        None => Ok(Some(page)),
    }
}

/// Merges an earlier part and the one that followed it.
fn together(earlier: Option<Run>, later: Run) -> anyhow::Result<Run> {
    let Some(earlier) = earlier else {
        return Ok(later);
    };
    let note = format!(
        "The run was interrupted after {:.0} s and went on at {}.",
        earlier.timeline.end_s(),
        later.facts.started_at.strftime("%Y-%m-%d %H:%M:%S UTC")
    );
    let mut whole = earlier.followed_by(later)?;
    whole.notes.push(note);
    Ok(whole)
}

/// Keeps the record current during the run.
struct Watch {
    folder: Option<Folder>,
    earlier: Option<Run>,
    /// How often a report is written, too.
    live_report: Option<Duration>,
    kept: Instant,
    complaint: Option<String>,
    page: Option<Page>,
    probing: Option<Probing>,
}

impl Watch {
    fn new(folder: Option<Folder>, earlier: Option<Run>, live_report: Option<Duration>) -> Self {
        Self {
            folder,
            earlier,
            live_report,
            kept: Instant::now(),
            complaint: None,
            page: None,
            probing: None,
        }
    }
}

impl Observer for Watch {
    fn begun(&mut self, started: Instant, offset: Duration) {
        if let Some(probing) = &mut self.probing {
            probing.run_begins(started, offset);
        }
    }

    fn second(&mut self, live: &Live<'_>) -> bool {
        if let Some(page) = &self.page {
            page.show(live);
        }
        self.folder.is_some() && self.kept.elapsed() >= self.live_report.unwrap_or(KEPT_EVERY)
    }

    fn record(&mut self, run: Run) {
        self.kept = Instant::now();
        let Some(folder) = &self.folder else { return };
        let kept = together(self.earlier.clone(), run).and_then(|run| {
            folder.keep(&run)?;
            match self.live_report {
                Some(_) => folder.replace("report.json", &octavo_report::json(&Report::of(&run))),
                None => Ok(()),
            }
        });
        if let Err(error) = kept {
            // A disk that is full now may have space at the end; the run itself continues.
            self.complaint.get_or_insert_with(|| format!("{error:#}"));
        }
    }
}

/// The arguments after `workload run`, as typed.
fn words() -> Vec<String> {
    let typed = std::env::args().skip_while(|word| word != "run");
    typed.skip(1).collect()
}

/// How the run was started: without the password, and with the seed.
fn asked(options: &RunOptions) -> RunRequest {
    let mut kept = Vec::new();
    let mut typed = words().into_iter();
    while let Some(word) = typed.next() {
        match word.as_str() {
            "--password" | "--report" => drop(typed.next()),
            other if other.starts_with("--password=") || other.starts_with("--report=") => {}
            _ => kept.push(word),
        }
    }
    if !kept.iter().any(|word| word.starts_with("--seed")) {
        kept.extend(["--seed".to_owned(), options.seed.to_string()]);
    }
    RunRequest {
        words: kept,
        planned_s: options.length().as_secs_f64(),
    }
}

/// Prints the results, writes the reports, checks the conditions.
fn conclude(arguments: &RunArgs, outcome: Outcome) -> anyhow::Result<u8> {
    let Outcome { run, folder } = outcome;
    let output = &arguments.output;
    let quiet = is_stdout(output.json.as_deref());
    let mut complaints = Vec::new();
    if !quiet {
        print(&octavo_report::table(&run))?;
    }
    let this = Measured::from(&run);
    let baseline = output.baseline.as_ref();
    let baseline = baseline
        .map(|release| published(release, &this))
        .transpose()?;
    let earlier = read_runs(&output.compare_with)?;
    let mut runs: Vec<Measured> = earlier.iter().map(Measured::from).collect();
    let first = runs.first().cloned();
    runs.push(this.clone());
    if !quiet && (baseline.is_some() || runs.len() > 1) {
        let beside = if baseline.is_some() {
            &runs[runs.len() - 1..]
        } else {
            &runs[..]
        };
        print(&comparisons(baseline.as_ref(), beside)?)?;
    }
    if let Some(folder) = &folder {
        let written = match arguments.load.is_part() {
            // The process that started this one makes the report, of all parts.
            true => folder.keep(&run),
            false => write_report(folder, &run, &earlier, baseline.clone()),
        };
        match written {
            Ok(()) if quiet => {}
            Ok(()) => print(&format!("The report is in {}.\n", folder.path().display()))?,
            Err(error) => complaints.push(error),
        }
    }
    if let Some(history) = &output.history
        && let Err(error) = keep_in_history(history, &run)
    {
        complaints.push(error);
    }
    write_json(output.json.as_deref(), &run)?;
    let broken_conditions = broken(&output.fail_if, &this, baseline.as_ref(), first.as_ref())?;
    for one in &broken_conditions {
        eprintln!("failed: {one}");
    }
    // Everything that could be reported has been; a file that could not be written fails the run.
    if let Some(complaint) = complaints.pop() {
        return Err(complaint);
    }
    Ok(match (broken_conditions.is_empty(), run.totals.errors) {
        (false, _) => FAILED,
        (true, 0) => CLEAN,
        (true, _) => WITH_ERRORS,
    })
}

/// Writes the report folder of a completed run.
pub(super) fn write_report(
    folder: &Folder,
    run: &Run,
    earlier: &[Run],
    baseline: Option<Baseline>,
) -> anyhow::Result<()> {
    let mut report = Report::of(run);
    for other in earlier {
        report = report.beside(other);
    }
    if let Some(baseline) = baseline {
        report = report.beside_published(baseline);
    }
    let reports = [
        ("report.html", octavo_report::html(&report)),
        ("report.md", octavo_report::markdown(&report)),
        ("report.json", octavo_report::json(&report)),
    ];
    folder.write(run, &reports)
}

fn keep_in_history(history: &Path, run: &Run) -> anyhow::Result<()> {
    std::fs::create_dir_all(history)
        .with_context(|| format!("cannot make the folder {}", history.display()))?;
    let name = format!(
        "{}-{}-{}.json",
        run.facts.started_at.strftime("%Y%m%dT%H%M%SZ"),
        file_name(&run.facts.workload),
        file_name(run.facts.name.as_deref().unwrap_or("run"))
    );
    replace(&history.join(name), &serde_json::to_string(run)?)
}

//! The input of a report, and its analysis: comparisons, longevity, sentences. Computed once for
//! all formats.

use std::cell::OnceCell;

use octavo_figures::baseline::{self, Published};
use octavo_figures::compare::{Change, Measured, of_runs, with_baseline};
use octavo_figures::longevity::{Longevity, longevity};
use octavo_figures::run::Run;

use crate::bullets::bullets;
use crate::document::{Bullet, Document};
use crate::section;

/// A run, and the runs or figures to compare it with.
///
/// ```no_run
/// # fn of(run: &octavo_figures::run::Run, before: &octavo_figures::run::Run) -> Result<(), String> {
/// use octavo_report::{Baseline, Report};
/// let published = Baseline::of(&run.facts.workload, "Nolana", run.facts.virtual_users)?;
/// let report = Report::of(run).beside(before).beside_published(published);
/// let (page, text) = (octavo_report::html(&report), octavo_report::markdown(&report));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Report<'r> {
    pub(crate) run: &'r Run,
    pub(crate) others: Vec<&'r Run>,
    pub(crate) baselines: Vec<Baseline>,
    /// Computed when first needed: resampling runs takes a while.
    analysis: OnceCell<Analysis>,
}

/// Figures that FOLIO's performance team published.
#[derive(Debug, Clone)]
pub struct Baseline {
    /// FOLIO's release.
    pub release: String,
    /// Virtual users of the published run.
    pub virtual_users: usize,
    pub figures: Vec<Published>,
    /// The source of the figures.
    pub source: String,
}

impl Baseline {
    /// The figures of a release for a workload, from the published run with the nearest number of
    /// users.
    ///
    /// # Errors
    /// Names the published releases.
    pub fn of(workload: &str, release: &str, virtual_users: usize) -> Result<Self, String> {
        let (virtual_users, figures) = baseline::baseline(workload, release, virtual_users)?;
        let release = figures
            .first()
            .map_or(release, |one| one.release)
            .to_owned();
        let source = baseline::source(workload, &release);
        Ok(Self {
            release,
            virtual_users,
            figures,
            source,
        })
    }

    /// Its name in tables.
    pub fn called(&self) -> String {
        format!("{} ({} users)", self.release, self.virtual_users)
    }
}

impl<'r> Report<'r> {
    /// A run alone.
    pub fn of(run: &'r Run) -> Self {
        Self {
            run,
            others: Vec::new(),
            baselines: Vec::new(),
            analysis: OnceCell::new(),
        }
    }

    /// Adds another run to compare with: an earlier one, or one of another server.
    #[must_use]
    pub fn beside(mut self, other: &'r Run) -> Self {
        self.others.push(other);
        self.analysis.take();
        self
    }

    /// Adds published figures to compare with.
    #[must_use]
    pub fn beside_published(mut self, baseline: Baseline) -> Self {
        self.baselines.push(baseline);
        self.analysis.take();
        self
    }

    /// The summary, a sentence each.
    pub fn summary(&self) -> Vec<String> {
        let bullets = self.analysis().bullets.iter();
        bullets.map(|bullet| bullet.text.clone()).collect()
    }

    /// The analysis.
    pub(crate) fn analysis(&self) -> &Analysis {
        self.analysis.get_or_init(|| self.analysed())
    }

    fn analysed(&self) -> Analysis {
        let run = Measured::from(self.run);
        let others = self.others.iter().map(|other| {
            let before = Measured::from(*other);
            Comparison {
                before: before.called.clone(),
                source: None,
                unlike: unlike(other, self.run),
                changes: of_runs(&before, &run),
            }
        });
        let baselines = self.baselines.iter().map(|one| Comparison {
            before: one.called(),
            source: Some(one.source.clone()),
            unlike: unlike_published(one, self.run),
            changes: with_baseline(&one.figures, &run),
        });
        let mut analysis = Analysis {
            comparisons: others.chain(baselines).collect(),
            longevity: longevity(self.run),
            bullets: Vec::new(),
        };
        analysis.bullets = bullets(self.run, &analysis);
        analysis
    }

    /// The report independent of its format.
    pub(crate) fn document(&self) -> Document {
        section::document(self, self.analysis())
    }
}

/// The analysis of a run and its comparisons.
#[derive(Debug, Clone)]
pub(crate) struct Analysis {
    /// The comparisons in order: other runs, then published figures.
    pub comparisons: Vec<Comparison>,
    /// The run over time, if it is long enough.
    pub longevity: Option<Longevity>,
    pub bullets: Vec<Bullet>,
}

/// The comparison with one other run, or with published figures.
#[derive(Debug, Clone)]
pub(crate) struct Comparison {
    /// The name of the other run or release.
    pub before: String,
    /// The source of published figures.
    pub source: Option<String>,
    /// Why the two cannot be compared directly, a sentence each.
    pub unlike: Vec<String>,
    pub changes: Vec<Change>,
}

/// Why two runs cannot be compared directly.
pub(crate) fn unlike(before: &Run, after: &Run) -> Vec<String> {
    let (one, other) = (&before.facts, &after.facts);
    let mut reasons = Vec::new();
    if one.workload != other.workload {
        reasons.push(format!(
            "The workloads differ: {} before, {} after. Only what has the same name is compared.",
            one.workload, other.workload
        ));
    }
    if before.is_open() != after.is_open() {
        reasons.push(
            "One run is open and the other a closed loop: times from when something was due, which \
             have all waiting in them, stand beside times from when it was sent."
                .to_owned(),
        );
    }
    if one.virtual_users != other.virtual_users {
        reasons.push(format!(
            "The runs had {} and {} virtual users.",
            one.virtual_users, other.virtual_users
        ));
    }
    if one.think_time != other.think_time {
        reasons.push(format!(
            "The think times differ: {} before, {} after.",
            one.think_time, other.think_time
        ));
    }
    reasons
}

fn unlike_published(baseline: &Baseline, run: &Run) -> Vec<String> {
    let mut reasons = Vec::new();
    if run.is_open() {
        reasons.push(
            "Published figures are of closed loops, which leave out the time that requests would \
             have waited; this run is open and has it."
                .to_owned(),
        );
    }
    if baseline.virtual_users != run.facts.virtual_users {
        reasons.push(format!(
            "The published run had {} virtual users, this one {}.",
            baseline.virtual_users, run.facts.virtual_users
        ));
    }
    if run.facts.think_time == "none" {
        reasons.push("Published runs had think times; this one had none.".to_owned());
    }
    reasons
}

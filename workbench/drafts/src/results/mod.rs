//! Result files of other load tools. Samples are passed on one by one, so that a file of gigabytes
//! costs no memory; some files only have figures.

mod collect;
mod gatling_log;
mod gatling_stats;
mod input;
mod jtl_csv;
mod jtl_xml;
mod k6_csv;
mod k6_json;
mod k6_summary;
mod row;
mod time;

use std::path::{Path, PathBuf};

use self::collect::Collector;
use self::input::Input;
pub use self::jtl_csv::COLUMNS as JTL_COLUMNS;

/// Receives samples as they are read.
pub trait Sink {
    /// Receives one request or transaction.
    ///
    /// `at_ms` is when it began, in milliseconds since 1970.
    fn sample(
        &mut self,
        label: &str,
        transaction: bool,
        at_ms: i64,
        elapsed_us: u64,
        success: bool,
        bytes: u64,
    );
}

/// Ignores the samples, for callers who want only the sums.
impl Sink for () {
    fn sample(&mut self, _: &str, _: bool, _: i64, _: u64, _: bool, _: u64) {}
}

/// The tool and format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    /// JMeter's result file as CSV; also our own.
    JmeterCsv,
    /// JMeter's result file as XML.
    JmeterXml,
    /// `k6 run --out json=FILE`.
    K6Json,
    /// `k6 run --out csv=FILE`.
    K6Csv,
    /// `k6 run --summary-export FILE`, or the data of `handleSummary`.
    K6Summary,
    /// Gatling's `simulation.log` as text.
    GatlingLog,
    /// Gatling's `js/stats.json` or `js/global_stats.json`.
    GatlingStats,
}

impl Tool {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Tool::JmeterCsv | Tool::JmeterXml => "JMeter",
            Tool::K6Json | Tool::K6Csv | Tool::K6Summary => "k6",
            Tool::GatlingLog | Tool::GatlingStats => "Gatling",
        }
    }
}

/// A run of another tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ForeignRun {
    pub tool: Tool,
    /// When the first sample began, in milliseconds since 1970.
    pub started_at_ms: Option<i64>,
    /// From the first sample's beginning to the last one's end.
    pub seconds: Option<f64>,
    /// Requests and transactions, in the order in which they were first seen.
    pub labels: Vec<Label>,
    /// Failed requests; transactions are not counted again.
    pub errors: u64,
    /// Rows that could not be read.
    pub unreadable_rows: u64,
    /// Remarks about the file, such as its first unreadable row.
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LabelKind {
    Request,
    /// Several requests timed together.
    Transaction,
}

/// The samples of one name.
#[derive(Debug, Clone, PartialEq)]
pub struct Label {
    pub name: String,
    pub kind: LabelKind,
    pub samples: Samples,
}

/// Samples, or a file's figures about them.
#[derive(Debug, Clone, PartialEq)]
pub enum Samples {
    /// Each sample was passed to the sink; these are the sums, without percentiles.
    Streamed(Figures),
    /// The file has figures only.
    Summary(Figures),
}

impl Samples {
    pub fn figures(&self) -> &Figures {
        match self {
            Samples::Streamed(figures) | Samples::Summary(figures) => figures,
        }
    }
}

/// Figures of samples; what a file does not have is `None`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Figures {
    pub count: Option<u64>,
    pub errors: Option<u64>,
    /// Of all samples, failed ones among them.
    pub average_ms: Option<f64>,
    pub min_ms: Option<f64>,
    pub max_ms: Option<f64>,
    /// Percentile (50 for the median) and time in milliseconds, ascending.
    pub percentiles_ms: Vec<(f64, f64)>,
}

/// Why a file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("cannot read {file}: {source}")]
    Unreadable {
        file: PathBuf,
        source: std::io::Error,
    },
    /// It has none of the known formats.
    #[error(
        "{file}: {found}; read are JMeter's .jtl (CSV and XML), k6's --out json and csv and \
         --summary-export, Gatling's simulation.log (text) and js/stats.json"
    )]
    Unknown {
        file: PathBuf,
        /// Its beginning.
        found: String,
    },
    /// A known format that is not supported.
    #[error("{file} {reason}")]
    Refused {
        file: PathBuf,
        /// The format, and what to use instead.
        reason: &'static str,
    },
    #[error("{file}, line {line}: {reason}; {remedy}")]
    Malformed {
        file: PathBuf,
        /// From 1.
        line: u64,
        reason: String,
        remedy: &'static str,
    },
    /// There are no samples in it.
    #[error("{file} has no sample: {reason}")]
    Empty {
        file: PathBuf,
        /// What was expected.
        reason: String,
    },
}

const BINARY_LOG: &str = "is a binary log of a newer Gatling, which only Gatling reads; give \
                          js/stats.json of the report's folder";
const SCRIPT: &str = "is the report's script; give js/stats.json beside it";

/// Reads a file; only sums of its samples are kept.
///
/// # Errors
/// When it cannot be read or has no known format.
pub fn read(path: &Path) -> Result<ForeignRun, ReadError> {
    read_into(path, &mut ())
}

/// Reads a file and passes its samples to `sink`. In a folder that Gatling wrote, the log or the
/// figures are read. Files may be compressed with gzip.
///
/// # Errors
/// When it cannot be read or has no known format.
pub fn read_into(path: &Path, sink: &mut dyn Sink) -> Result<ForeignRun, ReadError> {
    if path.is_dir() {
        return folder(path, sink);
    }
    let mut input = Input::open(path)?;
    let head = input.head()?;
    let form = recognise(path, &head)?;
    let mut collector = Collector::new(form, sink);
    match form {
        Tool::JmeterCsv => jtl_csv::read(&mut input, &mut collector)?,
        Tool::JmeterXml => jtl_xml::read(&mut input, &mut collector)?,
        Tool::K6Json => k6_json::read(&mut input, &mut collector)?,
        Tool::K6Csv => k6_csv::read(&mut input, &mut collector)?,
        Tool::GatlingLog => gatling_log::read(&mut input, &mut collector)?,
        Tool::K6Summary => return k6_summary::read(&mut input),
        Tool::GatlingStats => return gatling_stats::read(&mut input),
    }
    collector.finish(path)
}

fn folder(path: &Path, sink: &mut dyn Sink) -> Result<ForeignRun, ReadError> {
    let names = ["simulation.log", "js/stats.json", "js/global_stats.json"];
    let there = names.iter().map(|name| path.join(name));
    let there: Vec<PathBuf> = there.filter(|file| file.is_file()).collect();
    for (at, file) in there.iter().enumerate() {
        match read_into(file, sink) {
            // The report's figures can be read when the log cannot.
            Err(ReadError::Refused { .. }) if at + 1 < there.len() => {}
            other => return other,
        }
    }
    Err(ReadError::Unknown {
        file: path.to_owned(),
        found: "a folder without simulation.log and js/stats.json".to_owned(),
    })
}

/// The format of a file by its first bytes.
fn recognise(path: &Path, head: &[u8]) -> Result<Tool, ReadError> {
    let refused = |reason| ReadError::Refused {
        file: path.to_owned(),
        reason,
    };
    let is_log = path.file_name().is_some_and(|name| {
        let name = name.to_string_lossy();
        name.starts_with("simulation") && name.contains(".log")
    });
    if head.contains(&0) && (is_log || head.first() == Some(&0)) {
        return Err(refused(BINARY_LOG));
    }
    let text = String::from_utf8_lossy(head);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let first = text.lines().next().unwrap_or_default().trim();
    let is_column = |name: &str| {
        let mut columns = first.split([',', ';', '\t', '|']);
        columns.any(|column| column.trim_matches('"') == name)
    };
    if text.starts_with("<?xml") || text.starts_with("<testResults") {
        if text.contains("<testResults") {
            return Ok(Tool::JmeterXml);
        }
    } else if text.starts_with("var stats") {
        return Err(refused(SCRIPT));
    } else if first.starts_with("RUN\t") || first.starts_with("ASSERTION\t") {
        return Ok(Tool::GatlingLog);
    } else if text.starts_with('{') {
        if first.contains("\"type\":\"Metric\"") || first.contains("\"type\":\"Point\"") {
            return Ok(Tool::K6Json);
        }
        if text.contains("\"metrics\"") || text.contains("\"root_group\"") {
            return Ok(Tool::K6Summary);
        }
        if text.contains("\"numberOfRequests\"") {
            return Ok(Tool::GatlingStats);
        }
        if text.contains("\"virtual_users\"") {
            let reason = "is a summary of our own, which is compared as it is";
            return Err(refused(reason));
        }
    } else if is_column("metric_name") {
        return Ok(Tool::K6Csv);
    } else if is_column("timeStamp") || is_column("elapsed") || jtl_csv::is_row(first) {
        return Ok(Tool::JmeterCsv);
    }
    let found: String = first
        .chars()
        .filter(|one| !one.is_control())
        .take(60)
        .collect();
    Err(ReadError::Unknown {
        file: path.to_owned(),
        found: match found.is_empty() {
            true => "it is empty".to_owned(),
            false => format!("it begins with `{found}`"),
        },
    })
}

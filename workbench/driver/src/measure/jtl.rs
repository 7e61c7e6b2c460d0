//! The result file that JMeter and its report generator read: CSV with JMeter's columns, written by
//! a thread of its own so that no virtual user waits for the disk.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime};

use octavo_drafts::results::JTL_COLUMNS;

use super::recorder::{Sample, TransactionSample};

const BLOCK_BYTES: usize = 64 << 10;
/// The most blocks waiting for the disk; beyond it, recording waits instead of filling the memory.
const BLOCKS_MAX: usize = 256;

/// The file and its writing thread.
pub struct JtlFile {
    path: PathBuf,
    blocks: SyncSender<Vec<u8>>,
    writer: JoinHandle<io::Result<()>>,
    started: Instant,
    started_ms: u128,
    origin: String,
}

impl JtlFile {
    /// Creates the file with its header line.
    ///
    /// # Errors
    /// When it cannot be created or the thread cannot be started.
    pub fn create(path: &Path, origin: &str) -> io::Result<Self> {
        let file = File::create(path)?;
        let (blocks, received) = sync_channel(BLOCKS_MAX);
        let writer = std::thread::Builder::new()
            .name("jtl-writer".to_owned())
            .spawn(move || write_blocks(file, &received))?;
        let since_epoch = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        Ok(Self {
            path: path.to_owned(),
            blocks,
            writer,
            started: Instant::now(),
            started_ms: since_epoch.unwrap_or_default().as_millis(),
            origin: origin.to_owned(),
        })
    }

    /// A source of rows for one worker.
    pub fn rows(&self) -> JtlRows {
        let blocks = BlockSender(self.blocks.clone());
        let writer = csv::WriterBuilder::new()
            .buffer_capacity(BLOCK_BYTES)
            .from_writer(blocks);
        JtlRows {
            writer,
            started: self.started,
            started_ms: self.started_ms,
            origin: self.origin.clone(),
        }
    }

    /// Waits until everything is written. All sources of rows must be dropped before.
    ///
    /// # Errors
    /// When something could not be written.
    pub fn close(self) -> Result<(), (PathBuf, io::Error)> {
        drop(self.blocks);
        let written = self.writer.join();
        let written = written.unwrap_or_else(|_| Err(io::Error::other("the writing thread died")));
        written.map_err(|error| (self.path, error))
    }
}

fn write_blocks(file: File, blocks: &Receiver<Vec<u8>>) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    writeln!(out, "{}", JTL_COLUMNS.join(","))?;
    for block in blocks {
        out.write_all(&block)?;
    }
    out.flush()
}

struct BlockSender(SyncSender<Vec<u8>>);

impl Write for BlockSender {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // The other end is gone only after a write error, which `close` reports.
        let _ = self.0.send(bytes.to_vec());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// One worker's rows; buffered ones are written on drop.
pub struct JtlRows {
    writer: csv::Writer<BlockSender>,
    started: Instant,
    started_ms: u128,
    origin: String,
}

/// The content of a row.
pub enum JtlRow<'a> {
    Request {
        sample: &'a Sample<'a>,
        label: &'a str,
    },
    Transaction {
        sample: &'a TransactionSample,
        name: &'a str,
    },
}

impl JtlRows {
    /// Adds a row.
    pub fn write(&mut self, row: JtlRow<'_>, active: usize) {
        let fields = match row {
            JtlRow::Request { sample, label } => self.request(sample, label, active),
            JtlRow::Transaction { sample, name } => self.transaction(sample, name, active),
        };
        // A write into a block cannot fail; see `BlockSender`.
        let _ = self
            .writer
            .write_record(fields.iter().map(String::as_bytes));
    }

    fn request(&self, sample: &Sample<'_>, label: &str, active: usize) -> [String; 17] {
        let (code, message) = match sample.status {
            0 => {
                let reason = sample.failure.unwrap_or_default();
                (
                    format!("Non HTTP response code: {reason}"),
                    format!("Non HTTP response message: {reason}"),
                )
            }
            status => (status.to_string(), reason(status).to_owned()),
        };
        [
            self.time(sample.started),
            millis(sample.elapsed),
            label.to_owned(),
            code,
            message,
            thread_name(sample.user),
            "text".to_owned(),
            sample.failure.is_none().to_string(),
            sample.failure.unwrap_or_default().to_owned(),
            sample.received.to_string(),
            sample.request.len().to_string(),
            active.to_string(),
            active.to_string(),
            format!("{}{}", self.origin, target(sample.request)),
            millis(sample.latency),
            "0".to_owned(),
            millis(sample.connect),
        ]
    }

    fn transaction(&self, sample: &TransactionSample, name: &str, active: usize) -> [String; 17] {
        [
            self.time(sample.started),
            millis(sample.elapsed),
            name.to_owned(),
            String::new(),
            format!(
                "Number of samples in transaction : {}, number of failing samples : {}",
                sample.samples, sample.failing
            ),
            thread_name(sample.user),
            String::new(),
            (sample.failing == 0).to_string(),
            String::new(),
            sample.received.to_string(),
            sample.sent.to_string(),
            active.to_string(),
            active.to_string(),
            "null".to_owned(),
            millis(sample.latency),
            millis(sample.idle),
            millis(sample.connect),
        ]
    }

    fn time(&self, at: Instant) -> String {
        let since = at.saturating_duration_since(self.started).as_millis();
        (self.started_ms + since).to_string()
    }
}

/// Rounded, not truncated: what JMeter writes, the difference of two whole milliseconds, is right
/// on average, too.
fn millis(duration: Duration) -> String {
    (duration + Duration::from_micros(500))
        .as_millis()
        .to_string()
}

/// As JMeter names its threads: group name, engine number, thread number from 1.
fn thread_name(user: usize) -> String {
    format!("User-flow 1-{}", user + 1)
}

/// The target of a request line.
fn target(request: &[u8]) -> std::borrow::Cow<'_, str> {
    let target = request
        .split(|byte| *byte == b' ')
        .nth(1)
        .unwrap_or_default();
    String::from_utf8_lossy(target)
}

fn reason(status: u16) -> &'static str {
    let code = http::StatusCode::from_u16(status).ok();
    code.and_then(|code| code.canonical_reason())
        .unwrap_or_default()
}

//! An open span, or nothing where the request is not recorded.

use std::fmt;
use std::sync::Arc;

use crate::recorder::Recorder;
use crate::tree::SpanKind;

/// An open span. Dropped without [`Handle::end`], it is recorded as abandoned.
#[derive(Default)]
pub struct Handle(Option<Box<Open>>);

struct Open {
    recorder: Arc<Recorder>,
    id: u32,
    rows: u64,
    bytes: u64,
    counts: bool,
    ended: bool,
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Handle").field(&self.id()).finish()
    }
}

impl Handle {
    /// No span: for statements outside of transactions.
    pub const OFF: Handle = Handle(None);

    pub(crate) fn new(recorder: Arc<Recorder>, id: u32) -> Handle {
        Handle(Some(Box::new(Open {
            recorder,
            id,
            rows: 0,
            bytes: 0,
            counts: false,
            ended: false,
        })))
    }

    pub(crate) fn id(&self) -> Option<u32> {
        self.0.as_ref().map(|open| open.id)
    }

    /// Whether the request is recorded.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// A span inside this one.
    #[must_use]
    pub fn inside(&self, kind: SpanKind, name: &'static str) -> Handle {
        match &self.0 {
            Some(open) => open.recorder.open(open.id, kind, name),
            None => Handle::OFF,
        }
    }

    pub(crate) fn sql(&mut self, sql: &str) {
        if let Some(open) = &self.0 {
            open.recorder.text(open.id, sql);
        }
    }

    /// Sets the connection, and how many unanswered statements were ahead on it.
    pub fn place(&mut self, place: impl FnOnce() -> String, behind: usize) {
        if let Some(open) = &self.0 {
            open.recorder.change(open.id, |record| {
                record.place = Some(place());
                record.behind = behind;
            });
        }
    }

    /// Counts a row and notes the time of the first one.
    pub fn row(&mut self, bytes: impl FnOnce() -> usize) {
        let Some(open) = &mut self.0 else { return };
        if open.rows == 0 {
            let now = open.recorder.since_start();
            open.recorder
                .change(open.id, |record| record.first_row = Some(now));
        }
        open.counts = true;
        open.rows += 1;
        open.bytes += bytes() as u64;
    }

    /// Sets the number of rows, where they were not counted one by one.
    pub fn rows(&mut self, rows: u64) {
        if let Some(open) = &mut self.0 {
            open.counts = true;
            open.rows = open.rows.max(rows);
        }
    }

    /// Counts sent bytes.
    pub fn sent(&mut self, bytes: usize) {
        if let Some(open) = &mut self.0 {
            open.counts = true;
            open.bytes += bytes as u64;
        }
    }

    /// Adds a note, such as `rolled back`. Never a value.
    pub fn note(&mut self, note: impl FnOnce() -> String) {
        if let Some(open) = &self.0 {
            open.recorder
                .change(open.id, |record| record.note = Some(note()));
        }
    }

    /// Ends the span now.
    pub fn end(&mut self) {
        if let Some(open) = &mut self.0 {
            open.finish();
        }
    }
}

impl Open {
    fn finish(&mut self) {
        if self.ended {
            return;
        }
        self.ended = true;
        let (rows, bytes) = (self.rows, self.bytes);
        if self.counts {
            self.recorder.change(self.id, |record| {
                record.rows = Some(rows);
                record.bytes = Some(bytes);
            });
        }
        self.recorder.end(self.id);
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        if !self.ended {
            self.recorder.change(self.id, |record| {
                record.note.get_or_insert_with(|| "given up".to_owned());
            });
            self.finish();
        }
    }
}

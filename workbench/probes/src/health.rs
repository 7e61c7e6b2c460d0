//! Whether a probe works: reports the first failure, and the first recovery.

use std::sync::Arc;

use crate::recorder::Recorder;

#[derive(Debug)]
pub(crate) struct Health {
    source: String,
    recorder: Arc<Recorder>,
    failing: bool,
}

impl Health {
    pub(crate) fn new(source: impl Into<String>, recorder: &Arc<Recorder>) -> Self {
        Self {
            source: source.into(),
            recorder: Arc::clone(recorder),
            failing: false,
        }
    }

    pub(crate) fn failed(&mut self, reason: impl std::fmt::Display) {
        if !self.failing {
            self.failing = true;
            let source = &self.source;
            let kind = format!("{source} failed");
            self.recorder.note(&kind, format!("{source}: {reason}"));
        }
    }

    pub(crate) fn works(&mut self) {
        if self.failing {
            self.failing = false;
            let source = &self.source;
            let kind = format!("{source} recovered");
            let text = format!("{source}: seen again; the time between is missing");
            self.recorder.note(&kind, text);
        }
    }
}

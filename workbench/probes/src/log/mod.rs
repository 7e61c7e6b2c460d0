//! Follows logs of FOLIO's modules for searches without an index.

mod follow;
mod line;

use std::collections::HashMap;
use std::sync::Arc;

use octavo_figures::run::MissingIndex;

use follow::Follower;
use line::MissingField;

use crate::drive::Probe;
use crate::health::Health;
use crate::options::LogTarget;
use crate::recorder::Recorder;

/// The most kinds of searches; further ones are counted together.
const KINDS_MAX: usize = 1_000;

/// One file.
pub(crate) struct Log {
    /// `None` while it is being read.
    state: Option<State>,
    name: String,
    health: Health,
    recorder: Arc<Recorder>,
}

struct State {
    follower: Follower,
    seen: HashMap<MissingField, u64>,
    others: u64,
}

impl Log {
    pub(crate) fn new(target: LogTarget, recorder: &Arc<Recorder>) -> Self {
        let name = match target.path.file_name() {
            Some(name) => name.to_string_lossy().into_owned(),
            None => target.path.display().to_string(),
        };
        Self {
            health: Health::new(target.path.display().to_string(), recorder),
            recorder: Arc::clone(recorder),
            name,
            state: Some(State {
                follower: Follower::new(target.path, target.whole),
                seen: HashMap::new(),
                others: 0,
            }),
        }
    }

    /// Reads files on a blocking thread.
    async fn run(&mut self, what: fn(&mut State) -> std::io::Result<()>) {
        let Some(mut state) = self.state.take() else {
            return;
        };
        let done = tokio::task::spawn_blocking(move || {
            let done = what(&mut state);
            (state, done)
        });
        let Ok((state, done)) = done.await else {
            return;
        };
        self.state = Some(state);
        match done {
            Ok(()) => self.health.works(),
            Err(error) => {
                let remedy = "name a file that this user may read with --probe-log";
                self.health
                    .failed(format!("the log cannot be read: {error}; {remedy}"));
            }
        }
    }
}

impl State {
    fn begin(&mut self) -> std::io::Result<()> {
        self.follower.begin()
    }

    fn take_sample(&mut self) -> std::io::Result<()> {
        let Self {
            follower,
            seen,
            others,
        } = self;
        follower.read_new_lines(&mut |line| count(seen, others, line))
    }

    fn finish(&mut self) -> std::io::Result<()> {
        let done = self.take_sample();
        let Self {
            follower,
            seen,
            others,
        } = self;
        follower.finish_line(&mut |line| count(seen, others, line));
        done
    }
}

fn count(seen: &mut HashMap<MissingField, u64>, others: &mut u64, line: &str) {
    let Some(missing_field) = line::missing_field(line) else {
        return;
    };
    if seen.len() >= KINDS_MAX && !seen.contains_key(&missing_field) {
        *others += 1;
        return;
    }
    *seen.entry(missing_field).or_default() += 1;
}

impl Probe for Log {
    async fn begin(&mut self) {
        self.run(State::begin).await;
    }

    async fn take_sample(&mut self) {
        self.run(State::take_sample).await;
    }

    async fn finish(&mut self, _: bool) {
        self.run(State::finish).await;
        let Some(state) = &self.state else {
            return;
        };
        let found = state
            .seen
            .iter()
            .map(|(missing_field, count)| MissingIndex {
                table: missing_field.table.clone(),
                what: format!("{} ({})", missing_field.field, missing_field.kind),
                count: *count,
                source: self.name.clone(),
            });
        self.recorder.missing_indexes(found);
        if state.others > 0 {
            let text = format!(
                "{}: {} searches without an index beyond {KINDS_MAX} kinds are not listed",
                self.name, state.others
            );
            self.recorder.note(&format!("{} kinds", self.name), text);
        }
    }
}

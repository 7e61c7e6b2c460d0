//! A PostgreSQL server beside the load, sampled by a connection of the probe's own. Nothing is
//! changed in it, except that the extension is created if that was allowed.

pub(crate) mod connect;
mod growth;
mod sample;
mod settings;
mod statements;
mod tls;

use std::sync::Arc;
use std::time::Duration;

use octavo_client::Trust;
use tokio_postgres::Client;

use growth::Tables;
use sample::{Counters, Samples};
use statements::{Snapshot, View};

use crate::drive::Probe;
use crate::health::Health;
use crate::options::PostgresTarget;
use crate::recorder::Recorder;

/// The time-out of one sample; the server's own statement time-out is shorter. The first and the
/// last sample have two longer statements.
const LOOK_TIMEOUT: Duration = Duration::from_secs(25);

/// One server.
pub(crate) struct Database {
    source: String,
    target: PostgresTarget,
    server: Option<String>,
    create_extension: bool,
    trust: Trust,
    recorder: Arc<Recorder>,
    health: Health,
    session: Option<Session>,
    counters: Option<Counters>,
    described: bool,
    tables: Option<Tables>,
    statements: Option<(View, Snapshot)>,
}

struct Session {
    client: Client,
    samples: Samples,
}

impl Database {
    pub(crate) fn new(
        source: String,
        target: PostgresTarget,
        server: Option<String>,
        create_extension: bool,
        trust: Trust,
        recorder: &Arc<Recorder>,
    ) -> Self {
        Self {
            health: Health::new(source.clone(), recorder),
            source,
            target,
            server,
            create_extension,
            trust,
            recorder: Arc::clone(recorder),
            session: None,
            counters: None,
            described: false,
            tables: None,
            statements: None,
        }
    }

    /// The session, reopened when it was lost.
    async fn connect(&mut self) -> Result<(), String> {
        if self
            .session
            .as_ref()
            .is_some_and(|session| !session.client.is_closed())
        {
            return Ok(());
        }
        self.session = None;
        let (target, server) = (self.target.clone(), self.server.clone());
        let resolved =
            tokio::task::spawn_blocking(move || connect::resolve(&target, server.as_deref()));
        let config = resolved.await.map_err(|error| error.to_string())?;
        let config = config.map_err(|error| error.to_string())?;
        let client = connect::open(&config, &self.trust)
            .await
            .map_err(|error| error.to_string())?;
        let samples = Samples::prepare(&client).await;
        let samples = samples.map_err(|error| connect::reason(&error))?;
        self.session = Some(Session { client, samples });
        Ok(())
    }

    /// What is read once, before the load, or later when the server was down then. A failure is
    /// reported and not retried, so that it cannot prevent everything else.
    async fn before(&mut self) -> Result<(), String> {
        self.connect().await?;
        let Some(Session { client, .. }) = &self.session else {
            return Ok(());
        };
        if self.described {
            return Ok(());
        }
        self.described = true;
        match settings::describe(client, &self.recorder, &self.source).await {
            Ok(true) => {}
            Ok(false) => self.note(
                "role",
                "the probe's role does not see what other users' connections do; GRANT pg_monitor \
                 to it",
            ),
            Err(error) => self.note("settings", no("settings", &error)),
        }
        match growth::read(client).await {
            Ok(tables) => self.tables = Some(tables),
            Err(error) => self.note("growth", no("growth of tables", &error)),
        }
        match View::find(client, self.create_extension).await {
            Ok(view) => match view.snapshot(client).await {
                Ok(snapshot) => self.statements = Some((view, snapshot)),
                Err(error) => self.note("statements", no("statements", &error)),
            },
            Err(error) => self.note("statements", error),
        }
        Ok(())
    }

    fn note(&self, kind: &str, text: impl std::fmt::Display) {
        let source = &self.source;
        let kind = format!("{source} {kind}");
        self.recorder.note(&kind, format!("{source}: {text}"));
    }

    async fn sample(&mut self) -> Result<(), String> {
        self.before().await?;
        let Some(Session { client, samples }) = &self.session else {
            return Ok(());
        };
        let looked = samples.take_sample(client, &self.recorder, &self.source, self.counters);
        match looked.await {
            Ok(counters) => {
                self.counters = Some(counters);
                self.health.works();
                Ok(())
            }
            Err(error) => Err(connect::reason(&error)),
        }
    }

    async fn after(&mut self) -> Result<(), String> {
        self.connect().await?;
        let Some(Session { client, .. }) = &self.session else {
            return Ok(());
        };
        // First, so that the other queries are not among the statements.
        if let Some((view, before)) = &self.statements
            && let Err(error) = self.compare_statements(client, view, before).await
        {
            self.note("statements", no("statements", &error));
        }
        if let Some(before) = &self.tables {
            match growth::read(client).await {
                Ok(after) => self.compare_tables(before, &after),
                Err(error) => self.note("growth", no("growth of tables", &error)),
            }
        }
        Ok(())
    }

    async fn compare_statements(
        &self,
        client: &Client,
        view: &View,
        before: &Snapshot,
    ) -> Result<(), tokio_postgres::Error> {
        let after = view.snapshot(client).await?;
        let texts = view.texts(client).await?;
        let mut notes = Vec::new();
        self.recorder.add(|probed| {
            notes = statements::difference(before, &after, &texts, probed);
        });
        for note in notes {
            self.note(&note, &note);
        }
        Ok(())
    }

    fn compare_tables(&self, before: &Tables, after: &Tables) {
        let grown = growth::growth(before, after);
        self.recorder.add(|probed| probed.growth.extend(grown));
        if let Some(vacuums) = growth::vacuums(before, after) {
            let name = format!("{} autovacuum during the run", self.source);
            self.recorder.infrastructure(&name, vacuums);
        }
    }

    /// Runs one of the parts with a time-out; a failure is reported, and the part runs again the
    /// next time.
    async fn attempt(&mut self, part: Part) {
        let done = tokio::time::timeout(LOOK_TIMEOUT, async {
            match part {
                Part::Sample => self.sample().await,
                Part::After => self.after().await,
            }
        });
        let done = done
            .await
            .unwrap_or_else(|_| Err(format!("no answer within {} s", LOOK_TIMEOUT.as_secs())));
        if let Err(reason) = done {
            self.session = None;
            self.health.failed(reason);
        }
    }
}

fn no(what: &str, error: &tokio_postgres::Error) -> String {
    format!("no {what}: {}", connect::reason(error))
}

#[derive(Clone, Copy)]
enum Part {
    Sample,
    After,
}

impl Probe for Database {
    async fn begin(&mut self) {
        self.attempt(Part::Sample).await;
    }

    async fn take_sample(&mut self) {
        self.attempt(Part::Sample).await;
    }

    async fn finish(&mut self, fresh: bool) {
        if !fresh {
            self.attempt(Part::Sample).await;
        }
        self.attempt(Part::After).await;
    }
}

//! A PostgreSQL server beside the load, by one connection of the probe's own. Nothing is changed in
//! it, except that the extension is made where that was allowed.

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

/// For one look; the server's own limit on a statement is below it.
const LOOK_TIMEOUT: Duration = Duration::from_secs(12);

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
    view: Option<View>,
    statements: Option<Snapshot>,
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
            view: None,
            statements: None,
        }
    }

    /// The session, opened again when it was lost.
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

    /// What is read once, before the load; later too, when the server was not there yet.
    async fn before(&mut self) -> Result<(), String> {
        self.connect().await?;
        let Some(Session { client, .. }) = &self.session else {
            return Ok(());
        };
        if self.described {
            return Ok(());
        }
        let (recorder, source) = (&self.recorder, &self.source);
        let told = |error: tokio_postgres::Error| connect::reason(&error);
        let sees_all = settings::describe(client, recorder, source)
            .await
            .map_err(told)?;
        if !sees_all {
            let text = format!(
                "{source}: the probe's role does not see what other users' connections do; GRANT \
                 pg_monitor to it"
            );
            recorder.note(&format!("{source} role"), text);
        }
        match growth::read(client).await {
            Ok(tables) => self.tables = Some(tables),
            Err(error) => {
                let text = format!("{source}: no growth of tables: {}", connect::reason(&error));
                recorder.note(&format!("{source} growth"), text);
            }
        }
        match View::find(client, self.create_extension).await {
            Ok(view) => {
                self.statements = Some(view.snapshot(client).await.map_err(told)?);
                self.view = Some(view);
            }
            Err(error) => {
                recorder.note(
                    &format!("{source} statements"),
                    format!("{source}: {error}"),
                );
            }
        }
        self.described = true;
        Ok(())
    }

    async fn sample(&mut self) -> Result<(), String> {
        self.before().await?;
        let Some(Session { client, samples }) = &self.session else {
            return Ok(());
        };
        let looked = samples.look(client, &self.recorder, &self.source, self.counters);
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
        let told = |error: tokio_postgres::Error| connect::reason(&error);
        // First, so that reading anything else is not among the statements.
        if let (Some(view), Some(before)) = (&self.view, &self.statements) {
            let after = view.snapshot(client).await.map_err(told)?;
            let texts = view.texts(client).await.map_err(told)?;
            let mut notes = Vec::new();
            self.recorder.add(|probed| {
                notes = statements::difference(before, &after, &texts, probed);
            });
            for note in notes {
                let text = format!("{}: {note}", self.source);
                self.recorder.note(&text.clone(), text);
            }
        }
        if let Some(before) = &self.tables {
            let after = growth::read(client).await.map_err(told)?;
            let grown = growth::growth(before, &after);
            self.recorder.add(|probed| probed.growth.extend(grown));
            if let Some(vacuums) = growth::vacuums(before, &after) {
                let name = format!("{} autovacuum during the run", self.source);
                self.recorder.infrastructure(&name, vacuums);
            }
        }
        Ok(())
    }

    /// Does one of the above in limited time; what fails is told, and begun anew the next time.
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

#[derive(Clone, Copy)]
enum Part {
    Sample,
    After,
}

impl Probe for Database {
    async fn begin(&mut self) {
        self.attempt(Part::Sample).await;
    }

    async fn look(&mut self) {
        self.attempt(Part::Sample).await;
    }

    async fn finish(&mut self, fresh: bool) {
        if !fresh {
            self.attempt(Part::Sample).await;
        }
        self.attempt(Part::After).await;
    }
}

//! Builds, replaces and drops a tenant's indexes without blocking readers and writers: those that a
//! release adds to existing tables, and those that an operator applies. Can be aborted at any
//! point, and started from two processes at once.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};

use futures_util::future::try_join_all;
use octavo_boxed::boxed;
use octavo_postgres::{BuildProgress, DatabaseError, IndexBuilder, IndexState};

use super::applied::AppliedIndex;
use crate::error::StoreError;
use crate::store::Store;
use crate::tenant::Tenant;
use crate::upgrade::{self, DeclaredIndex, ExistingIndex, Task, essence, tasks};

/// A callback for the progress of a build.
pub type BuildReport<'a> = &'a (dyn Fn(&BuildProgress) + Send + Sync);

/// The result of [`Store::build_indexes`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IndexBuilds {
    /// Indexes that were built.
    pub made: Vec<String>,
    /// Indexes whose build failed; they are tried again the next time.
    pub problems: Vec<IndexProblem>,
}

impl IndexBuilds {
    fn add(&mut self, more: IndexBuilds) {
        self.made.extend(more.made);
        self.problems.extend(more.problems);
    }
}

/// Why the build of an index failed.
#[derive(Clone, PartialEq, Eq)]
pub struct IndexProblem {
    pub name: String,
    pub collection: String,
    /// The reason, with the key at fault. May contain patron data: not for logs.
    pub reason: String,
}

impl std::fmt::Debug for IndexProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("IndexProblem")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum IndexOrigin {
    /// This release declares it.
    Declared,
    /// An operator applied it.
    Applied,
    /// An earlier release declared it.
    Undeclared,
}

/// An index in an operator's list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexListing {
    /// Its state in the database; none when it is missing.
    pub state: Option<IndexState>,
    pub name: String,
    pub collection: String,
    pub origin: IndexOrigin,
    /// Why its last build failed.
    pub problem: Option<String>,
}

impl Store {
    /// Builds the indexes of a tenant that are missing, invalid or outdated, one after the other.
    /// When another process is doing so, waits and then finds the work done. A failed build is not
    /// an error: see [`IndexBuilds::problems`].
    #[boxed]
    pub async fn build_indexes(
        &self,
        tenant: &Tenant,
        report: BuildReport<'_>,
    ) -> Result<IndexBuilds, StoreError> {
        if self.index_facts(tenant).await?.pending().is_empty() {
            self.refresh_indexes(tenant).await?;
            self.note_indexed(tenant).await?;
            return Ok(IndexBuilds::default());
        }
        let builder = self.builder(tenant).await?;
        self.build_with(&[builder], tenant, report).await
    }

    /// Builds them with these connections, of which the first has the right. Each builds the indexes
    /// of a table at a time, because `CREATE INDEX CONCURRENTLY` allows no other on its table.
    pub(in crate::store) async fn build_with(
        &self,
        builders: &[IndexBuilder],
        tenant: &Tenant,
        report: BuildReport<'_>,
    ) -> Result<IndexBuilds, StoreError> {
        let first = builders
            .first()
            .expect("invariant: somebody has the right to build");
        self.take_over(tenant, first).await?;
        // Read again under the lock: another process may have built some of them meanwhile.
        let facts = self.index_facts(tenant).await?;
        let tables = Mutex::new(facts.by_table());
        let next = || {
            let mut tables = tables.lock().unwrap_or_else(PoisonError::into_inner);
            tables.pop()
        };
        let building = builders.iter().map(|builder| async {
            let mut builds = IndexBuilds::default();
            while let Some(indexes) = next() {
                let done = self.build_table(builder, tenant, &facts, indexes, report);
                builds.add(done.await?);
            }
            Ok::<_, StoreError>(builds)
        });
        let mut builds = IndexBuilds::default();
        for done in try_join_all(building).await? {
            builds.add(done);
        }
        self.note_built(tenant, &facts.applied, &builds).await?;
        self.forget_aside(tenant, &facts.aside_but(&builds.problems))
            .await?;
        // Failed builds are tried again at the next start.
        if builds.problems.is_empty() {
            self.note_indexed(tenant).await?;
        }
        Ok(builds)
    }

    /// Builds the indexes of one table, one after the other.
    async fn build_table(
        &self,
        builder: &IndexBuilder,
        tenant: &Tenant,
        facts: &Facts,
        indexes: Vec<&DeclaredIndex>,
        report: BuildReport<'_>,
    ) -> Result<IndexBuilds, StoreError> {
        let mut builds = IndexBuilds::default();
        let table = indexes.first().map(|one| one.table.clone());
        for one in indexes {
            let made = match facts.judge(builder, one).await {
                Ok((own, temporary)) => {
                    let mut tasks = tasks(own, temporary);
                    // What no collection declares is not recorded as an index of a release.
                    tasks.retain(|task| *task != Task::Record || !facts.is_only_aside(one));
                    carry_out(builder, one, &tasks, report).await
                }
                Err(error) => Err(error),
            };
            match made {
                Ok(true) => {
                    builds.made.push(one.name.clone());
                    self.solved(tenant, &one.name).await?;
                    self.forget_aside(tenant, std::slice::from_ref(&one.name))
                        .await?;
                }
                Ok(false) => self.solved(tenant, &one.name).await?,
                // Without the database the other builds would fail too, and no problem could be
                // stored.
                Err(error @ DatabaseError::Unavailable { .. }) => return Err(error.into()),
                Err(error) => {
                    let problem = problem(one, error);
                    self.note_problem(tenant, &problem).await?;
                    builds.problems.push(problem);
                }
            }
        }
        if let (Some(table), false) = (table, builds.made.is_empty()) {
            builder.analyze(&table).await?;
        }
        Ok(builds)
    }

    /// Drops an index that was applied.
    ///
    /// # Errors
    /// [`StoreError::Query`] with the remedy when no such index was applied.
    #[boxed]
    pub async fn drop_applied_index(&self, tenant: &Tenant, name: &str) -> Result<(), StoreError> {
        let builder = self.builder(tenant).await?;
        let applied = self.applied(tenant).await?;
        if !applied.iter().any(|one| one.name == name) {
            let declared = upgrade::declared(tenant.schema(), &self.catalog);
            return Err(StoreError::Query(
                if declared.iter().any(|one| one.name == name) {
                    format!(
                        "{name} is declared by this release; only applied indexes can be dropped"
                    )
                } else {
                    format!(
                        "tenant {0} has no applied index {name:?}; `octavo index list --tenant {0}` \
                         shows what there is",
                        tenant.id()
                    )
                },
            ));
        }
        let sql = format!(
            "DELETE FROM {}.octavo_index WHERE name = $1",
            tenant.schema()
        );
        self.database.execute(&sql, &[&name]).await?;
        // Processes have to stop planning with it before it is dropped.
        self.announce_indexes(tenant).await?;
        builder.drop_index(name).await?;
        builder.forget_step(&upgrade::step(name)).await?;
        self.solved(tenant, name).await
    }

    /// The state of a tenant's declared and applied indexes.
    #[boxed]
    pub async fn index_list(&self, tenant: &Tenant) -> Result<Vec<IndexListing>, StoreError> {
        let mut facts = self.index_facts(tenant).await?;
        let mut problems = self.problems(tenant).await?;
        let undeclared = facts.undeclared();
        let mut named: Vec<(String, String, IndexOrigin)> = Vec::new();
        for (at, one) in facts.wanted.into_iter().enumerate() {
            let origin = match at {
                at if at < facts.declared => IndexOrigin::Declared,
                at if at < facts.known => IndexOrigin::Applied,
                // An area's own index, which is listed only while a load has it dropped.
                _ => IndexOrigin::Declared,
            };
            named.push((one.table, one.name, origin));
        }
        for name in undeclared {
            let table = facts.there.get(&name).map(|state| state.table.clone());
            named.push((table.unwrap_or_default(), name, IndexOrigin::Undeclared));
        }
        named.sort_unstable();
        named.dedup_by(|later, first| later.1 == first.1);
        Ok(named
            .into_iter()
            .map(|(collection, name, origin)| IndexListing {
                state: facts.there.remove(&name),
                problem: problems.remove(&name),
                name,
                collection,
                origin,
            })
            .collect())
    }

    pub(in crate::store) async fn builder(
        &self,
        tenant: &Tenant,
    ) -> Result<IndexBuilder, StoreError> {
        let waiting = || {
            tracing::info!(
                tenant = tenant.id(),
                "waiting for another process that builds indexes"
            );
        };
        Ok(IndexBuilder::begin(&self.database, tenant.schema(), waiting).await?)
    }

    /// The wanted and the existing indexes.
    pub(in crate::store) async fn index_facts(&self, tenant: &Tenant) -> Result<Facts, StoreError> {
        let schema = tenant.schema();
        let applied = self.applied(tenant).await?;
        let mut wanted = upgrade::declared(schema, &self.catalog);
        let declared = wanted.len();
        for one in &applied {
            if let Some(collection) = self.catalog.get(&one.collection) {
                wanted.push(one.wanted(schema, collection));
            }
        }
        let known = wanted.len();
        let aside = self.aside(tenant).await?;
        for one in &aside {
            if !wanted.iter().any(|wanted| wanted.name == one.name) {
                wanted.push(one.clone());
            }
        }
        Ok(Facts {
            wanted,
            declared,
            known,
            aside: aside.into_iter().map(|one| one.name).collect(),
            applied,
            there: by_name(octavo_postgres::indexes(&self.database, schema).await?),
            noted: self.database.applied_steps(schema).await?,
        })
    }

    /// Turns an applied index that this release declares into the declared one, without rebuilding
    /// it.
    async fn take_over(&self, tenant: &Tenant, builder: &IndexBuilder) -> Result<(), StoreError> {
        let schema = tenant.schema();
        let there = by_name(builder.indexes().await?);
        let declared = upgrade::declared(schema, &self.catalog);
        for one in self.applied(tenant).await? {
            let Some(collection) = self.catalog.get(&one.collection) else {
                tracing::warn!(
                    tenant = tenant.id(),
                    index = one.name,
                    collection = one.collection,
                    "an applied index is on a collection that is no longer declared"
                );
                continue;
            };
            let same = one.wanted(schema, collection).on_scratch();
            let heir = declared.iter().find(|heir| {
                heir.name == one.name || (heir.table == one.collection && heir.on_scratch() == same)
            });
            let Some(heir) = heir else { continue };
            if heir.name != one.name && there.contains_key(&one.name) {
                if there.contains_key(&heir.name) {
                    builder.drop_index(&one.name).await?;
                } else {
                    builder.rename(&one.name, &heir.name).await?;
                }
                builder.forget_step(&upgrade::step(&one.name)).await?;
            }
            let sql = format!("DELETE FROM {schema}.octavo_index WHERE name = $1");
            self.database.execute(&sql, &[&one.name]).await?;
        }
        Ok(())
    }

    /// Marks applied indexes as built and notifies every process.
    async fn note_built(
        &self,
        tenant: &Tenant,
        applied: &[AppliedIndex],
        builds: &IndexBuilds,
    ) -> Result<(), StoreError> {
        let failed = |name: &str| builds.problems.iter().any(|problem| problem.name == name);
        let names: Vec<&str> = applied
            .iter()
            .map(|one| one.name.as_str())
            .filter(|name| !failed(name))
            .collect();
        let sql = format!(
            "UPDATE {}.octavo_index SET built_at = now() WHERE built_at IS NULL AND name = ANY($1)",
            tenant.schema()
        );
        self.database.execute(&sql, &[&names]).await?;
        self.announce_indexes(tenant).await
    }

    async fn note_problem(
        &self,
        tenant: &Tenant,
        problem: &IndexProblem,
    ) -> Result<(), StoreError> {
        tracing::warn!(
            tenant = tenant.id(),
            table = problem.collection,
            index = problem.name,
            "an index could not be built; `octavo index list --tenant {}` shows why, and it is tried \
             again at the next start or by `octavo index build`",
            tenant.id()
        );
        let sql = format!(
            "INSERT INTO {}.octavo_index_problem (name, collection, reason) VALUES ($1, $2, $3) \
             ON CONFLICT (name) DO UPDATE SET reason = excluded.reason, seen_at = now()",
            tenant.schema()
        );
        let IndexProblem {
            name,
            collection,
            reason,
        } = problem;
        self.database
            .execute(&sql, &[name, collection, reason])
            .await?;
        Ok(())
    }

    async fn solved(&self, tenant: &Tenant, name: &str) -> Result<(), StoreError> {
        let schema = tenant.schema();
        let sql = format!("DELETE FROM {schema}.octavo_index_problem WHERE name = $1");
        self.database.execute(&sql, &[&name]).await?;
        Ok(())
    }

    async fn problems(&self, tenant: &Tenant) -> Result<HashMap<String, String>, StoreError> {
        let schema = tenant.schema();
        let sql = format!("SELECT name, reason FROM {schema}.octavo_index_problem");
        let rows = self.database.query(&sql, &[]).await?;
        Ok(rows
            .iter()
            .map(|row| (row.get("name"), row.get("reason")))
            .collect())
    }
}

/// The wanted and the existing indexes.
pub(in crate::store) struct Facts {
    /// The declared indexes, then the applied ones, then those that only a load knows, which dropped
    /// them.
    wanted: Vec<DeclaredIndex>,
    /// How many of these are declared.
    declared: usize,
    /// How many are declared or applied.
    known: usize,
    /// The names of all that a load has dropped.
    aside: Vec<String>,
    applied: Vec<AppliedIndex>,
    there: HashMap<String, IndexState>,
    noted: HashMap<String, String>,
}

impl Facts {
    /// The names of indexes that are missing, invalid or outdated, and of applied ones that the
    /// release declares now.
    pub fn pending(&self) -> Vec<String> {
        let (declared, _) = self.wanted.split_at(self.declared);
        let unsettled = self.wanted.iter().filter(|one| !self.is_settled(one));
        let unfinished = self
            .applied
            .iter()
            .filter(|one| !one.built || declared.iter().any(|heir| heir.name == one.name));
        let mut names: Vec<String> = unsettled.map(|one| one.name.clone()).collect();
        names.extend(unfinished.map(|one| one.name.clone()));
        names.extend(self.aside.iter().cloned());
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Recorded indexes that still exist and are no longer wanted.
    pub fn undeclared(&self) -> Vec<String> {
        let wanted: HashSet<&str> = self.wanted.iter().map(|one| one.name.as_str()).collect();
        let mut names: Vec<String> = self
            .noted
            .keys()
            .filter_map(|step| upgrade::name_in(step))
            .filter(|name| self.there.contains_key(*name) && !wanted.contains(name))
            .map(str::to_owned)
            .collect();
        names.sort_unstable();
        names
    }

    /// The names of what a load has dropped, without those whose build failed.
    fn aside_but(&self, problems: &[IndexProblem]) -> Vec<String> {
        let failed = |name: &String| problems.iter().any(|one| one.name == *name);
        let built = self.aside.iter().filter(|name| !failed(name));
        built.cloned().collect()
    }

    /// Whether an index is none of the declared or applied ones.
    fn is_only_aside(&self, wanted: &DeclaredIndex) -> bool {
        let (known, _) = self.wanted.split_at(self.known);
        !known.iter().any(|one| one.name == wanted.name)
    }

    /// What has to be built, by table; the table with the most work last. When two are built at the
    /// same time, each build waits at its end for the snapshot of the other, so two of the same
    /// length cost least.
    fn by_table(&self) -> Vec<Vec<&DeclaredIndex>> {
        let mut tables: Vec<Vec<&DeclaredIndex>> = Vec::new();
        for one in self.wanted.iter().filter(|one| !self.is_settled(one)) {
            let same = |indexes: &&mut Vec<&DeclaredIndex>| {
                indexes
                    .first()
                    .is_some_and(|first| first.table == one.table)
            };
            match tables.iter_mut().find(same) {
                Some(indexes) => indexes.push(one),
                None => tables.push(vec![one]),
            }
        }
        for indexes in &mut tables {
            indexes.sort_by_key(|one| !one.is_gin());
        }
        let gins = |indexes: &[&DeclaredIndex]| indexes.iter().filter(|one| one.is_gin()).count();
        tables.sort_by_key(|indexes| (gins(indexes), indexes.len()));
        tables
    }

    fn is_settled(&self, wanted: &DeclaredIndex) -> bool {
        wanted.is_settled(&self.noted, self.there.get(&wanted.name))
            && !self.there.contains_key(&wanted.temporary_name())
    }

    /// What exists under an index's name and under its temporary name.
    async fn judge(
        &self,
        builder: &IndexBuilder,
        wanted: &DeclaredIndex,
    ) -> Result<(ExistingIndex, ExistingIndex), DatabaseError> {
        let own = self.there.get(&wanted.name);
        let temporary = self.there.get(&wanted.temporary_name());
        if wanted.is_settled(&self.noted, own) {
            let left = temporary.map_or(ExistingIndex::Nothing, |_| ExistingIndex::Broken);
            return Ok((ExistingIndex::Same, left));
        }
        if ![own, temporary].into_iter().flatten().any(|one| one.valid) {
            let judged = |there: Option<&IndexState>| {
                there.map_or(ExistingIndex::Nothing, |_| ExistingIndex::Broken)
            };
            return Ok((judged(own), judged(temporary)));
        }
        let definition = builder
            .definition(&wanted.table, &wanted.on_scratch())
            .await?;
        let judged = |there: Option<&IndexState>| match there {
            None => ExistingIndex::Nothing,
            Some(index) if !index.valid => ExistingIndex::Broken,
            Some(index) if essence(&index.definition) == essence(&definition) => {
                ExistingIndex::Same
            }
            Some(_) => ExistingIndex::Other,
        };
        Ok((judged(own), judged(temporary)))
    }
}

/// Carries out tasks; returns whether an index was built.
async fn carry_out(
    builder: &IndexBuilder,
    wanted: &DeclaredIndex,
    tasks: &[Task],
    report: BuildReport<'_>,
) -> Result<bool, DatabaseError> {
    let temporary = wanted.temporary_name();
    let mut made = false;
    for task in tasks {
        match task {
            Task::DropTemporary => builder.drop_index(&temporary).await?,
            Task::DropBroken | Task::DropOld => builder.drop_index(&wanted.name).await?,
            Task::Rename => builder.rename(&temporary, &wanted.name).await?,
            Task::Record => builder.record(&wanted.step(), &wanted.sql).await?,
            Task::Build | Task::BuildTemporary => {
                let name = match task {
                    Task::Build => &wanted.name,
                    _ => &temporary,
                };
                let sql = wanted.concurrently(name);
                builder.build(&wanted.table, name, &sql, report).await?;
                made = true;
            }
        }
    }
    Ok(made)
}

fn problem(wanted: &DeclaredIndex, error: DatabaseError) -> IndexProblem {
    let reason = match error {
        DatabaseError::Unique { detail, .. } => format!(
            "two or more records have the same key: {detail} Change or delete all of them but one."
        ),
        DatabaseError::TooLarge { message, .. } => {
            format!("a value is too long for this kind of index: {message}")
        }
        DatabaseError::Timeout { reason, .. } => format!("it was aborted: {reason}"),
        other => other.to_string(),
    };
    IndexProblem {
        name: wanted.name.clone(),
        collection: wanted.table.clone(),
        reason,
    }
}

fn by_name(indexes: Vec<IndexState>) -> HashMap<String, IndexState> {
    let named = indexes.into_iter().map(|one| (one.name.clone(), one));
    named.collect()
}

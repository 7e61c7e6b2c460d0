//! `octavo index`: lists searches of a tenant that lack an index, and the tenant's indexes. Works
//! beside a running server, which plans with an index applied here at once.

mod apply;
mod progress;

use std::process::ExitCode;

use clap::{Args, Subcommand};
use octavo_platform::index_advice::document;
use octavo_records::{IndexAdvice, IndexListing, IndexOrigin, Tenant};

use self::apply::ApplyArgs;
pub use self::progress::BuildDisplay;
use super::table::{Align, bytes, printed};
use super::tenant::{command_options, require};
use crate::database::Host;
use crate::database_args::DatabaseArgs;

/// List searches without an index, and build one.
#[derive(Debug, Subcommand)]
pub enum IndexCommand {
    /// List the searches without an index, by their total time.
    ///
    /// A running server records them every few seconds, without the values searched for.
    Advise {
        /// As JSON, like GET /_/index-advice
        #[arg(long)]
        json: bool,
        /// Whose searches
        #[command(flatten)]
        place: TenantTarget,
    },
    /// Build an index for a tenant while it is used.
    ///
    /// Either follows advice, by its number or --all, or builds the index that --collection, --kind
    /// and --field name. The index stays across releases, until it is dropped.
    Apply(ApplyArgs),
    /// Build the missing indexes: those whose last build failed.
    Build {
        /// Whose indexes
        #[command(flatten)]
        place: TenantTarget,
    },
    /// Remove an index that was applied.
    Drop {
        /// The index, as `octavo index list` names it
        name: String,
        /// Whose index
        #[command(flatten)]
        place: TenantTarget,
    },
    /// List the indexes of a tenant: declared by the release, and applied.
    List {
        /// Whose indexes
        #[command(flatten)]
        place: TenantTarget,
    },
}

/// A tenant and its database.
#[derive(Debug, Clone, Args)]
pub struct TenantTarget {
    /// The tenant
    #[arg(long, default_value = "diku", value_name = "ID")]
    tenant: String,
    /// Which database to use
    #[command(flatten)]
    database: DatabaseArgs,
}

impl TenantTarget {
    /// Opens the installation and rejects a tenant that cannot be worked on.
    async fn open(&self) -> anyhow::Result<(Host, Tenant)> {
        let tenant = Tenant::new(&self.tenant)?;
        let host = Host::open(&self.database, command_options()).await?;
        let ready = ready(&host, &tenant).await;
        match ready {
            Ok(()) => Ok((host, tenant)),
            Err(error) => {
                host.close().await;
                Err(error)
            }
        }
    }
}

async fn ready(host: &Host, tenant: &Tenant) -> anyhow::Result<()> {
    require(host, tenant).await?;
    let table = format!("{}.octavo_index_advice", tenant.schema());
    let rows = host
        .platform
        .store
        .database
        .query("SELECT to_regclass($1) IS NOT NULL AS found", &[&table])
        .await?;
    if !rows.first().is_some_and(|row| row.get("found")) {
        anyhow::bail!(
            "tenant {} was last served by an earlier version; start `octavo serve` of this one \
             first, which brings it up to date",
            tenant.id()
        );
    }
    Ok(())
}

/// Runs the command.
///
/// # Errors
/// A message with the remedy.
pub async fn run(command: IndexCommand) -> anyhow::Result<ExitCode> {
    let place = match &command {
        IndexCommand::Advise { place, .. }
        | IndexCommand::Build { place }
        | IndexCommand::Drop { place, .. }
        | IndexCommand::List { place } => place,
        IndexCommand::Apply(args) => {
            args.refuse_what_contradicts()?;
            &args.place
        }
    };
    let (host, tenant) = place.open().await?;
    let outcome = perform(&command, &host, &tenant).await;
    host.close().await;
    outcome
}

async fn perform(command: &IndexCommand, host: &Host, tenant: &Tenant) -> anyhow::Result<ExitCode> {
    let store = &host.platform.store;
    match command {
        IndexCommand::Advise { json, .. } => {
            let advice = store.index_advice(tenant).await?;
            match json {
                true => println!("{:#}", document(tenant, &advice)),
                false => print!("{}", advised(tenant, &advice)),
            }
        }
        IndexCommand::Apply(args) => return apply::run(args, store, tenant).await,
        IndexCommand::Build { .. } => return apply::build(store, tenant).await,
        IndexCommand::Drop { name, .. } => {
            store.drop_applied_index(tenant, name).await?;
            println!("dropped {name}");
        }
        IndexCommand::List { .. } => print!("{}", listed(&store.index_list(tenant).await?)),
    }
    Ok(ExitCode::SUCCESS)
}

/// The advice as a table, with the next step.
fn advised(tenant: &Tenant, advice: &[IndexAdvice]) -> String {
    if advice.is_empty() {
        return format!(
            "Every search that tenant {} was asked so far is served by an index.\n\
             A running server writes down every few seconds what is not.\n",
            tenant.id()
        );
    }
    let heading = [
        "number",
        "times",
        "total s",
        "longest ms",
        "of records",
        "collection",
        "search",
        "index",
    ];
    let mut rows = vec![heading.map(str::to_owned).to_vec()];
    for one in advice {
        let indexes: Vec<String> = one
            .lacking
            .iter()
            .map(|lacking| apply::described(&lacking.collection, &lacking.index))
            .collect();
        rows.push(vec![
            one.number.to_string(),
            one.times.to_string(),
            format!("{:.1}", one.total_ms / 1_000.0),
            format!("{:.0}", one.max_ms),
            one.records.to_string(),
            one.collection.clone(),
            one.shape.clone(),
            indexes.join("; "),
        ]);
    }
    use Align::{Left, Right};
    let aligned = [Right, Right, Right, Right, Right, Left, Left, Left];
    format!(
        "{}\nEach of these searches reads all records of its collection. To make the index:\n\
         octavo index apply --tenant {} NUMBER\n",
        printed(&rows, &aligned),
        tenant.id()
    )
}

/// The indexes as a table.
fn listed(indexes: &[IndexListing]) -> String {
    let heading = ["collection", "index", "from", "size", "scans", "state"];
    let mut rows = vec![heading.map(str::to_owned).to_vec()];
    for one in indexes {
        let origin = match one.origin {
            IndexOrigin::Declared => "release",
            IndexOrigin::Applied => "applied",
            IndexOrigin::Undeclared => "earlier release",
        };
        let state = match (&one.state, &one.problem) {
            (_, Some(problem)) => format!("could not be built: {problem}"),
            (Some(state), None) if state.valid => "in use".to_owned(),
            (Some(_), None) => "being built, or aborted".to_owned(),
            (None, None) => {
                "missing; it is built at the next start or by `octavo index build`".to_owned()
            }
        };
        let size = one.state.as_ref().map_or(0, |state| state.size_bytes);
        let scans = one.state.as_ref().map_or(0, |state| state.scans);
        rows.push(vec![
            one.collection.clone(),
            one.name.clone(),
            origin.to_owned(),
            bytes(size),
            scans.to_string(),
            state,
        ]);
    }
    use Align::{Left, Right};
    printed(&rows, &[Left, Left, Left, Right, Right, Left])
}

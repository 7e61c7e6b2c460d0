//! `octavo index apply` and `build`.

use std::process::ExitCode;

use clap::Args;
use octavo_records::{Index, IndexKind, Store, Tenant};

use super::TenantTarget;
use super::progress::BuildDisplay;

/// Build an index for a tenant while it is used.
#[derive(Debug, Args)]
pub struct ApplyArgs {
    /// The number of the advice to follow
    #[arg(conflicts_with_all = ["all", "collection", "kind", "field"])]
    number: Option<i64>,
    /// Follow all advice
    #[arg(long, conflicts_with_all = ["collection", "kind", "field"])]
    all: bool,
    /// The collection, by the name of its table: item, holdings_record
    #[arg(long, value_name = "TABLE", requires_all = ["kind", "field"])]
    collection: Option<String>,
    /// The kind of index: index, likeIndex, ginIndex, fullTextIndex, hash, gist, spGist, brin
    #[arg(long, value_name = "KIND", requires = "collection")]
    kind: Option<String>,
    /// The property, or with --over the CQL name for several
    #[arg(long, value_name = "PATH", requires = "collection")]
    field: Option<String>,
    /// The properties that the name stands for, separated by commas
    #[arg(long, value_name = "PATHS", value_delimiter = ',', requires = "field")]
    over: Vec<String>,
    /// Distinguish upper and lower case
    #[arg(long, requires = "field")]
    case_sensitive: bool,
    /// Distinguish accents
    #[arg(long, requires = "field")]
    keep_accents: bool,
    /// Index the value as a number, for searches and sort keys with /number
    #[arg(long, requires = "field")]
    number_index: bool,
    /// Whose index
    #[command(flatten)]
    pub place: TenantTarget,
}

impl ApplyArgs {
    /// Rejects arguments that name no index, before a database is opened.
    pub fn refuse_what_contradicts(&self) -> anyhow::Result<()> {
        if self.number.is_none() && !self.all && self.collection.is_none() {
            anyhow::bail!(
                "name what to apply: the number of an advice (`octavo index advise` lists them), \
                 --all, or --collection, --kind and --field"
            );
        }
        self.named().map(|_| ())
    }

    /// The index that --collection, --kind and --field name.
    fn named(&self) -> anyhow::Result<Option<(String, Index)>> {
        let (Some(collection), Some(kind), Some(field)) =
            (&self.collection, &self.kind, &self.field)
        else {
            return Ok(None);
        };
        let Some(kind) = IndexKind::named(kind) else {
            let kinds = IndexKind::ALL
                .into_iter()
                .filter(|kind| *kind != IndexKind::UniqueIndex)
                .map(IndexKind::name);
            anyhow::bail!(
                "there is no kind of index {kind:?}; there are: {}",
                kinds.collect::<Vec<_>>().join(", ")
            );
        };
        let mut index = Index::new(kind, field);
        index.fields.clone_from(&self.over);
        index.case_sensitive = self.case_sensitive;
        index.remove_accents = !self.keep_accents;
        index.number = self.number_index;
        Ok(Some((collection.clone(), index)))
    }
}

/// Applies the index that the arguments name.
///
/// # Errors
/// A message with the remedy.
pub async fn run(args: &ApplyArgs, store: &Store, tenant: &Tenant) -> anyhow::Result<ExitCode> {
    let mut wanted = Vec::new();
    if let Some(named) = args.named()? {
        wanted.push(named);
    } else {
        let advice = store.index_advice(tenant).await?;
        let followed: Vec<_> = advice
            .iter()
            .filter(|one| args.all || Some(one.number) == args.number)
            .collect();
        if let (Some(number), []) = (args.number, followed.as_slice()) {
            anyhow::bail!(
                "there is no advice {number} for tenant {0}; `octavo index advise --tenant {0}` \
                 lists what there is",
                tenant.id()
            );
        }
        for lacking in followed.iter().flat_map(|one| &one.lacking) {
            let pair = (lacking.collection.clone(), lacking.index.clone());
            if !wanted.contains(&pair) {
                wanted.push(pair);
            }
        }
        if wanted.is_empty() {
            println!("There is no advice to follow: every search is served by an index.");
            return Ok(ExitCode::SUCCESS);
        }
    }
    for (collection, index) in &wanted {
        let name = store.want_index(tenant, collection, index).await?;
        println!("{name}: {}", described(collection, index));
    }
    build(store, tenant).await
}

/// Builds the missing indexes.
pub async fn build(store: &Store, tenant: &Tenant) -> anyhow::Result<ExitCode> {
    let display = BuildDisplay::default();
    let builds = store
        .build_indexes(tenant, &|news| display.show(news))
        .await?;
    for problem in &builds.problems {
        println!(
            "{} on {} could not be built: {}",
            problem.name, problem.collection, problem.reason
        );
    }
    match (builds.problems.is_empty(), builds.made.as_slice()) {
        (true, []) => println!("tenant {} has all its indexes", tenant.id()),
        (true, made) => println!("in use: {}", made.join(", ")),
        (false, _) => println!(
            "then try again: octavo index build --tenant {}",
            tenant.id()
        ),
    }
    Ok(match builds.problems.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

/// An index in words: `index on item status.name`.
pub fn described(collection: &str, index: &Index) -> String {
    let mut text = format!("{} on {collection} {}", index.kind.name(), index.field);
    if !index.fields.is_empty() {
        text.push_str(&format!(" over {}", index.fields.join(",")));
    }
    for (option, given) in [
        ("case-sensitive", index.case_sensitive),
        ("keep-accents", !index.remove_accents),
        ("number", index.number),
    ] {
        if given {
            text.push_str(&format!(", {option}"));
        }
    }
    text
}

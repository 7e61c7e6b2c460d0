//! `octavo tenant upgrade`.

use std::process::ExitCode;

use octavo_platform::tenants::tenant_of;
use octavo_records::Tenant;

use crate::command::index::BuildDisplay;
use crate::database::Host;

/// Upgrades tenants, all without ids. A failure does not stop the others.
///
/// # Errors
/// When there is no tenant with an id.
pub async fn run(host: &Host, ids: &[String]) -> anyhow::Result<ExitCode> {
    let platform = &host.platform;
    let all = platform.store.tenant_ids().await?;
    for id in ids {
        let tenant = tenant_of(id)?;
        if !all.iter().any(|one| one == tenant.id()) {
            anyhow::bail!("there is no tenant {id} (there are: {})", all.join(", "));
        }
    }
    let wanted = if ids.is_empty() { &all } else { ids };
    let mut failed = 0;
    for (at, id) in wanted.iter().enumerate() {
        let place = format!("tenant {id} ({} of {})", at + 1, wanted.len());
        match upgrade(host, &Tenant::new(id)?).await {
            Ok(done) => println!("{place} {done}"),
            Err(error) => {
                failed += 1;
                println!("{place} could not be brought up to date: {error:#}");
            }
        }
    }
    Ok(match failed {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    })
}

/// Upgrades a tenant and returns a description of what was done.
async fn upgrade(host: &Host, tenant: &Tenant) -> anyhow::Result<String> {
    let platform = &host.platform;
    let outcome = platform.tenants.upgrade(tenant).await?;
    let display = BuildDisplay::default();
    let builds = platform
        .store
        .build_indexes(tenant, &|news| display.show(news))
        .await?;
    if let Some(problem) = builds.problems.first() {
        anyhow::bail!(
            "{} of its indexes could not be built, such as {}; `octavo index list --tenant {}` \
             shows the reason",
            builds.problems.len(),
            problem.name,
            tenant.id()
        );
    }
    Ok(match (outcome.applied.len(), builds.made.len()) {
        (0, 0) => "is up to date".to_owned(),
        (steps, indexes) => {
            format!("is brought up to date: {steps} steps done, {indexes} indexes built")
        }
    })
}

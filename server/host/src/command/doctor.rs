//! `octavo doctor`: checks that a tenant's loans, items, requests, histories and accounts agree.
//! Reads only, in one snapshot beside a running server, so that concurrent work does not show as an
//! inconsistency.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use octavo_circulation::store::Tables;
use octavo_circulation::store::invariants::{Finding, examine};
use octavo_records::Tenant;

use super::table::{Align, printed};
use super::tenant::{command_options, require};
use crate::database::Host;
use crate::database_args::DatabaseArgs;
use crate::invariants::{examine_rules, rules};

/// Check that a tenant's loans, items, requests, histories and accounts agree.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// The tenant
    #[arg(long, default_value = "diku", value_name = "ID")]
    tenant: String,
    /// Which database to use
    #[command(flatten)]
    database: DatabaseArgs,
}

/// Prints the findings; fails when there are any.
///
/// # Errors
/// A message with the remedy when the tenant cannot be read.
pub async fn run(args: DoctorArgs) -> anyhow::Result<ExitCode> {
    let tenant = Tenant::new(&args.tenant)?;
    let host = Host::open(&args.database, command_options()).await?;
    let outcome = check_tenant(&host, &tenant).await;
    host.close().await;
    outcome
}

async fn check_tenant(host: &Host, tenant: &Tenant) -> anyhow::Result<ExitCode> {
    require(host, tenant).await?;
    let store = &host.platform.store;
    let tables = Tables {
        tenant,
        catalog: &store.catalog,
    };
    let watched = std::io::stderr().is_terminal();
    let started = Instant::now();
    let told = |finding: &Finding| {
        if watched {
            eprint!("\r\x1b[K{} looked at: {}", finding.looked_at, finding.rule);
        }
    };
    let mut findings = examine(&store.database, tables, told).await?;
    findings.extend(examine_rules(&store.database, rules(tables), told).await?);
    if watched {
        eprint!("\r\x1b[K");
    }
    let mut out = std::io::stdout().lock();
    write!(out, "{}", table(&findings))?;
    let broken: Vec<&Finding> = findings.iter().filter(|one| one.faults > 0).collect();
    for finding in &broken {
        let ids: Vec<String> = finding.examples.iter().map(ToString::to_string).collect();
        writeln!(out, "\nnot so: {}", finding.rule)?;
        writeln!(out, "  for instance {}", ids.join(", "))?;
        writeln!(out, "  remedy: {}", finding.remedy)?;
    }
    let took = started.elapsed().as_secs_f64();
    match broken.len() {
        0 => writeln!(out, "\ntenant {} is in order ({took:.1} s)", tenant.id())?,
        number => writeln!(
            out,
            "\ntenant {}: {number} of {} rules do not hold ({took:.1} s)",
            tenant.id(),
            findings.len()
        )?,
    }
    Ok(match broken.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

fn table(findings: &[Finding]) -> String {
    let heading = ["what must hold", "looked at", "faults"];
    let mut rows = vec![heading.map(str::to_owned).to_vec()];
    rows.extend(findings.iter().map(|finding| {
        vec![
            finding.rule.to_owned(),
            finding.looked_at.to_string(),
            finding.faults.to_string(),
        ]
    }));
    printed(&rows, &[Align::Left, Align::Right, Align::Right])
}

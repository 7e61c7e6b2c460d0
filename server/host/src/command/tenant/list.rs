//! `octavo tenant list`.

use std::process::ExitCode;

use octavo_records::{Tenant, TenantEntry};

use crate::command::table::{Align, bytes, printed};
use crate::database::Host;

/// How much of a name is printed.
const NAME_CHARS_MAX: usize = 40;

/// Prints the tenants.
pub async fn run(host: &Host, ids: bool) -> anyhow::Result<ExitCode> {
    let platform = &host.platform;
    let entries = platform.store.tenant_entries().await?;
    if ids {
        for entry in &entries {
            println!("{}", entry.id);
        }
        return Ok(ExitCode::SUCCESS);
    }
    if entries.is_empty() {
        println!("There is no tenant yet. Create one: octavo tenant create NAME");
        return Ok(ExitCode::SUCCESS);
    }
    let fingerprint = platform.tenants.fingerprint();
    let sizes = platform.store.tenant_sizes().await?;
    let heading = ["id", "name", "users", "size", "created", "state"];
    let mut rows = vec![heading.map(str::to_owned).to_vec()];
    for entry in &entries {
        let Ok(tenant) = Tenant::new(&entry.id) else {
            continue;
        };
        let users = users(host, &tenant).await?;
        let size = sizes.get(tenant.schema());
        rows.push(vec![
            entry.id.clone(),
            entry.name.chars().take(NAME_CHARS_MAX).collect(),
            users.map_or_else(|| "-".to_owned(), |count| count.to_string()),
            size.map_or_else(|| "-".to_owned(), |size| bytes(*size)),
            entry.created_at.to_string().chars().take(10).collect(),
            state(entry, fingerprint).to_owned(),
        ]);
    }
    use Align::{Left, Right};
    print!(
        "{}",
        printed(&rows, &[Left, Left, Right, Right, Left, Left])
    );
    Ok(ExitCode::SUCCESS)
}

fn state(entry: &TenantEntry, fingerprint: &str) -> &'static str {
    match (entry.mark.prepared.as_deref(), entry.mark.indexed) {
        (Some(prepared), true) if prepared == fingerprint => "up to date",
        (Some(prepared), false) if prepared == fingerprint => {
            "lacks indexes, which are being built"
        }
        _ => "of another release; upgraded when it is used",
    }
}

/// The number of a tenant's users; `None` when it has no such table.
async fn users(host: &Host, tenant: &Tenant) -> anyhow::Result<Option<i64>> {
    let sql = format!("SELECT count(*) FROM {}.users", tenant.schema());
    match host.platform.store.database.query(&sql, &[]).await {
        Ok(rows) => Ok(rows.first().map(|row| row.get("count"))),
        Err(error) if error.is_undefined_table() => Ok(None),
        Err(error) => Err(error.into()),
    }
}

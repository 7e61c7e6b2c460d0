//! `octavo tenant purge`.

use std::io::{BufRead, IsTerminal, Write};
use std::process::ExitCode;

use crate::command::table::bytes;
use crate::database::Host;

/// Refuses to continue where nobody can confirm.
///
/// # Errors
/// When there is no terminal and no --yes.
pub fn refuse_without_consent(id: &str, yes: bool) -> anyhow::Result<()> {
    if yes || std::io::stdin().is_terminal() {
        return Ok(());
    }
    anyhow::bail!(
        "this removes tenant {id} with all its records, and there is no terminal to confirm at; say \
         --yes if that is what you want"
    )
}

/// Deletes the tenant after confirmation.
///
/// # Errors
/// When there is no such tenant, or the database refuses.
pub async fn run(host: &Host, id: &str, yes: bool) -> anyhow::Result<ExitCode> {
    let platform = &host.platform;
    let described = platform.tenants.describe(id).await;
    let name = described.map_or_else(|_| id.to_owned(), |tenant| tenant.name);
    if !yes && !is_meant(id, &name)? {
        println!("nothing was removed");
        return Ok(ExitCode::FAILURE);
    }
    let purged = platform.tenants.purge(id).await;
    let purged = match purged {
        Ok(purged) => purged,
        Err(octavo_platform::tenants::TenantRefusal::Unknown(_)) => {
            let ids = platform.store.tenant_ids().await?;
            anyhow::bail!("there is no tenant {id} (there are: {})", ids.join(", "))
        }
        Err(refusal) => return Err(refusal.into()),
    };
    println!(
        "tenant {id} ({name}) is removed: {} tables, {} on disk",
        purged.tables,
        bytes(purged.bytes)
    );
    if !purged.dropped {
        println!(
            "somebody still reads its tables; a running server or the next start frees their place"
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// Asks for the id, which nobody types by mistake.
fn is_meant(id: &str, name: &str) -> anyhow::Result<bool> {
    print!(
        "This removes tenant {id} ({name}) with all its users and records. Type its id to confirm: "
    );
    std::io::stdout().flush()?;
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    Ok(line.trim() == id)
}

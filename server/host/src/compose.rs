//! The areas of which the product is composed, in order: each after those it depends on.

use std::sync::Arc;

use octavo_cataloging::propagation::Deriving;
use octavo_circulation::app::follow_fees::FeeFollower;
use octavo_circulation::routes::actual_cost_fee_fine;
use octavo_circulation::store::Tables;
use octavo_circulation::store::invariants::Rule;
use octavo_jobs::Workers;
use octavo_login::StoredSessions;
use octavo_orders::app::follow_rollover::OrdersFollower;
use octavo_permissions::UserDirectory;
use octavo_platform::token::LoginSettings;
use octavo_platform::{Composition, Governance, Limits, Module};

use crate::workbench::Workbench;

/// The modules of all areas, and the program's own.
#[must_use]
pub fn modules() -> Vec<Module> {
    modules_with(&Arc::default())
}

/// The same with what a process lets the page of the workbench do.
fn modules_with(workbench: &Arc<Workbench>) -> Vec<Module> {
    let mut modules = octavo_users::modules();
    modules.extend(octavo_permissions::modules());
    modules.extend(octavo_configuration::modules());
    modules.extend(octavo_login::modules());
    modules.extend(octavo_notes::modules());
    modules.extend(octavo_inventory::modules());
    modules.extend(octavo_source_records::modules());
    modules.extend(octavo_authorities::modules_with(&Deriving::shared()));
    modules.extend(octavo_import_profiles::modules());
    modules.extend(octavo_cataloging::modules());
    modules.extend(octavo_data_import::modules());
    modules.extend(octavo_data_export::modules());
    modules.extend(octavo_calendar::modules());
    modules.extend(octavo_fees::modules(
        &FeeFollower::shared(),
        vec![actual_cost_fee_fine()],
    ));
    modules.extend(octavo_notices::modules());
    modules.extend(octavo_circulation::modules());
    modules.extend(octavo_search::modules());
    modules.extend(octavo_organizations::modules());
    modules.extend(octavo_finance::modules_with(OrdersFollower::shared()));
    modules.extend(octavo_orders::modules());
    modules.extend(octavo_invoices::modules());
    modules.extend(octavo_user_import::modules());
    modules.extend(octavo_users_bl::modules());
    modules.extend(octavo_remote_storage::modules());
    modules.extend(octavo_pubsub::modules());
    modules.extend(octavo_audit::modules());
    modules.push(crate::profile::module());
    modules.push(crate::workbench::module(workbench));
    modules.push(octavo_relay::module());
    modules
}

/// What must hold in areas after circulation, for `octavo doctor` and after tests.
#[must_use]
pub fn invariants(tables: Tables<'_>) -> Vec<Rule> {
    let mut rules = octavo_finance::store::invariants::rules(tables);
    rules.extend(octavo_orders::store::invariants::rules(tables));
    rules.extend(octavo_invoices::store::invariants::rules(tables));
    rules
}

/// The whole product, with this key for signing tokens.
#[must_use]
pub fn composition(signing_key: Vec<u8>) -> Composition {
    composition_with(signing_key, &Arc::default())
}

/// The same with what a process lets the page of the workbench do.
pub(crate) fn composition_with(signing_key: Vec<u8>, workbench: &Arc<Workbench>) -> Composition {
    Composition {
        modules: modules_with(workbench),
        directory: Arc::new(UserDirectory),
        sessions: Arc::new(StoredSessions),
        signing_key,
        login: LoginSettings::default(),
        limits: Limits::default(),
        governance: Governance::default(),
        workers: Workers::default(),
    }
}

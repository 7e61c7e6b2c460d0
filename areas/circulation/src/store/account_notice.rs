//! The records for notices about accounts that staff act on, and their templates.

use octavo_library::{FeeFineActionId, ItemJoins, TemplateId};
use octavo_postgres::Row;
use octavo_records::{Executor, StoreError};

use super::item::{ItemAtDesk, TITLE};
use super::notice::{FEE, FeeSubject, ITEM, Person, fee_from, item_of};
use super::{Tables, slip};

/// The subject of a notice about an action on an account.
#[derive(Debug, Clone)]
pub struct AccountSubject {
    /// The action, its account, and the action that charged it.
    pub fee: FeeSubject,
    /// The patron; `None` if deleted.
    pub patron: Option<Person>,
    /// The item that it is about, with its title.
    pub item: Option<ItemAtDesk>,
    /// The template of charges and that of actions: the fee type's, else the owner's.
    pub templates: [Option<TemplateId>; 2],
}

/// The subjects of notices about these actions, in one statement and in the order of the actions' dates.
pub async fn accounts(
    executor: &dyn Executor,
    tables: Tables<'_>,
    action_ids: &[FeeFineActionId],
) -> Result<Vec<AccountSubject>, StoreError> {
    let template = |own: &str, default: &str| {
        format!("coalesce(kind.jsonb->>'{own}', owner.jsonb->>'{default}')::uuid")
    };
    let sql = format!(
        "SELECT {ITEM}, {TITLE} AS title, {FEE}, patron.jsonb AS patron,
           jsonb_strip_nulls(jsonb_build_object({person})) AS person,
           {charges} AS charge_template, {acts} AS action_template
         FROM {fees}
         LEFT JOIN {kinds} AS kind ON kind.id = (account.jsonb->>'feeFineId')::uuid
         LEFT JOIN {owners} AS owner ON owner.id = (kind.jsonb->>'ownerId')::uuid
         {title}
         LEFT JOIN {users} AS patron ON patron.id = (action.jsonb->>'userId')::uuid
         LEFT JOIN {groups} AS patron_group
           ON patron_group.id = (patron.jsonb->>'patronGroup')::uuid{more}
         WHERE action.id = ANY($1) ORDER BY action.jsonb->>'dateAction', action.id",
        person = slip::person("patron"),
        charges = template("chargeNoticeId", "defaultChargeNoticeId"),
        acts = template("actionNoticeId", "defaultActionNoticeId"),
        fees = fee_from(tables),
        kinds = tables.table("feefines"),
        owners = tables.table("owners"),
        title = ItemJoins::outer(tables)
            .item("(account.jsonb->>'itemId')::uuid")
            .title(),
        users = tables.table("users"),
        groups = tables.table("groups"),
        more = slip::person_joins(tables, "patron"),
    );
    let rows = executor.rows(&sql, &[&action_ids]).await?;
    let subject = |row: &Row| {
        Ok(AccountSubject {
            item: item_of(row),
            fee: FeeSubject::read(row),
            patron: Person::read(row.get("patron"), row.get("person"))?,
            templates: [row.get("charge_template"), row.get("action_template")],
        })
    };
    rows.iter().map(subject).collect()
}

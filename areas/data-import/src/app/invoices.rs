//! Invoices of EDIFACT messages, made by the area of invoices.

use octavo_import_profiles::makers::InvoiceMakers;

use super::act::RecordState;
use super::profile_runner::ProfileContext;
use crate::apply::Fault;
use crate::rules::tree::Node;

/// Lets an invoice be made of a message.
pub(crate) async fn create(
    way: ProfileContext<'_>,
    doing: &mut RecordState,
    node: Node<'_>,
) -> Result<(), Fault> {
    let refused = |reason: &str| Fault::Refused(reason.to_owned());
    if !node.is_action("CREATE", "INVOICE") {
        return Err(refused("EDIFACT messages only become new invoices"));
    }
    let message = doing.message.as_ref();
    let message = message.ok_or_else(|| {
        refused("Failed to handle event payload, cause event payload context does not contain EDIFACT data")
    })?;
    let profile = node
        .mapping()
        .ok_or_else(|| refused("Action profile to create an Invoice requires a mapping profile"))?;
    let makers = way.context.store.catalog.provided::<InvoiceMakers>();
    let makers = makers.ok_or_else(|| refused("there are no invoices here"))?;
    let (context, transaction, grants) = (*way.context, way.transaction, &way.kit.grants);
    let made = makers
        .0
        .make(
            context,
            transaction,
            grants,
            &message.segments,
            profile.content(),
        )
        .await?;
    doing.note_invoice(&made);
    Ok(())
}

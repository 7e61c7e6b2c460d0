//! Lists that leave out shadow records of other tenants unless a parameter includes them.

use octavo_platform::{ApiError, Call};
use octavo_records::Collection;
use octavo_records::plan::{Plan, Predicate};

use super::parameters::flag;

/// Leaves out the records whose `hidden` is true, unless `parameter` is true.
pub(super) fn leave_out(
    (hidden, parameter): (&str, &str),
    call: &Call,
    collection: &Collection,
    plan: &mut Plan,
) -> Result<(), ApiError> {
    if includes(call, parameter)? {
        return Ok(());
    }
    let query = format!("{hidden}==true");
    let unwanted = call.store().plan(&call.tenant, collection, Some(&query))?;
    let wanted = std::mem::replace(&mut plan.predicate, Predicate::Nothing);
    plan.predicate = Predicate::Except(Box::new(wanted), Box::new(unwanted.predicate));
    Ok(())
}

/// Whether a parameter includes them; one without a value does not.
fn includes(call: &Call, parameter: &str) -> Result<bool, ApiError> {
    let is_given = call
        .parameter(parameter)?
        .is_some_and(|text| !text.is_empty());
    Ok(is_given && flag(call, parameter, false)?)
}

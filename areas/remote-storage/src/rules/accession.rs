//! How an item that a storage has taken in gets the storage's location.

use uuid::Uuid;

use super::Refusal;
use super::configuration::AccessionWorkflow;

/// The item with its holdings, and what else matters for where it goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shelved {
    /// The permanent location of the holdings.
    pub holdings_at: Option<Uuid>,
    /// The permanent locations of the other items of the holdings.
    pub others_at: Vec<Option<Uuid>>,
    /// The holdings of the title at the storage's location.
    pub there: Vec<Uuid>,
}

/// What happens to the holdings before the item gets its location.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// They are there already.
    Stay,
    /// The holdings move, and items without a location of their own keep where they are.
    MoveHoldings { keeping_items: bool },
    /// The item goes to these holdings.
    MoveItem(Uuid),
    /// The item goes to a copy of its holdings.
    CopyHoldings,
}

/// Decides the step.
///
/// # Errors
/// When more than one record of holdings could take the item.
pub fn decide(workflow: AccessionWorkflow, to: Uuid, item: &Shelved) -> Result<Step, Refusal> {
    if item.holdings_at == Some(to) {
        return Ok(Step::Stay);
    }
    match workflow {
        AccessionWorkflow::ChangePermanentLocation => Ok(Step::MoveHoldings {
            keeping_items: true,
        }),
        AccessionWorkflow::DuplicateHoldings => {
            if item.others_at.iter().all(|at| *at == Some(to)) {
                return Ok(Step::MoveHoldings {
                    keeping_items: false,
                });
            }
            match item.there.as_slice() {
                [] => Ok(Step::CopyHoldings),
                [only] => Ok(Step::MoveItem(*only)),
                _ => Err(Refusal::SeveralHoldings(to)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_workflow_finds_the_item_a_place() {
        use AccessionWorkflow::{ChangePermanentLocation, DuplicateHoldings};
        let id = Uuid::from_u128;
        let (remote, stacks) = (id(1), id(2));
        let shelved = |at, others: &[Option<Uuid>], there: &[u128]| Shelved {
            holdings_at: Some(at),
            others_at: others.to_vec(),
            there: there.iter().copied().map(id).collect(),
        };
        let moves = |keeping_items| Step::MoveHoldings { keeping_items };
        let elsewhere = Some(stacks);
        for (workflow, item, step) in [
            (
                ChangePermanentLocation,
                shelved(remote, &[None], &[5]),
                Step::Stay,
            ),
            (
                DuplicateHoldings,
                shelved(remote, &[None], &[5, 6]),
                Step::Stay,
            ),
            (
                ChangePermanentLocation,
                shelved(stacks, &[None], &[5, 6]),
                moves(true),
            ),
            (DuplicateHoldings, shelved(stacks, &[], &[5]), moves(false)),
            (
                DuplicateHoldings,
                shelved(stacks, &[Some(remote)], &[]),
                moves(false),
            ),
            (
                DuplicateHoldings,
                shelved(stacks, &[elsewhere], &[]),
                Step::CopyHoldings,
            ),
            (
                DuplicateHoldings,
                shelved(stacks, &[None], &[5]),
                Step::MoveItem(id(5)),
            ),
            (
                DuplicateHoldings,
                shelved(stacks, &[Some(remote), None], &[5]),
                Step::MoveItem(id(5)),
            ),
        ] {
            let decided = decide(workflow, remote, &item);
            assert_eq!(decided.ok(), Some(step), "{workflow:?} {item:?}");
        }
        let refused = decide(
            DuplicateHoldings,
            remote,
            &shelved(stacks, &[None], &[5, 6]),
        );
        assert!(matches!(refused, Err(Refusal::SeveralHoldings(place)) if place == remote));
    }
}

//! Which questions are asked.

use octavo_library::ItemStatus;
use serde_json::{Map, Value, json};

use super::{Act, Answers, ClaimFacts, Confirmed, Question, questions};

fn item(more: Value) -> Map<String, Value> {
    let mut item = Map::new();
    item.insert("status".to_owned(), json!({"name": "Available"}));
    if let Value::Object(more) = more {
        item.extend(more);
    }
    item
}

fn asked(act: Act, more: Value, confirmed: &[Confirmed], resolved: bool) -> Vec<Question> {
    let answers = Answers {
        confirmed: confirmed.to_vec(),
    };
    questions(act, &item(more), (&answers, resolved), ClaimFacts::default)
}

#[test]
fn an_ordinary_item_raises_no_question() {
    let notes = json!({"circulationNotes": [{"noteType": "Check out", "note": "only there"}], "numberOfPieces": "1"});
    assert_eq!(asked(Act::CheckIn, json!({}), &[], false), []);
    assert_eq!(asked(Act::CheckIn, notes, &[], false), []);
}

#[test]
fn a_claim_is_asked_for_at_check_in_only_and_until_it_is_resolved() {
    let claimed = json!({"status": {"name": "Claimed returned"}});
    let question = Question::ClaimedReturned(ClaimFacts::default());
    assert_eq!(asked(Act::CheckIn, claimed.clone(), &[], false), [question]);
    assert_eq!(asked(Act::CheckIn, claimed.clone(), &[], true), []);
    assert_eq!(asked(Act::CheckOut, claimed, &[], false), []);
}

#[test]
fn statuses_that_staff_should_know_of() {
    let unusual: Vec<ItemStatus> = ItemStatus::ALL
        .iter()
        .copied()
        .filter(|status| {
            let item = json!({"status": {"name": status.name()}});
            let found = asked(Act::CheckOut, item, &[], false);
            matches!(found[..], [Question::Status { .. }])
        })
        .collect();
    assert_eq!(
        unusual,
        [
            ItemStatus::DeclaredLost,
            ItemStatus::InProcessNonRequestable,
            ItemStatus::IntellectualItem,
            ItemStatus::LongMissing,
            ItemStatus::LostAndPaid,
            ItemStatus::Missing,
            ItemStatus::Restricted,
            ItemStatus::Unavailable,
            ItemStatus::Unknown,
            ItemStatus::Withdrawn,
        ]
    );
    let missing = json!({"status": {"name": "Missing"}, "discoverySuppress": true});
    let question = Question::Status {
        status: ItemStatus::Missing,
        suppressed: true,
    };
    assert_eq!(asked(Act::CheckIn, missing.clone(), &[], false), [question]);
    assert_eq!(
        asked(Act::CheckIn, missing, &[Confirmed::Status], false),
        []
    );
}

#[test]
fn pieces_are_counted_when_there_are_several_or_some_are_missing() {
    let table = [
        (json!({"numberOfPieces": "3"}), true),
        (json!({"numberOfPieces": "12 discs"}), true),
        (json!({"numberOfPieces": "1 box"}), false),
        (json!({"numberOfPieces": "several"}), false),
        (json!({"numberOfPieces": "99999999999999999999999"}), true),
        (json!({"numberOfMissingPieces": "1"}), true),
        (json!({"missingPieces": "the map"}), true),
        (json!({"missingPieces": "  "}), false),
        (json!({"descriptionOfPieces": "a box"}), false),
    ];
    for (more, expected) in table {
        let found = asked(Act::CheckOut, more.clone(), &[], false);
        assert_eq!(!found.is_empty(), expected, "{more}");
        assert_eq!(asked(Act::CheckOut, more, &[Confirmed::Pieces], false), []);
    }
}

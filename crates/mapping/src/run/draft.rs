//! The entity while it is made.

use serde_json::{Map, Value};

use crate::RecordKind;
use crate::finish::is_kept_empty;
use crate::properties::{Member, Place, Property, Shape, Target};

type Object = Map<String, Value>;

/// A record in a list that values still go to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Remembered {
    property: usize,
    at: usize,
    members: &'static [Member],
}

/// Values by property.
pub(super) struct Draft {
    properties: &'static [Property],
    slots: Vec<Slot>,
}

#[derive(Clone, Debug, Default)]
enum Slot {
    #[default]
    Empty,
    One(Value),
    Texts(Vec<Value>),
    Records(Vec<Object>),
    Part(Object),
}

impl Draft {
    pub fn new(properties: &'static [Property]) -> Draft {
        Draft {
            properties,
            slots: vec![Slot::Empty; properties.len()],
        }
    }

    /// Puts a value where the target says: into a new record of its list, or the one remembered if
    /// that is of the kind. False when there is no place for it.
    pub fn put(
        &mut self,
        target: Target,
        value: String,
        makes_new: bool,
        remembered: &mut Option<Remembered>,
    ) -> bool {
        match target.place {
            Place::Text => self.slots[target.property] = Slot::One(Value::String(value)),
            Place::Truth => self.slots[target.property] = Slot::One(truth(&value)),
            Place::Texts => match &mut self.slots[target.property] {
                Slot::Texts(texts) => texts.push(Value::String(value)),
                slot => *slot = Slot::Texts(vec![Value::String(value)]),
            },
            Place::Record { members, member } => {
                if makes_new {
                    *remembered = Some(self.new_record(target.property, members));
                } else if remembered.is_none_or(|own| !std::ptr::eq(own.members, members)) {
                    *remembered = None;
                    return false;
                }
                if let Some(own) = remembered
                    && let Slot::Records(records) = &mut self.slots[own.property]
                    && let Some(record) = records.get_mut(own.at)
                {
                    set(record, &members[member], value);
                }
            }
            Place::Part { members, member } => match &mut self.slots[target.property] {
                Slot::Part(part) => set(part, &members[member], value),
                // Only a rule that says so makes the part.
                _ => return false,
            },
        }
        true
    }

    /// Sets a text of the entity or of a part, which is made if it is not there; a blank text takes
    /// away what was there.
    pub fn put_single(&mut self, target: Target, value: String) {
        let is_blank = value.trim().is_empty();
        let slot = &mut self.slots[target.property];
        match target.place {
            Place::Part { members, member } => {
                if !matches!(slot, Slot::Part(_)) {
                    *slot = Slot::Part(Object::new());
                }
                if let Slot::Part(part) = slot {
                    if is_blank {
                        part.shift_remove(members[member].name);
                    } else {
                        set(part, &members[member], value);
                    }
                }
            }
            _ if is_blank => *slot = Slot::Empty,
            _ => *slot = Slot::One(Value::String(value)),
        }
    }

    fn new_record(&mut self, property: usize, members: &'static [Member]) -> Remembered {
        let slot = &mut self.slots[property];
        if !matches!(slot, Slot::Records(_)) {
            *slot = Slot::Records(Vec::new());
        }
        let mut at = 0;
        if let Slot::Records(records) = slot {
            at = records.len();
            records.push(Object::new());
        }
        Remembered {
            property,
            at,
            members,
        }
    }

    /// The entity: repetitions are left out where lists have none, and records that say nothing.
    pub fn finish(self, kind: RecordKind) -> Object {
        let mut entity = Object::with_capacity(self.properties.len());
        for (property, slot) in self.properties.iter().zip(self.slots) {
            let value = match (slot, property.shape) {
                (Slot::Empty, Shape::Text | Shape::Truth | Shape::Part(_)) => continue,
                (Slot::Empty, _) => Value::Array(Vec::new()),
                (Slot::One(value), _) => value,
                (Slot::Texts(texts), Shape::DistinctTexts) => Value::Array(distinct(texts)),
                (Slot::Texts(texts), _) => Value::Array(texts),
                (Slot::Records(mut records), shape) => {
                    if let Shape::Records(members) | Shape::DistinctRecords(members) = shape {
                        records.retain(|record| says_something(record, members));
                    }
                    let records: Vec<Value> = records.into_iter().map(Value::Object).collect();
                    Value::Array(match shape {
                        Shape::DistinctRecords(_) => distinct(records),
                        _ => records,
                    })
                }
                (Slot::Part(part), _) if part.is_empty() => continue,
                (Slot::Part(part), _) => Value::Object(part),
            };
            let is_empty = value.as_array().is_some_and(Vec::is_empty);
            if !is_empty || is_kept_empty(kind, property.name) {
                entity.insert(property.name.to_owned(), value);
            }
        }
        entity
    }
}

fn says_something(record: &Object, members: &[Member]) -> bool {
    !record.is_empty()
        && members
            .iter()
            .filter(|member| member.is_needed)
            .all(|member| record.contains_key(member.name))
}

fn set(record: &mut Object, member: &Member, value: String) {
    let value = if member.is_truth {
        truth(&value)
    } else {
        Value::String(value)
    };
    record.insert(member.name.to_owned(), value);
}

fn truth(value: &str) -> Value {
    Value::Bool(value.eq_ignore_ascii_case("true"))
}

/// The values without repetitions. Lists are short: they are compared one by one up to a number,
/// beyond which their text is.
fn distinct(values: Vec<Value>) -> Vec<Value> {
    const FEW: usize = 16;
    let mut kept: Vec<Value> = Vec::with_capacity(values.len());
    if values.len() <= FEW {
        for value in values {
            if !kept.contains(&value) {
                kept.push(value);
            }
        }
        return kept;
    }
    let mut seen = std::collections::HashSet::new();
    for value in values {
        if seen.insert(value.to_string()) {
            kept.push(value);
        }
    }
    kept
}

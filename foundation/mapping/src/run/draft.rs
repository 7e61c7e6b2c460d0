//! The mapped record while it is built.

use serde_json::{Map, Value};

use crate::RecordKind;
use crate::finish::is_kept_empty;
use crate::properties::{Member, Property, Shape, Target, TargetShape};

type Object = Map<String, Value>;

/// The most bytes of text in a mapped record: rules may use each field many times.
const ENTITY_BYTES_MAX: usize = 16 << 20;

/// The object in a list that further values are added to.
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
    /// Bytes that may still be added.
    room: usize,
}

#[derive(Clone, Debug, Default)]
enum Slot {
    #[default]
    Empty,
    One(Value),
    Texts(Vec<Value>),
    Records(Vec<Fields>),
    Part(Fields),
}

/// The fields of an object that were written, by their position among its members.
#[derive(Clone, Debug, Default)]
struct Fields(Vec<(usize, Value)>);

impl Fields {
    fn set(&mut self, members: &[Member], member: usize, value: String) {
        let about = &members[member];
        if about.is_id && !is_id(&value) {
            return;
        }
        let value = if about.is_truth {
            truth(&value)
        } else {
            Value::String(value)
        };
        match self.0.iter_mut().find(|(own, _)| *own == member) {
            Some((_, old)) => *old = value,
            None => self.0.push((member, value)),
        }
    }

    fn remove(&mut self, member: usize) {
        self.0.retain(|(own, _)| *own != member);
    }

    /// Whether all required fields of the object are there.
    fn says_something(&self, members: &[Member]) -> bool {
        let has = |member: usize| self.0.iter().any(|(own, _)| *own == member);
        let mut needed = members
            .iter()
            .enumerate()
            .filter(|(_, about)| about.is_needed);
        !self.0.is_empty() && needed.all(|(member, _)| has(member))
    }

    fn into_value(self, members: &[Member]) -> Value {
        let mut object = Object::with_capacity(self.0.len());
        for (member, value) in self.0 {
            object.insert(members[member].name.to_owned(), value);
        }
        Value::Object(object)
    }
}

/// Whether a text is an id with hyphens.
fn is_id(text: &str) -> bool {
    text.len() == 36 && uuid::Uuid::try_parse(text).is_ok()
}

impl Draft {
    pub fn new(properties: &'static [Property]) -> Draft {
        Draft {
            properties,
            slots: vec![Slot::Empty; properties.len()],
            room: ENTITY_BYTES_MAX,
        }
    }

    /// Writes a value to the target: into a new object of its list, or into the remembered one if
    /// that is in the same list. False when there is no such object.
    pub fn put(
        &mut self,
        target: Target,
        value: String,
        makes_new: bool,
        remembered: &mut Option<Remembered>,
    ) -> bool {
        let Some(room) = self.room.checked_sub(value.len() + 1) else {
            self.room = 0;
            return false;
        };
        self.room = room;
        match target.place {
            TargetShape::Text => self.slots[target.property] = Slot::One(Value::String(value)),
            TargetShape::Truth => self.slots[target.property] = Slot::One(truth(&value)),
            TargetShape::Texts => match &mut self.slots[target.property] {
                Slot::Texts(texts) => texts.push(Value::String(value)),
                slot => *slot = Slot::Texts(vec![Value::String(value)]),
            },
            TargetShape::Record { members, member } => {
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
                    record.set(members, member, value);
                }
            }
            TargetShape::Part { members, member } => match &mut self.slots[target.property] {
                Slot::Part(part) => part.set(members, member, value),
                // Only a rule marked so creates the nested object.
                _ => return false,
            },
        }
        true
    }

    /// Sets a text of the record or of a nested object, which is created if it does not exist; a
    /// blank text removes the value.
    pub fn put_single(&mut self, target: Target, value: String) {
        let is_blank = value.trim().is_empty();
        let slot = &mut self.slots[target.property];
        match target.place {
            TargetShape::Part { members, member } => {
                if !matches!(slot, Slot::Part(_)) {
                    *slot = Slot::Part(Fields::default());
                }
                if let Slot::Part(part) = slot {
                    if is_blank {
                        part.remove(member);
                    } else {
                        part.set(members, member, value);
                    }
                }
            }
            _ if is_blank => *slot = Slot::Empty,
            _ => *slot = Slot::One(Value::String(value)),
        }
    }

    /// Whether the limit has not been reached.
    pub fn has_room(&self) -> bool {
        self.room > 0
    }

    fn new_record(&mut self, property: usize, members: &'static [Member]) -> Remembered {
        let slot = &mut self.slots[property];
        if !matches!(slot, Slot::Records(_)) {
            *slot = Slot::Records(Vec::new());
        }
        let mut at = 0;
        if let Slot::Records(records) = slot {
            at = records.len();
            records.push(Fields::default());
        }
        Remembered {
            property,
            at,
            members,
        }
    }

    /// The record: duplicates are removed from lists that allow none, and incomplete objects are
    /// left out.
    pub fn finish(self, kind: RecordKind) -> Object {
        let mut entity = Object::with_capacity(self.properties.len());
        for (property, slot) in self.properties.iter().zip(self.slots) {
            let value = match (slot, property.shape) {
                (Slot::Empty, Shape::Text | Shape::Truth | Shape::Part(_)) => continue,
                (Slot::Empty, _) => Value::Array(Vec::new()),
                (Slot::One(value), _) => value,
                (Slot::Texts(texts), Shape::DistinctTexts) => Value::Array(distinct(texts)),
                (Slot::Texts(texts), _) => Value::Array(texts),
                (
                    Slot::Records(mut records),
                    Shape::Records(members) | Shape::DistinctRecords(members),
                ) => {
                    records.retain(|record| record.says_something(members));
                    let records = records.into_iter();
                    let records = records.map(|record| record.into_value(members)).collect();
                    Value::Array(match property.shape {
                        Shape::DistinctRecords(_) => distinct(records),
                        _ => records,
                    })
                }
                (Slot::Part(part), Shape::Part(members)) if !part.0.is_empty() => {
                    part.into_value(members)
                }
                (Slot::Records(_) | Slot::Part(_), _) => continue,
            };
            let is_empty = value.as_array().is_some_and(Vec::is_empty);
            if !is_empty || is_kept_empty(kind, property.name) {
                entity.insert(property.name.to_owned(), value);
            }
        }
        entity
    }
}

fn truth(value: &str) -> Value {
    Value::Bool(value.eq_ignore_ascii_case("true"))
}

/// The values without duplicates. Short lists are compared pairwise, longer ones through a set of
/// their texts.
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

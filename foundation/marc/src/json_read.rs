//! Parses the text of FOLIO's MARC in JSON straight into a record, without a tree in between: loads
//! and exports do so by the million.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::json::{readable, without_nul};
use crate::{ControlField, DataField, Field, JsonError, Leader, Record, Subfield, Tag};

impl Record {
    /// Reads the text of FOLIO's MARC in JSON; accepts and rejects the same as
    /// [`Record::from_json`].
    pub fn from_json_text(text: &str) -> Result<Record, JsonError> {
        if let Ok(Whole(record)) = serde_json::from_str(text) {
            return Ok(record);
        }
        // The slower reader reports the error with its path; errors are rare.
        match serde_json::from_str(text) {
            Ok(value) => Record::from_json(&value),
            Err(_) => Err(JsonError {
                path: "the text".to_owned(),
                problem: "JSON is expected",
            }),
        }
    }
}

/// A string, borrowed from the text where nothing in it is escaped.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

struct Whole(Record);

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Whole, D::Error> {
        deserializer.deserialize_map(OfRecord).map(Whole)
    }
}

struct OfRecord;

impl<'de> Visitor<'de> for OfRecord {
    type Value = Record;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a record")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Record, A::Error> {
        let (mut leader, mut fields) = (None, None);
        while let Some(Text(name)) = members.next_key()? {
            match &*name {
                "leader" => {
                    let Text(text) = members.next_value()?;
                    leader = Some(Leader::from_bytes(text.as_bytes()));
                }
                "fields" => fields = Some(members.next_value_seed(OfFields)?),
                _ => {
                    members.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(Record {
            leader: leader.ok_or_else(|| A::Error::missing_field("leader"))?,
            fields: fields.ok_or_else(|| A::Error::missing_field("fields"))?,
        })
    }
}

struct OfFields;

impl<'de> DeserializeSeed<'de> for OfFields {
    type Value = Vec<Field>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<Field>, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for OfFields {
    type Value = Vec<Field>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of fields")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<Field>, A::Error> {
        let mut fields = Vec::with_capacity(32);
        while items.next_element_seed(OfField(&mut fields))?.is_some() {}
        Ok(fields)
    }
}

/// One object of the array: usually one field, but one for each of its members.
struct OfField<'a>(&'a mut Vec<Field>);

impl<'de> DeserializeSeed<'de> for OfField<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for OfField<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a field")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        while let Some(Text(tag)) = members.next_key()? {
            let tag = Tag::new(&tag).ok_or_else(|| A::Error::custom("no tag"))?;
            self.0.push(members.next_value_seed(OfContent(tag))?);
        }
        Ok(())
    }
}

/// The value of a tag: a text, or indicators and subfields.
struct OfContent(Tag);

impl<'de> DeserializeSeed<'de> for OfContent {
    type Value = Field;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Field, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for OfContent {
    type Value = Field;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string or an object")
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Field, E> {
        Ok(Field::Control(ControlField {
            tag: self.0,
            value: without_nul(value.to_owned()),
        }))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Field, A::Error> {
        let (mut indicators, mut subfields) = ([' ', ' '], None);
        while let Some(Text(name)) = members.next_key()? {
            match &*name {
                "ind1" => indicators[0] = indicator(members.next_value()?)?,
                "ind2" => indicators[1] = indicator(members.next_value()?)?,
                "subfields" => subfields = Some(members.next_value_seed(OfSubfields)?),
                _ => {
                    members.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(Field::Data(DataField {
            tag: self.0,
            indicators,
            subfields: subfields.ok_or_else(|| A::Error::missing_field("subfields"))?,
        }))
    }
}

fn indicator<E: Error>(text: Option<Text<'_>>) -> Result<char, E> {
    let Some(Text(text)) = text else {
        return Ok(' ');
    };
    let mut characters = text.chars();
    match (characters.next(), characters.next()) {
        (first, None) => Ok(first.map_or(' ', readable)),
        _ => Err(E::custom("no indicator")),
    }
}

struct OfSubfields;

impl<'de> DeserializeSeed<'de> for OfSubfields {
    type Value = Vec<Subfield>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for OfSubfields {
    type Value = Vec<Subfield>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of subfields")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<Subfield>, A::Error> {
        let mut subfields = Vec::with_capacity(4);
        while items
            .next_element_seed(OfSubfield(&mut subfields))?
            .is_some()
        {}
        Ok(subfields)
    }
}

/// One object of the array: usually one subfield, but one for each of its members.
struct OfSubfield<'a>(&'a mut Vec<Subfield>);

impl<'de> DeserializeSeed<'de> for OfSubfield<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for OfSubfield<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a subfield")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        while let Some(Text(code)) = members.next_key()? {
            let mut characters = code.chars();
            let (Some(code), None) = (characters.next(), characters.next()) else {
                return Err(A::Error::custom("no code"));
            };
            let value: String = members.next_value()?;
            self.0.push(Subfield {
                code: readable(code),
                value: without_nul(value),
            });
        }
        Ok(())
    }
}

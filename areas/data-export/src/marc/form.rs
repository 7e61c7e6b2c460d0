//! Chooses the exported record: as it was loaded, or as it is in the catalogue.

use octavo_marc::{Field, Leader, Record, parse_iso2709};

use super::insert::{insert_in_place, without_fields};
use super::kept::{is_own, is_unchanged};
use super::quick::unchanged_by_text;

/// The form of exported records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The original bytes of records unchanged since loading; otherwise the current record without the
    /// catalogue's own 999.
    Loaded,
    /// As in the catalogue: 001 is the HRID, 999 ff names instance and source record.
    Catalogue,
}

/// A stored record.
#[derive(Debug, Clone, Copy)]
pub struct StoredRecord<'a> {
    /// The original bytes, if known.
    pub raw: Option<&'a [u8]>,
    /// The current record.
    pub now: Now<'a>,
}

/// The current record, in the form that was read.
#[derive(Debug, Clone, Copy)]
pub enum Now<'a> {
    /// As lines of text, which are sometimes ambiguous.
    Lines(&'a str),
    /// As MARC in JSON.
    Json(&'a str),
}

/// Changes of each record besides its form.
#[derive(Debug, Clone, Default)]
pub struct Shaping {
    /// Removed tags.
    pub suppressed: Vec<String>,
    /// Whether the field with the catalogue's ids is removed.
    pub without_own: bool,
}

impl Shaping {
    /// Whether nothing is removed.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.suppressed.is_empty() && !self.without_own
    }
}

/// The exported record.
#[derive(Debug, PartialEq, Eq)]
pub enum Leaving {
    /// The original bytes, which equal this record.
    Untouched,
    /// A record to serialise.
    Record(Box<Record>),
    /// Undecided without the record's JSON.
    Unsaid,
}

/// The exported record. `untouched_bytes` means that the caller can use the original bytes.
///
/// # Errors
/// When the stored JSON is not MARC.
pub fn shape(
    held: StoredRecord<'_>,
    form: Form,
    added: Vec<Field>,
    shaping: &Shaping,
    untouched_bytes: bool,
) -> Result<Leaving, String> {
    let came = held.raw.and_then(came);
    let (unchanged, mut now) = match held.now {
        Now::Lines(text) => match came.as_ref().and_then(|came| unchanged_by_text(came, text)) {
            Some(now) => (true, now),
            None => return Ok(Leaving::Unsaid),
        },
        Now::Json(text) => {
            let now = Record::from_json_text(text).map_err(|error| error.to_string())?;
            let unchanged = came
                .as_ref()
                .is_some_and(|came| is_unchanged(came.clone(), &now));
            (unchanged, now)
        }
    };
    if form == Form::Loaded {
        match came.filter(|_| unchanged) {
            Some(_)
                if untouched_bytes
                    && added.is_empty()
                    && shaping.is_none()
                    && is_iso2709(held.raw) =>
            {
                return Ok(Leaving::Untouched);
            }
            Some(came) => now = came,
            None => now.fields.retain(|field| !is_own(field)),
        }
    }
    if form == Form::Catalogue {
        set_constants(&mut now.leader);
    }
    insert_in_place(&mut now, added);
    without_fields(&mut now, shaping);
    Ok(Leaving::Record(Box::new(now)))
}

/// What every MARC 21 record has in its leader: two indicators, codes of two characters, and the shape
/// of the directory's entries. A loaded record may lack them.
fn set_constants(leader: &mut Leader) {
    for (from, constant) in [(10, "22"), (20, "4500")] {
        for (position, character) in (from..).zip(constant.chars()) {
            leader.set(position, character);
        }
    }
}

/// Parses the original bytes: ISO 2709, or JSON if that could not represent the record.
fn came(raw: &[u8]) -> Option<Record> {
    if raw.first() == Some(&b'{') {
        return Record::from_json_text(std::str::from_utf8(raw).ok()?).ok();
    }
    parse_iso2709(raw).ok().map(|(record, _)| record)
}

fn is_iso2709(raw: Option<&[u8]>) -> bool {
    raw.is_some_and(|raw| raw.first() != Some(&b'{'))
}

#[cfg(test)]
mod tests {
    use octavo_mapping::fixed::{identify, keep_control_number};
    use octavo_marc::{parse_text, write_iso2709};

    use super::*;

    struct Kept {
        raw: Vec<u8>,
        parsed: String,
        lines: String,
    }

    fn kept(text: &str, change: impl FnOnce(&mut Record)) -> Kept {
        let mut record = parse_text(text).unwrap();
        let raw = write_iso2709(&record).unwrap();
        keep_control_number(&mut record);
        identify(&mut record, "in01", "instance", "source");
        change(&mut record);
        let (parsed, lines) = (record.to_json_text(), record.to_string());
        Kept { raw, parsed, lines }
    }

    fn leaving(kept: &Kept, form: Form, shaping: &Shaping) -> Leaving {
        let held = StoredRecord {
            raw: Some(&kept.raw),
            now: Now::Json(&kept.parsed),
        };
        let by_json = shape(held, form, Vec::new(), shaping, true).unwrap();
        let held = StoredRecord {
            now: Now::Lines(&kept.lines),
            ..held
        };
        let by_lines = shape(held, form, Vec::new(), shaping, true).unwrap();
        assert!(by_lines == by_json || by_lines == Leaving::Unsaid);
        by_json
    }

    fn text(leaving: &Leaving) -> String {
        match leaving {
            Leaving::Untouched => "untouched".to_owned(),
            Leaving::Unsaid => "unsaid".to_owned(),
            Leaving::Record(record) => record.to_string().split_once('\n').unwrap().1.to_owned(),
        }
    }

    const TEXT: &str = "001 991\n245 10$aBridges";

    #[test]
    fn what_is_unchanged_leaves_as_it_came() {
        let kept = kept(TEXT, |_| ());
        let none = Shaping::default();
        assert_eq!(leaving(&kept, Form::Loaded, &none), Leaving::Untouched);
        assert_eq!(
            text(&leaving(&kept, Form::Catalogue, &none)),
            "001 in01\n035   $a991\n245 10$aBridges\n999 ff$iinstance$ssource\n"
        );
        let shaping = Shaping {
            suppressed: vec!["245".to_owned()],
            without_own: true,
        };
        assert_eq!(text(&leaving(&kept, Form::Loaded, &shaping)), "001 991\n");
        assert_eq!(
            text(&leaving(&kept, Form::Catalogue, &shaping)),
            "001 in01\n035   $a991\n"
        );
    }

    #[test]
    fn what_was_changed_leaves_as_it_is_now_without_the_catalogues_field() {
        let kept = kept(TEXT, |record| record.leader.set(5, 'c'));
        let none = Shaping::default();
        assert_eq!(
            text(&leaving(&kept, Form::Loaded, &none)),
            "001 in01\n035   $a991\n245 10$aBridges\n"
        );
    }

    #[test]
    fn the_catalogues_leader_has_its_constants() {
        let text = "LEADER 00000nam a  00000   45  \n001 991\n245 10$aBridges";
        let kept = kept(text, |_| ());
        let none = Shaping::default();
        assert_eq!(leaving(&kept, Form::Loaded, &none), Leaving::Untouched);
        match leaving(&kept, Form::Catalogue, &none) {
            Leaving::Record(record) => {
                assert_eq!(&record.leader.as_str()[5..12], "nam a22");
                assert_eq!(&record.leader.as_str()[17..], "   4500");
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn without_bytes_the_record_of_today_leaves() {
        let kept = kept(TEXT, |_| ());
        let held = StoredRecord {
            raw: None,
            now: Now::Json(&kept.parsed),
        };
        let none = Shaping::default();
        let leaving = shape(held, Form::Loaded, Vec::new(), &none, true).unwrap();
        assert!(text(&leaving).starts_with("001 in01\n"));
        let broken = StoredRecord {
            raw: None,
            now: Now::Json("{}"),
        };
        assert!(shape(broken, Form::Loaded, Vec::new(), &none, true).is_err());
    }
}

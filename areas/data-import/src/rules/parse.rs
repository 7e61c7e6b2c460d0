//! Parses the records of a chunk independently: an error in one does not affect others.

use octavo_edifact::{Message, messages};
use octavo_marc::{Record, XmlReader, parse_iso2709};
use serde_json::{Value, json};

use super::tree::{Node, Tree};

/// Bytes of one record, in whatever form.
pub(crate) const RECORD_BYTES_MAX: usize = 2 * 1024 * 1024;

/// The forms of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Raw,
    Json,
    Xml,
    /// EDIFACT messages instead of MARC records.
    Edifact,
}

impl Format {
    /// The form of FOLIO's name.
    pub(crate) fn named(name: &str) -> Option<Format> {
        Some(match name {
            "MARC_RAW" => Format::Raw,
            "MARC_JSON" => Format::Json,
            "MARC_XML" => Format::Xml,
            "EDIFACT_RAW" => Format::Edifact,
            _ => return None,
        })
    }

    /// FOLIO's name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Format::Raw => "MARC_RAW",
            Format::Json => "MARC_JSON",
            Format::Xml => "MARC_XML",
            Format::Edifact => "EDIFACT_RAW",
        }
    }

    /// The form that FOLIO expects of a file by its job's type of data and its name.
    pub(crate) fn of_file(data_type: &str, name: &str) -> Format {
        if data_type == "EDIFACT" {
            return Format::Edifact;
        }
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        match ending.to_ascii_lowercase().as_str() {
            "json" => Format::Json,
            "xml" => Format::Xml,
            _ => Format::Raw,
        }
    }
}

/// What a record describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MarcRecordKind {
    Bib,
    Holdings,
    Authority,
}

impl MarcRecordKind {
    /// What the leader says.
    pub(crate) fn of(record: &Record) -> MarcRecordKind {
        match record.leader.record_type() {
            'z' => MarcRecordKind::Authority,
            'u' | 'v' | 'x' | 'y' => MarcRecordKind::Holdings,
            _ => MarcRecordKind::Bib,
        }
    }

    /// FOLIO's name of source records.
    pub(crate) fn record_type(self) -> &'static str {
        match self {
            MarcRecordKind::Bib => "MARC_BIB",
            MarcRecordKind::Holdings => "MARC_HOLDING",
            MarcRecordKind::Authority => "MARC_AUTHORITY",
        }
    }

    /// FOLIO's name in profiles and journals.
    pub(crate) fn entity(self) -> &'static str {
        match self {
            MarcRecordKind::Bib => "MARC_BIBLIOGRAPHIC",
            MarcRecordKind::Holdings => "MARC_HOLDINGS",
            MarcRecordKind::Authority => "MARC_AUTHORITY",
        }
    }

    /// The entity that is made of it.
    pub(crate) fn related(self) -> &'static str {
        match self {
            MarcRecordKind::Bib => "INSTANCE",
            MarcRecordKind::Holdings => "HOLDINGS",
            MarcRecordKind::Authority => "AUTHORITY",
        }
    }
}

/// Parses one record; the error is JSON in FOLIO's form.
pub(crate) fn read(format: Format, bytes: &[u8]) -> Result<Record, Value> {
    if bytes.len() > RECORD_BYTES_MAX {
        return Err(wrong(format!(
            "the record has {} bytes; {RECORD_BYTES_MAX} are the most",
            bytes.len()
        )));
    }
    let record = match format {
        Format::Edifact => return Err(wrong("the record is no MARC record".to_owned())),
        Format::Raw => {
            let (record, _) = parse_iso2709(bytes).map_err(|e| wrong(e.to_string()))?;
            record
        }
        Format::Json => {
            let text = &String::from_utf8_lossy(bytes);
            let value: Value = serde_json::from_str(text)
                .map_err(|error| json!({"message": error.to_string(), "error": shown(text)}))?;
            Record::from_json(&value)
                .map_err(|error| json!({"message": error.to_string(), "error": shown(text)}))?
        }
        Format::Xml => {
            let text = String::from_utf8_lossy(bytes);
            let mut reader = XmlReader::new(text.as_bytes());
            match reader.next() {
                Some(Ok(record)) => record,
                Some(Err(error)) => return Err(wrong(error.reason.to_string())),
                None => return Err(wrong("there is no record".to_owned())),
            }
        }
    };
    if record.fields.is_empty() {
        return Err(wrong("the record has no fields".to_owned()));
    }
    Ok(record)
}

/// Parses the one message of an interchange; the error is JSON in FOLIO's form.
pub(crate) fn read_message(bytes: &[u8]) -> Result<Message, Value> {
    let wrong = |message: String| json!({"name": "EDIException", "message": message});
    let text = String::from_utf8_lossy(bytes);
    let segments = octavo_edifact::parse(&text).map_err(|error| wrong(error.to_string()))?;
    let found = messages(&segments).map_err(|error| wrong(error.to_string()))?;
    match <[Message; 1]>::try_from(found) {
        Ok([message]) => match message.check() {
            Ok(()) => Ok(message),
            Err(error) => Err(wrong(error.to_string())),
        },
        Err(several) => Err(wrong(format!(
            "the record has {} messages; each is a record of its own",
            several.len()
        ))),
    }
}

fn wrong(message: String) -> Value {
    json!({"name": "MarcException", "message": message})
}

/// The beginning of a client's text.
fn shown(text: &str) -> String {
    text.chars().take(1_000).collect()
}

/// Whether the record has the catalogue's own field with ids.
pub(crate) fn is_marked(record: &Record) -> bool {
    own(record, 'i').is_some() || own(record, 's').is_some()
}

/// A subfield of the catalogue's own field.
pub(crate) fn own(record: &Record, code: char) -> Option<&str> {
    let mut fields = record
        .data("999")
        .filter(|field| field.indicators == ['f', 'f']);
    fields
        .find_map(|field| field.get(code))
        .filter(|value| !value.trim().is_empty())
}

/// Why a record with the catalogue's ids creates nothing, with FOLIO's messages. If a profile modifies
/// the record first, which may remove the ids, it is checked at creation instead.
pub(crate) fn refuse_marked(tree: &Tree, record: &Record) -> Option<Value> {
    if !is_marked(record) || tree.any(&|node| node.is_action("MODIFY", "MARC_BIBLIOGRAPHIC")) {
        return None;
    }
    let creates = |what: &str, marc: Option<&str>| {
        tree.any(&|node: &Node<'_>| {
            node.is_action("CREATE", what)
                && marc.is_none_or(|marc| {
                    node.children()
                        .any(|child| child.text("incomingRecordType") == marc)
                })
        })
    };
    let what = if creates("INSTANCE", None) {
        "Instance"
    } else if creates("HOLDINGS", Some("MARC_HOLDINGS")) {
        "MARC-Holding"
    } else if creates("AUTHORITY", None) {
        "MARC-Authority"
    } else {
        return None;
    };
    Some(json!({"error": not_created(what)}))
}

/// FOLIO's message about a record with the catalogue's ids.
pub(crate) fn not_created(what: &str) -> String {
    format!(
        "A new {what} was not created because the incoming record already contained a 999ff$s or \
         999ff$i field"
    )
}

/// The title that the log shows.
pub(crate) fn title(kind: MarcRecordKind, record: &Record) -> Option<String> {
    let field = |tag: &str, codes: &str| -> Option<String> {
        let data = record.data(tag).next()?;
        let parts: Vec<&str> = data
            .subfields
            .iter()
            .filter(|one| codes.is_empty() || codes.contains(one.code))
            .map(|one| one.value.as_str())
            .collect();
        Some(parts.join(" ")).filter(|text| !text.trim().is_empty())
    };
    match kind {
        MarcRecordKind::Bib => field("245", "anpbcfghks").or_else(|| Some("No content".to_owned())),
        MarcRecordKind::Authority => ["100", "110", "111", "130", "150", "151", "155"]
            .iter()
            .find_map(|tag| field(tag, ""))
            .or_else(|| Some("No content".to_owned())),
        MarcRecordKind::Holdings => None,
    }
}

#[cfg(test)]
mod tests {
    use octavo_marc::{parse_text, write_iso2709, write_xml};

    use super::*;

    #[test]
    fn each_form_is_read() {
        let record = parse_text("001 a\n245 10$aBridges").unwrap();
        let raw = write_iso2709(&record).unwrap();
        assert_eq!(read(Format::Raw, &raw).unwrap().fields, record.fields);
        let json = record.to_json().to_string();
        assert_eq!(
            read(Format::Json, json.as_bytes()).unwrap().fields,
            record.fields
        );
        let mut xml = Vec::new();
        write_xml(&record, &mut xml).unwrap();
        assert_eq!(read(Format::Xml, &xml).unwrap().fields, record.fields);
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        for (format, text) in [
            (Format::Raw, ""),
            (Format::Raw, "nonsense"),
            (Format::Json, "{"),
            (Format::Json, "[]"),
            (Format::Xml, "<collection/>"),
            (Format::Xml, "<record>"),
        ] {
            let error = read(format, text.as_bytes()).unwrap_err();
            assert!(error["message"].is_string(), "{format:?} {text}: {error}");
        }
        assert!(read(Format::Raw, &vec![b'x'; RECORD_BYTES_MAX + 1]).is_err());
    }

    #[test]
    fn nothing_outside_an_xml_record_is_ever_read() {
        let text = "<?xml version=\"1.0\"?><!DOCTYPE r [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>\
            <record xmlns=\"http://www.loc.gov/MARC21/slim\"><leader>00000nam a2200000 a 4500</leader>\
            <datafield tag=\"245\" ind1=\" \" ind2=\" \"><subfield code=\"a\">T &x;</subfield>\
            </datafield></record>";
        if let Ok(record) = read(Format::Xml, text.as_bytes()) {
            assert!(!record.to_string().contains("root:"), "{record}");
        }
    }

    #[test]
    fn the_title_is_that_of_the_record() {
        let record = parse_text("245 10$aBridges /$cA. Mason").unwrap();
        assert_eq!(
            title(MarcRecordKind::Bib, &record).as_deref(),
            Some("Bridges / A. Mason")
        );
        let none = parse_text("500   $aLoose").unwrap();
        assert_eq!(
            title(MarcRecordKind::Bib, &none).as_deref(),
            Some("No content")
        );
    }
}

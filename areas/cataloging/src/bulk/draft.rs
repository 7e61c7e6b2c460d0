//! Makes the documents of one MARC record. No I/O: HRIDs, time and settings are arguments.

use octavo_inventory::rules::instance_form::Links;
use octavo_inventory::rules::{defaults, derive_holdings, derive_item};
use octavo_library::SourceRecordId;
use octavo_mapping::bib::{
    HoldingsDefaults, ItemDefaults, MappingError, check_leader, check_title, holdings_from_marc,
    identify, items_from_marc, keep_control_number,
};
use octavo_marc::{Field, Record};
use octavo_records::store::Ready;
use octavo_records::{Collection, Stamp, Violation, instant};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::settings::HoldingsSettings;
use super::source::{Source, raw};
use super::{Created, Creating, Incoming, Problem, complete_instance};
use crate::derive::titles;

/// A mapped record, before it has an HRID.
#[derive(Debug)]
pub struct Draft {
    position: u64,
    /// The raw record.
    raw: String,
    /// Its bytes, if `raw` does not represent them exactly.
    bytes: Option<Vec<u8>>,
    /// The record without its foreign control number.
    record: Record,
    instance: Map<String, Value>,
    /// Its preceding and succeeding titles, which are separate records.
    links: Links,
}

/// All documents that are stored for one record.
#[derive(Debug, Clone)]
pub(super) struct Documents {
    pub created: Created,
    pub instance: Ready,
    pub titles: Vec<Map<String, Value>>,
    pub holdings: Vec<Map<String, Value>>,
    pub items: Vec<Map<String, Value>>,
    pub source: Ready,
    pub bytes: Option<Vec<u8>>,
}

/// Maps a record.
///
/// # Errors
/// The reason why it makes no instance, with the record's position.
pub fn draft(creating: &Creating, incoming: Incoming) -> Result<Draft, Problem> {
    let Incoming {
        position,
        bytes,
        mut record,
    } = incoming;
    let refused = |error: MappingError| Problem {
        position,
        reason: error.to_string(),
    };
    check_leader(&record.leader).map_err(refused)?;
    let (raw, bytes) = raw(bytes, &record);
    keep_control_number(&mut record);
    let mut mapped = creating.rules.map(&record, &creating.references);
    check_title(&record, &mapped).map_err(refused)?;
    let links = titles::take(&mut mapped.entity);
    Ok(Draft {
        position,
        raw,
        bytes,
        record,
        instance: mapped.entity,
        links,
    })
}

impl Draft {
    /// The record's number in the input, from 1.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.position
    }
}

/// The context for completing drafts.
pub(super) struct Completing<'a> {
    pub creating: &'a Creating,
    pub instances: &'a Collection,
    /// The collection of preceding and succeeding titles.
    pub titles: &'a Collection,
    pub stamp: &'a Stamp,
    /// The instant of the stamp in the stored notation.
    pub now: String,
    /// The metadata of new source records.
    pub metadata: Value,
}

impl<'a> Completing<'a> {
    pub(super) fn new(
        creating: &'a Creating,
        instances: &'a Collection,
        titles: &'a Collection,
        stamp: &'a Stamp,
    ) -> Completing<'a> {
        Completing {
            creating,
            instances,
            titles,
            stamp,
            now: instant::format(stamp.at),
            metadata: stamp.created(),
        }
    }

    /// Completes a draft; the error names what does not fit the record type.
    pub(super) fn documents(&self, draft: Draft, hrid: &str) -> Result<Documents, Problem> {
        let Draft {
            position,
            raw,
            bytes,
            mut record,
            mut instance,
            links,
        } = draft;
        let refused = |reason| Problem { position, reason };
        let unfit = |violations: Vec<Violation>| refused(violations_text(&violations));
        let instance_id = new_id(self.stamp);
        let source_id = SourceRecordId::from(new_id(self.stamp));
        let (holdings, items) = match &self.creating.holdings {
            Some(wanted) => holdings_and_items(&record, instance_id, wanted, &self.now),
            None => (Vec::new(), Vec::new()),
        };
        instance.insert("id".to_owned(), json!(instance_id));
        instance.insert("hrid".to_owned(), json!(hrid));
        instance.insert("source".to_owned(), json!("MARC"));
        let mut instance = Value::Object(instance);
        complete_instance(&mut instance, &self.now);
        self.instances.shape.check(&mut instance).map_err(unfit)?;
        let titles = titles::of_new(self.titles, instance_id, links).map_err(unfit)?;
        let mut instance = object(instance);
        let deleted = record.leader.status() == 'd';
        let suppressed = instance.get("discoverySuppress") == Some(&Value::Bool(true));
        let title = instance
            .get("title")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned();
        self.stamp.complete(self.instances, &mut instance);
        identify(
            &mut record,
            hrid,
            &instance_id.to_string(),
            &source_id.to_string(),
        );
        let source = Source {
            id: source_id,
            snapshot_id: self.creating.snapshot_id,
            instance_id,
            instance_hrid: hrid,
            order: position.saturating_sub(1),
            raw: &raw,
            record: &record,
            deleted,
            suppressed,
            metadata: &self.metadata,
        };
        let unwritable = |error: serde_json::Error| refused(error.to_string());
        Ok(Documents {
            created: Created {
                position,
                instance_id,
                instance_hrid: hrid.to_owned(),
                title,
                source_id,
            },
            instance: Ready {
                id: instance_id,
                body: serde_json::to_vec(&instance).map_err(unwritable)?,
            },
            titles,
            holdings,
            items,
            source: Ready {
                id: source_id.uuid(),
                body: source.to_bytes().map_err(unwritable)?,
            },
            bytes,
        })
    }
}

/// A new id that sorts after earlier ones, so that records stored together are adjacent in the indexes:
/// milliseconds before random digits. Its version is that of a random UUID, since FOLIO's clients accept
/// no other.
fn new_id(stamp: &Stamp) -> Uuid {
    let milliseconds = u64::try_from(stamp.at.as_millisecond()).unwrap_or_default();
    let mut bytes = *Uuid::new_v4().as_bytes();
    bytes[..6].copy_from_slice(&milliseconds.to_be_bytes()[2..]);
    Uuid::from_bytes(bytes)
}

fn violations_text(violations: &[Violation]) -> String {
    let all = violations.iter();
    let all: Vec<String> = all
        .map(|one| format!("{}: {}", one.path, one.message))
        .collect();
    all.join("; ")
}

type Maps = Vec<Map<String, Value>>;

fn holdings_and_items(
    record: &Record,
    instance_id: Uuid,
    settings: &HoldingsSettings,
    now: &str,
) -> (Maps, Maps) {
    let wanted = &settings.options;
    let defaults = HoldingsDefaults {
        instance_id,
        source_id: settings.source_id,
        permanent_location_id: wanted.location_id,
        holdings_type_id: wanted.holdings_type_id,
        location_by_code: &|code| settings.locations.get(code).copied(),
    };
    let mut all_holdings = holdings_from_marc(record, &defaults);
    let mut all_items = Vec::new();
    for (at, holdings) in all_holdings.iter_mut().enumerate() {
        let id = Uuid::new_v4();
        holdings["id"] = json!(id);
        if let Value::Object(holdings) = holdings {
            defaults::of_holdings(holdings);
        }
        derive_holdings(holdings);
        if let Some(items) = wanted.items {
            let defaults = ItemDefaults {
                holdings_record_id: id,
                material_type_id: items.material_type_id,
                permanent_loan_type_id: items.loan_type_id,
            };
            let items = items_from_marc(&shelved(record, at), &defaults);
            for mut item in items {
                if let Value::Object(item) = &mut item {
                    defaults::of_item(item);
                }
                derive_item(&mut item, holdings, None, now);
                all_items.push(object(item));
            }
        }
    }
    (all_holdings.into_iter().map(object).collect(), all_items)
}

/// The fields about the items of these holdings: each 852 makes holdings of its own. 876 does not name
/// its holdings, so the first holdings get its items.
fn shelved(record: &Record, at: usize) -> Record {
    let mut located = 0;
    let fields = record.fields.iter().filter(|field| match field {
        Field::Data(data) if data.tag == "852" => {
            located += 1;
            located - 1 == at
        }
        Field::Data(data) => at == 0 && data.tag == "876",
        Field::Control(_) => false,
    });
    Record {
        leader: record.leader,
        fields: fields.cloned().collect(),
    }
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use octavo_library::SnapshotId;
    use std::collections::HashMap;
    use std::sync::Arc;

    use octavo_mapping::{RecordKind, References, Rules};
    use octavo_marc::parse_text;

    use super::super::settings::{HoldingsOptions, ItemOptions};
    use super::*;

    fn creating(holdings: bool) -> Creating {
        let options = HoldingsOptions {
            location_id: Uuid::from_u128(1),
            holdings_type_id: None,
            items: Some(ItemOptions {
                material_type_id: Uuid::from_u128(2),
                loan_type_id: Uuid::from_u128(3),
            }),
        };
        let locations = HashMap::from([("ANNEX".to_owned(), Uuid::from_u128(4))]);
        let holdings = holdings.then(|| {
            Arc::new(HoldingsSettings {
                options,
                source_id: Uuid::from_u128(5),
                locations,
            })
        });
        let kind = RecordKind::Bib;
        Creating {
            rules: Arc::new(Rules::parse(kind, &Rules::defaults(kind)).unwrap()),
            references: Arc::new(References::shipped()),
            snapshot_id: SnapshotId::from_u128(6),
            holdings,
        }
    }

    fn drafted(text: &str, holdings: bool) -> Result<Draft, Problem> {
        let record = parse_text(text).unwrap();
        let bytes = octavo_marc::write_iso2709(&record).unwrap();
        let incoming = Incoming {
            position: 3,
            bytes,
            record,
        };
        draft(&creating(holdings), incoming)
    }

    fn built(text: &str, holdings: bool) -> (Documents, Value, Value) {
        let creating = creating(holdings);
        let all = octavo_inventory::collections::instance::all();
        let named = |name| all.iter().find(|one| one.table == name).unwrap();
        let (instances, titles) = (named("instance"), named("preceding_succeeding_title"));
        let stamp = Stamp::now(None);
        let completing = Completing::new(&creating, instances, titles, &stamp);
        let documents = completing.documents(drafted(text, holdings).unwrap(), "in00000000042");
        let documents = documents.unwrap();
        let read = |ready: &Ready| serde_json::from_slice(&ready.body).unwrap();
        let (instance, source) = (read(&documents.instance), read(&documents.source));
        (documents, instance, source)
    }

    #[test]
    fn instance_and_source_record_name_each_other() {
        let (documents, instance, source) =
            built("001 991\n003 NoOU\n245 10$aBridges /$cA. Mason", false);
        assert_eq!(instance["hrid"], "in00000000042");
        assert_eq!(instance["source"], "MARC");
        assert_eq!(instance["_version"], 1);
        assert!(instance["metadata"]["createdDate"].is_string());
        assert!(documents.holdings.is_empty() && documents.items.is_empty());
        assert_eq!(documents.bytes, None);
        assert_eq!(source["externalIdsHolder"]["instanceId"], instance["id"]);
        assert_eq!(source["externalIdsHolder"]["instanceHrid"], "in00000000042");
        assert_eq!(
            (&source["matchedId"], &source["order"]),
            (&source["id"], &json!(2))
        );
        let raw = source["rawRecord"]["content"].as_str().unwrap();
        assert!(raw.contains("991") && !raw.contains("in00000000042"));
        let formatted = source["parsedRecord"]["formattedContent"].as_str().unwrap();
        assert!(formatted.contains("001 in00000000042\n"), "{formatted}");
        assert!(formatted.contains("035   $a(NoOU)991\n"), "{formatted}");
        let (i, s) = (&instance["id"], &source["id"]);
        let own = format!("999 ff$i{}$s{}\n", i.as_str().unwrap(), s.as_str().unwrap());
        assert!(formatted.ends_with(&own), "{formatted}");
    }

    #[test]
    fn earlier_and_later_titles_are_records_of_their_own() {
        let text = "001 1\n245 10$aB\n780 00$tA$x1234-5679$w(OCoLC)1\n780 00$wnone\n785 00$tC";
        let (documents, instance, _) = built(text, false);
        assert!(instance.get("precedingTitles").is_none(), "{instance}");
        let titles: Vec<Value> = documents.titles.into_iter().map(Value::Object).collect();
        assert_eq!(titles.len(), 2, "{titles:?}");
        assert_eq!(titles[0]["title"], "A");
        assert_eq!(titles[0]["identifiers"][0]["value"], "1234-5679");
        assert_eq!(titles[0]["succeedingInstanceId"], instance["id"]);
        assert_eq!(titles[1]["title"], "C");
        assert_eq!(titles[1]["precedingInstanceId"], instance["id"]);
    }

    #[test]
    fn items_stand_with_their_own_holdings() {
        let text = "245 10$aBridges\n852 0 $bANNEX$hTG300$p31\n852 0 $bXX$hTG301$p32\n876   $p33";
        let (built, _, _) = built(text, true);
        let places: Vec<&Value> = built
            .holdings
            .iter()
            .map(|one| &one["effectiveLocationId"])
            .collect();
        assert_eq!(
            places,
            [&json!(Uuid::from_u128(4)), &json!(Uuid::from_u128(1))]
        );
        let shelf = |barcode: &str| {
            let item = built
                .items
                .iter()
                .find(|item| item["barcode"] == barcode)
                .unwrap();
            let holdings = built
                .holdings
                .iter()
                .position(|h| h["id"] == item["holdingsRecordId"]);
            (
                holdings.unwrap(),
                item["effectiveCallNumberComponents"]["callNumber"].clone(),
            )
        };
        assert_eq!(shelf("31"), (0, json!("TG300")));
        assert_eq!(shelf("32"), (1, json!("TG301")));
        assert_eq!(shelf("33"), (0, json!("TG300")));
    }

    #[test]
    fn new_ids_ascend_and_are_random_uuids_by_their_form() {
        let at = |text: &str| Stamp {
            user_id: None,
            at: text.parse().unwrap(),
        };
        let earlier = new_id(&at("2026-01-02T03:04:05.678Z"));
        let later = new_id(&at("2026-01-02T03:04:05.679Z"));
        assert!(earlier < later);
        assert_eq!(later.get_version_num(), 4);
        assert_ne!(later, new_id(&at("2026-01-02T03:04:05.679Z")));
    }

    #[test]
    fn what_makes_no_instance_says_why() {
        let problem = drafted("001 991\n500   $aLoose", false).unwrap_err();
        assert_eq!(problem.position, 3);
        assert!(problem.reason.contains("245"), "{problem:?}");
    }
}

//! Applies rules to an instance, its holdings and their items.

use octavo_marc::{ControlField, DataField, Field, Leader, Record, Subfield, Tag};
use serde_json::Value;

use super::functions::Function;
use super::path::Owner;
use super::references::{List, References};
use super::{From, Rule, Source};

/// Maximal number of fields made by one rule for one record; real records are far below.
const FIELDS_MAX: usize = 10_000;

/// The input of rules.
#[derive(Debug, Clone, Copy)]
pub struct Work<'a> {
    /// The instance, if it is read.
    pub instance: Option<&'a Value>,
    /// Its holdings, each with its items in `items` and the instance's HRID in `instanceHrId`.
    pub holdings: &'a [Value],
}

/// The records that a rule reads together.
#[derive(Clone, Copy)]
struct Owners<'a> {
    instance: Option<&'a Value>,
    holdings: Option<&'a Value>,
    item: Option<&'a Value>,
}

impl<'a> Owners<'a> {
    fn of(self, owner: Owner) -> Option<&'a Value> {
        match owner {
            Owner::Instance => self.instance,
            Owner::Holdings => self.holdings,
            Owner::Item => self.item,
        }
    }
}

/// The fields that rules make, in the order of the rules.
#[must_use]
pub fn fields(rules: &[Rule], work: Work<'_>, references: &References) -> Vec<Field> {
    let mut fields = Vec::new();
    for rule in rules {
        for owners in owners(rule.owner(), work) {
            make(rule, owners, references, &mut fields);
        }
    }
    fields
}

/// A record generated from inventory only: FOLIO's leader, fields in the order of their tags.
#[must_use]
pub fn record(rules: &[Rule], work: Work<'_>, references: &References, bib: bool) -> Record {
    let mut leader = Leader::from_bytes(b"00000nam a2200000 a 4500");
    if bib {
        leader = Leader::from_bytes(b"00000nam a22000003c 4500");
        if work
            .instance
            .is_some_and(|instance| instance["deleted"] == true)
        {
            leader.set(5, 'd');
        }
    }
    let mut fields = fields(rules, work, references);
    fields.sort_by_key(Field::tag);
    Record { leader, fields }
}

fn owners(owner: Owner, work: Work<'_>) -> Vec<Owners<'_>> {
    let instance = work.instance;
    let of_holdings = |holdings| Owners {
        instance,
        holdings: Some(holdings),
        item: None,
    };
    match owner {
        Owner::Instance => vec![Owners {
            instance,
            holdings: None,
            item: None,
        }],
        Owner::Holdings => work.holdings.iter().map(of_holdings).collect(),
        Owner::Item => {
            let items = work.holdings.iter().flat_map(|holdings| {
                let items = holdings["items"].as_array();
                items.into_iter().flatten().map(move |item| Owners {
                    item: Some(item),
                    ..of_holdings(holdings)
                })
            });
            items.collect()
        }
    }
}

/// The values of one source, and whether the first one applies to all.
struct Column<'r> {
    source: &'r Source,
    values: Vec<Option<String>>,
    repeats: bool,
}

fn make(rule: &Rule, owners: Owners<'_>, references: &References, fields: &mut Vec<Field>) {
    let Some(tag) = Tag::new(&rule.tag) else {
        return;
    };
    let columns: Vec<Column<'_>> = rule
        .sources
        .iter()
        .map(|source| column(source, owners, references))
        .collect();
    let found = columns.iter().filter(|column| !column.repeats_always());
    let width = found.map(|column| column.values.len()).max().unwrap_or(0);
    for at in 0..width.min(FIELDS_MAX) {
        if rule.is_control() {
            let values = columns.iter().filter_map(|column| column.at(at)).next();
            if let Some(value) = values.filter(|value| !value.is_empty()) {
                let value = value.to_owned();
                fields.push(Field::Control(ControlField { tag, value }));
            }
            continue;
        }
        let mut real = false;
        let mut subfields = Vec::new();
        for column in &columns {
            let value = column.at(at).filter(|value| !value.is_empty());
            if let (Some(code), Some(value)) = (column.source.code, value) {
                real |= !column.repeats_always();
                let value = value.to_owned();
                subfields.push(Subfield { code, value });
            }
        }
        if rule.is_of_items() && real {
            let hrid = owners
                .holdings
                .and_then(|holdings| holdings["hrid"].as_str());
            let named = subfields.iter().any(|subfield| subfield.code == '3');
            if let Some(hrid) = hrid.filter(|_| !named) {
                let value = hrid.to_owned();
                subfields.push(Subfield { code: '3', value });
            }
        }
        if real {
            fields.push(Field::Data(DataField {
                tag,
                indicators: indicators(rule, owners, at, references),
                subfields,
            }));
        }
    }
}

impl Rule {
    fn is_of_items(&self) -> bool {
        self.owner() == Owner::Item
    }
}

impl Column<'_> {
    fn repeats_always(&self) -> bool {
        matches!(self.source.from, From::Constant(_))
    }

    fn at(&self, at: usize) -> Option<&str> {
        let at = match self.values.len() {
            length if at < length => at,
            _ if self.repeats => 0,
            _ => return None,
        };
        self.values.get(at)?.as_deref()
    }
}

fn column<'r>(source: &'r Source, owners: Owners<'_>, references: &References) -> Column<'r> {
    let path = match &source.from {
        From::Constant(value) => {
            return Column {
                source,
                values: vec![Some(value.clone())],
                repeats: true,
            };
        }
        From::Path(path) => path,
    };
    let Some(owner) = owners.of(path.owner()) else {
        return Column {
            source,
            values: Vec::new(),
            repeats: false,
        };
    };
    if let Some((kind, list, wanted, value)) = source.function.typed() {
        let is_wanted = |id: &str| {
            references
                .name(list, id)
                .is_some_and(|name| name.eq_ignore_ascii_case(wanted))
        };
        let values = path
            .elements(owner)
            .into_iter()
            .filter(|element| element[kind].as_str().is_some_and(is_wanted))
            .map(|element| element[value].as_str().map(str::to_owned))
            .collect();
        return Column {
            source,
            values,
            repeats: false,
        };
    }
    let translate = |value: Option<&str>| {
        value.and_then(|value| source.function.apply(value, owner, references))
    };
    let values: Vec<Option<String>> = path.texts(owner).into_iter().map(translate).collect();
    Column {
        source,
        values,
        repeats: source.function != Function::PermanentLocation,
    }
}

fn indicators(rule: &Rule, owners: Owners<'_>, at: usize, references: &References) -> [char; 2] {
    if !rule.encodes_relationship {
        return rule.indicators;
    }
    let access = owners
        .instance
        .map(|instance| &instance["electronicAccess"][at]);
    let id = access.and_then(|access| access["relationshipId"].as_str());
    let name = id.and_then(|id| references.name(List::ElectronicAccessRelationships, id));
    let second = match name.map(str::to_lowercase).as_deref() {
        Some("resource") => '0',
        Some("version of resource") => '1',
        Some("related resource") => '2',
        Some("component part(s) of resource") => '3',
        Some("version of component part(s) of resource") => '4',
        Some("no display constant generated") => '8',
        _ => ' ',
    };
    [rule.indicators[0], second]
}

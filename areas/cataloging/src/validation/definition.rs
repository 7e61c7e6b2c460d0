//! MARC 21's definition of fields, parsed once from tables.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use octavo_mapping::RecordKind;

/// The fields of a kind of records.
#[derive(Debug)]
pub struct Definition {
    fields: BTreeMap<&'static str, Field>,
    /// The address of a field's description, the tag left out.
    help: &'static str,
}

/// A field that MARC 21 defines.
#[derive(Debug)]
pub(super) struct Field {
    /// Whether it is repeatable.
    pub repeatable: bool,
    required: bool,
    indicators: [&'static str; 2],
    /// Codes, with whether they are repeatable.
    subfields: Vec<(char, bool)>,
}

impl Field {
    /// Whether the indicator at this position is defined; any is if none is listed.
    pub(super) fn knows_indicator(&self, at: usize, sign: char) -> bool {
        let listed = self.indicators.get(at).copied().unwrap_or_default();
        listed.is_empty() || listed.contains(sign)
    }

    /// Whether a subfield is repeatable; `None` for an undefined code.
    pub(super) fn subfield(&self, code: char) -> Option<bool> {
        let mut subfields = self.subfields.iter();
        subfields.find_map(|(known, repeatable)| (*known == code).then_some(*repeatable))
    }

    /// A linked field in another script (880) has the subfields of the field that it is linked to.
    pub(super) fn subfields_are_listed(&self) -> bool {
        self.subfields.len() > 1
    }
}

impl Definition {
    pub(super) fn field(&self, tag: &str) -> Option<&Field> {
        self.fields.get(tag)
    }

    /// The tags of required fields.
    pub fn required(&self) -> impl Iterator<Item = &'static str> {
        let required = self.fields.iter().filter(|(_, field)| field.required);
        required.map(|(tag, _)| *tag)
    }

    /// The address of a field's description.
    #[must_use]
    pub fn help_url(&self, tag: &str) -> Option<String> {
        match tag {
            "999" => None,
            "000" => Some(format!("{}leader.html", self.help)),
            tag if self.fields.contains_key(tag) => Some(format!("{}{tag}.html", self.help)),
            _ => None,
        }
    }

    fn read(table: &'static str, help: &'static str) -> Definition {
        let fields = table.lines().skip(1).filter_map(|line| {
            let mut columns = line.split('\t');
            let (tag, field) = (columns.next()?, columns.next()?);
            let mut column = || columns.next().unwrap_or_default();
            let indicators = [column(), column()];
            let subfields = column().split(' ').filter_map(|subfield| {
                let code = subfield.chars().next()?;
                Some((code, subfield.ends_with('*')))
            });
            let field = Field {
                repeatable: field.starts_with('R'),
                required: field.ends_with('!'),
                indicators,
                subfields: subfields.collect(),
            };
            Some((tag, field))
        });
        Definition {
            fields: fields.collect(),
            help,
        }
    }
}

static BIBLIOGRAPHIC: LazyLock<Definition> = LazyLock::new(|| {
    let help = "https://www.loc.gov/marc/bibliographic/bd";
    Definition::read(include_str!("bibliographic.tsv"), help)
});

static AUTHORITY: LazyLock<Definition> = LazyLock::new(|| {
    let help = "https://www.loc.gov/marc/authority/ad";
    Definition::read(include_str!("authority.tsv"), help)
});

/// The definition of a kind of records; FOLIO has none of holdings.
#[must_use]
pub fn definition_of(kind: RecordKind) -> Option<&'static Definition> {
    match kind {
        RecordKind::Bib => Some(&BIBLIOGRAPHIC),
        RecordKind::Authority => Some(&AUTHORITY),
        RecordKind::Holdings => None,
    }
}

//! Generates MARC from inventory's records, without I/O: rules in the form of FOLIO's mapping profiles,
//! their application, and the fields that profiles may use.

mod defaults;
mod fields;
mod functions;
mod generate;
mod mapping_profile;
mod path;
mod references;

pub use defaults::{embedded, holdings_rules, instance_rules};
pub use fields::transformation_fields;
pub use generate::{Work, fields as fields_of, record as record_of};
pub use mapping_profile::{Profile, Takes};
pub use path::{Owner, Path};
pub use references::{Entry, List, References};

use functions::Function;

/// A rule for the fields of one tag and one pair of indicators.
#[derive(Debug, Clone)]
pub struct Rule {
    /// FOLIO's id of a default rule; empty for others.
    pub id: String,
    pub tag: String,
    pub indicators: [char; 2],
    /// Whether the second indicator encodes the relationship of an electronic access.
    encodes_relationship: bool,
    sources: Vec<Source>,
}

/// Where a subfield, or the value of a control field, is read from.
#[derive(Debug, Clone)]
struct Source {
    code: Option<char>,
    from: From,
    function: Function,
}

#[derive(Debug, Clone)]
enum From {
    Path(Path),
    Constant(String),
}

impl Rule {
    /// The deepest record that the rule reads: a field is made for each of them.
    fn owner(&self) -> Owner {
        let owners = self.sources.iter().filter_map(|source| match &source.from {
            From::Path(path) => Some(path.owner()),
            From::Constant(_) => None,
        });
        owners.max().unwrap_or(Owner::Instance)
    }

    fn is_control(&self) -> bool {
        self.tag.starts_with("00")
    }
}

//! Which kind of MARC record rules are for.

/// Which kind of MARC record rules are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordKind {
    /// `marc-bib`: an instance.
    Bib,
    /// `marc-holdings`: a holdings record.
    Holdings,
    /// `marc-authority`: an authority.
    Authority,
}

impl RecordKind {
    /// All kinds.
    pub const ALL: [RecordKind; 3] = [RecordKind::Bib, RecordKind::Holdings, RecordKind::Authority];

    /// The kind as paths name it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            RecordKind::Bib => "marc-bib",
            RecordKind::Holdings => "marc-holdings",
            RecordKind::Authority => "marc-authority",
        }
    }

    /// The kind of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<RecordKind> {
        RecordKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

//! The bibliographic description of a title. Its `marc` holds the same data as a MARC record.

use std::borrow::Cow;

use jiff::Timestamp;
use uuid::Uuid;

use super::{Audit, Medium, hrid};
use crate::document::{Document, table};
use crate::json::Json;
use crate::reference::{
    DEWEY_CLASSIFICATION, STATUS_CATALOGED, SUBJECT_SOURCE_LCSH, contributor_name_type,
    contributor_type, identifier_type, subject_type,
};

/// A contributor's part in a title.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Author,
    Translator,
    Illustrator,
    FilmDirector,
    Composer,
    Conductor,
    Performer,
    Singer,
    /// A performing group: a corporate name.
    Band,
}

impl Role {
    fn type_id(self) -> Uuid {
        match self {
            Self::Author => contributor_type::AUTHOR,
            Self::Translator => contributor_type::TRANSLATOR,
            Self::Illustrator => contributor_type::ILLUSTRATOR,
            Self::FilmDirector => contributor_type::FILM_DIRECTOR,
            Self::Composer => contributor_type::COMPOSER,
            Self::Conductor => contributor_type::CONDUCTOR,
            Self::Performer | Self::Band => contributor_type::PERFORMER,
            Self::Singer => contributor_type::SINGER,
        }
    }

    fn name_type_id(self) -> Uuid {
        match self {
            Self::Band => contributor_name_type::CORPORATE,
            _ => contributor_name_type::PERSONAL,
        }
    }

    /// The relationship as cataloguers write it beside the name.
    pub(super) fn term(self) -> &'static str {
        match self {
            Self::Author => "author",
            Self::Translator => "translator",
            Self::Illustrator => "illustrator",
            Self::FilmDirector => "film director",
            Self::Composer => "composer",
            Self::Conductor => "conductor",
            Self::Performer | Self::Band => "performer",
            Self::Singer => "singer",
        }
    }
}

/// A name in filing order ("Austen, Jane") and the kind of its bearer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contributor<'a> {
    pub name: &'a str,
    pub role: Role,
}

/// What a subject heading names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SubjectKind {
    Topic,
    Place,
    /// What the resource is, not what it is about: genre or form.
    Form,
}

impl SubjectKind {
    fn type_id(self) -> Uuid {
        match self {
            Self::Topic => subject_type::TOPICAL,
            Self::Place => subject_type::GEOGRAPHIC,
            Self::Form => subject_type::GENRE,
        }
    }
}

/// A subject heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Subject<'a> {
    pub kind: SubjectKind,
    pub heading: &'a str,
}

/// An identifier of a title.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Identifier<'a> {
    Isbn(&'a str),
    Issn(&'a str),
    /// The number in another system, prefixed by that system's code in parentheses.
    SystemControlNumber(&'a str),
}

impl<'a> Identifier<'a> {
    fn type_id(self) -> Uuid {
        match self {
            Self::Isbn(_) => identifier_type::ISBN,
            Self::Issn(_) => identifier_type::ISSN,
            Self::SystemControlNumber(_) => identifier_type::SYSTEM_CONTROL_NUMBER,
        }
    }

    /// The MARC field whose first subfield it is, and the identifier itself.
    pub(super) fn field(self) -> (&'static str, &'a str) {
        match self {
            Self::Isbn(value) => ("020", value),
            Self::Issn(value) => ("022", value),
            Self::SystemControlNumber(value) => ("035", value),
        }
    }
}

/// The properties in which instances differ.
pub(crate) struct Instance<'a> {
    pub id: Uuid,
    pub number: u64,
    pub medium: Medium,
    pub title: &'a str,
    pub contributors: &'a [Contributor<'a>],
    pub identifier: Option<Identifier<'a>>,
    pub subjects: &'a [Subject<'a>],
    pub dewey: &'a str,
    pub place: &'a str,
    pub publisher: &'a str,
    /// Year of publication in four digits; of a journal, its first year.
    pub year: &'a str,
    /// MARC language code.
    pub language: &'a str,
    pub cataloged: Timestamp,
    pub audit: Audit,
}

impl Instance<'_> {
    pub(crate) fn document(&self) -> Document {
        let json = Json::object(2_000, |json| {
            json.id("id", self.id);
            json.number("_version", 1);
            json.text("hrid", &hrid("in", self.number));
            json.text("source", "MARC");
            self.describe(json);
            self.publication(json);
            self.administration(json);
        });
        Document {
            table: table::INSTANCE,
            id: self.id,
            json,
        }
    }

    /// Whether the first contributor is the main entry. A film has so many contributors that it is
    /// entered under its title.
    pub(super) fn has_main_entry(&self) -> bool {
        self.medium != Medium::Dvd && !self.contributors.is_empty()
    }

    /// The initial article, which filing ignores, or nothing.
    pub(super) fn article(&self) -> &str {
        let rest = without_article(self.title, self.language);
        &self.title[..self.title.len() - rest.len()]
    }

    /// The title in filing form: without an article, with a capital first letter.
    fn index_title(&self) -> String {
        let mut rest = without_article(self.title, self.language).chars();
        let first = rest.next().into_iter().flat_map(char::to_uppercase);
        first.chain(rest).collect()
    }

    /// The year; an open range for a journal that is still published.
    pub(super) fn date_of_publication(&self) -> Cow<'_, str> {
        match self.medium {
            Medium::Journal => Cow::Owned(format!("{}-", self.year)),
            _ => Cow::Borrowed(self.year),
        }
    }

    fn describe(&self, json: &mut Json) {
        json.text("title", self.title);
        json.text("indexTitle", &self.index_title());
        for empty in ["alternativeTitles", "editions", "series"] {
            json.list(empty, |_| {});
        }
        json.list("identifiers", |json| {
            if let Some(identifier) = self.identifier {
                json.element(|json| {
                    json.text("value", identifier.field().1);
                    json.id("identifierTypeId", identifier.type_id());
                });
            }
        });
        json.list("contributors", |json| {
            for (at, contributor) in self.contributors.iter().enumerate() {
                json.element(|json| {
                    json.text("name", contributor.name);
                    json.id("contributorTypeId", contributor.role.type_id());
                    json.id("contributorNameTypeId", contributor.role.name_type_id());
                    json.flag("primary", at == 0 && self.has_main_entry());
                });
            }
        });
        json.list("subjects", |json| {
            for subject in self.subjects {
                json.element(|json| {
                    json.text("value", subject.heading);
                    json.id("sourceId", SUBJECT_SOURCE_LCSH);
                    json.id("typeId", subject.kind.type_id());
                });
            }
        });
        json.list("classifications", |json| {
            json.element(|json| {
                json.text("classificationNumber", self.dewey);
                json.id("classificationTypeId", DEWEY_CLASSIFICATION);
            });
        });
    }

    fn publication(&self, json: &mut Json) {
        let journal = self.medium == Medium::Journal;
        json.list("publication", |json| {
            json.element(|json| {
                json.text("publisher", self.publisher);
                json.text("place", self.place);
                json.text("dateOfPublication", &self.date_of_publication());
                json.text("role", "Publication");
            });
        });
        json.list("publicationFrequency", |_| {});
        json.list("publicationRange", |_| {});
        json.list("electronicAccess", |_| {});
        json.nested("dates", |json| {
            json.id("dateTypeId", self.medium.date_type());
            json.text("date1", self.year);
            json.optional("date2", journal.then_some("9999"));
        });
        json.id("instanceTypeId", self.medium.instance_type());
        json.ids("instanceFormatIds", &[self.medium.instance_format()]);
        json.texts("physicalDescriptions", &[self.medium.description()]);
        json.texts("languages", &[self.language]);
    }

    fn administration(&self, json: &mut Json) {
        json.list("notes", |_| {});
        json.list("administrativeNotes", |_| {});
        json.id("modeOfIssuanceId", self.medium.mode_of_issuance());
        json.day("catalogedDate", self.cataloged);
        for off in [
            "previouslyHeld",
            "staffSuppress",
            "discoverySuppress",
            "deleted",
        ] {
            json.flag(off, false);
        }
        json.list("statisticalCodeIds", |_| {});
        json.id("statusId", STATUS_CATALOGED);
        json.instant("statusUpdatedDate", self.cataloged);
        json.nested("tags", |json| json.list("tagList", |_| {}));
        self.audit.write(json);
        json.list("natureOfContentTermIds", |_| {});
    }
}

/// The title without its initial article.
fn without_article<'a>(title: &'a str, language: &str) -> &'a str {
    let articles: &[&str] = match language {
        "eng" => &["The ", "A ", "An "],
        "fre" => &["Le ", "La ", "Les ", "L'"],
        "spa" => &["El ", "La ", "Los ", "Las "],
        "ger" => &["Der ", "Die ", "Das "],
        "ita" => &["Il ", "La ", "Le ", "L'"],
        "dut" => &["De ", "Het "],
        _ => &[],
    };
    articles
        .iter()
        .find_map(|article| title.strip_prefix(article))
        .unwrap_or(title)
}

#[cfg(test)]
mod tests {
    use super::without_article;

    #[test]
    fn leading_articles_are_not_filed() {
        for (title, language, expected) in [
            ("The great Gatsby", "eng", "great Gatsby"),
            (
                "Their eyes were watching God",
                "eng",
                "Their eyes were watching God",
            ),
            ("L'étranger", "fre", "étranger"),
            ("Die Verwandlung", "ger", "Verwandlung"),
            ("Die hard", "eng", "Die hard"),
        ] {
            assert_eq!(without_article(title, language), expected);
        }
    }
}

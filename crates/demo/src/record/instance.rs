//! The bibliographic description of a title.

use jiff::Timestamp;
use uuid::Uuid;

use super::{Audit, Medium, hrid};
use crate::document::{Document, table};
use crate::json::Json;
use crate::reference::{
    DEWEY_CLASSIFICATION, STATUS_CATALOGED, SUBJECT_SOURCE_LCSH, SUBJECT_TYPE_TOPICAL,
    contributor_name_type, contributor_type,
};

/// What someone did for a title.
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
}

/// A name in the order it is filed ("Austen, Jane") and what it stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contributor<'a> {
    pub name: &'a str,
    pub role: Role,
}

/// What tells one instance from another.
pub(crate) struct Instance<'a> {
    pub id: Uuid,
    pub number: u64,
    pub medium: Medium,
    pub title: &'a str,
    pub contributors: &'a [Contributor<'a>],
    /// Identifier type and value.
    pub identifier: Option<(Uuid, &'a str)>,
    pub subjects: &'a [&'a str],
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
            json.text("source", "FOLIO");
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

    fn describe(&self, json: &mut Json) {
        json.text("title", self.title);
        json.text("indexTitle", index_title(self.title, self.language));
        for empty in ["alternativeTitles", "editions", "series"] {
            json.list(empty, |_| {});
        }
        json.list("identifiers", |json| {
            if let Some((kind, value)) = self.identifier {
                json.element(|json| {
                    json.text("value", value);
                    json.id("identifierTypeId", kind);
                });
            }
        });
        json.list("contributors", |json| {
            for (at, contributor) in self.contributors.iter().enumerate() {
                json.element(|json| {
                    json.text("name", contributor.name);
                    json.id("contributorTypeId", contributor.role.type_id());
                    json.id("contributorNameTypeId", contributor.role.name_type_id());
                    json.flag("primary", at == 0);
                });
            }
        });
        json.list("subjects", |json| {
            for subject in self.subjects {
                json.element(|json| {
                    json.text("value", subject);
                    json.id("sourceId", SUBJECT_SOURCE_LCSH);
                    json.id("typeId", SUBJECT_TYPE_TOPICAL);
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
                json.text("dateOfPublication", self.year);
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

/// The title without the article it is not filed under.
fn index_title<'a>(title: &'a str, language: &str) -> &'a str {
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
    use super::index_title;

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
            assert_eq!(index_title(title, language), expected);
        }
    }
}

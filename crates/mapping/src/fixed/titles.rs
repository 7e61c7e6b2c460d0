//! Titles, editions and series.

use super::MappingError;
use super::fields::{Fields, authority_id, distinct, filled, joined};
use super::instance::{AlternativeTitle, Series};
use super::punctuation::trim_announcing;
use super::reference::alternative_title_type;

const TITLE: &str = "245";

/// The title as the field has it, statement of responsibility and full stop included.
pub(super) fn title(fields: &Fields<'_>) -> Result<String, MappingError> {
    let field = fields
        .tagged(TITLE)
        .next()
        .ok_or(MappingError::TitleMissing)?;
    filled(&joined(field, "anpbcfghks")).ok_or(MappingError::TitleEmpty)
}

/// The title proper without the article that filing passes over, its first letter in upper case.
pub(super) fn index_title(fields: &Fields<'_>) -> Option<String> {
    let field = fields.tagged(TITLE).next()?;
    let title = joined(field, "anpb");
    let nonfiling = field.indicators[1].to_digit(10).unwrap_or(0) as usize;
    let filed: String = title.chars().skip(nonfiling).collect();
    // An indicator that passes over everything is a mistake.
    let filed = if filed.trim().is_empty() {
        title.as_str()
    } else {
        filed.as_str()
    };
    filled(&capitalized(trim_announcing(filed)))
}

fn capitalized(text: &str) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => String::new(),
    }
}

/// Uniform (130, 240), variant (246) and former (247) titles.
pub(super) fn alternative_titles(fields: &Fields<'_>) -> Vec<AlternativeTitle> {
    let titles = fields.all().filter_map(|(tag, field)| {
        let (codes, alternative_title_type_id) = match tag {
            "130" => ("anpdfghklmorst", alternative_title_type::UNIFORM),
            "240" => ("anpdfghklmors", alternative_title_type::UNIFORM),
            "246" => ("anpbfgh5", alternative_title_type::VARIANT),
            "247" => ("anpbfghx", alternative_title_type::FORMER),
            _ => return None,
        };
        Some(AlternativeTitle {
            alternative_title_type_id,
            alternative_title: filled(trim_announcing(&joined(field, codes)))?,
            authority_id: authority_id(field),
        })
    });
    distinct(titles)
}

/// Edition statements.
pub(super) fn editions(fields: &Fields<'_>) -> Vec<String> {
    let editions = fields.tagged("250").map(|field| joined(field, "ab"));
    distinct(editions.filter_map(|edition| filled(trim_announcing(&edition))))
}

/// Series: the traced ones (8XX), and statements that nothing traces (440, 490 with a first
/// indicator other than 1).
pub(super) fn series(fields: &Fields<'_>) -> Vec<Series> {
    let series = fields.all().filter_map(|(tag, field)| {
        let codes = match tag {
            "800" => "abcdefghjklmnopqrstuvwx35",
            "810" => "abcdefghklmnoprstuvwx35",
            "811" => "acdefghjklnpqstuvwx35",
            "830" => "adfghklmnoprstvwx35",
            "440" => "anpvx",
            "490" if field.indicators[0] != '1' => "avx3",
            _ => return None,
        };
        let value = filled(trim_announcing(&joined(field, codes)))?;
        Some(Series {
            value,
            authority_id: authority_id(field),
        })
    });
    distinct(series)
}

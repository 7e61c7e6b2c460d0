//! The configured languages of a tenant. Searching here does not depend on languages; the configuration
//! is only stored and returned.

use serde::Deserialize;
use serde_json::{Value, json};

use super::Failure;
use crate::query::Fault;
use crate::store::SearchTables;

/// Those that FOLIO has an analyzer for.
const LANGUAGES: [&str; 12] = [
    "ara", "chi", "eng", "fre", "ger", "heb", "ita", "jpn", "kor", "rus", "spa", "swe",
];
/// Languages of a tenant, as FOLIO allows by default.
const LANGUAGES_MAX: i64 = 5;
/// Characters of the name of an analyzer.
const ANALYZER_CHARS_MAX: usize = 100;

/// The body of a language.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LanguageForm {
    code: String,
    #[serde(default)]
    language_analyzer: Option<String>,
}

impl LanguageForm {
    fn analyzer(&self) -> Option<String> {
        let analyzer = self.language_analyzer.as_ref();
        analyzer.map(|name| name.chars().take(ANALYZER_CHARS_MAX).collect())
    }
}

/// All of a tenant.
pub async fn list(place: SearchTables<'_>) -> Result<Value, Failure> {
    let languages = place.languages().await?;
    let told: Vec<Value> = languages
        .iter()
        .map(|(code, analyzer)| shown(code, analyzer.as_deref()))
        .collect();
    Ok(json!({"totalRecords": told.len(), "languageConfigs": told}))
}

/// Adds one, or changes the one of the same code.
///
/// # Errors
/// For languages without an analyzer in FOLIO, and above FOLIO's limit.
pub async fn add(place: SearchTables<'_>, form: &LanguageForm) -> Result<Value, Failure> {
    let refused =
        |message: String| Failure::Unprocessable(Fault::of(message, "code", form.code.clone()));
    if !LANGUAGES.contains(&form.code.as_str()) {
        return Err(refused("Language has no analyzer available".to_owned()));
    }
    let analyzer = form.analyzer();
    let added = place
        .add_language(&form.code, analyzer.as_deref(), LANGUAGES_MAX)
        .await?;
    match added {
        true => Ok(shown(&form.code, analyzer.as_deref())),
        false => Err(refused(format!(
            "Tenant is allowed to have only {LANGUAGES_MAX} languages configured"
        ))),
    }
}

/// Changes one.
///
/// # Errors
/// When the code is another one or there is none.
pub async fn change(
    place: SearchTables<'_>,
    code: &str,
    form: &LanguageForm,
) -> Result<Value, Failure> {
    if form.code != code {
        let message = "Request body language code must be the same as in the URL";
        return Err(Failure::Unprocessable(Fault::of(
            message,
            "code",
            form.code.clone(),
        )));
    }
    let analyzer = form.analyzer();
    match place.change_language(code, analyzer.as_deref()).await? {
        true => Ok(shown(code, analyzer.as_deref())),
        false => Err(Failure::Missing(format!(
            "Language config not found for code: {code}"
        ))),
    }
}

fn shown(code: &str, analyzer: Option<&str>) -> Value {
    let mut shown = json!({"code": code});
    if let Some(analyzer) = analyzer {
        shown["languageAnalyzer"] = analyzer.into();
    }
    shown
}

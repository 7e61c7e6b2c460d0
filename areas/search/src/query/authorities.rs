//! Compiles queries for authorities. Pure, like that for instances.

use octavo_cql::{Clause, Comparison, Node, Operator, SortKey, Term};
use uuid::Uuid;

use super::browse::{Browse, INVALID, range};
use super::compile::{conjuncts, has_pattern, has_run, letters, like, order, refuse_order, words};
use super::{Fault, Word};

/// Clauses of one query.
const CLAUSES_MAX: usize = 500;
/// The facet's value, and the filter's, of records without a source file.
pub const NO_FILE: &str = "NULL";
/// The field by which authorities are browsed.
pub const ANCHOR: &str = "headingRef";

/// A condition on a form of a heading.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// Always true.
    Everything,
    /// Always false.
    Nothing,
    /// Every part.
    All(Vec<Condition>),
    /// At least one part.
    Any(Vec<Condition>),
    Not(Box<Condition>),
    /// Words in the heading, of this property or of any.
    Words {
        /// The property.
        field: Option<String>,
        /// Whether one of them is enough.
        any: bool,
        /// The words; without any, the property must be present.
        words: Vec<Word>,
    },
    /// The whole heading like a pattern with `%` and `_`.
    Like {
        /// The property.
        field: Option<String>,
        pattern: String,
    },
    Column(&'static str, ColumnKind, Test),
}

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    Id,
    Text,
    /// A text in small letters without accents.
    Folded,
    /// A list of these.
    FoldedList,
    /// A list of texts of letters and digits.
    LettersList,
    /// Yes or no.
    Flag,
}

/// A test of a column.
#[derive(Debug, Clone, PartialEq)]
pub enum Test {
    /// This value.
    Is(String),
    /// A value is present.
    Present,
    /// No value is present.
    Missing,
    /// A pattern with `%` and `_`.
    Like(String),
    /// Before or after a value, by an operator of SQL.
    Order(&'static str, String),
}

/// What a query wants, and in which order.
#[derive(Debug, Clone, PartialEq)]
pub struct AuthorityQuery {
    /// What has to hold, part by part: all of them; with the field that a part filters by.
    pub parts: Vec<(Option<String>, Condition)>,
    /// The order; by relevance when empty.
    pub sort: Vec<(SortBy, bool)>,
}

/// What authorities can be ordered by; the flag beside it says whether the greatest come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SortBy {
    Heading,
    /// The kind of heading, then the heading.
    Type,
    /// Whether it is authorized or refers, then the heading.
    Ref,
}

impl AuthorityQuery {
    /// All parts, but for those about a field.
    #[must_use]
    pub fn without(&self, field: Option<&str>) -> Condition {
        let kept = self
            .parts
            .iter()
            .filter(|(of, _)| field.is_none() || of.as_deref() != field);
        Condition::All(kept.map(|(_, condition)| condition.clone()).collect())
    }
}

/// The kinds of headings, by the properties that hold them.
pub const HEADINGS: [&str; 17] = [
    "personalName",
    "personalNameTitle",
    "corporateName",
    "corporateNameTitle",
    "meetingName",
    "meetingNameTitle",
    "geographicName",
    "uniformTitle",
    "namedEvent",
    "generalSubdivision",
    "topicalTerm",
    "genreTerm",
    "chronTerm",
    "mediumPerfTerm",
    "geographicSubdivision",
    "chronSubdivision",
    "formSubdivision",
];

/// The facets that may be asked for, with their columns.
pub const FACETS: [(&str, &str); 3] = [
    ("headingType", "heading_type"),
    ("sourceFileId", "source_file"),
    ("subjectHeadings", "subject_headings"),
];

/// Compiles a query.
///
/// # Errors
/// For what is no CQL, fields that there are not, and comparisons that a field does not know.
pub fn compile(text: &str, tenant: &str) -> Result<AuthorityQuery, Fault> {
    let query = parsed(text)?;
    let parts = conjuncts(&query.root)
        .into_iter()
        .map(|node| Ok((about(node), condition(node, tenant)?)))
        .collect::<Result<_, Fault>>()?;
    let sort = query.sort.iter().map(sort).collect::<Result<_, _>>()?;
    Ok(AuthorityQuery { parts, sort })
}

fn parsed(text: &str) -> Result<octavo_cql::Query, Fault> {
    let query = octavo_cql::parse(text)
        .map_err(|error| Fault::of(format!("Failed to parse CQL query: {error}"), "query", text))?;
    if query.root.clauses().count() > CLAUSES_MAX {
        let message = format!("A query takes at most {CLAUSES_MAX} clauses");
        return Err(Fault::of(message, "query", text));
    }
    Ok(query)
}

/// Reads a query for browsing: where the headings are entered, and what has to hold of them.
///
/// # Errors
/// With FOLIO's messages, for what is no such query.
pub fn browsing(text: &str, tenant: &str) -> Result<(Browse, Condition), Fault> {
    let wrong = |message: &str| Fault::of(message, "query", text);
    let query = parsed(text)?;
    if !query.sort.is_empty() {
        return Err(wrong(
            "Invalid CQL query for browsing, 'sortBy' is not supported",
        ));
    }
    let is_anchor =
        |clause: &Clause| clause.index == ANCHOR && order(clause.relation.comparison).is_some();
    let mut browse = None;
    let mut conditions = Vec::new();
    for node in conjuncts(&query.root) {
        if !node.clauses().any(is_anchor) {
            conditions.push(condition(node, tenant)?);
        } else if browse.is_none() {
            browse = Some(range(node, ANCHOR).map_err(wrong)?);
        } else {
            return Err(wrong(INVALID));
        }
    }
    let browse = browse.ok_or_else(|| wrong(INVALID))?;
    Ok((browse, Condition::All(conditions)))
}

/// The field, when a part is about one only.
fn about(node: &Node) -> Option<String> {
    let first = node.clauses().next()?.index.clone();
    node.clauses()
        .all(|one| one.index == first)
        .then_some(first)
}

fn condition(node: &Node, tenant: &str) -> Result<Condition, Fault> {
    let chain = match node {
        Node::Clause(one) => return clause(one, tenant),
        Node::Boolean(chain) => chain,
    };
    let mut left = condition(&chain.first, tenant)?;
    for run in chain.runs() {
        let mut parts = vec![left];
        for link in run {
            parts.push(condition(&link.operand, tenant)?);
        }
        left = match run.first().map(|link| link.operator) {
            Some(Operator::Or) => Condition::Any(parts),
            Some(Operator::Not) => {
                let rest = parts.split_off(1);
                parts.push(Condition::Not(Box::new(Condition::Any(rest))));
                Condition::All(parts)
            }
            _ => Condition::All(parts),
        };
    }
    Ok(left)
}

fn clause(clause: &Clause, tenant: &str) -> Result<Condition, Fault> {
    if clause.is_all_records() {
        return Ok(Condition::Everything);
    }
    let name = if clause.is_bare() {
        "keyword"
    } else {
        clause.index.as_str()
    };
    let comparison = clause.relation.comparison;
    if comparison == Comparison::NotEqual {
        let equal = matched(name, Comparison::Exact, &clause.term, tenant)?;
        return Ok(Condition::Not(Box::new(equal)));
    }
    matched(name, comparison, &clause.term, tenant)
}

fn matched(
    name: &str,
    comparison: Comparison,
    term: &Term,
    tenant: &str,
) -> Result<Condition, Fault> {
    if name == "keyword" || name == "cql.all" || is_heading(name) {
        let field = is_heading(name).then(|| name.to_owned());
        // The general field also matches whole identifiers.
        let identifier = |test| Condition::Column("identifiers", ColumnKind::FoldedList, test);
        if has_pattern(term) {
            refuse_order(name, comparison)?;
            let pattern = like(term, false);
            let heading = Condition::Like {
                field: field.clone(),
                pattern: pattern.clone(),
            };
            return Ok(match field {
                Some(_) => heading,
                None => Condition::Any(vec![heading, identifier(Test::Like(pattern))]),
            });
        }
        let (any, words) = words(name, comparison, term)?;
        let value = term.text();
        let is_general = field.is_none() && !words.is_empty();
        let heading = Condition::Words { field, any, words };
        return Ok(match is_general && !has_run(term) {
            true => Condition::Any(vec![heading, identifier(Test::Is(value))]),
            false => heading,
        });
    }
    let holds = |holds: bool| match holds {
        true => Condition::Everything,
        false => Condition::Nothing,
    };
    let (column, kind) = match name {
        "tenantId" => return Ok(holds(term.text() == tenant)),
        "shared" => return Ok(holds(term.text().eq_ignore_ascii_case("false"))),
        "id" => ("id", ColumnKind::Id),
        "headingRef" => ("sort_key", ColumnKind::Folded),
        "headingType" => ("heading_type", ColumnKind::Text),
        "authRefType" => ("ref", ColumnKind::Text),
        "isTitleHeadingRef" => ("is_title", ColumnKind::Flag),
        "sourceFileId" => ("source_file", ColumnKind::Id),
        "naturalId" => ("natural_id", ColumnKind::Folded),
        "subjectHeadings" => ("subject_headings", ColumnKind::Folded),
        "identifiers.value" | "identifiers" => ("identifiers", ColumnKind::FoldedList),
        "lccn" => ("lccns", ColumnKind::LettersList),
        "canceledLccn" => ("canceled_lccns", ColumnKind::LettersList),
        "metadata.createdDate" => ("created", ColumnKind::Text),
        "metadata.updatedDate" => ("updated", ColumnKind::Text),
        _ => {
            let message = "Invalid search field provided in the CQL query";
            return Err(Fault::of(message, "field", name));
        }
    };
    Ok(match test(name, kind, comparison, term)? {
        Some(test) => Condition::Column(column, kind, test),
        None => Condition::Nothing,
    })
}

/// Whether a property holds headings: of a record, or of what it refers to.
fn is_heading(name: &str) -> bool {
    let kind = |name: &str| HEADINGS.contains(&name);
    let rest = name
        .strip_prefix("saft")
        .or_else(|| name.strip_prefix("sft"));
    match rest {
        None => kind(name),
        Some(rest) => {
            let mut letters = rest.chars();
            let first = letters.next().map(|one| one.to_ascii_lowercase());
            let small: String = first.into_iter().chain(letters).collect();
            small != rest && kind(&small)
        }
    }
}

fn test(
    name: &str,
    kind: ColumnKind,
    comparison: Comparison,
    term: &Term,
) -> Result<Option<Test>, Fault> {
    if let Some(operator) = order(comparison) {
        if !matches!(kind, ColumnKind::Text | ColumnKind::Folded) {
            refuse_order(name, comparison)?;
        }
        return Ok(Some(Test::Order(operator, term.text())));
    }
    if term.is_any_run() || term.is_empty() {
        return Ok(Some(Test::Present));
    }
    if has_run(term) {
        return match kind {
            ColumnKind::LettersList => Ok(Some(Test::Like(like(term, true)))),
            ColumnKind::Text | ColumnKind::Folded | ColumnKind::FoldedList | ColumnKind::Id => {
                Ok(Some(Test::Like(like(term, false))))
            }
            ColumnKind::Flag => {
                let message = "Wildcards are not supported for this field";
                Err(Fault::of(message, "field", name))
            }
        };
    }
    let value = term.text();
    Ok(Some(match kind {
        ColumnKind::Id if value == NO_FILE && name == "sourceFileId" => Test::Missing,
        ColumnKind::Id => match Uuid::try_parse(&value) {
            Ok(id) => Test::Is(id.to_string()),
            Err(_) => return Ok(None),
        },
        ColumnKind::Flag => match value.to_ascii_lowercase().as_str() {
            known @ ("true" | "false") => Test::Is(known.to_owned()),
            _ => {
                let message = format!("Invalid boolean value: {value}");
                return Err(Fault::of(message, "field", name));
            }
        },
        ColumnKind::LettersList => Test::Is(letters(&value)),
        // FOLIO compares these in lower case.
        ColumnKind::Text if name == "authRefType" => Test::Is(authorized(&value)),
        ColumnKind::Text | ColumnKind::Folded | ColumnKind::FoldedList => Test::Is(value),
    }))
}

fn authorized(value: &str) -> String {
    let known = ["Authorized", "Reference", "Auth/Ref"];
    let found = known.iter().find(|one| one.eq_ignore_ascii_case(value));
    found.map_or(value, |one| one).to_owned()
}

fn sort(key: &SortKey) -> Result<(SortBy, bool), Fault> {
    let by = match key.index.as_str() {
        "headingRef" => SortBy::Heading,
        "headingType" => SortBy::Type,
        "authRefType" => SortBy::Ref,
        other => {
            let message = "Sort field not found or cannot be used.";
            return Err(Fault::of(message, "sortField", other));
        }
    };
    let descending = key.modifiers.iter().any(|one| one.is("sort.descending"));
    Ok((by, descending))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Result<Condition, String> {
        let wanted = compile(text, "diku").map_err(|fault| fault.message)?;
        assert_eq!(wanted.parts.len(), 1, "{text}");
        Ok(wanted.parts[0].1.clone())
    }

    #[test]
    fn headings_are_searched_for_words_and_the_rest_compared() {
        let words = |field: Option<&str>, text: &str, starting| Condition::Words {
            field: field.map(str::to_owned),
            any: false,
            words: vec![Word {
                text: text.to_owned(),
                starting,
            }],
        };
        // Identifiers are compared as a whole, whatever the relation.
        let or_identifier = |text: &str| {
            Condition::Any(vec![
                words(None, text, false),
                Condition::Column(
                    "identifiers",
                    ColumnKind::FoldedList,
                    Test::Is(text.to_owned()),
                ),
            ])
        };
        for (text, wanted) in [
            ("woolf", or_identifier("woolf")),
            (
                "keyword==\"virginia woolf\"",
                or_identifier("virginia woolf"),
            ),
            (
                "sftPersonalName=wool*",
                words(Some("sftPersonalName"), "wool", true),
            ),
            (
                "headingType==\"Personal Name\"",
                Condition::Column(
                    "heading_type",
                    ColumnKind::Text,
                    Test::Is("Personal Name".to_owned()),
                ),
            ),
            (
                "authRefType==authorized",
                Condition::Column("ref", ColumnKind::Text, Test::Is("Authorized".to_owned())),
            ),
            (
                "sourceFileId==NULL",
                Condition::Column("source_file", ColumnKind::Id, Test::Missing),
            ),
            (
                "lccn==\"n 790-1\"",
                Condition::Column(
                    "lccns",
                    ColumnKind::LettersList,
                    Test::Is("n7901".to_owned()),
                ),
            ),
            (
                "headingRef==wool*",
                Condition::Column(
                    "sort_key",
                    ColumnKind::Folded,
                    Test::Like("wool%".to_owned()),
                ),
            ),
            (
                "isTitleHeadingRef==true",
                Condition::Column("is_title", ColumnKind::Flag, Test::Is("true".to_owned())),
            ),
            ("sourceFileId==x", Condition::Nothing),
            ("tenantId==other", Condition::Nothing),
            ("shared==false", Condition::Everything),
        ] {
            assert_eq!(one(text), Ok(wanted), "{text}");
        }
        for text in [
            "sftName=x",
            "title=x",
            "isTitleHeadingRef==maybe",
            "id>x",
            "sftpersonalName=x",
        ] {
            assert!(one(text).is_err(), "{text}");
        }
    }

    #[test]
    fn every_kind_of_heading_is_a_field_in_three_forms() {
        for name in HEADINGS {
            let capital = name[..1].to_uppercase() + &name[1..];
            for field in [
                name.to_owned(),
                format!("sft{capital}"),
                format!("saft{capital}"),
            ] {
                assert!(is_heading(&field), "{field}");
            }
        }
    }

    #[test]
    fn facets_leave_their_own_filter_out() {
        let wanted = compile("woolf and sourceFileId==NULL", "diku").expect("a query");
        let Condition::All(parts) = wanted.without(Some("sourceFileId")) else {
            unreachable!("all parts")
        };
        assert_eq!(parts.len(), 1);
    }

    #[test]
    fn browsing_needs_a_place_and_may_filter() {
        let read = |text: &str| browsing(text, "diku").map_err(|fault| fault.message);
        let (browse, kept) =
            read("(headingRef>=woolf or headingRef<woolf) and isTitleHeadingRef==false")
                .expect("a query");
        assert_eq!((browse.before, browse.after), (Some(false), Some(true)));
        assert!(matches!(kept, Condition::All(parts) if parts.len() == 1));
        assert!(read("headingType==Topical").is_err());
        assert!(read("headingRef>a and headingRef<b").is_err());
        assert!(read("headingRef>a sortBy headingRef").is_err());
    }
}

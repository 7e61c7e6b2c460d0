//! The meaning of one clause on a record of its own collection: ids, numbers, whole texts, words.

use std::cmp::Ordering;

use octavo_cql::{Clause, Comparison, Modifier, Piece, Term};
use octavo_records::Collection;
use serde_json::Value;
use uuid::Uuid;

use super::decimal::Decimal;
use super::evaluator::{Refusal, Test};
use super::fields::{self, Field};
use super::json;
use super::text::{Folding, SearchWord, has_phrase, matches_mask, words};

/// The test that a clause stands for.
pub fn clause<'a>(
    collection: &'a Collection,
    clause: &Clause,
    field: &str,
) -> Result<Test<'a>, Refusal> {
    let asked = Asked::read(&clause.relation.modifiers)?;
    let comparison = clause.relation.comparison;
    if !asked.elements.is_empty() {
        return element_clause(collection, clause, field, &asked);
    }
    if fields::is_id(collection, field) {
        return match clause.relation.modifiers.is_empty() {
            true => id_clause(comparison, &clause.term, field),
            false => Err(Refusal("modifier on an id")),
        };
    }
    value_clause(
        comparison,
        &clause.term,
        Field::of(collection, field),
        &asked,
    )
}

/// One element of an array satisfies everything: the modifiers with values, and the term in one of
/// the properties that modifiers without values name, or otherwise in the declared one.
fn element_clause<'a>(
    collection: &'a Collection,
    clause: &Clause,
    field: &str,
    asked: &Asked,
) -> Result<Test<'a>, Refusal> {
    let mut indexes = collection.indexes.iter().filter(|one| one.field == field);
    let (index, subfield) = indexes
        .find_map(|one| Some((one, one.array_subfield.as_deref()?)))
        .ok_or(Refusal("array modifier"))?;
    let mut conditions = Vec::new();
    let mut searched = Vec::new();
    for (name, value) in &asked.elements {
        let mut declared = index.array_modifiers.iter().map(String::as_str);
        let name = declared
            .find(|one| one.eq_ignore_ascii_case(name))
            .or(Some(subfield).filter(|one| one.eq_ignore_ascii_case(name)))
            .ok_or(Refusal("array modifier"))?;
        let property = Field::of_element(index, name);
        match value {
            Some((relation, value)) => {
                conditions.push(value_clause(*relation, value, property, &Asked::default())?);
            }
            None => searched.push(property),
        }
    }
    if searched.is_empty() {
        searched.push(Field::of_element(index, subfield));
    }
    let comparison = clause.relation.comparison;
    let searched: Vec<Test<'a>> = searched
        .into_iter()
        .map(|property| value_clause(comparison, &clause.term, property, asked))
        .collect::<Result<_, _>>()?;
    let field = field.to_owned();
    Ok(Box::new(move |record| {
        let elements = json::at(record, &field).and_then(Value::as_array);
        elements.into_iter().flatten().any(|element| {
            conditions.iter().all(|test| test(element)) && searched.iter().any(|test| test(element))
        })
    }))
}

/// A clause on a text or a number.
fn value_clause<'a>(
    comparison: Comparison,
    term: &Term,
    field: Field,
    asked: &Asked,
) -> Result<Test<'a>, Refusal> {
    if asked.number {
        return number_clause(comparison, term, &field.name);
    }
    let about_words = matches!(
        comparison,
        Comparison::Equal | Comparison::Adj | Comparison::All | Comparison::Any
    );
    let cleaned = cleaned(term);
    let term = if about_words { &cleaned } else { term };
    // An id is compared as a whole.
    let whole = field.holds_ids
        && matches!(comparison, Comparison::Equal | Comparison::Adj)
        && term.literal().is_some_and(|text| !text.is_empty());
    if about_words && !whole {
        return word_clause(comparison, term, field);
    }
    let folding = asked.folding(field.folding);
    Ok(text_clause(comparison, term, field, folding))
}

/// A term for words: a `*` is removed with the blanks before it, then the blanks at both ends.
fn cleaned(term: &Term) -> Term {
    let mut kept = term.as_str().to_owned();
    while let Some(at) = kept.find(" *") {
        let before = kept[..at].trim_end_matches(' ').len();
        kept.replace_range(before..at + 2, "\u{1}");
    }
    let kept = kept.replace('\u{1}', "");
    Term::new(kept.trim_matches(|character: char| character <= ' '))
}

/// The modifiers of a clause.
#[derive(Default)]
pub struct Asked {
    /// `/number`.
    pub number: bool,
    /// `/@name` and `/@name=value`.
    elements: Vec<(String, Option<(Comparison, Term)>)>,
    case: Option<bool>,
    accents: Option<bool>,
}

impl Asked {
    /// Parses them.
    pub fn read(modifiers: &[Modifier]) -> Result<Asked, Refusal> {
        let mut asked = Asked::default();
        for modifier in modifiers {
            if let Some(name) = modifier.name.strip_prefix('@') {
                let value = modifier.comparison.zip(modifier.value_term());
                asked.elements.push((name.to_owned(), value));
                continue;
            }
            match modifier.name.to_lowercase().as_str() {
                "number" => asked.number = true,
                "respectcase" => asked.case = Some(true),
                "ignorecase" => asked.case = Some(false),
                "respectaccents" => asked.accents = Some(true),
                "ignoreaccents" => asked.accents = Some(false),
                "string" | "masked" => {}
                _ => return Err(Refusal("modifier")),
            }
        }
        Ok(asked)
    }

    /// The folding that applies in the end.
    pub fn folding(&self, declared: Folding) -> Folding {
        Folding {
            case: self.case.unwrap_or(declared.case),
            accents: self.accents.unwrap_or(declared.accents),
        }
    }
}

/// Whether the order of value and term is what the relation asks for.
fn fits(comparison: Comparison, order: Ordering) -> bool {
    match comparison {
        Comparison::Less => order.is_lt(),
        Comparison::LessEqual => order.is_le(),
        Comparison::Greater => order.is_gt(),
        Comparison::GreaterEqual => order.is_ge(),
        Comparison::NotEqual => order.is_ne(),
        _ => order.is_eq(),
    }
}

fn id_clause<'a>(comparison: Comparison, term: &Term, field: &str) -> Result<Test<'a>, Refusal> {
    let field = field.to_owned();
    let id = move |record: &Value| Some(json::at(record, &field)?.as_str()?.to_lowercase());
    let literal = term.literal().map(|text| text.to_lowercase());
    let asked = literal.filter(|text| text.len() == 36 && Uuid::try_parse(text).is_ok());
    match comparison {
        Comparison::Adj | Comparison::All | Comparison::Any => Err(Refusal("words of an id")),
        Comparison::Equal if term.is_empty() || term.is_any_run() => {
            Ok(Box::new(move |record| id(record).is_some()))
        }
        Comparison::Equal | Comparison::Exact | Comparison::NotEqual => {
            let pieces = term.pieces();
            let stars = pieces.iter().filter(|one| **one == Piece::AnyRun).count();
            if stars > usize::from(pieces.last() == Some(&Piece::AnyRun)) {
                return Err(Refusal("truncation on the left"));
            }
            let prefix = match term.pieces().as_slice() {
                [Piece::Text(text), Piece::AnyRun] => Some(text.to_lowercase()),
                [Piece::AnyRun] => Some(String::new()),
                _ => None,
            };
            let negated = comparison == Comparison::NotEqual;
            Ok(Box::new(move |record| {
                let Some(id) = id(record) else {
                    return false;
                };
                let same = asked.as_ref() == Some(&id)
                    || prefix.as_ref().is_some_and(|prefix| id.starts_with(prefix));
                same != negated
            }))
        }
        _ => {
            let asked = asked.ok_or(Refusal("order of an id"))?;
            Ok(Box::new(move |record| {
                id(record).is_some_and(|id| fits(comparison, id.cmp(&asked)))
            }))
        }
    }
}

fn number_clause<'a>(
    comparison: Comparison,
    term: &Term,
    field: &str,
) -> Result<Test<'a>, Refusal> {
    if matches!(
        comparison,
        Comparison::Adj | Comparison::All | Comparison::Any
    ) {
        return Err(Refusal("words of a number"));
    }
    let literal = term.literal().unwrap_or_default();
    let asked = Decimal::parse(&literal)
        .filter(|_| literal.len() <= 100 && literal.parse().is_ok_and(f64::is_finite))
        .ok_or(Refusal("number"))?;
    let field = field.to_owned();
    Ok(Box::new(move |record| {
        let value = json::at(record, &field).and_then(number);
        value.is_some_and(|value| fits(comparison, value.cmp(&asked)))
    }))
}

/// A number, or a text that is written like one: digits with perhaps a sign and a fraction.
pub fn number(value: &Value) -> Option<Decimal> {
    match value {
        Value::Number(number) => Decimal::parse(&number.to_string()),
        Value::String(text) => {
            let digits = |part: &str| {
                (1..=100).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
            };
            let unsigned = text.strip_prefix('-').unwrap_or(text);
            let plain = match unsigned.split_once('.') {
                Some((whole, fraction)) => digits(whole) && digits(fraction),
                None => digits(unsigned),
            };
            plain.then(|| Decimal::parse(text)).flatten()
        }
        _ => None,
    }
}

/// The term as text with literal wildcards, as for a sort key.
fn unmasked(term: &Term) -> String {
    let mut text = String::new();
    let mut characters = term.as_str().chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => text.extend(characters.next()),
            other => text.push(other),
        }
    }
    text
}

fn text_clause<'a>(
    comparison: Comparison,
    term: &Term,
    field: Field,
    folding: Folding,
) -> Test<'a> {
    let value = move |record: &Value| Some(folding.fold(&field.text(record)?));
    match comparison {
        Comparison::Equal | Comparison::Adj | Comparison::Exact | Comparison::NotEqual => {
            let pieces = term.pieces();
            let negated = comparison == Comparison::NotEqual;
            Box::new(move |record| {
                value(record).is_some_and(|text| matches_mask(&text, &pieces, folding) != negated)
            })
        }
        _ => {
            let asked = folding.fold(&unmasked(term));
            Box::new(move |record| {
                value(record).is_some_and(|text| fits(comparison, text.cmp(&asked)))
            })
        }
    }
}

fn word_clause<'a>(comparison: Comparison, term: &Term, field: Field) -> Result<Test<'a>, Refusal> {
    if term.is_any_run() {
        return Ok(Box::new(|_| true));
    }
    if term.is_empty() {
        return Ok(Box::new(move |record| field.text(record).is_some()));
    }
    let mut single = term.words();
    single.retain(|word| !word.is_any_run());
    let operands: Vec<Vec<SearchWord>> = single.iter().map(wanted).collect::<Result<_, _>>()?;
    let operands: Vec<Vec<SearchWord>> =
        operands.into_iter().filter(|one| !one.is_empty()).collect();
    Ok(Box::new(move |record| {
        let Some(words) = field.words(record) else {
            return false;
        };
        let mut each = operands.iter().map(|one| has_phrase(&words, one));
        match comparison {
            Comparison::All => !operands.is_empty() && each.all(|found| found),
            Comparison::Any => each.any(|found| found),
            _ => has_phrase(&words, &operands.concat()),
        }
    }))
}

/// The words that one word of a term asks for: several when it contains punctuation.
fn wanted(term: &Term) -> Result<Vec<SearchWord>, Refusal> {
    let (text, truncated) = match term.pieces().as_slice() {
        [Piece::Text(text)] => (text.clone(), false),
        [Piece::Text(text), Piece::AnyRun] => (text.clone(), true),
        _ => return Err(Refusal("wildcard inside a word")),
    };
    let word = |word| SearchWord { word, truncated };
    Ok(words(&text).into_iter().map(word).collect())
}

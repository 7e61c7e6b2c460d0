//! Invoices of EDIFACT messages (INVOIC D.96A) by mapping profiles: which segments are a line's, what the
//! expressions of a profile give, and the order line that each line may be about.

use octavo_edifact::{Segment, SegmentPath};
use serde_json::{Map, Value, json};

use super::document::Document;

/// What an invoice's line takes from the order line that it is about.
#[derive(Debug, Clone, PartialEq)]
pub struct OrderedLine {
    pub id: String,
    pub title: String,
    /// Its fund distributions, as they are stored.
    pub distributions: Vec<Value>,
}

impl OrderedLine {
    /// The expense class of all its distributions.
    fn expense_class(&self) -> Option<&Value> {
        let class = |row: &'_ Value| row.get("expenseClassId").cloned();
        let first = self.distributions.first()?;
        let same = self
            .distributions
            .iter()
            .all(|row| class(row) == class(first));
        first.get("expenseClassId").filter(|_| same)
    }
}

/// A message mapped to an invoice. Values are texts.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Mapped {
    pub invoice: Document,
    pub lines: Vec<Document>,
}

/// The segments of a message that are about the invoice as a whole: before its lines and behind them.
#[must_use]
pub fn header(segments: &[Segment]) -> Vec<Segment> {
    let is = |tag: &'static str| move |one: &Segment| one.tag == tag;
    let behind = segments
        .iter()
        .position(is("UNS"))
        .unwrap_or(segments.len());
    let lines = segments.iter().position(is("LIN")).unwrap_or(behind);
    [&segments[..lines.min(behind)], &segments[behind..]].concat()
}

/// The segments of each line.
#[must_use]
pub fn groups(segments: &[Segment]) -> Vec<&[Segment]> {
    let ends = |one: &Segment| matches!(one.tag.as_str(), "UNS" | "UNT");
    let first = segments.iter().position(|one| one.tag == "LIN");
    let Some(first) = first else {
        return Vec::new();
    };
    let end = segments[first..].iter().position(ends);
    let lines = &segments[first..end.map_or(segments.len(), |end| first + end)];
    let mut begins: Vec<usize> = (0..lines.len())
        .filter(|at| lines[*at].tag == "LIN")
        .collect();
    begins.push(lines.len());
    begins
        .windows(2)
        .map(|pair| &lines[pair[0]..pair[1]])
        .collect()
}

fn fields(profile: &Value) -> impl Iterator<Item = &Value> {
    let fields = profile["mappingDetails"]["mappingFields"].as_array();
    fields.into_iter().flatten().filter(|one| is_enabled(one))
}

fn is_enabled(field: &Value) -> bool {
    !matches!(&field["enabled"], Value::Bool(false)) && field["enabled"] != json!("false")
}

/// The fields of a repeatable field's rows.
fn rows(field: &Value) -> impl Iterator<Item = Vec<&Value>> {
    let rows = field["subfields"].as_array();
    rows.into_iter().flatten().map(|row| {
        let fields = row["fields"].as_array();
        fields.into_iter().flatten().collect()
    })
}

fn line_fields(profile: &Value) -> Vec<&Value> {
    let lines = fields(profile).find(|one| name(one) == "invoiceLines");
    let rows = lines.into_iter().flat_map(|lines| rows(lines).next());
    rows.flatten().filter(|one| is_enabled(one)).collect()
}

/// The property of a field: `refNumber` of `invoice.invoiceLines[].referenceNumbers[].refNumber`.
fn name(field: &Value) -> &str {
    let path = field["path"].as_str().unwrap_or_default();
    let last = path.rsplit('.').next().unwrap_or_default();
    last.trim_end_matches("[]")
}

/// The first path within an expression.
fn path_in(field: &Value) -> Option<SegmentPath> {
    let words = field["value"].as_str()?.split_whitespace();
    words
        .map(|word| word.trim_end_matches(';'))
        .find_map(|word| SegmentPath::parse(word).ok())
}

/// Where the lines have the numbers of their order lines.
#[must_use]
pub fn number_path(profile: &Value) -> Option<SegmentPath> {
    let fields = line_fields(profile);
    path_in(fields.into_iter().find(|one| name(one) == "poLineId")?)
}

/// Where the lines have the vendor's reference numbers of their order lines.
#[must_use]
pub fn reference_paths(profile: &Value) -> Vec<SegmentPath> {
    let fields = line_fields(profile);
    let references = fields
        .into_iter()
        .filter(|one| name(one) == "referenceNumbers");
    references
        .flat_map(rows)
        .flatten()
        .filter(|one| name(one) == "refNumber")
        .filter_map(path_in)
        .collect()
}

/// Maps a message.
///
/// # Errors
/// An expression that cannot be read, or a date that is none.
pub fn map(
    profile: &Value,
    segments: &[Segment],
    ordered: &[Option<OrderedLine>],
) -> Result<Mapped, String> {
    let header = header(segments);
    let mut mapped = Mapped::default();
    for field in fields(profile).filter(|one| name(one) != "invoiceLines") {
        let reading = Reading {
            segments: &header,
            ordered: None,
        };
        if let Some(value) = reading.value(field)? {
            mapped.invoice.insert(name(field).to_owned(), value);
        }
    }
    let of_line = line_fields(profile);
    for (at, segments) in groups(segments).into_iter().enumerate() {
        let reading = Reading {
            segments,
            ordered: ordered.get(at).and_then(Option::as_ref),
        };
        let mut line = Map::new();
        for field in &of_line {
            if let Some(value) = reading.value(field)? {
                line.insert(name(field).to_owned(), value);
            }
        }
        mapped.lines.push(line);
    }
    Ok(mapped)
}

/// What expressions are evaluated with.
#[derive(Debug, Clone, Copy)]
struct Reading<'a> {
    segments: &'a [Segment],
    ordered: Option<&'a OrderedLine>,
}

impl Reading<'_> {
    fn value(&self, field: &Value) -> Result<Option<Value>, String> {
        match field["booleanFieldAction"].as_str() {
            Some("ALL_TRUE") => return Ok(Some(json!(true))),
            Some("ALL_FALSE") => return Ok(Some(json!(false))),
            Some(_) => return Ok(None),
            None => {}
        }
        let rows: Vec<Vec<&Value>> = rows(field).collect();
        if rows.is_empty() {
            return self.single(field);
        }
        let mut values = Vec::new();
        // A list of texts has one field in each row.
        let are_texts = rows
            .iter()
            .all(|row| row.len() == 1 && name(row[0]) == name(field));
        for row in rows {
            match are_texts {
                true => values.extend(self.single_of(row[0], field)?),
                false => values.extend(self.entry(&row)?),
            }
        }
        Ok((!values.is_empty()).then_some(Value::Array(values)))
    }

    /// An entry of a list; it ends before a field whose segments the message does not have.
    fn entry(&self, row: &[&Value]) -> Result<Option<Value>, String> {
        let mut entry = Map::new();
        for field in row {
            match self.value(field)? {
                Some(value) => {
                    entry.insert(name(field).to_owned(), value);
                }
                None if expression(field).is_some_and(|one| SegmentPath::parse(one).is_ok()) => {
                    break;
                }
                None => {}
            }
        }
        Ok((!entry.is_empty()).then_some(Value::Object(entry)))
    }

    fn single(&self, field: &Value) -> Result<Option<Value>, String> {
        self.single_of(field, field)
    }

    /// The value of a field; what it accepts stands with the list.
    fn single_of(&self, field: &Value, list: &Value) -> Result<Option<Value>, String> {
        let Some(expression) = expression(field) else {
            return Ok(None);
        };
        for part in expression.split("; else ") {
            let part = part.trim();
            let found = match external(part) {
                Some(name) => self.external(&name),
                None => self.text(part, list)?.map(Value::String),
            };
            let is_blank = |value: &Value| value.as_str().is_some_and(|one| one.trim().is_empty());
            if let Some(value) = found.filter(|value| !is_blank(value)) {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    /// Something of the order line that a line is about.
    fn external(&self, name: &str) -> Option<Value> {
        let ordered = self.ordered?;
        match name {
            "POL_TITLE" => Some(json!(ordered.title)),
            "POL_NUMBER" => Some(json!(ordered.id)),
            "POL_EXPENSE_CLASS" => ordered.expense_class().cloned(),
            "POL_FUND_DISTRIBUTIONS" if !ordered.distributions.is_empty() => {
                Some(json!(ordered.distributions))
            }
            _ => None,
        }
    }

    fn text(&self, part: &str, list: &Value) -> Result<Option<String>, String> {
        if let Some(constant) = constant(part) {
            return Ok(Some(accepted(constant, &list["acceptedValues"])));
        }
        if let Ok(path) = SegmentPath::parse(part) {
            let mut values = path.values(self.segments);
            if path.tag == "DTM" {
                values = values
                    .iter()
                    .map(|one| date(one))
                    .collect::<Result<_, _>>()?;
            }
            return Ok(Some(values.concat()));
        }
        let mut joined = String::new();
        for word in words(part) {
            match (constant(word), SegmentPath::parse(word)) {
                (Some(constant), _) => joined.push_str(constant),
                (None, Ok(path)) => joined.push_str(&path.values(self.segments).concat()),
                (None, Err(error)) => return Err(error.to_string()),
            }
        }
        Ok(Some(joined))
    }
}

fn expression(field: &Value) -> Option<&str> {
    let expression = field["value"].as_str()?.trim();
    Some(expression).filter(|expression| !expression.is_empty())
}

/// `{POL_title}`, in capitals.
fn external(part: &str) -> Option<String> {
    let name = part.strip_prefix('{')?.strip_suffix('}')?;
    Some(name.to_ascii_uppercase())
}

/// The text between quotation marks.
fn constant(part: &str) -> Option<&str> {
    let inner = part.strip_prefix('"')?.strip_suffix('"')?;
    (!inner.contains('"')).then_some(inner)
}

/// The id of an accepted name, or the text itself.
fn accepted(text: &str, accepted: &Value) -> String {
    let mut known = accepted.as_object().into_iter().flatten();
    let found = known.find(|(_, name)| name.as_str() == Some(text));
    found.map_or(text, |(id, _)| id).to_owned()
}

/// `20260131` as an instant.
fn date(text: &str) -> Result<String, String> {
    let digits = text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit());
    let parts = digits.then(|| format!("{}-{}-{}", &text[..4], &text[4..6], &text[6..]));
    let is_date = parts.filter(|parts| parts.parse::<jiff::civil::Date>().is_ok());
    is_date
        .map(|date| format!("{date}T00:00:00.000+0000"))
        .ok_or_else(|| format!("\"{text}\" is no date such as 20260131"))
}

/// The words of an expression; blanks between quotation marks separate none.
fn words(text: &str) -> Vec<&str> {
    let (mut words, mut begin, mut quoted) = (Vec::new(), 0, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            b' ' if !quoted => {
                words.push(&text[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    words.push(&text[begin..]);
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use octavo_edifact::parse;

    use super::*;

    const MESSAGE: &str = "UNB+UNOC:3'UNH+1+INVOIC:D:96A'BGM+380+5001+43'DTM+137:20260131:102'CUX+2:USD:4'\
        LIN+1'IMD+L+050+:::The mill'QTY+47:2'MOA+203:20.00'RFF+LI:10001-1'RFF+SLI:A7'\
        LIN+2'IMD+L+050+:::The river'QTY+47:1'MOA+203:5.00'UNS+S'MOA+9:25.00'UNT+15+1'UNZ+1+1'";

    fn field(path: &str, value: &str) -> Value {
        json!({"path": path, "enabled": "true", "value": value, "subfields": []})
    }

    fn profile() -> Value {
        let line =
            |name: &str, value: &str| field(&format!("invoice.invoiceLines[].{name}"), value);
        let list = "invoice.invoiceLines[].referenceNumbers[]";
        let references = json!({"path": list, "enabled": "true", "value": "", "subfields": [
            {"path": list, "fields": [field(&format!("{list}.refNumber"), "RFF+SLI[2]"),
                field(&format!("{list}.refNumberType"), "\"Vendor order reference number\"")]}]});
        let mut units = field("invoice.acqUnitIds[]", "");
        units["subfields"] = json!([{"fields": [field("invoice.acqUnitIds[]", "\"main\"")]}]);
        units["acceptedValues"] = json!({"7": "main"});
        let mut off = field("invoice.note", "\"x\"");
        off["enabled"] = json!(false);
        let fields = json!([
            line("description", "{POL_title}; else IMD+L+050+[4-5]"),
            line("poLineId", "RFF+LI[2]"),
            line("comment", "QTY+47[2] \" of \" MOA+203[2]"),
            line("fundDistributions[]", "{POL_FUND_DISTRIBUTIONS}"),
            references,
        ]);
        json!({"mappingDetails": {"mappingFields": [
            field("invoice.vendorInvoiceNo", "BGM+380+[1]"),
            field("invoice.invoiceDate", "DTM+137[2]"),
            field("invoice.lockTotal", "MOA+9[2]"),
            {"path": "invoice.exportToAccounting", "booleanFieldAction": "ALL_TRUE", "subfields": []},
            units, off,
            {"path": "invoice.invoiceLines[]", "enabled": "true",
             "subfields": [{"fields": fields}]}]}})
    }

    #[test]
    fn a_message_becomes_an_invoice() {
        let (segments, profile) = (parse(MESSAGE).unwrap(), profile());
        let ordered = OrderedLine {
            id: "l".to_owned(),
            title: "The old mill".to_owned(),
            distributions: vec![json!({"fundId": "f", "expenseClassId": "e"})],
        };
        let mapped = map(&profile, &segments, &[Some(ordered), None]).unwrap();
        assert_eq!(
            Value::Object(mapped.invoice),
            json!({"vendorInvoiceNo": "5001", "invoiceDate": "2026-01-31T00:00:00.000+0000",
                   "lockTotal": "25.00", "exportToAccounting": true, "acqUnitIds": ["7"]})
        );
        assert_eq!(
            mapped.lines,
            [
                json!({"description": "The old mill", "poLineId": "10001-1", "comment": "2 of 20.00",
                       "fundDistributions": [{"fundId": "f", "expenseClassId": "e"}],
                       "referenceNumbers": [{"refNumber": "A7",
                                             "refNumberType": "Vendor order reference number"}]}),
                json!({"description": "The river", "comment": "1 of 5.00"}),
            ]
            .map(|line| line.as_object().cloned().unwrap())
        );
    }

    #[test]
    fn order_lines_are_looked_for_by_the_profiles_paths() {
        let (segments, profile) = (parse(MESSAGE).unwrap(), profile());
        let groups = groups(&segments);
        assert_eq!(groups.len(), 2);
        let number = number_path(&profile).unwrap();
        assert_eq!(number.values(groups[0]), ["10001-1"]);
        assert!(number.values(groups[1]).is_empty());
        let references = reference_paths(&profile);
        assert_eq!(references.len(), 1);
        assert_eq!(references[0].values(groups[0]), ["A7"]);
    }

    #[test]
    fn expressions_that_mean_nothing_are_refused() {
        let segments = parse(MESSAGE).unwrap();
        let reading = Reading {
            segments: &segments,
            ordered: None,
        };
        assert!(reading.value(&field("invoice.note", "BGM")).is_err());
        let wrong = reading.value(&field("invoice.invoiceDate", "DTM+137[3]"));
        assert!(wrong.unwrap_err().contains("102"));
        assert_eq!(reading.value(&field("invoice.note", "MOA+77[2]")), Ok(None));
        assert_eq!(
            reading.value(&field("invoice.note", "{POL_title}")),
            Ok(None)
        );
    }
}

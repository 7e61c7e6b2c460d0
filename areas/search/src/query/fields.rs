//! The fields of queries, and where each is searched.

/// A text with a word index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Text {
    /// Titles of all sorts and series.
    Title,
    /// Names of contributors.
    Contributor,
    Subject,
    /// Titles, names and identifiers.
    Keyword,
}

/// A search table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Table {
    Instance,
    /// What instances are filtered by and counted, once for all that have the same of it.
    Facet,
    Holdings,
    Item,
}

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    Id,
    /// A list of ids.
    Ids,
    Text,
    /// A list of texts.
    Texts,
    /// Yes or no.
    Flag,
    /// A whole number.
    Number,
    /// A text folded as call numbers are.
    Folded,
    /// The letters and digits of a text, folded.
    Letters,
}

/// A column of a search table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    pub table: Table,
    pub name: &'static str,
    /// What it holds.
    pub kind: ColumnKind,
}

/// Where a field is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// Words in a text with an index of its own.
    Words(Text),
    /// A value compared whole, under this tag.
    Whole(&'static str, Form),
    /// Words of a rarer text, under this tag.
    Tagged(&'static str),
    Column(Column),
    /// Columns of which any may match.
    AnyOf(&'static [Column]),
    /// A column of the instance's headings of a kind, by the kind's number.
    Heading(i16, &'static str),
    /// Whether it is bound with others.
    Bound,
    /// A constant of all instances: the tenant, and that nothing is shared.
    Constant(Constant),
    /// The inventory's records, under these CQL names.
    Records(&'static [&'static str]),
}

/// A value that all instances share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Constant {
    /// The tenant's id.
    Tenant,
    /// No.
    Shared,
}

/// How a value is normalised before it is compared as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    AsIs,
    /// The digits at its beginning, and an X.
    Isbn,
    /// Its letters and digits.
    Letters,
    /// Its digits without leading zeroes.
    Digits,
}

const fn column(table: Table, name: &'static str, kind: ColumnKind) -> Column {
    Column { table, name, kind }
}

/// The statistical codes of instances, holdings and items.
pub(super) const CODES: [Column; 3] = [
    column(Table::Facet, "codes", ColumnKind::Ids),
    column(Table::Holdings, "codes", ColumnKind::Ids),
    column(Table::Item, "codes", ColumnKind::Ids),
];

const CALL_NUMBER_KEYS: [Column; 2] = [
    column(Table::Item, "call_number_key", ColumnKind::Letters),
    column(Table::Holdings, "call_number_key", ColumnKind::Letters),
];

/// The SQL/JSON paths of a text's values in a record.
#[must_use]
pub fn paths(text: Text) -> &'static [&'static str] {
    match text {
        Text::Title => &[
            "$.title",
            "$.indexTitle",
            "$.alternativeTitles[*].alternativeTitle",
            "$.series[*].value",
        ],
        Text::Contributor => &["$.contributors[*].name"],
        Text::Subject => &["$.subjects[*].value"],
        Text::Keyword => &[
            "$.title",
            "$.indexTitle",
            "$.alternativeTitles[*].alternativeTitle",
            "$.series[*].value",
            "$.contributors[*].name",
            "$.identifiers[*].value",
        ],
    }
}

/// The same for a rarer text, by its tag.
#[must_use]
pub fn tagged_paths(tag: &str) -> &'static [&'static str] {
    match tag {
        "alternativetitle" => &["$.alternativeTitles[*].alternativeTitle"],
        "uniformtitle" => &["$.alternativeTitles[*] ? (@.alternativeTitleTypeId == \
             \"30512027-cdc9-4c79-af75-1565b3bd888d\").alternativeTitle"],
        "indextitle" => &["$.indexTitle"],
        "series" => &["$.series[*].value"],
        "publisher" => &["$.publication[*].publisher"],
        "note" => &["$.notes[*].note"],
        "publicnote" => &["$.notes[*] ? (!(@.staffOnly == true)).note"],
        "administrativenote" => &["$.administrativeNotes[*]"],
        "electronicaccess" => &[
            "$.electronicAccess[*].uri",
            "$.electronicAccess[*].linkText",
            "$.electronicAccess[*].publicNote",
        ],
        _ => &[],
    }
}

const fn instance(name: &'static str, kind: ColumnKind) -> Field {
    Field::Column(column(Table::Instance, name, kind))
}

const fn facet(name: &'static str, kind: ColumnKind) -> Field {
    Field::Column(column(Table::Facet, name, kind))
}

const fn holdings(name: &'static str, kind: ColumnKind) -> Field {
    Field::Column(column(Table::Holdings, name, kind))
}

const fn item(name: &'static str, kind: ColumnKind) -> Field {
    Field::Column(column(Table::Item, name, kind))
}

/// The field of a name, if it is one.
#[must_use]
pub fn field(name: &str) -> Option<Field> {
    if let Some(rest) = name.strip_prefix("items.") {
        return of_item(rest);
    }
    if let Some(rest) = name.strip_prefix("item.") {
        return of_item(rest);
    }
    if let Some(rest) = name.strip_prefix("holdings.") {
        return of_holdings(rest);
    }
    Some(match name {
        "keyword" | "cql.all" => Field::Words(Text::Keyword),
        "title" => Field::Words(Text::Title),
        "contributors" | "contributors.name" => Field::Words(Text::Contributor),
        "subjects" | "subjects.value" => Field::Words(Text::Subject),
        "alternativeTitles.alternativeTitle" => Field::Tagged("alternativetitle"),
        "uniformTitle" => Field::Tagged("uniformtitle"),
        "indexTitle" => Field::Tagged("indextitle"),
        "series" | "series.value" => Field::Tagged("series"),
        "publisher" | "publication.publisher" => Field::Tagged("publisher"),
        "notes.note" => Field::Tagged("note"),
        "publicNotes" => Field::Tagged("publicnote"),
        "administrativeNotes" => Field::Tagged("administrativenote"),
        "electronicAccess"
        | "electronicAccess.uri"
        | "electronicAccess.linkText"
        | "electronicAccess.publicNote" => Field::Tagged("electronicaccess"),
        "identifiers" | "identifiers.value" => Field::Whole("identifier", Form::AsIs),
        "isbn" => Field::Whole("isbn", Form::Isbn),
        "issn" => Field::Whole("issn", Form::Letters),
        "oclc" => Field::Whole("oclc", Form::Digits),
        "lccn" | "canceledLccn" => Field::Whole("lccn", Form::Letters),
        "classifications.classificationNumber" => Field::Whole("classification", Form::AsIs),
        "normalizedClassificationNumber" => Field::Whole("classletters", Form::Letters),
        "contributors.contributorTypeId" => Field::Whole("contributortype", Form::AsIs),
        "contributors.contributorNameTypeId" => Field::Whole("contributornametype", Form::AsIs),
        "contributors.authorityId" => Field::Whole("contributorauthority", Form::AsIs),
        "authorityId"
        | "alternativeTitles.authorityId"
        | "series.authorityId"
        | "subjects.authorityId" => Field::Whole("authority", Form::AsIs),
        "classifications.classificationTypeId" => Field::Heading(3, "type"),
        "sourceId" | "subjects.sourceId" => Field::Heading(1, "source"),
        "typeId" | "subjects.typeId" => Field::Heading(1, "type"),
        "isBoundWith" => Field::Bound,
        "statisticalCodes" => Field::AnyOf(&CODES),
        "id" => instance("id", ColumnKind::Id),
        "source" => facet("source", ColumnKind::Text),
        "instanceTypeId" => facet("instance_type", ColumnKind::Id),
        "statusId" => facet("status", ColumnKind::Id),
        "modeOfIssuanceId" => facet("mode", ColumnKind::Id),
        "instanceFormatIds" => facet("formats", ColumnKind::Ids),
        "natureOfContentTermIds" => facet("contents", ColumnKind::Ids),
        "statisticalCodeIds" => facet("codes", ColumnKind::Ids),
        "languages" => facet("languages", ColumnKind::Texts),
        "instanceTags" | "tags.tagList" => facet("tags", ColumnKind::Texts),
        "staffSuppress" => facet("staff", ColumnKind::Flag),
        "discoverySuppress" => facet("discovery", ColumnKind::Flag),
        "metadata.createdDate" => instance("created", ColumnKind::Text),
        "metadata.updatedDate" => instance("updated", ColumnKind::Text),
        "normalizedDate1" => instance("date1", ColumnKind::Number),
        "itemTags" => item("tags", ColumnKind::Texts),
        "itemFullCallNumbers" => item("call_number", ColumnKind::Folded),
        "itemNormalizedCallNumbers" => item("call_number_key", ColumnKind::Letters),
        "callNumberType" => item("call_number_type", ColumnKind::Id),
        "holdingsTypeId" => holdings("type", ColumnKind::Id),
        "holdingsTags" => holdings("tags", ColumnKind::Texts),
        "holdingsFullCallNumbers" => holdings("call_number", ColumnKind::Folded),
        "holdingsNormalizedCallNumbers" => holdings("call_number_key", ColumnKind::Letters),
        "normalizedCallNumbers" => Field::AnyOf(&CALL_NUMBER_KEYS),
        "metadata.createdByUserId" => Field::Records(&["metadata.createdByUserId"]),
        "metadata.updatedByUserId" => Field::Records(&["metadata.updatedByUserId"]),
        "tenantId" => Field::Constant(Constant::Tenant),
        "shared" => Field::Constant(Constant::Shared),
        "hrid" => Field::Records(&["hrid"]),
        "itemIdentifiers" => Field::Records(&[
            "item.id",
            "item.hrid",
            "item.barcode",
            "item.accessionNumber",
            "item.formerIds",
        ]),
        "holdingsIdentifiers" => Field::Records(&["holdingsRecords.id", "holdingsRecords.hrid"]),
        _ => return None,
    })
}

fn of_item(name: &str) -> Option<Field> {
    Some(match name {
        "effectiveLocationId" => item("location", ColumnKind::Id),
        "materialTypeId" => item("material", ColumnKind::Id),
        "status.name" => item("status", ColumnKind::Text),
        "discoverySuppress" => item("discovery", ColumnKind::Flag),
        "statisticalCodeIds" => item("codes", ColumnKind::Ids),
        "tags.tagList" => item("tags", ColumnKind::Texts),
        "tenantId" => Field::Constant(Constant::Tenant),
        "id" => item("id", ColumnKind::Id),
        "holdingsRecordId" => item("holdings_id", ColumnKind::Id),
        "itemLevelCallNumberTypeId" | "effectiveCallNumberComponents.typeId" => {
            item("call_number_type", ColumnKind::Id)
        }
        "fullCallNumber" | "effectiveCallNumberComponents" => {
            item("call_number", ColumnKind::Folded)
        }
        "normalizedCallNumbers" => item("call_number_key", ColumnKind::Letters),
        "formerIds" => Field::Records(&["item.formerIds"]),
        "hrid" => Field::Records(&["item.hrid"]),
        "barcode" => Field::Records(&["item.barcode"]),
        "accessionNumber" => Field::Records(&["item.accessionNumber"]),
        _ => return None,
    })
}

fn of_holdings(name: &str) -> Option<Field> {
    Some(match name {
        "permanentLocationId" => holdings("location", ColumnKind::Id),
        "holdingsTypeId" => holdings("type", ColumnKind::Id),
        "sourceId" => holdings("source", ColumnKind::Id),
        "discoverySuppress" => holdings("discovery", ColumnKind::Flag),
        "statisticalCodeIds" => holdings("codes", ColumnKind::Ids),
        "tags.tagList" => holdings("tags", ColumnKind::Texts),
        "tenantId" => Field::Constant(Constant::Tenant),
        "id" => holdings("id", ColumnKind::Id),
        "fullCallNumber" => holdings("call_number", ColumnKind::Folded),
        "normalizedCallNumbers" => holdings("call_number_key", ColumnKind::Letters),
        "hrid" => Field::Records(&["holdingsRecords.hrid"]),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [&str; 35] = [
        "id",
        "source",
        "instanceTypeId",
        "statusId",
        "modeOfIssuanceId",
        "instanceFormatIds",
        "natureOfContentTermIds",
        "statisticalCodeIds",
        "languages",
        "instanceTags",
        "staffSuppress",
        "discoverySuppress",
        "metadata.createdDate",
        "metadata.updatedDate",
        "normalizedDate1",
        "itemTags",
        "itemFullCallNumbers",
        "itemNormalizedCallNumbers",
        "callNumberType",
        "holdingsTypeId",
        "holdingsTags",
        "holdingsFullCallNumbers",
        "holdingsNormalizedCallNumbers",
        "item.effectiveLocationId",
        "item.materialTypeId",
        "item.status.name",
        "item.discoverySuppress",
        "item.statisticalCodeIds",
        "item.tags.tagList",
        "holdings.permanentLocationId",
        "holdings.holdingsTypeId",
        "holdings.sourceId",
        "holdings.discoverySuppress",
        "holdings.statisticalCodeIds",
        "holdings.tags.tagList",
    ];

    /// Whether the tables' SQL declares an index that finds the few rows with a value of a column.
    fn is_indexed(column: Column) -> bool {
        let sql = match column.table {
            Table::Instance | Table::Facet => include_str!("../migrations/rows_narrow.sql"),
            Table::Holdings | Table::Item => concat!(
                include_str!("../migrations/tables.sql"),
                include_str!("../migrations/filters.sql")
            ),
        };
        let table = match column.table {
            Table::Instance => "search_instance",
            Table::Facet => "search_facet",
            Table::Holdings => "search_holdings",
            Table::Item => "search_item",
        };
        let name = column.name;
        sql.split(';')
            .map(|statement| statement.split_whitespace().collect::<Vec<_>>().join(" "))
            .filter(|statement| statement.contains(&format!("ON {{schema}}.{table} ")))
            .any(|statement| match column.kind {
                ColumnKind::Flag => statement.ends_with(&format!("WHERE {name}")),
                ColumnKind::Ids | ColumnKind::Texts => {
                    statement.ends_with(&format!("gin ({name}) WHERE {name} <> '{{}}'"))
                }
                _ => {
                    statement.contains(&format!(" ({name})"))
                        || statement.contains(&format!("search_{name}(words)"))
                        || statement.contains(&format!(" ({name},"))
                }
            })
    }

    #[test]
    fn what_is_filtered_by_has_an_index_except_the_status_that_a_check_out_changes() {
        let without: Vec<&str> = COLUMNS
            .into_iter()
            .filter(|name| match field(name) {
                Some(Field::Column(column)) => column.name != "id" && !is_indexed(column),
                other => panic!("{name}: {other:?}"),
            })
            .collect();
        assert_eq!(without, ["item.status.name"]);
    }
}

//! The columns of a file of users, and the conversion of a line to a user for `POST /user-import`.
//! An empty field sets nothing.

use csv::StringRecord;
use serde_json::{Map, Value, json};

/// Separates several values of one field.
const SEPARATOR: char = ';';
/// The most columns of a file.
const COLUMNS_MAX: usize = 500;

const USER: [&str; 8] = [
    "username",
    "externalSystemId",
    "id",
    "barcode",
    "type",
    "patronGroup",
    "enrollmentDate",
    "expirationDate",
];
const PERSONAL: [&str; 11] = [
    "lastName",
    "firstName",
    "middleName",
    "preferredFirstName",
    "pronouns",
    "email",
    "phone",
    "mobilePhone",
    "dateOfBirth",
    "preferredContactTypeId",
    "profilePictureLink",
];
const ADDRESS: [&str; 7] = [
    "countryId",
    "addressLine1",
    "addressLine2",
    "city",
    "region",
    "postalCode",
    "primaryAddress",
];
const PREFERENCE: [&str; 5] = [
    "holdShelf",
    "delivery",
    "defaultServicePointId",
    "defaultDeliveryAddressTypeId",
    "fulfillment",
];

/// The meaning of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Column {
    User(String),
    Active,
    Departments,
    Communication,
    Tags,
    Personal(String),
    /// The type of the address, and its property.
    Address(String, String),
    Custom(String),
    Preference(String),
}

/// The columns of a file, in their order.
#[derive(Debug)]
pub(super) struct Columns(Vec<Column>);

impl Columns {
    /// Parses the first line.
    ///
    /// # Errors
    /// Names the unknown column, and the known ones.
    pub(super) fn of(header: &StringRecord) -> anyhow::Result<Columns> {
        if header.len() > COLUMNS_MAX {
            anyhow::bail!("the file has more than {COLUMNS_MAX} columns");
        }
        let mut columns = Vec::with_capacity(header.len());
        for name in header {
            let name = name.trim().trim_start_matches('\u{feff}');
            let column = column(name).ok_or_else(|| unknown(name))?;
            if columns.contains(&column) {
                anyhow::bail!("the column {name:?} is there twice");
            }
            columns.push(column);
        }
        for needed in ["username", "externalSystemId"] {
            if !columns.contains(&Column::User(needed.to_owned())) {
                anyhow::bail!(
                    "the first line has no column {needed:?}; it must name the columns, as described \
                     in docs/user-import.md, and --delimiter sets the separator"
                );
            }
        }
        Ok(Columns(columns))
    }

    /// Converts a line to a user.
    ///
    /// # Errors
    /// The value that cannot be parsed.
    pub(super) fn user(&self, row: &StringRecord) -> Result<Value, String> {
        if row.len() > self.0.len() {
            return Err(format!(
                "the line has {} fields, and there are {} columns",
                row.len(),
                self.0.len()
            ));
        }
        let mut user = Map::new();
        for (column, field) in self.0.iter().zip(row) {
            let field = field.trim();
            if !field.is_empty() {
                put(&mut user, column, field)?;
            }
        }
        Ok(Value::Object(user))
    }
}

fn column(name: &str) -> Option<Column> {
    let among = |list: &[&str], name: &str| {
        let found = list.iter().find(|one| one.eq_ignore_ascii_case(name));
        found.map(|one| (*one).to_owned())
    };
    match name.to_ascii_lowercase().as_str() {
        "active" => return Some(Column::Active),
        "departments" => return Some(Column::Departments),
        "preferredemailcommunication" => return Some(Column::Communication),
        "tags" => return Some(Column::Tags),
        _ => {}
    }
    if let Some(known) = among(&USER, name) {
        return Some(Column::User(known));
    }
    if let Some(known) = among(&PERSONAL, name.strip_prefix("personal.").unwrap_or(name)) {
        return Some(Column::Personal(known));
    }
    let (kind, rest) = name.split_once('.')?;
    match kind {
        "customFields" if !rest.is_empty() => Some(Column::Custom(rest.to_owned())),
        "requestPreference" => among(&PREFERENCE, rest).map(Column::Preference),
        "addresses" => {
            let (of, part) = rest.rsplit_once('.')?;
            let part = among(&ADDRESS, part)?;
            (!of.is_empty()).then(|| Column::Address(of.to_owned(), part))
        }
        _ => None,
    }
}

fn unknown(name: &str) -> anyhow::Error {
    anyhow::anyhow!(
        "the column {name:?} is not known. Columns are: {}, active, departments, \
         preferredEmailCommunication, tags, {}, addresses.TYPE.PART (as in addresses.Home.city), \
         customFields.REFERENCE, requestPreference.PART; docs/user-import.md describes each, and \
         --delimiter says what separates them",
        USER.join(", "),
        PERSONAL.join(", ")
    )
}

fn put(user: &mut Map<String, Value>, column: &Column, field: &str) -> Result<(), String> {
    match column {
        Column::User(name) => {
            user.insert(name.clone(), json!(field));
        }
        Column::Active => {
            user.insert("active".to_owned(), json!(yes_or_no("active", field)?));
        }
        Column::Departments => {
            user.insert("departments".to_owned(), several(field));
        }
        Column::Communication => {
            user.insert("preferredEmailCommunication".to_owned(), several(field));
        }
        Column::Tags => {
            user.insert("tags".to_owned(), json!({"tagList": several(field)}));
        }
        Column::Personal(name) => {
            part(user, "personal").insert(name.clone(), json!(field));
        }
        Column::Address(of, name) => {
            let value = match name.as_str() {
                "primaryAddress" => json!(yes_or_no(name, field)?),
                _ => json!(field),
            };
            address(part(user, "personal"), of).insert(name.clone(), value);
        }
        Column::Custom(reference) => {
            let value = match field {
                _ if field.contains(SEPARATOR) => several(field),
                "true" => Value::Bool(true),
                "false" => Value::Bool(false),
                _ => json!(field),
            };
            part(user, "customFields").insert(reference.clone(), value);
        }
        Column::Preference(name) => {
            let value = match name.as_str() {
                "holdShelf" | "delivery" => json!(yes_or_no(name, field)?),
                _ => json!(field),
            };
            part(user, "requestPreference").insert(name.clone(), value);
        }
    }
    Ok(())
}

fn several(field: &str) -> Value {
    let each = field.split(SEPARATOR).map(str::trim);
    json!(each.filter(|one| !one.is_empty()).collect::<Vec<_>>())
}

fn yes_or_no(name: &str, field: &str) -> Result<bool, String> {
    match field.to_ascii_lowercase().as_str() {
        "true" | "yes" | "y" | "1" => Ok(true),
        "false" | "no" | "n" | "0" => Ok(false),
        _ => Err(format!("{name} is {field:?}, neither true nor false")),
    }
}

/// A nested object of a user; created if it does not exist.
fn part<'a>(user: &'a mut Map<String, Value>, name: &str) -> &'a mut Map<String, Value> {
    let part = user
        .entry(name.to_owned())
        .or_insert_with(|| Value::Object(Map::new()));
    part.as_object_mut()
        .expect("invariant: the parts of a user are objects")
}

/// The address of a type; created if it does not exist.
fn address<'a>(personal: &'a mut Map<String, Value>, of: &str) -> &'a mut Map<String, Value> {
    let list = personal
        .entry("addresses".to_owned())
        .or_insert_with(|| json!([]));
    let list = list
        .as_array_mut()
        .expect("invariant: the addresses are a list");
    let at = match list.iter().position(|one| one["addressTypeId"] == of) {
        Some(at) => at,
        None => {
            list.push(json!({"addressTypeId": of}));
            list.len() - 1
        }
    };
    list[at]
        .as_object_mut()
        .expect("invariant: an address is an object")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(fields: &[&str]) -> StringRecord {
        StringRecord::from(fields.to_vec())
    }

    #[test]
    fn a_line_is_a_user() {
        let columns = Columns::of(&row(&[
            "\u{feff}Username",
            "externalSystemId",
            "active",
            "lastName",
            "personal.email",
            "departments",
            "addresses.Home.city",
            "addresses.Home.primaryAddress",
            "addresses.Work.city",
            "customFields.scope",
            "customFields.member",
            "requestPreference.holdShelf",
            "tags",
        ]))
        .expect("columns");
        let line = row(&[
            "jane",
            "7",
            "Yes",
            "Doe",
            "",
            "Law; History",
            "Oslo",
            "1",
            "",
            "A;B",
            "true",
            "true",
            "new",
        ]);
        assert_eq!(
            columns.user(&line),
            Ok(json!({
                "username": "jane", "externalSystemId": "7", "active": true,
                "personal": {"lastName": "Doe", "addresses": [
                    {"addressTypeId": "Home", "city": "Oslo", "primaryAddress": true}]},
                "departments": ["Law", "History"],
                "customFields": {"scope": ["A", "B"], "member": true},
                "requestPreference": {"holdShelf": true},
                "tags": {"tagList": ["new"]},
            }))
        );
        assert!(columns.user(&row(&["a", "1", "perhaps"])).is_err());
        assert!(columns.user(&row(&["a"; 14])).is_err());
    }

    #[test]
    fn columns_that_are_not_known_are_reported() {
        for names in [
            &["username", "externalSystemId", "shoeSize"][..],
            &["username"][..],
            &["username", "externalSystemId", "username"][..],
            &["username", "externalSystemId", "addresses.Home"][..],
            &["username;externalSystemId"][..],
        ] {
            assert!(Columns::of(&row(names)).is_err(), "{names:?}");
        }
    }
}

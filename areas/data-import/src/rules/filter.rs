//! Filters and sort order of lists of jobs.

use jiff::Timestamp;
use octavo_library::{ProfileId, UserId};
use octavo_records::instant;
use uuid::Uuid;

use super::status;

/// Values that one parameter may name.
pub(crate) const VALUES_MAX: usize = 200;

/// The filter. Empty lists mean no restriction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Filter {
    pub status_any: Vec<String>,
    pub status_not: Option<String>,
    pub ui_status_any: Vec<String>,
    pub profile_any: Vec<ProfileId>,
    pub profile_not_any: Vec<ProfileId>,
    pub kind_not_any: Vec<String>,
    pub file_name_not_any: Vec<String>,
    /// With `*` for any characters.
    pub hrid: Option<String>,
    /// The same, whatever the case.
    pub file_name: Option<String>,
    /// The same.
    pub excluded_profile_name: Option<String>,
    pub user: Option<UserId>,
    /// In the stored notation.
    pub completed_after: Option<String>,
    pub completed_before: Option<String>,
    pub sort: Vec<Sort>,
}

/// One term of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sort {
    pub by: By,
    pub descending: bool,
}

/// What jobs can be ordered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum By {
    Completed,
    Started,
    Total,
    Current,
    Status,
    Hrid,
    FileName,
    ProfileName,
    FirstName,
    LastName,
}

/// A parameter's values, and what is wrong with one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wrong {
    pub name: &'static str,
    pub value: String,
    pub why: String,
}

impl Filter {
    /// Reads the parameters of a request; `values` gives all of a name.
    pub(crate) fn read<E: From<Wrong>>(
        values: impl Fn(&'static str) -> Result<Vec<String>, E>,
    ) -> Result<Filter, E> {
        let many = |name: &'static str| -> Result<Vec<String>, E> {
            let mut given = values(name)?;
            given.retain(|one| !one.is_empty());
            if given.len() > VALUES_MAX {
                return Err(wrong(name, "…", format!("at most {VALUES_MAX} values")).into());
            }
            Ok(given)
        };
        let one = |name| -> Result<Option<String>, E> { Ok(many(name)?.pop()) };
        let among = |name, known: &[&str]| -> Result<Vec<String>, E> {
            let given = many(name)?;
            match given.iter().find(|one| !known.contains(&one.as_str())) {
                None => Ok(given),
                Some(other) => {
                    let why = format!("must be one of {}", known.join(", "));
                    Err(wrong(name, other, why).into())
                }
            }
        };
        let ids = |name| -> Result<Vec<Uuid>, E> {
            let given = many(name)?;
            given
                .iter()
                .map(|text| {
                    Uuid::try_parse(text)
                        .map_err(|_| wrong(name, text, "must be a UUID".to_owned()).into())
                })
                .collect()
        };
        let profiles = |name| -> Result<Vec<ProfileId>, E> {
            Ok(ids(name)?.into_iter().map(ProfileId::from).collect())
        };
        let instant = |name| -> Result<Option<String>, E> {
            let Some(text) = one(name)? else {
                return Ok(None);
            };
            match read_instant(&text) {
                Some(at) => Ok(Some(instant::format(at))),
                None => Err(wrong(name, &text, "must be a date and time".to_owned()).into()),
            }
        };
        let mut sort = Vec::new();
        for text in many("sortBy")? {
            sort.extend(read_sort(&text)?);
        }
        if sort.is_empty() {
            sort.push(Sort {
                by: By::Completed,
                descending: false,
            });
        }
        Ok(Filter {
            status_any: among("statusAny", &status::ALL)?,
            status_not: among("statusNot", &status::ALL)?.pop(),
            ui_status_any: among("uiStatusAny", &status::ALL_UI)?,
            profile_any: profiles("profileIdAny")?,
            profile_not_any: profiles("profileIdNotAny")?,
            kind_not_any: among("subordinationTypeNotAny", &status::KINDS)?,
            file_name_not_any: many("fileNameNotAny")?,
            hrid: one("hrId")?,
            file_name: one("fileName")?,
            excluded_profile_name: one("excludeJobProfileName")?,
            user: ids("userId")?.pop().map(UserId::from),
            completed_after: instant("completedAfter")?,
            completed_before: instant("completedBefore")?,
            sort,
        })
    }
}

fn wrong(name: &'static str, value: &str, why: String) -> Wrong {
    Wrong {
        name,
        value: value.to_owned(),
        why,
    }
}

/// With an offset, or without one as UTC; a day alone is its beginning.
fn read_instant(text: &str) -> Option<Timestamp> {
    let zoned = |text: &str| text.parse::<Timestamp>().ok();
    zoned(text)
        .or_else(|| zoned(&format!("{text}Z")))
        .or_else(|| zoned(&format!("{text}T00:00:00Z")))
}

/// `completed_date,asc`; states are sorted by progress too.
fn read_sort(text: &str) -> Result<Vec<Sort>, Wrong> {
    let refused = || Wrong {
        name: "sortBy",
        value: text.to_owned(),
        why: format!(
            "The specified parameter for sorting jobExecutions is invalid: '{text}'. Valid \
             sortable fields are: [completed_date, started_date, progress_total, status, hrid, \
             file_name, job_profile_name, job_user_first_name, job_user_last_name]. Valid sorting \
             order values are: asc, desc."
        ),
    };
    let (field, direction) = text.split_once(',').unwrap_or((text, ""));
    let descending = match direction {
        "asc" => false,
        "desc" => true,
        _ => return Err(refused()),
    };
    let by = match field {
        "completed_date" => By::Completed,
        "started_date" => By::Started,
        "progress_total" => By::Total,
        "status" => By::Status,
        "hrid" => By::Hrid,
        "file_name" => By::FileName,
        "job_profile_name" => By::ProfileName,
        "job_user_first_name" => By::FirstName,
        "job_user_last_name" => By::LastName,
        _ => return Err(refused()),
    };
    let mut terms = vec![Sort { by, descending }];
    if by == By::Status {
        terms.push(Sort {
            by: By::Current,
            descending: !descending,
        });
    }
    Ok(terms)
}

/// A pattern with `*` as an SQL pattern; SQL's wildcards are escaped.
pub(crate) fn like(pattern: &str) -> String {
    let mut like = String::with_capacity(pattern.len() + 4);
    for character in pattern.chars() {
        match character {
            '*' => like.push('%'),
            '%' | '_' | '\\' => like.extend(['\\', character]),
            other => like.push(other),
        }
    }
    like
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Result<Filter, Wrong> {
        Filter::read(|name| {
            let of_name = pairs.iter().filter(|(key, _)| *key == name);
            Ok(of_name.map(|(_, value)| (*value).to_owned()).collect())
        })
    }

    #[test]
    fn parameters_are_read_and_wrong_ones_named() {
        let filter = read(&[
            ("statusAny", "COMMITTED"),
            ("statusAny", "ERROR"),
            ("sortBy", "status,desc"),
            ("completedAfter", "2026-01-02"),
        ])
        .unwrap();
        assert_eq!(filter.status_any, ["COMMITTED", "ERROR"]);
        assert_eq!(filter.sort.len(), 2);
        assert!(
            filter
                .completed_after
                .unwrap()
                .starts_with("2026-01-02T00:00:00")
        );
        assert_eq!(
            read(&[("statusAny", "DONE")]).unwrap_err().name,
            "statusAny"
        );
        assert_eq!(
            read(&[("profileIdAny", "7")]).unwrap_err().name,
            "profileIdAny"
        );
        for wrong in ["hrid", "hrid,up", "secret,asc"] {
            assert!(read(&[("sortBy", wrong)]).is_err(), "{wrong}");
        }
    }

    #[test]
    fn patterns_keep_their_own_signs() {
        assert_eq!(like("*a_b%*"), "%a\\_b\\%%");
    }
}

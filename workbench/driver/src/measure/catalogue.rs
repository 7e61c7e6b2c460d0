//! The labels of a workload's results, numbered once so that recording needs no look-up.

use crate::workload::Workload;

/// Numbers for labels.
#[derive(Debug, Clone)]
pub struct Catalogue {
    /// The label of the login, always the first.
    pub login: usize,
    labels: Vec<(Option<usize>, String)>,
    of_requests: Vec<Vec<usize>>,
}

impl Catalogue {
    /// The labels of a workload, in the order of their first appearance.
    pub fn new(workload: &Workload) -> Self {
        let login = workload
            .login
            .as_ref()
            .map_or("login", |request| request.label.as_str());
        let mut labels = vec![(None, login.to_owned())];
        let of_requests = workload
            .transactions
            .iter()
            .enumerate()
            .map(|(number, transaction)| {
                let numbers = transaction.requests.iter().map(|request| {
                    let key = (Some(number), request.label.clone());
                    labels
                        .iter()
                        .position(|label| *label == key)
                        .unwrap_or_else(|| {
                            labels.push(key);
                            labels.len() - 1
                        })
                });
                numbers.collect()
            });
        let of_requests = of_requests.collect();
        Self {
            login: 0,
            labels,
            of_requests,
        }
    }

    /// The label number of a request.
    pub fn of(&self, transaction: usize, request: usize) -> usize {
        self.of_requests[transaction][request]
    }

    /// The index of a label among the requests of a run's record, which ends with those outside of
    /// any transaction.
    pub fn place(&self, number: usize) -> usize {
        match number.checked_sub(1) {
            Some(place) => place,
            None => self.labels.len() - 1,
        }
    }

    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Always false: there is always the login's label.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// The text of a label.
    pub fn label(&self, number: usize) -> &str {
        &self.labels[number].1
    }

    /// The label numbers of a transaction, or those outside any.
    pub fn within(&self, transaction: Option<usize>) -> impl Iterator<Item = usize> {
        let labels = self.labels.iter().enumerate();
        labels
            .filter(move |(_, (owner, _))| *owner == transaction)
            .map(|(number, _)| number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_have_the_places_that_the_record_gives_them() {
        let text = crate::workload::BUILT_IN[0].text;
        let workload = crate::workload::parse("x", text).unwrap();
        let catalogue = Catalogue::new(&workload);
        let transactions = (0..workload.transactions.len()).map(Some);
        let record = transactions
            .chain([None])
            .flat_map(|one| catalogue.within(one));
        let places: Vec<usize> = record.map(|number| catalogue.place(number)).collect();
        assert_eq!(places, (0..catalogue.len()).collect::<Vec<_>>());
        assert_eq!(catalogue.label(0), "POST_authn/login");
    }
}

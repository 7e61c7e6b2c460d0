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

    /// How many labels there are.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Never: there is always the login's label.
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

//! The states of a job, as named by the API and by front ends.

/// All states.
pub(crate) const ALL: [&str; 12] = [
    "PARENT",
    "NEW",
    "FILE_UPLOADED",
    "PARSING_IN_PROGRESS",
    "PARSING_FINISHED",
    "PROCESSING_IN_PROGRESS",
    "PROCESSING_FINISHED",
    "COMMIT_IN_PROGRESS",
    "COMMITTED",
    "ERROR",
    "DISCARDED",
    "CANCELLED",
];

/// All names of states in front ends.
pub(crate) const ALL_UI: [&str; 9] = [
    "PARENT",
    "INITIALIZATION",
    "PREPARING_FOR_PREVIEW",
    "READY_FOR_PREVIEW",
    "RUNNING",
    "RUNNING_COMPLETE",
    "ERROR",
    "DISCARDED",
    "CANCELLED",
];

/// All subordination types of jobs.
pub(crate) const KINDS: [&str; 5] = [
    "CHILD",
    "PARENT_SINGLE",
    "PARENT_MULTIPLE",
    "COMPOSITE_PARENT",
    "COMPOSITE_CHILD",
];

/// The error statuses of jobs.
pub(crate) const ERRORS: [&str; 5] = [
    "SNAPSHOT_UPDATE_ERROR",
    "RECORD_UPDATE_ERROR",
    "FILE_PROCESSING_ERROR",
    "INSTANCE_CREATING_ERROR",
    "PROFILE_SNAPSHOT_CREATING_ERROR",
];

/// The front ends' name of a state.
pub(crate) fn ui(status: &str) -> &'static str {
    match status {
        "PARENT" => "PARENT",
        "NEW" | "FILE_UPLOADED" => "INITIALIZATION",
        "PARSING_FINISHED" | "COMMITTED" => "RUNNING_COMPLETE",
        "PROCESSING_IN_PROGRESS" => "PREPARING_FOR_PREVIEW",
        "PROCESSING_FINISHED" => "READY_FOR_PREVIEW",
        "ERROR" => "ERROR",
        "DISCARDED" => "DISCARDED",
        "CANCELLED" => "CANCELLED",
        _ => "RUNNING",
    }
}

/// Whether a job has ended.
pub(crate) fn is_over(status: &str) -> bool {
    matches!(status, "COMMITTED" | "ERROR" | "DISCARDED" | "CANCELLED")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_has_a_name_that_front_ends_know() {
        for status in ALL {
            assert!(ALL_UI.contains(&ui(status)), "{status}");
        }
        assert_eq!(ui("PARSING_IN_PROGRESS"), "RUNNING");
        assert_eq!(ui("COMMIT_IN_PROGRESS"), "RUNNING");
    }
}

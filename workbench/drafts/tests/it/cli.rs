//! `workload draft` on files.

use std::path::PathBuf;

use octavo_drafts::cli::{CliError, DraftArgs, read, run};

use crate::support::{element, group, load, plan, sampler, steps, text};

struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn folder(name: &str) -> Folder {
    let name = format!("octavo-draft-{}-{name}", std::process::id());
    let path = std::env::temp_dir().join(name);
    std::fs::create_dir_all(path.join("plans/desk")).expect("a temporary folder");
    Folder(path)
}

fn arguments(file: PathBuf) -> DraftArgs {
    DraftArgs {
        file,
        name: None,
        output: None,
    }
}

#[test]
fn a_plan_with_included_files_becomes_a_file_that_loads() {
    let folder = folder("plan");
    let include = |path: &str| {
        element(
            "IncludeController",
            path,
            &text("IncludeController.includepath", path),
            "",
        )
    };
    let own = sampler("own", "GET", "/users", "", "");
    let below = group(
        "Users",
        "1",
        &(own + &include("common/a.jmx") + &include("../secret.jmx")),
    );
    let file = folder.0.join("plans/desk/My Desk.jmx");
    std::fs::write(&file, plan(&below)).unwrap();
    std::fs::create_dir_all(folder.0.join("common")).unwrap();
    let included = plan(&sampler("included", "GET", "/groups", "", ""));
    std::fs::write(folder.0.join("common/a.jmx"), &included).unwrap();
    std::fs::write(folder.0.join("plans/secret.jmx"), &included).unwrap();

    let draft = read(&arguments(file.clone())).unwrap();
    let workload = load(&draft);
    assert_eq!(workload.name, "my-desk");
    let labels: Vec<String> = steps(&workload).into_iter().flat_map(|one| one.1).collect();
    assert_eq!(
        labels,
        ["own", "included"],
        "files above are found, ways out are not followed"
    );

    let output = folder.0.join("out.toml");
    let arguments = DraftArgs {
        file,
        name: Some("Another name".to_owned()),
        output: Some(output.clone()),
    };
    assert_eq!(run(&arguments).unwrap(), 0);
    let written = std::fs::read_to_string(&output).unwrap();
    assert!(written.contains("name = \"another-name\""));
}

#[test]
fn files_that_give_no_draft_are_refused_with_their_names() {
    let folder = folder("refused");
    let file = |name: &str, content: &str| {
        let path = folder.0.join(name);
        std::fs::write(&path, content).unwrap();
        arguments(path)
    };
    assert!(matches!(
        read(&file("a.toml", "")),
        Err(CliError::Unknown { .. })
    ));
    let missing = arguments(folder.0.join("none.jmx"));
    assert!(matches!(read(&missing), Err(CliError::Unreadable { .. })));
    let bad = file("b.har", "{");
    let error = read(&bad).unwrap_err();
    assert!(error.to_string().contains("b.har: line 1"), "{error}");
    assert_eq!(run(&bad).unwrap(), 2);
}

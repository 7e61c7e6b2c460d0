//! Writes a table of the staff client's built files (`make ui`), which the crate embeds. Without them
//! the table is empty: the program builds all the same.

use std::collections::hash_map::DefaultHasher;
use std::fmt::Write as _;
use std::fs;
use std::hash::{Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};

/// What only the build itself reads.
const LEFT_OUT: [&str; 1] = ["manifest.json"];

fn main() -> io::Result<()> {
    let variable = |name| {
        std::env::var_os(name)
            .map(PathBuf::from)
            .unwrap_or_default()
    };
    let dist = variable("CARGO_MANIFEST_DIR").join("../../ui/dist");
    // The folder is in the repository: cargo takes one that is missing for changed each time.
    println!("cargo:rerun-if-changed={}", dist.display());
    let (root, out) = (dist.join("files"), variable("OUT_DIR"));
    let mut files = Vec::new();
    if root.is_dir() {
        collect(&root, &mut files)?;
    }
    files.sort();
    let mut table = String::from("&[\n");
    for (number, file) in files.iter().enumerate() {
        let Some(path) = relative(&root, file) else {
            continue;
        };
        let plain = fs::read(file)?;
        // Copies, so that the client may be built anew while this crate is compiled.
        let copy = out.join(format!("file-{number}"));
        fs::write(&copy, &plain)?;
        let twin = PathBuf::from(format!("{}.br", file.display()));
        let packed = match twin.is_file() {
            true => {
                let copy = out.join(format!("file-{number}.br"));
                fs::copy(&twin, &copy)?;
                format!("Some(include_bytes!({copy:?}))")
            }
            false => "None".to_owned(),
        };
        let _ = writeln!(
            table,
            "File {{ path: {path:?}, tag: {:?}, plain: include_bytes!({copy:?}), packed: {packed} }},",
            tag(&plain),
        );
    }
    table.push(']');
    fs::write(out.join("files.rs"), table)
}

fn collect(folder: &Path, into: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, into)?;
        } else if path.extension().is_none_or(|ending| ending != "br") {
            into.push(path);
        }
    }
    Ok(())
}

/// The path within the client, with slashes; none for what is not served.
fn relative(root: &Path, file: &Path) -> Option<String> {
    let path = file.strip_prefix(root).ok()?.to_str()?.replace('\\', "/");
    (!LEFT_OUT.contains(&path.as_str())).then_some(path)
}

/// An entity tag. It only has to differ when the content does; nobody chooses the content.
fn tag(content: &[u8]) -> String {
    let half = |seed: u8| {
        let mut hasher = DefaultHasher::new();
        seed.hash(&mut hasher);
        content.hash(&mut hasher);
        hasher.finish()
    };
    format!("\"{:016x}{:016x}\"", half(0), half(1))
}

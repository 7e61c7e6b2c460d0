//! The table of embedded files, written by `build.rs`, and their media types.

/// One built file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct File {
    /// Below `/staff/`.
    pub path: &'static str,
    /// The entity tag, quoted.
    pub tag: &'static str,
    pub plain: &'static [u8],
    /// The same, compressed by Brotli.
    pub packed: Option<&'static [u8]>,
}

/// Empty when the program was built without the client.
pub(crate) const EMBEDDED: &[File] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

impl File {
    pub(crate) fn named(files: &'static [File], path: &str) -> Option<&'static File> {
        files.iter().find(|file| file.path == path)
    }

    pub(crate) fn media_type(&self) -> &'static str {
        match self.path.rsplit_once('.').map(|(_, ending)| ending) {
            Some("html") => "text/html; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("svg") => "image/svg+xml",
            Some("woff2") => "font/woff2",
            Some("json" | "webmanifest") => "application/json",
            Some("png") => "image/png",
            Some("txt") => "text/plain; charset=utf-8",
            _ => "application/octet-stream",
        }
    }
}

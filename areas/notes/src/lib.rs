//! Notes and the records they are linked to.

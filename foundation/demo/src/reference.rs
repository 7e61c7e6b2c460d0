//! Ids of FOLIO's reference data that the documents refer to. They are the same in every FOLIO.

use uuid::{Uuid, uuid};

/// Patron groups.
pub mod patron_group {
    use super::*;
    /// Teaching staff.
    pub const FACULTY: Uuid = uuid!("503a81cd-6c26-400f-b620-14c08943697c");
    /// Graduate students.
    pub const GRADUATE: Uuid = uuid!("ad0bc554-d5bc-463c-85d1-5562127ae91b");
    /// Staff members.
    pub const STAFF: Uuid = uuid!("3684a786-6671-4268-8ed0-9db82ebca60b");
    /// Undergraduate students.
    pub const UNDERGRADUATE: Uuid = uuid!("bdc2b6d4-5ceb-4a12-ab46-249b9a68473e");
}

/// The address type "Home".
pub const HOME_ADDRESS: Uuid = uuid!("93d3d88d-499b-45d0-9bc7-ac73c3a19880");

/// Service points.
pub mod service_point {
    use super::*;
    /// "Circ Desk 1".
    pub const CIRC_DESK_1: Uuid = uuid!("3a40852d-49fd-4df2-a1f9-6e2641a6e91f");
    /// "Circ Desk 2".
    pub const CIRC_DESK_2: Uuid = uuid!("c4c90014-c8c9-4ade-8f24-b5e313319f4b");
    /// "Online".
    pub const ONLINE: Uuid = uuid!("7c5abc9f-f3d7-4856-b8d7-6712462ca007");
}

/// Shelving locations. FOLIO ships them as sample data, so [`crate::locations`] makes them.
pub mod location {
    use super::*;
    /// "Main Library".
    pub const MAIN_LIBRARY: Uuid = uuid!("fcd64ce1-6995-48f0-840e-89ffa2288371");
    /// "Annex".
    pub const ANNEX: Uuid = uuid!("53cf956f-c1df-410b-8bea-27f712cca7c0");
    /// "SECOND FLOOR".
    pub const SECOND_FLOOR: Uuid = uuid!("f34d27c6-a8eb-461b-acd6-5dea81771e70");
    /// "Popular Reading Collection".
    pub const POPULAR_READING: Uuid = uuid!("b241764c-1466-4e1d-a028-1a3684a5da87");
    /// "ORWIG ETHNO CD".
    pub const ETHNO_CD: Uuid = uuid!("758258bc-ecc1-41b8-abca-f7b610822ffd");
    /// "Online".
    pub const ONLINE: Uuid = uuid!("184aae84-a5bf-4c6a-85ba-4a7c73026cd5");
}

/// Material types.
pub mod material_type {
    use super::*;
    /// "book".
    pub const BOOK: Uuid = uuid!("1a54b431-2e4f-452d-9cae-9cee66c9a892");
    /// "dvd".
    pub const DVD: Uuid = uuid!("5ee11d91-f7e8-481d-b079-65d708582ccc");
    /// "sound recording".
    pub const SOUND_RECORDING: Uuid = uuid!("dd0bf600-dbd9-44ab-9ff2-e2a61a6539f1");
    /// "text".
    pub const TEXT: Uuid = uuid!("d9acad2f-2aac-4b48-9097-e6ab85906b25");
}

/// Loan types.
pub mod loan_type {
    use super::*;
    /// "Can circulate".
    pub const CAN_CIRCULATE: Uuid = uuid!("2b94c631-fca9-4892-a730-03ee529ffe27");
    /// "Course reserves".
    pub const COURSE_RESERVES: Uuid = uuid!("e8b311a6-3b21-43f2-a269-dd9310cb2d0e");
    /// "Reading room".
    pub const READING_ROOM: Uuid = uuid!("2e48e713-17f3-4c13-a9f8-23845bb210a4");
}

/// Call number types.
pub mod call_number_type {
    use super::*;
    /// "Dewey Decimal classification".
    pub const DEWEY: Uuid = uuid!("03dd64d0-5626-4ecd-8ece-4531e0069f35");
    /// "Other scheme".
    pub const OTHER: Uuid = uuid!("6caca63e-5651-4db6-9247-3205156e9699");
}

pub(crate) const DEWEY_CLASSIFICATION: Uuid = uuid!("42471af9-7d25-4f3a-bf78-60d29dcf463b");
pub(crate) const STATUS_CATALOGED: Uuid = uuid!("9634a5ab-9228-4703-baf2-4d12ebc77d56");
pub(crate) const SUBJECT_SOURCE_LCSH: Uuid = uuid!("e894d0dc-621d-4b1d-98f6-6f7120eb0d40");
pub(crate) const HOLDINGS_SOURCE_FOLIO: Uuid = uuid!("f32d531e-df79-46b3-8932-cdd35f7a2264");
pub(crate) const DAMAGED: Uuid = uuid!("54d1dd76-ea33-4bcb-955b-6b29df4f7930");
pub(crate) const STATISTICAL_BOOKS: Uuid = uuid!("b5968c9e-cddc-4576-99e3-8e60aed8b0dd");

pub(crate) mod holdings_type {
    use super::*;
    pub(crate) const MONOGRAPH: Uuid = uuid!("03c9c400-b9e3-4a07-ac0e-05ab470233ed");
    pub(crate) const PHYSICAL: Uuid = uuid!("0c422f92-0f4d-4d32-8cbe-390ebc33a3e5");
    pub(crate) const SERIAL: Uuid = uuid!("e6da6c98-6dd0-41bc-8b4b-cfd4bbd9c3ae");
}

pub(crate) mod identifier_type {
    use super::*;
    pub(crate) const ISBN: Uuid = uuid!("8261054f-be78-422d-bd51-4ed9f33c3422");
    pub(crate) const ISSN: Uuid = uuid!("913300b2-03ed-469a-8179-c1092c991227");
    pub(crate) const SYSTEM_CONTROL_NUMBER: Uuid = uuid!("7e591197-f335-4afb-bc6d-a6d76ca3bace");
}

pub(crate) mod instance_type {
    use super::*;
    pub(crate) const TEXT: Uuid = uuid!("6312d172-f0cf-40f6-b27d-9fa8feaf332f");
    pub(crate) const MOVING_IMAGE: Uuid = uuid!("225faa14-f9bf-4ecd-990d-69433c912434");
    pub(crate) const PERFORMED_MUSIC: Uuid = uuid!("3be24c14-3551-4180-9292-26a786649c8b");
}

pub(crate) mod instance_format {
    use super::*;
    pub(crate) const VOLUME: Uuid = uuid!("8d511d33-5e85-4c5d-9bce-6e3c9cd0c324");
    pub(crate) const VIDEODISC: Uuid = uuid!("7f857834-b2e2-48b1-8528-6a1fe89bf979");
    pub(crate) const AUDIO_DISC: Uuid = uuid!("5cb91d15-96b1-4b8a-bf60-ec310538da66");
}

pub(crate) mod mode_of_issuance {
    use super::*;
    pub(crate) const SERIAL: Uuid = uuid!("068b5344-e2a6-40df-9186-1829e13cd344");
    pub(crate) const SINGLE_UNIT: Uuid = uuid!("9d18a02f-5897-4c31-9106-c9abb5c7ae8b");
}

pub(crate) mod date_type {
    use super::*;
    pub(crate) const SINGLE: Uuid = uuid!("24a506e8-2a92-4ecc-bd09-ff849321fd5a");
    pub(crate) const CONTINUING: Uuid = uuid!("0750f52b-3bfc-458d-9307-e9afc8bcdffa");
}

pub(crate) mod subject_type {
    use super::*;
    pub(crate) const TOPICAL: Uuid = uuid!("d6488f88-1e74-40ce-81b5-b19a928ff5b7");
    pub(crate) const GEOGRAPHIC: Uuid = uuid!("d6488f88-1e74-40ce-81b5-b19a928ff5b8");
    pub(crate) const GENRE: Uuid = uuid!("d6488f88-1e74-40ce-81b5-b19a928ff511");
}

pub(crate) mod item_note_type {
    use super::*;
    pub(crate) const NOTE: Uuid = uuid!("8d0a5eca-25de-4391-81a9-236eeefdd20b");
}

pub(crate) mod contributor_name_type {
    use super::*;
    pub(crate) const PERSONAL: Uuid = uuid!("2b94c631-fca9-4892-a730-03ee529ffe2a");
    pub(crate) const CORPORATE: Uuid = uuid!("2e48e713-17f3-4c13-a9f8-23845bb210aa");
}

pub(crate) mod contributor_type {
    use super::*;
    pub(crate) const AUTHOR: Uuid = uuid!("6e09d47d-95e2-4d8a-831b-f777b8ef6d81");
    pub(crate) const TRANSLATOR: Uuid = uuid!("3322b734-ce38-4cd4-815d-8983352837cc");
    pub(crate) const ILLUSTRATOR: Uuid = uuid!("3add6049-0b63-4fec-9892-e3867e7358e2");
    pub(crate) const FILM_DIRECTOR: Uuid = uuid!("f5f9108a-9afc-4ea9-9b99-4f83dcf51204");
    pub(crate) const COMPOSER: Uuid = uuid!("901d01e5-66b1-48f0-99f9-b5e92e3d2d15");
    pub(crate) const CONDUCTOR: Uuid = uuid!("a79f874f-319e-4bc8-a2e1-f8b15fa186fe");
    pub(crate) const PERFORMER: Uuid = uuid!("246858e3-4022-4991-9f1c-50901ccc1438");
    pub(crate) const SINGER: Uuid = uuid!("6847c9ab-e2f8-4c9e-8dc6-1a97c6836c1c");
}

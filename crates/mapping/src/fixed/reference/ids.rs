//! Ids of reference records that mapping rules name.
//!
//! Ids are those that FOLIO ships, so that records mapped here and there agree.

/// Identifier types.
pub(in crate::fixed) mod identifier_type {
    pub const ISBN: &str = "8261054f-be78-422d-bd51-4ed9f33c3422";
    pub const INVALID_ISBN: &str = "fcca2643-406a-482a-b760-7a7f8aec640e";
    pub const ISSN: &str = "913300b2-03ed-469a-8179-c1092c991227";
    pub const INVALID_ISSN: &str = "27fd35a6-b8f6-41f2-aa0e-9c663ceb250c";
    pub const LINKING_ISSN: &str = "5860f255-a27f-4916-a830-262aa900a6b9";
    pub const LCCN: &str = "c858e4f2-2b6b-4385-842b-60732ee14abb";
    pub const CANCELED_LCCN: &str = "c858e4f2-2b6b-4385-842b-60532ee34abb";
    pub const OCLC: &str = "439bfbae-75bc-4f74-9fc7-b2a2d47ce3ef";
    pub const SYSTEM_CONTROL_NUMBER: &str = "7e591197-f335-4afb-bc6d-a6d76ca3bace";
    pub const CANCELLED_SYSTEM_CONTROL_NUMBER: &str = "fc4e3f2a-887a-46e5-8057-aeeb271a4e56";
    pub const ISMN: &str = "ebfd00b6-61d3-4d87-a6d8-810c941176d5";
    pub const INVALID_ISMN: &str = "4f07ea37-6c7f-4836-add2-14249e628ed1";
    pub const UPC: &str = "1795ea23-6856-48a5-a772-f356e16a8a6c";
    pub const INVALID_UPC: &str = "b3ea81fb-3324-4c64-9efc-7c0c93d5943c";
    pub const OTHER_STANDARD_IDENTIFIER: &str = "2e8b3b6c-0e7d-4e48-bca2-b0b23b376af5";
    pub const PUBLISHER_NUMBER: &str = "b5d8cdc4-9441-487c-90cf-0c7ec97728eb";
    pub const GPO_ITEM_NUMBER: &str = "351ebc1c-3aae-4825-8765-c6d50dbf011f";
    pub const CANCELLED_GPO_ITEM_NUMBER: &str = "5069054d-bc3a-4212-a4e8-e2013a02386f";
}

/// Alternative title types.
pub(in crate::fixed) mod alternative_title_type {
    pub const UNIFORM: &str = "30512027-cdc9-4c79-af75-1565b3bd888d";
    pub const VARIANT: &str = "35bbe7f2-1a49-11ed-861d-0242ac120002";
    pub const FORMER: &str = "ab26d2e4-1a4a-11ed-861d-0242ac120002";
}

/// Contributor name types.
pub(in crate::fixed) mod contributor_name_type {
    pub const PERSONAL: &str = "2b94c631-fca9-4892-a730-03ee529ffe2a";
    pub const CORPORATE: &str = "2e48e713-17f3-4c13-a9f8-23845bb210aa";
    pub const MEETING: &str = "e8b311a6-3b21-43f2-a269-dd9310cb2d0a";
}

/// Classification types.
pub(in crate::fixed) mod classification_type {
    pub const LC: &str = "ce176ace-a53e-4b4d-aa89-725ed7b2edac";
    pub const NLM: &str = "a7f4d03f-b0d8-496c-aebf-4e9cdb678200";
    pub const UDC: &str = "e8662436-75a8-4984-bebc-531e38c774a0";
    pub const DEWEY: &str = "42471af9-7d25-4f3a-bf78-60d29dcf463b";
    pub const GOVERNMENT_DOCUMENT: &str = "fb12264c-ff3b-47e0-8e09-b0aa074361f1";
}

/// Modes of issuance.
pub(in crate::fixed) mod mode_of_issuance {
    pub const SINGLE_UNIT: &str = "9d18a02f-5897-4c31-9106-c9abb5c7ae8b";
    pub const SERIAL: &str = "068b5344-e2a6-40df-9186-1829e13cd344";
    pub const INTEGRATING: &str = "4fc0f4fe-06fd-490a-a078-c4da1754e03a";
    pub const UNSPECIFIED: &str = "612bbd3d-c16b-4bfb-8517-2afafc60204a";
}

/// Relationships of an address to the resource described.
pub(in crate::fixed) mod electronic_access {
    pub const RESOURCE: &str = "f5d0068e-6272-458e-8a81-b85e7b9a14aa";
    pub const VERSION: &str = "3b430592-2e09-4b48-9a0c-0636d66b9fb3";
    pub const RELATED: &str = "5bfe1b7b-f151-4501-8cfa-23b321d5cd1e";
    pub const NO_DISPLAY_CONSTANT: &str = "ef03d582-219c-4221-8635-bc92f1107021";
    pub const NO_INFORMATION: &str = "f50c90c9-bae0-4add-9cd0-db9092dbc9dd";
}

/// Subject types.
pub(in crate::fixed) mod subject_type {
    pub const PERSONAL: &str = "d6488f88-1e74-40ce-81b5-b19a928ff5b1";
    pub const CORPORATE: &str = "d6488f88-1e74-40ce-81b5-b19a928ff5b2";
    pub const MEETING: &str = "d6488f88-1e74-40ce-81b5-b19a928ff5b3";
    pub const UNIFORM_TITLE: &str = "d6488f88-1e74-40ce-81b5-b19a928ff5b4";
    pub const NAMED_EVENT: &str = "d6488f88-1e74-40ce-81b5-b19a928ff5b5";
    pub const CHRONOLOGICAL: &str = "d6488f88-1e74-40ce-81b5-b19a928ff5b6";
    pub const TOPICAL: &str = "d6488f88-1e74-40ce-81b5-b19a928ff5b7";
    pub const GEOGRAPHIC: &str = "d6488f88-1e74-40ce-81b5-b19a928ff5b8";
    pub const UNCONTROLLED: &str = "d6488f88-1e74-40ce-81b5-b19a928ff5b9";
    pub const FACETED: &str = "d6488f88-1e74-40ce-81b5-b19a928ff510";
    pub const GENRE: &str = "d6488f88-1e74-40ce-81b5-b19a928ff511";
    pub const OCCUPATION: &str = "d6488f88-1e74-40ce-81b5-b19a928ff512";
    pub const FUNCTION: &str = "d6488f88-1e74-40ce-81b5-b19a928ff513";
    pub const CURRICULUM: &str = "d6488f88-1e74-40ce-81b5-b19a928ff514";
    pub const PLACE_HIERARCHY: &str = "d6488f88-1e74-40ce-81b5-b19a928ff515";
    pub const UNSPECIFIED: &str = "d6488f88-1e74-40ce-81b5-b19a928ff516";
}

/// Subject sources.
pub(in crate::fixed) mod subject_source {
    pub const LCSH: &str = "e894d0dc-621d-4b1d-98f6-6f7120eb0d40";
    pub const CHILDREN: &str = "e894d0dc-621d-4b1d-98f6-6f7120eb0d41";
    pub const MESH: &str = "e894d0dc-621d-4b1d-98f6-6f7120eb0d42";
    pub const AGRICULTURE: &str = "e894d0dc-621d-4b1d-98f6-6f7120eb0d43";
    pub const NOT_SPECIFIED: &str = "e894d0dc-621d-4b1d-98f6-6f7120eb0d44";
    pub const CANADIAN: &str = "e894d0dc-621d-4b1d-98f6-6f7120eb0d45";
    pub const RVM: &str = "e894d0dc-621d-4b1d-98f6-6f7120eb0d46";
}

/// Call number types.
pub(in crate::fixed) mod call_number_type {
    pub const LC: &str = "95467209-6d7b-468b-94df-0f5d7ad2747d";
    pub const DEWEY: &str = "03dd64d0-5626-4ecd-8ece-4531e0069f35";
    pub const NLM: &str = "054d460d-d6b9-4469-9e37-7a78a2266655";
    pub const SUDOC: &str = "fc388041-6cd0-4806-8a74-ebe3b9ab4c6e";
    pub const SHELVING_CONTROL: &str = "28927d76-e097-4f63-8510-e56f2b7a3ad0";
    pub const TITLE: &str = "5ba6b62e-6858-490a-8102-5b1369873835";
    pub const SEPARATE: &str = "cd70562c-dd0b-42f6-aa80-ce803d24d4a1";
    pub const SOURCE_IN_SUBFIELD: &str = "827a2b64-cbf5-4296-8545-130876e4dfc0";
    pub const OTHER: &str = "6caca63e-5651-4db6-9247-3205156e9699";
}

/// Holdings note types.
pub(in crate::fixed) mod holdings_note_type {
    pub const NOTE: &str = "b160f13a-ddba-4053-b9c4-60ec5ea45d56";
}

/// Note types of instances.
pub(in crate::fixed) mod instance_note_type {
    pub const ACCESSIBILITY: &str = "a6a5550f-4981-4b48-b821-a57d5c8ca3b3";
    pub const ACCUMULATION_AND_FREQUENCY_OF_USE: &str = "1c7acba3-523d-4237-acd2-e88549bfc660";
    pub const ACTION: &str = "1c017b8d-c783-4f63-b620-079f7a5b9c07";
    pub const ADDITIONAL_PHYSICAL_FORM_AVAILABLE: &str = "1d51e8b2-dee7-43f5-983c-a40757b9cdfa";
    pub const AWARDS: &str = "e8cdc2fe-c53c-478a-a7f3-47f2fc79c6d4";
    pub const BIBLIOGRAPHY: &str = "86b6e817-e1bc-42fb-bab0-70e7547de6c1";
    pub const BINDING_INFORMATION: &str = "0dc69a30-6d2b-40df-a50e-e4982bda86f4";
    pub const BIOGRAPHICAL_OR_HISTORICAL_DATA: &str = "c636881b-8927-4480-ad1b-8d7b27b4bbfe";
    pub const CARTOGRAPHIC_MATHEMATICAL_DATA: &str = "794f19f1-d00b-4b4b-97e9-0de5a34495a0";
    pub const CASE_FILE_CHARACTERISTICS: &str = "6f76f4e7-9c0b-4138-9371-09b36136372d";
    pub const CITATION_OR_REFERENCES: &str = "6ca9df3f-454d-4b5b-9d41-feb5d5030b99";
    pub const COPY_AND_VERSION_IDENTIFICATION: &str = "ec9f8285-6bf9-4e6c-a3cb-38ef17f0317f";
    pub const CREATION_OR_PRODUCTION_CREDITS: &str = "9f08c9b7-500a-43e0-b00f-ba02396b198f";
    pub const CUMULATIVE_INDEX_OR_FINDING_AIDS: &str = "fda2f2e3-965f-4220-8a2b-93d35ce6d582";
    pub const DATA_QUALITY: &str = "7929eee7-6822-4199-8df4-bb2ae773e4cd";
    pub const DATE_OR_TIME_AND_PLACE_OF_AN_EVENT: &str = "43295b78-3bfa-4c28-bc7f-8d924f63493f";
    pub const DISSERTATION: &str = "b73cc9c2-c9fa-49aa-964f-5ae1aa754ecd";
    pub const ENTITY_AND_ATTRIBUTE_INFORMATION: &str = "1cb8ac76-01fa-49be-8b9c-fcdaf17458a5";
    pub const EXHIBITIONS: &str = "0ed2da88-3f81-42f5-b688-91b70919d9bb";
    pub const FORMATTED_CONTENTS: &str = "5ba8e385-0e27-462e-a571-ffa1fa34ea54";
    pub const FORMER_TITLE_COMPLEXITY: &str = "806cb024-80d2-47c2-8bbf-b91091c85f68";
    pub const FUNDING_INFORMATION: &str = "f289c02b-9515-4c3f-b242-ffd071e82135";
    pub const GENERAL: &str = "6a2533a7-4de2-4e64-8466-074c2fa9308c";
    pub const GEOGRAPHIC_COVERAGE: &str = "28e12ad3-4a8d-48cc-b56c-a5ded22fc844";
    pub const IMMEDIATE_SOURCE_OF_ACQUISITION: &str = "86c4bd09-16de-45ee-89d3-b6d32fae6de9";
    pub const INFORMATION_ABOUT_DOCUMENTATION: &str = "13047c94-7d2c-4c41-9658-abacfa97a5c8";
    pub const INFORMATION_RELATED_TO_COPYRIGHT_STATUS: &str =
        "654be0fd-bba2-4791-afa3-ae60300d7043";
    pub const ISSUING_BODY: &str = "49475f04-35ef-4f8a-aa7f-92773594ca76";
    pub const LANGUAGE: &str = "7356cde5-ec6b-4961-9cb0-961c48a37af4";
    pub const LINKING_ENTRY_COMPLEXITY: &str = "779c22a2-311c-4ebb-b71e-b246c7ee574d";
    pub const LOCAL: &str = "265c4910-3997-4242-9269-6a4a2e91392b";
    pub const LOCATION_OF_ORIGINALS_OR_DUPLICATES: &str = "c6340b85-d048-426a-89aa-163cfb801a56";
    pub const LOCATION_OF_OTHER_ARCHIVAL_MATERIALS: &str = "9a4b39f4-a7d5-4c4d-abc6-5ccf1fc1d78c";
    pub const METHODOLOGY: &str = "02b5b0c6-3375-4912-ac75-ad9f552362b2";
    pub const NUMBERING_PECULIARITIES: &str = "cf635f41-29e7-4dd0-8598-33f230157074";
    pub const ORIGINAL_VERSION: &str = "42be8949-6f69-4c55-874b-60b744ac1103";
    pub const OWNERSHIP_AND_CUSTODIAL_HISTORY: &str = "56cf513e-a738-40c5-a3ab-b0c60ba07e15";
    pub const PARTICIPANT_OR_PERFORMER: &str = "9b56b954-7f3b-4e4b-8ed0-cf40aef13975";
    pub const PREFERRED_CITATION_OF_DESCRIBED_MATERIALS: &str =
        "09812302-92f7-497e-9120-ed25de458ea5";
    pub const PUBLICATIONS_ABOUT_DESCRIBED_MATERIALS: &str = "e0ea861c-959f-4912-8579-5e9ea8a69454";
    pub const REPRODUCTION: &str = "d548fdff-b71c-4359-8055-f1c008c30f01";
    pub const RESTRICTIONS_ON_ACCESS: &str = "e814a32e-02da-4773-8f3a-6629cdb7ecdf";
    pub const SCALE_NOTE_FOR_GRAPHIC_MATERIAL: &str = "72c611ab-f353-4c09-a0cc-33ff96cc3bef";
    pub const SOURCE_OF_DESCRIPTION: &str = "66ea8f28-d5da-426a-a7c9-739a5d676347";
    pub const STUDY_PROGRAM_INFORMATION: &str = "06489647-c7b7-4b6c-878a-cb7c1178e9ca";
    pub const SUMMARY: &str = "10e2e11b-450f-45c8-b09b-0f819999966e";
    pub const SUPPLEMENT: &str = "aecfda7a-e8aa-46d6-9046-9b0b8c231b85";
    pub const SYSTEM_DETAILS: &str = "95f62ca7-5df5-4a51-9890-d0ec3a34665f";
    pub const TARGET_AUDIENCE: &str = "922fdcde-952d-45c2-b9ea-5fc8959ad116";
    pub const TERMS_GOVERNING_USE_AND_REPRODUCTION: &str = "f677d908-69c6-4450-94a6-abbcf94a1ee5";
    pub const TYPE_OF_COMPUTER_FILE_OR_DATA: &str = "3d931c23-6ae8-4e5a-8802-dc8c2e21ea19";
    pub const TYPE_OF_REPORT_AND_PERIOD_COVERED: &str = "f939b820-4a23-43d1-84ba-101add6e1456";
    pub const WITH: &str = "06b44741-888e-4b15-a75e-cb29e27752d1";
}

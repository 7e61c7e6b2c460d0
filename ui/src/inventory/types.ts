// Records of the inventory, as FOLIO's routes answer them: the fields that the client shows or edits.
import type { CirculationNote } from '#/api/types'

interface Recorded {
  id: string
  _version?: number
  hrid?: string
  metadata?: { createdDate?: string; updatedDate?: string; updatedByUserId?: string }
  discoverySuppress?: boolean
  statisticalCodeIds?: string[]
  administrativeNotes?: string[]
  tags?: { tagList?: string[] }
}

export interface Contributor {
  name: string
  contributorTypeId?: string
  contributorTypeText?: string
  contributorNameTypeId?: string
  primary?: boolean
  authorityId?: string
}

export interface Publication {
  publisher?: string
  place?: string
  dateOfPublication?: string
  role?: string
}

export interface ElectronicAccess {
  uri?: string
  linkText?: string
  publicNote?: string
  materialsSpecification?: string
  relationshipId?: string
}

/** An earlier or a later title: one of the catalogue, or only its words. */
export interface Neighbour {
  id?: string
  title?: string
  hrid?: string
  identifiers?: { value: string; identifierTypeId: string }[]
  precedingInstanceId?: string
  succeedingInstanceId?: string
}

export interface Instance extends Recorded {
  title: string
  indexTitle?: string
  source: string
  instanceTypeId: string
  statusId?: string
  modeOfIssuanceId?: string
  catalogedDate?: string
  previouslyHeld?: boolean
  staffSuppress?: boolean
  deleted?: boolean
  alternativeTitles?: { alternativeTitle: string; alternativeTitleTypeId?: string }[]
  series?: { value: string }[]
  identifiers?: { value: string; identifierTypeId: string }[]
  contributors?: Contributor[]
  subjects?: { value: string; authorityId?: string; sourceId?: string; typeId?: string }[]
  classifications?: { classificationNumber: string; classificationTypeId: string }[]
  publication?: Publication[]
  publicationFrequency?: string[]
  publicationRange?: string[]
  editions?: string[]
  physicalDescriptions?: string[]
  languages?: string[]
  instanceFormatIds?: string[]
  natureOfContentTermIds?: string[]
  electronicAccess?: ElectronicAccess[]
  notes?: { note: string; instanceNoteTypeId?: string; staffOnly?: boolean }[]
  parentInstances?: {
    id?: string
    superInstanceId?: string
    instanceRelationshipTypeId?: string
  }[]
  childInstances?: { id?: string; subInstanceId?: string; instanceRelationshipTypeId?: string }[]
  precedingTitles?: Neighbour[]
  succeedingTitles?: Neighbour[]
}

export interface Holdings extends Recorded {
  instanceId: string
  sourceId?: string
  permanentLocationId: string
  temporaryLocationId?: string
  effectiveLocationId?: string
  holdingsTypeId?: string
  callNumber?: string
  callNumberPrefix?: string
  callNumberSuffix?: string
  callNumberTypeId?: string
  shelvingTitle?: string
  copyNumber?: string
  numberOfItems?: string
  acquisitionMethod?: string
  receiptStatus?: string
  illPolicyId?: string
  retentionPolicy?: string
  notes?: { note: string; holdingsNoteTypeId?: string; staffOnly?: boolean }[]
  holdingsStatements?: { statement?: string; note?: string }[]
  electronicAccess?: ElectronicAccess[]
}

/** As `/item-storage/items` keeps it. */
export interface StoredItem extends Recorded {
  holdingsRecordId: string
  barcode?: string
  status: { name: string; date?: string }
  materialTypeId: string
  permanentLoanTypeId: string
  temporaryLoanTypeId?: string
  permanentLocationId?: string
  temporaryLocationId?: string
  effectiveLocationId?: string
  effectiveCallNumberComponents?: { callNumber?: string; prefix?: string; suffix?: string }
  itemLevelCallNumber?: string
  itemLevelCallNumberPrefix?: string
  itemLevelCallNumberSuffix?: string
  itemLevelCallNumberTypeId?: string
  accessionNumber?: string
  copyNumber?: string
  volume?: string
  enumeration?: string
  chronology?: string
  displaySummary?: string
  yearCaption?: string[]
  numberOfPieces?: string
  descriptionOfPieces?: string
  numberOfMissingPieces?: string
  missingPieces?: string
  itemDamagedStatusId?: string
  itemIdentifier?: string
  formerIds?: string[]
  notes?: { note: string; itemNoteTypeId?: string; staffOnly?: boolean }[]
  circulationNotes?: CirculationNote[]
  electronicAccess?: ElectronicAccess[]
  lastCheckIn?: { dateTime?: string; servicePointId?: string }
  inTransitDestinationServicePointId?: string
}

/** A row of `/search/instances`. */
export interface Hit {
  id: string
  title: string
  contributors?: Contributor[]
  publication?: Publication[]
  staffSuppress?: boolean
  discoverySuppress?: boolean
}

/** The same with `expandAll`. */
export interface WholeHit extends Instance {
  holdings?: Holdings[]
  items?: StoredItem[]
}

// A MARC record as the editor's routes give and take it: blanks in fixed places are "\".
export type Elements = Record<string, string | string[]>

export interface MarcField {
  tag: string
  content: string | Elements
  indicators: string[]
  isProtected?: boolean
  linkDetails?: { authorityId?: string; linkingRuleId?: number; status?: string }
}

export type MarcFormat = 'BIBLIOGRAPHIC' | 'HOLDINGS' | 'AUTHORITY'

export interface MarcRecord {
  leader: string
  fields: MarcField[]
  marcFormat: MarcFormat
  parsedRecordId: string
  parsedRecordDtoId: string
  externalId: string
  externalHrid?: string
  suppressDiscovery?: boolean
  updateInfo?: {
    updateDate?: string
    updatedBy?: { lastName?: string; firstName?: string; username?: string }
  }
}

export interface Issue {
  /** Tag and number of the field among those with the tag: "245[0]". */
  tag: string
  severity: 'error' | 'warn'
  message: string
  helpUrl?: string
}

/** A field with an identity of its own while it is edited. */
export interface Line extends MarcField {
  key: string
}

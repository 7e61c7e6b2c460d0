// Authorities as the server's routes answer them: the fields that the client shows.

/** Whether a form of a heading is the one to use, or refers to it. */
export type RefType = 'Authorized' | 'Reference' | 'Auth/Ref'

/** A row of `/search/authorities`: one form of a heading; an authority has one authorized form and any number of others. */
export interface Form {
  id: string
  headingRef: string
  headingType: string
  authRefType: RefType
  sourceFileId?: string
  naturalId?: string
  /** Of authorized forms. */
  numberOfTitles?: number
}

export interface Authority {
  id: string
  _version?: number
  source?: string
  sourceFileId?: string
  naturalId?: string
  subjectHeadings?: string
  metadata?: { createdDate?: string; updatedDate?: string }
}

export interface SourceFile {
  id: string
  name: string
  /** What numbers of the file begin with. */
  codes?: string[]
  type?: string
  baseUrl?: string
  /** `local` ones give numbers of their own; the others are FOLIO's. */
  source: string
  /** Offered for new records. */
  selectable?: boolean
  hridManagement?: { startNumber?: number }
}

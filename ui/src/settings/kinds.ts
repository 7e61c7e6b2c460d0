// What settings there are: each kind of record is described once, and gets its list and its form from that.
import type { TextId } from '#/i18n/text'
import type { LookupOf } from '#/inventory/form/specs'
import type { Values } from './paths'

export interface Source {
  path: string
  /** The property of the answer that has the records. */
  key: string
  name: string
  /** The property that references keep; their id where none is named. */
  value?: string
  /** CQL, where the route lists other records, too. */
  where?: string
  /** Where several modules have the route: which one is meant. */
  headers?: () => Promise<Record<string, string>>
  /** What the list shows of a record that keeps its fields inside a text. */
  row?: (record: Values) => Values
}

export interface When {
  name: string
  /** One of these; of a list, one that it has. */
  is: readonly unknown[]
}

export interface Choice {
  value: string
  text: TextId
  /** Offered only when another property has one of these values. */
  when?: When
}

interface Base {
  /** The property; inner ones with dots. */
  name: string
  label: TextId
  needed?: boolean
  /** Shown only when this property has one of these values; of several, all of them. */
  when?: When | readonly When[]
  help?: TextId
  /** What it may have, and what to say where it has something else. */
  only?: { pattern: RegExp; text: TextId }
  /** What was chosen can be taken back: an empty choice stands first. */
  clears?: true
  /** What it lacks inside, by places of its own. */
  lacks?: (record: Values) => readonly string[]
}

export type Field = Base &
  (
    | { type: 'text' | 'lines' | 'number' | 'check' | 'date' | 'time' }
    | { type: 'html'; subject?: string }
    | { type: 'select'; choices: readonly Choice[] }
    | { type: 'some'; choices: readonly { value: string; text: TextId }[] }
    | { type: 'ref' | 'refs'; of: Source }
    /** How many of which unit: `duration` and `intervalId`. */
    | { type: 'period'; units: readonly Choice[] }
    /** One of many records, looked up by words. */
    | { type: 'lookup'; lookup: LookupOf }
    | { type: 'ranges' | 'tree' }
    /** What an import fills a record with, what it changes in MARC records, what it may change of what is protected. */
    | { type: 'mapping' | 'marcChanges' | 'overrides' }
    /** Fields of the record itself that stand together; its name is only its place in the form. */
    | { type: 'group'; fields: readonly Field[] }
    | RowsOf
  )

/** A list inside a record: rows of fields. */
interface RowsOf {
  type: 'rows'
  fields: readonly Field[]
  /** Without it none is added, and an empty list is not shown. */
  add?: TextId
  /** What a new row begins with, after the last one; empty where it is not said. */
  next?: (rows: readonly Values[]) => Values
}

export interface Kind extends Source {
  id: string
  title: TextId
  group: TextId
  /** The interface's permissions without their last word: `.post`, `.put`, `.delete`. */
  permission: string
  /** Where the permission to make one is named otherwise. */
  makePermission?: string
  /** The same of the permission to change one. */
  changePermission?: string
  /** A second permission that every change needs. */
  alsoNeeds?: string
  fields: readonly Field[]
  /** Properties that the list shows beside the name. */
  columns?: readonly string[]
  /** What a new record has before anybody types. */
  fresh?: Readonly<Record<string, unknown>>
  /** What else changes with a property. */
  follow?: (record: Values, name: string) => Values
  /** The library has those that there are: none is made or deleted. */
  fixed?: boolean
  /** How many records have something of it, which goes with it. */
  used?: (id: string) => Promise<number>
  /** What the form does not show is not stored. */
  shownOnly?: true
  /** Records that a template previews. */
  preview?: boolean
  wire?: Wire
  /** One form in place of a list: it is never made nor deleted. */
  single?: true
}

/** Where the form has a record otherwise than the route. Properties of the form alone begin with $. */
export interface Wire {
  read: (id: string) => Promise<Values>
  /** What is sent; `stored` is the record as it was read, where there is one. */
  body?: (record: Values, stored: Values | undefined) => Values | Promise<Values>
  /** Where more than one record is kept by the form: stores all of them instead of the body. */
  store?: (record: Values, stored: Values | undefined) => Promise<void>
}

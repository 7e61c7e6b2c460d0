// What differs between the kinds of MARC records: the record that is described, the places of the leader that may be
// changed, and whether the server knows MARC 21's definition of the fields.
import type { MarcFormat } from './types'

interface Kind {
  /** The route of the described record, whose version a save is compared with. */
  path: string
  /** Places of the leader that may be changed. */
  leader: readonly (readonly [name: string, at: number])[]
  /** Elements of 008 that the leader says, or the server, or that have no meaning. */
  derived: ReadonlySet<string>
  /** Checked by the server before it is stored. FOLIO defines no fields of holdings. */
  isDefined: boolean
}

export const KINDS: Readonly<Record<MarcFormat, Kind>> = {
  BIBLIOGRAPHIC: {
    path: '/inventory/instances',
    leader: [
      ['Status', 5],
      ['Type', 6],
      ['BLvl', 7],
      ['Ctrl', 8],
      ['ELvl', 17],
      ['Desc', 18],
      ['MultiLvl', 19],
    ],
    derived: new Set(['Type', 'BLvl', 'Entered', 'ELvl', 'Desc']),
    isDefined: true,
  },
  HOLDINGS: {
    path: '/holdings-storage/holdings',
    leader: [
      ['Status', 5],
      ['Type', 6],
      ['ELvl', 17],
      ['Item', 18],
    ],
    derived: new Set(['Date Ent']),
    isDefined: false,
  },
  AUTHORITY: {
    path: '/authority-storage/authorities',
    leader: [
      ['Status', 5],
      ['ELvl', 17],
      ['Punct', 18],
    ],
    derived: new Set(['Date Ent', 'Undef_18', 'Undef_30', 'Undef_34']),
    isDefined: true,
  },
}

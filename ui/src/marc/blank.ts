// A record that is being made, and the places of 008, which depend on what is described: names and lengths are those of
// FOLIO's editor.
import type { Elements, Line, MarcRecord } from './types'

type Place = readonly [name: string, length: number, list?: true]

const BOOKS: readonly Place[] = [
  ['Ills', 4, true],
  ['Audn', 1],
  ['Form', 1],
  ['Cont', 4, true],
  ['GPub', 1],
  ['Conf', 1],
  ['Fest', 1],
  ['Indx', 1],
  ['LitF', 1],
  ['Biog', 1],
]
const CONTINUING: readonly Place[] = [
  ['Freq', 1],
  ['Regl', 1],
  ['SrTp', 1],
  ['Orig', 1],
  ['Form', 1],
  ['EntW', 1],
  ['Cont', 3, true],
  ['GPub', 1],
  ['Conf', 1],
  ['Alph', 1],
  ['S/L', 1],
]
const FILES: readonly Place[] = [
  ['Audn', 1],
  ['Form', 1],
  ['File', 1],
  ['GPub', 1],
]
const MAPS: readonly Place[] = [
  ['Relf', 4, true],
  ['Proj', 2],
  ['CrTp', 1],
  ['GPub', 1],
  ['Form', 1],
  ['Indx', 1],
  ['SpFm', 2, true],
]
const MIXED: readonly Place[] = [['Form', 1]]
const MUSIC: readonly Place[] = [
  ['Comp', 2],
  ['FMus', 1],
  ['Part', 1],
  ['Audn', 1],
  ['Form', 1],
  ['AccM', 6, true],
  ['LTxt', 2, true],
  ['TrAr', 1],
]
const VISUAL: readonly Place[] = [
  ['Time', 3, true],
  ['Audn', 1],
  ['GPub', 1],
  ['Form', 1],
  ['TMat', 1],
  ['Tech', 1],
]

/** What every 008 has, with what a new one begins with. */
const COMMON: readonly (readonly [string, string])[] = [
  ['Entered', '\\\\\\\\\\\\'],
  ['DtSt', 's'],
  ['Date1', '\\\\\\\\'],
  ['Date2', '\\\\\\\\'],
  ['Ctry', 'xx\\'],
  ['Lang', 'und'],
  ['MRec', '\\'],
  ['Srce', 'd'],
]

/** Places of 008 by the type of record and the bibliographic level: leader 06 and 07. */
export function placesOf(leader: string): readonly Place[] {
  const [type = 'a', level = 'm'] = leader.slice(6, 8)
  if (type === 'a' && 'bis'.includes(level)) return CONTINUING
  if ('at'.includes(type)) return BOOKS
  if (type === 'm') return FILES
  if ('ef'.includes(type)) return MAPS
  if (type === 'p') return MIXED
  if ('cdij'.includes(type)) return MUSIC
  return 'gkor'.includes(type) ? VISUAL : BOOKS
}

/** The places of this leader; what they have in common with those before stays. */
export function elementsFor(leader: string, before: Elements = {}): Elements {
  const kept = (name: string, length: number) =>
    before[name]?.length === length ? before[name] : undefined
  const common = COMMON.map(([name, first]) => [name, kept(name, first.length) ?? first] as const)
  const own = placesOf(leader).map(([name, length, list]) => {
    const blank = '\\'.repeat(length)
    return [name, kept(name, length) ?? (list ? [...blank] : blank)] as const
  })
  return {
    Type: leader[6] ?? 'a',
    BLvl: leader[7] ?? 'm',
    ...Object.fromEntries([...common, ...own]),
  }
}

/** The lines under another leader: 008 has other places for other material. */
export const underLeader = (lines: readonly Line[], before: string, leader: string): Line[] =>
  placesOf(before) === placesOf(leader) && before.slice(6, 8) === leader.slice(6, 8)
    ? [...lines]
    : lines.map((line) =>
        line.tag === '008' && typeof line.content !== 'string'
          ? { ...line, content: elementsFor(leader, line.content) }
          : line,
      )

const LEADER = '00000nam\\a2200000\\i\\4500'

/** A book without content; the server gives it its number and ids. */
export const blankRecord = (): MarcRecord => ({
  marcFormat: 'BIBLIOGRAPHIC',
  leader: LEADER,
  parsedRecordId: '',
  parsedRecordDtoId: '',
  externalId: '',
  fields: [
    { tag: '008', content: elementsFor(LEADER), indicators: [] },
    { tag: '245', content: '$a ', indicators: ['0', '0'] },
  ],
})

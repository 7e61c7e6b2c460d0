// The places of 006, 007 and 008, which depend on what is described: names and lengths are those of FOLIO's editor.
import { CATEGORIES } from './categories'
import type { Elements, Line, MarcField, MarcFormat } from './types'

export type Place = readonly [name: string, length: number, list?: true]

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

/** What every 008 of a title has, with what a new one begins with. */
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

/** 008 of holdings, as a new record begins: what is not known yet. */
const HOLDINGS_008: Elements = {
  AcqStatus: '0',
  AcqMethod: 'u',
  AcqEndDate: '\\\\\\\\',
  'Gen ret': '0',
  'Spec ret': ['\\', '\\', '\\'],
  Compl: '0',
  Copies: '\\\\\\',
  Lend: 'u',
  Repro: 'u',
  Lang: 'eng',
  'Sep/comp': '0',
  'Rept date': '\\\\\\\\\\\\',
  'Date Ent': '\\\\\\\\\\\\',
}

/** 008 of an authority: an established heading for names and subjects, of no series. */
const AUTHORITY_008: Elements = {
  'Geo Subd': '|',
  Roman: '|',
  Lang: '\\',
  'Kind rec': 'a',
  'Cat Rules': 'z',
  'SH Sys': 'a',
  Series: 'n',
  'Numb Series': 'n',
  'Main use': 'a',
  'Subj use': 'a',
  'Series use': 'b',
  'Type Subd': 'n',
  'Govt Ag': '|',
  RefEval: 'a',
  RecUpd: 'a',
  'Pers Name': 'a',
  'Level Est': 'a',
  'Mod Rec': '\\',
  Source: 'd',
  'Date Ent': '\\\\\\\\\\\\',
  Undef_18: '\\'.repeat(10),
  Undef_30: '\\',
  Undef_34: '\\'.repeat(4),
}

/** By the type of record: leader 06, and the first character of 006, which has a type of its own for serials. */
function materialOf(type: string): readonly Place[] | undefined {
  if ('at'.includes(type)) return BOOKS
  if (type === 's') return CONTINUING
  if (type === 'm') return FILES
  if ('ef'.includes(type)) return MAPS
  if (type === 'p') return MIXED
  if ('cdij'.includes(type)) return MUSIC
  return 'gkor'.includes(type) ? VISUAL : undefined
}

/** Places of 008 of a title by the type of record and the bibliographic level: leader 06 and 07. */
export function placesOf(leader: string): readonly Place[] {
  const [type = 'a', level = 'm'] = leader.slice(6, 8)
  if (type === 'a' && 'bis'.includes(level)) return CONTINUING
  return materialOf(type) ?? BOOKS
}

/** These places; what was there under the same name with the same length stays. */
function filled(places: readonly Place[], before: Elements): Elements {
  return Object.fromEntries(
    places.map(([name, length, list]) => {
      const blank = '\\'.repeat(length)
      const kept = before[name]?.length === length ? before[name] : undefined
      return [name, kept ?? (list ? [...blank] : blank)]
    }),
  )
}

/** 008 of a title under this leader; what it has in common with the one before stays. */
export function elementsFor(leader: string, before: Elements = {}): Elements {
  const common = COMMON.map(([name, first]) => {
    const kept = before[name]?.length === first.length ? before[name] : undefined
    return [name, kept ?? first] as const
  })
  return {
    Type: leader[6] ?? 'a',
    BLvl: leader[7] ?? 'm',
    ...Object.fromEntries(common),
    ...filled(placesOf(leader), before),
  }
}

/** 008 of a new record. */
export function new008(format: MarcFormat, leader: string): Elements {
  if (format === 'HOLDINGS') return HOLDINGS_008
  return format === 'AUTHORITY' ? AUTHORITY_008 : elementsFor(leader)
}

const UNKNOWN_006: readonly Place[] = [['Value', 17]]

function elements006(before: Elements): Elements {
  const type = String(before.Type || 'a')
  return { Type: type, ...filled(materialOf(type) ?? UNKNOWN_006, before) }
}

function elements007(before: Elements): Elements {
  const code = String(before.Category || 't')
  const category = CATEGORIES[code]
  return {
    $categoryName: category?.name ?? 'Unknown',
    Category: code,
    ...(category ? filled(category.places, before) : { Value: code }),
  }
}

/** The lines under another leader: 008 of a title has other places for other material. */
export const underLeader = (
  format: MarcFormat,
  lines: readonly Line[],
  before: string,
  leader: string,
): Line[] =>
  format !== 'BIBLIOGRAPHIC' ||
  (placesOf(before) === placesOf(leader) && before.slice(6, 8) === leader.slice(6, 8))
    ? [...lines]
    : lines.map((line) =>
        line.tag === '008' && typeof line.content !== 'string'
          ? { ...line, content: elementsFor(leader, line.content) }
          : line,
      )

const begun = (tag: string, format: MarcFormat, leader: string): Elements => {
  if (tag === '006') return elements006({})
  return tag === '007' ? elements007({}) : new008(format, leader)
}

const FIXED = ['006', '007', '008']
/** The element that says which others a field has. */
const SAYS: Readonly<Record<string, string>> = { '006': 'Type', '007': 'Category' }

/** A change of a line: a fixed field that is begun has its places, other material has others. */
export function fitted(
  line: MarcField,
  change: Partial<MarcField>,
  { format, leader }: { format: MarcFormat; leader: string },
): Partial<MarcField> {
  const { tag = line.tag, content } = change
  if (tag !== line.tag && FIXED.includes(tag))
    return { ...change, content: begun(tag, format, leader), indicators: [] }
  const says = SAYS[tag]
  if (!says || typeof content !== 'object' || typeof line.content !== 'object') return change
  if (content[says] === line.content[says]) return change
  return { ...change, content: tag === '006' ? elements006(content) : elements007(content) }
}

// A record that is being made: the fields without which none is stored; the server gives it its number and ids.
import { new008 } from './fixed'
import type { MarcField, MarcFormat, MarcRecord } from './types'

const LEADERS: Readonly<Record<MarcFormat, string>> = {
  BIBLIOGRAPHIC: '00000nam\\a2200000\\i\\4500',
  HOLDINGS: '00000nu\\\\\\2200000un\\4500',
  AUTHORITY: '00000nz\\\\a2200000n\\\\4500',
}

const BLANK = ['\\', '\\']

function blank(marcFormat: MarcFormat, before: MarcField[], after: MarcField[]): MarcRecord {
  const leader = LEADERS[marcFormat]
  const fixed = { tag: '008', content: new008(marcFormat, leader), indicators: [] }
  return {
    marcFormat,
    leader,
    parsedRecordId: '',
    parsedRecordDtoId: '',
    externalId: '',
    fields: [...before, fixed, ...after],
  }
}

/** A book without content. */
export const blankRecord = (): MarcRecord =>
  blank('BIBLIOGRAPHIC', [], [{ tag: '245', content: '$a ', indicators: ['0', '0'] }])

/** Holdings of the title with this number. */
export const blankHoldings = (hrid: string): MarcRecord =>
  blank(
    'HOLDINGS',
    [{ tag: '004', content: hrid, indicators: [] }],
    [{ tag: '852', content: '$b ', indicators: BLANK }],
  )

/** A person without a name; its number comes from the source file that is chosen. */
export const blankAuthority = (): MarcRecord =>
  blank(
    'AUTHORITY',
    [{ tag: '001', content: '', indicators: [] }],
    [{ tag: '100', content: '$a ', indicators: ['1', '\\'] }],
  )

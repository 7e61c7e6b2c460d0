// What an import does with which records: the pairs that FOLIO's modules carry out. All others would be refused at each
// record.
import type { Choice } from '../kinds'
import { type Values, withValue } from '../paths'
import { EXISTING } from './records'

const MADE = ['INSTANCE', 'HOLDINGS', 'ITEM', 'AUTHORITY', 'ORDER', 'INVOICE']
const CHANGED = [
  'INSTANCE',
  'HOLDINGS',
  'ITEM',
  'MARC_BIBLIOGRAPHIC',
  'MARC_HOLDINGS',
  'MARC_AUTHORITY',
]
const ACTS: Record<string, readonly string[]> = {
  CREATE: MADE,
  UPDATE: CHANGED,
  MODIFY: ['MARC_BIBLIOGRAPHIC'],
  DELETE: ['MARC_AUTHORITY'],
}

const actsOf = (record: string) =>
  Object.keys(ACTS).filter((act) => ACTS[act]?.includes(record) ?? false)

/** The kinds of records, each for the acts that there are of it. */
export const ACTED_ON: readonly Choice[] = EXISTING.map((one) => ({
  ...one,
  when: { name: 'action', is: actsOf(one.value) },
}))

/** Another act takes its first kind of record where it is not carried out on the one before. */
export function followAct(record: Values, name: string): Values {
  const possible = ACTS[String(record.action)]
  if (name !== 'action' || !possible || possible.includes(String(record.folioRecord))) return record
  return withValue(record, 'folioRecord', possible[0])
}

// The library's protected MARC fields that a mapping profile may change all the same.
import type { Source } from '../kinds'

export const PROTECTIONS: Source = {
  path: '/field-protection-settings/marc',
  key: 'marcFieldProtectionSettings',
  name: 'field',
}

export interface Protection {
  id: string
  field: string
  indicator1?: string
  indicator2?: string
  subfield?: string
  data?: string
  source?: string
  override?: boolean
}

/** "590 ** $a “Ours”": the field, its indicators, its subfield, its text; what is any is left out. */
export function wordsOf({ field, indicator1, indicator2, subfield, data }: Protection): string {
  const any = (text: string | undefined) => !text || text === '*'
  const indicators =
    any(indicator1) && any(indicator2) ? '' : ` ${indicator1 || '*'}${indicator2 || '*'}`
  return `${field}${indicators}${any(subfield) ? '' : ` $${subfield}`}${any(data) ? '' : ` “${data}”`}`
}

/** The list with one protection given up, or kept again. */
export function withOverride(
  given: readonly Protection[],
  protection: Protection,
  on: boolean,
): Protection[] {
  const others = given.filter(({ id }) => id !== protection.id)
  return on ? [...others, { ...protection, override: true }] : others
}

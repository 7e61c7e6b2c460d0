// What a change of an authority's record does to the titles that follow it, and what a new record needs.
import type { SourceFile } from '#/authorities/types'
import type { Text } from '#/i18n/text'
import { splitSubfields, subfieldOf } from './model'
import type { Issue, MarcField } from './types'

const headingOf = (fields: readonly MarcField[]) => fields.find(({ tag }) => /^1\d\d$/.test(tag))

/** Names also head works: with a title they are headings of another kind. */
const kindOf = (field: MarcField | undefined) =>
  `${field?.tag} ${/^1[01]\d$/.test(field?.tag ?? '') && Boolean(subfieldOf(field?.content, 't'))}`

/** Subfields that number and link fields are no part of a heading. */
const textOf = (field: MarcField | undefined): string =>
  typeof field?.content === 'string'
    ? splitSubfields(field.content, new Set(['0', '1', '5', '6', '8', '9'])).own
    : ''

const lettersAndDigits = (text: string) => text.replace(/[^a-z0-9]/gi, '')

/** The numbers that may name the record: that of 010, and its own. */
export const numbersOf = (fields: readonly MarcField[]): string[] => {
  const first = fields.find(({ tag }) => tag === '010')
  const own = fields.find(({ tag }) => tag === '001')
  return [subfieldOf(first?.content, 'a'), typeof own?.content === 'string' ? own.content : '']
    .map(lettersAndDigits)
    .filter(Boolean)
}

export type Effect = 'heading' | 'number' | 'unlinks'

/** What linked titles get: the new heading, its new number; or they are no longer linked, with another kind of heading. */
export function effectOf(
  before: readonly MarcField[],
  after: readonly MarcField[],
): Effect | undefined {
  const [old, now] = [headingOf(before), headingOf(after)]
  if (kindOf(old) !== kindOf(now)) return 'unlinks'
  if (textOf(old) !== textOf(now)) return 'heading'
  return numbersOf(before).join() === numbersOf(after).join() ? undefined : 'number'
}

/** What a new record lacks: a source file, and a number that begins as the file's numbers do. */
export function checkFile(
  fields: readonly MarcField[],
  file: SourceFile | undefined,
  t: Text,
): Issue[] {
  const wrong = (tag: string, message: string): Issue[] => [{ tag, severity: 'error', message }]
  if (!file) return wrong('001', t('authority.chooseFile'))
  const [number] = numbersOf(fields)
  if (!number) return wrong('001', t('authority.noNumber', { name: file.name }))
  const letters = /^[a-z]*/i.exec(number)?.[0] ?? ''
  if (file.codes?.includes(letters)) return []
  const has010 = fields.some(({ tag, content }) => tag === '010' && subfieldOf(content, 'a'))
  return wrong(
    has010 ? '010' : '001',
    t('authority.otherFile', { number, name: file.name, codes: file.codes?.join(', ') ?? '' }),
  )
}

/** A heading without words: the server looks only whether the field is there. */
export function checkHeading(fields: readonly MarcField[], t: Text): Issue[] {
  const heading = headingOf(fields)
  if (
    !heading ||
    textOf(heading)
      .replace(/\$[a-z0-9]( |$)/g, '')
      .trim()
  )
    return []
  return [{ tag: heading.tag, severity: 'error', message: t('authority.emptyHeading') }]
}

/** The fields with this number in 001. */
export const numbered = <T extends MarcField>(fields: readonly T[], number: string): T[] =>
  fields.map((field) => (field.tag === '001' ? { ...field, content: number } : field))

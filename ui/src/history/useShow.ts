// Values of records as words: ids by the lists that they are of, instants as dates, parts of records in one line.
import { useQuery } from '@tanstack/react-query'
import { servicePointsQuery } from '#/api/desks'
import { useNames } from '#/api/lists'
import { useText } from '#/i18n/text'
import { isRecord } from '#/lib/check'
import { useFormats } from '#/lib/format'
import { fullName } from '#/lib/names'
import type { Change } from './changes'
import { listOf } from './labels'
import { editorsQuery } from './queries'

export type Show = (value: unknown, property: string) => string

/** Properties that name one of the staff, or a desk. */
const isPerson = (path: string) => path.endsWith('staffMemberId')
const isDesk = (path: string) => path.endsWith('servicePointId')

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

/** The names of properties in changes, those of parts too. */
const propertiesIn = (changes: readonly Change[]): string[] =>
  changes.flatMap(({ path, before, after }) => [
    path.split('.').at(-1) ?? path,
    ...[...before, ...after].flatMap((value) => (isRecord(value) ? Object.keys(value) : [])),
  ])

export function useShow(changes: readonly Change[], word: (value: string) => string): Show {
  const t = useText()
  const { dayTime, number } = useFormats()
  const lists = [...new Set(propertiesIn(changes).flatMap((name) => listOf(name) ?? []))].sort()
  const names = useNames(...lists)
  const people = changes.flatMap(({ path, before, after }) =>
    isPerson(path) ? [...before, ...after].filter((id) => typeof id === 'string') : [],
  )
  const { data: known } = useQuery(editorsQuery([...new Set(people)].toSorted()))
  const { data: desks } = useQuery({
    ...servicePointsQuery,
    enabled: changes.some(({ path }) => isDesk(path)),
  })
  const show: Show = (value, property) => {
    if (typeof value === 'boolean') return t(value ? 'history.yes' : 'history.no')
    if (typeof value === 'number') return number(value)
    if (typeof value === 'string') {
      const list = listOf(property)
      if (list) return names(list, value) ?? value
      if (isDesk(property)) return desks?.find(({ id }) => id === value)?.name ?? value
      if (isPerson(property)) {
        const person = known?.get(value)
        return (person && (fullName(person.personal ?? {}) || person.username)) || value
      }
      return INSTANT.test(value) ? dayTime(value) : word(value)
    }
    if (Array.isArray(value)) return value.map((one) => show(one, property)).join(', ')
    if (!isRecord(value)) return ''
    // What is not so is not told of a part.
    const told = Object.entries(value).filter(([, part]) => part !== false && part !== null)
    return told
      .map(([name, part]) => (part === true ? name : show(part, name)))
      .filter(Boolean)
      .join(' · ')
  }
  return show
}

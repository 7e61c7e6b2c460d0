// Tags of records. The library keeps a list of those in use; a word that is not on it yet is put there when the record
// is saved, for those who may.

import { useMemo } from 'react'
import { get, post } from '#/api/client'
import { anyOf, equals } from '#/api/cql'
import type { Id } from '#/api/types'
import { useText } from '#/i18n/text'
import type { LookupOf, Spec } from '#/inventory/form/specs'
import { useNeeds } from '#/lib/permissions'
import { prefix } from './queries'

interface Tag extends Id {
  label: string
}
interface Tagged {
  tags?: { tagList?: string[] }
}

const PATH = '/tags'
const SHOWN = 20

/** FOLIO's tags have no capitals and no blanks. */
export const tagOf = (words: string): string => words.toLowerCase().replace(/\s+/g, '')

const find = async (query: string, limit: number, signal?: AbortSignal) =>
  (await get<{ tags: Tag[] }>(PATH, { query, limit }, signal)).tags

/** The field of tags: those on the list, and what was typed where a new one may be made. */
export function useTagField(): Spec {
  const t = useText()
  const { allowed } = useNeeds('tags.item.post')
  return useMemo(() => {
    const lookup: LookupOf = {
      list: 'tags',
      search: async (words, signal) => {
        const typed = tagOf(words)
        const cql = typed ? `label=${prefix(typed)}` : 'cql.allRecords=1'
        const known = (await find(`${cql} sortby label`, SHOWN, signal)).map(({ label }) => label)
        const options = known.map((label) => ({ id: label, text: label }))
        return typed && allowed && !known.includes(typed)
          ? [...options, { id: typed, text: typed, detail: t('acq.newTag') }]
          : options
      },
      nameOf: async (label) => label,
    }
    return { name: 'tags:tagList', label: t('acq.tags'), kind: 'lookups', lookup }
  }, [t, allowed])
}

/** Puts those on the list that are not there; somebody else may do so at the same time. */
export async function keepTags({ tags }: Tagged): Promise<void> {
  const labels = tags?.tagList ?? []
  if (!labels.length) return
  const known = new Set((await find(anyOf('label', labels), labels.length)).map((one) => one.label))
  for (const label of labels)
    if (!known.has(label))
      await post(PATH, { label }).catch(async (error: unknown) => {
        if (!(await find(equals('label', label), 1)).length) throw error
      })
}

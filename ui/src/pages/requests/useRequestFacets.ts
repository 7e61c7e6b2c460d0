// The facets of requests with their counts: each value is counted by a list of no rows, without the facet itself.
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import type { ServicePoint } from '#/api/types'
import { type TextId, useText } from '#/i18n/text'
import { KINDS } from '#/requests/types'
import { kindId, STATUSES } from '#/requests/words'
import type { Facet } from '#/ui/FacetGroup'
import { countRequests, OPEN, type RequestsSearch, STATUS_OF } from './source'

type Name = 'status' | 'kind' | 'pickup' | 'level'

export function useRequestFacets(
  search: RequestsSearch,
  points: readonly ServicePoint[],
  change: (patch: Partial<RequestsSearch>) => void,
) {
  const t = useText()
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set(['status', 'kind']))
  const places = points.filter((one) => one.pickupLocation)
  const groups: readonly { id: Name; title: TextId; values: { id: string; text: string }[] }[] = [
    {
      id: 'status',
      title: 'request.statusOf',
      values: Object.entries(STATUS_OF).map(([id, status]) => {
        const word = STATUSES[status]
        return { id, text: word ? t(word.text) : status }
      }),
    },
    {
      id: 'kind',
      title: 'request.kindOf',
      values: KINDS.map((id) => ({ id, text: t(kindId(id)) })),
    },
    {
      id: 'pickup',
      title: 'request.pickup',
      values: places.map((one) => ({ id: one.id, text: one.name })),
    },
    {
      id: 'level',
      title: 'request.level',
      values: [
        { id: 'Item', text: t('request.ofItem') },
        { id: 'Title', text: t('request.ofTitle') },
      ],
    },
  ]
  const asked = groups
    .filter((group) => opened.has(group.id))
    .flatMap((group) => group.values.map((value) => ({ group: group.id, id: value.id })))
  const counted = useQueries({
    queries: asked.map(({ group, id }) => {
      const one = { ...search, sort: undefined, [group]: [id] }
      return {
        queryKey: ['requests', 'count', one],
        queryFn: ({ signal }: { signal: AbortSignal }) => countRequests(one, signal),
      }
    }),
  })
  const countOf = (group: string, id: string) =>
    counted[asked.findIndex((one) => one.group === group && one.id === id)]?.data
  const facets: Facet[] = groups.map(({ id, title, values }) => {
    const counts = values.map((one) => ({ ...one, count: countOf(id, one.id) }))
    const known = counts.every((one) => one.count !== undefined)
    return {
      id,
      title: t(title),
      open: opened.has(id),
      chosen: search[id] ?? (id === 'status' ? OPEN : []),
      values: known ? counts.map((one) => ({ ...one, count: one.count ?? 0 })) : undefined,
    }
  })
  return {
    facets,
    open: (id: string, isOpen: boolean) =>
      setOpened(
        (before) => new Set(isOpen ? [...before, id] : [...before].filter((one) => one !== id)),
      ),
    choose: (id: string, chosen: string[]) => change({ [id]: chosen.length ? chosen : undefined }),
  }
}

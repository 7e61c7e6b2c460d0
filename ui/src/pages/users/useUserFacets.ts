// Status and group with their counts. FOLIO has no facets of users: each value is counted by a list of no rows, of the
// search without the facet itself.
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { useText } from '#/i18n/text'
import type { Facet } from '#/ui/FacetGroup'
import { countUsers, type UsersSearch } from './source'

const STATUSES = ['active', 'inactive'] as const

export function useUserFacets(
  search: UsersSearch,
  groups: readonly { id: string; group: string }[],
  change: (patch: Partial<UsersSearch>) => void,
) {
  const t = useText()
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const ofStatus = useCounts(
    STATUSES.map((status) => ({ ...search, status, sort: undefined })),
    !folded.has('status'),
  )
  const ofGroup = useCounts(
    groups.map((one) => ({ ...search, group: [one.id], sort: undefined })),
    !folded.has('group'),
  )
  const facets: Facet[] = [
    {
      id: 'status',
      title: t('users.status'),
      open: !folded.has('status'),
      chosen: search.status ? [search.status] : [],
      values:
        ofStatus &&
        STATUSES.map((id, at) => ({
          id,
          text: id === 'active' ? t('users.active') : t('users.inactive'),
          count: ofStatus[at] ?? 0,
        })),
    },
    {
      id: 'group',
      title: t('users.group'),
      open: !folded.has('group'),
      chosen: search.group ?? [],
      values:
        ofGroup &&
        groups
          .map((one, at) => ({ id: one.id, text: one.group, count: ofGroup[at] ?? 0 }))
          .sort((a, b) => b.count - a.count),
    },
  ]
  return {
    facets,
    open: (id: string, isOpen: boolean) =>
      setFolded(
        (before) => new Set(isOpen ? [...before].filter((one) => one !== id) : [...before, id]),
      ),
    choose: (id: string, chosen: string[]) => {
      if (id === 'group') change({ group: chosen.length ? chosen : undefined })
      // Active and inactive together are everybody: the last one chosen counts.
      else change({ status: chosen.at(-1) as UsersSearch['status'] })
    },
  }
}

function useCounts(searches: readonly UsersSearch[], enabled: boolean): number[] | undefined {
  const counted = useQueries({
    queries: searches.map((one) => ({
      queryKey: ['users', 'count', one],
      queryFn: ({ signal }: { signal: AbortSignal }) => countUsers(one, signal),
      enabled,
    })),
  })
  const counts = counted.map((one) => one.data)
  return counts.every((one) => one !== undefined) ? counts : undefined
}

// The search as the address has it, and its changes. Typing replaces the entry of the history; a decision
// (facet, sort, segment) makes a new one, so that "back" undoes it.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { type InventorySearch, validSearch } from './search'

export interface UrlSearch {
  search: InventorySearch
  change: (change: Partial<InventorySearch>, replace?: boolean) => void
  choose: (facet: string, values: string[]) => void
}

export function useUrlSearch(): UrlSearch {
  const raw = useSearch({ from: '/shell/inventory' })
  const search = useMemo(() => validSearch(raw as Record<string, unknown>), [raw])
  const navigate = useNavigate({ from: '/inventory' })
  const change = useCallback(
    (next: Partial<InventorySearch>, replace = false) =>
      void navigate({ search: (now) => ({ ...now, ...next }), replace }),
    [navigate],
  )
  const choose = useCallback(
    (facet: string, values: string[]) =>
      void navigate({
        search: (now) => {
          const f = { ...now.f, [facet]: values }
          if (!values.some(Boolean)) delete f[facet]
          return { ...now, f: Object.keys(f).length ? f : undefined }
        },
      }),
    [navigate],
  )
  return { search, change, choose }
}

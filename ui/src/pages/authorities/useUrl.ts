// The search as the address has it, and its changes. Typing replaces the entry of the history; a decision (facet, sort)
// makes a new one, so that "back" undoes it.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { type AuthoritySearch, validSearch } from '#/authorities/search'

export function useUrl() {
  const raw = useSearch({ from: '/shell/authorities' })
  const search = useMemo(() => validSearch(raw as Record<string, unknown>), [raw])
  const navigate = useNavigate({ from: '/authorities' })
  const change = useCallback(
    (next: Partial<AuthoritySearch>, replace = false) =>
      void navigate({ search: (now) => ({ ...now, ...next }), replace }),
    [navigate],
  )
  const choose = (facet: string, values: string[]) => {
    const f = { ...search.f, [facet]: values }
    if (!values.some(Boolean)) delete f[facet]
    change({ f: Object.keys(f).length ? f : undefined })
  }
  return { search, change, choose }
}

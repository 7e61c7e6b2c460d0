// The tenant's currency and time zone.
import { queryOptions } from '@tanstack/react-query'
import { get } from './client'
import { keptOf } from './kept'
import { lastKnown } from './lastKnown'

export interface TenantLocale {
  locale: string
  currency: string
  timezone: string
}
const FALLBACK: TenantLocale = { locale: 'en-US', currency: 'USD', timezone: 'UTC' }

export const localeQuery = queryOptions({
  queryKey: ['locale'],
  queryFn: ({ signal }) =>
    lastKnown('locale', () => get<TenantLocale>('/locale', undefined, signal)).catch(
      () => FALLBACK,
    ),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})

const useKept = keptOf<TenantLocale>(localeQuery.queryKey)

export const useLocale = (): TenantLocale => useKept() ?? FALLBACK

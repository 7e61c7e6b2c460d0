// The tenant's audit log, newest entries first.
import { infiniteQueryOptions } from '@tanstack/react-query'
import { session } from '#/api/session'
import { type Probed, probed } from './probe'

export const AUDIT_KINDS = [
  'log-in',
  'log-in-failed',
  'refused',
  'permissions',
  'password',
  'patron-data',
] as const
export type AuditKind = (typeof AUDIT_KINDS)[number]
export const auditKindOf = (kind: unknown): AuditKind | undefined =>
  AUDIT_KINDS.find((one) => one === kind)

export interface AuditEntry {
  at: string
  kind: string
  times?: number
  address?: string
  detail?: string
  userId?: string
  position?: number
}

export interface AuditPage {
  auditEntries: AuditEntry[]
  /** The `before` of the page that follows; none at the end. */
  next?: number
}

const PAGE = 50

export const auditQuery = (kind: AuditKind | undefined) =>
  infiniteQueryOptions({
    queryKey: ['audit', session.tenant, kind],
    queryFn: ({ signal, pageParam }): Promise<Probed<AuditPage>> =>
      probed<AuditPage>('/_/octavo/audit', { kind, before: pageParam, limit: PAGE }, signal),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last) => (last.state === 'there' ? last.data.next : undefined),
    staleTime: 0,
  })

// The command that runs a workload against this tenant. The password stays out of it: it is asked for.
import { session } from '#/api/session'

export const WORKLOADS = [
  'check-in-check-out',
  'lend-request-pay',
  'requests-and-renewals',
  'instance-search',
  'inventory-views',
  'get-items',
  'load-items',
  'batch-lookup',
  'formatted-records',
  'users-and-permissions',
  'marc-import',
  'marc-export',
  'mixed-day',
] as const
export type Workload = (typeof WORKLOADS)[number]

export const isKnown = (workload: string): workload is Workload =>
  WORKLOADS.some((one) => one === workload)

/** They only look things up. */
export const READS: readonly Workload[] = [
  'instance-search',
  'inventory-views',
  'get-items',
  'batch-lookup',
  'formatted-records',
]

export interface Wanted {
  workload: Workload
  users: number
  minutes: number
  rampUpSeconds: number
}

/** Arguments by the shell's rules: what is no plain word stands in quotes. */
const quoted = (word: string) =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

export function commandOf({ workload, users, minutes, rampUpSeconds }: Wanted, user: string) {
  return [
    ['octavo workload run', workload],
    ['--url', quoted(location.origin)],
    ['--tenant', quoted(session.tenant)],
    ['--user', quoted(user)],
    ['--virtual-users', users],
    ['--ramp-up', `${rampUpSeconds}s`],
    ['--duration', `${minutes}m`],
    ['--page', '--report report/'],
  ]
    .map((pair) => pair.join(' '))
    .join(' ')
}

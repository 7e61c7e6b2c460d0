// Response times that FOLIO's Performance Task Force published: the workbench's own table, see its head for the sources.
import table from '../../../workbench/figures/data/baselines.tsv?raw'
import type { Run } from './run'

export const STATISTICS = ['average', 'p50', 'p75', 'p95'] as const
export type Statistic = (typeof STATISTICS)[number]

interface Published {
  workload: string
  release: string
  name: string
  users: number
  statistic: string
  ms: number
}

const all: readonly Published[] = table
  .split('\n')
  .filter((line) => line && !line.startsWith('#'))
  .slice(1)
  .map((line) => {
    const [workload = '', release = '', name = '', users, statistic = '', ms] = line.split('\t')
    return { workload, release, name, users: Number(users), statistic, ms: Number(ms) }
  })

/** The releases that have figures for a workload, the latest last. */
export const releasesOf = (workload: string) => [
  ...new Set(all.filter((one) => one.workload === workload).map(({ release }) => release)),
]

export interface Baseline {
  release: string
  /** Of the published run whose number of users is the nearest. */
  users: number
  of: (name: string, statistic: Statistic) => number | undefined
}

export function baselineOf(run: Run, release: string): Baseline {
  const mine = all.filter((one) => one.workload === run.workload && one.release === release)
  const distance = (one: Published) => Math.abs(one.users - run.virtual_users)
  const users = mine.reduce(
    (nearest, one) => (distance(one) < distance(nearest) ? one : nearest),
    mine[0] as Published,
  ).users
  const near = mine.filter((one) => one.users === users)
  return {
    release,
    users,
    of: (name, statistic) =>
      near.find((one) => one.name === name && one.statistic === statistic)?.ms,
  }
}

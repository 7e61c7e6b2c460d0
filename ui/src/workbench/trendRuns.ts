// The runs of one workload for its trends: their reports, reduced to what is shown.
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import { get } from '#/api/client'
import { readRun } from './run'
import { keptQuery, textOfRun } from './runs'
import { addressOf, isServerRun, type ServerRunReport, serverRunsQuery } from './serverRuns'
import { type Measured, measuredOf } from './trends'

/** The latest of a workload; each has a report of some kilobytes. */
const RUNS_MAX = 50

interface Listed {
  id: string
  workload: string
  startedAt: string
}

const trendRunQuery = (id: string) =>
  queryOptions({
    queryKey: ['trend-run', id],
    queryFn: async ({ signal }): Promise<Measured | null> => {
      if (isServerRun(id)) {
        const { report } = await get<ServerRunReport>(addressOf(id), undefined, signal)
        return report ? measuredOf(id, report.run) : null
      }
      const run = readRun((await textOfRun(id)) ?? '')
      return typeof run === 'object' ? measuredOf(id, run) : null
    },
    networkMode: 'always',
    // A run that has ended does not change.
    staleTime: Number.POSITIVE_INFINITY,
  })

/** All that have ended, the latest first; none before they are known. */
export function useEndedRuns(): Listed[] | undefined {
  const { data: own, error } = useQuery(serverRunsQuery)
  const { data: kept } = useQuery(keptQuery)
  if (!kept || !(own || error)) return undefined
  const ended =
    own?.state === 'there'
      ? own.data.runs.filter(({ state }) => state === 'ended' || state === 'stopped')
      : []
  return [...ended, ...kept].sort((one, other) => other.startedAt.localeCompare(one.startedAt))
}

export function useMeasured(listed: readonly Listed[], workload: string | undefined) {
  const wanted = listed.filter((one) => one.workload === workload).slice(0, RUNS_MAX)
  return useQueries({
    queries: wanted.map(({ id }) => trendRunQuery(id)),
    combine: (answers) => ({
      isComing: answers.some(({ isPending }) => isPending),
      error: answers.find(({ error }) => error)?.error,
      runs: answers.map(({ data }) => data).filter((one) => one != null),
    }),
  })
}

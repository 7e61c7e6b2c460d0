// A run by its id: one that this server runs or has run, or one that was opened from a file.
import { useQuery } from '@tanstack/react-query'
import type { LivePoint } from '#/workbench/live'
import type { Run } from '#/workbench/run'
import { keptRunQuery } from '#/workbench/runs'
import {
  isServerRun,
  type Report,
  type ServerRunReport,
  serverRunQuery,
} from '#/workbench/serverRuns'

export interface Shown {
  /** None while a run has measured nothing yet, or where it is gone. */
  run?: Run
  server?: ServerRunReport
  points: readonly LivePoint[]
  summary: Report['summary']
}

export function useReport(id: string): Shown {
  const isServer = isServerRun(id)
  const kept = useQuery({ ...keptRunQuery(id), enabled: !isServer })
  const own = useQuery({ ...serverRunQuery(id), enabled: isServer })
  if (!isServer) return { run: kept.data ?? undefined, points: [], summary: [] }
  const server = own.data?.run
  return {
    run: server?.report?.run,
    server,
    points: own.data?.points ?? [],
    summary: server?.report?.summary ?? [],
  }
}

/** The run that another one stands beside. */
export function useOther(id: string | undefined): Run | undefined {
  const isServer = id !== undefined && isServerRun(id)
  const kept = useQuery({ ...keptRunQuery(id ?? ''), enabled: id !== undefined && !isServer })
  const own = useQuery({ ...serverRunQuery(id ?? ''), enabled: isServer })
  return (isServer ? own.data?.run.report?.run : kept.data) ?? undefined
}

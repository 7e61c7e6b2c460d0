// What the address says that the run stands beside: a kept run by its id, or `folio:` and a release.
import { releasesOf } from '#/workbench/published'
import type { Run } from '#/workbench/run'

export interface Search {
  with?: string
  folio?: string
  of?: number
}

export function besideOf(run: Run, search: Search): string | undefined {
  if (search.with) return search.with
  const releases = releasesOf(run.workload)
  const release = releases.find((one) => one === search.folio) ?? releases.at(-1)
  return release && `folio:${release}`
}

// What a report is about: the days, the desk, the owner of fees. The month so far and this desk, where the address says
// nothing else.
import { useMemo } from 'react'
import { useDesk } from '#/lib/desk'
import type { Choice } from '#/patrons/reports/reports'

export interface ReportSearch {
  of?: string
  from?: string
  to?: string
  desk?: string
  owner?: string
  takers?: string[]
  desks?: string[]
}

/** The day here, not in Greenwich. */
const dayHere = (date: Date) =>
  `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`

export function useReportChoice(search: ReportSearch): Choice {
  const { from, to, desk, owner, takers, desks } = search
  const here = useDesk()?.id
  return useMemo(() => {
    const today = dayHere(new Date())
    return {
      from: from ?? `${today.slice(0, 8)}01`,
      to: to ?? today,
      desk: desk ?? here,
      owner,
      takers,
      desks,
    }
  }, [from, to, desk, owner, takers, desks, here])
}

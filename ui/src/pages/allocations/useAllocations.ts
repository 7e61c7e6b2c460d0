// What is typed, read and previewed of a year's funds, until it is made or left.
import { useCallback, useMemo, useRef, useState } from 'react'
import { commit, type FinanceRow, logsQuery, preview } from '#/acquisitions/allocations'
import { Exact } from '#/acquisitions/money'
import type { FiscalYear } from '#/acquisitions/types'
import type { Failure } from '#/api/errors'
import { failureOf } from '#/api/errors'
import { queryClient } from '#/api/query'
import { announce } from '#/app/live'
import { useText } from '#/i18n/text'
import { csvOf, rowsOfCsv } from '#/lib/csv'
import { download } from '#/lib/download'
import {
  changesBudget,
  changesFund,
  type Entry,
  entryOf,
  type Field,
  isChanged,
  rowOf,
  saidOfRows,
  withSheet,
  wrongWith,
} from './entries'
import { cellId, type Said } from './Grid'
import { readSheet, sheetOf } from './worksheet'

/** What a preview says, in sums. */
interface Seen {
  budgets: number
  made: number
  funds: number
  sum: number
}

function seenOf(rows: readonly FinanceRow[], sent: readonly Entry[]): Seen {
  const sum = rows.reduce((all, one) => all.plus(one.budgetAllocationChange ?? 0), new Exact())
  const budgets = sent.filter(changesBudget)
  return {
    budgets: budgets.filter(({ row }) => row.budgetId).length,
    made: budgets.filter(({ row }) => !row.budgetId).length,
    funds: sent.filter(changesFund).length,
    sum: sum.toNumber(),
  }
}

export function useAllocations(
  rows: readonly FinanceRow[] | undefined,
  year: FiscalYear,
  code: string,
) {
  const t = useText()
  const [typed, setTyped] = useState<readonly Entry[]>()
  const fresh = useMemo(() => (rows ?? []).map(entryOf), [rows])
  const entries = typed ?? fresh
  const [sheet, setSheet] = useState<{ name?: string; strangers: string[]; missing: number }>()
  const [sheetFault, setSheetFault] = useState<string>()
  const [faults, setFaults] = useState<ReadonlyMap<number, Said>>(new Map())
  const [failure, setFailure] = useState<Failure>()
  const [seen, setSeen] = useState<Seen>()
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const done = useRef(false)
  const forget = useCallback(() => {
    setSeen(undefined)
    setAsking(false)
    setFailure(undefined)
  }, [])
  const edit = useCallback(
    (at: number, name: Field, value: string) => {
      forget()
      setTyped((before) =>
        (before ?? fresh).map((one, place) =>
          place === at ? { ...one, edit: { ...one.edit, [name]: value } } : one,
        ),
      )
      setFaults((before) => {
        if (!before.get(at)?.[name]) return before
        const { [name]: _, ...rest } = before.get(at) ?? {}
        return new Map(before).set(at, rest)
      })
    },
    [fresh, forget],
  )
  const places = entries.flatMap((one, at) => (isChanged(one) ? [at] : []))
  const chosen = places.flatMap((at) => entries[at] ?? [])

  const save = () => {
    const name = `${year.code}${code}.csv`
    download(name, csvOf(sheetOf(entries.map(rowOf))), 'text/csv;charset=utf-8')
  }
  const read = (name: string, text: string) => {
    forget()
    setFaults(new Map())
    const said = readSheet(rowsOfCsv(text), year.code)
    if ('fault' in said) {
      setSheetFault(
        said.fault === 'heads'
          ? t('fin.alloc.sheet.heads', { heads: said.heads })
          : said.fault === 'year'
            ? t('fin.alloc.sheet.year', { year: said.year, name: year.code })
            : t(`fin.alloc.sheet.${said.fault}`),
      )
      return
    }
    setSheetFault(undefined)
    const next = withSheet(fresh, said.rows)
    setTyped(next.entries)
    setSheet({ name, strangers: next.strangers, missing: next.missing })
    announce(t('fin.alloc.wasRead', { count: said.rows.length }))
  }

  /** Faults of the rows that are sent, ours first; whether there is none. */
  const check = (): boolean => {
    const found = new Map<number, Said>()
    for (const at of places) {
      const entry = entries[at]
      const wrong = entry ? wrongWith(entry) : {}
      const said = Object.entries(wrong).map(([name, text]) => [name, t(text)])
      if (said.length) found.set(at, Object.fromEntries(said))
    }
    setFaults(found)
    return !found.size
  }
  const send = async <T>(act: () => Promise<T>): Promise<T | undefined> => {
    setBusy(true)
    setFailure(undefined)
    try {
      return await act()
    } catch (error) {
      const refused = failureOf(error)
      const found = new Map<number, Said>()
      for (const { at, field = 'change', message } of saidOfRows(refused)) {
        const place = places[at]
        if (place !== undefined) found.set(place, { ...found.get(place), [field]: message })
      }
      setFaults(found)
      setAsking(false)
      if (!found.size) setFailure(refused)
      return undefined
    } finally {
      setBusy(false)
    }
  }
  const look = async () => {
    forget()
    if (busy || !check()) return
    const shown = await send(() => preview(chosen.map(rowOf)))
    if (shown) setSeen(seenOf(shown, chosen))
  }
  const apply = async (): Promise<string | undefined> => {
    if (busy || !seen) return undefined
    const ledger = chosen[0]?.row.ledgerId ?? ''
    const made = await send(async () => {
      await commit(chosen.map(rowOf), sheet?.name)
      return true
    })
    if (!made) return undefined
    done.current = true
    announce(t('fin.alloc.made', { count: chosen.length }))
    const logs = await queryClient.fetchQuery(logsQuery(ledger))
    return logs[0]?.id
  }

  const noted = Object.fromEntries(
    [...faults].flatMap(([at, said]) =>
      Object.entries(said).map(([name, text]) => [
        cellId(at, name as Field),
        `${entries[at]?.row.fundName ?? ''}: ${text}`,
      ]),
    ),
  )
  return {
    entries,
    faults,
    noted,
    failure,
    seen,
    asking,
    busy,
    sheetFault,
    strangers: sheet?.strangers ?? [],
    missing: sheet?.missing ?? 0,
    changed: chosen.length,
    get done() {
      return done.current
    },
    edit,
    save,
    read,
    look,
    apply,
    ask: () => setAsking(true),
    back: () => setAsking(false),
  }
}

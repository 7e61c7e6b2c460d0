// A fiscal year that contains today, a ledger and a fund: what a library has before it buys anything.
import { randomUUID } from 'node:crypto'
import type { Api } from './fixtures'

export const mark = () => randomUUID().slice(0, 8).toUpperCase()

/** Letters only: the series of a fiscal year is what stands before its four digits. */
const letters = (text: string) => text.replace(/\d/g, (digit) => 'QRSTUVWXYZ'[Number(digit)] ?? 'A')

export async function makeFund(api: Api, name: string) {
  const now = new Date().getUTCFullYear()
  const year = await api.post<{ id: string; code: string }>('/finance/fiscal-years', {
    name: `Year ${name}`,
    code: `${letters(name)}${now}`,
    periodStart: `${now}-01-01T00:00:00.000+00:00`,
    periodEnd: `${now}-12-31T23:59:59.000+00:00`,
  })
  const ledger = await api.post<{ id: string }>('/finance/ledgers', {
    name: `Ledger ${name}`,
    code: `L${name}`,
    ledgerStatus: 'Active',
    fiscalYearOneId: year.id,
    restrictEncumbrance: true,
    restrictExpenditures: true,
  })
  const { fund } = await api.post<{ fund: { id: string; code: string; name: string } }>(
    '/finance/funds',
    {
      fund: {
        name: `Fund ${name}`,
        code: `F${name}`,
        fundStatus: 'Active',
        ledgerId: ledger.id,
        externalAccountNo: `ACC-${name}`,
      },
    },
  )
  return { year, ledger, fund }
}

// A fiscal year that contains today, a ledger and a fund: what a library has before it buys anything.
import { randomUUID } from 'node:crypto'
import type { Api } from './fixtures'

export const mark = () => randomUUID().slice(0, 8).toUpperCase()

/** Letters only: the series of a fiscal year is what stands before its four digits. */
export const letters = (text: string) =>
  text.replace(/\d/g, (digit) => 'QRSTUVWXYZ'[Number(digit)] ?? 'A')

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

/** A fund with a budget, and a vendor. */
export async function makeBuyer(api: Api, name: string, allocated: number) {
  const selling = api.post<{ id: string }>('/organizations/organizations', {
    name: `Reiher ${name}`,
    code: `R${name}`,
    status: 'Active',
    isVendor: true,
    emails: [{ value: 'orders@example.org', isPrimary: true }],
    phoneNumbers: [{ phoneNumber: '+46 40 123456', isPrimary: true }],
    accounts: [{ name: 'Main', accountNo: 'A-1', accountStatus: 'Active' }],
  })
  const buying = makeFund(api, name).then(async ({ fund, year, ledger }) => {
    const budget = await api.post<{ id: string }>('/finance/budgets', {
      name: `${fund.code}-${year.code}`,
      fundId: fund.id,
      fiscalYearId: year.id,
      budgetStatus: 'Active',
      allocated,
      allowableEncumbrance: 100,
    })
    return { fund, budget, year, ledger }
  })
  const [vendor, bought] = await Promise.all([selling, buying])
  return { vendor, ...bought }
}

/** Another fund of a ledger, with a budget. */
export async function makeBudget(
  api: Api,
  { ledger, year }: { ledger: { id: string }; year: { id: string; code: string } },
  code: string,
  allocated: number,
  fundTypeId?: string,
) {
  const { fund } = await api.post<{ fund: { id: string; code: string; name: string } }>(
    '/finance/funds',
    {
      fund: {
        name: `Fund ${code}`,
        code,
        fundStatus: 'Active',
        ledgerId: ledger.id,
        fundTypeId,
        externalAccountNo: `ACC-${code}`,
      },
    },
  )
  const budget = await api.post<{ id: string }>('/finance/budgets', {
    name: `${code}-${year.code}`,
    fundId: fund.id,
    fiscalYearId: year.id,
    budgetStatus: 'Active',
    allocated,
    allowableEncumbrance: 100,
  })
  return { fund, budget }
}

/** The year after the one that `makeFund` makes, of the same series. */
export const makeNextYear = (api: Api, name: string) => {
  const next = new Date().getUTCFullYear() + 1
  return api.post<{ id: string; code: string }>('/finance/fiscal-years', {
    name: `Next ${name}`,
    code: `${letters(name)}${next}`,
    periodStart: `${next}-01-01T00:00:00.000+00:00`,
    periodEnd: `${next}-12-31T23:59:59.000+00:00`,
  })
}

/** A pending order of two copies at this price each; `line` says what is otherwise. */
export async function makeOrder(
  api: Api,
  { fund, vendor }: Pick<Awaited<ReturnType<typeof makeBuyer>>, 'fund' | 'vendor'>,
  title: string,
  listUnitPrice: number,
  line: Readonly<Record<string, unknown>> = {},
  order: Readonly<Record<string, unknown>> = {},
) {
  const [{ acquisitionMethods }, { locations }] = await Promise.all([
    api.get<{ acquisitionMethods: { id: string }[] }>('/orders/acquisition-methods?limit=1'),
    api.get<{ locations: { id: string }[] }>('/locations?limit=1'),
  ])
  return await api.post<{ id: string; compositePoLines: { id: string }[] }>(
    '/orders/composite-orders',
    {
      vendor: vendor.id,
      orderType: 'One-Time',
      ...order,
      compositePoLines: [
        {
          titleOrPackage: title,
          orderFormat: 'Physical Resource',
          source: 'User',
          acquisitionMethod: acquisitionMethods[0]?.id,
          cost: { currency: 'USD', listUnitPrice, quantityPhysical: 2 },
          physical: { createInventory: 'Instance, Holding', volumes: [] },
          locations: [{ locationId: locations[0]?.id, quantityPhysical: 2, quantity: 2 }],
          fundDistribution: [
            { fundId: fund.id, code: fund.code, distributionType: 'percentage', value: 100 },
          ],
          ...line,
        },
      ],
    },
  )
}

/** The same, opened. */
export async function openOrder(api: Api, ...made: Tail<Parameters<typeof makeOrder>>) {
  const { id } = await makeOrder(api, ...made)
  const path = `/orders/composite-orders/${id}`
  const order = await api.get<{ id: string; compositePoLines: { id: string }[] }>(path)
  await api.put(path, { ...order, workflowStatus: 'Open' })
  const line = order.compositePoLines[0]?.id ?? ''
  return { id, line, at: `/staff/orders/${id}/lines/${line}` }
}

type Tail<T extends unknown[]> = T extends [unknown, ...infer Rest] ? Rest : never

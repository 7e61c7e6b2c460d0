// A small library's acquisitions for scenes: funds of a year with different budgets, vendors, orders in several states,
// invoices and vouchers. What is there already is taken, so that scenes may run in any order, and again.
import type { Api } from './fixtures'

type Made = { id: string }
type Named = Made & { code: string; name: string }

const NOW = new Date().getUTCFullYear()
const cql = encodeURIComponent

/** A record of a list by one of its fields, made where there is none. */
async function one<T extends Made>(
  api: Api,
  [path, rows]: readonly [string, string],
  body: Readonly<Record<string, unknown>>,
  key = 'code',
): Promise<T> {
  const query = cql(`${key}=="${body[key]}"`)
  const found = await api.get<Record<string, T[]>>(`${path}?limit=1&query=${query}`)
  return found[rows]?.[0] ?? (await api.post<T>(path, body))
}

const year = (api: Api, number: number) =>
  one<Named>(api, ['/finance/fiscal-years', 'fiscalYears'], {
    name: `${number}`,
    code: `FY${number}`,
    periodStart: `${number}-01-01T00:00:00.000+00:00`,
    periodEnd: `${number}-12-31T23:59:59.000+00:00`,
  })

async function budget(
  api: Api,
  of: { ledger: Made; year: Named; classes: readonly Made[] },
  [code, name, allocated]: readonly [string, string, number],
) {
  const paths = ['/finance/funds', 'funds'] as const
  const body = { name, code, fundStatus: 'Active', ledgerId: of.ledger.id }
  const found = await api.get<{ funds: Named[] }>(
    `${paths[0]}?limit=1&query=${cql(`code=="${code}"`)}`,
  )
  const fund =
    found.funds[0] ??
    (
      await api.post<{ fund: Named }>(paths[0], {
        fund: { ...body, externalAccountNo: `4711-${code}` },
      })
    ).fund
  const made = await one<Made>(
    api,
    ['/finance/budgets', 'budgets'],
    {
      name: `${code}-${of.year.code}`,
      fundId: fund.id,
      fiscalYearId: of.year.id,
      budgetStatus: 'Active',
      allocated,
      allowableEncumbrance: 110,
      allowableExpenditure: 100,
      statusExpenseClasses: of.classes.map(({ id }) => ({ expenseClassId: id, status: 'Active' })),
    },
    'name',
  )
  return { fund, budget: made }
}

const FUNDS = [
  ['HUM', 'Humanities', 50_000],
  ['LAW', 'Law', 18_500],
  ['MUS', 'Music', 4_200],
  ['NAT', 'Natural sciences', 36_000],
] as const

const VENDORS = [
  ['REIHER', 'Reiher & Töchter'],
  ['QUAYSIDE', 'Quayside Books'],
  ['ALMANAR', 'دار المنار للنشر'],
] as const

const vendor = (api: Api, [code, name]: (typeof VENDORS)[number]) =>
  one<Named>(api, ['/organizations/organizations', 'organizations'], {
    name,
    code,
    status: 'Active',
    isVendor: true,
    emails: [{ value: 'orders@example.org', isPrimary: true }],
    phoneNumbers: [{ phoneNumber: '+46 40 123456', isPrimary: true }],
    addresses: [{ addressLine1: 'Hafenstraße 12', city: 'Kiel', zipCode: '24103', country: 'DEU' }],
    accounts: [
      { name: 'Main', accountNo: 'A-1', accountStatus: 'Active', paymentMethod: 'EFT' },
      { name: 'Standing orders', accountNo: 'A-2', accountStatus: 'Active' },
    ],
  })

interface Line {
  title: string
  price: number
  copies: number
  fund: Named
  more?: Readonly<Record<string, unknown>>
}

interface Order extends Made {
  workflowStatus: string
  compositePoLines: {
    id: string
    titleOrPackage: string
    cost: { poLineEstimatedPrice: number; quantityPhysical: number }
  }[]
}

const ORDERS = '/orders/composite-orders'

async function order(
  api: Api,
  number: string,
  by: Named,
  lines: readonly Line[],
  state: 'Pending' | 'Open' | 'Closed' = 'Open',
): Promise<Order> {
  const query = cql(`poNumber=="${number}"`)
  const found = await api.get<{ purchaseOrders: Made[] }>(`${ORDERS}?limit=1&query=${query}`)
  const there = found.purchaseOrders[0]
  if (there) return await api.get(`${ORDERS}/${there.id}`)
  const [{ acquisitionMethods }, { locations }] = await Promise.all([
    api.get<{ acquisitionMethods: Made[] }>('/orders/acquisition-methods?limit=1'),
    api.get<{ locations: Made[] }>('/locations?limit=1'),
  ])
  const { id } = await api.post<Made>(ORDERS, {
    poNumber: number,
    vendor: by.id,
    orderType: 'One-Time',
    compositePoLines: lines.map(({ title, price, copies, fund, more }) => ({
      titleOrPackage: title,
      orderFormat: 'Physical Resource',
      source: 'User',
      acquisitionMethod: acquisitionMethods[0]?.id,
      cost: { currency: 'USD', listUnitPrice: price, quantityPhysical: copies },
      physical: { createInventory: 'Instance, Holding', volumes: [] },
      locations: [{ locationId: locations[0]?.id, quantityPhysical: copies, quantity: copies }],
      fundDistribution: [
        { fundId: fund.id, code: fund.code, distributionType: 'percentage', value: 100 },
      ],
      ...more,
    })),
  })
  if (state === 'Pending') return await api.get(`${ORDERS}/${id}`)
  const made = await api.get<Order>(`${ORDERS}/${id}`)
  await api.put(`${ORDERS}/${id}`, { ...made, workflowStatus: 'Open' })
  const open = await api.get<Order>(`${ORDERS}/${id}`)
  if (state === 'Open') return open
  await api.put(`${ORDERS}/${id}`, {
    ...open,
    workflowStatus: 'Closed',
    closeReason: { reason: 'Complete', note: '' },
  })
  return await api.get(`${ORDERS}/${id}`)
}

const INVOICES = '/invoice/invoices'

/** An invoice over all lines of an order, with postage. */
async function invoice(
  api: Api,
  number: string,
  by: Named,
  { compositePoLines: lines }: Order,
  fund: Named,
  states: readonly ('Approved' | 'Paid')[],
): Promise<Made> {
  const query = cql(`vendorInvoiceNo=="${number}"`)
  const found = await api.get<{ invoices: Made[] }>(`${INVOICES}?limit=1&query=${query}`)
  if (found.invoices[0]) return found.invoices[0]
  const { batchGroups } = await api.get<{ batchGroups: Made[] }>('/batch-groups?limit=1')
  const made = await api.post<Made>(INVOICES, {
    vendorId: by.id,
    vendorInvoiceNo: number,
    invoiceDate: new Date().toISOString(),
    batchGroupId: batchGroups[0]?.id,
    currency: 'USD',
    paymentMethod: 'EFT',
    status: 'Open',
    source: 'User',
    adjustments: [
      {
        description: 'Postage',
        type: 'Amount',
        value: 6.5,
        prorate: 'By line',
        relationToTotal: 'In addition to',
        exportToAccounting: false,
      },
    ],
  })
  for (const line of lines)
    await api.post('/invoice/invoice-lines', {
      invoiceId: made.id,
      poLineId: line.id,
      description: line.titleOrPackage,
      invoiceLineStatus: 'Open',
      quantity: line.cost.quantityPhysical,
      subTotal: line.cost.poLineEstimatedPrice,
      releaseEncumbrance: true,
      fundDistributions: [
        { fundId: fund.id, code: fund.code, distributionType: 'percentage', value: 100 },
      ],
    })
  for (const status of states) {
    const now = await api.get<object>(`${INVOICES}/${made.id}`)
    await api.put(`${INVOICES}/${made.id}`, { ...now, status })
  }
  return made
}

async function buy(api: Api) {
  const [now, next] = [await year(api, NOW), await year(api, NOW + 1)]
  const ledger = await one<Named>(api, ['/finance/ledgers', 'ledgers'], {
    name: 'Books',
    code: 'BOOKS',
    ledgerStatus: 'Active',
    fiscalYearOneId: now.id,
    restrictEncumbrance: true,
    restrictExpenditures: true,
  })
  const classes = []
  for (const [code, name] of [
    ['PRINT', 'Books on paper'],
    ['ONLINE', 'Online'],
  ])
    classes.push(
      await one<Named>(api, ['/finance/expense-classes', 'expenseClasses'], { code, name }),
    )
  const budgets = []
  for (const row of FUNDS) budgets.push(await budget(api, { ledger, year: now, classes }, row))
  const vendors = []
  for (const row of VENDORS) vendors.push(await vendor(api, row))
  const [humanities, law, music, sciences] = budgets
  const [reiher, quayside, almanar] = vendors
  if (!humanities || !law || !music || !sciences || !reiher || !quayside || !almanar)
    throw new Error('too few funds or vendors')
  const nat = sciences.fund
  const hum = humanities.fund
  const birds = await order(api, 'VND1001', reiher, [
    { title: 'Vögel der Nordsee: ein Bestimmungsbuch', price: 24.9, copies: 2, fund: nat },
  ])
  const weavers = await order(api, 'VND1002', quayside, [
    { title: 'The weaver of Visby', price: 2_140, copies: 3, fund: hum },
  ])
  await order(api, 'VND1003', almanar, [
    { title: 'تاريخ الموانئ القديمة', price: 58, copies: 2, fund: hum },
  ])
  await order(
    api,
    'VND1004',
    quayside,
    [
      {
        title: 'Songs of the harbour: scores for four voices',
        price: 79,
        copies: 4,
        fund: music.fund,
      },
    ],
    'Pending',
  )
  await order(
    api,
    'VND1005',
    reiher,
    [{ title: 'Seerecht: Kommentar', price: 249, copies: 1, fund: law.fund }],
    'Closed',
  )
  const approved = await invoice(api, 'R-2026-118', reiher, birds, nat, ['Approved'])
  await invoice(api, 'BT-20417', quayside, weavers, hum, ['Approved', 'Paid'])
  return { year: now, next, ledger, humanities, sciences, reiher, birds, invoice: approved }
}

let bought: ReturnType<typeof buy> | undefined
/** Bought once, for all scenes. */
export const purchases = (api: Api) => {
  bought ??= buy(api)
  return bought
}

/** A package with its titles, some of their pieces received. */
export async function packageLine(api: Api) {
  const { reiher, sciences } = await purchases(api)
  const { id, compositePoLines } = await order(api, 'VND1006', reiher, [
    {
      title: 'Zeitschriftenpaket Küste',
      price: 120,
      copies: 2,
      fund: sciences.fund,
      more: { isPackage: true, checkinItems: true, claimingActive: true, claimingInterval: 30 },
    },
  ])
  const line = compositePoLines[0]?.id ?? ''
  const titles = await api.get<{ titles: Made[] }>(
    `/orders/titles?limit=1&query=${cql(`poLineId==${line}`)}`,
  )
  if (!titles.titles.length) await addTitles(api, line)
  return `/orders/${id}/lines/${line}`
}

async function addTitles(api: Api, line: string) {
  const { locations } = await api.get<{ locations: Made[] }>('/locations?limit=1')
  for (const title of ['Blätter für Meereskunde', 'Der Deich', 'Watt und Wind']) {
    const { id } = await api.post<Made>('/orders/titles', {
      title,
      poLineId: line,
      claimingActive: true,
      claimingInterval: 30,
    })
    for (const number of [1, 2, 3])
      await api.post('/orders/pieces', {
        poLineId: line,
        titleId: id,
        format: 'Physical',
        receivingStatus: number === 1 ? 'Received' : number === 2 ? 'Late' : 'Expected',
        displaySummary: `2026, no. ${number}`,
        locationId: locations[0]?.id,
      })
  }
}

/** A line that is bought on paper and as a file. */
export async function mixedLine(api: Api): Promise<string> {
  const { reiher, sciences } = await purchases(api)
  const { locations } = await api.get<{ locations: Made[] }>('/locations?limit=1')
  const { id, compositePoLines } = await order(api, 'VND1007', reiher, [
    {
      title: 'Atlas der Gezeiten',
      price: 48,
      copies: 2,
      fund: sciences.fund,
      more: {
        orderFormat: 'P/E Mix',
        cost: {
          currency: 'USD',
          listUnitPrice: 48,
          quantityPhysical: 2,
          listUnitPriceElectronic: 30,
          quantityElectronic: 1,
        },
        eresource: { createInventory: 'None' },
        locations: [
          { locationId: locations[0]?.id, quantityPhysical: 2, quantityElectronic: 1, quantity: 3 },
        ],
      },
    },
  ])
  return `/orders/${id}/lines/${compositePoLines[0]?.id}`
}

/** A group of two funds. */
export async function group(api: Api): Promise<string> {
  const { humanities, sciences, year: now } = await purchases(api)
  const made = await one<Made>(api, ['/finance/groups', 'groups'], {
    name: 'Main building',
    code: 'MAIN',
    status: 'Active',
  })
  const path = '/finance/group-fund-fiscal-years'
  const query = cql(`groupId==${made.id}`)
  const { totalRecords } = await api.get<{ totalRecords: number }>(`${path}?limit=1&query=${query}`)
  if (!totalRecords)
    for (const { fund } of [humanities, sciences])
      await api.post(path, { groupId: made.id, fundId: fund.id, fiscalYearId: now.id })
  return `/finance/groups/${made.id}`
}

/** What a rollover would make of the ledger's budgets. */
export async function preview(api: Api): Promise<string> {
  const { ledger, year: from, next } = await purchases(api)
  const { id } = await api.post<Made>('/finance/ledger-rollovers', {
    ledgerId: ledger.id,
    rolloverType: 'Preview',
    fromFiscalYearId: from.id,
    toFiscalYearId: next.id,
    restrictEncumbrance: true,
    budgetsRollover: [
      { rolloverAllocation: true, adjustAllocation: 5, rolloverBudgetValue: 'Available' },
    ],
    encumbrancesRollover: [{ orderType: 'One-time', basedOn: 'InitialAmount', increaseBy: 3 }],
  })
  return `/finance/rollovers/${id}`
}

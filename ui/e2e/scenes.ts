// Every screen of the client in a state worth looking at, made from the sample library: for pictures and for
// the checks of all modes. What a scene changes at the server is what staff would do.
import type { Page } from '@playwright/test'
import { type Api, DESK, expect } from './fixtures'
import { deskId } from './items'
import { marc } from './marc21'
import { makeBuyer, makeNextYear, makeOrder, mark, openOrder } from './money'
import { aside, blocked, lend, loansOpen, patrons, request, shelf } from './sample'

export interface Stage {
  page: Page
  api: Api
  scan: (barcode: string) => Promise<void>
}

export interface Scene {
  name: string
  open: (stage: Stage) => Promise<void>
}

const heading = async (page: Page, name: string | RegExp) =>
  expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()

async function checkIn({ page, api, scan }: Stage) {
  const [inHouse, returned, sent, wanted, missing] = await shelf(api, 5)
  const [borrower, waiting, other] = await patrons(api, 3)
  if (!inHouse || !returned || !sent || !wanted || !missing) throw new Error('too few items')
  if (!borrower || !waiting || !other) throw new Error('too few patrons')
  for (const item of [returned, sent, wanted]) await lend(api, item, borrower)
  await request(api, sent, other, await deskId(api, 'Circ Desk 2'))
  await request(api, wanted, waiting, await deskId(api, DESK))
  await aside(api, missing)
  await page.goto('/staff/check-in')
  await heading(page, 'Check in')
  const scans = [
    missing.barcode,
    '99999000',
    ...[inHouse, returned, sent, wanted].map(({ barcode }) => barcode),
  ]
  for (const barcode of scans) await scan(barcode)
  await expect(page.getByRole('region', { name: 'Last scan' })).toContainText('Hold shelf')
  await expect(page.getByRole('region', { name: 'Questions, oldest first' })).toBeVisible()
}

async function checkOut({ page, api, scan }: Stage) {
  const items = await shelf(api, 2, 20)
  const [loan] = await loansOpen(api, 3)
  await blocked(api, loan?.userId ?? '')
  await page.goto(`/staff/check-out?patron=${loan?.patron}`)
  const card = page.getByRole('complementary', { name: 'Patron' })
  await expect(card).toContainText('Borrowing blocked')
  await scan(items[0]?.barcode ?? '')
  const question = page.getByRole('region', { name: 'Questions, oldest first' })
  await question.getByLabel('Comment').fill('pays on Friday')
  await question.getByLabel('Comment').press('Enter')
  await expect(page.locator('li[data-state="done"]')).toHaveCount(1)
  await scan('99999001')
  // A block is overridden for each item.
  await scan(items[1]?.barcode ?? '')
  await expect(question).toContainText('This patron may not borrow')
}

const titleNamed = async (api: Api, words: string) => {
  const query = encodeURIComponent(`title all "${words}"`)
  const { instances } = await api.get<{ instances: { id: string }[] }>(
    `/search/instances?limit=1&query=${query}`,
  )
  return instances[0]?.id ?? ''
}

export async function importJob({ page }: Stage) {
  await page.goto('/staff/data')
  const records = [marc(1, 'Harbour lights'), marc(2), marc(3, 'The night ferry')].join('')
  await page.getByLabel(/Drop a file here/).setInputFiles({
    name: 'harbour.mrc',
    mimeType: 'application/marc',
    buffer: Buffer.from(records),
  })
  const form = page.getByRole('region', { name: 'Import a file' })
  await form.getByRole('button', { name: /Job profile/ }).click()
  await page.getByRole('option', { name: 'Default - Create instance and SRS MARC Bib' }).click()
  await form.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Progress' })).toContainText('Done, with faults', {
    timeout: 30_000,
  })
  await expect(page.getByRole('grid', { name: 'Records' })).toContainText('field 245')
}

async function offline({ page, api, scan }: Stage) {
  const items = await shelf(api, 3, 30)
  const [patron] = await patrons(api, 1, 6)
  await page.goto('/staff/check-out')
  await heading(page, 'Check out')
  await page.evaluate(() => navigator.serviceWorker.ready)
  await page.context().setOffline(true)
  await scan(patron?.barcode ?? '')
  for (const { barcode } of items) await scan(barcode)
  await expect(page.getByText(/^Offline since/)).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText(`${items.length} scans kept`)).toBeVisible()
}

async function offlineList(stage: Stage) {
  const { page, scan } = stage
  await offline(stage)
  await scan('99999002')
  await page.context().setOffline(false)
  await page
    .getByRole('link', { name: /^Offline desk/ })
    .first()
    .click()
  await expect(page.locator('li[data-state="refused"]')).toHaveCount(1, { timeout: 60_000 })
}

async function queue({ page, api }: Stage) {
  const [item] = await shelf(api, 1, 40)
  const [borrower, ...waiting] = await patrons(api, 5, 10)
  if (!item || !borrower) throw new Error('too few items')
  await lend(api, item, borrower)
  const desk = await deskId(api, DESK)
  for (const patron of waiting) await request(api, item, patron, desk)
  await page.goto(`/staff/requests/queue/item/${item.id}`)
  await expect(page.getByRole('button', { name: /^Move / }).first()).toBeVisible()
}

async function workbench({ page, api }: Stage) {
  for (const volume of ['1', '2', '3'])
    await api.get(`/item-storage/items?limit=1&query=volume==%22${volume}%22`)
  await page.goto('/staff/workbench')
  await heading(page, 'Workbench')
  const advice = page.getByRole('grid', { name: 'Searches that lack an index' })
  await expect(async () => {
    await page.reload()
    await expect(advice).toContainText('volume == ?', { timeout: 2000 })
  }).toPass({ timeout: 30_000 })
}

async function report({ page }: Stage) {
  await page.goto('/staff/workbench?tab=reports')
  await page
    .getByLabel('Open the record of a run: run.json')
    .setInputFiles('../docs/reports/check-in-check-out-20-users/run.json')
  await expect(page.getByRole('img', { name: /Check-In Controller/ })).toBeVisible()
}

async function trace({ page }: Stage) {
  await page.goto('/staff/workbench?tab=trace&path=/inventory/items?limit=10')
  await page.getByRole('button', { name: 'Send and trace' }).click()
  await expect(page.getByRole('group', { name: 'Stages of the request' })).toBeVisible()
}

/** A page by its address, and what shows that it is there. */
const at =
  (path: string | ((api: Api) => Promise<string>), there: (page: Page) => Promise<unknown>) =>
  async ({ page, api }: Stage) => {
    await page.goto(`/staff${typeof path === 'string' ? path : await path(api)}`)
    await there(page)
  }

const anyRow = (page: Page) => expect(page.getByRole('row').nth(2)).toBeVisible()
const marcPath = (more: string) => async (api: Api) =>
  `/inventory/${await titleNamed(api, 'lord of the rings')}/marc${more}`

/** Bought once, for all scenes of acquisitions. */
let bought: ReturnType<typeof buy> | undefined
const purchase = (api: Api) => {
  bought ??= buy(api)
  return bought
}

async function buy(api: Api) {
  const buyer = await makeBuyer(api, mark(), 5000)
  const paths = { orders: '/orders/composite-orders', invoices: '/invoice/invoices' }
  const made = await makeOrder(api, buyer, 'Vögel der Nordsee: ein Bestimmungsbuch', 24.9)
  const order = await api.get<object>(`${paths.orders}/${made.id}`)
  await api.put(`${paths.orders}/${made.id}`, { ...order, workflowStatus: 'Open' })
  const { batchGroups } = await api.get<{ batchGroups: { id: string }[] }>('/batch-groups?limit=1')
  const invoice = await api.post<{ id: string }>(paths.invoices, {
    vendorId: buyer.vendor.id,
    vendorInvoiceNo: 'R-2026-118',
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
  await api.post('/invoice/invoice-lines', {
    invoiceId: invoice.id,
    poLineId: made.compositePoLines[0]?.id,
    description: 'Vögel der Nordsee',
    invoiceLineStatus: 'Open',
    quantity: 2,
    subTotal: 49.8,
    releaseEncumbrance: true,
    fundDistributions: [
      { fundId: buyer.fund.id, code: buyer.fund.code, distributionType: 'percentage', value: 100 },
    ],
  })
  const now = await api.get<object>(`${paths.invoices}/${invoice.id}`)
  await api.put(`${paths.invoices}/${invoice.id}`, { ...now, status: 'Approved' })
  return { ...buyer, order: made, invoice }
}

/** A package with its titles, the pieces of one received. */
async function packageLine(api: Api) {
  const order = await openOrder(api, await purchase(api), 'Zeitschriftenpaket Küste', 120, {
    isPackage: true,
    checkinItems: true,
    claimingActive: true,
    claimingInterval: 30,
  })
  const { locations } = await api.get<{ locations: { id: string }[] }>('/locations?limit=1')
  for (const title of ['Blätter für Meereskunde', 'Der Deich', 'Watt und Wind']) {
    const { id } = await api.post<{ id: string }>('/orders/titles', {
      title,
      poLineId: order.line,
      claimingActive: true,
      claimingInterval: 30,
    })
    for (const number of [1, 2, 3])
      await api.post('/orders/pieces', {
        poLineId: order.line,
        titleId: id,
        format: 'Physical',
        receivingStatus: number === 1 ? 'Received' : number === 2 ? 'Late' : 'Expected',
        displaySummary: `2026, no. ${number}`,
        locationId: locations[0]?.id,
      })
  }
  return order.at.replace('/staff', '')
}

/** A group of the bought fund. */
async function group(api: Api): Promise<string> {
  const { fund, year } = await purchase(api)
  const made = await api.post<{ id: string }>('/finance/groups', {
    name: `Natural sciences ${mark()}`,
    code: mark(),
    status: 'Active',
  })
  await api.post('/finance/group-fund-fiscal-years', {
    groupId: made.id,
    fundId: fund.id,
    fiscalYearId: year.id,
  })
  return `/finance/groups/${made.id}`
}

let nextYear: Promise<{ id: string }> | undefined
async function following(api: Api) {
  const { year } = await purchase(api)
  nextYear ??= makeNextYear(api, year.code.replace(/\d+$/, ''))
  return await nextYear
}

async function rolloverForm(api: Api): Promise<string> {
  await following(api)
  return `/finance/rollover/${(await purchase(api)).ledger.id}`
}

/** What a rollover would make of the bought budget. */
async function preview(api: Api): Promise<string> {
  const { ledger, year } = await purchase(api)
  const { id } = await api.post<{ id: string }>('/finance/ledger-rollovers', {
    ledgerId: ledger.id,
    rolloverType: 'Preview',
    fromFiscalYearId: year.id,
    toFiscalYearId: (await following(api)).id,
    restrictEncumbrance: true,
    budgetsRollover: [
      { rolloverAllocation: true, adjustAllocation: 5, rolloverBudgetValue: 'Available' },
    ],
    encumbrancesRollover: [{ orderType: 'One-time', basedOn: 'InitialAmount', increaseBy: 3 }],
  })
  return `/finance/rollovers/${id}`
}

export const SCENES: readonly Scene[] = [
  { name: 'check-in', open: checkIn },
  { name: 'check-out', open: checkOut },
  { name: 'inventory', open: at('/inventory?q=the', anyRow) },
  { name: 'browse', open: at('/inventory/browse', anyRow) },
  {
    name: 'instance',
    open: at(
      async (api) => `/inventory/${await titleNamed(api, 'lord of the rings')}`,
      (page) => heading(page, /lord of the rings/i),
    ),
  },
  {
    name: 'instance-form',
    open: at(
      async (api) => `/inventory/${await titleNamed(api, 'wolf hall')}/edit`,
      (page) => heading(page, /Edit/),
    ),
  },
  { name: 'marc', open: at(marcPath(''), (page) => heading(page, 'MARC record')) },
  { name: 'marc-editor', open: at(marcPath('/edit'), (page) => heading(page, 'Edit MARC record')) },
  { name: 'users', open: at('/users', anyRow) },
  {
    name: 'user',
    open: at(
      async (api) => `/users/${(await loansOpen(api, 1))[0]?.userId}`,
      (page) => expect(page.getByRole('grid').first()).toBeVisible(),
    ),
  },
  {
    name: 'user-form',
    open: at(
      async (api) => `/users/${(await patrons(api, 1, 3))[0]?.id}/edit`,
      (page) => expect(page.getByLabel('Last name')).toBeVisible(),
    ),
  },
  { name: 'request-queue', open: queue },
  { name: 'requests', open: at('/requests', anyRow) },
  {
    name: 'request-form',
    open: at('/requests/new', (page) => expect(page.getByLabel('Item barcode')).toBeVisible()),
  },
  {
    name: 'rules',
    open: at('/settings/rules', (page) =>
      expect(page.getByRole('textbox', { name: 'Circulation rules' })).toContainText('policy'),
    ),
  },
  {
    name: 'settings',
    open: at('/settings?of=loan-policies', (page) => heading(page, 'Loan policies')),
  },
  {
    name: 'settings-form',
    open: at('/settings?of=loan-policies&id=new', (page) =>
      expect(page.getByLabel('Name').first()).toBeVisible(),
    ),
  },
  { name: 'data', open: at('/data?tab=export', (page) => heading(page, 'Import and export')) },
  { name: 'import-job', open: importJob },
  { name: 'preferences', open: at('/preferences', (page) => heading(page, 'Preferences')) },
  { name: 'more', open: at('/more', (page) => heading(page, 'More')) },
  { name: 'workbench', open: workbench },
  { name: 'workbench-trace', open: trace },
  { name: 'workbench-report', open: report },
  { name: 'workbench-timers', open: at('/workbench?tab=timers', anyRow) },
  { name: 'offline', open: offline },
  { name: 'offline-list', open: offlineList },
  {
    name: 'organization',
    open: at(
      async (api) => `/organizations/${(await purchase(api)).vendor.id}`,
      (page) => heading(page, /Reiher/),
    ),
  },
  {
    name: 'budget',
    open: at(
      async (api) => `/finance/budgets/${(await purchase(api)).budget.id}`,
      (page) => expect(page.getByRole('img', { name: /available/ })).toBeVisible(),
    ),
  },
  {
    name: 'orders',
    open: at(
      async (api) => `/orders?of=["${(await purchase(api)).vendor.id}"]`,
      (page) => expect(page.getByRole('row').nth(1)).toBeVisible(),
    ),
  },
  {
    name: 'order',
    open: at(
      async (api) => `/orders/${(await purchase(api)).order.id}`,
      (page) => heading(page, /Order/),
    ),
  },
  {
    name: 'receiving',
    open: at(
      async (api) => {
        const { order } = await purchase(api)
        return `/orders/${order.id}/lines/${order.compositePoLines[0]?.id}`
      },
      (page) => heading(page, /Vögel/),
    ),
  },
  {
    name: 'package',
    open: at(packageLine, (page) =>
      expect(page.getByRole('grid', { name: 'Titles of the package' })).toContainText('Deich'),
    ),
  },
  {
    name: 'order-template',
    open: at('/settings?of=order-templates&id=new', (page) =>
      expect(page.getByLabel('Name').first()).toBeVisible(),
    ),
  },
  {
    name: 'invoice',
    open: at(
      async (api) => `/invoices/${(await purchase(api)).invoice.id}`,
      (page) => heading(page, /Invoice/),
    ),
  },
  { name: 'group', open: at(group, (page) => heading(page, /Natural sciences/)) },
  {
    name: 'rollover-form',
    open: at(rolloverForm, (page) => heading(page, /Roll over/)),
  },
  {
    name: 'rollover',
    open: at(preview, (page) => expect(page.getByRole('grid', { name: 'Budgets' })).toBeVisible()),
  },
  {
    name: 'exports',
    open: at('/invoices?view=exports', (page) => heading(page, 'Invoices')),
  },
]

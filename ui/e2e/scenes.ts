// Every screen of the client in a state worth looking at, made from the sample library: for pictures and for
// the checks of all modes. What a scene changes at the server is what staff would do.
import { openRuns, REPORT } from './benchRuns'
import { CATALOGUE_SCENES } from './catalogueScenes'
import { EVENT_SCENES } from './eventScenes'
import { type Api, DESK, expect, USER } from './fixtures'
import { FORM_SCENES } from './formScenes'
import { deskId } from './items'
import { marc } from './marc21'
import { PORTRAIT_SCENES } from './portraitScenes'
import { group, packageLine, preview, purchases } from './purchases'
import { REPORT_SCENES } from './reportScenes'
import { aside, blocked, lend, loansOpen, patrons, request, shelf } from './sample'
import {
  anyRow,
  at,
  bought,
  firstRow,
  heading,
  lineOf,
  type Scene,
  type Stage,
  titleNamed,
} from './stage'

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

/** A request whose slip was printed, in a library that counts slips. */
async function printed({ page, api }: Stage) {
  const settings = '/circulation/settings'
  const name = 'printEventLogFeature'
  const { totalRecords } = await api.get<{ totalRecords: number }>(
    `${settings}?limit=0&query=name==${name}`,
  )
  if (!totalRecords)
    await api.post(settings, { id: crypto.randomUUID(), name, value: { enablePrintLog: true } })
  const [item] = await shelf(api, 1, 45)
  const [borrower, waiting] = await patrons(api, 2, 30)
  if (!item || !borrower || !waiting) throw new Error('too few items or patrons')
  await lend(api, item, borrower)
  await request(api, item, waiting, await deskId(api, DESK))
  const { requests } = await api.get<{ requests: { id: string }[] }>(
    `/circulation/requests?limit=1&query=itemId==${item.id}`,
  )
  const { users } = await api.get<{ users: { id: string }[] }>(
    `/users?limit=1&query=username==${USER}`,
  )
  await api.post('/circulation/print-events-entry', {
    requestIds: [requests[0]?.id],
    requesterId: users[0]?.id,
    requesterName: USER,
    printEventDate: new Date().toISOString(),
  })
  await page.goto(`/staff/requests/${requests[0]?.id}`)
  await expect(page.getByText(/time.*, last .* by /)).toBeVisible()
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
  await page.getByLabel('Open the record of a run: run.json').setInputFiles(`${REPORT}/run.json`)
  await expect(page.getByRole('img', { name: /Check-In Controller/ })).toBeVisible()
}

async function trends({ page }: Stage) {
  const history = [1, 1.04, 0.98, 1.01, 1.46, 1.44, 1.12]
  await openRuns(
    page,
    history.map((slower, at) => ({ day: 20 + at, version: `0.1.${Math.floor(at / 2)}`, slower })),
  )
  await page.goto('/staff/workbench?tab=trends&workload=check-in-check-out')
  await expect(page.getByRole('img', { name: /Check-In Controller/ })).toBeVisible()
}

async function trace({ page }: Stage) {
  await page.goto('/staff/workbench?tab=trace&path=/inventory/items?limit=10')
  await page.getByRole('button', { name: 'Send and trace' }).click()
  await expect(page.getByRole('group', { name: 'Stages of the request' })).toBeVisible()
}

const groups = async (api: Api) => {
  await group(api)
  return '/finance?view=groups'
}
const marcPath = (more: string) => async (api: Api) =>
  `/inventory/${await titleNamed(api, 'lord of the rings')}/marc${more}`

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
  { name: 'request', open: printed },
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
  { name: 'workbench-trends', open: trends },
  { name: 'workbench-timers', open: at('/workbench?tab=timers', anyRow) },
  { name: 'offline', open: offline },
  { name: 'offline-list', open: offlineList },
  { name: 'organizations', open: at(bought('/organizations'), anyRow) },
  {
    name: 'organization',
    open: at(
      async (api) => `/organizations/${(await purchases(api)).reiher.id}`,
      (page) => heading(page, /Reiher/),
    ),
  },
  { name: 'budgets', open: at(bought('/finance'), anyRow) },
  { name: 'funds', open: at(bought('/finance?view=funds'), anyRow) },
  { name: 'ledgers', open: at(bought('/finance?view=ledgers'), firstRow) },
  { name: 'groups', open: at(groups, firstRow) },
  {
    name: 'budget',
    open: at(
      async (api) => `/finance/budgets/${(await purchases(api)).humanities.budget.id}`,
      (page) => expect(page.getByRole('img', { name: /available/ })).toBeVisible(),
    ),
  },
  {
    name: 'transactions',
    open: at(
      async (api) =>
        `/finance/budgets/${(await purchases(api)).humanities.budget.id}?view=transactions`,
      anyRow,
    ),
  },
  {
    name: 'fund',
    open: at(
      async (api) => `/finance/funds/${(await purchases(api)).sciences.fund.id}`,
      (page) => heading(page, /Natural sciences/),
    ),
  },
  {
    name: 'fund-form',
    open: at(
      async (api) => `/finance/funds/${(await purchases(api)).sciences.fund.id}/edit`,
      (page) => expect(page.getByLabel('Name').first()).toBeVisible(),
    ),
  },
  {
    name: 'ledger',
    open: at(
      async (api) => `/finance/ledgers/${(await purchases(api)).ledger.id}`,
      (page) => heading(page, /Books/),
    ),
  },
  {
    name: 'allocations',
    open: at(
      async (api) => `/finance/ledger-allocations/${(await purchases(api)).ledger.id}`,
      async (page) => {
        await page.getByLabel(/^Change: Humanities/).fill('1500')
        await page.getByLabel(/^Change: Law/).fill('-250')
        await page.keyboard.press('Control+s')
        await expect(page.getByText('Allocated in all')).toBeVisible()
        await page.getByLabel(/^Change: Music/).focus()
      },
    ),
  },
  { name: 'orders', open: at(bought('/orders'), anyRow) },
  { name: 'lines', open: at(bought('/orders?view=lines'), anyRow) },
  { name: 'to-receive', open: at(bought('/orders?view=receiving'), anyRow) },
  {
    name: 'order',
    open: at(
      async (api) => `/orders/${(await purchases(api)).birds.id}`,
      (page) => heading(page, /Order/),
    ),
  },
  { name: 'order-form', open: at('/orders/new/edit', (page) => heading(page, /order/i)) },
  {
    name: 'receiving',
    open: at(lineOf(''), (page) => heading(page, /Vögel/)),
  },
  {
    name: 'move-piece',
    open: at(lineOf(''), async (page) => {
      await page
        .getByRole('grid', { name: 'Pieces' })
        .getByRole('button', { name: /^Actions: / })
        .first()
        .click()
      await page.getByRole('menuitem', { name: /^Move to another line/ }).click()
      await page.getByRole('combobox', { name: /^Line/ }).fill('VND1002-1')
      await page.getByRole('option').first().click()
      await expect(page.getByRole('form').getByText('Location')).toBeVisible()
    }),
  },
  {
    name: 'order-line-form',
    open: at(lineOf('/edit'), (page) =>
      expect(page.getByLabel('Unit price').first()).toBeVisible(),
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
  { name: 'invoices', open: at(bought('/invoices'), anyRow) },
  {
    name: 'invoice',
    open: at(
      async (api) => `/invoices/${(await purchases(api)).invoice.id}`,
      (page) => heading(page, /Invoice/),
    ),
  },
  { name: 'vouchers', open: at(bought('/invoices?view=vouchers'), anyRow) },
  { name: 'group', open: at(group, (page) => heading(page, /Main building/)) },
  {
    name: 'rollover-form',
    open: at(
      async (api) => `/finance/rollover/${(await purchases(api)).ledger.id}`,
      (page) => heading(page, /Roll over/),
    ),
  },
  {
    name: 'rollover',
    open: at(preview, (page) => expect(page.getByRole('grid', { name: 'Budgets' })).toBeVisible()),
  },
  {
    name: 'exports',
    open: at(bought('/invoices?view=exports'), (page) => heading(page, 'Invoices')),
  },
  {
    name: 'expense-classes',
    open: at(bought('/settings?of=expense-classes'), (page) => heading(page, 'Expense classes')),
  },
  ...FORM_SCENES,
  ...CATALOGUE_SCENES,
  ...PORTRAIT_SCENES,
  ...EVENT_SCENES,
  ...REPORT_SCENES,
]

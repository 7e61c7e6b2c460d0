// Scenes of reports, of what holds for the whole library, and of cards and logs that an act leads to.
import { authorityOf } from './authority'
import { type Api, expect } from './fixtures'
import { deskId } from './items'
import { mixedLine, purchases } from './purchases'
import { patrons } from './sample'
import { at, firstRow, heading, type Scene, type Stage } from './stage'

/** What this desk took: fees paid in cash and by card. */
async function drawer({ page, api }: Stage) {
  const owner = 'Main library'
  const query = encodeURIComponent(`owner=="${owner}"`)
  const { owners } = await api.get<{ owners: { id: string }[] }>(`/owners?query=${query}`)
  const ownerId = owners[0]?.id ?? crypto.randomUUID()
  if (!owners.length) {
    await api.post('/owners', { id: ownerId, owner })
    const createdAt = await deskId(api, 'Circ Desk 1')
    const people = await patrons(api, 4, 50)
    const fees = [
      ['Copying', 3.5, 'Cash'],
      ['Lost card', 10, 'Card'],
      ['Copying', 1.2, 'Cash'],
      ['Reading room locker', 2, 'Cash'],
    ] as const
    for (const [at, [feeFineType, amount, paymentMethod]] of fees.entries()) {
      const feeFineId = crypto.randomUUID()
      const id = crypto.randomUUID()
      const type = await api.get<{ feefines: { id: string }[] }>(
        `/feefines?query=${encodeURIComponent(`feeFineType=="${feeFineType}" and ownerId==${ownerId}`)}`,
      )
      const typeId = type.feefines[0]?.id ?? feeFineId
      if (!type.feefines.length)
        await api.post('/feefines', { id: typeId, feeFineType, ownerId, defaultAmount: amount })
      await api.post('/accounts', {
        id,
        amount,
        remaining: amount,
        status: { name: 'Open' },
        paymentStatus: { name: 'Outstanding' },
        userId: people[at]?.id,
        ownerId,
        feeFineId: typeId,
        feeFineType,
        feeFineOwner: owner,
      })
      await api.post(`/accounts/${id}/pay`, {
        amount: String(amount),
        servicePointId: createdAt,
        userName: at % 2 ? 'Moreau, Camille' : 'Adeyemi, Bola',
        paymentMethod,
        notifyPatron: false,
      })
    }
  }
  await page.goto('/staff/users/reports?of=drawer')
  await expect(page.getByRole('table', { name: 'By who took it' })).toBeVisible()
}

/** Headings that were changed, one of them twice. */
async function changes({ page, api }: Stage) {
  const name = await authorityOf(api)
  const { authorities } = await api.get<{ authorities: { id: string }[] }>(
    `/search/authorities?limit=1&query=${encodeURIComponent(`keyword all "${name}"`)}`,
  )
  const path = `/authority-storage/authorities/${authorities[0]?.id}`
  const stored = await api.get<{ personalName: string }>(path)
  for (const personalName of [`${name}, 1860-1931`, stored.personalName])
    await api.put(path, { ...(await api.get<object>(path)), personalName })
  await page.goto('/staff/authorities/changes')
  await firstRow(page)
}

/** A profile of imports, made once: a title is found by its ISBN, and overlaid. */
const made =
  (kind: string, body: Readonly<Record<string, unknown>>) =>
  async (api: Api): Promise<string> => {
    const rows = `${kind}Profiles`
    const path = `/data-import-profiles/${rows}`
    const query = encodeURIComponent(`name=="${body.name}"`)
    const found = await api.get<Record<string, { id: string }[]>>(`${path}?limit=1&query=${query}`)
    const id = found[rows]?.[0]?.id ?? crypto.randomUUID()
    if (!found[rows]?.length)
      await api.post(path, {
        id,
        profile: { ...body, id },
        addedRelations: [],
        deletedRelations: [],
      })
    return `/settings?of=${kind}-profiles&id=${id}`
  }

const field = (fields: readonly (readonly [string, string])[]) => ({
  dataValueType: 'VALUE_FROM_RECORD',
  fields: fields.map(([label, value]) => ({ label, value })),
})

const matched = made('match', {
  name: 'ISBN of the file, in 020 $a',
  description: 'Only digits count',
  incomingRecordType: 'MARC_BIBLIOGRAPHIC',
  existingRecordType: 'INSTANCE',
  matchDetails: [
    {
      incomingRecordType: 'MARC_BIBLIOGRAPHIC',
      existingRecordType: 'INSTANCE',
      matchCriterion: 'EXACTLY_MATCHES',
      incomingMatchExpression: {
        ...field([
          ['field', '020'],
          ['indicator1', ''],
          ['indicator2', ''],
          ['recordSubfield', 'a'],
        ]),
        qualifier: { comparisonPart: 'NUMERICS_ONLY' },
      },
      existingMatchExpression: field([
        ['field', 'instance.identifiers[].value'],
        ['identifierTypeId', '8261054f-be78-422d-bd51-4ed9f33c3422'],
      ]),
    },
  ],
})

/** The editing of a piece that becomes electronic. */
async function pieceFormat({ page, api }: Stage) {
  await page.goto(`/staff${await mixedLine(api)}`)
  await page
    .getByRole('grid', { name: 'Pieces' })
    .getByRole('row', { name: /Physical/ })
    .first()
    .getByRole('button', { name: /^Actions: / })
    .click()
  await page.getByRole('menuitem', { name: /^Edit piece/ }).click()
  const card = page.getByRole('form', { name: 'Edit piece' })
  await card.getByLabel('Format (needed)').selectOption({ label: 'Electronic' })
}

/** What became of budgets that were changed together. */
async function allocationLog({ page, api }: Stage) {
  const { ledger } = await purchases(api)
  await page.goto(`/staff/finance/ledger-allocations/${ledger.id}`)
  await page.getByLabel(/^Change: Humanities/).fill('500')
  await page.getByLabel(/^Change: Law/).fill('-50')
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Allocated in all')).toBeVisible()
  await page.keyboard.press('Alt+a')
  await page
    .getByRole('form')
    .getByRole('button', { name: /^Change them/ })
    .click()
  await expect(page.getByRole('heading', { name: /BOOKS/, level: 1 })).toBeVisible()
}

export const REPORT_SCENES: readonly Scene[] = [
  { name: 'reports', open: at('/users/reports', firstRow) },
  { name: 'report-drawer', open: drawer },
  { name: 'authority-changes', open: changes },
  { name: 'import-match-form', open: at(matched, (page) => heading(page, /ISBN/)) },
  {
    name: 'import-action-form',
    open: at(
      async (api) => {
        const { actionProfiles } = await api.get<{ actionProfiles: { id: string }[] }>(
          `/data-import-profiles/actionProfiles?limit=1&query=${encodeURIComponent('name="Default" sortby name')}`,
        )
        return `/settings?of=action-profiles&id=${actionProfiles[0]?.id}`
      },
      (page) => expect(page.getByRole('textbox', { name: /^Name/ })).not.toHaveValue(''),
    ),
  },
  { name: 'piece-format', open: pieceFormat },
  { name: 'allocation-log', open: allocationLog },
  {
    name: 'loan-policy',
    open: at('/settings?of=loan-policies&id=new', async (page) => {
      await page.getByLabel('Name').fill('Four weeks')
      await page.getByRole('spinbutton', { name: /^Period/ }).fill('4')
      await page.getByRole('spinbutton', { name: 'Grace period', exact: true }).fill('2')
      await page.getByLabel('Name').focus()
    }),
  },
  {
    name: 'title-requests',
    open: at('/settings?of=title-requests', async (page) => {
      await heading(page, 'Requests for titles')
      await page.getByRole('checkbox', { name: /^Titles can be requested/ }).check()
      await expect(page.getByRole('checkbox')).toHaveCount(3)
    }),
  },
]

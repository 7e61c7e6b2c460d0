// Budgets of a ledger are changed together: by a worksheet from a spreadsheet, by the grid, previewed, and then all at once.
import { readFile } from 'node:fs/promises'
import { rowsOfCsv } from '../src/lib/csv'
import { expect, test } from './fixtures'
import { makeBudget, makeBuyer, mark } from './money'

const csv = (rows: readonly (readonly string[])[]) =>
  rows.map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join(';')).join('\n')

test('a worksheet is saved, read again, mended in the grid, previewed and made', async ({
  staff,
  api,
  a11y,
}) => {
  test.setTimeout(180_000)
  const name = mark()
  const buyer = await makeBuyer(api, name, 100)
  const second = await makeBudget(api, buyer, `Z${name}`, 50)
  // A fund without a budget: the change makes one.
  const { fund: bare } = await api.post<{ fund: { id: string } }>('/finance/funds', {
    fund: {
      name: `Bare ${name}`,
      code: `B${name}`,
      fundStatus: 'Active',
      ledgerId: buyer.ledger.id,
      externalAccountNo: name,
    },
  })
  await staff.goto(`/staff/finance/ledgers/${buyer.ledger.id}`)
  await expect(staff.getByRole('heading', { name: `Ledger ${name}` })).toBeVisible()
  await staff.keyboard.press('Alt+b')
  await expect(staff.getByRole('heading', { name: 'Change budgets', level: 1 })).toBeVisible()
  const grid = staff.getByRole('table', { name: 'Funds and budgets' })
  await expect(grid.getByRole('row')).toHaveCount(4)
  await a11y('budgets to change')

  const lines = await test.step('saved', async () => {
    const waiting = staff.waitForEvent('download')
    await staff.getByRole('button', { name: 'Save as CSV' }).click()
    const file = await waiting
    expect(file.suggestedFilename()).toBe(`${buyer.year.code}L${name}.csv`)
    return rowsOfCsv(await readFile(await file.path(), 'utf8'))
  })
  const heads = lines[0] ?? []
  const at = (head: string) => heads.indexOf(head)
  const input = staff.locator('input[type="file"]')
  const upload = (rows: readonly (readonly string[])[], file = `${name}.csv`) =>
    input.setInputFiles({ name: file, mimeType: 'text/csv', buffer: Buffer.from(csv(rows)) })

  await test.step('a file of another year, and one that is no worksheet, are refused', async () => {
    await upload(lines.map((line, n) => (n ? ['FY1999', ...line.slice(1)] : line)))
    await expect(staff.getByRole('main').getByRole('alert')).toContainText('“FY1999”')
    await upload([['Fund name'], ['x']])
    await expect(staff.getByRole('main').getByRole('alert')).toContainText('Fiscal year, Fund UUID')
  })

  await test.step('read, with the row of a stranger and without one of ours', async () => {
    const changes: Record<string, string> = { [buyer.fund.id]: '25,5', [bare.id]: 'ten' }
    const rows = lines
      .filter((line) => line[at('Fund UUID')] !== second.fund.id)
      .map((line, n) => {
        const change = changes[line[at('Fund UUID')] ?? '']
        return n && change ? line.with(at('Allocation adjustment'), change) : line
      })
    const stranger = (lines[1] ?? [])
      .with(at('Fund UUID'), '00000000-0000-4000-8000-000000000000')
      .with(at('Fund name'), `Nobody ${name}`)
    await upload([...rows, stranger])
    await expect(staff.getByRole('main')).toContainText(`Nobody ${name}`)
    await expect(staff.getByRole('main')).toContainText('1 fund is not in the file')
    await expect(staff.getByLabel(`Change: ${buyer.fund.name}`)).toHaveValue('25,5')
  })

  await test.step('a fault stands at its field, and holds up the preview', async () => {
    await staff.keyboard.press('Control+s')
    const change = staff.getByLabel(`Change: Bare ${name}`)
    await expect(change).toHaveAttribute('aria-invalid', 'true')
    await staff.getByRole('link', { name: new RegExp(`Bare ${name}: No figure`) }).click()
    await expect(change).toBeFocused()
    await a11y('a fault in the grid')
    await change.fill('10')
    await staff.getByLabel(`Change: Fund Z${name}`).fill('-60')
    await staff.keyboard.press('Control+s')
    await expect(staff.getByText('The allocation would be below 0.').first()).toBeVisible()
    await staff.getByLabel(`Change: Fund Z${name}`).fill('-20')
  })

  await test.step('previewed: nothing is changed yet', async () => {
    await staff.keyboard.press('Control+s')
    await expect(staff.getByRole('status').filter({ hasText: 'Allocated in all' })).toContainText(
      '15.50',
    )
    const { allocated } = await api.get<{ allocated: number }>(
      `/finance/budgets/${buyer.budget.id}`,
    )
    expect(allocated).toBe(100)
    await a11y('a preview')
  })

  await test.step('made, and in the log', async () => {
    await staff.keyboard.press('Alt+a')
    const card = staff.getByRole('form', { name: 'Change 3 funds and budgets?' })
    await card.getByRole('button', { name: /^Change them/ }).click()
    await expect(staff.getByRole('heading', { name: `${name}.csv`, level: 1 })).toBeVisible()
    await a11y('the log of a change')
    const budget = async (fund: string) =>
      (
        await api.get<{ budgets: { allocated: number; name: string }[] }>(
          `/finance/budgets?query=fundId==${fund}`,
        )
      ).budgets[0]
    expect(await budget(buyer.fund.id)).toMatchObject({ allocated: 125.5 })
    expect(await budget(second.fund.id)).toMatchObject({ allocated: 30 })
    expect(await budget(bare.id)).toMatchObject({
      allocated: 10,
      name: `B${name}-${buyer.year.code}`,
    })
    await staff.goto(`/staff/finance/ledgers/${buyer.ledger.id}`)
    await expect(staff.getByRole('grid', { name: 'Budgets changed together' })).toContainText(
      `${name}.csv`,
    )
  })
})

test('the funds of a group are changed; what is typed is not lost by leaving', async ({
  staff,
  api,
}) => {
  test.setTimeout(120_000)
  const name = mark()
  const buyer = await makeBuyer(api, name, 100)
  const group = await api.post<{ id: string }>('/finance/groups', {
    name: `Group ${name}`,
    code: `G${name}`,
    status: 'Active',
  })
  await api.post('/finance/group-fund-fiscal-years', {
    groupId: group.id,
    fundId: buyer.fund.id,
    fiscalYearId: buyer.year.id,
    budgetId: buyer.budget.id,
  })
  await staff.goto(`/staff/finance/group-allocations/${group.id}?of=%5B%22${buyer.year.id}%22%5D`)
  const grid = staff.getByRole('table', { name: 'Funds and budgets' })
  await expect(grid.getByRole('row')).toHaveCount(2)
  await staff.getByLabel(`Budget status: ${buyer.fund.name}`).selectOption('Frozen')
  await staff.getByRole('link', { name: `Group ${name}` }).click()
  await staff.getByRole('button', { name: 'Stay here' }).click()
  await staff.keyboard.press('Control+s')
  await expect(staff.getByRole('status').filter({ hasText: 'Allocated in all' })).toBeVisible()
  await staff.keyboard.press('Alt+a')
  await staff
    .getByRole('form', { name: 'Change 1 fund or budget?' })
    .getByRole('button', { name: /^Change them/ })
    .click()
  await expect(staff.getByRole('heading', { level: 1, name: buyer.year.code })).toBeVisible()
  const budget = await api.get<{ budgetStatus: string }>(`/finance/budgets/${buyer.budget.id}`)
  expect(budget.budgetStatus).toBe('Frozen')
})

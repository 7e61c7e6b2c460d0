// Invoices beyond the straight way: presets and adjustments, documents, vouchers and their export, cancelling.
import { readFileSync } from 'node:fs'
import { type Api, expect, test } from './fixtures'
import { act, pick, setUp, sumOf } from './forms'
import { makeBuyer, makeOrder, mark } from './money'

const BATCH_GROUP = '2a2cb998-1437-41d1-88ad-01930aaeadd5'
type Buyer = Awaited<ReturnType<typeof makeBuyer>>

async function makeInvoice(api: Api, { vendor, fund }: Buyer, no: string, more: object = {}) {
  const invoice = await api.post<{ id: string }>('/invoice/invoices', {
    vendorId: vendor.id,
    vendorInvoiceNo: no,
    invoiceDate: new Date().toISOString(),
    batchGroupId: BATCH_GROUP,
    currency: 'USD',
    paymentMethod: 'EFT',
    status: 'Open',
    source: 'User',
    ...more,
  })
  await api.post('/invoice/invoice-lines', {
    invoiceId: invoice.id,
    description: `Line of ${no}`,
    invoiceLineStatus: 'Open',
    quantity: 1,
    subTotal: 30,
    releaseEncumbrance: false,
    fundDistributions: [
      { fundId: fund.id, code: fund.code, distributionType: 'percentage', value: 100 },
    ],
  })
  return invoice
}

async function setStatus(api: Api, id: string, status: string) {
  const now = await api.get<object>(`/invoice/invoices/${id}`)
  await api.put(`/invoice/invoices/${id}`, { ...now, status })
}

test('presets of the settings come with a new invoice; adjustments and a line by their forms', async ({
  staff,
  api,
  a11y,
}) => {
  test.setTimeout(120_000)
  const name = mark()
  const buyer = await makeBuyer(api, name, 500)
  await setUp(staff, 'adjustment-presets', 'Adjustments', async () => {
    await staff.getByRole('textbox', { name: /^Description/ }).fill(`Postage ${name}`)
    await staff.getByRole('spinbutton', { name: 'Usual value' }).fill('6.5')
    await pick(staff, /Spread/, 'By line')
    await staff.getByRole('checkbox', { name: 'On each new invoice' }).check()
    await a11y('a preset')
  })
  await setUp(staff, 'adjustment-presets', 'Adjustments', async () => {
    await staff.getByRole('textbox', { name: /^Description/ }).fill(`Tax ${name}`)
    await pick(staff, /In$/, 'Percent')
    await staff.getByRole('spinbutton', { name: 'Usual value' }).fill('10')
  })
  await expect(staff.getByRole('grid', { name: 'Adjustments' })).toContainText(`Tax ${name}`)
  const { configs } = await api.get<{ configs: { id: string; value: string }[] }>(
    `/configurations/entries?limit=100&query=${encodeURIComponent('module==INVOICE and configName==INVOICE.adjustments')}`,
  )
  const own = configs.filter((one) => one.value.includes(name))
  expect(own).toHaveLength(2)

  await staff.goto('/staff/invoices/new/edit')
  await staff.getByRole('combobox', { name: 'Vendor' }).fill(`Reiher ${name}`)
  await staff.getByRole('option', { name: new RegExp(`Reiher ${name}`) }).click()
  await staff.getByLabel(/^Invoice number of the vendor/).fill(`P-${name}`)
  const first = staff.getByRole('group', { name: 'Adjustments 1' })
  await expect(first.getByLabel('Description (needed)')).toHaveValue(`Postage ${name}`)
  await expect(first.getByLabel('Amount (needed)')).toHaveValue('6.5')
  await staff.getByRole('button', { name: `Add: Tax ${name}` }).click()
  const second = staff.getByRole('group', { name: 'Adjustments 2' })
  await expect(second.getByLabel('Amount (needed)')).toHaveValue('10')
  // One that is not prorated is paid by a fund of its own.
  await second.getByRole('button', { name: 'Add: Funds' }).click()
  await second.getByLabel('Fund (needed)').selectOption(buyer.fund.id)
  await second.getByLabel('Share (needed)').fill('100')
  await second.getByLabel('In (needed)').last().selectOption('percentage')
  await a11y('adjustments')
  await staff.keyboard.press('Control+s')
  await expect(staff.getByRole('heading', { name: `Invoice P-${name}` })).toBeVisible()

  await staff.keyboard.press('Alt+n')
  await staff.getByLabel('Description (needed)').fill('Atlas')
  await staff.getByLabel('Subtotal (needed)').fill('100')
  await staff.getByLabel('Fund (needed)').selectOption(buyer.fund.id)
  await a11y('the form of an invoice line')
  await staff.keyboard.press('Control+s')
  await expect(staff.getByRole('grid', { name: 'Lines' })).toContainText('Atlas')
  // 100, 6.50 on the line and 10 % of it: the server's arithmetic.
  await expect(staff.getByText('$116.50').first()).toBeVisible()
  const adjusted = staff.getByRole('grid', { name: 'Adjustments' })
  await expect(adjusted).toContainText(`Postage ${name}`)
  await expect(adjusted).toContainText('10 %')
  await a11y('an invoice with adjustments')

  // The line is changed, then the adjustment is taken away.
  await staff.getByRole('grid', { name: 'Lines' }).getByRole('link', { name: 'Atlas' }).click()
  await staff.getByLabel('Subtotal (needed)').fill('50')
  await staff.keyboard.press('Control+s')
  await expect(staff.getByText('$61.50').first()).toBeVisible()
  await staff.keyboard.press('Alt+e')
  await staff.getByRole('button', { name: 'Take away: Adjustments 2' }).click()
  await staff.keyboard.press('Control+s')
  await expect(staff.getByText('$56.50').first()).toBeVisible()
  for (const { id } of own) await api.remove(`/configurations/entries/${id}`)
})

test('a file and a link are kept with an invoice, the file comes back byte for byte', async ({
  staff,
  api,
  a11y,
}) => {
  const name = mark()
  const invoice = await makeInvoice(api, await makeBuyer(api, name, 100), `D-${name}`)
  await staff.goto(`/staff/invoices/${invoice.id}`)
  await staff.getByRole('button', { name: 'Add document' }).click()
  const card = staff.getByRole('form', { name: 'Add document' })
  await card.getByRole('button', { name: /^Add/ }).click()
  await expect(card.getByText('Choose a file.')).toBeVisible()
  await a11y('a document that is missing')
  const bytes = Buffer.from(Array.from({ length: 70_001 }, (_, at) => (at * 31) % 256))
  await card
    .locator('input[type=file]')
    .setInputFiles({ name: `Rechnung ${name}.pdf`, mimeType: 'application/pdf', buffer: bytes })
  await card.getByRole('button', { name: /^Add/ }).click()
  const grid = staff.getByRole('grid', { name: 'Documents' })
  await expect(grid).toContainText(`Rechnung ${name}.pdf`)

  await staff.getByRole('button', { name: 'Add document' }).click()
  await card.getByRole('radio', { name: 'Link' }).click()
  await card.getByLabel('Name').fill('Contract')
  await card.getByLabel('Address (URI)').fill('javascript:alert(1)')
  await card.getByRole('button', { name: /^Add/ }).click()
  await expect(card.getByText(/begins with http/)).toBeVisible()
  await card.getByLabel('Address (URI)').fill('https://example.org/contract.pdf')
  await card.getByRole('button', { name: /^Add/ }).click()
  await expect(grid.getByRole('link', { name: 'Contract' })).toHaveAttribute(
    'href',
    'https://example.org/contract.pdf',
  )
  await a11y('documents')

  const fetched = staff.waitForEvent('download')
  await act(grid, /Rechnung/, 'Save the file')
  const file = await fetched
  expect(file.suggestedFilename()).toBe(`Rechnung ${name}.pdf`)
  expect(readFileSync(await file.path()).equals(bytes)).toBe(true)

  await act(grid, /Rechnung/, 'Delete')
  await staff
    .getByRole('form', { name: /^Delete the document/ })
    .getByRole('button', { name: /^Delete/ })
    .click()
  await expect(grid.getByRole('row')).toHaveCount(2)
  const { documents } = await api.get<{ documents: { name: string }[] }>(
    `/invoice/invoices/${invoice.id}/documents`,
  )
  expect(documents.map((one) => one.name)).toEqual(['Contract'])
})

test('a voucher gets its disbursement, is found, and is exported as JSON and as XML', async ({
  staff,
  api,
  a11y,
  allowed,
}) => {
  test.setTimeout(120_000)
  allowed.push(/status of 404/)
  const name = mark()
  await setUp(staff, 'batch-groups', 'Batch groups', async () => {
    await staff.getByRole('textbox', { name: /^Name/ }).fill(`Library ${name}`)
    await a11y('a batch group')
  })
  const { batchGroups } = await api.get<{ batchGroups: { id: string; name: string }[] }>(
    `/batch-groups?query=${encodeURIComponent(`name=="Library ${name}"`)}`,
  )
  const group = batchGroups[0]?.id ?? ''
  expect(group).not.toBe('')
  const buyer = await makeBuyer(api, name, 500)
  const invoice = await makeInvoice(api, buyer, `V-${name}`, {
    batchGroupId: group,
    exportToAccounting: true,
    accountingCode: 'ACC-77',
  })
  await setStatus(api, invoice.id, 'Approved')

  await test.step('what accounting writes back', async () => {
    await staff.goto(`/staff/invoices/${invoice.id}`)
    const lines = staff.getByRole('grid', { name: 'Lines of the voucher' })
    await expect(lines).toContainText(`ACC-${name}`)
    await expect(lines).toContainText(buyer.fund.code)
    await staff.getByRole('button', { name: 'Change voucher' }).click()
    const card = staff.getByRole('form', { name: 'Change voucher' })
    await card.getByLabel('Disbursement number').fill(`CHK-${name}`)
    await card.getByLabel('Paid out', { exact: true }).fill('30')
    await card.getByLabel('Paid out on').fill('2026-11-20')
    await a11y('the card of a voucher')
    await card.getByRole('button', { name: /^Save/ }).click()
    await expect(card).toBeHidden()
    await expect(staff.getByText(`CHK-${name}`)).toBeVisible()
    const { vouchers } = await api.get<{ vouchers: object[] }>(
      `/voucher/vouchers?query=invoiceId==${invoice.id}`,
    )
    expect(vouchers).toMatchObject([
      { disbursementNumber: `CHK-${name}`, disbursementAmount: 30, amount: 30 },
    ])
  })

  await test.step('the list of vouchers leads to the invoice', async () => {
    await staff.goto('/staff/invoices?view=vouchers')
    const list = staff.getByRole('grid', { name: 'Vouchers' })
    await expect(list).toContainText(`CHK-${name}`)
    await a11y('vouchers')
    await list
      .getByRole('row', { name: new RegExp(`CHK-${name}`) })
      .getByRole('link')
      .click()
    await expect(staff.getByRole('heading', { name: `Invoice V-${name}` })).toBeVisible()
  })

  const runs = staff.getByRole('grid', { name: 'Exports' })
  await test.step('without an upload the vouchers are made, and the row says what is missing', async () => {
    await staff.goto('/staff/invoices?view=exports')
    await pick(staff, /Batch group/, `Library ${name}`)
    await expect(staff.getByText('Nothing exported yet')).toBeVisible()
    await staff.keyboard.press('Alt+n')
    const card = staff.getByRole('form', { name: 'New export' })
    await expect(card).toContainText(`Library ${name}`)
    await a11y('a new export')
    await card.getByRole('button', { name: /^Export/ }).click()
    await expect(runs).toContainText('configuration was not found', { timeout: 30_000 })
    await a11y('exports')
    const json = staff.waitForEvent('download')
    await act(runs, /configuration/, 'Save as JSON')
    const file = JSON.parse(readFileSync(await (await json).path(), 'utf8'))
    expect(file.batchedVouchers).toMatchObject([
      { vendorInvoiceNo: `V-${name}`, amount: 30, accountingCode: 'ACC-77' },
    ])
  })

  await test.step('a period without vouchers ends in an error that says so', async () => {
    await staff.keyboard.press('Alt+n')
    const card = staff.getByRole('form', { name: 'New export' })
    await card.getByLabel('Vouchers from (needed)').fill('2001-01-01')
    await card.getByLabel('to (needed)', { exact: true }).fill('2001-01-31')
    await card.getByRole('button', { name: /^Export/ }).click()
    await expect(runs).toContainText('were not found', { timeout: 30_000 })
    await expect(runs.getByRole('row')).toHaveCount(3)
    await runs
      .getByRole('row', { name: /were not found/ })
      .getByRole('button', { name: /^Actions: / })
      .click()
    await expect(staff.getByRole('menuitem', { name: /Save as XML/ })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
    await staff.getByRole('menuitem', { name: 'Delete' }).click()
    await expect(runs.getByRole('row')).toHaveCount(2)
  })

  await test.step('the upload is set; its password is written, not shown', async () => {
    await staff.getByRole('button', { name: 'Change the export' }).click()
    const card = staff.getByRole('form', { name: 'Change the export' })
    await card.getByLabel('Format (needed)').selectOption('Application/xml')
    await card.getByRole('checkbox', { name: 'By the clock' }).check()
    await card.getByLabel('At (HH:MM)').fill('23:30')
    await card.getByRole('button', { name: 'Add: Days' }).click()
    await card.getByLabel('Days 1', { exact: true }).selectOption('Friday')
    await card.getByLabel('Server (ftp:// or sftp://)').fill('sftp://accounting.example.org')
    await a11y('how vouchers are uploaded')
    await card.getByRole('button', { name: /^Save/ }).click()
    await expect(card).toBeHidden()
    await expect(staff.getByText('23:30 · Friday')).toBeVisible()
    // Without a name and a password the vouchers wait.
    await act(runs, /configuration/, 'Upload again')
    await expect(runs).toContainText('Made', { timeout: 30_000 })
    await expect(runs).toContainText('Credentials for FTP upload were not found')
    await staff.getByRole('button', { name: 'Set credentials' }).click()
    const secret = staff.getByRole('form', { name: 'Set credentials' })
    await secret.getByLabel('User name (needed)').fill('library')
    await secret.getByLabel('Password (needed)').fill(`pass-${name}`)
    await secret.getByRole('button', { name: /^Save/ }).click()
    await expect(secret).toBeHidden()
    await expect(staff.getByText(`pass-${name}`)).toHaveCount(0)
    const { exportConfigs } = await api.get<{ exportConfigs: { id: string }[] }>(
      `/batch-voucher/export-configurations?query=batchGroupId==${group}`,
    )
    expect(exportConfigs).toMatchObject([
      { format: 'Application/xml', enableScheduledExport: true, weekdays: ['Friday'] },
    ])
    expect(
      await api.get(`/batch-voucher/export-configurations/${exportConfigs[0]?.id}/credentials`),
    ).toMatchObject({ username: 'library' })
    const xml = staff.waitForEvent('download')
    await act(runs, /Credentials/, 'Save as XML')
    const document = await xml
    expect(document.suggestedFilename()).toMatch(/\.xml$/)
    const text = readFileSync(await document.path(), 'utf8')
    expect(text).toContain(`V-${name}`)
    expect(text.trimStart()).toMatch(/^</)
    // The clock would export for as long as the server runs.
    await api.put(`/batch-voucher/export-configurations/${exportConfigs[0]?.id}`, {
      ...exportConfigs[0],
      enableScheduledExport: false,
    })
  })
})

test('a paid invoice is cancelled: its money and the encumbrance come back', async ({
  staff,
  api,
  a11y,
}) => {
  const name = mark()
  const buyer = await makeBuyer(api, name, 200)
  const made = await makeOrder(api, buyer, `Rückgabe ${name}`, 20)
  const order = await api.get<object>(`/orders/composite-orders/${made.id}`)
  await api.put(`/orders/composite-orders/${made.id}`, { ...order, workflowStatus: 'Open' })
  const invoice = await api.post<{ id: string }>('/invoice/invoices', {
    vendorId: buyer.vendor.id,
    vendorInvoiceNo: `C-${name}`,
    invoiceDate: new Date().toISOString(),
    batchGroupId: BATCH_GROUP,
    currency: 'USD',
    paymentMethod: 'EFT',
    status: 'Open',
    source: 'User',
  })
  await api.post('/invoice/invoice-lines', {
    invoiceId: invoice.id,
    poLineId: made.compositePoLines[0]?.id,
    description: `Rückgabe ${name}`,
    invoiceLineStatus: 'Open',
    quantity: 2,
    subTotal: 40,
    releaseEncumbrance: true,
    fundDistributions: [
      { fundId: buyer.fund.id, code: buyer.fund.code, distributionType: 'percentage', value: 100 },
    ],
  })
  await setStatus(api, invoice.id, 'Approved')
  await setStatus(api, invoice.id, 'Paid')
  const budget = `/finance/budgets/${buyer.budget.id}`
  expect(await api.get(budget)).toMatchObject({ expenditures: 40, encumbered: 0 })

  await staff.goto(`/staff/invoices/${invoice.id}`)
  await staff.getByRole('button', { name: 'Cancel invoice' }).click()
  const card = staff.getByRole('form', { name: 'Cancel the invoice of $40.00?' })
  await card.getByLabel(/^Note/).fill('Sent back')
  await a11y('the question before cancelling')
  await card.getByRole('button', { name: /^Cancel invoice/ }).click()
  await expect(staff.getByText('Cancelled', { exact: true }).first()).toBeVisible()
  await expect(staff.getByText('Sent back')).toBeVisible()
  await a11y('a cancelled invoice')
  expect(await api.get(budget)).toMatchObject({ expenditures: 0, encumbered: 40, available: 160 })
  await staff.goto(`/staff${budget}`)
  await expect(sumOf(staff, 'Encumbered')).toHaveText('$40.00')
  await expect(sumOf(staff, 'Expended')).toHaveText('$0.00')
})

// Mappings of invoices from EDIFACT and of orders from MARC: made in the settings, and what an import makes by them.
import type { Page } from '@playwright/test'
import { type Api, expect, test } from './fixtures'
import { pick, setUp } from './forms'
import { idOf, importFile, makeAction, makeJob, stored } from './importing'
import { marc } from './marc21'
import { makeBuyer, mark, openOrder } from './money'

const LIST = 'Field mapping profiles'

async function lookUp(page: Page, field: string, words: string) {
  await page.getByRole('combobox', { name: field }).fill(words)
  await page.getByRole('option', { name: words }).first().click()
}

/** A message of one invoice: a line of an order, and one that is not ordered. */
const message = (number: string, ordered: string) => {
  const segments = [
    'UNH+1+INVOIC:D:96A:UN:EAN008',
    `BGM+380+${number}+43`,
    'DTM+137:20260302:102',
    'CUX+2:USD:4',
    'LIN+1++9780866989732:EN',
    'IMD+L+050+:::Not this title',
    'QTY+47:2',
    'MOA+203:40.00',
    `RFF+LI:${ordered}`,
    'LIN+2++9780866989749:EN',
    'IMD+L+050+:::Weirs',
    'QTY+47:1',
    'MOA+203:20.50',
    'UNS+S',
    'CNT+2:2',
    'MOA+9:60.50',
  ]
  const all = [
    'UNB+UNOC:3+5412345000013:14+7300009000012:14+260303:0830+77',
    ...segments,
    `UNT+${segments.length + 1}+1`,
    'UNZ+1+77',
  ]
  return `UNA:+.? '\n${all.map((one) => `${one}'`).join('\n')}\n`
}

interface Invoice {
  id: string
  [field: string]: unknown
}
const invoicesOf = async (api: Api, number: string) =>
  (
    await api.get<{ invoices: Invoice[] }>(
      `/invoice/invoices?query=${encodeURIComponent(`vendorInvoiceNo=="${number}"`)}`,
    )
  ).invoices

test('an EDIFACT message becomes an invoice as its mapping says', async ({ staff, api, a11y }) => {
  test.setTimeout(240_000)
  const name = mark()
  const buyer = await makeBuyer(api, name, 500)
  const order = await openOrder(api, buyer, `Reeds ${name}`, 20)
  const { poLineNumber } = await api.get<{ poLineNumber: string }>(
    `/orders/order-lines/${order.line}`,
  )
  await setUp(staff, 'mapping-profiles', LIST, async () => {
    await staff.getByRole('textbox', { name: /^Name/ }).first().fill(`Bills ${name}`)
    await pick(staff, /Kind of record/, 'Invoice')
    await expect(staff.getByRole('button', { name: /Record in the file/ })).toContainText('EDIFACT')
    await expect(staff.getByRole('textbox', { name: /^Invoice number of the vendor/ })).toHaveValue(
      'BGM+380+[1]',
    )
    await staff.keyboard.press('Control+s')
    await expect(staff.getByText('3 fields are empty.')).toBeVisible()
    await a11y('an empty mapping of invoices')
    await lookUp(staff, 'Vendor', `Reiher ${name}`)
    await pick(staff, /Batch group: from the list/, 'FOLIO')
    await pick(staff, /Payment method: from the list/, 'Bank transfer')
    await pick(staff, /Add a field/, 'Note')
    // The lines have a note, too: that of the invoice was added last.
    await staff.getByRole('textbox', { name: 'Note', exact: true }).last().fill('"By " BGM+380+[1]')
    await pick(staff, /Add a field/, 'Adjustments')
    const adjustment = staff.getByRole('group', { name: 'Adjustments, 1', exact: true })
    await adjustment.getByRole('textbox', { name: /^Description/ }).fill('"Postage"')
    await adjustment.getByRole('textbox', { name: /^Amount/ }).fill('"4.50"')
    const lines = staff.getByRole('group', { name: 'Lines', exact: true }).first()
    await expect(lines.getByRole('checkbox', { name: 'As in the order line' })).toBeChecked()
    await lines.getByRole('textbox', { name: 'Note' }).fill('QTY+47[2] " copies"')
    await a11y('a mapping of invoices')
  })
  const profile = await stored<{
    incomingRecordType: string
    mappingDetails: { mappingFields: { path: string; acceptedValues?: object }[] }
  }>(api, 'mapping', `Bills ${name}`)
  expect(profile.incomingRecordType).toBe('EDIFACT_INVOICE')
  const group = profile.mappingDetails.mappingFields.find(
    ({ path }) => path === 'invoice.batchGroupId',
  )
  expect(Object.values(group?.acceptedValues ?? {})).toContain('FOLIO')
  const action = await makeAction(
    api,
    `Bills ${name}`,
    'CREATE',
    'INVOICE',
    await idOf(api, 'mapping', `Bills ${name}`),
  )
  await makeJob(api, `Bills ${name}`, [action], 'EDIFACT')
  const progress = await importFile(
    staff,
    `Bills ${name}`,
    'bills.edi',
    message(`E${name}`, poLineNumber),
  )
  await expect(progress.getByRole('status')).toHaveText('Done')
  // The log has a line for each of the invoice's.
  await staff.getByText('All', { exact: true }).click()
  const records = staff.getByRole('grid', { name: 'Records' })
  await expect(records.getByRole('row', { name: new RegExp(`E${name}-2 .*Weirs`) })).toContainText(
    'Created',
  )
  await records.getByText('Weirs').click()
  await records.getByRole('row', { name: /Weirs/ }).press('Enter')
  await a11y('the log of an EDIFACT import')
  await staff.getByRole('link', { name: /^To the invoice/ }).click()
  await expect(staff.getByRole('heading', { name: new RegExp(`E${name}`), level: 1 })).toBeVisible()
  const [invoice, ...others] = await invoicesOf(api, `E${name}`)
  expect(others).toEqual([])
  expect(invoice).toMatchObject({
    vendorId: buyer.vendor.id,
    currency: 'USD',
    status: 'Open',
    source: 'EDI',
    paymentMethod: 'EFT',
    note: `By E${name}`,
    lockTotal: 60.5,
    subTotal: 60.5,
    adjustments: [
      {
        description: 'Postage',
        value: 4.5,
        type: 'Amount',
        prorate: 'Not prorated',
        relationToTotal: 'In addition to',
      },
    ],
    total: 65,
  })
  const { invoiceLines } = await api.get<{ invoiceLines: Record<string, unknown>[] }>(
    `/invoice/invoice-lines?query=${encodeURIComponent(
      `invoiceId==${invoice?.id} sortby invoiceLineNumber`,
    )}`,
  )
  expect(invoiceLines).toMatchObject([
    {
      description: `Reeds ${name}`,
      quantity: 2,
      subTotal: 40,
      poLineId: order.line,
      comment: '2 copies',
      releaseEncumbrance: true,
      fundDistributions: [{ fundId: buyer.fund.id, value: 100 }],
    },
    { description: 'Weirs', quantity: 1, subTotal: 20.5 },
  ])
})

test('a MARC record becomes an order with a line, fund and place', async ({ staff, api, a11y }) => {
  test.setTimeout(240_000)
  const name = mark()
  const buyer = await makeBuyer(api, name, 500)
  const { locations } = await api.get<{ locations: { id: string; code: string; name: string }[] }>(
    '/locations?limit=1',
  )
  const [place] = locations
  const inList = async (field: string, option: string | RegExp) =>
    pick(staff, new RegExp(`${field}: from the list`), option)
  await setUp(staff, 'mapping-profiles', LIST, async () => {
    await staff.getByRole('textbox', { name: /^Name/ }).first().fill(`Orders ${name}`)
    await pick(staff, /Kind of record/, 'Order with one line')
    await lookUp(staff, 'Vendor', `Reiher ${name}`)
    await inList('Acquisition method', 'Purchase')
    await pick(staff, /Add a field/, 'Unit price')
    await staff.getByRole('textbox', { name: 'Unit price', exact: true }).fill('980$b')
    await pick(staff, /Add a field/, 'Physical copies')
    await staff.getByRole('textbox', { name: 'Physical copies', exact: true }).fill('"2"')
    await pick(staff, /Add a field/, 'Material type, physical')
    await inList('Material type, physical', 'book')
    await pick(staff, /Add a field/, 'A physical line makes in inventory')
    await inList('A physical line makes in inventory', 'Nothing')
    await pick(staff, /Add a field/, 'Funds')
    const fund = staff.getByRole('group', { name: 'Funds, 1', exact: true })
    await fund.getByRole('textbox', { name: /^Fund/ }).fill('980$h')
    await pick(staff, /Add a field/, 'Locations')
    const shelf = staff.getByRole('group', { name: 'Locations, 1', exact: true })
    await shelf.getByRole('button', { name: /Location: from the list/ }).click()
    await staff
      .getByRole('option', { name: `${place?.name} (${place?.code})`, exact: true })
      .click()
    await shelf.getByRole('textbox', { name: 'Physical copies' }).fill('"2"')
    await a11y('a mapping of orders')
  })
  const action = await makeAction(
    api,
    `Orders ${name}`,
    'CREATE',
    'ORDER',
    await idOf(api, 'mapping', `Orders ${name}`),
  )
  await makeJob(api, `Orders ${name}`, [action])
  const record = marc(5, `Osiers ${name}`, [
    ['264', ' 1$bReed Press$c2025'],
    ['980', `  $b12.50$h${buyer.fund.code}`],
  ])
  const progress = await importFile(staff, `Orders ${name}`, 'orders.mrc', record)
  await expect(progress).toContainText('Created1')
  await staff.getByText('All', { exact: true }).click()
  const records = staff.getByRole('grid', { name: 'Records' })
  await records.getByText(`Osiers ${name}`).click()
  await records.getByRole('row', { name: new RegExp(`Osiers ${name}`) }).press('Enter')
  await staff.getByRole('link', { name: /^To the order line/ }).click()
  await expect(staff).toHaveURL(/\/orders\/.*\/lines\//)
  const { poLines } = await api.get<{ poLines: Record<string, unknown>[] }>(
    `/orders/order-lines?query=${encodeURIComponent(`titleOrPackage=="Osiers ${name}"`)}`,
  )
  expect(poLines).toMatchObject([
    {
      publisher: 'Reed Press',
      publicationDate: '2025',
      source: 'MARC',
      orderFormat: 'Physical Resource',
      cost: { listUnitPrice: 12.5, quantityPhysical: 2, currency: 'USD', poLineEstimatedPrice: 25 },
      fundDistribution: [{ fundId: buyer.fund.id, distributionType: 'percentage', value: 100 }],
      locations: [{ locationId: place?.id, quantityPhysical: 2 }],
    },
  ])
  const order = await api.get<Record<string, unknown>>(
    `/orders/composite-orders/${poLines[0]?.purchaseOrderId}`,
  )
  expect(order).toMatchObject({ workflowStatus: 'Pending', vendor: buyer.vendor.id })
})

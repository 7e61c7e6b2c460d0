// What is done with fees beside payment: waived, transferred, refunded, cancelled, one by one and many together.
import type { Page } from '@playwright/test'
import { type Api, expect, test } from './fixtures'
import { makeOwner, makePatron } from './items'

interface Account {
  feeFineType: string
  remaining: number
  status: { name: string }
  paymentStatus: { name: string }
}

/** Fees of these amounts, each of a kind of its own, and what the acts choose from. */
async function prepared(api: Api, lastName: string, amounts: Readonly<Record<string, number>>) {
  const patron = await makePatron(api, lastName)
  const owner = await makeOwner(api, Object.keys(amounts))
  const word = patron.barcode.slice(-6)
  const names = { cash: `Cash ${word}`, waive: `Kind ${word}`, refund: `Wrong ${word}` }
  await api.post('/payments', {
    nameMethod: names.cash,
    ownerId: owner.id,
    allowedRefundMethod: true,
  })
  await api.post('/transfers', { accountName: `Bursar ${word}`, ownerId: owner.id })
  // Two of each, so that none is taken by itself.
  for (const more of ['', ' too']) {
    await api.post('/waives', { nameReason: `${names.waive}${more}` })
    await api.post('/refunds', { nameReason: `${names.refund}${more}` })
  }
  for (const type of owner.types) {
    const amount = amounts[type.feeFineType] ?? 0
    await api.post('/accounts', {
      id: crypto.randomUUID(),
      userId: patron.id,
      ownerId: owner.id,
      feeFineOwner: owner.name,
      feeFineId: type.id,
      feeFineType: type.feeFineType,
      amount,
      remaining: amount,
      status: { name: 'Open' },
      paymentStatus: { name: 'Outstanding' },
    })
  }
  const accounts = async () => {
    const found = await api.get<{ accounts: Account[] }>(`/accounts?query=userId==${patron.id}`)
    return Object.fromEntries(found.accounts.map((one) => [one.feeFineType, one]))
  }
  return { patron, names, accounts }
}

async function actOn(staff: Page, kind: string, act: string) {
  await staff
    .getByRole('grid', { name: 'Fees' })
    .getByRole('row')
    .filter({ hasText: kind })
    .getByRole('button', { name: /^Actions/ })
    .click()
  await staff.getByRole('menuitem', { name: act, exact: true }).click()
}

async function choose(staff: Page, form: ReturnType<Page['getByRole']>, field: string, of: string) {
  await form.getByRole('button', { name: new RegExp(field) }).click()
  await staff.getByRole('option', { name: of, exact: true }).click()
}

test('one fee is waived in part, one transferred, one paid and refunded, one cancelled', async ({
  staff,
  api,
  a11y,
}) => {
  const { patron, names, accounts } = await prepared(api, 'Einzeln', {
    Copies: 10,
    Key: 20,
    Print: 8,
    Scan: 4,
  })
  await staff.goto(`/staff/users/${patron.id}`)
  const fees = staff.getByRole('grid', { name: 'Fees' })

  await actOn(staff, 'Copies', 'Waive')
  const waive = staff.getByRole('form', { name: 'Waive a fee' })
  await waive.getByLabel('Amount').fill('4')
  await waive.getByRole('button', { name: /^Waive/ }).click()
  await expect(waive).toContainText('Choose one of the list.')
  await choose(staff, waive, 'Reason', names.waive)
  await waive.getByRole('textbox', { name: /^Comment/ }).fill('First time')
  await a11y('waiving')
  await waive.getByRole('button', { name: /^Waive/ }).click()
  await expect(fees.getByText('Waived in part')).toBeVisible()
  expect((await accounts()).Copies?.remaining).toBe(6)

  await actOn(staff, 'Key', 'Transfer')
  const transfer = staff.getByRole('form', { name: 'Transfer a fee' })
  await a11y('transferring')
  await transfer.getByRole('button', { name: /^Transfer .*20/ }).click()
  await expect(fees.getByRole('row').filter({ hasText: 'Key' })).toHaveCount(0)
  expect((await accounts()).Key?.paymentStatus.name).toBe('Transferred fully')

  await actOn(staff, 'Print', 'Pay')
  await staff.getByRole('form', { name: 'Pay a fee' }).getByRole('button', { name: /^Pay/ }).click()
  await expect(fees.getByRole('row').filter({ hasText: 'Print' })).toHaveCount(0)
  await staff.getByRole('radiogroup', { name: 'Fees' }).getByText('All', { exact: true }).click()
  await actOn(staff, 'Print', 'Refund')
  const refund = staff.getByRole('form', { name: 'Refund a fee' })
  await refund.getByLabel('Amount').fill('9')
  await refund.getByRole('button', { name: /^Refund/ }).click()
  await expect(refund).toContainText('At most')
  await refund.getByLabel('Amount').fill('3')
  await choose(staff, refund, 'Reason', names.refund)
  await a11y('refunding')
  await refund.getByRole('button', { name: /^Refund .*3/ }).click()
  await expect(fees.getByText('Refunded in part')).toBeVisible()
  expect((await accounts()).Print?.remaining).toBe(3)

  await actOn(staff, 'Scan', 'Cancel as error')
  const cancel = staff.getByRole('form', { name: 'Cancel this fee as an error?' })
  await cancel.getByRole('textbox', { name: /^Comment/ }).fill('Somebody else')
  await a11y('cancelling')
  await cancel.getByRole('button', { name: /^Cancel fee/ }).click()
  await expect(fees.getByText('Cancelled as an error')).toBeVisible()
  expect((await accounts()).Scan?.status.name).toBe('Closed')

  await actOn(staff, 'Copies', 'History')
  const history = staff.getByRole('grid', { name: 'History: Copies' })
  await expect(history).toContainText('First time')
  await expect(history).toContainText(names.waive)
  await a11y('the history of a fee')
})

test('a waived part is no money that could be refunded', async ({ staff, api }) => {
  const { patron, names, accounts } = await prepared(api, 'Teilweise', { Copies: 10 })
  await staff.goto(`/staff/users/${patron.id}`)
  await actOn(staff, 'Copies', 'Waive')
  const waive = staff.getByRole('form', { name: 'Waive a fee' })
  await waive.getByLabel('Amount').fill('4')
  await choose(staff, waive, 'Reason', names.waive)
  await waive.getByRole('button', { name: /^Waive/ }).click()
  await expect(waive).toHaveCount(0)
  await actOn(staff, 'Copies', 'Pay')
  await staff.getByRole('form', { name: 'Pay a fee' }).getByRole('button', { name: /^Pay/ }).click()
  await expect(staff.getByText('Nothing is owed')).toBeVisible()
  await staff.getByRole('radiogroup', { name: 'Fees' }).getByText('All', { exact: true }).click()
  await actOn(staff, 'Copies', 'Refund')
  const refund = staff.getByRole('form', { name: 'Refund a fee' })
  await expect(refund.getByLabel('Amount')).toHaveValue('6.00')
  await choose(staff, refund, 'Reason', names.refund)
  await refund.getByRole('button', { name: /^Refund .*6/ }).click()
  await expect(refund).toHaveCount(0)
  expect((await accounts()).Copies?.remaining).toBe(6)
})

test('many fees are waived in part, paid, refunded and cancelled together', async ({
  staff,
  api,
  a11y,
}) => {
  const { patron, names, accounts } = await prepared(api, 'Mehrere', {
    Copies: 5,
    Key: 10,
    Print: 15,
  })
  const left = async () =>
    Object.values(await accounts()).reduce((sum, one) => sum + one.remaining, 0)
  const all = staff.getByRole('checkbox', { name: 'Select all rows shown' }).last()
  const bar = (name: string) => staff.getByRole('button', { name, exact: true })
  await staff.goto(`/staff/users/${patron.id}`)
  await expect(staff.getByRole('grid', { name: 'Fees' }).getByRole('row')).toHaveCount(4)
  await all.check()
  await expect(staff.getByText('3 of 3 selected')).toBeVisible()
  await a11y('fees selected')
  await bar('Waive').click()
  const waive = staff.getByRole('form', { name: 'Waive 3 fees' })
  await waive.getByLabel('Amount').fill('12')
  await choose(staff, waive, 'Reason', names.waive)
  await a11y('waiving many')
  await waive.getByRole('button', { name: /^Waive .*12/ }).click()
  await expect(waive).toHaveCount(0)
  await expect.poll(left).toBe(18)

  await all.check()
  await bar('Pay').click()
  const pay = staff.getByRole('form', { name: /^Pay \d fees/ })
  await pay.getByRole('button', { name: /^Pay .*18/ }).click()
  await expect(staff.getByText('Nothing is owed')).toBeVisible()
  await expect.poll(left).toBe(0)

  await staff.getByRole('radiogroup', { name: 'Fees' }).getByText('All', { exact: true }).click()
  const paid = staff.getByRole('row').filter({ hasText: 'Paid' })
  await expect(paid.first()).toBeVisible()
  for (let at = 0; at < (await paid.count()); at += 1)
    await paid.nth(at).getByRole('checkbox').check()
  await bar('Refund').click()
  const refund = staff.getByRole('form', { name: /^Refund \d fees/ })
  await choose(staff, refund, 'Reason', names.refund)
  await a11y('refunding many')
  await refund.getByRole('button', { name: /^Refund .*18/ }).click()
  await expect(refund).toHaveCount(0)
  await expect.poll(left).toBe(18)

  await staff.getByRole('radiogroup', { name: 'Fees' }).getByText('Open', { exact: true }).click()
  await expect(staff.getByRole('grid', { name: 'Fees' })).not.toContainText('Paid')
  await all.check()
  await bar('Cancel as error').click()
  const cancel = staff.getByRole('form', { name: /^Cancel \d fees as errors/ })
  await cancel.getByRole('button', { name: /^Cancel \d fees/ }).click()
  await expect(cancel).toContainText('Type why.')
  await cancel.getByRole('textbox', { name: /^Comment/ }).fill('Charged twice')
  await a11y('cancelling many')
  await cancel.getByRole('button', { name: /^Cancel \d fees/ }).click()
  await expect(staff.getByText('Nothing is owed')).toBeVisible()
  await expect.poll(left).toBe(0)
})

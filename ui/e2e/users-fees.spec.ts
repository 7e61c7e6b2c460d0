// Fees of a patron: charged, then paid in part and whole.
import { expect, test } from './fixtures'
import { deskId, makePatron } from './items'

test('a fee is charged and paid', async ({ staff, api, a11y }) => {
  const patron = await makePatron(api, 'Zahlerin')
  const name = `Front desk ${patron.barcode.slice(-6)}`
  const owner = await api.post<{ id: string }>('/owners', {
    owner: name,
    servicePointOwner: [{ value: await deskId(api, 'Circ Desk 1'), label: 'Circ Desk 1' }],
  })
  await api.post('/feefines', { feeFineType: 'Copies', ownerId: owner.id, automatic: false })
  await api.post('/payments', { nameMethod: 'Cash', ownerId: owner.id, allowedRefundMethod: true })
  await staff.goto(`/staff/users/${patron.id}`)
  await staff.getByRole('button', { name: 'New fee' }).click()
  const charge = staff.getByRole('form', { name: 'New fee' })
  await charge.getByRole('button', { name: /Owner/ }).click()
  await staff.getByRole('option', { name }).click()
  await charge.getByRole('button', { name: /Kind/ }).click()
  await staff.getByRole('option', { name: 'Copies' }).click()
  await charge.getByLabel('Amount').fill('12,50')
  await a11y('a new fee')
  await charge.getByRole('button', { name: /^Charge/ }).click()
  const fees = staff.getByRole('grid', { name: 'Fees' })
  await expect(fees).toContainText('Copies')
  await a11y('an open fee')
  await staff.getByRole('checkbox', { name: 'Select: Copies' }).check()
  await staff.getByRole('button', { name: 'Pay', exact: true }).click()
  const pay = staff.getByRole('form', { name: 'Pay a fee' })
  await pay.getByLabel('Amount').fill('20')
  await pay.getByRole('button', { name: /^Pay/ }).click()
  await expect(pay).toContainText('At most')
  await pay.getByLabel('Amount').fill('2.50')
  await a11y('a payment')
  await pay.getByRole('button', { name: /^Pay/ }).click()
  await expect(fees).toContainText('Paid in part')
  const accounts = async () =>
    (
      await api.get<{ accounts: { remaining: number; status: { name: string } }[] }>(
        `/accounts?query=userId==${patron.id}`,
      )
    ).accounts
  expect((await accounts())[0]?.remaining).toBe(10)
  await staff.getByRole('button', { name: /^Pay .*10/ }).click()
  await staff.getByRole('form', { name: 'Pay a fee' }).getByRole('button', { name: /^Pay/ }).click()
  await expect(staff.getByText('Nothing is owed')).toBeVisible()
  expect((await accounts())[0]?.status.name).toBe('Closed')
})

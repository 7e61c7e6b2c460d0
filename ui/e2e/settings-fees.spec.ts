// What fees are charged by is made in the settings, and then charged by.
import type { Page } from '@playwright/test'
import { DESK, expect, test } from './fixtures'
import { makePatron } from './items'

async function make(staff: Page, of: string, list: string, fill: () => Promise<void>) {
  await staff.goto(`/staff/settings?of=${of}&id=new`)
  await fill()
  await staff.keyboard.press('Control+s')
  await expect(staff.getByRole('heading', { name: list, level: 1 })).toBeVisible()
}

test('an owner, a kind of fee and a payment method are made, charged and paid by', async ({
  staff,
  api,
  a11y,
}) => {
  const word = `zz ${Date.now()}`
  const name = (text: string) => staff.getByRole('textbox', { name: /^Name/ }).fill(text)
  const choose = async (field: RegExp, option: string) => {
    await staff.getByRole('button', { name: field }).click()
    await staff.getByRole('option', { name: option, exact: true }).click()
  }
  await make(staff, 'fee-owners', 'Owners of fees', async () => {
    await name(`${word} owner`)
    await staff.getByRole('checkbox', { name: DESK, exact: true }).check()
    await a11y('an owner')
  })
  const { owners } = await api.get<{ owners: { id: string; servicePointOwner: unknown[] }[] }>(
    `/owners?query=${encodeURIComponent(`owner=="${word} owner"`)}`,
  )
  expect(owners).toMatchObject([{ servicePointOwner: [{ label: DESK }] }])
  await make(staff, 'fee-types', 'Kinds of fees', async () => {
    await name(`${word} copies`)
    await choose(/Owner/, `${word} owner`)
    await staff.getByRole('spinbutton', { name: 'Usual amount' }).fill('4.5')
  })
  await make(staff, 'payment-methods', 'Payment methods', async () => {
    await name(`${word} cash`)
    await choose(/Owner/, `${word} owner`)
  })
  const patron = await makePatron(api, 'Einsteller')
  await staff.goto(`/staff/users/${patron.id}`)
  await staff.getByRole('button', { name: 'New fee' }).click()
  const charge = staff.getByRole('form', { name: 'New fee' })
  await charge.getByRole('button', { name: /Owner/ }).click()
  await staff.getByRole('option', { name: `${word} owner` }).click()
  await charge.getByRole('button', { name: /Kind/ }).click()
  await staff.getByRole('option', { name: `${word} copies` }).click()
  await expect(charge.getByLabel('Amount')).toHaveValue('4.50')
  await charge.getByRole('checkbox', { name: 'and pay at once' }).check()
  await charge.getByRole('button', { name: /^Charge, then pay/ }).click()
  const pay = staff.getByRole('form', { name: 'Pay a fee' })
  await expect(pay.getByRole('button', { name: /Paid by/ })).toContainText(`${word} cash`)
  await pay.getByRole('button', { name: /^Pay/ }).click()
  await expect(staff.getByText('Nothing is owed')).toBeVisible()
})

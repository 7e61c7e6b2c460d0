// Pieces that leave their line, and pieces of lines that have more than one kind.
import { expect, test } from './fixtures'
import { makeBuyer, mark, openOrder } from './money'

interface Line {
  cost: { quantityPhysical?: number; quantityElectronic?: number }
}

test('a piece moves to a line of another order, its copy with it', async ({ staff, api, a11y }) => {
  test.setTimeout(150_000)
  const name = mark()
  const buyer = await makeBuyer(api, name, 100)
  const left = await openOrder(api, buyer, `Deich ${name}`, 2)
  const other = await openOrder(api, buyer, `Damm ${name}`, 3)
  const { poLineNumber } = await api.get<{ poLineNumber: string }>(
    `/orders/order-lines/${other.line}`,
  )
  await staff.goto(left.at)
  await expect(staff.getByText('0 of 2 received')).toBeVisible()
  const grid = staff.getByRole('grid', { name: 'Pieces' })
  await grid
    .getByRole('button', { name: /^Actions: / })
    .first()
    .click()
  await staff.getByRole('menuitem', { name: /^Move to another line/ }).click()
  const card = staff.getByRole('form', { name: 'Move this piece to another line?' })
  const move = card.getByRole('button', { name: /^Move piece/ })
  await expect(move).toHaveAttribute('aria-disabled', 'true')
  const line = card.getByRole('combobox', { name: /^Line/ })
  // The line itself is not among those that are offered.
  await line.fill(`Deich ${name}`)
  await expect(staff.getByRole('option', { name: new RegExp(`Deich ${name}`) })).toHaveCount(0)
  await line.fill(poLineNumber)
  await staff.getByRole('option', { name: new RegExp(`Damm ${name}`) }).click()
  await expect(card.getByRole('button', { name: /^Location|Location$/ })).toBeVisible()
  await a11y('moving a piece')
  await move.click()
  await expect(card).toBeHidden()
  await expect(staff.getByText('0 of 1 received')).toBeVisible()
  const copies = async (id: string) =>
    (await api.get<Line>(`/orders/order-lines/${id}`)).cost.quantityPhysical
  expect([await copies(left.line), await copies(other.line)]).toEqual([1, 3])
  await staff.goto(other.at)
  await expect(staff.getByText('0 of 3 received')).toBeVisible()
  // The last piece of a line that counts its pieces stays, and the card says so.
  await staff.goto(left.at)
  await grid
    .getByRole('button', { name: /^Actions: / })
    .first()
    .click()
  await staff.getByRole('menuitem', { name: /^Move to another line/ }).click()
  await line.fill(poLineNumber)
  await staff.getByRole('option', { name: new RegExp(`Damm ${name}`) }).click()
  await move.click()
  await expect(card.getByRole('alert')).toContainText('last piece')
})

test('a piece of a line with both kinds becomes an electronic one', async ({
  staff,
  api,
  a11y,
}) => {
  test.setTimeout(120_000)
  const name = mark()
  const buyer = await makeBuyer(api, name, 100)
  const { locations } = await api.get<{ locations: { id: string }[] }>('/locations?limit=1')
  const { at, line } = await openOrder(api, buyer, `Ufer ${name}`, 2, {
    orderFormat: 'P/E Mix',
    cost: {
      currency: 'USD',
      listUnitPrice: 2,
      quantityPhysical: 2,
      listUnitPriceElectronic: 1,
      quantityElectronic: 1,
    },
    eresource: { createInventory: 'None' },
    locations: [
      { locationId: locations[0]?.id, quantityPhysical: 2, quantityElectronic: 1, quantity: 3 },
    ],
  })
  await staff.goto(at)
  await expect(staff.getByText('0 of 3 received')).toBeVisible()
  const { pieces } = await api.get<{ pieces: { id: string; format: string }[] }>(
    `/orders/pieces?query=poLineId==${line}`,
  )
  expect(pieces.map((one) => one.format).toSorted()).toEqual(['Electronic', 'Physical', 'Physical'])
  const printed = staff.getByRole('grid', { name: 'Pieces' }).getByRole('row', { name: /Physical/ })
  await printed
    .first()
    .getByRole('button', { name: /^Actions: / })
    .click()
  await staff.getByRole('menuitem', { name: /^Edit piece/ }).click()
  const card = staff.getByRole('form', { name: 'Edit piece' })
  await card.getByLabel('Format (needed)').selectOption({ label: 'Electronic' })
  await a11y('another format for a piece')
  await card.getByRole('button', { name: /^Save/ }).click()
  await expect(card).toBeHidden()
  await expect(printed).toHaveCount(1)
})

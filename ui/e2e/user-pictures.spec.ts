// Pictures of users: allowed by the library, kept by the server or lying elsewhere, shown at the user and at the desk.
import { readFileSync } from 'node:fs'
import type { Locator } from '@playwright/test'
import { expect, test } from './fixtures'
import { makePatron } from './items'

const FACE = '../docs/staff-client/login-light.png'
const OTHER = '../docs/staff-client/login-dark.png'
const ELSEWHERE = 'https://pictures.example.org/portrait.png'

interface User {
  personal: { profilePictureLink?: string }
}

/** Loaded, not only asked for. */
const drawn = (image: Locator) =>
  expect
    .poll(() => image.evaluate((one: HTMLImageElement) => one.complete && one.naturalWidth > 0))
    .toBe(true)

test('a picture is added, seen at the desk, changed, linked and removed; off without the setting', async ({
  staff,
  api,
  a11y,
}) => {
  const patron = await makePatron(api, 'Gesicht')
  const linkOf = async () =>
    (await api.get<User>(`/users/${patron.id}`)).personal.profilePictureLink
  const details = `/staff/users/${patron.id}?tab=details`
  await staff.goto(details)
  await expect(staff.getByRole('heading', { name: 'Contact', exact: true })).toBeVisible()
  await expect(staff.getByRole('region', { name: 'Picture' })).toHaveCount(0)

  await staff.goto('/staff/settings?of=pictures')
  await staff.getByRole('checkbox', { name: /^Users have pictures/ }).press('Space')
  const size = staff.getByLabel('Largest file, in megabytes')
  await size.fill('11')
  await staff.keyboard.press('Control+s')
  await expect(staff.getByText('A number above 0, up to 10.').first()).toBeVisible()
  await size.fill('0.1')
  await a11y('the setting')
  await staff.keyboard.press('Control+s')
  await expect(staff.getByRole('button', { name: /^Save/ })).toBeDisabled()

  await staff.goto(details)
  const picture = staff.getByRole('region', { name: 'Picture' })
  await expect(picture).toContainText('No picture.')
  await picture.getByRole('button', { name: 'Add a picture' }).press('Enter')
  const form = staff.getByRole('form', { name: 'Add a picture' })
  const file = form.getByLabel('File', { exact: true })
  await form.getByRole('button', { name: 'Save the picture' }).click()
  await expect(form).toContainText('Choose a file.')
  await file.setInputFiles({ name: 'x.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a') })
  await expect(form).toContainText('PNG or JPEG')
  const large = Buffer.concat([readFileSync(FACE), Buffer.alloc(110_000)])
  await file.setInputFiles({ name: 'x.png', mimeType: 'image/png', buffer: large })
  await expect(form).toContainText('allows pictures of up to 0.1 MB')
  await a11y('a file that is too large')
  await file.setInputFiles(FACE)
  await form.getByRole('button', { name: 'Save the picture' }).press('Enter')
  const image = picture.getByRole('img', { name: 'Picture of Gesicht, Test' })
  await drawn(image)
  const first = await linkOf()
  expect(first).toMatch(/^[0-9a-f-]{36}$/)
  await a11y('a picture')

  // Another file takes its place under the same id.
  const before = await image.getAttribute('src')
  await picture.getByRole('button', { name: 'Change the picture' }).press('Enter')
  const change = staff.getByRole('form', { name: 'Change the picture' })
  await change.getByLabel('File', { exact: true }).setInputFiles(OTHER)
  await change.getByRole('button', { name: 'Save the picture' }).press('Enter')
  await expect(image).not.toHaveAttribute('src', before ?? '')
  expect(await linkOf()).toBe(first)

  await staff.goto(`/staff/check-out?patron=${patron.barcode}`)
  const card = staff.getByRole('complementary', { name: 'Patron' })
  await expect(card).toContainText('Gesicht, Test')
  await drawn(card.locator('img'))
  await a11y('a picture at the desk')

  // An address: the picture that was kept goes.
  await staff.route(ELSEWHERE, (route) => route.fulfill({ path: FACE }))
  await staff.goto(details)
  await picture.getByRole('button', { name: 'Change the picture' }).press('Enter')
  await change.getByText('Address', { exact: true }).click()
  const address = change.getByRole('textbox', { name: 'Address' })
  await address.fill('http://pictures.example.org/portrait.png')
  await staff.keyboard.press('Enter')
  await expect(change).toContainText('begins with https://')
  await address.fill(ELSEWHERE)
  await staff.keyboard.press('Enter')
  await expect(picture.getByRole('link', { name: ELSEWHERE })).toBeVisible()
  await drawn(image)
  await expect(api.get(`/users/profile-picture/${first}`)).rejects.toThrow(/404/)

  await picture.getByRole('button', { name: 'Remove…' }).press('Enter')
  const ask = staff.getByRole('form', { name: /^Remove this user/ })
  await ask.getByRole('button', { name: 'Remove the picture' }).click()
  await expect(picture).toContainText('No picture.')
  expect(await linkOf()).toBeUndefined()

  await staff.goto('/staff/settings?of=pictures')
  await staff.getByRole('checkbox', { name: /^Users have pictures/ }).press('Space')
  await staff.keyboard.press('Control+s')
  await expect(staff.getByRole('button', { name: /^Save/ })).toBeDisabled()
})

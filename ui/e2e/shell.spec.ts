// The shell: log-in, search box, keys, languages, look, tabs.
import { expect, logIn, PASSWORD, test } from './fixtures'
import { makePatron } from './items'

test.use({ start: '/staff/check-in' })

test('a wrong password says so and keeps the name', async ({ page, tenant, a11y }) => {
  await page.goto(`/staff/login?tenant=${tenant}`)
  await expect(page.getByRole('heading', { name: 'Log in' })).toBeVisible()
  await a11y('log-in')
  await page.getByLabel('Name').fill('admin')
  await page.getByLabel('Password').fill('wrong')
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(
    page.getByRole('alert').filter({ hasText: 'Name or password is wrong.' }),
  ).toBeVisible()
  await expect(page.getByLabel('Name')).toHaveValue('admin')
  await a11y('log-in refused')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByRole('navigation', { name: 'Main', exact: true })).toBeVisible()
})

test('who has forgotten the password or the name asks for a mail', async ({
  page,
  tenant,
  a11y,
}) => {
  await page.goto(`/staff/login?tenant=${tenant}&next=/preferences`)
  await page.getByRole('link', { name: 'Password or user name forgotten?' }).click()
  const known = page.getByLabel('User name, email address or phone number')
  await expect(known).toBeFocused()
  await a11y('forgotten')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Type what you remember.')).toBeVisible()
  await known.fill('nobody-of-this-name')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'Nobody is found by it.' })).toBeVisible()
  await a11y('nobody found')
  const asked = page.waitForResponse((answer) => answer.url().endsWith('/forgotten/password'))
  await known.fill('admin')
  await page.keyboard.press('Enter')
  expect((await asked).status()).toBe(204)
  await expect(page.getByRole('alert').filter({ hasText: 'Look into your mail.' })).toBeVisible()
  await page.getByRole('radio', { name: 'User name' }).click()
  const mail = page.getByLabel('Email address or phone number')
  await mail.fill('nobody@example.org')
  await page.getByRole('button', { name: 'Send a mail' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Nobody is found by it.' })).toBeVisible()
  // Unless the library says otherwise, the server looks among the user names, too.
  await mail.fill('admin')
  await page.getByRole('button', { name: 'Send a mail' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'The user name goes to' })).toBeVisible()
  await page.getByRole('link', { name: 'Back to the log-in' }).click()
  await expect(page.getByRole('heading', { name: 'Log in', level: 1 })).toBeVisible()
  await expect(page).toHaveURL(/next=/)
})

test('an address asked for is where the log-in leads', async ({ page, tenant }) => {
  await logIn(page, tenant, '/staff/preferences')
  await expect(page.getByRole('heading', { name: 'Preferences', level: 1 })).toBeVisible()
})

test('no script sees a token', async ({ staff }) => {
  const seen = await staff.evaluate(
    () => document.cookie + JSON.stringify(localStorage) + JSON.stringify(sessionStorage),
  )
  expect(seen).not.toContain('eyJ')
})

test('keys lead to places, and "?" shows them', async ({ staff, a11y }) => {
  await staff.getByRole('heading', { name: 'Check in', level: 1 }).click()
  await staff.keyboard.press('g')
  await staff.keyboard.press('o')
  await expect(staff.getByRole('heading', { name: 'Check out', level: 1 })).toBeVisible()
  await staff.getByRole('heading', { name: 'Check out', level: 1 }).click()
  await staff.keyboard.press('?')
  const dialog = staff.getByRole('dialog', { name: 'Keys of this page' })
  await expect(dialog).toContainText('Next patron')
  await a11y('list of keys')
  await staff.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
})

test('the search box finds people, and acts by name', async ({ staff, api, a11y }) => {
  const name = `Quill${Date.now()}`
  const patron = await makePatron(api, name)
  await staff.keyboard.press('Control+k')
  const box = staff.getByRole('combobox', { name: /Search everything/ })
  await expect(box).toBeFocused()
  await staff.keyboard.type(name, { delay: 60 })
  await expect(staff.getByRole('option', { name: new RegExp(`^${name}`) })).toBeVisible()
  await a11y('hits')
  await staff.keyboard.press('Enter')
  await expect(staff.getByRole('complementary', { name: 'Patron' })).toContainText(
    patron.personal.lastName,
  )
  await staff.keyboard.press('Control+k')
  await staff.keyboard.type('prefer', { delay: 60 })
  await staff.keyboard.press('Enter')
  await expect(staff.getByRole('heading', { name: 'Preferences', level: 1 })).toBeVisible()
})

test('every language is whole, Arabic from right to left', async ({ staff, a11y }) => {
  await staff.goto('/staff/preferences')
  for (const [language, heading] of [
    ['Deutsch', 'Vorlieben'],
    ['Español', 'Preferencias'],
    ['Français', 'Préférences'],
    ['العربية', 'التفضيلات'],
  ] as const) {
    await staff
      .locator('main')
      .getByRole('button', { name: /(English|Deutsch|Español|Français)/ })
      .first()
      .click()
    await staff.getByRole('option', { name: language }).click()
    await expect(staff.getByRole('heading', { name: heading, level: 1 })).toBeVisible()
  }
  await expect(staff.locator('html')).toHaveAttribute('dir', 'rtl')
  await a11y('Arabic')
  await staff.goto('/staff/check-in')
  await expect(staff.getByRole('heading', { name: 'الإرجاع', level: 1 })).toBeVisible()
  await a11y('check-in in Arabic')
})

test('logging out in one tab closes the other', async ({ staff, context, tenant }) => {
  const other = await context.newPage()
  await other.goto('/staff/preferences')
  await expect(other.getByRole('heading', { name: 'Preferences', level: 1 })).toBeVisible()
  await staff.getByRole('button', { name: /profile, look, log out/ }).click()
  await staff.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(staff.getByRole('heading', { name: 'Log in' })).toBeVisible()
  await expect(other.getByRole('heading', { name: 'Log in' })).toBeVisible()
  expect(tenant).toBeTruthy()
})

test('the skip link leads to the work', async ({ staff }) => {
  await staff.goto('/staff/preferences')
  await expect(staff.getByRole('heading', { name: 'Preferences', level: 1 })).toBeVisible()
  await staff.keyboard.press('Tab')
  await expect(staff.getByRole('link', { name: 'Skip to the work' })).toBeFocused()
  await staff.keyboard.press('Enter')
  await expect(staff.locator('main')).toBeFocused()
})

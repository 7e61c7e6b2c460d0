// The people, interfaces and banks of an organization: made, changed, unlinked, deleted; and who may see them.
import { randomUUID } from 'node:crypto'
import { type Api, expect, test } from './fixtures'
import { act, pick, setUp } from './forms'
import { makePatron } from './items'
import { mark } from './money'
import { PASSWORD } from './octavo'

interface Organization {
  id: string
  name: string
  contacts?: string[]
  privilegedContacts?: string[]
  interfaces?: string[]
}

const make = (api: Api, name: string) =>
  api.post<Organization>('/organizations/organizations', {
    name: `Kranich ${name}`,
    code: `K${name}`,
    status: 'Active',
    isVendor: true,
  })
const read = (api: Api, { id }: Organization) =>
  api.get<Organization>(`/organizations/organizations/${id}`)

test('a contact is made with a category, changed, unlinked; another is deleted for good', async ({
  staff,
  api,
  a11y,
}) => {
  test.setTimeout(120_000)
  const name = mark()
  await setUp(staff, 'organization-categories', 'Categories', async () => {
    await staff.getByRole('textbox', { name: /^Name/ }).fill(`Licences ${name}`)
  })
  const organization = await make(api, name)
  await staff.goto(`/staff/organizations/${organization.id}`)
  const contacts = staff.getByRole('grid', { name: 'Contacts', exact: true })
  const add = async (first: string) => {
    await staff.getByRole('button', { name: 'Add contact', exact: true }).click()
    const card = staff.getByRole('form', { name: 'Add contact' })
    await card.getByLabel('First name (needed)').fill(first)
    await card.getByLabel('Last name (needed)').fill('Kranich')
    return card
  }
  const card = await add('Ida')
  await card.getByRole('button', { name: 'Add: Categories' }).click()
  await card.getByLabel('Categories 1', { exact: true }).selectOption({ label: `Licences ${name}` })
  await card.getByRole('button', { name: 'Add: E-mail' }).click()
  await card.getByLabel('E-mail (needed)').fill('ida@example.org')
  await a11y('the card of a contact')
  await card.getByRole('button', { name: /^Save/ }).click()
  await expect(contacts).toContainText('ida@example.org')
  await expect(contacts).toContainText(`Licences ${name}`)

  await act(contacts, /Ida/, 'Edit')
  const edit = staff.getByRole('form', { name: 'Edit Kranich, Ida' })
  await edit.getByLabel('Last name (needed)').fill('')
  await edit.getByRole('button', { name: /^Save/ }).click()
  await expect(edit.getByRole('alert')).toContainText('One field needs a change')
  await a11y('a contact that lacks something')
  await edit.getByLabel('Last name (needed)').fill('Storch')
  await edit.getByRole('button', { name: /^Save/ }).click()
  await expect(contacts).toContainText('Storch, Ida')

  await (await add('Otto')).getByRole('button', { name: /^Save/ }).click()
  await expect(contacts.getByRole('row')).toHaveCount(3)
  const both = (await read(api, organization)).contacts ?? []
  expect(both).toHaveLength(2)

  await act(contacts, /Ida/, 'Unlink')
  await expect(contacts.getByRole('row')).toHaveCount(2)
  // Unlinked, and still stored.
  await api.get(`/organizations-storage/contacts/${both[0]}`)
  await act(contacts, /Otto/, 'Delete')
  const ask = staff.getByRole('form', { name: 'Delete “Kranich, Otto” for good?' })
  await expect(ask.getByRole('button', { name: /^Back/ })).toBeFocused()
  await ask.getByRole('button', { name: /^Delete/ }).click()
  await expect(staff.getByText('No contacts').first()).toBeVisible()
  // Another list is empty, too: what the page says comes before the answer.
  await expect.poll(async () => (await read(api, organization)).contacts ?? []).toEqual([])
  const kept = () => api.get(`/organizations-storage/contacts/${both[1]}`).catch(String)
  await expect.poll(kept).toMatch(/404/)
})

test('two people change one contact: both versions are shown, nothing is lost', async ({
  staff,
  api,
  a11y,
}) => {
  const organization = await make(api, mark())
  const contact = await api.post<{ id: string }>('/organizations-storage/contacts', {
    firstName: 'Ada',
    lastName: 'Reiher',
    notes: 'first',
  })
  await api.put(`/organizations/organizations/${organization.id}`, {
    ...(await read(api, organization)),
    contacts: [contact.id],
  })
  await staff.goto(`/staff/organizations/${organization.id}`)
  await act(staff.getByRole('grid', { name: 'Contacts', exact: true }), /Ada/, 'Edit')
  const card = staff.getByRole('form', { name: 'Edit Reiher, Ada' })
  await card.getByLabel('Note', { exact: true }).fill('mine')
  const path = `/organizations-storage/contacts/${contact.id}`
  await api.put(path, { ...(await api.get<object>(path)), notes: 'theirs', prefix: 'Dr.' })
  await card.getByRole('button', { name: /^Save/ }).click()
  const conflict = card.getByRole('region', { name: /Somebody else changed this record/ })
  await expect(conflict).toContainText('theirs')
  await a11y('a contact that two people changed')
  await conflict.getByRole('button', { name: 'Save these versions' }).click()
  await expect(card).toBeHidden()
  expect(await api.get(path)).toMatchObject({ notes: 'mine', prefix: 'Dr.' })
})

test('an interface is made and changed, its credentials are set, shown, replaced', async ({
  staff,
  api,
  a11y,
  allowed,
}) => {
  // The first credentials replace nothing: the server says so by 404.
  allowed.push(/status of 404/)
  const organization = await make(api, mark())
  await staff.goto(`/staff/organizations/${organization.id}`)
  await staff.getByRole('button', { name: 'Add interface' }).click()
  const card = staff.getByRole('form', { name: 'Add interface' })
  await card.getByLabel('Name', { exact: true }).fill('Statistics server')
  await card.getByLabel('Address (URI)').fill('https://stats.example.org')
  await card.getByRole('button', { name: 'Add: Used for' }).click()
  await card.getByLabel('Used for 1', { exact: true }).selectOption('Reports')
  await card.getByLabel('Delivery').selectOption('Online')
  await a11y('the card of an interface')
  await card.getByRole('button', { name: /^Save/ }).click()
  const grid = staff.getByRole('grid', { name: 'Interfaces' })
  await expect(grid).toContainText('Statistics server')
  await expect(grid).toContainText('Reports')
  await act(grid, /Statistics/, 'Edit')
  const edit = staff.getByRole('form', { name: 'Edit Statistics server' })
  await edit.getByLabel('Name', { exact: true }).fill('Counter')
  await edit.getByRole('button', { name: /^Save/ }).click()
  await expect(grid).toContainText('Counter')

  const show = grid.getByRole('button', { name: 'Show credentials: Counter' })
  await show.click()
  await expect(grid).toContainText('None stored')
  const set = async (password: string) => {
    await act(grid, /Counter/, 'Set credentials')
    const secret = staff.getByRole('form', { name: 'Set credentials' })
    await secret.getByLabel('User name (needed)').fill('library')
    const field = secret.getByLabel('Password (needed)')
    await expect(field).toHaveAttribute('type', 'password')
    await field.fill(password)
    await a11y('credentials')
    await secret.getByRole('button', { name: /^Save/ }).click()
    await expect(secret).toBeHidden()
  }
  for (const password of ['first-one', 'second-one']) {
    await set(password)
    await show.click()
    await expect(grid).toContainText(`library / ${password}`)
    await grid.getByRole('button', { name: 'Hide' }).click()
    await expect(grid).not.toContainText(password)
  }
  const [id] = (await read(api, organization)).interfaces ?? []
  expect(await api.get(`/organizations-storage/interfaces/${id}/credentials`)).toMatchObject({
    username: 'library',
    password: 'second-one',
    interfaceId: id,
  })
})

test('bank accounts are there where the library keeps them, by their types', async ({
  staff,
  api,
  a11y,
}) => {
  test.setTimeout(120_000)
  const name = mark()
  const organization = await make(api, name)
  const { settings } = await api.get<{ settings: { id: string }[] }>(
    '/organizations-storage/settings?query=key==BANKING_INFORMATION_ENABLED',
  )
  await api.put(`/organizations-storage/settings/${settings[0]?.id}`, {
    ...settings[0],
    value: 'false',
  })
  await staff.goto(`/staff/organizations/${organization.id}`)
  await expect(staff.getByRole('heading', { name: organization.name })).toBeVisible()
  await expect(staff.getByRole('button', { name: 'Add bank account' })).toHaveCount(0)
  await setUp(staff, 'account-types', 'Bank account types', async () => {
    await staff.getByRole('textbox', { name: /^Name/ }).fill(`Checking ${name}`)
  })
  await staff.goto('/staff/settings?of=organization-settings')
  await expect(staff.getByRole('button', { name: /^New/ })).toHaveCount(0)
  await staff.getByRole('link', { name: 'BANKING_INFORMATION_ENABLED' }).click()
  await pick(staff, /Bank accounts of organizations/, /^kept/)
  await a11y('the switch of bank accounts')
  await staff.keyboard.press('Control+s')
  await expect(staff.getByRole('heading', { name: 'Banking', level: 1 })).toBeVisible()
  await expect
    .poll(() => api.get(`/organizations-storage/settings/${settings[0]?.id}`))
    .toMatchObject({ value: 'true' })

  await staff.goto(`/staff/organizations/${organization.id}`)
  await staff.getByRole('button', { name: 'Add bank account' }).click()
  const card = staff.getByRole('form', { name: 'Add bank account' })
  await card.getByLabel('Bank (needed)').fill('Sparkasse')
  await card.getByLabel('Account number (needed)').fill('DE02120300000000202051')
  await card.getByLabel('Account type').selectOption({ label: `Checking ${name}` })
  await card.getByRole('checkbox', { name: 'Main one' }).check()
  await a11y('the card of a bank account')
  await card.getByRole('button', { name: /^Save/ }).click()
  const grid = staff.getByRole('grid', { name: 'Bank accounts' })
  await expect(grid).toContainText('DE02120300000000202051')
  await expect(grid).toContainText(`Checking ${name}`)
  await act(grid, /Sparkasse/, 'Edit')
  const edit = staff.getByRole('form', { name: 'Edit Sparkasse' })
  await edit.getByLabel('Bank code').fill('120300')
  await edit.getByRole('button', { name: /^Save/ }).click()
  await expect(edit).toBeHidden()
  const { bankingInformation } = await api.get<{ bankingInformation: object[] }>(
    `/organizations/banking-information?query=organizationId==${organization.id}`,
  )
  expect(bankingInformation).toMatchObject([{ transitNumber: '120300', isPrimary: true }])
  await a11y('bank accounts')
  await act(grid, /Sparkasse/, 'Delete')
  await staff
    .getByRole('form', { name: 'Delete “Sparkasse” for good?' })
    .getByRole('button', { name: /^Delete/ })
    .click()
  await expect(staff.getByText('No bank accounts')).toBeVisible()
})

test('privileged contacts are kept apart; who may not see them is told the permission', async ({
  staff,
  page,
  api,
  tenant,
  a11y,
}) => {
  const organization = await make(api, mark())
  await staff.goto(`/staff/organizations/${organization.id}`)
  await staff.getByRole('button', { name: 'Add privileged contact' }).click()
  const card = staff.getByRole('form', { name: 'Add privileged contact' })
  await card.getByLabel('First name (needed)').fill('Vera')
  await card.getByLabel('Last name (needed)').fill('Geheim')
  await card.getByRole('button', { name: /^Save/ }).click()
  const grid = staff.getByRole('grid', { name: 'Privileged contacts' })
  await expect(grid).toContainText('Geheim, Vera')
  const stored = await read(api, organization)
  expect(stored.privilegedContacts).toHaveLength(1)
  expect(stored.contacts ?? []).toEqual([])

  const user = await limited(api)
  await staff.context().clearCookies()
  await page.goto(
    `/staff/login?tenant=${tenant}&next=${encodeURIComponent(`/organizations/${organization.id}`)}`,
  )
  await page.getByLabel('Name').fill(user)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByRole('heading', { name: organization.name })).toBeVisible()
  await expect(
    page.getByText(/organizations-storage\.privileged-contacts\.collection\.get/).first(),
  ).toBeVisible()
  await expect(page.getByText('Geheim')).toHaveCount(0)
  await a11y('an organization without permissions')
})

/** Somebody who may read organizations, and nothing that is privileged. */
async function limited(api: Api): Promise<string> {
  const { id, username } = (await makePatron(
    api,
    `Leser${randomUUID().slice(0, 4)}`,
  )) as unknown as {
    id: string
    username: string
  }
  await api.post('/authn/credentials', { userId: id, username, password: PASSWORD })
  await api.post('/perms/users', {
    userId: id,
    permissions: [
      'organizations.organizations.collection.get',
      'organizations.organizations.item.get',
      'organizations-storage.contacts.collection.get',
      'organizations-storage.interfaces.collection.get',
      'organizations-storage.settings.collection.get',
      'organizations-storage.categories.collection.get',
      'locale.item.get',
      'users-bl.item.get',
      'perms.users.get',
    ],
  })
  return username
}

test('a contact and an interface that are stored are linked to another organization, and not deleted from under it', async ({
  staff,
  api,
  a11y,
}) => {
  test.setTimeout(120_000)
  const name = mark()
  const [first, second] = [await make(api, `${name}A`), await make(api, `${name}B`)]
  const contact = await api.post<{ id: string }>('/organizations-storage/contacts', {
    firstName: 'Ilse',
    lastName: `Pirol${name}`,
  })
  const server = await api.post<{ id: string }>('/organizations-storage/interfaces', {
    name: `Counter ${name}`,
  })
  await api.put(`/organizations/organizations/${first.id}`, {
    ...(await read(api, first)),
    contacts: [contact.id],
    interfaces: [server.id],
  })
  await staff.goto(`/staff/organizations/${second.id}`)
  await staff.getByRole('button', { name: 'Link an existing contact' }).click()
  const card = staff.getByRole('form', { name: 'Link an existing contact' })
  await card.getByRole('button', { name: /^Link/ }).click()
  await expect(card).toContainText('Name')
  await card.getByRole('combobox', { name: /^Name/ }).fill(`Pirol${name}`)
  await staff.getByRole('option', { name: new RegExp(`Pirol${name}, Ilse`) }).click()
  await a11y('linking a contact')
  await card.getByRole('button', { name: /^Link/ }).click()
  const contacts = staff.getByRole('grid', { name: 'Contacts', exact: true })
  await expect(contacts).toContainText(`Pirol${name}, Ilse`)
  await staff.getByRole('button', { name: 'Link an existing interface' }).click()
  const other = staff.getByRole('form', { name: 'Link an existing interface' })
  await other.getByRole('combobox', { name: /^Name/ }).fill(`Counter ${name}`)
  await staff.getByRole('option', { name: new RegExp(`Counter ${name}`) }).click()
  await other.getByRole('button', { name: /^Link/ }).click()
  await expect(staff.getByRole('grid', { name: 'Interfaces' })).toContainText(`Counter ${name}`)
  expect(await read(api, second)).toMatchObject({
    contacts: [contact.id],
    interfaces: [server.id],
  })
  expect(await read(api, first)).toMatchObject({ contacts: [contact.id] })

  await act(contacts, /Ilse/, 'Delete')
  await expect(staff.getByText('Other organizations name it, too.')).toBeVisible()
  await expect(staff.getByRole('link', { name: `Kranich ${name}A` })).toBeVisible()
  await a11y('a contact that another organization names')
  await api.get(`/organizations-storage/contacts/${contact.id}`)
  await act(contacts, /Ilse/, 'Unlink')
  await expect(contacts).toBeHidden()
  expect((await read(api, second)).contacts ?? []).toEqual([])
})

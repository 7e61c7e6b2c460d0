// A user is created; blocks, notes, proxies, service points and permissions are given and taken away.
import { DESK, expect, test } from './fixtures'
import { deskId, makePatron } from './items'

test('a user is created by keyboard, with the faults at their fields', async ({
  staff,
  api,
  a11y,
}) => {
  const barcode = `219${String(Date.now()).slice(-11)}`
  await staff.goto('/staff/users')
  await expect(staff.getByRole('heading', { name: 'Users', level: 1 })).toBeVisible()
  await staff.keyboard.press('Alt+n')
  await expect(staff.getByRole('heading', { name: 'New user', level: 1 })).toBeVisible()
  await a11y('an empty form')
  await staff.keyboard.press('Control+s')
  const lastName = staff.getByRole('textbox', { name: /^Last name/ })
  await expect(lastName).toHaveAttribute('aria-invalid', 'true')
  await lastName.fill('Neumann')
  await staff.getByRole('textbox', { name: 'First name', exact: true }).fill('Olga')
  await staff.getByRole('textbox', { name: 'Barcode' }).fill(barcode)
  await staff.getByRole('button', { name: /Patron group/ }).click()
  await staff.getByRole('option', { name: 'staff', exact: true }).click()
  const email = staff.getByRole('textbox', { name: 'E-mail' })
  await email.fill('nowhere')
  await staff.keyboard.press('Control+s')
  await expect(email).toHaveAttribute('aria-invalid', 'true')
  await a11y('a fault')
  await email.fill('o@example.org')
  await staff.getByRole('button', { name: 'Add an address' }).click()
  await staff.getByRole('textbox', { name: 'Street and number' }).fill('Quay 1')
  await staff.getByRole('textbox', { name: 'City' }).fill('Lund')
  await staff.keyboard.press('Control+s')
  await expect(staff.getByRole('heading', { name: 'Neumann, Olga', level: 1 })).toBeVisible()
  const { users } = await api.get<{
    users: { personal: { email: string; addresses: { city: string }[] } }[]
  }>(`/users?query=barcode==${barcode}`)
  expect(users).toHaveLength(1)
  expect(users[0]?.personal).toMatchObject({
    email: 'o@example.org',
    addresses: [{ city: 'Lund' }],
  })
})

test('a block is put on, changed and lifted', async ({ staff, api, a11y }) => {
  const patron = await makePatron(api, 'Sperre')
  const blocks = async () =>
    (
      await api.get<{ manualblocks: { desc: string; borrowing: boolean; requests: boolean }[] }>(
        `/manualblocks?query=userId==${patron.id}`,
      )
    ).manualblocks
  await staff.goto(`/staff/users/${patron.id}?tab=blocks`)
  await expect(staff.getByText('No blocks')).toBeVisible()
  await staff.getByRole('button', { name: 'New block' }).click()
  const card = staff.getByRole('form', { name: 'New block' })
  await card.getByRole('checkbox', { name: 'borrowing' }).uncheck()
  await card.getByRole('checkbox', { name: 'renewals' }).uncheck()
  await card.getByRole('checkbox', { name: 'requests' }).uncheck()
  await card.getByRole('button', { name: /^Save/ }).click()
  await expect(card).toContainText('Type the reason.')
  await expect(card.getByRole('alert')).toContainText('Choose what is blocked.')
  await a11y('a block that lacks something')
  await card.getByRole('textbox', { name: 'Reason' }).fill('Owes a visit')
  await card.getByRole('checkbox', { name: 'borrowing' }).check()
  await staff.keyboard.press('Enter')
  await expect(card).toHaveCount(0)
  await expect(staff.getByText('Borrowing blocked.')).toBeVisible()
  expect(await blocks()).toMatchObject([{ desc: 'Owes a visit', borrowing: true, requests: false }])
  await a11y('a block')
  await staff.getByRole('button', { name: 'Change', exact: true }).click()
  const change = staff.getByRole('form', { name: 'Change the block' })
  await change.getByRole('textbox', { name: 'Reason' }).fill('Owes two visits')
  await change.getByRole('button', { name: /^Save/ }).click()
  await expect(change).toHaveCount(0)
  await expect(staff.getByText('Owes two visits').first()).toBeVisible()
  await staff.getByRole('button', { name: 'Lift the block: Owes two visits' }).click()
  await expect(staff.getByText('No blocks')).toBeVisible()
  await expect(staff.getByText('Borrowing blocked.')).toHaveCount(0)
  expect(await blocks()).toEqual([])
})

test('a note is written, shown on the record, changed and deleted', async ({
  staff,
  api,
  a11y,
}) => {
  await api.post('/note-types', { name: `Kind ${Date.now()}` })
  const patron = await makePatron(api, 'Notiz')
  await staff.goto(`/staff/users/${patron.id}?tab=notes`)
  await staff.getByRole('button', { name: 'New note' }).click()
  const card = staff.getByRole('form', { name: 'New note' })
  await card.getByRole('button', { name: /^Save/ }).click()
  await expect(card).toContainText('Type a title.')
  await card.getByRole('textbox', { name: 'Title' }).fill('Moves <b>soon</b>')
  await card.getByRole('textbox', { name: /^Text/ }).fill('New address\nin June')
  await card.getByRole('checkbox', { name: 'Shown on the record' }).check()
  await a11y('a new note')
  await card.getByRole('button', { name: /^Save/ }).click()
  await expect(card).toHaveCount(0)
  // In the list, and above everything.
  await expect(staff.getByText('Moves <b>soon</b>')).toHaveCount(2)
  await a11y('a note')
  await staff.getByRole('button', { name: 'Change', exact: true }).click()
  const change = staff.getByRole('form', { name: 'Change the note' })
  await change.getByRole('checkbox', { name: 'Shown on the record' }).uncheck()
  await change.getByRole('button', { name: /^Save/ }).click()
  await expect(staff.getByText('Moves <b>soon</b>')).toHaveCount(1)
  const notes = async () =>
    (
      await api.get<{ notes: { title: string; content: string; popUpOnUser: boolean }[] }>(
        `/note-links/domain/users/type/user/id/${patron.id}?status=ASSIGNED`,
      )
    ).notes
  expect(await notes()).toMatchObject([
    { popUpOnUser: false, content: '<p>New address</p><p>in June</p>' },
  ])
  await staff.getByRole('button', { name: 'Delete', exact: true }).click()
  const ask = staff.getByRole('form', { name: /^Delete the note/ })
  await ask.getByRole('button', { name: /^Delete/ }).click()
  await expect(staff.getByText('No notes')).toBeVisible()
  expect(await notes()).toEqual([])
})

test('a proxy is added, a sponsor is added, both are taken away', async ({ staff, api, a11y }) => {
  const patron = await makePatron(api, 'Vertretene')
  const proxy = await makePatron(api, `Vertreter${patron.barcode.slice(-4)}`)
  const sponsor = await makePatron(api, `Auftrag${patron.barcode.slice(-4)}`)
  const links = async () =>
    (
      await api.get<{ proxiesFor: { userId: string; proxyUserId: string }[] }>(
        `/proxiesfor?query=userId==${patron.id} or proxyUserId==${patron.id}`,
      )
    ).proxiesFor
  await staff.goto(`/staff/users/${patron.id}?tab=details`)
  const part = staff.getByRole('region', { name: 'Proxies and sponsors' })
  const add = async (way: RegExp, name: string) => {
    await part.getByRole('button', { name: 'Add a proxy or sponsor' }).click()
    const card = part.getByRole('form', { name: 'Add a proxy or sponsor' })
    await card.getByRole('button', { name: /^Add/ }).click()
    await expect(card).toContainText('Choose a person.')
    await card.getByRole('radio', { name: way }).check()
    await card.getByRole('combobox', { name: 'Person' }).fill(name)
    await staff.getByRole('option', { name: new RegExp(name) }).click()
    await a11y(`adding ${name}`)
    await card.getByRole('button', { name: /^Add/ }).click()
    await expect(card).toHaveCount(0)
    await expect(part.getByRole('link', { name: new RegExp(name) })).toBeVisible()
  }
  await add(/^Proxy/, proxy.personal.lastName)
  await add(/^Sponsor/, sponsor.personal.lastName)
  expect((await links()).map((one) => [one.userId, one.proxyUserId])).toEqual(
    expect.arrayContaining([
      [patron.id, proxy.id],
      [sponsor.id, patron.id],
    ]),
  )
  await part.getByRole('button', { name: /^Remove Vertreter/ }).click()
  await part.getByRole('button', { name: /^Remove Auftrag/ }).click()
  await expect(part).toContainText('Nobody borrows for this person')
  expect(await links()).toEqual([])
})

test('a user gets service points, one of them the first', async ({ staff, api, a11y }) => {
  const patron = await makePatron(api, 'Thekenkraft')
  await staff.goto(`/staff/users/${patron.id}?tab=details`)
  const part = staff.getByRole('region', { name: 'Service points' })
  await part.getByRole('button', { name: 'Change service points' }).click()
  const card = part.getByRole('form', { name: 'Service points' })
  await card.getByRole('checkbox', { name: DESK, exact: true }).check()
  await card.getByRole('checkbox', { name: 'Circ Desk 2', exact: true }).check()
  await card.getByRole('button', { name: /First after log-in/ }).click()
  await staff.getByRole('option', { name: 'Circ Desk 2' }).click()
  await a11y('service points')
  await card.getByRole('button', { name: /^Save/ }).click()
  await expect(card).toHaveCount(0)
  await expect(part.getByRole('listitem').filter({ hasText: 'Circ Desk 2' })).toContainText('first')
  const stored = async () =>
    (
      await api.get<{
        servicePointsUsers: { servicePointsIds: string[]; defaultServicePointId?: string }[]
      }>(`/service-points-users?query=userId==${patron.id}`)
    ).servicePointsUsers
  const [one, two] = [await deskId(api, DESK), await deskId(api, 'Circ Desk 2')]
  expect(await stored()).toMatchObject([{ defaultServicePointId: two }])
  // Who loses the first place has none.
  await part.getByRole('button', { name: 'Change service points' }).click()
  await card.getByRole('checkbox', { name: 'Circ Desk 2', exact: true }).uncheck()
  await card.getByRole('button', { name: /^Save/ }).click()
  await expect(card).toHaveCount(0)
  await expect(part.getByRole('listitem')).toHaveText([DESK])
  const [after] = await stored()
  expect(after?.servicePointsIds).toEqual([one])
  expect(after?.defaultServicePointId).toBeUndefined()
})

test('a permission is given to somebody who had none, and taken away', async ({
  staff,
  api,
  a11y,
  allowed,
}) => {
  // Who never had a permission has no record of them.
  allowed.push(/status of 404/)
  const patron = await makePatron(api, 'Rechte')
  const given = async () =>
    (
      await api.get<{ permissionNames: string[] }>(
        `/perms/users/${patron.id}/permissions?indexField=userId`,
      )
    ).permissionNames
  await staff.goto(`/staff/users/${patron.id}?tab=permissions`)
  await expect(staff.getByText('No permissions')).toBeVisible()
  const give = async (name: string) => {
    await staff.getByRole('combobox', { name: 'Permission or set' }).fill(name)
    await staff.getByRole('option', { name }).first().click()
    await staff.getByRole('button', { name: 'Give', exact: true }).click()
    await expect(staff.getByRole('listitem').filter({ hasText: name })).toBeVisible()
  }
  await give('users.item.get')
  await give('circulation.rules.get')
  await a11y('permissions')
  expect((await given()).toSorted()).toEqual(['circulation.rules.get', 'users.item.get'])
  await staff.getByRole('button', { name: 'Take away users.item.get' }).click()
  await expect(staff.getByRole('listitem').filter({ hasText: 'users.item.get' })).toHaveCount(0)
  expect(await given()).toEqual(['circulation.rules.get'])
})

// Settings that have lists inside: the opening hours of a calendar, the notices of a notice policy.
import { expect, test } from './fixtures'
import { deskId, makeItem, makePatron } from './items'

test('a calendar gets a week of hours and a closed day', async ({ staff, api, a11y }) => {
  const name = `zz hours ${Date.now()}`
  await staff.goto('/staff/settings?of=calendars&id=new')
  await staff.getByRole('textbox', { name: 'Name' }).first().fill(name)
  await staff.getByLabel(/^From/).first().fill('2081-01-01')
  await staff.getByLabel(/^To /).first().fill('2081-12-31')
  await staff.getByRole('checkbox', { name: 'Circ Desk 2' }).check()
  for (let day = 0; day < 5; day += 1)
    await staff.getByRole('button', { name: 'Add hours' }).click()
  const friday = staff.getByRole('group', { name: 'Open every week, 5' })
  await expect(friday.getByRole('button', { name: /Friday Opens on/ })).toBeVisible()
  await friday.getByLabel('until').fill('13:00')
  await staff.getByRole('button', { name: 'Add days' }).click()
  const closed = staff.getByRole('group', { name: 'Days that are otherwise, 1' })
  await staff.keyboard.press('Control+s')
  await expect(staff.getByText('3 fields are empty.')).toBeVisible()
  await a11y('a calendar that lacks something')
  await closed.getByRole('textbox', { name: /^Occasion/ }).fill('Stocktaking')
  await closed.getByLabel(/^From/).fill('2081-03-03')
  await closed.getByLabel(/^To /).fill('2081-03-04')
  await staff.keyboard.press('Control+s')
  await expect(staff.getByRole('heading', { name: 'Calendars', level: 1 })).toBeVisible()
  const point = await deskId(api, 'Circ Desk 2')
  const stored = async () =>
    (
      await api.get<{ calendars: { id: string; name: string; normalHours: unknown[] }[] }>(
        `/calendar/calendars?servicePointId=${point}&startDate=2081-01-01&endDate=2081-12-31&limit=10`,
      )
    ).calendars.find((one) => one.name === name)
  const made = await stored()
  expect(made).toMatchObject({
    assignments: [point],
    exceptions: [
      { name: 'Stocktaking', startDate: '2081-03-03', endDate: '2081-03-04', openings: [] },
    ],
  })
  expect(made?.normalHours).toHaveLength(5)
  expect(JSON.stringify(made?.normalHours)).toContain('13:00')
  // Changed, then read again.
  await staff.getByLabel('Filter this list').fill(name)
  await staff.getByRole('link', { name }).click()
  await staff.getByRole('button', { name: 'Remove: Open every week, 1' }).click()
  await staff.keyboard.press('Control+s')
  await expect(staff.getByRole('heading', { name: 'Calendars', level: 1 })).toBeVisible()
  expect((await stored())?.normalHours).toHaveLength(4)
  await api.remove(`/calendar/calendars/${made?.id}`)
})

test('a notice policy gets a notice before the due date, and one at check-in', async ({
  staff,
  api,
  a11y,
}) => {
  const name = `zz notices ${Date.now()}`
  const template = await api.post<{ id: string }>('/templates', {
    name,
    active: true,
    category: 'Loan',
    outputFormats: ['text/html'],
    templateResolver: 'mustache',
    localizedTemplates: { en: { header: 'Due', body: 'Due', attachments: [] } },
  })
  await staff.goto('/staff/settings?of=notice-policies&id=new')
  await staff.getByRole('textbox', { name: /^Name/ }).fill(name)
  const loans = staff.getByRole('group', { name: 'Notices about loans', exact: true })
  const notice = (number: number) =>
    staff.getByRole('group', { name: `Notices about loans, ${number}` })
  const choose = async (number: number, field: RegExp, option: string) => {
    await notice(number).getByRole('button', { name: field }).click()
    await staff.getByRole('option', { name: option, exact: true }).click()
  }
  await loans.getByRole('button', { name: 'Add a notice' }).click()
  await choose(1, /Template/, name)
  await choose(1, /Event/, 'Due date')
  await choose(1, /When/, 'before it')
  await staff.keyboard.press('Control+s')
  await expect(staff.getByText('3 fields are empty.')).toBeVisible()
  await a11y('a notice that lacks something')
  await notice(1).getByRole('spinbutton', { name: /^By/ }).fill('2')
  await choose(1, / Unit$/, 'days')
  await choose(1, /How often/, 'once')
  await loans.getByRole('button', { name: 'Add a notice' }).click()
  await choose(2, /Template/, name)
  await choose(2, /Event/, 'Check-in')
  await expect(notice(2).getByRole('button', { name: /When/ })).toHaveCount(0)
  await a11y('notices')
  await staff.keyboard.press('Control+s')
  await expect(staff.getByRole('heading', { name: 'Notice policies', level: 1 })).toBeVisible()
  const path = '/patron-notice-policy-storage/patron-notice-policies'
  const { patronNoticePolicies } = await api.get<{
    patronNoticePolicies: { id: string; loanNotices: unknown[] }[]
  }>(`${path}?query=${encodeURIComponent(`name=="${name}"`)}`)
  const [policy] = patronNoticePolicies
  expect(policy?.loanNotices).toMatchObject([
    {
      templateId: template.id,
      format: 'Email',
      frequency: 'One time',
      realTime: false,
      sendOptions: {
        sendWhen: 'Due date',
        sendHow: 'Before',
        sendBy: { duration: 2, intervalId: 'Days' },
      },
    },
    { templateId: template.id, sendOptions: { sendWhen: 'Check in' } },
  ])
  await api.remove(`${path}/${policy?.id}`)
  await api.remove(`/templates/${template.id}`)
})

test('limits of patron blocks are set for a group, and block at the desk', async ({
  staff,
  api,
  a11y,
}) => {
  const name = `zz limits ${Date.now()}`
  const group = await api.post<{ id: string }>('/groups', { group: name })
  interface Limit {
    conditionId: string
    value: number
  }
  const stored = async () => {
    const path = `/patron-block-limits?query=patronGroupId==${group.id}&limit=10`
    const { patronBlockLimits } = await api.get<{ patronBlockLimits: Limit[] }>(path)
    return patronBlockLimits.map(({ value }) => value).toSorted((one, other) => one - other)
  }
  const save = async () => {
    await staff.keyboard.press('Control+s')
    await expect(
      staff.getByRole('heading', { name: 'Limits of patron blocks', level: 1 }),
    ).toBeVisible()
  }
  await staff.goto('/staff/settings?of=block-limits')
  await expect(staff.getByRole('button', { name: 'New' })).toHaveCount(0)
  await staff.getByLabel('Filter this list').fill(name)
  await staff.getByRole('link', { name }).click()
  await staff.getByRole('spinbutton', { name: 'Items lent' }).fill('1')
  await staff.getByRole('spinbutton', { name: 'Fees that are owed, amount' }).fill('12.5')
  await a11y('limits of a group')
  await save()
  expect(await stored()).toEqual([1, 12.5])

  // One is changed, one taken away, one added.
  await staff.goto(`/staff/settings?of=block-limits&id=${group.id}`)
  await expect(staff.getByRole('spinbutton', { name: 'Items lent' })).toHaveValue('1')
  await staff.getByRole('spinbutton', { name: 'Items lent' }).fill('2')
  await staff.getByRole('spinbutton', { name: 'Fees that are owed, amount' }).fill('')
  await staff.getByRole('spinbutton', { name: 'Lost items' }).fill('0')
  await save()
  expect(await stored()).toEqual([0, 2])

  // What the limit of items blocks, and what the desk then says.
  await staff.goto('/staff/settings?of=block-conditions')
  await staff.getByRole('link', { name: 'Maximum number of items charged out' }).click()
  const message = `Has enough ${Date.now()}`
  await staff.getByRole('checkbox', { name: 'Blocks borrowing' }).check()
  await staff.getByRole('textbox', { name: 'Message for the desk' }).fill(message)
  await a11y('what a limit blocks')
  await staff.keyboard.press('Control+s')
  await expect(staff.getByRole('heading', { name: 'What limits block', level: 1 })).toBeVisible()
  const patron = await makePatron(api, 'Genug')
  await api.put(`/users/${patron.id}`, { ...patron, patronGroup: group.id })
  for (const { barcode } of [await makeItem(api), await makeItem(api)])
    await api.post('/circulation/check-out-by-barcode', {
      itemBarcode: barcode,
      userBarcode: patron.barcode,
      servicePointId: await deskId(api, 'Circ Desk 1'),
    })
  await staff.goto(`/staff/check-out?patron=${patron.barcode}`)
  await expect(staff.getByRole('complementary', { name: 'Patron' })).toContainText(message)
})

// Settings that have lists inside: the opening hours of a calendar, the notices of a notice policy.
import { expect, test } from './fixtures'
import { deskId } from './items'

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

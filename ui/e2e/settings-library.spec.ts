// What holds for the whole library, and the policies with all their terms: each is saved where the server reads it.
import type { Page } from '@playwright/test'
import { DESK, expect, test } from './fixtures'
import { deskId } from './items'

const saved = (page: Page) => page.getByRole('button', { name: /^Save/ })

async function save(page: Page) {
  await page.keyboard.press('Control+s')
  await expect(saved(page)).toBeDisabled()
}

async function pick(page: Page, field: RegExp, option: string) {
  await page.getByRole('button', { name: field }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

test('titles can be requested once the library says so', async ({ staff, api, a11y }) => {
  const { instances } = await api.get<{ instances: { id: string }[] }>(
    '/inventory/instances?limit=1',
  )
  const { users } = await api.get<{ users: { id: string }[] }>(
    '/users?limit=1&query=active==true%20and%20barcode=2118*',
  )
  const pickupServicePointId = await deskId(api, DESK)
  const place = () =>
    api.post<{ id: string; requestLevel: string }>('/circulation/requests', {
      requestLevel: 'Title',
      requestType: 'Page',
      instanceId: instances[0]?.id,
      requesterId: users[0]?.id,
      requestDate: new Date().toISOString(),
      fulfillmentPreference: 'Hold Shelf',
      pickupServicePointId,
    })
  await expect(place()).rejects.toThrow(/requestLevel/)
  await staff.goto('/staff/settings?of=title-requests')
  const on = staff.getByRole('checkbox', { name: /^Titles can be requested/ })
  await on.focus()
  await staff.keyboard.press('Space')
  await staff.getByRole('checkbox', { name: /^A new request is for the title/ }).press('Space')
  await a11y('requests for titles')
  await save(staff)
  await staff.reload()
  await expect(on).toBeChecked()
  const placed = await place()
  expect(placed.requestLevel).toBe('Title')
  await api.remove(`/circulation/requests/${placed.id}`)
  const { items } = await api.get<{ items: { id: string; key: string; value: unknown }[] }>(
    '/settings/entries?query=scope==circulation',
  )
  expect(items.find(({ key }) => key === 'generalTlr')?.value).toMatchObject({
    titleLevelRequestsFeatureEnabled: true,
    createTitleLevelRequestsByDefault: true,
  })
  for (const { id } of items) await api.remove(`/settings/entries/${id}`)
})

test('the desk’s time-out leaves what other programs keep beside it', async ({
  staff,
  api,
  a11y,
}) => {
  const path = '/configurations/entries'
  const query = encodeURIComponent('module==CHECKOUT and configName==other_settings')
  const entries = async () =>
    (await api.get<{ configs: { id: string; value: string }[] }>(`${path}?query=${query}`)).configs
  const before = await entries()
  if (!before.length)
    await api.post(path, {
      module: 'CHECKOUT',
      configName: 'other_settings',
      enabled: true,
      value: JSON.stringify({ audioTheme: 'classic' }),
    })
  await staff.goto('/staff/settings?of=desk')
  const ends = staff.getByRole('checkbox', { name: 'A session at the desk ends by itself' })
  if (!(await ends.isChecked())) await ends.press('Space')
  await staff.getByLabel('Minutes without a scan').fill('0')
  await staff.keyboard.press('Control+s')
  await expect(staff.getByText('Type minutes, 1 to 9999.')).toBeVisible()
  await staff.getByLabel('Minutes without a scan').fill('7')
  await staff.getByRole('checkbox', { name: 'Printed slips are counted' }).press('Space')
  await a11y('the desk')
  await save(staff)
  const [entry] = await entries()
  expect(JSON.parse(entry?.value ?? '')).toMatchObject({
    audioTheme: 'classic',
    checkoutTimeout: true,
    checkoutTimeoutDuration: 7,
  })
  const { circulationSettings } = await api.get<{
    circulationSettings: { id: string; name: string; value: unknown }[]
  }>('/circulation/settings?query=name==printEventLogFeature')
  expect(circulationSettings.map(({ value }) => value)).toEqual([{ enablePrintLog: true }])
  await api.remove(`/circulation/settings/${circulationSettings[0]?.id}`)
})

test('closed loans forget who had them, after a time', async ({ staff, api, a11y }) => {
  await staff.goto('/staff/settings?of=forgetting')
  await pick(staff, /Closed loans forget/, 'some time later')
  await staff.keyboard.press('Control+s')
  await expect(staff.getByText('Type a whole number above 0.')).toBeVisible()
  await staff.getByLabel(/^After their end \(needed\)/).fill('90')
  await pick(staff, /After their end: unit/, 'days')
  await a11y('closed loans')
  await save(staff)
  const { configs } = await api.get<{ configs: { id: string; value: string }[] }>(
    '/configurations/entries?query=module==LOAN_HISTORY',
  )
  expect(JSON.parse(configs[0]?.value ?? '')).toEqual({
    closingType: { loan: 'interval' },
    loan: { duration: 90, intervalId: 'Days' },
  })
  await api.remove(`/configurations/entries/${configs[0]?.id}`)
})

test('the library’s money and time zone are changed, and what shows them follows', async ({
  staff,
  api,
  a11y,
}) => {
  const before = await api.get<Record<string, string>>('/locale')
  await staff.goto('/staff/settings?of=locale')
  await staff.getByRole('combobox', { name: /^Currency/ }).fill('swedish')
  await staff.getByRole('option', { name: /Swedish Krona/ }).click()
  await staff.getByRole('combobox', { name: /^Time zone/ }).fill('stockholm')
  await staff
    .getByRole('option', { name: /Europe\/Stockholm/ })
    .first()
    .click()
  await a11y('language, money, time')
  await save(staff)
  expect(await api.get('/locale')).toMatchObject({ currency: 'SEK', timezone: 'Europe/Stockholm' })
  await api.put('/locale', before)
})

test('a loan policy has all its terms, and keeps none that its form does not show', async ({
  staff,
  api,
  a11y,
}) => {
  const name = `zz terms ${Date.now()}`
  await staff.goto('/staff/settings?of=loan-policies&id=new')
  await staff.getByLabel('Name').fill(name)
  await staff.getByRole('spinbutton', { name: /^Period/ }).fill('4')
  await pick(staff, /Period: unit/, 'weeks')
  await staff.getByRole('spinbutton', { name: 'Grace period', exact: true }).fill('2')
  await pick(staff, /\bGrace period: unit/, 'days')
  await staff.getByRole('checkbox', { name: 'For use in the library' }).press('Space')
  await staff.getByRole('spinbutton', { name: 'Kept on the shelf for' }).fill('3')
  await staff.getByRole('checkbox', { name: 'For use in the library' }).press('Space')
  await staff.getByRole('spinbutton', { name: 'To be back within' }).fill('5')
  await pick(staff, /To be back within: unit/, 'days')
  await staff.getByRole('checkbox', { name: 'May be renewed all the same' }).press('Space')
  await staff.getByRole('spinbutton', { name: 'It is then renewed for' }).fill('1.5')
  await staff.keyboard.press('Control+s')
  await expect(staff.getByText('Type a whole number above 0.')).toBeVisible()
  await staff.getByRole('spinbutton', { name: 'It is then renewed for' }).fill('')
  await a11y('a policy with all terms')
  await staff.keyboard.press('Control+s')
  await expect(staff.getByRole('heading', { name: 'Loan policies', level: 1 })).toBeVisible()
  const { loanPolicies } = await api.get<{
    loanPolicies: { id: string; loansPolicy: unknown; requestManagement: unknown }[]
  }>(`/loan-policy-storage/loan-policies?query=${encodeURIComponent(`name=="${name}"`)}`)
  const [policy] = loanPolicies
  expect(policy?.loansPolicy).toEqual({
    profileId: 'Rolling',
    closedLibraryDueDateManagementId: 'CURRENT_DUE_DATE',
    period: { duration: 4, intervalId: 'Weeks' },
    gracePeriod: { duration: 2, intervalId: 'Days' },
    forUseAtLocation: false,
  })
  expect(policy?.requestManagement).toMatchObject({
    recalls: { recallReturnInterval: { duration: 5, intervalId: 'Days' } },
    holds: { renewItemsWithRequest: true },
  })
  await api.remove(`/loan-policy-storage/loan-policies/${policy?.id}`)
})

test('overdue fines have reminders, lost items what is given back, requests their desks', async ({
  staff,
  api,
  a11y,
}) => {
  const name = `zz fees ${Date.now()}`
  await staff.goto('/staff/settings?of=overdue-fines&id=new')
  await staff.getByLabel('Name').fill(name)
  await staff.getByRole('button', { name: 'Add a reminder' }).click()
  const reminder = staff.getByRole('group', { name: 'Reminders that cost something, 1' })
  await reminder.getByRole('spinbutton', { name: /^Fee/ }).fill('2.5')
  await reminder.getByRole('button', { name: /Template/ }).click()
  await staff.getByRole('option').first().click()
  await a11y('reminders')
  await staff.keyboard.press('Control+s')
  await expect(staff.getByRole('heading', { name: 'Overdue fines', level: 1 })).toBeVisible()
  const query = encodeURIComponent(`name=="${name}"`)
  const { overdueFinePolicies } = await api.get<{
    overdueFinePolicies: { id: string; reminderFeesPolicy: { reminderSchedule: unknown[] } }[]
  }>(`/overdue-fines-policies?query=${query}`)
  expect(overdueFinePolicies[0]?.reminderFeesPolicy.reminderSchedule).toEqual([
    expect.objectContaining({ interval: 1, timeUnitId: 'week', reminderFee: 2.5 }),
  ])
  await api.remove(`/overdue-fines-policies/${overdueFinePolicies[0]?.id}`)

  await staff.goto('/staff/settings?of=lost-items&id=new')
  await staff.getByLabel('Name').fill(name)
  await staff.getByRole('spinbutton', { name: 'Fees are given back within' }).fill('6')
  await pick(staff, /Fees are given back within: unit/, 'months')
  await a11y('lost items')
  await staff.keyboard.press('Control+s')
  await expect(staff.getByRole('heading', { name: 'Lost items', level: 1 })).toBeVisible()
  const { lostItemFeePolicies } = await api.get<{
    lostItemFeePolicies: { id: string; feesFinesShallRefunded: unknown }[]
  }>(`/lost-item-fees-policies?query=${query}`)
  expect(lostItemFeePolicies[0]?.feesFinesShallRefunded).toEqual({
    duration: 6,
    intervalId: 'Months',
  })
  await api.remove(`/lost-item-fees-policies/${lostItemFeePolicies[0]?.id}`)

  await staff.goto('/staff/settings?of=request-policies&id=new')
  await staff.getByLabel('Name').fill(name)
  await staff.getByRole('checkbox', { name: 'Hold', exact: true }).press('Space')
  const desks = staff.getByRole('group', { name: /^Holds: pickup only at/ })
  await desks.getByRole('checkbox').first().press('Space')
  await staff.keyboard.press('Control+s')
  await expect(staff.getByRole('heading', { name: 'Request policies', level: 1 })).toBeVisible()
  const { requestPolicies } = await api.get<{
    requestPolicies: { id: string; allowedServicePoints: { Hold: string[] } }[]
  }>(`/request-policy-storage/request-policies?query=${query}`)
  expect(requestPolicies[0]?.allowedServicePoints.Hold).toHaveLength(1)
  await api.remove(`/request-policy-storage/request-policies/${requestPolicies[0]?.id}`)
})

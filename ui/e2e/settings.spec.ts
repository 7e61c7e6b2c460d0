// Settings that are made from descriptions: list, form, what lacks, two at once, deleting.
import { expect, test } from './fixtures'

interface Types {
  mtypes: { id: string; name: string }[]
}

test('a material type is made, changed by two at once, and deleted', async ({
  staff,
  api,
  a11y,
}) => {
  const name = `zz test ${Date.now()}`
  const found = async () =>
    (
      await api.get<Types>(
        `/material-types?limit=100&query=${encodeURIComponent(`name=="${name}*"`)}`,
      )
    ).mtypes
  await staff.goto('/staff/settings?of=material-types')
  await expect(staff.getByRole('heading', { name: 'Material types', level: 1 })).toBeVisible()
  await a11y('a list')
  await staff.keyboard.press('Alt+n')
  await staff.keyboard.press('Control+s')
  await expect(staff.getByText('1 field is empty.')).toBeVisible()
  await a11y('a form that lacks something')
  await staff.getByLabel('Name').fill(name)
  await staff.keyboard.press('Control+s')
  await staff.getByLabel('Filter this list').fill(name)
  await staff.getByRole('link', { name }).click()
  await expect(staff.getByRole('heading', { name, level: 1 })).toBeVisible()

  const [type] = await found()
  await api.put(`/material-types/${type?.id}`, { ...type, name: `${name} theirs` })
  await staff.getByLabel('Name').fill(`${name} mine`)
  await staff.keyboard.press('Control+s')
  const note = staff.getByRole('alert').filter({ hasText: 'Somebody else changed this record' })
  await expect(note).toContainText(`${name} theirs`)
  await expect(note).toContainText(`${name} mine`)
  await note.getByRole('button', { name: 'Save mine all the same' }).click()
  await expect(staff.getByRole('heading', { name: 'Material types', level: 1 })).toBeVisible()
  expect((await found()).map((one) => one.name)).toEqual([`${name} mine`])

  await staff.getByLabel('Filter this list').fill(name)
  await staff.getByRole('link', { name: `${name} mine` }).click()
  await staff.getByRole('button', { name: 'Delete' }).click()
  await staff.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(staff.getByRole('heading', { name: 'Material types', level: 1 })).toBeVisible()
  expect(await found()).toEqual([])
})

test('a slip’s template is previewed, and brings no script along', async ({ staff, a11y }) => {
  await staff.goto('/staff/settings?of=staff-slips')
  await staff.getByRole('link', { name: 'Hold', exact: true }).click()
  await staff
    .getByRole('textbox', { name: 'Text of the template' })
    .fill('<h2>{{requester.lastName}}</h2><script>alert(1)</script><p>{{item.title}}</p>')
  await staff.getByText('Preview', { exact: true }).click()
  const preview = staff.getByRole('region', { name: 'Preview' })
  await expect(preview).toHaveText('LindqvistRivers and harbours')
  await expect(preview.locator('script')).toHaveCount(0)
  await a11y('a preview')
})

test('a loan policy asks for what its kind needs', async ({ staff, api, a11y }) => {
  const name = `zz policy ${Date.now()}`
  await staff.goto('/staff/settings?of=loan-policies&id=new')
  await staff.getByLabel('Name').fill(name)
  await staff.getByRole('spinbutton', { name: /^Period/ }).fill('3')
  await staff.getByRole('button', { name: /Period: unit/ }).click()
  await staff.getByRole('option', { name: 'weeks' }).click()
  await a11y('a policy')
  await staff.keyboard.press('Control+s')
  await expect(staff.getByRole('heading', { name: 'Loan policies', level: 1 })).toBeVisible()
  const { loanPolicies } = await api.get<{
    loanPolicies: { id: string; loansPolicy: { period: unknown } }[]
  }>(`/loan-policy-storage/loan-policies?query=${encodeURIComponent(`name=="${name}"`)}`)
  expect(loanPolicies[0]?.loansPolicy.period).toEqual({ duration: 3, intervalId: 'Weeks' })
  await api.remove(`/loan-policy-storage/loan-policies/${loanPolicies[0]?.id}`)
})

// Circulation rules: a wrong line is marked where it stands, a good text is saved and decides.
import { expect, test } from './fixtures'
import { makeItem } from './items'

const TEXT = { name: 'Circulation rules' }

test('a wrong line is marked, a good one is saved and decides', async ({
  staff,
  api,
  a11y,
  allowed,
}) => {
  // axe copies the editor's sheet into a style element; the second test runs without it.
  allowed.push(/Applying inline style violates/)
  const before = await api.get<{ rulesAsText: string }>('/circulation/rules')
  try {
    await staff.goto('/staff/settings/rules')
    const editor = staff.getByRole('textbox', TEXT)
    await expect(editor).toContainText('fallback-policy')
    // Ids are shown as names.
    await expect(editor).not.toContainText(/[0-9a-f]{8}-[0-9a-f]{4}/)
    await a11y('the rules as they are')

    const [rule] = before.rulesAsText.split('\n').slice(-1)
    const words = (await editor.innerText()).split('\n').filter((line) => line.trim())
    const good = words.at(-1) ?? ''
    await editor.press('Control+End')
    await staff.keyboard.type('\ng nobody-here: l x')
    await expect(staff.getByRole('status').filter({ hasText: 'mend it to save' })).toBeVisible()
    await expect(editor).toContainText('No patron group is called nobody-here.')
    await expect(editor).toContainText('No loan policy is called x.')
    await a11y('two faults')
    await staff.keyboard.press('Control+s')
    expect((await api.get<{ rulesAsText: string }>('/circulation/rules')).rulesAsText).toBe(
      before.rulesAsText,
    )

    // A fault that only the server's parser sees: marked with its words.
    await editor.press('Control+End')
    await staff.keyboard.press('Shift+Home')
    await staff.keyboard.type('m book l')
    await staff.keyboard.press('Escape')
    await staff.keyboard.press('Control+s')
    await expect(editor).toContainText(/Expected .*found/)

    await editor.press('Control+End')
    await staff.keyboard.press('Shift+Home')
    await staff.keyboard.type(`# the last line\n${good.trim()}`)
    await staff.keyboard.press('Escape')
    await staff.keyboard.press('Control+s')
    await expect(staff.getByTestId('polite')).toContainText('The rules are in force')
    const after = await api.get<{ rulesAsText: string }>('/circulation/rules')
    expect(after.rulesAsText).toBe(`${before.rulesAsText}\n# the last line\n${rule?.trim()}`)

    const item = await makeItem(api)
    const test = staff.getByRole('region', { name: 'Test: who and what' })
    await test.getByLabel('Barcode of an item or a card').fill(item.barcode)
    await test.getByRole('button', { name: 'Take' }).click()
    await test.getByRole('button', { name: /Patron group/ }).click()
    await staff.getByRole('option').first().click()
    await expect(test.getByRole('status')).toContainText(/Line \d+ decides/)
    await a11y('a verdict')
  } finally {
    await api.put('/circulation/rules', { rulesAsText: before.rulesAsText })
  }
})

test('rules that somebody else saved meanwhile are shown beside mine', async ({ staff, api }) => {
  const before = await api.get<{ rulesAsText: string }>('/circulation/rules')
  try {
    await staff.goto('/staff/settings/rules')
    const editor = staff.getByRole('textbox', TEXT)
    await editor.press('Control+End')
    await staff.keyboard.type('\n# mine')
    await api.put('/circulation/rules', { rulesAsText: `${before.rulesAsText}\n# theirs` })
    await staff.keyboard.press('Control+s')
    const note = staff.getByRole('alert').filter({ hasText: 'Somebody else saved other rules' })
    await expect(note.locator('mark')).toHaveText([/# mine/, /# theirs/])
    await note.getByRole('button', { name: 'Save mine all the same' }).click()
    await expect(staff.getByTestId('polite')).toContainText('The rules are in force')
    expect((await api.get<{ rulesAsText: string }>('/circulation/rules')).rulesAsText).toBe(
      `${before.rulesAsText}\n# mine`,
    )
  } finally {
    await api.put('/circulation/rules', { rulesAsText: before.rulesAsText })
  }
})

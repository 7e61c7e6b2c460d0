// The MARC editor: messages of the server in the line, keys, and a record that somebody else saved meanwhile.
import { expect, test } from './fixtures'

interface Record {
  fields: { tag: string; content: unknown; indicators: string[] }[]
  parsedRecordId: string
}

test.beforeEach(({ allowed }) => {
  allowed.push(/status of 409/)
})

async function anyMarc(api: { get: <T>(path: string) => Promise<T> }, at: number) {
  const { instances } = await api.get<{ instances: { id: string; title: string }[] }>(
    `/search/instances?limit=1&offset=${at}&query=source==MARC%20sortby%20title`,
  )
  return instances[0] ?? { id: '', title: '' }
}

test('a fault stands in its line and holds up the saving; mended, the title has the note', async ({
  staff,
  api,
  a11y,
}) => {
  const { id, title } = await anyMarc(api, 3)
  await staff.goto(`/staff/inventory/${id}/marc`)
  await expect(staff.getByRole('heading', { name: 'MARC record', level: 1 })).toBeVisible()
  await a11y('MARC record')
  await staff.keyboard.press('Alt+e')
  await expect(staff.getByRole('heading', { name: 'Edit MARC record' })).toBeVisible()

  await staff.getByRole('textbox', { name: '245 content' }).focus()
  await staff.keyboard.press('Control+Enter')
  const tag = staff.getByRole('textbox', { name: 'Tag', exact: true }).and(staff.locator(':focus'))
  await expect(tag).toHaveValue('')
  await staff.keyboard.type('245')
  const second = staff.getByRole('textbox', { name: '245 content' }).nth(1)
  await second.fill('$a Once more')
  await staff.keyboard.press('F8')
  const line = staff.getByRole('listitem').filter({ hasText: 'Field is non-repeatable.' })
  await expect(line.getByRole('textbox', { name: '245 content' })).toHaveValue('$a Once more')
  await a11y('MARC editor with a fault')
  await staff.keyboard.press('Control+s')
  await expect(staff.getByText(/^1 fault, /).first()).toBeVisible()
  await expect(staff.getByRole('heading', { name: 'Edit MARC record' })).toBeVisible()

  const note = `Seen at ${Date.now()}`
  await line.getByRole('textbox', { name: 'Tag', exact: true }).fill('500')
  await staff.getByRole('textbox', { name: '500 content' }).last().fill(`$a ${note}`)
  await staff.keyboard.press('Control+s')
  await expect(staff.getByRole('heading', { name: title, level: 1 })).toBeVisible()
  const stored = await api.get<{ notes: { note: string }[] }>(`/instance-storage/instances/${id}`)
  expect(stored.notes.map((one) => one.note)).toContain(note)
})

test('undo brings a deleted field back; the next subfield is reached by a key', async ({
  staff,
  api,
}) => {
  const { id } = await anyMarc(api, 7)
  await staff.goto(`/staff/inventory/${id}/marc/edit`)
  const fields = staff.getByRole('list', { name: 'Fields' }).getByRole('listitem')
  const title = staff.getByRole('textbox', { name: '245 content' })
  const text = await title.inputValue()
  const before = await fields.count()
  await title.focus()
  await staff.keyboard.press('Control+Delete')
  await expect(title).toHaveCount(0)
  await staff.keyboard.press('Control+z')
  await expect(title).toHaveValue(text)
  await expect(fields).toHaveCount(before)
  await title.evaluate((field) => (field as HTMLTextAreaElement).setSelectionRange(0, 0))
  await title.focus()
  await staff.keyboard.press('Control+]')
  const place = await title.evaluate((field) => (field as HTMLTextAreaElement).selectionStart)
  expect(place).toBe(text.indexOf('$a ') + 3)
})

test('a record saved by somebody else meanwhile is shown beside mine', async ({
  staff,
  api,
  a11y,
}) => {
  const { id } = await anyMarc(api, 5)
  await staff.goto(`/staff/inventory/${id}/marc/edit`)
  const title = staff.getByRole('textbox', { name: '245 content' })
  const mine = `${await title.inputValue()} mine${Date.now()}`
  await title.fill(mine)

  const [record, instance] = await Promise.all([
    api.get<Record>(`/records-editor/records?externalId=${id}`),
    api.get<{ _version: number }>(`/inventory/instances/${id}`),
  ])
  const theirs = `$a Theirs ${Date.now()}`
  await api.put(`/records-editor/records/${record.parsedRecordId}`, {
    ...record,
    fields: record.fields.map((field) =>
      field.tag === '245' ? { ...field, content: theirs } : field,
    ),
    relatedRecordVersion: instance._version,
    _actionType: 'edit',
  })

  await staff.keyboard.press('Control+s')
  const conflict = staff.getByRole('region', { name: /Somebody else changed this record/ })
  await expect(conflict).toContainText(theirs)
  await expect(conflict).toContainText(mine)
  await a11y('MARC conflict')
  await conflict.getByRole('button', { name: 'Save mine over it' }).click()
  await expect(staff.getByRole('navigation', { name: 'Parts of the record' })).toBeVisible()
  const stored = await api.get<Record>(`/records-editor/records?externalId=${id}`)
  expect(stored.fields.find((field) => field.tag === '245')?.content).toBe(mine)
})

// The MARC editor: messages of the server in the line, keys, and a record that somebody else saved meanwhile.
import { makeAuthority } from './authority'
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

test('a record is made, its heading is linked to an authority that is chosen, the rest of the field stays free', async ({
  staff,
  api,
  a11y,
}) => {
  test.setTimeout(180_000)
  const name = `Falkenrath${String(Date.now()).slice(-7)}`
  const authority = await makeAuthority(api, `${name}, Ida`)
  await staff.goto('/staff/inventory')
  await staff.getByRole('button', { name: /^New MARC record/ }).click()
  await expect(staff.getByRole('heading', { name: 'New MARC record', level: 1 })).toBeVisible()
  await a11y('a new MARC record')
  // A serial has other places in 008 than a book.
  await expect(staff.getByLabel('Ills', { exact: true })).toBeVisible()
  await staff.getByLabel('BLvl', { exact: true }).first().fill('s')
  await expect(staff.getByLabel('Ills', { exact: true })).toHaveCount(0)
  await expect(staff.getByLabel('Freq', { exact: true })).toBeVisible()
  await staff.getByLabel('BLvl', { exact: true }).first().fill('m')
  await staff.getByLabel('Lang', { exact: true }).fill('eng')
  // Nothing is stored before what has to be there is there.
  await staff.keyboard.press('Control+s')
  await expect(staff.getByText(/^[1-9]\d* faults?, /).first()).toBeVisible()
  const title = staff.getByRole('textbox', { name: '245 content' })
  await title.fill(`$a Made here ${name}`)
  await title.press('Control+Enter')
  await staff.keyboard.type('700')
  const heading = staff.getByRole('textbox', { name: '700 content' })
  await heading.fill(`$a ${name}, Ida, $e author.`)
  await heading.press('Shift+F9')
  const choice = staff.getByRole('search', { name: 'Link 700 to an authority' })
  await expect(choice.getByLabel('Words of the heading')).toHaveValue(`${name} Ida`)
  const link = choice.getByRole('button', { name: `Link to ${name}, Ida, 1901-1990` })
  await expect(link).toBeVisible()
  await a11y('the choice of an authority')
  await link.focus()
  await staff.keyboard.press('Enter')
  const controlled = staff.getByRole('textbox', { name: '700 from the authority' })
  await expect(controlled).toHaveValue(new RegExp(`^\\$a ${name}, Ida, \\$d 1901-1990`))
  await expect(controlled).toHaveAttribute('readonly', '')
  const own = staff.getByRole('textbox', { name: '700 other subfields' })
  await own.fill('$e editor. $a Somebody else')
  await a11y('a linked field')
  await staff.keyboard.press('Control+s')
  await expect(
    staff.getByRole('heading', { name: new RegExp(`^Made here ${name}`), level: 1 }),
  ).toBeVisible()
  const id = new URL(staff.url()).pathname.split('/').at(-1)
  const stored = await api.get<{
    fields: { tag: string; content: string; linkDetails?: { authorityId: string } }[]
  }>(`/records-editor/records?externalId=${id}`)
  const field = stored.fields.find(({ tag }) => tag === '700')
  expect(field?.linkDetails?.authorityId).toBe(authority)
  expect(field?.content).toContain('$e editor.')
  expect(field?.content).not.toContain('Somebody else')
  const instance = await api.get<{ source: string; contributors: { authorityId?: string }[] }>(
    `/inventory/instances/${id}`,
  )
  expect(instance.source).toBe('MARC')
  expect(instance.contributors[0]?.authorityId).toBe(authority)

  // Another authority than the field's kind of heading is not even offered; the tie is taken off again.
  await staff.goto(`/staff/inventory/${id}/marc/edit`)
  await staff.getByRole('button', { name: 'Unlink 700' }).click()
  await expect(staff.getByRole('textbox', { name: '700 content' })).not.toHaveValue(/\$9/)
  await staff.keyboard.press('Control+s')
  await expect(staff.getByRole('heading', { name: new RegExp(`^Made here ${name}`) })).toBeVisible()
  const after = await api.get<{ contributors: { authorityId?: string }[] }>(
    `/inventory/instances/${id}`,
  )
  expect(after.contributors[0]?.authorityId).toBeUndefined()
})

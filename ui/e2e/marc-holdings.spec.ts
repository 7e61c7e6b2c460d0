// MARC records of holdings: made at a title, read, changed in the editor, deleted with what they describe.
import { expect, test } from './fixtures'
import { locations, makeHoldings, marcTitle } from './marcHoldings'

interface Field {
  tag: string
  content: unknown
}
interface Record {
  fields: Field[]
  parsedRecordId: string
}
interface Holdings {
  _version: number
  hrid: string
  sourceId: string
  callNumber?: string
  permanentLocationId: string
  holdingsStatements?: { statement: string }[]
}

test.beforeEach(({ allowed }) => {
  allowed.push(/status of 409/)
})

test('MARC holdings are added to a title: the location by its name, 007 as boxes; then read and changed', async ({
  staff,
  api,
  a11y,
}) => {
  test.setTimeout(120_000)
  const title = await marcTitle(api, 9)
  const [place, other] = await locations(api)
  if (!place || !other) throw new Error('too few locations')
  await staff.goto(`/staff/inventory/${title.id}`)
  await staff.getByRole('button', { name: 'More actions' }).click()
  await staff.getByRole('menuitem', { name: 'Add MARC holdings' }).click()
  await expect(staff.getByRole('heading', { name: 'New MARC holdings', level: 1 })).toBeVisible()
  // The title is chosen already, and stays.
  const number = staff.getByRole('textbox', { name: '004 content' })
  await expect(number).toHaveValue(title.hrid)
  await expect(number).toHaveAttribute('readonly', '')
  await expect(staff.getByLabel('AcqMethod', { exact: true })).toHaveValue('u')
  await expect(staff.getByLabel('Date Ent', { exact: true })).toHaveCount(0)

  await staff.keyboard.press('F8')
  const line = staff.getByRole('listitem').filter({ hasText: '$b names no location.' })
  const shelf = line.getByRole('textbox', { name: '852 content' })
  await shelf.focus()
  await staff.keyboard.press('Shift+F9')
  const card = staff.getByRole('search', { name: 'Choose the location' })
  await expect(card.getByRole('combobox', { name: 'Permanent location' })).toBeFocused()
  await a11y('the choice of a location')
  await staff.keyboard.type(place.name)
  await staff.getByRole('option', { name: place.name }).first().click()
  const content = staff.getByRole('textbox', { name: '852 content' })
  await expect(content).toHaveValue(`$b ${place.code}`)
  await expect(card).toHaveCount(0)
  await content.fill(`$b ${place.code} $h QA 76 $i .M27`)

  await content.press('Control+Enter')
  await staff.keyboard.type('007')
  await expect(staff.getByText('Text', { exact: true })).toBeVisible()
  await staff.getByLabel('Category', { exact: true }).fill('h')
  await expect(staff.getByText('Microform', { exact: true })).toBeVisible()
  await staff.getByLabel('Generation', { exact: true }).fill('b')
  await content.focus()
  await staff.keyboard.press('Control+Enter')
  await staff.keyboard.type('866')
  await staff.getByRole('textbox', { name: '866 content' }).fill('$a v.1 (1998)-v.12 (2009)')
  await a11y('new MARC holdings')
  await staff.keyboard.press('Control+s')
  await expect(staff.getByRole('heading', { name: place.name, level: 1 })).toBeVisible()
  const id = new URL(staff.url()).pathname.split('/').at(-1)
  const path = `/holdings-storage/holdings/${id}`
  const stored = await api.get<Holdings>(path)
  const sources = await api.get<{ holdingsRecordsSources: { id: string; name: string }[] }>(
    '/holdings-sources?query=name==MARC',
  )
  expect(stored.sourceId).toBe(sources.holdingsRecordsSources[0]?.id)
  expect(stored.permanentLocationId).toBe(place.id)
  expect(stored.callNumber).toBe('QA 76 .M27')
  expect(stored.holdingsStatements?.[0]?.statement).toBe('v.1 (1998)-v.12 (2009)')

  await staff.keyboard.press('Alt+m')
  await expect(staff.getByRole('heading', { name: 'MARC holdings', level: 1 })).toBeVisible()
  await expect(staff.getByText('Microform · Category h')).toBeVisible()
  await a11y('MARC holdings')
  await staff.keyboard.press('Alt+v')
  const versions = staff.getByRole('dialog', { name: 'Version history' })
  await expect(versions.getByRole('listitem')).toHaveCount(1)
  await staff.keyboard.press('Escape')

  // What the server refuses stands in the line that it is about.
  await staff.keyboard.press('Alt+e')
  await expect(staff.getByRole('heading', { name: 'Edit MARC holdings' })).toBeVisible()
  await content.fill('$b NOWHERE $h QA 76')
  await staff.keyboard.press('Control+s')
  const refused = staff.getByRole('listitem').filter({ hasText: /permanentLocationId/i })
  await expect(refused.getByRole('textbox', { name: '852 content' })).toHaveValue(
    '$b NOWHERE $h QA 76',
  )
  await expect(staff.getByText('No location has the code “NOWHERE”.')).toBeVisible()
  await a11y('MARC holdings that were refused')
  expect((await api.get<Holdings>(path)).callNumber).toBe('QA 76 .M27')
  // 007 goes by its own button, 008 has none.
  await expect(staff.getByRole('button', { name: 'Delete field 008' })).toHaveCount(0)
  await staff.getByRole('button', { name: 'Delete field 007' }).click()
  await content.fill(`$b ${other.code} $h QA 77`)
  await staff.keyboard.press('Control+s')
  await expect(staff.getByRole('heading', { name: other.name, level: 1 })).toBeVisible()
  const after = await api.get<Holdings>(path)
  expect([after.callNumber, after.permanentLocationId]).toEqual(['QA 77', other.id])
  const record = await api.get<Record>(`/records-editor/records?externalId=${id}`)
  expect(record.fields.map(({ tag }) => tag)).not.toContain('007')

  // What MARC controls is locked in the form.
  await staff.goto(`/staff/inventory/${title.id}/holdings/${id}/edit`)
  await expect(staff.getByLabel('Call number', { exact: true })).toHaveAttribute('readonly', '')
  await expect(staff.getByLabel('Retention')).not.toHaveAttribute('readonly')
})

test('holdings saved by somebody else meanwhile are shown beside mine', async ({
  staff,
  api,
  a11y,
}) => {
  const title = await marcTitle(api, 11)
  const [place] = await locations(api)
  const id = await makeHoldings(api, title, `$b ${place?.code} $h QA 1`)
  await staff.goto(`/staff/inventory/${title.id}/holdings/${id}/marc/edit`)
  const content = staff.getByRole('textbox', { name: '852 content' })
  const mine = `$b ${place?.code} $h Mine`
  await content.fill(mine)
  const [record, holdings] = await Promise.all([
    api.get<Record>(`/records-editor/records?externalId=${id}`),
    api.get<Holdings>(`/holdings-storage/holdings/${id}`),
  ])
  const theirs = `$b ${place?.code} $h Theirs`
  await api.put(`/records-editor/records/${record.parsedRecordId}`, {
    ...record,
    fields: record.fields.map((one) => (one.tag === '852' ? { ...one, content: theirs } : one)),
    relatedRecordVersion: holdings._version,
    _actionType: 'edit',
  })
  await staff.keyboard.press('Control+s')
  const conflict = staff.getByRole('region', { name: /Somebody else changed this record/ })
  await expect(conflict).toContainText(theirs)
  await expect(conflict).toContainText(mine)
  await a11y('a conflict of MARC holdings')
  await conflict.getByRole('button', { name: 'Save mine over it' }).click()
  await expect(staff.getByRole('heading', { name: place?.name, level: 1 })).toBeVisible()
  expect((await api.get<Holdings>(`/holdings-storage/holdings/${id}`)).callNumber).toBe('Mine')
})

test('MARC holdings are deleted as others are, and their record with them', async ({
  staff,
  api,
}) => {
  const title = await marcTitle(api, 13)
  const [place] = await locations(api)
  const id = await makeHoldings(api, title, `$b ${place?.code} $h QA 2`)
  const { hrid } = await api.get<Holdings>(`/holdings-storage/holdings/${id}`)
  const record = await api.get<Record>(`/records-editor/records?externalId=${id}`)
  await staff.goto(`/staff/inventory/${title.id}`)
  const part = staff.getByRole('region').filter({ hasText: 'QA 2' }).last()
  await part.getByRole('button', { name: /^Actions: / }).click()
  await expect(staff.getByRole('menuitem', { name: 'MARC holdings' })).toBeEnabled()
  await staff.getByRole('menuitem', { name: 'Delete' }).click()
  const question = staff.getByRole('alertdialog', { name: `Delete the holdings ${hrid}?` })
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(part).toHaveCount(0)
  const kept = await api.get<{ state: string }>(`/source-storage/records/${record.parsedRecordId}`)
  expect(kept.state).toBe('DELETED')
})

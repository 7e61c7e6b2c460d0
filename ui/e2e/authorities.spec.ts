// Authorities: found, browsed, read with the titles that follow them, changed, made and deleted.
import { linkTitle, makeAuthority } from './authority'
import { type Api, expect, test } from './fixtures'
import { marcTitle } from './marcHoldings'

interface Field {
  tag: string
  content: string
  linkDetails?: { authorityId: string }
}
interface Record {
  fields: Field[]
  parsedRecordId: string
}

test.beforeEach(({ allowed }) => {
  allowed.push(/status of (404|409)/)
})

const nameOf = (start: string) => `${start}${String(Date.now()).slice(-7)}`

/** A person with two other forms of the name, whom a title follows. */
async function followed(api: Api, name: string, at: number) {
  const blank = ['1', '\\']
  const id = await makeAuthority(api, `${name}, Ida`, [
    { tag: '400', content: `$a ${name}, Idchen`, indicators: blank },
    { tag: '500', content: `$a ${name}, Ada`, indicators: blank },
  ])
  const title = await marcTitle(api, at)
  await linkTitle(api, title.id, id)
  return { id, title }
}

const authorOf = async (api: Api, titleId: string) => {
  const { fields } = await api.get<Record>(`/records-editor/records?externalId=${titleId}`)
  return fields.find(({ tag }) => tag === '100')
}

test('a heading is found in each of its forms, narrowed by facets, and leads to its titles', async ({
  staff,
  api,
  a11y,
}) => {
  test.setTimeout(120_000)
  const name = nameOf('Quellmann')
  const { title } = await followed(api, name, 15)
  // Not at the desk, where letters are typed into the scan field.
  await staff.goto('/staff/preferences')
  await expect(staff.getByRole('heading', { name: 'Preferences', level: 1 })).toBeVisible()
  await staff.keyboard.press('g')
  await staff.keyboard.press('a')
  await expect(staff.getByRole('heading', { name: 'Authorities', level: 1 })).toBeVisible()
  await staff.getByLabel('Search by').selectOption({ label: 'Personal name' })
  await staff.getByRole('searchbox', { name: 'Search words' }).fill(name)
  const rows = staff.getByRole('grid', { name: 'Results' }).getByRole('row')
  await expect(rows.filter({ hasText: name })).toHaveCount(3)
  await expect(rows.filter({ hasText: `${name}, Idchen` })).toContainText('See from')
  await a11y('authorities')
  const facets = staff.getByRole('complementary')
  await facets.getByRole('checkbox', { name: /^Authorized/ }).click()
  await expect(rows.filter({ hasText: name })).toHaveCount(1)
  const row = rows.filter({ hasText: `${name}, Ida` })
  await expect(row).toContainText('LC Name Authority file (LCNAF)')
  await expect(row.getByRole('link', { name: `1 title of ${name}, Ida, 1901-1990` })).toBeVisible()
  await expect(facets.getByRole('checkbox', { name: /^See from/ })).toBeVisible()

  await row.getByRole('link', { name: `${name}, Ida, 1901-1990`, exact: true }).click()
  await expect(
    staff.getByRole('heading', { name: `${name}, Ida, 1901-1990`, level: 1 }),
  ).toBeVisible()
  const headings = staff.getByRole('region', { name: 'Headings' })
  await expect(headings).toContainText(`${name}, Idchen`)
  await expect(headings).toContainText(`${name}, Ada`)
  await expect(staff.getByText(`$a ${name}, Idchen`)).toBeVisible()
  const titles = staff.getByRole('region', { name: 'Linked titles' })
  await expect(titles.getByRole('link', { name: title.title })).toBeVisible()
  await a11y('an authority')
  await titles.getByRole('link', { name: 'The title in the inventory' }).click()
  await expect(staff.getByRole('heading', { name: 'Inventory', level: 1 })).toBeVisible()
  await expect(rows.filter({ hasText: title.title })).toHaveCount(1)
  await expect(staff.getByLabel('Search by')).toHaveValue('authority')

  // Where nobody has the heading, the list shows the place.
  await staff.goto('/staff/authorities')
  await expect(staff.getByRole('heading', { name: 'Authorities', level: 1 })).toBeVisible()
  await staff.keyboard.press('Alt+b')
  await expect(staff.getByRole('heading', { name: 'Browse', level: 1 })).toBeVisible()
  await staff.getByLabel('Begin at').fill(`${name}, Idb`)
  await staff.getByRole('button', { name: 'Go there' }).click()
  const list = staff.getByRole('grid', { name: 'Personal name' })
  await expect(list.getByRole('row').filter({ hasText: 'would be here' })).toContainText(
    `${name}, Idb`,
  )
  await expect(list.getByRole('row').filter({ hasText: `${name}, Idchen` })).toBeVisible()
  await a11y('browsing authorities')
  await list.getByText(`${name}, Idchen`).click()
  await expect(staff.getByRole('heading', { name: `${name}, Ida, 1901-1990` })).toBeVisible()
})

test('a heading is changed; what its titles get is said before, and asked at the save', async ({
  staff,
  api,
  a11y,
}) => {
  test.setTimeout(120_000)
  const name = nameOf('Brunnmeier')
  const { id, title } = await followed(api, name, 17)
  await staff.goto(`/staff/authorities/${id}`)
  await expect(staff.getByRole('heading', { name: `${name}, Ida, 1901-1990` })).toBeVisible()
  await staff.keyboard.press('Alt+e')
  await expect(staff.getByRole('heading', { name: 'Edit MARC authority' })).toBeVisible()
  await expect(staff.getByText('1 title follows this record.')).toBeVisible()
  await expect(staff.getByText(/Saving gives it the new heading/)).toHaveCount(0)
  const heading = staff.getByRole('textbox', { name: '100 content' })
  const text = await heading.inputValue()
  await heading.fill(`${text} $t Letters`)
  await expect(staff.getByText(/It becomes a heading of another kind/)).toBeVisible()
  await heading.fill(text.replace('Ida', 'Ida Maria'))
  await expect(staff.getByText(/Saving gives it the new heading/)).toBeVisible()
  await a11y('an authority in the editor')

  // Somebody else saves first.
  const [record, authority] = await Promise.all([
    api.get<Record>(`/records-editor/records?externalId=${id}`),
    api.get<{ _version: number }>(`/authority-storage/authorities/${id}`),
  ])
  await api.put(`/records-editor/records/${record.parsedRecordId}`, {
    ...record,
    fields: record.fields.map((one) =>
      one.tag === '500' ? { ...one, content: `$a ${name}, Adele` } : one,
    ),
    relatedRecordVersion: authority._version,
    _actionType: 'edit',
  })
  await staff.keyboard.press('Control+s')
  const question = staff.getByRole('dialog', { name: 'Change the heading in 1 title?' })
  await expect(question).toBeVisible()
  await question.getByRole('button', { name: 'Back' }).click()
  expect((await authorOf(api, title.id))?.content).toContain(`${name}, Ida,`)
  await staff.keyboard.press('Control+s')
  await question.getByRole('button', { name: 'Save' }).click()
  const conflict = staff.getByRole('region', { name: /Somebody else changed this record/ })
  await expect(conflict).toContainText(`${name}, Adele`)
  await expect(conflict).toContainText('Ida Maria')
  await conflict.getByRole('button', { name: 'Save mine over it' }).click()
  await expect(staff.getByRole('heading', { name: `${name}, Ida Maria, 1901-1990` })).toBeVisible()
  await expect
    .poll(async () => (await authorOf(api, title.id))?.content, { timeout: 30_000 })
    .toContain(`${name}, Ida Maria`)

  await staff.keyboard.press('Alt+v')
  const versions = staff.getByRole('dialog', { name: 'Version history' })
  await expect(versions.getByRole('row').filter({ hasText: 'Ida Maria' })).toBeVisible()
  await a11y('the versions of an authority')
})

test('a new authority gets its number from the file that is chosen, and needs a heading', async ({
  staff,
  api,
  a11y,
}) => {
  test.setTimeout(120_000)
  const letters = `e${[...String(Date.now()).slice(-6)].map((figure) => 'abcdefghij'[Number(figure)]).join('')}`
  const name = nameOf('House names ')
  // The library's own file is made in the settings, one of FOLIO's is offered there.
  await staff.goto('/staff/settings?of=authority-files&id=new')
  await staff.getByLabel('Name').fill(name)
  await staff.getByLabel('Letters that numbers begin with').fill('no 1')
  await staff.keyboard.press('Control+s')
  await expect(staff.getByText('Only letters, 25 at most.')).toBeVisible()
  await staff.getByLabel('Letters that numbers begin with').fill(letters)
  await staff.getByLabel('First number').fill('70')
  await a11y('a new authority file')
  await staff.keyboard.press('Control+s')
  await expect(staff.getByRole('grid').getByText(name)).toBeVisible()
  await staff.getByRole('grid').getByText('LC Subject Headings (LCSH)').click()
  await staff.getByText('Offered for new authorities').click()
  await staff.keyboard.press('Control+s')
  await expect(staff.getByRole('grid').getByText(name)).toBeVisible()

  await staff.goto('/staff/authorities')
  await expect(staff.getByRole('heading', { name: 'Authorities', level: 1 })).toBeVisible()
  await staff.keyboard.press('Alt+n')
  await expect(staff.getByRole('heading', { name: 'New authority', level: 1 })).toBeVisible()
  await staff.keyboard.press('Control+s')
  const first = staff.getByRole('listitem').filter({ hasText: 'Choose a source file.' })
  const number = first.getByRole('textbox', { name: '001 content' })
  await expect(number).toHaveValue('')
  await a11y('a new authority')
  const own = staff.getByRole('textbox', { name: '001 content' })
  await staff.getByRole('button', { name: /Source file/ }).click()
  await staff.getByRole('option', { name: `${name} (${letters})` }).click()
  await expect(own).toHaveValue(`${letters}70`)
  // Of a file of FOLIO's the number stands in 010; who comes back has the number still.
  await staff.getByRole('button', { name: /Source file/ }).click()
  await staff.getByRole('option', { name: /^LC Subject Headings/ }).click()
  await expect(own).toHaveValue('')
  await staff.getByRole('textbox', { name: '100 content' }).press('Control+Enter')
  await staff.keyboard.type('010')
  const lccn = staff.getByRole('textbox', { name: '010 content' })
  await lccn.fill('$a n 12')
  await staff.keyboard.press('F8')
  await expect(
    staff.getByText('n12 does not begin as the numbers of “LC Subject Headings (LCSH)” do: sh.'),
  ).toBeVisible()
  await lccn.fill('$a sh 2020001234')
  await expect(own).toHaveValue('sh 2020001234')
  await lccn.press('Control+Delete')
  await expect(own).toHaveValue('')
  await staff.getByRole('button', { name: /Source file/ }).click()
  await staff.getByRole('option', { name: `${name} (${letters})` }).click()
  await expect(own).toHaveValue(`${letters}70`)

  const heading = staff.getByRole('textbox', { name: '100 content' })
  const line = staff.getByRole('listitem').filter({ has: heading })
  await heading.fill(`$a ${name}`)
  await line.getByRole('textbox', { name: 'Tag', exact: true }).fill('400')
  await staff.keyboard.press('Control+s')
  await expect(staff.getByText(/Field 1XX is non-repeatable and required/).first()).toBeVisible()
  const renamed = staff.getByRole('listitem').filter({
    has: staff.getByRole('textbox', { name: '400 content' }),
  })
  await renamed.getByRole('textbox', { name: 'Tag', exact: true }).fill('150')
  await staff.keyboard.press('Control+s')
  await expect(staff.getByRole('heading', { name, level: 1 })).toBeVisible()
  const id = new URL(staff.url()).pathname.split('/').at(-1)
  const stored = await api.get<{ naturalId: string; sourceFileId: string; topicalTerm: string }>(
    `/authority-storage/authorities/${id}`,
  )
  expect(stored).toMatchObject({ naturalId: `${letters}70`, topicalTerm: name })
  const { authoritySourceFiles } = await api.get<{
    authoritySourceFiles: { id: string; name: string }[]
  }>(`/authority-source-files?query=${encodeURIComponent(`name=="${name}"`)}`)
  expect(stored.sourceFileId).toBe(authoritySourceFiles[0]?.id)
})

test('deleting names how many titles lose the link, and they keep the heading', async ({
  staff,
  api,
  a11y,
}) => {
  const name = nameOf('Teichgraeber')
  const { id, title } = await followed(api, name, 19)
  await staff.goto(`/staff/authorities/${id}`)
  await staff.getByRole('button', { name: 'More actions' }).click()
  await staff.getByRole('menuitem', { name: 'Delete' }).click()
  const question = staff.getByRole('alertdialog', { name: `Delete “${name}, Ida, 1901-1990”?` })
  await expect(question).toContainText('1 linked title keeps its heading and is no longer linked.')
  await a11y('the question before an authority is deleted')
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(staff.getByRole('heading', { name: 'Authorities', level: 1 })).toBeVisible()
  const { totalRecords } = await api.get<{ totalRecords: number }>(
    `/search/authorities?query=id==${id}`,
  )
  expect(totalRecords).toBe(0)
  await expect
    .poll(async () => (await authorOf(api, title.id))?.linkDetails, { timeout: 30_000 })
    .toBeUndefined()
  expect((await authorOf(api, title.id))?.content).toContain(`${name}, Ida`)
})
